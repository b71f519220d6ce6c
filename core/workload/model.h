#pragma once

#include "base/json.h"
#include "base/result.h"
#include "workload/transformer.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shardrack {

/// The shapes of model that can be counted exactly. Families that share a shape share a value.
enum class ModelShape {
    Gpt2, ///< learned positions, LayerNorm with bias, biases, tied head
    GptNeoX, ///< rotary, LayerNorm with bias, biases, untied head unless said
    Opt, ///< learned positions (+2 rows), biases, optional projection in and out
    Llama, ///< RMSNorm, gated MLP, grouped queries; optional biases and query/key norms
    Mixtral, ///< Llama with routed experts
    Described ///< any stack of equal layers that was given by its dimensions
};

/// Dimensions of a model, as read from its description; later layers build operator lists from
/// them.
struct ModelArchitecture {
    std::string name; ///< file or preset name
    std::string family; ///< the model_type of the description: "llama", "qwen2", …
    ModelShape shape = ModelShape::Llama;
    std::int64_t layers = 0;
    std::int64_t hidden = 0;
    std::int64_t heads = 0; ///< query heads
    std::int64_t kvHeads = 0;
    std::int64_t headDim = 0;
    std::int64_t ffn = 0; ///< MLP width (of one expert for Mixtral)
    std::int64_t vocabulary = 0;
    std::int64_t positions = 0; ///< rows of the learned position table (OPT: + 2); 0: none
    std::int64_t embeddingWidth = 0; ///< OPT's word_embed_proj_dim; else = hidden
    bool tied = false; ///< head shares the embedding
    bool attentionBias = false; ///< q, k, v
    bool outputBias = false; ///< attention output
    bool mlpBias = false;
    bool queryKeyNorm = false; ///< one norm of headDim for queries and one for keys a layer
    bool parallelResidual = false; ///< changes no count
    bool finalNorm = true;
    bool normWeights = true; ///< false: norms without learned weights (OPT's option)
    std::int64_t experts = 0; ///< 0: dense
    std::int64_t expertsPerToken = 0;
    std::optional<TransformerShape> described; ///< with ModelShape::Described; the rest repeats it
    bool operator==(const ModelArchitecture&) const = default;
};

/// The model of a shape that was given by its dimensions.
ModelArchitecture describedModel(const TransformerShape& shape, std::string name);
/// The dimensions that operators are made from; absent for a model whose layers are of another kind
/// (OPT with projections).
std::optional<TransformerShape> transformerShape(const ModelArchitecture& model);

/// One named tensor, or `copies` equal ones (one a layer, say).
struct TensorShape {
    std::string name; ///< "layers.*.attention.query"; a bias ends in ".bias"
    std::string group; ///< "embedding" "attention" "mlp" "experts" "router" "norm" "head"
    std::int64_t rows = 0; ///< first dimension as stored (GPT-2 stores its matrices transposed)
    std::int64_t columns = 1; ///< 1: a vector
    std::int64_t copies = 1;
    std::int64_t count() const; ///< rows × columns × copies, checked
};

struct GroupCount {
    std::string group;
    std::int64_t parameters = 0;
    bool operator==(const GroupCount&) const = default;
};

/// Exact parameter counts. Tied heads are counted once; buffers are not parameters.
struct ParameterCount {
    std::int64_t total = 0;
    std::int64_t active
        = 0; ///< a token's: all non-expert parameters + top-k/experts of the routed ones
    std::vector<GroupCount>
        groups; ///< only groups that exist, in the order listed at TensorShape::group
    bool operator==(const ParameterCount&) const = default;
};

struct ModelReading {
    ModelArchitecture architecture;
    std::vector<std::string> warnings; ///< what was assumed, odd or ignored
};

/// Reads a Hugging Face config.json. A family that cannot be counted exactly is refused by name
/// ("model type \"t5\" is not supported yet"), and so is a description of a known family with a key
/// that may change the count in a way that is not known. Errors carry the JSON path.
Result<ModelReading> readModelConfig(const Json& config, const std::string& name);
/// The same from text (safe parsing first).
Result<ModelReading> readModelConfig(std::string_view text, const std::string& name);

/// Every parameter tensor of the model. The sum of the counts is the total. Throws Failure when a
/// dimension leaves the 64-bit range; a model that readModelConfig returned never does.
std::vector<TensorShape> tensors(const ModelArchitecture& model);
/// Failure-free count; overflow is reported as an Error.
Result<ParameterCount> countParameters(const ModelArchitecture& model);

/// A model shipped with the program, by preset name ("llama-3-8b"); absent when unknown.
std::optional<ModelArchitecture> modelPreset(std::string_view name);
std::vector<std::string> modelPresetNames();

} // namespace shardrack
