#include "account/megatron/rank_account.h"

#include "account/around.h"
#include "account/constants.h"
#include "base/size_text.h"
#include "layout/legality.h"

#include <algorithm>
#include <cstring>

namespace shardrack {

namespace {

std::int64_t smallGroups(const MegatronRun& run)
{
    const MegatronDegrees& d = run.degrees;
    return axesInUse({ d.tensor, d.context, d.pipeline, d.data });
}

} // namespace

std::optional<Refusal> foreignToMegatron(const Workload& workload, const ResolvedLayout& layout)
{
    if (workload.recipe.framework != "megatron")
        return std::nullopt;
    if (layout.groupCount() > 0 || layout.groupedByHand())
        return Refusal { "Megatron-LM divides the state by its own switches",
            "shard groups are not what Megatron-LM's distributed optimizer divides over, and its "
            "FSDP is not computed yet",
            "choose the layout Megatron, and its distributed optimizer to divide the optimizer "
            "state",
            false, true };
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
    const BatchArithmetic batch = batchArithmetic(recipe, layout.dataParallel());
    if (recipe.framework != "megatron" || workload.basis != Workload::StateBasis::Derived
        || !workload.model || workload.model->parametersGiven || !batch.microBatch
        || !recipe.sequence || foreignToMegatron(workload, layout) || layout.dataParallel() == 0)
        return std::nullopt;
    const auto shape = transformerShape(workload.model->architecture);
    if (!shape || shape->experts > 0)
        return std::nullopt;
    MegatronRun run;
    run.shape = *shape;
    run.settings = resolveSwitches(recipe.megatron, architecture);
    run.architecture = architecture;
    run.degrees = { layout.tensor(), layout.context(), layout.pipeline(), layout.dataParallel() };
    run.microBatch = *batch.microBatch;
    run.sequence = *recipe.sequence;
    run.recompute = recipe.recompute;
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
            ranks.terms.push_back(pieceTerm(*named.pieces[i], held[i],
                dividersOf(*named.pieces[i], m_run.degrees.tensor, m_run.degrees.pipeline,
                    Axis::Optimizer, "data-parallel group")));
    for (const Term& term : ranks.terms)
        if (isState(term.category) && term.name != "padding")
            ranks.state += *term.amount.bytes();
    addGiven(ranks, m_workload.terms,
        "Parameters are gathered in place; inputs gathered for a moment are temporary.");
    addAround(ranks, m_workload.terms, { smallGroups(m_run), {} });
    sortTerms(ranks);
}

void MegatronAccount::addSpread(RankClass& ranks, std::int64_t number)
{
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
    addInterval(ranks, m_workload.terms, { smallGroups(m_run), {} }, low, high);
}

Bytes MegatronAccount::oneCopy(const RankClass& ranks) const
{
    std::int64_t each = 0;
    for (const Term& term : ranks.terms)
        if (isState(term.category) && term.name != "padding")
            each += term.formula.bytesEach;
    return bytesOf(m_workload.model->parameters().value(), each);
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
