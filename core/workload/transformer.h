#pragma once

#include "base/json.h"

#include <cstdint>

namespace shardrack {

/// Multi-head latent attention (DeepSeek-V2, arXiv:2405.04434): queries, keys and values go through
/// narrow layers. All widths 0: ordinary attention.
struct LatentAttention {
    std::int64_t queryRank = 0; ///< 0: queries are not compressed
    std::int64_t keyValueRank = 0;
    std::int64_t headDim = 0; ///< of queries and keys, without the rotary part
    std::int64_t rotaryDim = 0;
    std::int64_t valueDim = 0;
    bool used() const { return keyValueRank > 0; }
    bool operator==(const LatentAttention&) const = default;
};

/// The dimensions of a stack of equal transformer layers, whatever a framework calls them: what the
/// operators of its layers are made from.
struct TransformerShape {
    enum class Activation { Gelu, Silu, SquaredRelu, Relu };

    std::int64_t layers = 0;
    std::int64_t hidden = 0;
    std::int64_t heads = 0; ///< query heads
    std::int64_t kvHeads = 0;
    std::int64_t headDim = 0;
    std::int64_t ffn = 0; ///< width of the MLP (of one half, where it is gated)
    std::int64_t vocabulary = 0;
    std::int64_t positions = 0; ///< rows of the learned position table; 0: none
    bool rotary = false;
    bool gated = false; ///< two first maps, one of them through the activation
    Activation activation = Activation::Gelu;
    bool rmsNorm = false; ///< else LayerNorm with a bias
    bool queryKeyNorm = false;
    bool queryBias = false; ///< of the map to queries, keys and values
    bool outputBias = false; ///< of the attention's output map
    bool mlpBias = false;
    bool tied = false; ///< the head shares the embedding
    /// Attention and MLP both read the layer's input, and their sum is added to it (GPT-J,
    /// GPT-NeoX).
    bool parallelResidual = false;
    bool sharedNorm = false; ///< both through one norm (GPT-J, phi); with parallelResidual only
    /// An encoder like BERT: token types, padding masks, a head of its own before the vocabulary, a
    /// pooler and a two-way classifier.
    bool encoder = false;
    LatentAttention latent;
    std::int64_t experts = 0; ///< 0: dense
    std::int64_t expertsPerToken = 0;

    std::int64_t queryWidth() const { return heads * headDim; }
    std::int64_t keyWidth() const { return kvHeads * headDim; }
    /// What the first map of the MLP puts out.
    std::int64_t firstMapWidth() const { return gated ? 2 * ffn : ffn; }
    bool operator==(const TransformerShape&) const = default;
};

/// Reads {"layers": 12, "hidden": 512, "heads": 8, …}; docs/plan-format.md names the members.
/// Throws Failure at the path of a size that is zero, too large, or does not divide.
TransformerShape transformerFromJson(const JsonView& view);
/// Writes what the reader reads; members at their defaults are left out.
Json toJson(const TransformerShape& shape);

} // namespace shardrack
