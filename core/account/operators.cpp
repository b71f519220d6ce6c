#include "account/operators.h"

namespace shardrack {

Bytes Extent::bytes() const
{
    Bytes size = Bytes(each) * rows * width;
    const std::int64_t exact = size.count() / divisor + (size.count() % divisor == 0 ? 0 : 1);
    return Bytes((exact + 511) / 512 * 512);
}

Piece piece(const char* name, Category category, const Extent& extent)
{
    return { name, category, extent, extent.bytes() };
}

void Effect::save(const char* name, const Extent& extent)
{
    saved[savedCount++] = piece(name, Category::Activations, extent);
}

void Effect::whileForward(const char* name, const Extent& extent)
{
    forward[forwardCount++] = piece(name, Category::Temporary, extent);
}

void Effect::whileBackward(const char* name, const Extent& extent)
{
    backward[backwardCount++] = piece(name, Category::Temporary, extent);
}

namespace {

using Arguments = OperatorArguments;

/// The residual stream's divisor: the tensor degree with sequence parallelism.
std::int64_t streamDivisor(const Kernels& kernels)
{
    return kernels.sequenceParallel ? kernels.tensor : 1;
}

/// The gradient of a weight, where no kernel adds it to the buffer by itself.
void addWeightGradient(Effect& effect, const Arguments& a, const Kernels& kernels)
{
    if (a.weightRows > 0 && !(kernels.weightGradientsFused && kernels.dummyGradients))
        effect.whileBackward("weight gradient", { kernels.bytes, a.weightRows, a.weightColumns });
}

/// torch.nn.functional.embedding keeps the token numbers; its gradient is as large as the table.
Effect embedding(const Arguments& a, const Kernels& kernels)
{
    Effect effect;
    effect.gradient = Gradient::None;
    effect.save("token numbers", { 8, a.tokens });
    if (kernels.hiddenDropout)
        effect.save("embedding dropout mask",
            { 1, a.tokens, a.outputs, streamDivisor(kernels), Axis::Sequence });
    if (kernels.sequenceParallel)
        effect.whileForward(
            "embeddings before they are scattered", { kernels.bytes, a.tokens, a.outputs });
    effect.whileBackward("embedding gradient", { kernels.bytes, a.weightRows, a.weightColumns });
    return effect;
}

/// LayerNorm keeps its input, mean and deviation; RMSNorm its input and one statistic.
Effect norm(const Arguments& a, const Kernels& kernels)
{
    Effect effect;
    effect.keepsInput = true;
    effect.save(
        "norm statistics", { a.statistics, a.tokens, 1, streamDivisor(kernels), Axis::Sequence });
    return effect;
}

/// A linear map keeps its input for the gradient of its weight.
Effect map(const Arguments& a, const Kernels& kernels)
{
    Effect effect;
    effect.keepsInput = true;
    (kernels.libraryMaps ? effect.needsLibrary : effect.needsBlas) = true;
    addWeightGradient(effect, a, kernels);
    return effect;
}

/// With sequence parallelism only the rank's rows of the input are kept: they are gathered to
/// compute, and again in backward.
Effect columnMap(const Arguments& a, const Kernels& kernels)
{
    Effect effect = map(a, kernels);
    if (!kernels.sequenceParallel)
        return effect;
    const Extent whole { kernels.bytes, a.tokens, a.inputs };
    if (kernels.ownBuffer) {
        effect.buffer = whole;
    } else {
        effect.whileForward("gathered input", whole);
        effect.whileBackward("gathered input", whole);
    }
    effect.whileBackward("input gradient before it is scattered", whole);
    return effect;
}

Effect rowMap(const Arguments& a, const Kernels& kernels)
{
    Effect effect = map(a, kernels);
    if (!kernels.sequenceParallel)
        return effect;
    const Extent whole { kernels.bytes, a.tokens, a.outputs };
    effect.whileForward("output before it is scattered", whole);
    effect.whileBackward("gathered output gradient", whole);
    return effect;
}

/// A rotation has no memory: its cosines and sines are shared and need no gradient.
Effect rotary(const Arguments&, const Kernels&) { return {}; }

/// Scores in memory: softmax, and with dropout its mask and its result.
void addScores(Effect& effect, const Arguments& a, const Kernels& kernels)
{
    const auto scores = [&](std::int64_t each) {
        return Extent { each, a.pairs, a.heads, kernels.tensor, Axis::Tensor };
    };
    effect.keepsInput = true;
    effect.needsBlas = true;
    effect.save("softmax of the scores", scores(kernels.maskedSoftmaxFused ? kernels.bytes : 4));
    if (kernels.attentionDropout) {
        effect.save("attention dropout mask", scores(1));
        effect.save("dropped scores", scores(kernels.bytes));
    } else if (!kernels.maskedSoftmaxFused) {
        effect.save("softmax in 16 bits", scores(kernels.bytes));
    }
    if (a.sharedKeys)
        effect.save("keys and values for every query head",
            { kernels.bytes, a.tokens, 2 * a.outputs, kernels.tensor, Axis::Tensor });
    if (kernels.paddingMask)
        effect.save("padding mask", { 1, a.pairs });
    if (kernels.ownBuffer)
        effect.buffer = scores(kernels.bytes);
    effect.whileForward("scores", scores(kernels.ownBuffer ? kernels.bytes : 2 * kernels.bytes));
    effect.whileBackward("gradients of the scores", scores(2 * kernels.bytes));
}

/// Kernels that never hold the scores keep queries, keys, values, output and one sum a row.
void addKernel(Effect& effect, const Arguments& a, const Kernels& kernels)
{
    const auto share = [&](std::int64_t each, std::int64_t width) {
        return Extent { each, a.tokens, width, kernels.tensor, Axis::Tensor };
    };
    effect.save("log-sum-exp", share(4, a.heads));
    effect.keepsOutput = true;
    if (kernels.attention == Kernel::Fused) {
        effect.keepsInput = true;
        return;
    }
    effect.save("queries, keys, values in the kernel's order", share(kernels.bytes, a.inputs));
    if (kernels.copiesFlashOutput)
        effect.save("output in the kernel's order", share(kernels.bytes, a.outputs));
    effect.whileBackward("query gradient in fp32", share(4, a.outputs));
}

Effect attention(const Arguments& a, const Kernels& kernels)
{
    Effect effect;
    if (kernels.attention == Kernel::Unfused)
        addScores(effect, a, kernels);
    else
        addKernel(effect, a, kernels);
    const auto share = [&](std::int64_t each, std::int64_t width) {
        return Extent { each, a.tokens, width, kernels.tensor, Axis::Tensor };
    };
    if (kernels.ring == Ring::AllToAll)
        effect.save("output before the second all-to-all", share(kernels.bytes, a.outputs));
    if (kernels.ring == Ring::PointToPoint) {
        effect.save("log-sum-exp of every ring step", share(4 * kernels.context, a.heads));
        effect.whileForward(
            "keys and values in exchange", share(2 * kernels.bytes, a.keyWidth + a.valueWidth));
        effect.whileForward("output of a ring step", share(kernels.bytes, a.outputs));
    }
    return effect;
}

/// Gelu, silu and the fused gated forms keep what goes in; what comes out is the next map's input.
Effect activation(const Arguments&, const Kernels&)
{
    Effect effect;
    effect.keepsInput = true;
    return effect;
}

Effect dropoutAdd(const Arguments& a, const Kernels& kernels)
{
    Effect effect;
    effect.gradient = kernels.hiddenDropout ? Gradient::New : Gradient::Passed;
    if (kernels.hiddenDropout)
        effect.save(
            "dropout mask", { 1, a.tokens, a.outputs, streamDivisor(kernels), Axis::Sequence });
    return effect;
}

/// The framework's own linear map to the vocabulary; its input is gathered into the global buffer.
Effect head(const Arguments& a, const Kernels& kernels)
{
    Effect effect;
    effect.keepsInput = true;
    effect.needsBlas = true;
    addWeightGradient(effect, a, kernels);
    if (kernels.sequenceParallel) {
        effect.buffer = { kernels.bytes, a.tokens, a.inputs };
        effect.whileBackward(
            "input gradient before it is scattered", { kernels.bytes, a.tokens, a.inputs });
    }
    return effect;
}

/// Plain: a copy of the logits in fp32 becomes their softmax, is kept, and becomes the gradient.
/// Compiled: one more such copy while the forward runs. In place: everything stays in the logits.
Effect crossEntropy(const Arguments& a, const Kernels& kernels)
{
    Effect effect;
    const Extent copy { 4, a.tokens, a.inputs, kernels.tensor, Axis::Tensor };
    if (kernels.loss == LossKind::InPlace) {
        effect.keepsInput = true;
        effect.gradient = Gradient::InPlace;
        return effect;
    }
    effect.save("softmax of the logits in fp32", copy);
    if (kernels.loss == LossKind::Compiled)
        effect.whileForward("logits in fp32", copy);
    if (kernels.loss == LossKind::Plain && kernels.lossBytesPerToken > 0)
        effect.save(
            "maxima, sums and targets of the loss", { kernels.lossBytesPerToken, a.tokens });
    if (kernels.loss == LossKind::Plain && kernels.lossBytes > 0)
        effect.save("loss", { kernels.lossBytes, 1 });
    return effect;
}

constexpr std::array<OperatorRule, kOperatorKinds> kRules { {
    { OperatorKind::Embedding, "embedding", "token numbers; with dropout its mask", embedding },
    { OperatorKind::Norm, "norm", "its input and its statistics", norm },
    { OperatorKind::ColumnMap, "linear map, outputs divided", "its input", columnMap },
    { OperatorKind::RowMap, "linear map, inputs divided", "its input", rowMap },
    { OperatorKind::WholeMap, "linear map, not divided", "its input", map },
    { OperatorKind::Rotary, "rotary embedding", "nothing", rotary },
    { OperatorKind::Attention, "attention",
        "queries, keys, values; unfused: softmax, with dropout mask and result; else output and "
        "log-sum-exp",
        attention },
    { OperatorKind::Activation, "activation", "its input", activation },
    { OperatorKind::DropoutAdd, "dropout and residual", "with dropout its mask", dropoutAdd },
    { OperatorKind::Head, "map to the vocabulary", "its input", head },
    { OperatorKind::CrossEntropy, "cross entropy",
        "softmax of the logits in fp32; in place: the logits", crossEntropy },
} };

} // namespace

const std::array<OperatorRule, kOperatorKinds>& operatorRules() { return kRules; }

const OperatorRule& rule(OperatorKind kind) { return kRules[static_cast<std::size_t>(kind)]; }

} // namespace shardrack
