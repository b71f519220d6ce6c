#include "trace/timeline.h"

#include <algorithm>

namespace shardrack {

namespace {

using Node = StepTrace::Node;
using Moment = Timeline::Moment;

constexpr bool isFirst(Phase phase)
{
    return phase >= Phase::FirstForward && phase <= Phase::FirstOptimizer;
}

std::size_t at(Phase phase) { return static_cast<std::size_t>(phase); }

/// Chooses the loops that are not visited pass by pass.
class Reduction {
public:
    Reduction(const StepTrace& trace, std::size_t most)
        : m_nodes(trace.nodes())
        , m_isReduced(m_nodes.size(), 0)
    {
        int deepest = 0;
        std::size_t size = measure(deepest);
        // From outside in: micro-batches before layers, so that what is left out is most alike.
        for (int depth = 0; depth <= deepest && size > most; ++depth) {
            std::vector<Loop> loops;
            for (const Loop& loop : m_loops)
                if (loop.depth == depth && loop.saving > 0)
                    loops.push_back(loop);
            std::stable_sort(loops.begin(), loops.end(),
                [](const Loop& a, const Loop& b) { return a.saving > b.saving; });
            // Loops of one depth are not inside each other: their savings add up.
            std::size_t left = size;
            for (const Loop& loop : loops) {
                if (left <= most)
                    break;
                m_isReduced[loop.node] = 1;
                left -= loop.saving;
            }
            size = measure(deepest);
        }
        m_size = size;
    }
    std::size_t size() const { return m_size; }
    std::vector<std::uint32_t> take() const
    {
        std::vector<std::uint32_t> reduced;
        for (std::uint32_t node = 0; node < m_isReduced.size(); ++node)
            if (m_isReduced[node] != 0)
                reduced.push_back(node);
        return reduced;
    }

private:
    struct Loop {
        std::size_t node = 0;
        int depth = 0;
        std::size_t saving = 0; ///< moments that its reduction leaves out of the whole
    };
    // Sizes saturate: a loop may run more often than fits a number.
    static constexpr std::size_t kFull = std::size_t(1) << 50;
    static std::size_t product(std::size_t a, std::size_t b)
    {
        return a != 0 && b > kFull / a ? kFull : a * b;
    }

    /// Moments of everything; finds what the loops would save.
    std::size_t measure(int& deepest)
    {
        m_loops.clear();
        deepest = 0;
        return measure(0, m_nodes.size(), 0, 1, deepest);
    }
    std::size_t measure(
        std::size_t from, std::size_t to, int depth, std::size_t passes, int& deepest)
    {
        std::size_t size = 0;
        for (std::size_t node = from; node < to; ++node) {
            if (m_nodes[node].kind != Node::Kind::LoopBegin) {
                ++size;
                continue;
            }
            const auto count
                = static_cast<std::size_t>(std::max<std::int64_t>(m_nodes[node].count, 0));
            const bool reduced = m_isReduced[node] != 0;
            const std::size_t visited = reduced ? 2 : count;
            deepest = std::max(deepest, depth);
            const std::size_t body = measure(
                node + 1, m_nodes[node].tensor, depth + 1, product(passes, visited), deepest);
            size = std::min(kFull, size + product(body, visited) + (reduced ? 1 : 0));
            if (!reduced && count > 2)
                m_loops.push_back({ node, depth, product(passes, product(body, count - 2)) });
            node = m_nodes[node].tensor;
        }
        return size;
    }

