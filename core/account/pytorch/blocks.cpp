#include "account/pytorch/blocks.h"

#include "account/pytorch/loss.h"

#include <algorithm>

namespace shardrack {

namespace {

using Kind = OperatorKind;
using Tensor = Block::Tensor;
using S = TorchSwitch;

/// Adds operators as modules of torch call them; knows the sizes that all of them share.
class Builder {
public:
    Builder(const TorchRun& run, const Kernels& kernels, bool compiled, Block& into)
        : m_run(run)
        , m_shape(run.shape)
        , m_kernels(kernels)
        , m_compiled(compiled)
        , m_autocast(run.autocast())
        , m_tokens(batchOf(run).tokens())
        , m_pairs(batchOf(run).pairs())
        , m_tensor(kernels.tensor)
        , m_streamDivisor(kernels.sequenceParallel ? kernels.tensor : 1)
        , block(into)
    {
    }

    /// The residual stream: under autocast in the parameters' format.
    Extent stream(std::int64_t width) const
    {
        return { streamBytes(), m_tokens, width, m_streamDivisor, Axis::Sequence };
    }
    std::int64_t streamBytes() const { return m_autocast ? 4 : m_kernels.bytes; }
    Extent whole(std::int64_t width) const { return { m_kernels.bytes, m_tokens, width }; }
    Extent divided(std::int64_t width) const
    {
        return { m_kernels.bytes, m_tokens, width, m_tensor, Axis::Tensor };
    }
    OperatorArguments arguments(std::int64_t inputs, std::int64_t outputs) const
    {
        OperatorArguments a;
        a.tokens = m_tokens;
        a.inputs = inputs;
        a.outputs = outputs;
        a.weightBytes = m_run.computeBytes();
        return a;
    }
    Tensor norm(const char* name, Tensor in, const char* output, std::int64_t width)
    {
        OperatorArguments a = arguments(width, width);
        a.statistics = m_shape.rmsNorm ? 4 : 8;
        a.weightRows = width;
        a.weightColumns = 1;
        a.bias = !m_shape.rmsNorm;
        return block.apply(Kind::Norm, name, in, output, stream(width), a);
    }
    /// A norm of each head by itself.
    Tensor headNorm(const char* name, Tensor in, const char* output, std::int64_t heads)
    {
        if (!m_shape.queryKeyNorm)
            return in;
        const std::int64_t width = heads * m_shape.headDim;
        OperatorArguments a = arguments(width, width);
        a.statistics = (m_shape.rmsNorm ? 4 : 8) * heads;
        a.inputsDivided = true;
        a.weightRows = m_shape.headDim;
        a.weightColumns = 1;
        a.bias = !m_shape.rmsNorm;
        return block.apply(Kind::Norm, name, in, output, divided(width), a);
    }
    void normWeights(std::int64_t width)
    {
        block.vector(width);
        if (!m_shape.rmsNorm)
            block.vector(width);
    }
    /// The sequence of all tensor ranks, for maps that divide their outputs.
    Tensor gathered(Tensor in, const char* output)
    {
        if (!m_kernels.sequenceParallel)
            return in;
        return block.apply(Kind::Gather, "gather along the sequence", in, output,
            whole(m_shape.hidden), arguments(m_shape.hidden, m_shape.hidden));
    }
    /// A map whose outputs the tensor ranks divide; `wide`: its input is in the stream's format.
    Tensor column(const char* name, Tensor in, const char* output, std::int64_t inputs,
        std::int64_t outputs, bool bias, bool wide)
    {
        OperatorArguments a = arguments(inputs, outputs);
        a.weightRows = outputs / m_tensor;
        a.weightColumns = inputs;
        a.bias = bias;
        a.casts = m_autocast;
        a.narrowInput = m_autocast && wide;
        return block.apply(Kind::ColumnMap, name, in, output, divided(outputs), a);
    }
    /// A map whose inputs they divide, and the sum over them.
    Tensor row(const char* name, Tensor in, const char* output, std::int64_t inputs,
        std::int64_t outputs, bool bias)
    {
        OperatorArguments a = arguments(inputs, outputs);
        a.weightRows = outputs;
        a.weightColumns = inputs / m_tensor;
        a.bias = bias;
        a.casts = m_autocast;
        a.inputsDivided = true;
        if (!m_kernels.sequenceParallel)
            return block.apply(Kind::RowMap, name, in, output, whole(outputs), a);
        const Tensor part = block.apply(Kind::RowMap, name, in, "sum's part", whole(outputs), a);
        const Tensor out = block.apply(Kind::Scatter, "sum and scatter along the sequence", part,
            output, { m_kernels.bytes, m_tokens, outputs, m_streamDivisor, Axis::Sequence },
            arguments(outputs, outputs));
        scatters |= last();
        return out;
    }
    Tensor residual(const char* name, Tensor branch, Tensor stays, const char* output)
    {
        return block.apply(Kind::DropoutAdd, name, branch, output, stream(m_shape.hidden),
            arguments(m_shape.hidden, m_shape.hidden), stays);
    }
    std::uint32_t last() const { return 1U << (block.operatorCount() - 1); }

