#include "account/transformer_blocks.h"

namespace shardrack {

namespace {

using Kind = OperatorKind;
using Tensor = Block::Tensor;

/// Adds operators to a block; knows the sizes that all of them share.
class Builder {
public:
    Builder(
        Block& into, const TransformerShape& shape, const Kernels& kernels, const BatchShape& batch)
        : m_shape(shape)
        , m_kernels(kernels)
        , m_tokens(batch.tokens())
        , m_pairs(batch.pairs())
        , m_tensor(kernels.tensor)
        , m_stream(kernels.sequenceParallel ? kernels.tensor : 1)
        , block(into)
    {
    }

    Extent stream(std::int64_t width) const
    {
        return { m_kernels.bytes, m_tokens, width, m_stream, Axis::Sequence };
    }
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
        return a;
    }
    Tensor norm(const char* name, Tensor in, const char* output, std::int64_t width)
    {
        OperatorArguments a = arguments(width, width);
        a.statistics = m_shape.rmsNorm ? 4 : 8;
        return block.apply(Kind::Norm, name, in, output, stream(width), a);
    }
    void normWeights(std::int64_t width)
    {
        block.vector(width);
        if (!m_shape.rmsNorm)
            block.vector(width);
    }
    Tensor column(
        const char* name, Tensor in, const char* output, std::int64_t inputs, std::int64_t outputs)
    {
        OperatorArguments a = arguments(inputs, outputs);
        a.weightRows = outputs / m_tensor;
        a.weightColumns = inputs;
        return block.apply(Kind::ColumnMap, name, in, output, divided(outputs), a);
    }
    Tensor row(
        const char* name, Tensor in, const char* output, std::int64_t inputs, std::int64_t outputs)
    {
        OperatorArguments a = arguments(inputs, outputs);
        a.weightRows = outputs;
        a.weightColumns = inputs / m_tensor;
        return block.apply(Kind::RowMap, name, in, output, stream(outputs), a);
    }
    Tensor whole(
        const char* name, Tensor in, const char* output, std::int64_t inputs, std::int64_t outputs)
    {
        OperatorArguments a = arguments(inputs, outputs);
        a.weightRows = outputs;
        a.weightColumns = inputs;
        return block.apply(Kind::WholeMap, name, in, output, stream(outputs), a);
    }
    Tensor dropoutAdd(const char* name, Tensor branch, Tensor residual, const char* output)
    {
        return block.apply(Kind::DropoutAdd, name, branch, output, stream(m_shape.hidden),
            arguments(m_shape.hidden, m_shape.hidden), residual);
    }
    Tensor ordinaryAttention(Tensor in, const LayerStyle& style);
    Tensor latentAttention(Tensor in);
    void attentionWeights();
    void latentWeights();
    std::int16_t last() const { return static_cast<std::int16_t>(block.operatorCount() - 1); }

