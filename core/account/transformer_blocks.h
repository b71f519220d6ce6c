#pragma once

#include "account/block.h"
#include "workload/transformer.h"

namespace shardrack {

/// One micro-batch on one rank.
struct BatchShape {
    std::int64_t microBatch = 1; ///< sequences
    std::int64_t sequence = 0; ///< tokens of a whole sequence
    std::int64_t context = 1; ///< ranks that divide each sequence
    /// Checked: throws Failure beyond 64 bits.
    std::int64_t tokens() const { return (Bytes(microBatch) * (sequence / context)).count(); }
    std::int64_t pairs() const; ///< micro-batch × sequence², checked
};

/// What selective recompute drops of a layer.
struct SelectiveRecompute {
    bool attention = false;
    bool norms = false; ///< outputs of norms that are modules of their own
    bool latentUp = false;
    bool mlp = false;
};

/// Which norms are part of the map after them, so that nothing drops their output alone.
struct LayerStyle {
    bool fusedNorms = true; ///< Transformer Engine's norm-and-map
    bool rotatesToCopies = false; ///< rotated queries and keys are tensors of their own
};

// The three blocks that every decoder and encoder is made of; sizes are one rank's.
Block embeddingBlock(const TransformerShape& shape, const Kernels& kernels, const BatchShape& batch,
    std::int64_t vocabulary);
Block layerBlock(const TransformerShape& shape, const Kernels& kernels, const BatchShape& batch,
    const LayerStyle& style, const SelectiveRecompute& recompute);
/// Final norm, map to the vocabulary and loss. `ownTable`: the weight is not the embedding's.
Block headBlock(const TransformerShape& shape, const Kernels& kernels, const BatchShape& batch,
    std::int64_t vocabulary, bool ownTable);

} // namespace shardrack
