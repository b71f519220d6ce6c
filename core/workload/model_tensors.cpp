#include "workload/model.h"

#include <algorithm>
#include <array>
#include <utility>

namespace shardrack {

namespace {

// The orders of the tensors follow the modules of Hugging Face transformers
// (models/{gpt2,gpt_neox,opt,llama,qwen2,qwen3,mixtral}/modeling_*.py).

std::int64_t product(std::int64_t a, std::int64_t b, const std::string& of)
{
    std::int64_t result = 0;
    if (__builtin_mul_overflow(a, b, &result))
        throw Failure({ of,
            "the number of parameters leaves the 64-bit range (" + std::to_string(a) + " × "
                + std::to_string(b) + ")",
            "fewer than 2^63 parameters" });
    return result;
}

std::int64_t sum(std::int64_t a, std::int64_t b, const std::string& of)
{
    std::int64_t result = 0;
    if (__builtin_add_overflow(a, b, &result))
        throw Failure({ of, "the sum of the parameters leaves the 64-bit range",
            "fewer than 2^63 parameters" });
    return result;
}

/// Collects tensors; names of per-layer tensors get their prefix and one copy a layer here.
class TensorList {
public:
    explicit TensorList(const ModelArchitecture& model)
        : m_model(model)
    {
    }

    void table(const std::string& name, const char* group, std::int64_t rows, std::int64_t columns)
    {
        m_tensors.push_back({ name, group, rows, columns, 1 });
    }
    void matrix(const std::string& name, const char* group, std::int64_t rows, std::int64_t columns,
        std::int64_t copiesPerLayer = 1)
    {
        m_tensors.push_back({ "layers.*." + name, group, rows, columns,
            product(m_model.layers, copiesPerLayer, name) });
    }
    /// A linear map stored output × input, as torch.nn.Linear does.
    void linear(const std::string& name, const char* group, std::int64_t outputs,
        std::int64_t inputs, bool bias, std::int64_t copiesPerLayer = 1)
    {
        matrix(name, group, outputs, inputs, copiesPerLayer);
        if (bias)
            matrix(name + ".bias", group, outputs, 1, copiesPerLayer);
    }
    /// A linear map stored input × output, as GPT-2's Conv1D does.
    void transposed(
        const std::string& name, const char* group, std::int64_t outputs, std::int64_t inputs)
    {
        matrix(name, group, inputs, outputs);
        matrix(name + ".bias", group, outputs, 1);
    }
    void norm(const std::string& name, std::int64_t width, bool bias)
    {
        if (!m_model.normWeights)
            return;
        matrix(name, "norm", width, 1);
        if (bias)
            matrix(name + ".bias", "norm", width, 1);
    }
    void finalNorm(bool bias)
    {
        if (!m_model.normWeights || !m_model.finalNorm)
            return;
        table("final_norm", "norm", m_model.hidden, 1);
        if (bias)
            table("final_norm.bias", "norm", m_model.hidden, 1);
    }
    void head(std::int64_t width)
    {
        if (!m_model.tied)
            table("head", "head", m_model.vocabulary, width);
    }
    std::vector<TensorShape> take() { return std::move(m_tensors); }

private:
    const ModelArchitecture& m_model;
    std::vector<TensorShape> m_tensors;
};

void gpt2(const ModelArchitecture& m, TensorList& list)
{
    list.table("embedding", "embedding", m.vocabulary, m.hidden);
    list.table("positions", "embedding", m.positions, m.hidden);
    list.norm("attention_norm", m.hidden, true);
    list.transposed("attention.query_key_value", "attention",
        product(3, m.hidden, "attention.query_key_value"), m.hidden);
    list.transposed("attention.output", "attention", m.hidden, m.hidden);
    list.norm("mlp_norm", m.hidden, true);
    list.transposed("mlp.up", "mlp", m.ffn, m.hidden);
    list.transposed("mlp.down", "mlp", m.hidden, m.ffn);
    list.finalNorm(true);
    list.head(m.hidden);
}

void gptNeoX(const ModelArchitecture& m, TensorList& list)
{
    list.table("embedding", "embedding", m.vocabulary, m.hidden);
    list.norm("attention_norm", m.hidden, true);
    list.norm("mlp_norm", m.hidden, true);
    list.linear("attention.query_key_value", "attention",
        product(3, m.hidden, "attention.query_key_value"), m.hidden, m.attentionBias);
    list.linear("attention.output", "attention", m.hidden, m.hidden, m.outputBias);
    list.linear("mlp.up", "mlp", m.ffn, m.hidden, m.mlpBias);
    list.linear("mlp.down", "mlp", m.hidden, m.ffn, m.mlpBias);
    list.finalNorm(true);
    list.head(m.hidden);
}

void opt(const ModelArchitecture& m, TensorList& list)
{
    const bool projected = m.embeddingWidth != m.hidden;
    list.table("embedding", "embedding", m.vocabulary, m.embeddingWidth);
    list.table("positions", "embedding", m.positions, m.hidden);
    if (projected)
        list.table("project_in", "embedding", m.hidden, m.embeddingWidth);
    for (const char* part : { "query", "key", "value" })
        list.linear(
            std::string("attention.") + part, "attention", m.hidden, m.hidden, m.attentionBias);
    list.linear("attention.output", "attention", m.hidden, m.hidden, m.outputBias);
    list.norm("attention_norm", m.hidden, true);
    list.linear("mlp.up", "mlp", m.ffn, m.hidden, m.mlpBias);
    list.linear("mlp.down", "mlp", m.hidden, m.ffn, m.mlpBias);
    list.norm("mlp_norm", m.hidden, true);
    list.finalNorm(true);
    if (projected)
        list.table("project_out", "head", m.embeddingWidth, m.hidden);
    list.head(m.embeddingWidth);
}

/// `mlp` adds the dense or the routed MLP.
void llamaWith(const ModelArchitecture& m, TensorList& list,
    void (*mlp)(const ModelArchitecture&, TensorList&))
{
    const std::int64_t queryWidth = product(m.heads, m.headDim, "attention.query");
    const std::int64_t keyWidth = product(m.kvHeads, m.headDim, "attention.key");
    list.table("embedding", "embedding", m.vocabulary, m.hidden);
    list.norm("attention_norm", m.hidden, false);
    list.linear("attention.query", "attention", queryWidth, m.hidden, m.attentionBias);
    list.linear("attention.key", "attention", keyWidth, m.hidden, m.attentionBias);
    list.linear("attention.value", "attention", keyWidth, m.hidden, m.attentionBias);
    if (m.queryKeyNorm) {
        list.norm("attention.query_norm", m.headDim, false);
        list.norm("attention.key_norm", m.headDim, false);
    }
    list.linear("attention.output", "attention", m.hidden, queryWidth, m.outputBias);
    list.norm("mlp_norm", m.hidden, false);
    mlp(m, list);
    list.finalNorm(false);
    list.head(m.hidden);
}

void denseMlp(const ModelArchitecture& m, TensorList& list)
{
    list.linear("mlp.gate", "mlp", m.ffn, m.hidden, m.mlpBias);
    list.linear("mlp.up", "mlp", m.ffn, m.hidden, m.mlpBias);
    list.linear("mlp.down", "mlp", m.hidden, m.ffn, m.mlpBias);
}

void routedMlp(const ModelArchitecture& m, TensorList& list)
{
    list.linear("router", "router", m.experts, m.hidden, false);
    list.linear("experts.*.gate", "experts", m.ffn, m.hidden, false, m.experts);
    list.linear("experts.*.up", "experts", m.ffn, m.hidden, false, m.experts);
    list.linear("experts.*.down", "experts", m.hidden, m.ffn, false, m.experts);
}

/// Latent attention (DeepSeek-V2): narrow maps down, wide maps up.
void latentAttention(const TransformerShape& s, TensorList& list)
{
    const LatentAttention& latent = s.latent;
    const std::int64_t queries
        = product(s.heads, latent.headDim + latent.rotaryDim, "attention.query");
    if (latent.queryRank > 0)
        list.linear("attention.query_down", "attention", latent.queryRank, s.hidden, false);
    list.linear("attention.query_up", "attention", queries,
        latent.queryRank > 0 ? latent.queryRank : s.hidden, false);
    list.linear("attention.key_value_down", "attention", latent.keyValueRank + latent.rotaryDim,
        s.hidden, false);
    list.linear("attention.key_value_up", "attention",
        product(s.heads, latent.headDim + latent.valueDim, "attention.key_value"),
        latent.keyValueRank, false);
    if (s.queryKeyNorm) {
        if (latent.queryRank > 0)
            list.norm("attention.query_norm", latent.queryRank, !s.rmsNorm);
        list.norm("attention.key_value_norm", latent.keyValueRank, !s.rmsNorm);
    }
    list.linear("attention.output", "attention", s.hidden,
        product(s.heads, latent.valueDim, "attention.output"), s.outputBias);
}

void ordinaryAttention(const TransformerShape& s, TensorList& list)
{
    list.linear("attention.query_key_value", "attention", s.queryWidth() + 2 * s.keyWidth(),
        s.hidden, s.queryBias);
    if (s.queryKeyNorm) {
        list.norm("attention.query_norm", s.headDim, !s.rmsNorm);
        list.norm("attention.key_norm", s.headDim, !s.rmsNorm);
    }
    list.linear("attention.output", "attention", s.hidden, s.queryWidth(), s.outputBias);
}

void described(const TransformerShape& s, TensorList& list)
{
    list.table("embedding", "embedding", s.vocabulary, s.hidden);
    if (s.positions > 0)
        list.table("positions", "embedding", s.positions, s.hidden);
    if (s.encoder)
        list.table("token_types", "embedding", 2, s.hidden);
    list.norm("attention_norm", s.hidden, !s.rmsNorm);
    if (s.latent.used())
        latentAttention(s, list);
    else
        ordinaryAttention(s, list);
    if (!s.sharedNorm)
        list.norm("mlp_norm", s.hidden, !s.rmsNorm);
    const std::int64_t each = std::max<std::int64_t>(1, s.experts);
    const char* group = s.experts > 0 ? "experts" : "mlp";
    if (s.experts > 0)
        list.linear("router", "router", s.experts, s.hidden, false);
    list.linear("mlp.up", group, s.firstMapWidth(), s.hidden, s.mlpBias, each);
    list.linear("mlp.down", group, s.hidden, s.ffn, s.mlpBias, each);
    list.finalNorm(!s.rmsNorm);
    if (s.encoder) { // megatron/core/models/bert: a map and a norm before the head, a pooler, a
                     // choice of two
        list.table("head.dense", "head", s.hidden, s.hidden);
        list.table("head.dense.bias", "head", s.hidden, 1);
        list.table("head.norm", "norm", s.hidden, 1);
        list.table("head.norm.bias", "norm", s.hidden, 1);
        list.table("head.bias", "head", s.vocabulary, 1);
        list.table("pooler", "head", s.hidden, s.hidden);
        list.table("pooler.bias", "head", s.hidden, 1);
        list.table("choice", "head", 2, s.hidden);
        list.table("choice.bias", "head", 2, 1);
    }
    list.head(s.hidden);
}

constexpr std::array kGroups
    = { "embedding", "attention", "mlp", "experts", "router", "norm", "head" };

} // namespace

std::int64_t TensorShape::count() const
{
    return product(product(rows, columns, name), copies, name);
}

std::vector<TensorShape> tensors(const ModelArchitecture& model)
{
    TensorList list(model);
    switch (model.shape) {
    case ModelShape::Gpt2:
        gpt2(model, list);
        break;
    case ModelShape::GptNeoX:
        gptNeoX(model, list);
        break;
    case ModelShape::Opt:
        opt(model, list);
        break;
    case ModelShape::Llama:
        llamaWith(model, list, denseMlp);
        break;
    case ModelShape::Mixtral:
        llamaWith(model, list, routedMlp);
        break;
    case ModelShape::Described:
        described(*model.described, list);
        break;
    }
    return list.take();
}

Result<ParameterCount> countParameters(const ModelArchitecture& model)
{
    return attempt([&] {
        const std::vector<TensorShape> list = tensors(model);
        ParameterCount count;
        std::int64_t routed = 0;
        for (const char* group : kGroups) {
            GroupCount part { group, 0 };
            bool exists = false;
            for (const TensorShape& tensor : list) {
                if (tensor.group != group)
                    continue;
                exists = true;
                part.parameters = sum(part.parameters, tensor.count(), tensor.name);
            }
            if (!exists)
                continue;
            count.total = sum(count.total, part.parameters, group);
            if (part.group == "experts")
                routed = part.parameters;
            count.groups.push_back(std::move(part));
        }
        // Experts are equal, so a token's share is a whole number of them.
        count.active = count.total;
        if (routed > 0)
            count.active -= routed / model.experts * (model.experts - model.expertsPerToken);
        return count;
    });
}

} // namespace shardrack
