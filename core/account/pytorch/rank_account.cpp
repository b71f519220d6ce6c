#include "account/pytorch/rank_account.h"

#include "account/around.h"
#include "base/size_text.h"
#include "layout/legality.h"

#include <algorithm>

namespace shardrack {

namespace {

using S = TorchSwitch;

std::int64_t groupsOf(const TorchRun& run)
{
    const TorchDegrees& d = run.degrees;
    return axesInUse({ d.tensor, d.context, d.pipeline, d.shards, d.replicas });
}

/// Adds a term to one of the same name, category and division: a framework's gradients, say, are
/// one line, not one for each shape of a weight.
void mergeTerm(std::vector<Term>& terms, Term term)
{
    for (Term& known : terms)
        if (known.category == term.category && known.name == term.name
            && known.formula.bytesEach == term.formula.bytesEach
            && known.formula.divisor == term.formula.divisor) {
            const auto elements = [](const Formula& formula) {
                return (Bytes(formula.copies) * formula.elements * formula.width).count();
            };
            known.amount
                = Amount(*known.amount.bytes() + *term.amount.bytes(), Provenance::Derived);
            known.formula.elements = elements(known.formula) + elements(term.formula);
            known.formula.copies = known.formula.width = 1;
            return;
        }
    terms.push_back(std::move(term));
}

std::int64_t momentsOf(TorchOptimizer optimizer)
{
    return optimizer == TorchOptimizer::Adam ? 2 : optimizer == TorchOptimizer::Momentum ? 1 : 0;
}

/// The formats follow from the bytes a parameter that a person gave, where no switch was given.
void takeBytes(TorchRun& run, const std::optional<BytesPerParameter>& given)
{
    if (!given)
        return;
    const auto derive = [&](S which, std::int64_t value) {
        Setting& setting = run.settings.all[index(which)];
        if (setting.origin != Origin::Given && setting.value != value)
            setting = { value, Origin::Derived, "from the bytes a parameter that were given" };
    };
    if (given->parameters == 4 || given->parameters == 2)
        derive(S::Parameters, std::int64_t(given->parameters == 4 ? Format::Fp32 : Format::Bf16));
    const std::int64_t moments = momentsOf(run.optimizer);
    if (moments == 0 || run.settings.as<MomentFormat>(S::Moments) == MomentFormat::EightBit)
        return;
    const std::int64_t each = given->optimizer / moments;
    if (each != run.momentBytes() && (each == 4 || each == 2))
        derive(S::Moments, std::int64_t(each == 4 ? MomentFormat::Fp32 : MomentFormat::Bf16));
}

BytesPerParameter bytesKept(const TorchRun& run)
{
    return { run.parameterBytes(), run.parameterBytes(),
        momentsOf(run.optimizer) * run.momentBytes(), 0 };
}

/// Bytes a parameter that the framework, as it is set, does not keep: a master copy, gradients in
/// another format.
std::optional<Refusal> otherBytes(const Recipe& recipe)
{
    if (!recipe.bytesPerParameter)
        return std::nullopt;
    TorchRun run;
    run.settings = resolveTorch(recipe.framework, recipe.pytorch, 0);
    run.optimizer = *torchOptimizer(recipe.optimizer);
    takeBytes(run, recipe.bytesPerParameter);
    if (run.optimizer == TorchOptimizer::Adafactor
        || run.settings.as<MomentFormat>(S::Moments) == MomentFormat::EightBit)
        return std::nullopt; // no whole number of bytes
    const BytesPerParameter kept = bytesKept(run);
    if (kept == *recipe.bytesPerParameter)
        return std::nullopt;
    // What it keeps by its own formats may be one of the optimizers that can be chosen.
    TorchRun usual = run;
    usual.settings = resolveTorch(recipe.framework, recipe.pytorch, 0);
    const std::vector<RecipePreset>& presets = recipePresets();
    const auto same = std::find_if(presets.begin(), presets.end(),
        [&](const RecipePreset& preset) { return preset.bytes == bytesKept(usual); });
    std::string fix = same == presets.end()
        ? "choose no framework, or the bytes that it keeps"
        : "choose the optimizer \"" + same->title + "\", or no framework";
    const auto words = [](const BytesPerParameter& each) {
        return grouped(each.parameters) + " + " + grouped(each.gradients) + " + "
            + grouped(each.optimizer) + " + " + grouped(each.master);
    };
    return Refusal { "the framework keeps the bytes a parameter that are given",
        words(*recipe.bytesPerParameter)
            + " bytes a parameter (parameters, gradients, moments, master copy) are given, and "
            + framework(recipe.framework)->title + " keeps " + words(kept),
        std::move(fix), false };
}

/// "Stage 3 (0 to 3): 7 of 32 layers, the last norm and the head."
std::string stageNote(const TorchStage& stage, std::int64_t layers)
{
    return "Stage " + std::to_string(stage.number) + " (0 to " + std::to_string(stage.stages - 1)
        + ")" + ": " + grouped(stage.layers) + " of " + grouped(layers) + " layers"
        + (stage.hasEmbedding ? ", the embedding" : "")
        + (stage.hasHead ? ", the last norm and the head" : "") + ".";
}

/// What a pipeline keeps of its last stage's outputs at a moment of the step: all of them, which
/// its schedule returns put together.
std::optional<RankClass::Spare> spareOf(const TorchStage& stage, Phase phase)
{
    const TorchRepeated& kept = stage.keptLogits;
    const bool end = phase == Phase::Backward || phase == Phase::Optimizer
        || phase == Phase::FirstBackward || phase == Phase::FirstOptimizer;
    if (kept.count < 2 || !end)
        return std::nullopt;
    const std::string all = "the last stage's outputs of all " + grouped(kept.count)
        + " micro-batches, and as much again while they are put together to be returned";
    return RankClass::Spare { kept.piece.bytes * kept.count, all,
        std::string("Set \"") + info(S::PipelineKeeps).title
            + "\" to nothing where the loop asks for no outputs (return_outputs=False, torch of "
              "October 2025 and later)." };
}

/// Parameters, gradients and optimizer state of one rank, padding excluded.
Bytes stateOf(const TorchRun& run, const TorchStage& stage)
{
    // Gradients are state where a whole step's worth of them is held at one time.
    Bytes sum;
    if (!stage.inBackward)
        sum = Extent { run.sharded() ? run.parameterBytes() : run.computeBytes(), stage.parameters,
            1, stage.shards }
                  .exact();
    for (const TorchLasting& lasting : stage.lasting)
        if (isState(lasting.piece.category) && lasting.perWeight > 0)
            sum += lasting.piece.extent.exact();
    return sum;
}

} // namespace

std::optional<Refusal> foreignToTorch(const Workload& workload, const ResolvedLayout& layout)
{
    if (!isTorch(workload.recipe))
        return std::nullopt;
    const std::string title = framework(workload.recipe.framework)->title;
    const LayoutPreset preset = layout.preset();
    const char* const rule = "the framework divides the state by DDP or FSDP";
    const char* const fix = "choose replicas, FSDP or HSDP";
    if (layout.groupedByHand())
        return Refusal { rule, "shard groups made by hand are not computed for " + title + " yet",
            fix, false };
    if (preset == LayoutPreset::Zero1 || preset == LayoutPreset::Zero2) {
        // Hugging Face's Trainer has them by DeepSpeed, plain torch ZeRO-1 by
        // ZeroRedundancyOptimizer.
        const std::string& id = workload.recipe.framework;
        const bool elsewhere = id == "hf-trainer" || id.rfind("pytorch", 0) == 0;
        return Refusal { rule,
            elsewhere ? "ZeRO-1 and ZeRO-2 are not computed for " + title + " yet"
                      : title + " divides all of the state (FSDP) or nothing (DDP)",
            fix, false, !elsewhere };
    }
    if (!torchOptimizer(workload.recipe.optimizer))
        return Refusal { "the optimizer's state is known",
            "what " + title + " keeps for the optimizer \"" + workload.recipe.optimizer
                + "\" is not computed yet",
            "choose adamw, sgd or momentum, or no framework and the bytes a parameter", false };
    return otherBytes(workload.recipe);
}

void settleTorch(TorchRun& run)
{
    const auto derive = [&](S which, std::int64_t value, const char* why) {
        Setting& setting = run.settings.all[index(which)];
        if (setting.origin != Origin::Given)
            setting = { value, Origin::Derived, why };
    };
    // FSDP casts by itself; without it, 16-bit computation from wider parameters is autocast.
    if (!run.sharded() && bytesOf(run.settings.as<Format>(S::Computation)) < run.parameterBytes())
        derive(S::Autocast, 1, "no shards, and computation in fewer bits than parameters");
    if (run.degrees.tensor > 1 && run.settings.as<LossPath>(S::Loss) == LossPath::Eager)
        derive(S::Loss, std::int64_t(LossPath::Parallel), "divided with tensor parallelism");
    if (run.shape.encoder)
        derive(S::Loss, std::int64_t(LossPath::Classification),
            "an encoder is fine-tuned to "
            "classify");
}

std::optional<TorchRun> torchRun(
    const Workload& workload, const ResolvedLayout& layout, int architecture)
{
    const Recipe& recipe = workload.recipe;
    const BatchArithmetic batch = batchArithmetic(recipe, layout.dataParallel());
    if (!isTorch(recipe) || workload.basis != Workload::StateBasis::Derived || !workload.model
        || workload.model->parametersGiven || !batch.microBatch || !recipe.sequence
        || foreignToTorch(workload, layout) || layout.dataParallel() == 0)
        return std::nullopt;
    const auto shape = transformerShape(workload.model->architecture);
    if (!shape || shape->experts > 0 || shape->latent.used())
        return std::nullopt;
    TorchRun run;
    run.shape = *shape;
    run.settings = resolveTorch(recipe.framework, recipe.pytorch, architecture);
    run.architecture = architecture;
    const std::int64_t shards = layout.shardRanks();
    const std::int64_t ranks = std::int64_t(layout.dataParallel()) * layout.context();
    run.degrees = { layout.tensor(), layout.context(), layout.pipeline(),
        std::max<std::int64_t>(1, ranks / shards), shards };
    const bool divides
        = layout.preset() == LayoutPreset::Fsdp || layout.preset() == LayoutPreset::Hsdp;
    run.sharding = divides ? run.settings.as<FsdpVersion>(S::Fsdp) == FsdpVersion::One
            ? TorchSharding::Fsdp1
            : TorchSharding::Fsdp2
        : ranks > 1        ? TorchSharding::Replicas
                           : TorchSharding::None;
    run.optimizer = *torchOptimizer(recipe.optimizer);
    takeBytes(run, recipe.bytesPerParameter);
    run.microBatch = *batch.microBatch;
    run.sequence = *recipe.sequence;
    run.recompute = recipe.recompute;
    run.microSteps = std::max<std::int64_t>(1, batch.accumulation.value_or(1));
    settleTorch(run);
    return run;
}

TorchAccount::TorchAccount(const Workload& workload, const TorchRun& run)
    : m_workload(workload)
    , m_run(run)
    , m_without(givenCategories(workload.terms))
    , m_memory(std::size_t((refuse(run), run.degrees.pipeline)))
{
}

TorchMemory& TorchAccount::memory(std::int64_t stage) const
{
    auto& made = m_memory[std::size_t(stage)];
    if (!m_measured)
        m_measured = std::make_shared<TorchMeasured>(m_run);
    if (!made)
        made = std::make_unique<TorchMemory>(m_run, m_without, stage, m_measured);
    return *made;
}

RankClass TorchAccount::rankClass(std::int64_t stage)
{
    RankClass ranks;
    const TorchPeaks peaks = memory(stage).peaks();
    ranks.stage = static_cast<int>(stage);
    ranks.peakPhase = peaks.peaks.peak.phase;
    ranks.runnerUp = peaks.peaks.runnerUp;
    ranks.phases = peaks.byPhase;
    for (const Category category : kCategories)
        ranks.atPeak[index(category)].established = peaks.peaks.peak.held[index(category)];
    ranks.state = stateOfRank(stage);
    addTerms(ranks, stage);
    for (const Sum& sum : ranks.atPeak)
        ranks.need += sum;
    ranks.spare = spareOf(memory(stage).stage(), peaks.peaks.peak.phase);
    const Bytes tensors = tensorsOf(ranks);
    addInterval(
        ranks, m_workload.terms, { groupsOf(m_run), memory(stage).pools() }, tensors, tensors);
    return ranks;
}

void TorchAccount::addTerms(RankClass& ranks, std::int64_t stage) const
{
    const NamedTrace named = memory(stage).trace();
    const std::vector<std::int64_t> held = contents(named.trace, ranks.peakPhase);
    for (std::size_t i = 0; i < held.size(); ++i) {
        if (held[i] == 0)
            continue;
        Term term = pieceTerm(*named.pieces[i], held[i],
            dividersOf(*named.pieces[i], m_run.degrees.tensor, m_run.degrees.pipeline, Axis::Shard,
                "shard group"));
        if (term.category == Category::Parameters && m_run.degrees.pipeline > 1)
            term.note = stageNote(memory(stage).stage(), m_run.shape.layers);
        mergeTerm(ranks.terms, std::move(term));
    }
    addGiven(ranks, m_workload.terms,
        m_run.sharded() ? nullptr : "A replica never gathers: its copy is whole.");
    addAround(ranks, m_workload.terms, { groupsOf(m_run), memory(stage).pools() });
    sortTerms(ranks);
}

RankTrace TorchAccount::trace(std::int64_t stage) const
{
    NamedTrace named = memory(stage).trace();
    RankTrace trace;
    trace.trace = std::move(named.trace);
    for (const Piece* piece : named.pieces)
        trace.names.emplace_back(piece->name);
    return trace;
}

Bytes TorchAccount::stateOfRank(std::int64_t number) const
{
    return stateOf(m_run, memory(number).stage());
}

Bytes TorchAccount::oneCopy(const RankClass&) const
{
    // Every tensor rank has the norms: one copy is what undivided stages hold.
    TorchRun whole = m_run;
    whole.degrees.tensor = whole.degrees.shards = 1;
    const TorchBlocks blocks(whole);
    Bytes sum;
    for (std::int64_t number = 0; number < whole.degrees.pipeline; ++number)
        sum += stateOf(whole, TorchStage(whole, blocks, number));
    return sum;
}

} // namespace shardrack
