#pragma once

#include "account/pytorch/settings.h"

namespace shardrack {

/// The blocks of a run, made once. Layers may compute in another way (compiled) than the rest.
struct TorchBlocks {
    /// Operators of a layer whose outputs op-level recompute caches, as bits.
    std::uint32_t cached = 0; // before the layer, which fills it
    Block embedding;
    Block layer;
    Block head; ///< last norm, map to the vocabulary, loss; or a classifier
    explicit TorchBlocks(const TorchRun& run);
};

/// Whether the blocks of two runs are the same, and what forward and backward make of them: where
/// nothing differs but ranks that divide or copy the state, stages, and micro-steps.
bool sameBlocks(const TorchRun& a, const TorchRun& b);

} // namespace shardrack
