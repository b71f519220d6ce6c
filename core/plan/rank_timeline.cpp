#include "plan/rank_timeline.h"

#include <algorithm>

namespace shardrack {

namespace {

constexpr bool isTensor(Category category) { return category < Category::Slack; }

/// The trace without what no tensor occupies, and with `given` held from the beginning.
RankTrace tensorsAlone(RankTrace named, const std::vector<Term>& given)
{
    const StepTrace& from = named.trace;
    StepTrace to;
    for (StepTrace::Tensor tensor = 0; tensor < from.tensorCount(); ++tensor)
        to.declare(from.tensor(tensor).category, from.tensor(tensor).bytes);
    const auto addGiven = [&] {
        for (const Term& term : given) {
            to.born(to.declare(term.category, *term.amount.bytes()));
            named.names.push_back(term.name);
        }
    };
    bool added = false;
    for (const StepTrace::Node& node : from.nodes()) {
        using Kind = StepTrace::Node::Kind;
        if (!added && node.kind != Kind::Phase) {
            addGiven();
            added = true;
        }
        switch (node.kind) {
        case Kind::Phase:
            to.phase(static_cast<Phase>(node.tensor));
            break;
        case Kind::Born:
            if (isTensor(from.tensor(node.tensor).category))
                to.born(node.tensor);
            break;
        case Kind::Dies:
            if (isTensor(from.tensor(node.tensor).category))
                to.dies(node.tensor);
            break;
        case Kind::LoopBegin:
            to.beginLoop(node.count);
            break;
        case Kind::LoopEnd:
            to.endLoop();
            break;
        }
    }
    named.trace = std::move(to);
    return named;
}

/// `part` in the proportion of `of` to `whole`, in whole bytes.
Bytes proportion(Bytes part, Bytes of, Bytes whole)
{
    if (whole == Bytes(0))
        return part;
    __extension__ using Wide = __int128;
    return Bytes(static_cast<std::int64_t>(Wide(part.count()) * of.count() / whole.count()));
}

} // namespace

bool RankTimeline::isOpen(Category category) const
{
    return std::find(open.begin(), open.end(), category) != open.end();
}

bool RankTimeline::workingSetDerived() const
{
    return given.empty() && !isOpen(Category::Activations) && !isOpen(Category::Temporary);
}

Bytes RankTimeline::reserved(std::size_t moment) const
{
    const Bytes high = highWater[moment];
    return high + proportion(slack, high, tensors(timeline.peak));
}

Result<RankTimeline> rankTimeline(
    const Workload& workload, const Assessment& assessment, std::int32_t rank, std::size_t most)
{
    return attempt([&] {
        if (assessment.error)
            throw Failure(*assessment.error);
        const Account& account = assessment.account;
        if (rank < 0 || static_cast<std::size_t>(rank) >= account.classOfRank.size())
            throw Failure(
                { "", "rank " + std::to_string(rank) + " does not exist", "a rank of the offer" });
        RankTimeline result;
        result.rank = rank;
        result.rankClass
            = static_cast<std::int32_t>(account.classOfRank[static_cast<std::size_t>(rank)]);
        const RankClass& ranks = account.rankClasses[static_cast<std::size_t>(result.rankClass)];
        std::vector<Term> given;
        for (const Term& term : ranks.terms)
            if (!isState(term.category) && isTensor(term.category)
                && term.amount.provenance() == Provenance::Stipulated) {
                result.given.push_back(term.category);
                if (account.strategy) // else they are in the trace
                    given.push_back(term);
            }
        result.trace = tensorsAlone(
            rankTrace(workload, assessment.layout, assessment.index, rank).value(), given);
        result.timeline = timelineOf(result.trace.trace, most);
        Bytes high;
        result.highWater.reserve(result.timeline.moments.size());
        for (const Timeline::Moment& moment : result.timeline.moments)
            result.highWater.push_back(high = std::max(high, moment.total));
        result.slack = ranks.atPeak[index(Category::Slack)].established;
        result.outside = ranks.atPeak[index(Category::Outside)].established;
        for (const Category category : kCategories)
            if (ranks.atPeak[index(category)].atLeast)
                result.open.push_back(category);
        return result;
    });
}

std::vector<HeldTensors> heldAt(const RankTimeline& timeline, std::size_t moment)
{
    const StepTrace& trace = timeline.trace.trace;
    const std::vector<std::int64_t> counts = contentsAt(trace, timeline.timeline, moment);
    std::vector<HeldTensors> held;
    for (std::uint32_t tensor = 0; tensor < counts.size(); ++tensor)
        if (counts[tensor] != 0 && trace.tensor(tensor).bytes != Bytes(0))
            held.push_back({ tensor, counts[tensor], trace.tensor(tensor).bytes,
                trace.tensor(tensor).category });
    std::stable_sort(held.begin(), held.end(), [](const HeldTensors& a, const HeldTensors& b) {
        return a.bytes() != b.bytes() ? a.bytes() > b.bytes() : a.category < b.category;
    });
    return held;
}

} // namespace shardrack