    Tensor attention(Tensor in);
    Tensor mlp(Tensor in);
    void layerWeights();
    void preNormLayer();
    void parallelLayer();
    void postNormLayer();
    void loss(Tensor logits, int headNumber);

private:
    Tensor packed(Tensor in);
    Tensor apart(Tensor in);
    Tensor rotated(const char* name, Tensor in, const char* output, std::int64_t width);

    const TorchRun& m_run;
    const TransformerShape& m_shape;
    const Kernels& m_kernels;
    bool m_compiled;
    bool m_autocast;
    std::int64_t m_tokens;
    std::int64_t m_pairs;
    std::int64_t m_tensor;
    std::int64_t m_streamDivisor;
    Block& block; ///< filled in place

public:
    std::uint32_t attentionOperator = 0; ///< as a bit
    std::uint32_t scatters = 0;
    std::uint32_t secondProducts = 0; ///< every second matrix product, from the first
};

Tensor Builder::rotated(const char* name, Tensor in, const char* output, std::int64_t width)
{
    if (!m_shape.rotary)
        return in;
    OperatorArguments a = arguments(width, width);
    a.wide = !m_compiled;
    return block.apply(Kind::Rotary, name, in, output, divided(width), a);
}

/// One map to queries, keys and values, which are views of its output (GPT-2, MPT).
Tensor Builder::packed(Tensor in)
{
    const std::int64_t queries = m_shape.queryWidth();
    OperatorArguments a = arguments(queries + 2 * m_shape.keyWidth(), queries);
    a.pairs = m_pairs;
    a.heads = m_shape.heads;
    const Tensor all = column("queries, keys, values", in, "queries, keys, values", m_shape.hidden,
        a.inputs, m_shape.queryBias, true);
    secondProducts |= last();
    return block.apply(Kind::Attention, "attention", all, "attention output", divided(queries), a);
}

/// A map for each of queries, keys and values.
Tensor Builder::apart(Tensor in)
{
    const std::int64_t queries = m_shape.queryWidth();
    const std::int64_t keys = m_shape.keyWidth();
    const std::int64_t hidden = m_shape.hidden;
    const bool bias = m_shape.queryBias;
    Tensor query = column("queries", in, "queries", hidden, queries, bias, true);
    secondProducts |= last();
    Tensor key = column("keys", in, "keys", hidden, keys, bias, true);
    Tensor value = column("values", in, "values", hidden, keys, bias, true);
    secondProducts |= last();
    query = headNorm("query norm", query, "normed queries", m_shape.heads);
    key = headNorm("key norm", key, "normed keys", m_shape.kvHeads);
    query = rotated("rotary embedding of queries", query, "rotated queries", queries);
    key = rotated("rotary embedding of keys", key, "rotated keys", keys);
    const bool repeats = keys < queries && m_run.settings.on(S::RepeatsKeys);
    if (repeats) {
        key = block.apply(Kind::Repeat, "repeated keys", key, "keys for every query head",
            divided(queries), arguments(keys, queries));
        value = block.apply(Kind::Repeat, "repeated values", value, "values for every query head",
            divided(queries), arguments(keys, queries));
    }
    OperatorArguments a = arguments(queries + 2 * (repeats ? queries : keys), queries);
    a.pairs = m_pairs;
    a.heads = m_shape.heads;
    a.sharedKeys = keys < queries && !repeats && m_kernels.attention == Kernel::Unfused;
    a.separateInputs = true;
    return block.apply(
        Kind::Attention, "attention", query, "attention output", divided(queries), a, key, value);
}

Tensor Builder::attention(Tensor in)
{
    const bool separate = m_shape.rotary || m_shape.encoder;
    const Tensor context = separate ? apart(in) : packed(in);
    attentionOperator = last();
    return row("attention output map", context, "attention branch", m_shape.queryWidth(),
        m_shape.hidden, m_shape.outputBias);
}

Tensor Builder::mlp(Tensor in)
{
    const std::int64_t hidden = m_shape.hidden;
    const std::int64_t ffn = m_shape.ffn;
    Tensor active = Block::kNoTensor;
    if (m_shape.gated) {
        Tensor gate = column("MLP gate", in, "MLP gate output", hidden, ffn, m_shape.mlpBias, true);
        secondProducts |= last();
        if (!m_compiled)
            gate = block.apply(Kind::Activation, "activation", gate, "activated gate", divided(ffn),
                arguments(ffn, ffn));
        const Tensor up = column("MLP up", in, "MLP up output", hidden, ffn, m_shape.mlpBias, true);
        active = block.apply(Kind::Product, m_compiled ? "gated activation" : "product", gate,
            "MLP product", divided(ffn), arguments(ffn, ffn), up);
    } else {
        const Tensor up = column("MLP up", in, "MLP up output", hidden, ffn, m_shape.mlpBias, true);
        secondProducts |= last();
        active = block.apply(Kind::Activation, "activation", up, "activation output", divided(ffn),
            arguments(ffn, ffn));
    }
    const Tensor out = row("MLP down", active, "MLP branch", ffn, hidden, m_shape.mlpBias);
    // The seventh product of a gated layer is the last of the odd ones. Compiled, it is not kept:
    // nothing in backward follows from it.
    if (m_compiled && m_kernels.sequenceParallel)
        scatters &= ~last();
    else if (m_shape.gated && !m_compiled)
        secondProducts |= m_kernels.sequenceParallel ? last() >> 1 : last();
    return out;
}

void Builder::layerWeights()
{
    const std::int64_t hidden = m_shape.hidden;
    const std::int64_t queries = m_shape.queryWidth() / m_tensor;
    const std::int64_t keys = m_shape.keyWidth() / m_tensor;
    const std::int64_t ffn = m_shape.ffn / m_tensor;
    const auto map = [&](std::int64_t rows, std::int64_t columns, bool bias) {
        block.weight(rows, columns);
        if (bias)
            block.vector(rows);
    };
    for (const std::int64_t width : { queries, keys, keys })
        map(width, hidden, m_shape.queryBias);
    map(hidden, queries, m_shape.outputBias);
    map(ffn, hidden, m_shape.mlpBias);
    map(hidden, ffn, m_shape.mlpBias);
    if (m_shape.gated)
        map(ffn, hidden, m_shape.mlpBias);
    normWeights(hidden);
    if (!m_shape.sharedNorm)
        normWeights(hidden);
    if (m_shape.queryKeyNorm) {
        normWeights(m_shape.headDim);
        normWeights(m_shape.headDim);
    }
}

void Builder::preNormLayer()
{
    const std::int64_t hidden = m_shape.hidden;
    const Tensor in = block.input("layer input", stream(hidden));
    Tensor ready = norm("attention norm", in, "attention norm output", hidden);
    ready = gathered(ready, "attention norm output, gathered");
    const Tensor branch = attention(ready);
    const Tensor middle = residual("attention residual", branch, in, "attention residual");
    ready = norm("MLP norm", middle, "MLP norm output", hidden);
    ready = gathered(ready, "MLP norm output, gathered");
    block.finish(residual("MLP residual", mlp(ready), middle, "layer input"));
}

/// GPT-NeoX, GPT-J, phi: attention and MLP read the same input. Backward needs neither branch, only
/// the input and what the norms put out.
void Builder::parallelLayer()
{
    const std::int64_t hidden = m_shape.hidden;
    const Tensor in = block.input("layer input", stream(hidden));
    const Tensor ready = gathered(norm("attention norm", in, "attention norm output", hidden),
        "attention norm output, gathered");
    const Tensor first = attention(ready);
    const Tensor other = m_shape.sharedNorm
        ? ready
        : gathered(norm("MLP norm", in, "MLP norm output", hidden), "MLP norm output, gathered");
    const Tensor both
        = block.apply(Kind::DropoutAdd, "sum of the branches", mlp(other), "sum of the branches",
            { m_kernels.bytes, m_tokens, hidden, m_streamDivisor, Axis::Sequence },
            arguments(hidden, hidden), first);
    block.finish(residual("residual", both, in, "layer input"));
}

/// BERT: the norm follows the sum.
void Builder::postNormLayer()
{
    const std::int64_t hidden = m_shape.hidden;
    const Tensor in = block.input("layer input", stream(hidden));
    const Tensor sum = residual("attention residual", attention(in), in, "attention sum");
    const Tensor middle = norm("attention norm", sum, "attention norm output", hidden);
    const Tensor all = residual("MLP residual", mlp(middle), middle, "MLP sum");
    block.finish(norm("MLP norm", all, "layer input", hidden));
}

void Builder::loss(Tensor logits, int headNumber)
{
    const LossForm& form = lossForm(m_run.settings.as<LossPath>(S::Loss));
    const std::int64_t vocabulary = m_shape.vocabulary;
    const auto wide = [&](std::int64_t each) {
        return Extent { each, m_tokens, vocabulary, m_tensor, Axis::Tensor };
    };
    Tensor from = logits;
    Tensor cast = Block::kNoTensor;
    if (form.cast > 0)
        cast = from = block.apply(Kind::Repeat, "cast", from, "logits in fp32", wide(form.cast),
            arguments(vocabulary, vocabulary));
    if (form.shifted > 0) {
        OperatorArguments a = arguments(vocabulary, vocabulary);
        a.passesGradient = form.widths.inPlace;
        from = block.apply(Kind::Repeat, "copy of the logits", from,
            form.widths.inPlace ? "logarithms of the probabilities" : "logits, shifted",
            wide(form.shifted), a);
    }
    block.apply(Kind::CrossEntropy, "cross entropy", from, nullptr, {}, arguments(vocabulary, 1));
    if (form.logitsThroughLoss)
        block.holdThroughForward(logits);
    if (form.logitsThroughBackward)
        block.holdThroughBackward(logits, headNumber);
    if (form.castThroughLoss)
        block.holdThroughForward(cast);
    if (form.castThroughBackward)
        block.holdThroughBackward(cast, headNumber);
    // A pipeline's stage holds what it put out until all of its backward is done.
    if (m_run.degrees.pipeline > 1 && form.makesLogits())
        block.holdThroughBackward(form.castIsOutput() ? cast : logits, 0);
}

Block makeEmbedding(const TorchRun& run, const Kernels& kernels)
{
    const TransformerShape& shape = run.shape;
    Block block(kernels, "embedding");
    Builder build(run, kernels, false, block);
    OperatorArguments a = build.arguments(0, shape.hidden);
    a.weightRows = shape.vocabulary / kernels.tensor;
    a.weightColumns = shape.hidden;
    Tensor out = block.apply(Kind::Embedding, "embedding", Block::kNoTensor, "layer input",
        build.stream(shape.hidden), a);
    block.weight(a.weightRows, shape.hidden);
    if (shape.positions > 0)
        block.weight(shape.positions, shape.hidden);
    if (shape.encoder) {
        block.weight(2, shape.hidden); // token types
        build.normWeights(shape.hidden);
        out = build.norm("embedding norm", out, "layer input", shape.hidden);
    }
    block.finish(out);
    return block;
}

Block makeLayer(const TorchRun& run, const Kernels& kernels, std::uint32_t& cached)
{
    Block block(kernels, "layer");
    Builder build(run, kernels, run.settings.as<Compile>(S::Compile) != Compile::None, block);
    if (run.shape.encoder)
        build.postNormLayer();
    else if (run.shape.parallelResidual)
        build.parallelLayer();
    else
        build.preNormLayer();
    build.layerWeights();
    const std::int64_t kept = run.settings[S::SavedOperators];
    cached = ((kept & kSavedAttention) != 0 ? build.attentionOperator : 0)
        | ((kept & kSavedEverySecondProduct) != 0 ? build.secondProducts : 0) | build.scatters;
    return block;
}

Block makeHead(const TorchRun& run, const Kernels& kernels)
{
    const TransformerShape& shape = run.shape;
    Block block(kernels, "head");
    Builder build(run, kernels, run.settings.as<Compile>(S::Compile) == Compile::Model, block);
    const Tensor in = block.input("layer input", build.stream(shape.hidden));
    if (run.classifies()) { // the first token of each sequence goes through the pooler
        OperatorArguments a = build.arguments(shape.hidden, shape.hidden);
        a.tokens = run.microBatch;
        a.weightRows = a.weightColumns = shape.hidden;
        a.bias = true;
        block.apply(Kind::WholeMap, "pooler", in, "pooled",
            { build.streamBytes(), run.microBatch, shape.hidden }, a);
        block.weight(shape.hidden, shape.hidden);
        block.vector(shape.hidden);
        block.weight(2, shape.hidden);
        block.vector(2);
        block.finish(Block::kNoTensor);
        return block;
    }
    Tensor ready = build.norm("last norm", in, "last norm output", shape.hidden);
    build.normWeights(shape.hidden);
    ready = build.gathered(ready, "last norm output, gathered");
    OperatorArguments a = build.arguments(shape.hidden, shape.vocabulary);
    a.weightRows = shape.vocabulary / kernels.tensor;
    a.weightColumns = shape.hidden;
    a.casts = a.narrowInput = run.autocast();
    const Tensor logits = block.apply(
        Kind::Head, "map to the vocabulary", ready, "logits", build.divided(shape.vocabulary), a);
    build.loss(logits, block.operatorCount() - 1);
    if (!run.tied())
        block.weight(a.weightRows, shape.hidden);
    block.finish(Block::kNoTensor);
    return block;
}

} // namespace

TorchBlocks::TorchBlocks(const TorchRun& run)
    : embedding(makeEmbedding(run, outerKernels(run)))
    , layer(makeLayer(run, layerKernels(run), cached))
    , head(makeHead(run, outerKernels(run)))
{
}

bool sameBlocks(const TorchRun& a, const TorchRun& b)
{
    const auto same = [](const Setting& x, const Setting& y) { return x.value == y.value; };
    return a.microBatch == b.microBatch && a.degrees.tensor == b.degrees.tensor
        && a.degrees.context == b.degrees.context && a.sequence == b.sequence
        && a.recompute == b.recompute && a.sharding == b.sharding
        && (a.degrees.pipeline > 1) == (b.degrees.pipeline > 1) && a.shape == b.shape
        && std::equal(a.settings.all.begin(), a.settings.all.end(), b.settings.all.begin(), same);
}

} // namespace shardrack
