#include "workload/transformer.h"

#include "base/utf8.h"
#include "workload/model.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace shardrack {

namespace {

/// Wider or deeper than any model; products of three of them stay within 64 bits.
constexpr std::int64_t kMostWidth = std::int64_t(1) << 20;
constexpr std::int64_t kMostVocabulary = std::int64_t(1) << 26;

using Activation = TransformerShape::Activation;
constexpr std::array<std::pair<Activation, const char*>, 4> kActivations { {
    { Activation::Gelu, "gelu" },
    { Activation::Silu, "silu" },
    { Activation::SquaredRelu, "squared-relu" },
    { Activation::Relu, "relu" },
} };

Activation activationFromJson(const JsonView& view)
{
    const std::string text = view.string();
    for (const auto& [activation, name] : kActivations)
        if (text == name)
            return activation;
    view.fail("is \"" + shortened(text) + '"', "\"gelu\", \"silu\", \"squared-relu\" or \"relu\"");
}

/// The width of one head where nobody says: hidden ÷ heads, which has to be whole.
std::int64_t usualHeadDim(const JsonView& view, const TransformerShape& shape)
{
    if (shape.hidden % shape.heads != 0)
        view.at("heads").fail("is " + std::to_string(shape.heads) + ", which does not divide "
                + std::to_string(shape.hidden),
            "a divisor of hidden, or head_dim");
    return shape.hidden / shape.heads;
}

LatentAttention latentFromJson(const JsonView& view)
{
    const auto width = [&](const char* key) { return view.at(key).integer(1, kMostWidth); };
    LatentAttention latent { 0, width("key_value_rank"), width("head_dim"), width("rotary_dim"),
        width("value_dim") };
    if (const auto rank = view.find("query_rank"))
        latent.queryRank = rank->integer(0, kMostWidth);
    return latent;
}

} // namespace

TransformerShape transformerFromJson(const JsonView& view)
{
    view.expectObject();
    TransformerShape shape;
    const auto required = [&](const char* key) { return view.at(key).integer(1, kMostWidth); };
    const auto optional = [&](const char* key, std::int64_t otherwise, std::int64_t least) {
        const auto member = view.find(key);
        return member ? member->integer(least, kMostWidth) : otherwise;
    };
    const auto flag = [&](const char* key, bool otherwise) {
        const auto member = view.find(key);
        return member ? member->boolean() : otherwise;
    };
    shape.layers = required("layers");
    shape.hidden = required("hidden");
    shape.heads = required("heads");
    shape.kvHeads = optional("kv_heads", shape.heads, 1);
    if (shape.heads % shape.kvHeads != 0)
        view.at("kv_heads")
            .fail("is " + std::to_string(shape.kvHeads) + ", which does not divide "
                    + std::to_string(shape.heads) + " heads",
                "a divisor of heads");
    if (const auto latent = view.find("latent"))
        shape.latent = latentFromJson(*latent);
    shape.headDim = view.has("head_dim") ? required("head_dim")
        : shape.latent.used()            ? shape.latent.headDim + shape.latent.rotaryDim
                                         : usualHeadDim(view, shape);
    shape.ffn = optional("ffn", 4 * shape.hidden, 1);
    shape.vocabulary = view.at("vocabulary").integer(1, kMostVocabulary);
    shape.positions = view.has("positions") ? view.at("positions").integer(0, kMostVocabulary) : 0;
    shape.rotary = flag("rotary", false);
    shape.gated = flag("gated", false);
    if (const auto activation = view.find("activation"))
        shape.activation = activationFromJson(*activation);
    shape.rmsNorm = flag("rms_norm", false);
    shape.queryKeyNorm = flag("query_key_norm", false);
    shape.queryBias = flag("query_bias", false);
    shape.outputBias = flag("output_bias", false);
    shape.mlpBias = flag("mlp_bias", false);
    shape.tied = flag("tied", false);
    shape.encoder = flag("encoder", false);
    shape.parallelResidual = flag("parallel_residual", false);
    shape.sharedNorm = flag("shared_norm", false);
    if (shape.sharedNorm && !shape.parallelResidual)
        view.at("shared_norm").fail("is true without parallel_residual", "both, or neither");
    shape.experts = optional("experts", 0, 0);
    shape.expertsPerToken = optional("experts_per_token", 0, 0);
    return shape;
}

