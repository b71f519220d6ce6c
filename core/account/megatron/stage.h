#pragma once

#include "account/megatron/partition.h"
#include "account/megatron/settings.h"

#include <array>
#include <cstdint>
#include <vector>

namespace shardrack {

/// The blocks of a run, made once for all its stages.
struct MegatronBlocks {
    Block embedding;
    Block layer;
    Block head;
    explicit MegatronBlocks(const MegatronRun& run);
};

/// When memory that is held outside the micro-batches comes to be.
enum class Birth : std::uint8_t { Build, FirstForward, FirstBackward, FirstOptimizer };

/// Memory that, once made, is held for the whole run.
struct Lasting {
    Piece piece;
    Birth birth = Birth::Build;
};

/// One pipeline stage: what lasts, and what the schedule gives birth to.
struct MegatronStage {
    MegatronStage(const MegatronRun& run, const MegatronBlocks& blocks, const Partition& partition,
        std::int64_t stage);

    const MegatronBlocks* blocks;
    std::int64_t stage = 0;
    std::int64_t stages = 1;
    std::int64_t microBatches = 1;
    std::int64_t group = 1; ///< micro-batches a group of the interleaved schedule
    FullRecompute recompute;
    bool distributeSaved = false;
    std::vector<Chunk> chunks; ///< of this stage, first first
    std::int64_t parameters = 0; ///< on one rank of the stage, padding excluded
    std::int64_t paddedParameters = 0; ///< of the buffers that the optimizer divides

    static constexpr std::size_t kMostLasting = 24;
    std::array<Lasting, kMostLasting> lasting;
    std::size_t lastingCount = 0;
    /// A full-precision copy of 16-bit gradients: made in the optimizer step, dropped by the next
    /// step's zero_grad. No bytes: none.
    Piece mainGradients;
    /// The received input of a chunk, or its gradient, which outlive the step.
    Piece received;
    std::int64_t receivedCount = 0; ///< at rest
    std::int64_t queuedForward = 0; ///< of `received`'s size, during forwards
    std::int64_t queuedBackward = 0;
    Piece batch; ///< token numbers, labels, masks: while a forward runs, where the chunk needs them
    Piece batchWithEmbedding; ///< the same without the token numbers that the embedding keeps
    Piece sharedInput; ///< a checkpoint's input divided over tensor ranks
    /// Inputs and gradients of the head that are kept for its weight's gradient until the end.
    Piece deferred;
    std::int64_t deferredCount = 0;

    void last(const char* name, Category category, const Extent& extent, Birth birth);
};

} // namespace shardrack
