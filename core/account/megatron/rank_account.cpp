#include "account/megatron/rank_account.h"

#include "account/constants.h"
#include "base/size_text.h"
#include "layout/legality.h"

#include <algorithm>
#include <cstring>

namespace shardrack {

namespace {

std::uint32_t givenCategories(const StipulatedTerms& given)
{
    std::uint32_t set = 0;
    const auto add = [&](const std::optional<Bytes>& bytes, Category category) {
        if (bytes)
            set |= 1U << index(category);
    };
    add(given.gathered, Category::Gathered);
    add(given.activations, Category::Activations);
    add(given.temporary, Category::Temporary);
    return set;
}

Term givenTerm(Category category, Bytes bytes)
{
    Term term;
    term.category = category;
    term.name = title(category);
    term.amount = Amount(bytes, Provenance::Stipulated);
    term.formula.kind = Formula::Kind::Given;
    term.formula.given = bytes;
    term.note = "Given for every rank.";
    return term;
}

std::vector<std::string> dividers(const Piece& piece, const MegatronRun& run)
{
    std::vector<std::string> axes;
    const auto add = [&](const char* axis, std::int64_t degree) {
        if (degree > 1)
            axes.push_back(std::string(axis) + " of " + grouped(degree));
    };
    if (isState(piece.category)) {
        add("tensor group", run.degrees.tensor);
        add("pipeline", run.degrees.pipeline);
    }
    if (piece.extent.axis == Axis::Optimizer)
        add("data-parallel group", piece.extent.divisor);
    else if (piece.extent.axis == Axis::Tensor || piece.extent.axis == Axis::Sequence)
        add("tensor group", piece.extent.divisor);
    return axes;
}

Term pieceTerm(const Piece& piece, std::int64_t copies, const MegatronRun& run)
{
    Term term;
    term.category = piece.category;
    term.name = piece.name;
    if (!term.name.empty() && term.name.front() >= 'a' && term.name.front() <= 'z')
        term.name.front() = static_cast<char>(term.name.front() - 'a' + 'A');
    term.amount = Amount(piece.bytes * copies, Provenance::Derived);
    term.sharing = piece.extent.axis == Axis::Optimizer && piece.extent.divisor > 1
        ? Sharing::Sharded
        : isState(piece.category) ? Sharing::Replicated
                                  : Sharing::Local;
    term.dividedBy = dividers(piece, run);
    term.formula.kind = Formula::Kind::Repeated;
    term.formula.copies = copies;
    term.formula.bytesEach = piece.extent.each;
    term.formula.elements = piece.extent.rows;
    term.formula.width = piece.extent.width;
    term.formula.divisor = piece.extent.divisor;
    term.note = isState(piece.category) ? "Held from the build on." : "Held at the largest moment.";
    return term;
}

} // namespace

std::optional<Refusal> foreignTo(const Workload& workload, const ResolvedLayout& layout)
{
    if (workload.recipe.framework != "megatron")
        return std::nullopt;
    if (layout.groupCount() > 0 || layout.groupedByHand())
        return Refusal { "Megatron-LM divides the state by its own switches",
            "the layout divides the state over shard groups, which Megatron-LM does not",
            "choose the layout Megatron, and its distributed optimizer to divide the optimizer "
            "state",
            false };
    const std::string& optimizer = workload.recipe.optimizer;
    if (!optimizer.empty() && optimizer != "adam" && optimizer != "adamw")
        return Refusal { "the optimizer's state is known",
            "what Megatron-LM keeps for the optimizer \"" + optimizer + "\" is not computed yet",
            "choose adamw, or no framework and the bytes a parameter", false };
    return std::nullopt;
}

std::optional<MegatronRun> megatronRun(
    const Workload& workload, const ResolvedLayout& layout, int architecture)
{
    const Recipe& recipe = workload.recipe;
    if (recipe.framework != "megatron" || workload.basis != Workload::StateBasis::Derived
        || !workload.model || workload.model->parametersGiven || !recipe.microBatch
        || !recipe.sequence || foreignTo(workload, layout) || layout.dataParallel() == 0)
        return std::nullopt;
    const auto shape = transformerShape(workload.model->architecture);
    if (!shape || shape->experts > 0)
        return std::nullopt;
    MegatronRun run;
    run.shape = *shape;
    run.settings = resolveSwitches(recipe.megatron, architecture);
    run.architecture = architecture;
    run.degrees = { layout.tensor(), layout.context(), layout.pipeline(), layout.dataParallel() };
    run.microBatch = *recipe.microBatch;
    run.sequence = *recipe.sequence;
    run.recompute = recipe.recompute;
    const BatchArithmetic batch = batchArithmetic(recipe, layout.dataParallel());
    run.microBatches = std::max<std::int64_t>(1, batch.accumulation.value_or(1));
    return run;
}

MegatronAccount::MegatronAccount(const Workload& workload, const MegatronRun& run)
    : m_workload(workload)
    , m_run(run)
    , m_without(givenCategories(workload.terms))
    , m_memory((refuse(run), run), m_without)
{
    // A switch that was assumed has another value that is as likely on another installation.
    const auto alternative = [&](Switch which, std::int64_t value) {
        MegatronRun other = run;
        other.settings.all[index(which)].value = value;
        m_alternatives.push_back(std::make_unique<MegatronMemory>(other, m_without));
    };
    const auto assumed
        = [&](Switch which) { return run.settings.all[index(which)].origin == Origin::Assumed; };
    if (assumed(Switch::Attention))
        alternative(Switch::Attention, std::int64_t(AttentionKernel::Unfused));
    static const std::int64_t dummySince = constant("te-dummy-since").value;
    if (assumed(Switch::TransformerEngine) && run.settings.on(Switch::GradientFusion))
        alternative(Switch::TransformerEngine, dummySince - 1);
}

RankClass MegatronAccount::rankClass(std::int64_t stage)
{
    RankClass ranks;
    const StageMemory memory = m_memory.memory(stage);
    ranks.stage = static_cast<int>(stage);
    ranks.peakPhase = memory.peaks.peak.phase;
    ranks.runnerUp = memory.peaks.runnerUp;
    ranks.phases = memory.byPhase;
    for (const Category category : kCategories)
        ranks.atPeak[index(category)].established = memory.peaks.peak.held[index(category)];
    addTerms(ranks, stage);
    for (const Sum& sum : ranks.atPeak)
        ranks.need += sum;
    addSpread(ranks, stage);
    return ranks;
}

void MegatronAccount::addTerms(RankClass& ranks, std::int64_t number) const
{
    const MegatronStage stage = m_memory.stage(number);
    const NamedTrace named = namedTrace(stage, m_without);
    const std::vector<std::int64_t> held = contents(named.trace, ranks.peakPhase);
    for (std::size_t i = 0; i < held.size(); ++i)
        if (held[i] != 0)
            ranks.terms.push_back(pieceTerm(*named.pieces[i], held[i], m_run));
    for (const Term& term : ranks.terms)
        if (isState(term.category) && term.name != "padding")
            ranks.state += *term.amount.bytes();
    const StipulatedTerms& given = m_workload.terms;
    const auto addGiven = [&](const std::optional<Bytes>& bytes, Category category) {
        if (!bytes)
            return;
        ranks.terms.push_back(givenTerm(category, *bytes));
        ranks.atPeak[index(category)].established = *bytes;
    };
    addGiven(given.gathered, Category::Gathered);
    addGiven(given.activations, Category::Activations);
    addGiven(given.temporary, Category::Temporary);
    if (!given.gathered) {
        Term none;
        none.category = Category::Gathered;
        none.name = title(Category::Gathered);
        none.amount = Amount(Bytes(0), Provenance::Derived);
        none.formula.kind = Formula::Kind::Nothing;
        none.note = "Parameters are gathered in place; inputs gathered for a moment are temporary.";
        ranks.terms.push_back(std::move(none));
    }
    addAround(ranks);
    // Largest first within a category.
    std::stable_sort(ranks.terms.begin(), ranks.terms.end(), [](const Term& a, const Term& b) {
        if (a.category != b.category)
            return a.category < b.category;
        return !isState(a.category)
            && a.amount.bytes().value_or(Bytes()) > b.amount.bytes().value_or(Bytes());
    });
}

namespace {

/// Communicators that are connected: the job's, and one for each axis in use.
std::int64_t smallGroups(const MegatronRun& run)
{
    const MegatronDegrees& d = run.degrees;
    return (d.tensor > 1 ? 1 : 0) + (d.context > 1 ? 1 : 0) + (d.pipeline > 1 ? 1 : 0)
        + (d.data > 1 ? 1 : 0);
}

bool communicates(const MegatronRun& run) { return smallGroups(run) > 0; }

struct Around {
    const Constant& slack = constant("slack-millionths");
    const Constant& context = constant("context");
    const Constant& large = constant("nccl-large");
    const Constant& small = constant("nccl-small");
};
const Around& around()
{
    static const Around values;
    return values;
}

/// `millionths` of `bytes`, in whole bytes.
Bytes part(Bytes bytes, std::int64_t millionths)
{
    __extension__ using Wide = __int128;
    return Bytes(static_cast<std::int64_t>(Wide(bytes.count()) * millionths / 1'000'000));
}

/// "9.3" for 93,000 millionths.
std::string percent(std::int64_t millionths)
{
    const std::int64_t tenths = (millionths + 500) / 1000;
    return grouped(tenths / 10) + (tenths % 10 == 0 ? "" : "." + std::to_string(tenths % 10));
}

Bytes tensorsOf(const RankClass& ranks)
{
    Bytes sum;
    for (const Category category : kCategories)
        if (category != Category::Slack && category != Category::Outside)
            sum += ranks.atPeak[index(category)].established;
    return sum;
}

} // namespace

void MegatronAccount::addAround(RankClass& ranks) const
{
    const StipulatedTerms& given = m_workload.terms;
    const Around& values = around();
    const auto add = [&](Category category, std::string name, Bytes bytes, std::string note) {
        Term term;
        term.category = category;
        term.name = std::move(name);
        term.amount = Amount(bytes, Provenance::Derived);
        term.formula.kind = Formula::Kind::Given;
        term.formula.given = bytes;
        term.note = std::move(note);
        ranks.terms.push_back(std::move(term));
        ranks.atPeak[index(category)].established += bytes;
    };
    const auto range = [](const Constant& constant) {
        return gibText(Bytes(constant.low)) + " to " + gibText(Bytes(constant.high));
    };
    if (given.slack) {
        ranks.terms.push_back(givenTerm(Category::Slack, *given.slack));
        ranks.atPeak[index(Category::Slack)].established = *given.slack;
    } else {
        add(Category::Slack, title(Category::Slack), part(tensorsOf(ranks), values.slack.value),
            "Assumed: " + percent(values.slack.value) + " % of the tensors; "
                + percent(values.slack.low) + " to " + percent(values.slack.high)
                + " % were seen with fixed shapes.");
    }
    if (given.outside) {
        ranks.terms.push_back(givenTerm(Category::Outside, *given.outside));
        ranks.atPeak[index(Category::Outside)].established = *given.outside;
        return;
    }
    add(Category::Outside, "CUDA context", Bytes(values.context.value),
        "Assumed; " + range(values.context) + " were seen.");
    if (!communicates(m_run))
        return;
    const std::int64_t groups = smallGroups(m_run);
    add(Category::Outside, "Communication buffers",
        Bytes(values.large.value) + Bytes(values.small.value) * (groups - 1),
        "Assumed: " + grouped(groups) + " communicators; " + range(values.large)
            + " were seen for the first.");
}

void MegatronAccount::addSpread(RankClass& ranks, std::int64_t number)
{
    const Around& values = around();
    const Bytes tensors = tensorsOf(ranks);
    Bytes low = tensors;
    Bytes high = tensors;
    for (const auto& other : m_alternatives) {
        const Bytes all = total(other->memory(number).peaks.peak.held);
        low = std::min(low, all);
        high = std::max(high, all);
    }
    // Counts and scalars that were read off runs, each with its own range.
    const MegatronStage stage = m_memory.stage(number);
    static const Constant& scalars = constant("scalars");
    static const Constant& queued = constant("queued-forward");
    if ((m_without >> index(Category::Temporary) & 1) == 0) {
        low -= Bytes(scalars.value - scalars.low);
        high += Bytes(scalars.high - scalars.value);
        if (stage.stage > 0)
            low -= stage.received.bytes * (queued.value - queued.low);
    }
    const Bytes slack = ranks.atPeak[index(Category::Slack)].established;
    const Bytes outside = ranks.atPeak[index(Category::Outside)].established;
    Bytes outsideLow = outside;
    Bytes outsideHigh = outside;
    if (!m_workload.terms.outside) {
        const std::int64_t groups = smallGroups(m_run);
        const auto sum = [&](std::int64_t Constant::*end) {
            Bytes bytes(values.context.*end);
            if (groups > 0)
                bytes += Bytes(values.large.*end) + Bytes(values.small.*end) * (groups - 1);
            return bytes;
        };
        outsideLow = sum(&Constant::low);
        outsideHigh = sum(&Constant::high);
    }
    ranks.least = low + outsideLow;
    ranks.most
        = high + outsideHigh + (m_workload.terms.slack ? slack : part(high, values.slack.high));
}

RankTrace MegatronAccount::trace(std::int64_t number) const
{
    const MegatronStage stage = m_memory.stage(number);
    NamedTrace named = namedTrace(stage, m_without);
    RankTrace trace;
    trace.trace = std::move(named.trace);
    for (const Piece* piece : named.pieces)
        trace.names.emplace_back(piece->name);
    return trace;
}

} // namespace shardrack