    const TransformerShape& m_shape;
    const Kernels& m_kernels;
    std::int64_t m_tokens;
    std::int64_t m_pairs;
    std::int64_t m_tensor;
    std::int64_t m_stream;
    Block& block; ///< filled in place: it is too large to be copied for every layout
    std::int16_t core = 0; ///< number of the attention operator
    std::int16_t upFirst = 0; ///< latent attention: its maps up
};

Tensor Builder::ordinaryAttention(Tensor in, const LayerStyle& style)
{
    const std::int64_t queries = m_shape.queryWidth();
    const std::int64_t keys = m_shape.keyWidth();
    OperatorArguments a = arguments(queries + 2 * keys, queries);
    a.pairs = m_pairs;
    a.heads = m_shape.heads;
    a.keyWidth = a.valueWidth = keys;
    a.sharedKeys = m_shape.kvHeads < m_shape.heads;
    const Tensor packed
        = column("queries, keys, values", in, "queries, keys, values", m_shape.hidden, a.inputs);
    Tensor from = packed;
    Tensor values = Block::kNoTensor;
    if (m_shape.queryKeyNorm) { // of each head, as a module of its own
        OperatorArguments norms = arguments(queries + keys, queries + keys);
        norms.statistics = (m_shape.rmsNorm ? 4 : 8) * (m_shape.heads + m_shape.kvHeads);
        norms.inputsDivided = true;
        from = block.apply(Kind::Norm, "query and key norms", packed, "normed queries and keys",
            divided(queries + keys), norms);
        values = packed;
    }
    if (style.rotatesToCopies && m_shape.rotary) {
        from = block.apply(Kind::Rotary, "rotary embedding", from, "rotated queries and keys",
            divided(queries + keys), arguments(a.inputs, queries + keys));
        values = packed;
    }
    const Tensor context = block.apply(
        Kind::Attention, "attention", from, "attention output", divided(queries), a, values);
    core = last();
    return row("attention output map", context, "attention branch", queries, m_shape.hidden);
}

Tensor Builder::latentAttention(Tensor in)
{
    const LatentAttention& latent = m_shape.latent;
    const std::int64_t each = latent.headDim + latent.rotaryDim;
    const std::int64_t queries = m_shape.heads * each;
    const std::int64_t values = m_shape.heads * latent.valueDim;
    Tensor narrow = in;
    std::int64_t from = m_shape.hidden;
    if (latent.queryRank > 0) {
        narrow = whole("queries down", in, "narrow queries", m_shape.hidden, latent.queryRank);
        from = latent.queryRank;
    }
    const Tensor narrowKeys = whole("keys and values down", in, "narrow keys and values",
        m_shape.hidden, latent.keyValueRank + latent.rotaryDim);
    upFirst = static_cast<std::int16_t>(last() + 1);
    Tensor keysIn = narrowKeys;
    if (m_shape.queryKeyNorm) {
        if (latent.queryRank > 0)
            narrow = norm("query norm", narrow, "normed queries", latent.queryRank);
        keysIn = norm("key norm", narrowKeys, "normed keys and values", latent.keyValueRank);
    }
    const Tensor wide = column("queries up", narrow, "queries", from, queries);
    const Tensor packed = column("keys and values up", keysIn, "keys and values",
        latent.keyValueRank, m_shape.heads * (latent.headDim + latent.valueDim));
    // Queries, keys and values are made contiguous; the packed tensors are free after that.
    OperatorArguments a = arguments(2 * queries + values, values);
    const Tensor ready = block.apply(Kind::Rotary, "rotary embedding", wide,
        "queries, keys, values", divided(2 * queries + values), a, packed);
    a.pairs = m_pairs;
    a.heads = m_shape.heads;
    a.keyWidth = queries;
    a.valueWidth = values;
    const Tensor context
        = block.apply(Kind::Attention, "attention", ready, "attention output", divided(values), a);
    core = last();
    return row("attention output map", context, "attention branch", values, m_shape.hidden);
}

void Builder::attentionWeights()
{
    const std::int64_t hidden = m_shape.hidden;
    const std::int64_t packed = (m_shape.queryWidth() + 2 * m_shape.keyWidth()) / m_tensor;
    block.weight(hidden, m_shape.queryWidth() / m_tensor);
    if (m_shape.outputBias)
        block.vector(hidden);
    normWeights(hidden);
    block.weight(packed, hidden);
    if (m_shape.queryBias)
        block.vector(packed);
    if (m_shape.queryKeyNorm) {
        normWeights(m_shape.headDim);
        normWeights(m_shape.headDim);
    }
}

void Builder::latentWeights()
{
    const LatentAttention& latent = m_shape.latent;
    const std::int64_t hidden = m_shape.hidden;
    const std::int64_t queries = m_shape.heads * (latent.headDim + latent.rotaryDim);
    normWeights(hidden);
    block.weight(hidden, m_shape.heads * latent.valueDim / m_tensor);
    if (m_shape.outputBias)
        block.vector(hidden);
    if (latent.queryRank > 0)
        block.weight(latent.queryRank, hidden);
    block.weight(queries / m_tensor, latent.queryRank > 0 ? latent.queryRank : hidden);
    block.weight(latent.keyValueRank + latent.rotaryDim, hidden);
    block.weight(
        m_shape.heads * (latent.headDim + latent.valueDim) / m_tensor, latent.keyValueRank);
    if (!m_shape.queryKeyNorm)
        return;
    if (latent.queryRank > 0)
        normWeights(latent.queryRank);
    normWeights(latent.keyValueRank);
}

} // namespace

std::int64_t BatchShape::pairs() const
{
    return (Bytes(microBatch) * sequence * (sequence / context)).count();
}

Block embeddingBlock(const TransformerShape& shape, const Kernels& kernels, const BatchShape& batch,
    std::int64_t vocabulary)
{
    Block block(kernels, "embedding");
    Builder build(block, shape, kernels, batch);
    OperatorArguments a = build.arguments(0, shape.hidden);
    a.weightRows = vocabulary / kernels.tensor;
    a.weightColumns = shape.hidden;
    const Tensor out = block.apply(Kind::Embedding, "embedding", Block::kNoTensor, "layer input",
        build.stream(shape.hidden), a);
    block.weight(a.weightRows, shape.hidden);
    if (shape.positions > 0)
        block.weight(shape.positions, shape.hidden);
    if (shape.encoder)
        block.weight(2, shape.hidden); // token types
    block.finish(out);
    return block;
}

