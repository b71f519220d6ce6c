#include "account/megatron/stage.h"

#include "account/constants.h"

#include <algorithm>
#include <numeric>

namespace shardrack {

namespace {

/// The weights of a stage, as its blocks list them.
template <class Act>
void eachWeight(const MegatronBlocks& blocks, const std::vector<Chunk>& chunks, Act&& act)
{
    const auto all = [&](const Block& block, std::int64_t copies) {
        std::for_each(block.weightsBegin(), block.weightsEnd(),
            [&](const WeightShape& weight) { act(weight, copies); });
    };
    std::int64_t layers = 0;
    for (const Chunk& chunk : chunks) {
        if (chunk.embedding)
            all(blocks.embedding, 1);
        if (chunk.head)
            all(blocks.head, 1);
        layers += chunk.layers;
    }
    all(blocks.layer, layers);
}

std::int64_t roundedUp(std::int64_t value, std::int64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

/// The distributed optimizer starts every parameter at a multiple of 64 elements and ends its
/// buffer at a multiple of lcm(ranks, 128) (core/distributed/param_and_grad_buffer.py).
std::int64_t paddedCount(const MegatronRun& run, const MegatronBlocks& blocks,
    const std::vector<Chunk>& chunks, std::int64_t parameters)
{
    if (!run.distributedOptimizer())
        return parameters;
    Bytes sum;
    eachWeight(blocks, chunks, [&](const WeightShape& weight, std::int64_t copies) {
        sum += Bytes(roundedUp(weight.count(), 64)) * copies;
    });
    std::int64_t unit = std::lcm(run.optimizerRanks(), std::int64_t(128));
    if (run.settings.on(Switch::PadBuckets))
        unit = std::lcm(unit, std::int64_t(1) << 16);
    return roundedUp(sum.count(), unit);
}

struct StageConstants {
    std::int64_t teEarly = constant("te-workspace-before-sm90").value;
    std::int64_t teLate = constant("te-workspace-sm90").value;
    std::int64_t teExtra = constant("te-workspace-extra").value;
    std::int64_t teExtraSince = constant("te-workspace-extra-since").value;
    std::int64_t scalars = constant("scalars").value;
    std::int64_t scalarsFp16 = constant("scalars-fp16").value;
    std::int64_t queuedForward = constant("queued-forward").value;
    std::int64_t queuedBackward = constant("queued-backward").value;
    std::int64_t queuedInterleaved = constant("queued-interleaved").value;
};
const StageConstants& stageConstants()
{
    static const StageConstants values;
    return values;
}

/// One dummy gradient for each distinct shape of a weight.
class DummyShapes {
public:
    void add(const Block& block)
    {
        for (int i = 0; i < block.operatorCount(); ++i) {
            const Block::Operator& op = block.at(i);
            const std::pair shape { op.dummyRows, op.dummyColumns };
            const auto end = m_shapes.begin() + m_count;
            if (op.dummyRows == 0 || std::find(m_shapes.begin(), end, shape) != end)
                continue;
            m_shapes[std::size_t(m_count++)] = shape;
            m_elements += Bytes(op.dummyRows) * op.dummyColumns;
        }
    }
    std::int64_t elements() const { return m_elements.count(); }

private:
    std::array<std::pair<std::int64_t, std::int64_t>, 2 * Block::kMostOperators> m_shapes;
    int m_count = 0;
    Bytes m_elements;
};

} // namespace

MegatronBlocks::MegatronBlocks(const MegatronRun& run)
    : embedding(embeddingBlock(run.shape, kernelsOf(run), batchOf(run), run.paddedVocabulary()))
    , layer(
          layerBlock(run.shape, kernelsOf(run), batchOf(run), layerStyleOf(run), selectiveOf(run)))
    , head(headBlock(run.shape, kernelsOf(run), batchOf(run), run.paddedVocabulary(),
          !run.shape.tied || run.degrees.pipeline > 1))
{
}

void MegatronStage::last(const char* name, Category category, const Extent& extent, Birth birth)
{
    if (extent.rows > 0 && extent.width > 0 && extent.each > 0)
        lasting[lastingCount++] = { shardrack::piece(name, category, extent), birth };
}

MegatronStage::MegatronStage(const MegatronRun& run, const MegatronBlocks& all,
    const Partition& partition, std::int64_t number)
    : blocks(&all)
    , stage(number)
    , stages(partition.stages)
    , microBatches(run.microBatches)
    , group(run.settings[Switch::MicroBatchGroup] > 0 ? run.settings[Switch::MicroBatchGroup]
                                                      : partition.stages)
    , recompute(run.fullRecompute())
    , distributeSaved(run.settings.on(Switch::DistributeSaved)
          && !run.settings.on(Switch::SequenceParallel) && run.degrees.tensor > 1)
{
    for (std::int64_t chunk = 0; chunk < partition.chunksPerStage; ++chunk)
        chunks.push_back(partition.at(stage, chunk));
    const bool loses
        = std::any_of(chunks.begin(), chunks.end(), [](const Chunk& chunk) { return chunk.head; });
    const bool computes = std::any_of(
        chunks.begin(), chunks.end(), [](const Chunk& chunk) { return chunk.layers > 0; });
    const StageConstants& values = stageConstants();

    Bytes sum;
    eachWeight(all, chunks, [&](const WeightShape& weight, std::int64_t copies) {
        sum += Bytes(weight.count()) * copies;
    });
    parameters = sum.count();
    paddedParameters = paddedCount(run, all, chunks, parameters);

    // State: weights and gradients whole, master copy and moments divided over the optimizer's
    // ranks.
    const std::int64_t each = run.elementBytes();
    const std::int64_t ranks = run.optimizerRanks();
    const std::int64_t padding = paddedParameters - parameters;
    last("Parameters", Category::Parameters, { each, parameters }, Birth::Build);
    last("padding", Category::Parameters, { each, padding }, Birth::Build);
    last("Gradient buffer", Category::Gradients, { run.gradientBytes(), parameters }, Birth::Build);
    last("padding", Category::Gradients, { run.gradientBytes(), padding }, Birth::Build);
    const auto divided = [&](const char* name, std::int64_t bytes, Birth birth) {
        last(name, Category::Optimizer, { bytes, parameters, 1, ranks, Axis::Optimizer }, birth);
        last("padding", Category::Optimizer, { bytes, padding, 1, ranks, Axis::Optimizer }, birth);
    };
    if (each < 4)
        divided("Master copy", run.settings[Switch::MasterBytes], Birth::Build);
    divided("Moments",
        run.settings[Switch::FirstMomentBytes] + run.settings[Switch::SecondMomentBytes],
        Birth::FirstOptimizer);
    if (each < 4 && run.gradientBytes() < 4)
        mainGradients = shardrack::piece("Gradients in fp32", Category::Optimizer,
            { 4, paddedParameters, 1, ranks, Axis::Optimizer });

    // Workspaces and buffers, as the operators need them.
    const bool blas = (computes && all.layer.needsBlas()) || loses;
    const bool library = computes && all.layer.needsLibrary();
    const std::int64_t blasBytes = run.settings[Switch::CublasWorkspace];
    if (blas) {
        last("cuBLAS workspace, forward", Category::Temporary, { 1, blasBytes },
            Birth::FirstForward);
        last("cuBLAS workspace, backward", Category::Temporary, { 1, blasBytes },
            Birth::FirstBackward);
    }
    if (library) {
        const bool late = run.architecture >= 90;
        const bool more = late && run.settings[Switch::TransformerEngine] >= values.teExtraSince;
        last("Transformer Engine workspace", Category::Temporary,
            { 1, (late ? values.teLate : values.teEarly) + (more ? values.teExtra : 0) },
            Birth::FirstForward);
    }
    Bytes buffer = computes ? all.layer.buffer() : Bytes();
    if (loses)
        buffer = std::max(buffer, all.head.buffer());
    last("Global buffer", Category::Temporary, { 1, buffer.count() }, Birth::FirstForward);
    DummyShapes dummies;
    if (computes)
        dummies.add(all.layer);
    if (loses)
        dummies.add(all.head);
    last("Dummy weight gradients", Category::Temporary, { each, dummies.elements() },
        Birth::FirstBackward);
    last("Scalars", Category::Temporary,
        { 1,
            run.settings[Switch::Precision] == std::int64_t(Precision::Fp16) ? values.scalarsFp16
                                                                             : values.scalars },
        Birth::Build);
    if (run.shape.rotary)
        last("Rotary table", Category::Temporary,
            { 4, run.sequence / run.degrees.context, run.shape.headDim }, Birth::FirstForward);

    // What the pipeline hands on, and what the data loader brings.
    const Piece& input = all.layer.inputPiece();
    received = input;
    received.name = "received input and its gradient";
    received.category = Category::Temporary;
    for (const Chunk& chunk : chunks)
        if (!chunk.embedding)
            receivedCount += 2;
    if (stage > 0) {
        queuedForward = chunks.size() > 1 ? values.queuedInterleaved : values.queuedForward;
        queuedBackward = values.queuedBackward;
    }
    const BatchShape shape = batchOf(run);
    const std::int64_t mask = run.settings.on(Switch::AttentionMask) ? shape.pairs() : 0;
    // Token numbers 8, labels 8, positions 8, loss mask 4; encoders: types 8 and padding mask 8
    // more.
    const std::int64_t eachToken = run.shape.encoder ? 44 : 28;
    batch = shardrack::piece("batch and attention mask", Category::Activations,
        { 1, eachToken * shape.tokens() + mask });
    batchWithEmbedding = shardrack::piece("batch and attention mask", Category::Activations,
        { 1, (eachToken - 8) * shape.tokens() + mask });
    if (distributeSaved)
        sharedInput = shardrack::piece("checkpointed input", Category::Activations,
            { each, shape.tokens(), run.shape.hidden, run.degrees.tensor, Axis::Tensor });
    if (loses && run.settings.on(Switch::DeferredHeadGradients)) {
        const std::int64_t limit = run.settings[Switch::DeferralLimit];
        deferredCount = limit > 0 ? std::min(limit, microBatches) : microBatches;
        deferred = shardrack::piece("deferred head gradients and inputs", Category::Activations,
            { each, shape.tokens(),
                run.paddedVocabulary() / run.degrees.tensor + run.shape.hidden });
    }
}

} // namespace shardrack
