#include "trace/step_trace.h"

#include "trace/profile.h"

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
    m_total += bytes;
    see();
}

void PeakFinder::dies(Category category, Bytes bytes)
{
    m_held[index(category)] -= bytes;
    m_total -= bytes;
}

void PeakFinder::skip(const CategoryBytes& change, std::int64_t times)
{
    for (std::size_t category = 0; category < kCategoryCount; ++category) {
        const Bytes more = change[category] * times;
        m_held[category] += more;
        m_total += more;
    }
}

void PeakFinder::pass(const Profile& profile, std::int64_t times)
{
    if (times <= 0)
        return;
    see(profile);
    if (times > 1) {
        skip(profile.change, times - 1);
        see(profile);
    }
    skip(profile.change, 1);
}

void PeakFinder::see(const Profile& profile)
{
    if (!profile.seen)
        return;
    Moment& largest = m_largest[static_cast<std::size_t>(m_phase)];
    const Bytes now = m_total + profile.highest;
    if (largest.seen && now < largest.total)
        return;
    largest.seen = true;
    largest.total = now;
    for (std::size_t category = 0; category < kCategoryCount; ++category)
        largest.held[category] = m_held[category] + profile.high[category];
}

void PeakFinder::see()
{
    Moment& largest = m_largest[static_cast<std::size_t>(m_phase)];
    if (!largest.seen || m_total >= largest.total)
        largest = { true, m_total, m_held };
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

std::vector<Peak> PeakFinder::byPhase() const
{
    std::vector<Peak> peaks;
    for (std::size_t phase = 0; phase < m_largest.size(); ++phase)
        if (m_largest[phase].seen)
            peaks.push_back({ static_cast<Phase>(phase), m_largest[phase].held });
    return peaks;
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

namespace {

/// Counts the tensors that are held, and remembers the counts at the largest moment of one phase.
class ContentsWalk {
public:
    ContentsWalk(const StepTrace& trace, Phase phase)
        : m_trace(trace)
        , m_wanted(phase)
        , m_held(trace.tensorCount(), 0)
    {
        run(0, trace.nodes().size());
    }
    std::vector<std::int64_t> take() { return std::move(m_largest); }

private:
    void see()
    {
        if (m_phase != m_wanted || (!m_largest.empty() && m_total < m_largestTotal))
            return;
        m_largestTotal = m_total;
        m_largest = m_held;
    }
    void add(std::uint32_t tensor, std::int64_t count)
    {
        m_held[tensor] += count;
        m_total += m_trace.tensor(tensor).bytes * count;
    }
    void run(std::size_t from, std::size_t to)
    {
        for (std::size_t at = from; at < to; ++at) {
            const Node& node = m_trace.nodes()[at];
            if (node.kind == Node::Kind::Phase) {
                m_phase = static_cast<Phase>(node.tensor);
                see();
            } else if (node.kind == Node::Kind::Born) {
                add(node.tensor, 1);
                see();
            } else if (node.kind == Node::Kind::Dies) {
                add(node.tensor, -1);
            } else if (node.kind == Node::Kind::LoopBegin) {
                loop(at, node);
                at = node.tensor;
            }
        }
    }
    void loop(std::size_t begin, const Node& node)
    {
        if (node.count <= 0)
            return;
        const std::vector<std::int64_t> before = m_held;
        run(begin + 1, node.tensor);
        if (node.count == 1)
            return;
        for (std::uint32_t tensor = 0; tensor < m_held.size(); ++tensor)
            if (const std::int64_t change = m_held[tensor] - before[tensor]; change != 0)
                add(tensor, change * (node.count - 2));
        run(begin + 1, node.tensor);
    }

    const StepTrace& m_trace;
    Phase m_wanted;
    Phase m_phase = Phase::Init;
    std::vector<std::int64_t> m_held;
    Bytes m_total;
    std::vector<std::int64_t> m_largest;
    Bytes m_largestTotal;
};

} // namespace

std::vector<std::int64_t> contents(const StepTrace& trace, Phase phase)
{
    return ContentsWalk(trace, phase).take();
}

} // namespace shardrack