Json toJson(const TransformerShape& shape)
{
    Json json = { { "layers", shape.layers }, { "hidden", shape.hidden }, { "heads", shape.heads },
        { "kv_heads", shape.kvHeads }, { "head_dim", shape.headDim }, { "ffn", shape.ffn },
        { "vocabulary", shape.vocabulary } };
    const auto count = [&](const char* key, std::int64_t value) {
        if (value != 0)
            json[key] = value;
    };
    const auto flag = [&](const char* key, bool value) {
        if (value)
            json[key] = true;
    };
    count("positions", shape.positions);
    flag("rotary", shape.rotary);
    flag("gated", shape.gated);
    if (shape.activation != Activation::Gelu)
        json["activation"] = kActivations[static_cast<std::size_t>(shape.activation)].second;
    flag("rms_norm", shape.rmsNorm);
    flag("query_key_norm", shape.queryKeyNorm);
    flag("query_bias", shape.queryBias);
    flag("output_bias", shape.outputBias);
    flag("mlp_bias", shape.mlpBias);
    flag("tied", shape.tied);
    flag("encoder", shape.encoder);
    flag("parallel_residual", shape.parallelResidual);
    flag("shared_norm", shape.sharedNorm);
    if (const LatentAttention& latent = shape.latent; latent.used())
        json["latent"] = { { "query_rank", latent.queryRank },
            { "key_value_rank", latent.keyValueRank }, { "head_dim", latent.headDim },
            { "rotary_dim", latent.rotaryDim }, { "value_dim", latent.valueDim } };
    count("experts", shape.experts);
    count("experts_per_token", shape.expertsPerToken);
    return json;
}

ModelArchitecture describedModel(const TransformerShape& shape, std::string name)
{
    ModelArchitecture model;
    model.name = std::move(name);
    model.family = "transformer";
    model.shape = ModelShape::Described;
    model.layers = shape.layers;
    model.hidden = shape.hidden;
    model.heads = shape.heads;
    model.kvHeads = shape.kvHeads;
    model.headDim = shape.headDim;
    model.ffn = shape.ffn;
    model.vocabulary = shape.vocabulary;
    model.positions = shape.positions;
    model.embeddingWidth = shape.hidden;
    model.tied = shape.tied;
    model.attentionBias = shape.queryBias;
    model.outputBias = shape.outputBias;
    model.mlpBias = shape.mlpBias;
    model.queryKeyNorm = shape.queryKeyNorm;
    model.parallelResidual = shape.parallelResidual;
    model.experts = shape.experts;
    model.expertsPerToken = shape.expertsPerToken;
    model.described = shape;
    return model;
}

std::optional<TransformerShape> transformerShape(const ModelArchitecture& model)
{
    if (model.described)
        return model.described;
    const bool projected = model.embeddingWidth != 0 && model.embeddingWidth != model.hidden;
    if (projected || !model.normWeights || !model.finalNorm)
        return std::nullopt;
    TransformerShape shape;
    shape.layers = model.layers;
    shape.hidden = model.hidden;
    shape.heads = model.heads;
    shape.kvHeads = model.kvHeads;
    shape.headDim = model.headDim;
    shape.ffn = model.ffn;
    shape.vocabulary = model.vocabulary;
    shape.positions = model.positions;
    shape.queryKeyNorm = model.queryKeyNorm;
    shape.queryBias = model.attentionBias;
    shape.outputBias = model.outputBias;
    shape.mlpBias = model.mlpBias;
    shape.tied = model.tied;
    shape.experts = model.experts;
    shape.expertsPerToken = model.expertsPerToken;
    switch (model.shape) {
    case ModelShape::Gpt2: // its maps always have biases
        shape.queryBias = shape.outputBias = shape.mlpBias = true;
        break;
    case ModelShape::GptNeoX:
        shape.rotary = true;
        shape.parallelResidual = model.parallelResidual;
        break;
    case ModelShape::Opt:
        shape.activation = TransformerShape::Activation::Relu;
        break;
    case ModelShape::Llama:
    case ModelShape::Mixtral:
        shape.rotary = shape.gated = shape.rmsNorm = true;
        shape.activation = TransformerShape::Activation::Silu;
        break;
    case ModelShape::Described:
        break;
    }
    return shape;
}

} // namespace shardrack
