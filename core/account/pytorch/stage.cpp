#include "account/pytorch/stage.h"

#include "account/pytorch/loss.h"

#include <algorithm>
#include <numeric>

namespace shardrack {

namespace {

using S = TorchSwitch;

template <class Act> void eachWeight(const Block& block, Act&& act)
{
    std::for_each(block.weightsBegin(), block.weightsEnd(), act);
}

/// FSDP divides each tensor along its first axis, every rank holding as much as the first.
std::int64_t paddedCount(const Block& block, std::int64_t shards)
{
    Bytes sum;
    eachWeight(block, [&](const WeightShape& weight) {
        const std::int64_t rows = (weight.rows + shards - 1) / shards;
        sum += Bytes(rows) * shards * weight.columns * weight.copies;
    });
    return sum.count();
}

std::int64_t largestTensor(const Block& block)
{
    std::int64_t most = 0;
    eachWeight(block, [&](const WeightShape& weight) { most = std::max(most, weight.count()); });
    return most;
}

TorchUnit makeUnit(const TorchRun& run, std::int64_t elements)
{
    TorchUnit unit;
    unit.elements = elements;
    if (!run.sharded())
        return unit;
    const bool first = run.sharding == TorchSharding::Fsdp1;
    const std::int64_t compute = run.computeBytes();
    const std::int64_t shards = run.degrees.shards;
    const auto share = [&](std::int64_t each) {
        return Extent { each, elements, 1, shards, Axis::Shard };
    };
    const auto whole = [&](std::int64_t each) { return Extent { each, elements }; };
    if (compute != run.parameterBytes())
        unit.cast = piece("own shard, cast", Category::Gathered, share(compute), Stream::Gather);
    unit.gathered
        = piece("gathered parameters", Category::Gathered, whole(compute), Stream::Gather);
    if (first) {
        unit.flat = piece("gradients in one tensor", Category::Gathered, whole(compute));
        if (run.reduceBytes() != compute)
            unit.wide = piece("gradients to be reduced", Category::Gathered,
                whole(run.reduceBytes()), Stream::Reduce);
    } else {
        unit.unsharded = piece("parameters copied out", Category::Gathered, whole(compute));
        unit.wide = piece("gradients to be reduced", Category::Gathered, whole(run.reduceBytes()));
    }
    unit.sharded
        = piece("Gradients", Category::Gradients, share(run.parameterBytes()), Stream::Reduce);
    unit.accumulated = piece("whole gradients of earlier micro-steps", Category::Gathered,
        whole(first ? compute : std::max(compute, run.reduceBytes())));
    return unit;
}

/// Bytes that the optimizer keeps for all weights of a block.
Bytes momentBytes(const TorchRun& run, const Block& block)
{
    const bool eightBit = run.settings.as<MomentFormat>(S::Moments) == MomentFormat::EightBit;
    constexpr std::int64_t kSmallTensor = 4096; // kept in fp32
    constexpr std::int64_t kBlock = 256; // elements that share an fp32 scale
    Bytes sum;
    eachWeight(block, [&](const WeightShape& weight) {
        const std::int64_t count = weight.count();
        switch (run.optimizer) {
        case TorchOptimizer::Sgd:
            return;
        case TorchOptimizer::Momentum:
            sum += Bytes(run.momentBytes()) * count;
            return;
        case TorchOptimizer::Adam:
            sum += !eightBit           ? Bytes(2 * run.momentBytes()) * count
                : count < kSmallTensor ? Bytes(8) * count
                                       : Bytes(2) * count + Bytes(8) * (count / kBlock);
            return;
        case TorchOptimizer::Adafactor:
            sum += Bytes(run.parameterBytes())
                * (weight.columns > 1 ? weight.rows + weight.columns : weight.rows);
            return;
        }
    });
    return sum;
}

Extent logits(const TorchRun& run, std::int64_t each)
{
    return { each, batchOf(run).tokens(), run.shape.vocabulary, run.degrees.tensor, Axis::Tensor };
}

} // namespace

std::vector<std::int64_t> layersOfStages(std::int64_t layers, std::int64_t stages, StageSplit split)
{
    if (stages == 1)
        return { layers };
    if (split == StageSplit::LayersAlone) {
        std::vector<std::int64_t> list(std::size_t(stages), layers / stages);
        std::int64_t left = layers % stages;
        for (std::size_t i = 1; i + 1 < list.size() && left > 0; ++i, --left)
            ++list[i];
        list.back() += left;
        return list;
    }
    // The first stages take what is left over.
    const std::int64_t all = layers + 2;
    std::vector<std::int64_t> list(std::size_t(stages), all / stages);
    for (std::int64_t i = 0; i < all % stages; ++i)
        ++list[std::size_t(i)];
    --list.front();
    --list.back();
    return list;
}

namespace {

/// Stages lie on the ranks in turns: rank 0 of 4 has the stages 0, 4, 8, ….
std::vector<TorchChunk> chunksOf(const TorchRun& run, std::int64_t rank)
{
    const std::int64_t ranks = run.degrees.pipeline;
    const std::int64_t stages = ranks * run.chunks();
    if (stages == 1)
        return { { run.shape.layers, true, true } };
    const std::vector<std::int64_t> layers
        = layersOfStages(run.shape.layers, stages, run.settings.as<StageSplit>(S::StageSplit));
    std::vector<TorchChunk> chunks;
    for (std::int64_t stage = rank; stage < stages; stage += ranks)
        chunks.push_back({ layers[std::size_t(stage)], stage == 0, stage + 1 == stages });
    return chunks;
}

std::int64_t layersOf(const std::vector<TorchChunk>& chunks)
{
    return std::accumulate(chunks.begin(), chunks.end(), std::int64_t(0),
        [](std::int64_t sum, const TorchChunk& chunk) { return sum + chunk.layers; });
}

} // namespace

TorchStage::TorchStage(const TorchRun& run, const TorchBlocks& all, std::int64_t which)
    : blocks(&all)
    , number(which)
    , stages(run.degrees.pipeline)
    , chunks(chunksOf(run, which))
    , perRound(run.perRound())
    , hasEmbedding(which == 0)
    , hasHead(which + 1 == run.degrees.pipeline)
    , sharding(run.sharding)
    , recompute(recomputeOf(run))
    , layers(layersOf(chunks))
    , microSteps(run.microSteps)
    , shards(run.sharded() ? run.degrees.shards : 1)
    , rootTogether(run.settings.as<RootGroup>(S::RootGroup) == RootGroup::Together || run.tied())
    // Between the micro-batches of a pipeline nothing is resharded or reduced.
    , keepsGathered(run.settings.as<Reshard>(S::Reshard) == Reshard::Never
          || (run.degrees.pipeline > 1 && run.settings.as<Reshard>(S::Reshard) == Reshard::Default))
    , keepsLast(run.settings.as<Reshard>(S::Reshard) != Reshard::Always)
    , syncs(run.settings.on(S::SyncEachStep) && run.degrees.pipeline == 1)
    , inBackward(run.settings.on(S::OptimizerInBackward))
    , zeroInPlace(run.settings.on(S::ZeroInPlace) && !run.sharded())
    , reentrant(run.settings.on(S::Reentrant)
          && recompute.kind != TorchRecompute::Kind::Operators) // which a reentrant one cannot
    , offloads(
          run.settings.on(S::ActivationOffload) && recompute.kind == TorchRecompute::Kind::Full)
    , tied(run.tied())
{
    const Bytes ofLayers = Bytes(all.layer.parameters()) * layers;
    parameters = (Bytes(hasEmbedding ? all.embedding.parameters() : 0) + ofLayers
        + Bytes(hasHead ? all.head.parameters() : 0))
                     .count();
    const std::int64_t paddedLayer = paddedCount(all.layer, shards);
    const std::int64_t paddedEmbedding = hasEmbedding ? paddedCount(all.embedding, shards) : 0;
    const std::int64_t paddedHead = hasHead ? paddedCount(all.head, shards) : 0;
    paddedParameters = (Bytes(paddedLayer) * layers).count() + paddedEmbedding + paddedHead;
    root = makeUnit(run, paddedEmbedding + paddedHead);
    embedding = makeUnit(run, paddedEmbedding);
    layer = makeUnit(run, paddedLayer);
    head = makeUnit(run, paddedHead);

    const auto last = [&](const Piece& held, TorchBirth birth, std::int64_t perWeight = 0) {
        if (held.bytes > Bytes())
            lasting.add({ held, birth, perWeight });
    };
    const auto state = [&](const char* name, Category category, std::int64_t each, TorchBirth birth,
                           std::int64_t tensors) {
        const auto share = [&](std::int64_t elements) {
            return Extent { each, elements, 1, shards, Axis::Shard };
        };
        last(piece(name, category, share(parameters)), birth, tensors);
        if (paddedParameters > parameters)
            last(piece("padding", category, share(paddedParameters - parameters)), birth);
    };
    state("Parameters", Category::Parameters, run.parameterBytes(), TorchBirth::Build, 1);
    const bool uniform = run.settings.as<MomentFormat>(S::Moments) != MomentFormat::EightBit;
    if ((run.optimizer == TorchOptimizer::Adam && uniform)
        || run.optimizer == TorchOptimizer::Momentum) {
        const std::int64_t moments = run.optimizer == TorchOptimizer::Adam ? 2 : 1;
        state("Moments", Category::Optimizer, moments * run.momentBytes(),
            TorchBirth::FirstOptimizer, moments);
    } else {
        const Bytes bytes = (hasEmbedding ? momentBytes(run, all.embedding) : Bytes())
            + (hasHead ? momentBytes(run, all.head) : Bytes())
            + momentBytes(run, all.layer) * layers;
        last(piece("Optimizer state", Category::Optimizer,
                 { 1, bytes.count(), 1, shards, Axis::Shard }),
            TorchBirth::FirstOptimizer, 1);
    }
    if (sharding == TorchSharding::Replicas && !run.settings.on(S::BucketViews))
        last(piece("gradient buckets", Category::Temporary, { run.computeBytes(), parameters }),
            TorchBirth::FirstBackward);
    const std::int64_t workspace = run.settings[S::CublasWorkspace];
    last(piece("cuBLAS workspace, forward", Category::Temporary, { 1, workspace }),
        TorchBirth::FirstForward);
    last(piece("cuBLAS workspace, backward", Category::Temporary, { 1, workspace }),
        TorchBirth::FirstBackward);
    const BatchShape shape = batchOf(run);
    if (run.shape.rotary) // a complex number, or a cosine and a sine, for every two dimensions
        last(piece("Rotary table", Category::Temporary,
                 { 4, run.sequence / shape.context, run.shape.headDim }),
            TorchBirth::Build);

    if (run.autocast() && recompute.kind != TorchRecompute::Kind::None) {
        Bytes matrices;
        eachWeight(all.layer, [&](const WeightShape& weight) {
            if (weight.columns > 1)
                matrices += Bytes(weight.count());
        });
        castsOfLayer
            = piece("weights in 16 bits, cached", Category::Activations, { 2, matrices.count() });
    }

    const std::int64_t largest = std::max(
        { largestTensor(all.embedding), largestTensor(all.layer), largestTensor(all.head) });
    const auto temporary = [&](std::int64_t each, std::int64_t elements, std::int64_t divisor) {
        return piece("copies while the optimizer steps", Category::Temporary,
            { each, elements, 1, divisor, Axis::Shard });
    };
    const auto loop = run.settings.as<OptimizerLoop>(S::OptimizerLoop);
    const std::int64_t each = loop == OptimizerLoop::TensorCode ? 12
        : loop == OptimizerLoop::Fused || !uniform              ? 0
        : loop == OptimizerLoop::TransformersLoop               ? run.parameterBytes()
                                                                : 2 * run.parameterBytes();
    if (inBackward) {
        stepLayerTemporary = temporary(each, largestTensor(all.layer), shards);
        stepTableTemporary = temporary(
            each, std::max(largestTensor(all.embedding), largestTensor(all.head)), shards);
    } else if (loop == OptimizerLoop::Foreach && uniform) {
        stepTemporary = temporary(run.parameterBytes(), parameters, shards);
    } else {
        stepTemporary = temporary(each, largest, shards);
    }
    if (run.settings.on(S::PreviousLogits) && stages == 1) {
        const LossForm& form = lossForm(run.settings.as<LossPath>(S::Loss));
        previousLogits = piece("logits of the step before", Category::Activations,
            logits(run, form.cast > 0 ? form.cast : run.computeBytes()));
    }
    // Token numbers and labels, eight bytes each; the embedding keeps the former by itself.
    batch = piece("labels", Category::Activations, { 8, shape.tokens() });
    if (stages > 1)
        findPipelinePieces(run);
}

void TorchStage::findPipelinePieces(const TorchRun& run)
{
    const auto repeat = [&](const char* name, Category category, const Extent& extent, auto has) {
        const auto each = std::count_if(chunks.begin(), chunks.end(), has);
        return each == 0 ? TorchRepeated {}
                         : TorchRepeated { piece(name, category, extent), microSteps * each };
    };
    const auto receives = [](const TorchChunk& chunk) { return !chunk.hasEmbedding; };
    const auto sends = [](const TorchChunk& chunk) { return !chunk.hasHead; };
    const auto ends = [](const TorchChunk& chunk) { return chunk.hasHead; };
    received = blocks->layer.inputPiece();
    received.name = "layer input";
    const Extent& boundary = received.extent;
    inputBuffers = repeat("buffers for inputs", Category::Temporary, boundary, receives);
    gradientBuffers = repeat("buffers for gradients", Category::Temporary, boundary, sends);
    const auto keeps = run.settings.as<PipelineKeeps>(S::PipelineKeeps);
    if (keeps == PipelineKeeps::Everything)
        keptOutputs = repeat("outputs that were sent", Category::Activations, boundary, sends);
    if (keeps >= PipelineKeeps::LogitsAndGradients)
        keptGradients
            = repeat("gradients that were sent", Category::Activations, boundary, receives);
    if (keeps == PipelineKeeps::Nothing || !hasHead)
        return;
    // A loss by chunks of the head begins from what the head would get.
    const LossForm& form = lossForm(run.settings.as<LossPath>(S::Loss));
    const Extent extent = form.makesLogits()
        ? logits(run, form.castIsOutput() ? form.cast : run.computeBytes())
        : boundary;
    const char* name = form.makesLogits() ? "logits of the step" : "last stage's outputs";
    keptLogits = repeat(name, Category::Activations, extent, ends);
    Extent whole = extent;
    whole.rows = (Bytes(whole.rows) * microSteps).count();
    mergedLogits = piece("outputs put together", Category::Temporary, whole);
}

} // namespace shardrack