Block layerBlock(const TransformerShape& shape, const Kernels& kernels, const BatchShape& batch,
    const LayerStyle& style, const SelectiveRecompute& recompute)
{
    Block block(kernels, "layer");
    Builder build(block, shape, kernels, batch);
    const Tensor in = block.input("layer input", build.stream(shape.hidden));
    const Tensor normed = build.norm("attention norm", in, "attention norm output", shape.hidden);
    const Tensor branch = shape.latent.used() ? build.latentAttention(normed)
                                              : build.ordinaryAttention(normed, style);
    const Tensor middle = build.dropoutAdd("attention residual", branch, in, "attention residual");
    const Tensor ready = build.norm("MLP norm", middle, "MLP norm output", shape.hidden);
    const std::int16_t mlpNorm = build.last();
    const Tensor first
        = build.column("MLP up", ready, "MLP up output", shape.hidden, shape.firstMapWidth());
    const Tensor active = block.apply(Kind::Activation, "activation", first, "activation output",
        build.divided(shape.ffn), build.arguments(shape.firstMapWidth(), shape.ffn));
    const Tensor mlp = build.row("MLP down", active, "MLP branch", shape.ffn, shape.hidden);
    const std::int16_t mlpLast = build.last();
    block.finish(build.dropoutAdd("MLP residual", mlp, middle, "layer input"));

    if (shape.latent.used())
        build.latentWeights();
    else
        build.attentionWeights();
    build.normWeights(shape.hidden);
    block.weight(shape.firstMapWidth() / kernels.tensor, shape.hidden);
    if (shape.mlpBias)
        block.vector(shape.firstMapWidth() / kernels.tensor);
    block.weight(shape.hidden, shape.ffn / kernels.tensor);
    if (shape.mlpBias)
        block.vector(shape.hidden);

    const auto number = [](int value) { return static_cast<std::int16_t>(value); };
    const std::int16_t core = build.core;
    if (recompute.attention)
        block.drop({ core, number(core + 1), core, core, false });
    if (recompute.latentUp && shape.latent.used())
        block.drop({ build.upFirst, core, core, core, true });
    if (recompute.norms && (shape.latent.used() || !style.fusedNorms))
        block.drop({ 0, 1, number(shape.latent.used() && shape.latent.queryRank > 0 ? 2 : 1),
            number(shape.latent.used() && shape.latent.queryRank > 0 ? 2 : 1), true });
    if (recompute.norms && !style.fusedNorms && !recompute.mlp)
        block.drop(
            { mlpNorm, number(mlpNorm + 1), number(mlpNorm + 1), number(mlpNorm + 1), true });
    if (recompute.mlp) // the norm is inside the first map, where the two are one module
        block.drop({ number(style.fusedNorms ? mlpNorm : mlpNorm + 1), number(mlpLast + 1), mlpLast,
            mlpLast, false });
    return block;
}

Block headBlock(const TransformerShape& shape, const Kernels& kernels, const BatchShape& batch,
    std::int64_t vocabulary, bool ownTable)
{
    Block block(kernels, "head");
    Builder build(block, shape, kernels, batch);
    const Tensor in = block.input("layer input", build.stream(shape.hidden));
    Tensor ready = build.norm("final norm", in, "final norm output", shape.hidden);
    build.normWeights(shape.hidden);
    if (shape.encoder) {
        const Tensor dense
            = build.whole("head map", ready, "head map output", shape.hidden, shape.hidden);
        const Tensor active
            = block.apply(Kind::Activation, "head activation", dense, "head activation output",
                build.stream(shape.hidden), build.arguments(shape.hidden, shape.hidden));
        ready = build.norm("head norm", active, "head norm output", shape.hidden);
        block.weight(shape.hidden, shape.hidden);
        block.vector(shape.hidden);
        build.normWeights(shape.hidden);
        block.vector(vocabulary / kernels.tensor);
        block.weight(shape.hidden, shape.hidden); // pooler
        block.vector(shape.hidden);
        block.weight(2, shape.hidden); // choice of two
        block.vector(2);
    }
    OperatorArguments a = build.arguments(shape.hidden, vocabulary);
    a.weightRows = vocabulary / kernels.tensor;
    a.weightColumns = shape.hidden;
    const Tensor logits = block.apply(
        Kind::Head, "map to the vocabulary", ready, "logits", build.divided(vocabulary), a);
    block.apply(
        Kind::CrossEntropy, "cross entropy", logits, nullptr, {}, build.arguments(vocabulary, 1));
    if (ownTable)
        block.weight(a.weightRows, shape.hidden);
    block.finish(Block::kNoTensor);
    return block;
}

} // namespace shardrack
