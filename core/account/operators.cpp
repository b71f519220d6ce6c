#include "account/operators.h"

namespace shardrack {

Bytes Extent::exact() const
{
    const Bytes size = Bytes(each) * rows * width;
    return Bytes(size.count() / divisor + (size.count() % divisor == 0 ? 0 : 1));
}

Bytes Extent::bytes() const { return Bytes((exact().count() + 511) / 512 * 512); }

Piece piece(const char* name, Category category, const Extent& extent, Stream stream)
{
    return { name, category, extent, extent.bytes(), stream };
}

void Effect::add(const Piece& piece, Life life)
{
    if (m_pieces.full())
        throw Failure({ "", "a block has more tensors than there is room for", "a shorter block" });
    m_pieces.add({ piece, life });
}

void Effect::save(const char* name, const Extent& extent)
{
    add(piece(name, Category::Activations, extent), Life::Saved);
}

void Effect::whileForward(const char* name, const Extent& extent)
{
    add(piece(name, Category::Temporary, extent), Life::WhileForward);
}

void Effect::whileBackward(const char* name, const Extent& extent)
{
    add(piece(name, Category::Temporary, extent), Life::WhileBackward);
}

void Effect::weightGradient(const char* name, Category category, const Extent& extent)
{
    add(piece(name, category, extent), Life::WeightGradient);
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
    if (a.weightRows == 0)
        return;
    const std::int64_t each = a.weightBytes > 0 ? a.weightBytes : kernels.bytes;
    const Extent extent { each, a.weightRows, a.weightColumns + (a.bias ? 1 : 0) };
    if (kernels.holdsWeightGradients)
        effect.weightGradient("weight gradients", kernels.weightGradients, extent);
    else if (!(kernels.weightGradientsFused && kernels.dummyGradients))
        effect.whileBackward("weight gradient", extent);
}

/// torch.nn.functional.embedding keeps the token numbers; its gradient is as large as the table.
void embedding(const Arguments& a, const Kernels& kernels, Effect& effect)
{
    effect.gradients[0] = Gradient::None;
    effect.save("token numbers", { 8, a.tokens });
    if (kernels.hiddenDropout)
        effect.save("embedding dropout mask",
            { 1, a.tokens, a.outputs, streamDivisor(kernels), Axis::Sequence });
    if (kernels.sequenceParallel)
        effect.whileForward(
            "embeddings before they are scattered", { kernels.bytes, a.tokens, a.outputs });
    const Extent table { kernels.bytes, a.weightRows, a.weightColumns };
    if (kernels.holdsWeightGradients)
        addWeightGradient(effect, a, kernels);
    else
        effect.whileBackward("embedding gradient", table);
}

/// LayerNorm keeps its input, mean and deviation; RMSNorm its input and one statistic. Written out
/// in Python, what a product with the weight needs is a tensor of its own, in fp32 the input, too.
void norm(const Arguments& a, const Kernels& kernels, Effect& effect)
{
    const auto stream = [&](std::int64_t each, std::int64_t width) {
        return a.inputsDivided
            ? Extent { each, a.tokens, width, kernels.tensor, Axis::Tensor }
            : Extent { each, a.tokens, width, streamDivisor(kernels), Axis::Sequence };
    };
    addWeightGradient(effect, a, kernels);
    effect.save("norm statistics", stream(a.statistics, 1));
    if (kernels.norm == NormForm::Kernel) {
        effect.keepsInput = true;
        return;
    }
    const bool wide = kernels.norm == NormForm::PythonWide;
    const std::int64_t each = wide ? 4 : kernels.bytes;
    if (wide)
        effect.save("norm input in fp32", stream(4, a.inputs));
    else
        effect.keepsInput = true;
    if (kernels.keepsSquares)
        effect.save("squares of the norm input", stream(each, a.inputs));
    effect.save("normalised input", stream(kernels.bytes, a.inputs));
    effect.whileForward("products of the norm", stream(wide ? 8 : each, a.inputs));
    effect.whileBackward("products of the norm's gradient", stream(4 * each, a.inputs));
}

/// A linear map keeps its input for the gradient of its weight. Under autocast it is the 16-bit
/// copy that is kept, and one of the weight, for the gradient of the input.
void keepMapInput(Effect& effect, const Arguments& a, const Kernels& kernels)
{
    if (a.narrowInput)
        effect.save("map input in 16 bits",
            { 2, a.tokens, a.inputs, a.inputsDivided ? kernels.tensor : 1, Axis::Tensor });
    else
        effect.keepsInput = true;
    if (a.casts)
        effect.save("weight in 16 bits", { 2, a.weightRows, a.weightColumns });
}

void map(const Arguments& a, const Kernels& kernels, Effect& effect)
{
    keepMapInput(effect, a, kernels);
    (kernels.libraryMaps ? effect.needsLibrary : effect.needsBlas) = true;
    addWeightGradient(effect, a, kernels);
}

/// With sequence parallelism only the rank's rows of the input are kept: they are gathered to
/// compute, and again in backward.
void columnMap(const Arguments& a, const Kernels& kernels, Effect& effect)
{
    map(a, kernels, effect);
    if (!kernels.sequenceParallel || kernels.gathersOutside)
        return;
    const Extent whole { kernels.bytes, a.tokens, a.inputs };
    if (kernels.ownBuffer) {
        effect.buffer = whole;
    } else {
        effect.whileForward("gathered input", whole);
        effect.whileBackward("gathered input", whole);
    }
    effect.whileBackward("input gradient before it is scattered", whole);
}

void rowMap(const Arguments& a, const Kernels& kernels, Effect& effect)
{
    map(a, kernels, effect);
    if (!kernels.sequenceParallel || kernels.gathersOutside)
        return;
    const Extent whole { kernels.bytes, a.tokens, a.outputs };
    effect.whileForward("output before it is scattered", whole);
    effect.whileBackward("gathered output gradient", whole);
}

/// A rotation has no memory: its cosines and sines are shared and need no gradient. Written out in
/// Python it computes in fp32.
void rotary(const Arguments& a, const Kernels& kernels, Effect& effect)
{
    if (!a.wide)
        return;
    effect.gradients[1] = Gradient::New;
    const Extent copies { 8, a.tokens, a.outputs, kernels.tensor, Axis::Tensor };
    effect.whileForward("rotation in fp32", copies);
    effect.whileBackward("rotation's gradient in fp32", copies);
}

/// Scores in memory: softmax, and with dropout its mask and its result.
void addScores(Effect& effect, const Arguments& a, const Kernels& kernels)
{
    const auto scores = [&](std::int64_t each) {
        return Extent { each, a.pairs, a.heads, kernels.tensor, Axis::Tensor };
    };
    effect.keepsInput = true;
    effect.needsBlas = true;
    const std::int64_t softmax = kernels.maskedSoftmaxFused ? kernels.bytes : 4;
    effect.save("softmax of the scores", scores(softmax));
    if (kernels.keepsSoftmaxInput)
        effect.save("scores", scores(softmax));
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
    if (kernels.reordersOutput)
        effect.save("attention output in the map's order", share(kernels.bytes, a.outputs));
    if (kernels.sumsQueryGradient)
        effect.whileBackward("query gradient in fp32", share(4, a.outputs));
    if (kernels.attention == Kernel::Fused) {
        effect.keepsInput = true;
        return;
    }
    effect.save("queries, keys, values in the kernel's order", share(kernels.bytes, a.inputs));
    if (kernels.copiesFlashOutput)
        effect.save("output in the kernel's order", share(kernels.bytes, a.outputs));
    effect.whileBackward("query gradient in fp32", share(4, a.outputs));
}

/// torch/distributed/tensor/experimental/_attention.py: the outputs of the ring's steps are merged
/// in fp32 (the sum so far, the step's, their weighted difference, the new sum), gradients are
/// summed in fp32, those of keys and values going round (the step's own, joined, sent, received).
void addTorchRing(Effect& effect, const Arguments& a, const Kernels& kernels)
{
    const auto share = [&](std::int64_t each, std::int64_t width) {
        return Extent { each, a.tokens, width, kernels.tensor, Axis::Tensor };
    };
    const std::int64_t pairs = a.inputs - a.outputs; // keys and values
    const std::int64_t at = kernels.ring == Ring::Gathered ? kernels.context : 2;
    effect.whileForward("keys and values of other context ranks", share(at * kernels.bytes, pairs));
    effect.whileForward("outputs being merged in fp32", share(16, a.outputs));
    effect.whileBackward(
        "keys and values of other context ranks", share(at * kernels.bytes, pairs));
    effect.whileBackward("query gradient summed in fp32", share(4, a.outputs));
    effect.whileBackward("gradients of keys and values in exchange", share(16, pairs));
}

void attention(const Arguments& a, const Kernels& kernels, Effect& effect)
{
    if (a.separateInputs)
        effect.gradients = { Gradient::New, Gradient::New, Gradient::New };
    if (kernels.attention == Kernel::Unfused)
        addScores(effect, a, kernels);
    else
        addKernel(effect, a, kernels);
    const auto share = [&](std::int64_t each, std::int64_t width) {
        return Extent { each, a.tokens, width, kernels.tensor, Axis::Tensor };
    };
    if (kernels.ring == Ring::Gathered || kernels.ring == Ring::SentOn)
        addTorchRing(effect, a, kernels);
    if (kernels.ring == Ring::AllToAll)
        effect.save("output before the second all-to-all", share(kernels.bytes, a.outputs));
    if (kernels.ring == Ring::PointToPoint) {
        effect.save("log-sum-exp of every ring step", share(4 * kernels.context, a.heads));
        effect.whileForward(
            "keys and values in exchange", share(2 * kernels.bytes, a.keyWidth + a.valueWidth));
        effect.whileForward("output of a ring step", share(kernels.bytes, a.outputs));
    }
}

/// Gelu, silu and the fused gated forms keep what goes in; what comes out is the next map's input.
void activation(const Arguments&, const Kernels&, Effect& effect) { effect.keepsInput = true; }

void dropoutAdd(const Arguments& a, const Kernels& kernels, Effect& effect)
{
    effect.gradients[0] = kernels.hiddenDropout ? Gradient::New : Gradient::Passed;
    if (kernels.hiddenDropout)
        effect.save(
            "dropout mask", { 1, a.tokens, a.outputs, streamDivisor(kernels), Axis::Sequence });
}

/// The framework's own linear map to the vocabulary; its input is gathered into the global buffer.
void head(const Arguments& a, const Kernels& kernels, Effect& effect)
{
    keepMapInput(effect, a, kernels);
    effect.needsBlas = true;
    addWeightGradient(effect, a, kernels);
    if (kernels.sequenceParallel && !kernels.gathersOutside) {
        effect.buffer = { kernels.bytes, a.tokens, a.inputs };
        effect.whileBackward(
            "input gradient before it is scattered", { kernels.bytes, a.tokens, a.inputs });
    }
}

void lossByWidths(Effect& effect, const Arguments& a, const Kernels& kernels)
{
    const LossWidths& widths = kernels.lossWidths;
    const auto logits = [&](std::int64_t each) {
        return Extent { each, a.tokens, a.inputs, kernels.tensor, Axis::Tensor };
    };
    effect.keepsInput = widths.keepsInput || widths.inPlace;
    if (widths.inPlace)
        effect.gradients[0] = Gradient::InPlace;
    if (widths.saved > 0)
        effect.save("logarithms of the probabilities", logits(widths.saved));
    if (widths.forward > 0)
        effect.whileForward("copies of the logits", logits(widths.forward));
    if (widths.backward > 0)
        effect.whileBackward("gradient of the probabilities", logits(widths.backward));
}

/// Plain: a copy of the logits in fp32 becomes their softmax, is kept, and becomes the gradient.
/// Compiled: one more such copy while the forward runs. In place: everything stays in the logits.
void crossEntropy(const Arguments& a, const Kernels& kernels, Effect& effect)
{
    const Extent copy { 4, a.tokens, a.inputs, kernels.tensor, Axis::Tensor };
    if (kernels.loss == LossKind::ByWidths) {
        lossByWidths(effect, a, kernels);
        return;
    }
    if (kernels.loss == LossKind::InPlace) {
        effect.keepsInput = true;
        effect.gradients[0] = Gradient::InPlace;
        return;
    }
    effect.save("softmax of the logits in fp32", copy);
    if (kernels.loss == LossKind::Compiled)
        effect.whileForward("logits in fp32", copy);
    if (kernels.loss == LossKind::Plain && kernels.lossBytesPerToken > 0)
        effect.save(
            "maxima, sums and targets of the loss", { kernels.lossBytesPerToken, a.tokens });
    if (kernels.loss == LossKind::Plain && kernels.lossBytes > 0)
        effect.save("loss", { kernels.lossBytes, 1 });
}

/// A copy whose gradient is usually another one.
void repeat(const Arguments& a, const Kernels&, Effect& effect)
{
    if (a.passesGradient)
        effect.gradients[0] = Gradient::Passed;
}

void product(const Arguments&, const Kernels&, Effect& effect)
{
    effect.keepsInput = true;
    effect.gradients = { Gradient::New, Gradient::New, Gradient::None };
}

/// The collective works on the first axis: with several sequences a second copy is made by chunks.
void addSecondCopy(Effect& effect, const Arguments& a, const Kernels& kernels)
{
    if (!kernels.gathersTwice)
        return;
    const Extent whole { kernels.bytes, a.tokens, a.inputs };
    effect.whileForward("second copy of the whole sequence", whole);
    effect.whileBackward("second copy of the whole sequence", whole);
}

void gather(const Arguments& a, const Kernels& kernels, Effect& effect)
{
    addSecondCopy(effect, a, kernels);
}

void dropout(const Arguments& a, const Kernels& kernels, Effect& effect)
{
    effect.gradients[0] = kernels.hiddenDropout ? Gradient::New : Gradient::Passed;
    if (kernels.hiddenDropout)
        effect.save(
            "dropout mask", { 1, a.tokens, a.outputs, streamDivisor(kernels), Axis::Sequence });
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
    { OperatorKind::Repeat, "copy", "nothing", repeat },
    { OperatorKind::Product, "product", "both inputs", product },
    { OperatorKind::Gather, "gather along the sequence", "nothing", gather },
    { OperatorKind::Scatter, "sum and scatter along the sequence", "nothing", gather },
    { OperatorKind::Dropout, "dropout", "with dropout its mask", dropout },
} };

} // namespace

const std::array<OperatorRule, kOperatorKinds>& operatorRules() { return kRules; }

const OperatorRule& rule(OperatorKind kind) { return kRules[static_cast<std::size_t>(kind)]; }

} // namespace shardrack
