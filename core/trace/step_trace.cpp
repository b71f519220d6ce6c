#include "trace/step_trace.h"

#include <algorithm>

namespace shardrack {

const char* name(Phase phase)
{
    static constexpr std::array<const char*, 10> names { "load", "init", "first forward",
        "first backward", "first optimizer", "forward", "backward", "optimizer", "save",
        "evaluate" };
    return names[static_cast<std::size_t>(phase)];
}

Bytes total(const CategoryBytes& bytes)
{
    Bytes sum;
    for (const Bytes part : bytes)
        sum += part;
    return sum;
}

StepTrace::Tensor StepTrace::declare(Category category, Bytes bytes)
{
    m_tensors.push_back({ category, bytes });
    return static_cast<Tensor>(m_tensors.size() - 1);
}

void StepTrace::phase(Phase phase)
{
    m_nodes.push_back({ Node::Kind::Phase, static_cast<std::uint32_t>(phase), 0 });
}

void StepTrace::born(Tensor tensor) { m_nodes.push_back({ Node::Kind::Born, tensor, 0 }); }

void StepTrace::dies(Tensor tensor) { m_nodes.push_back({ Node::Kind::Dies, tensor, 0 }); }

void StepTrace::beginLoop(std::int64_t count)
{
    m_openLoops.push_back(static_cast<std::uint32_t>(m_nodes.size()));
    m_nodes.push_back({ Node::Kind::LoopBegin, 0, count });
}

void StepTrace::endLoop()
{
    const std::uint32_t begin = m_openLoops.back();
    m_openLoops.pop_back();
    m_nodes[begin].tensor = static_cast<std::uint32_t>(m_nodes.size());
    m_nodes.push_back({ Node::Kind::LoopEnd, begin, 0 });
}

void PeakFinder::phase(Phase phase)
{
    m_phase = phase;
    see();
}

void PeakFinder::born(Category category, Bytes bytes)
{
    m_held[index(category)] += bytes;
    see();
}

void PeakFinder::dies(Category category, Bytes bytes) { m_held[index(category)] -= bytes; }

void PeakFinder::skip(const CategoryBytes& change, std::int64_t times)
{
    for (std::size_t category = 0; category < kCategoryCount; ++category)
        m_held[category] += change[category] * times;
}

void PeakFinder::see()
{
    Moment& largest = m_largest[static_cast<std::size_t>(m_phase)];
    const Bytes now = total(m_held);
    if (!largest.seen || now >= largest.total)
        largest = { true, now, m_held };
}

int PeakFinder::largest(int except) const
{
    int best = -1;
    for (int phase = 0; phase < static_cast<int>(m_largest.size()); ++phase) {
        const Moment& moment = m_largest[static_cast<std::size_t>(phase)];
        if (phase == except || !moment.seen)
            continue;
        const bool wins = best < 0 || moment.total > m_largest[static_cast<std::size_t>(best)].total
            || (moment.total == m_largest[static_cast<std::size_t>(best)].total
                && (isSteady(static_cast<Phase>(phase)) || !isSteady(static_cast<Phase>(best))));
        if (wins)
            best = phase;
    }
    return best;
}

PeakPair PeakFinder::peaks() const
{
    const auto peakOf = [this](int phase) {
        return phase < 0
            ? Peak {}
            : Peak { static_cast<Phase>(phase), m_largest[static_cast<std::size_t>(phase)].held };
    };
    const int first = largest(-1);
    return { peakOf(first), peakOf(first < 0 ? -1 : largest(first)) };
}

namespace {

using Node = StepTrace::Node;

/// Walks a trace; loops either unrolled or reduced to their first and last pass.
class Walk {
public:
    Walk(const StepTrace& trace, bool unroll)
        : m_trace(trace)
        , m_unroll(unroll)
    {
        run(0, trace.nodes().size());
    }
    const PeakFinder& finder() const { return m_finder; }

private:
    void run(std::size_t from, std::size_t to)
    {
        for (std::size_t at = from; at < to; ++at) {
            const Node& node = m_trace.nodes()[at];
            switch (node.kind) {
            case Node::Kind::Phase:
                m_finder.phase(static_cast<Phase>(node.tensor));
                break;
            case Node::Kind::Born: {
                const StepTrace::Held& tensor = m_trace.tensor(node.tensor);
                m_finder.born(tensor.category, tensor.bytes);
                break;
            }
            case Node::Kind::Dies: {
                const StepTrace::Held& tensor = m_trace.tensor(node.tensor);
                m_finder.dies(tensor.category, tensor.bytes);
                break;
            }
            case Node::Kind::LoopBegin:
                loop(at, node);
                at = node.tensor;
                break;
            case Node::Kind::LoopEnd:
                break;
            }
        }
    }
    void loop(std::size_t begin, const Node& node)
    {
        if (node.count <= 0)
            return;
        const std::int64_t visited = m_unroll ? node.count : std::min<std::int64_t>(node.count, 2);
        const CategoryBytes before = m_finder.held();
        for (std::int64_t pass = 0; pass < visited; ++pass) {
            if (pass == 1 && !m_unroll) {
                // What one pass leaves behind is the same each time: jump to the last pass.
                CategoryBytes change = m_finder.held();
                for (std::size_t category = 0; category < kCategoryCount; ++category)
                    change[category] -= before[category];
                m_finder.skip(change, node.count - 2);
            }
            run(begin + 1, node.tensor);
        }
    }

    const StepTrace& m_trace;
    bool m_unroll;
    PeakFinder m_finder;
};

} // namespace

PeakPair peaks(const StepTrace& trace) { return Walk(trace, false).finder().peaks(); }

PeakPair peaksByExpansion(const StepTrace& trace) { return Walk(trace, true).finder().peaks(); }

CategoryBytes heldAtEnd(const StepTrace& trace) { return Walk(trace, true).finder().held(); }

} // namespace shardrack