    const std::vector<Node>& m_nodes;
    std::vector<std::uint8_t> m_isReduced;
    std::vector<Loop> m_loops;
    std::size_t m_size = 0;
};

/// Visits a trace event by event. `Visitor` has start(Phase), born(tensor), dies(tensor) and for a
/// loop of which passes are left out mark() before the first pass and skip(node, mark, passes)
/// after it. Ends early when the visitor is done().
template <class Visitor> class Visit {
public:
    Visit(const StepTrace& trace, const std::vector<std::uint32_t>& reduced, Visitor& visitor)
        : m_trace(trace)
        , m_isReduced(trace.nodes().size(), 0)
        , m_visitor(visitor)
    {
        for (const std::uint32_t node : reduced)
            m_isReduced[node] = 1;
        run(0, trace.nodes().size());
    }

private:
    void run(std::size_t from, std::size_t to)
    {
        for (std::size_t at = from; at < to && !m_visitor.done(); ++at) {
            const Node& node = m_trace.nodes()[at];
            switch (node.kind) {
            case Node::Kind::Phase:
                m_visitor.start(static_cast<Phase>(node.tensor));
                break;
            case Node::Kind::Born:
                m_visitor.born(node.tensor);
                break;
            case Node::Kind::Dies:
                m_visitor.dies(node.tensor);
                break;
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
        if (m_isReduced[begin] == 0) {
            for (std::int64_t pass = 0; pass < node.count && !m_visitor.done(); ++pass)
                run(begin + 1, node.tensor);
            return;
        }
        const auto before = m_visitor.mark();
        run(begin + 1, node.tensor);
        if (m_visitor.done())
            return;
        m_visitor.skip(static_cast<std::uint32_t>(begin), before, node.count - 2);
        run(begin + 1, node.tensor);
    }

    const StepTrace& m_trace;
    std::vector<std::uint8_t> m_isReduced;
    Visitor& m_visitor;
};

/// Writes the moments down and finds the largest of each phase, as PeakFinder does.
class Recorder {
public:
    Recorder(const StepTrace& trace, Timeline& timeline)
        : m_trace(trace)
        , m_timeline(timeline)
    {
    }
    static constexpr bool done() { return false; }
    void start(Phase phase)
    {
        // A phase that goes on is no event.
        if (!m_timeline.moments.empty() && m_timeline.stretches.back().phase == phase)
            return;
        m_now.phase = phase;
        m_timeline.stretches.push_back(
            { phase, m_timeline.moments.size(), m_timeline.moments.size() });
        add(Moment::Kind::Start, 0, 1);
        see();
    }
    void born(std::uint32_t tensor)
    {
        begin();
        const StepTrace::Held& held = m_trace.tensor(tensor);
        m_now.held[index(held.category)] += held.bytes;
        m_now.total += held.bytes;
        add(Moment::Kind::Born, tensor, 1);
        see();
    }
    void dies(std::uint32_t tensor)
    {
        begin();
        const StepTrace::Held& held = m_trace.tensor(tensor);
        m_now.held[index(held.category)] -= held.bytes;
        m_now.total -= held.bytes;
        add(Moment::Kind::Dies, tensor, 1);
    }
    CategoryBytes mark() const { return m_now.held; }
    void skip(std::uint32_t node, const CategoryBytes& before, std::int64_t passes)
    {
        begin();
        for (std::size_t i = 0; i < kCategoryCount; ++i) {
            const Bytes more = (m_now.held[i] - before[i]) * passes;
            m_now.held[i] += more;
            m_now.total += more;
        }
        add(Moment::Kind::Skipped, node, passes);
    }

private:
    /// Events before any phase belong to initialization.
    void begin()
    {
        if (m_timeline.moments.empty())
            start(Phase::Init);
    }
    void add(Moment::Kind kind, std::uint32_t tensor, std::int64_t times)
    {
        m_now.kind = kind;
        m_now.tensor = tensor;
        m_now.times = times;
        m_timeline.stretches.back().last = m_timeline.moments.size();
        m_timeline.moments.push_back(m_now);
    }
    void see()
    {
        std::optional<std::size_t>& largest = m_timeline.largest[at(m_now.phase)];
        if (!largest || m_now.total >= m_timeline.moments[*largest].total)
            largest = m_timeline.moments.size() - 1;
    }

    const StepTrace& m_trace;
    Timeline& m_timeline;
    Moment m_now;
};

/// Counts what is held until one moment.
class Counter {
public:
    Counter(const StepTrace& trace, std::size_t moment)
        : m_left(moment + 1)
        , m_held(trace.tensorCount(), 0)
    {
    }
    bool done() const { return m_left == 0; }
    void start(Phase phase)
    {
        if (m_phase == phase)
            return;
        m_phase = phase;
        --m_left;
    }
    void born(std::uint32_t tensor) { change(tensor, 1); }
    void dies(std::uint32_t tensor) { change(tensor, -1); }
    std::vector<std::int64_t> mark() const { return m_held; }
    void skip(std::uint32_t, const std::vector<std::int64_t>& before, std::int64_t passes)
    {
        if (!begin())
            return;
        for (std::size_t tensor = 0; tensor < m_held.size(); ++tensor)
            m_held[tensor] += (m_held[tensor] - before[tensor]) * passes;
        --m_left;
    }
    std::vector<std::int64_t> take() { return std::move(m_held); }

private:
    /// As the recorder does; false: the moment asked for is the beginning itself.
    bool begin()
    {
        if (!m_phase)
            start(Phase::Init);
        return m_left > 0;
    }
    void change(std::uint32_t tensor, int by)
    {
        if (!begin())
            return;
        m_held[tensor] += by;
        --m_left;
    }

    std::size_t m_left;
    std::optional<Phase> m_phase;
    std::vector<std::int64_t> m_held;
};

/// The largest of the phases' moments that `counts` lets in; of equal ones a steady phase's before
/// any other's, then the latest phase's.
template <class Counts>
std::optional<std::size_t> largestOf(const Timeline& timeline, Counts&& counts)
{
    std::optional<std::size_t> best;
    for (const std::optional<std::size_t>& candidate : timeline.largest) {
        if (!candidate || !counts(timeline.moments[*candidate].phase))
            continue;
        const Moment& moment = timeline.moments[*candidate];
        const bool wins = !best || moment.total > timeline.moments[*best].total
            || (moment.total == timeline.moments[*best].total
                && (isSteady(moment.phase) || !isSteady(timeline.moments[*best].phase)));
        if (wins)
            best = candidate;
    }
    return best;
}

/// The end of the forward pass that ends highest; the last of equal ones.
std::optional<std::size_t> lossOf(const Timeline& timeline, Phase forward)
{
    std::optional<std::size_t> best;
    for (const Timeline::Stretch& stretch : timeline.stretches)
        if (stretch.phase == forward
            && (!best || timeline.moments[stretch.last].total >= timeline.moments[*best].total))
            best = stretch.last;
    return best;
}

void findMoments(Timeline& timeline)
{
    timeline.peak = largestOf(timeline, [](Phase) { return true; }).value_or(0);
    timeline.firstPeak = largestOf(timeline, isFirst);
    timeline.steadyPeak = largestOf(timeline, isSteady);
    timeline.firstLoss = lossOf(timeline, Phase::FirstForward);
    timeline.steadyLoss = lossOf(timeline, Phase::Forward);
    for (const Timeline::Stretch& stretch : timeline.stretches) {
        if (stretch.phase == Phase::Load || stretch.phase == Phase::Init)
            timeline.built = stretch.last;
        else if (isFirst(stretch.phase))
            timeline.firstQuiet = stretch.last;
        else if (isSteady(stretch.phase))
            timeline.quiet = stretch.last;
    }
}

} // namespace

bool Timeline::inFirstStep(std::size_t moment) const { return isFirst(moments[moment].phase); }

bool Timeline::inSteadyStep(std::size_t moment) const { return isSteady(moments[moment].phase); }

Timeline timelineOf(const StepTrace& trace, std::size_t most)
{
    Timeline timeline;
    const Reduction reduction(trace, most);
    timeline.reduced = reduction.take();
    timeline.moments.reserve(reduction.size() + 1);
    Recorder recorder(trace, timeline);
    const Visit visit(trace, timeline.reduced, recorder);
    findMoments(timeline);
    return timeline;
}

std::vector<std::int64_t> contentsAt(
    const StepTrace& trace, const Timeline& timeline, std::size_t moment)
{
    Counter counter(trace, moment);
    const Visit visit(trace, timeline.reduced, counter);
    return counter.take();
}

} // namespace shardrack
