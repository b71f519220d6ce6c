#pragma once

#include "account/pytorch/blocks.h"

#include <array>
#include <cstdint>
#include <vector>

namespace shardrack {

/// What is gathered, and whose gradients are reduced, at one time: a layer, or the root. Without
/// FSDP it has no pieces that anybody uses.
struct TorchUnit {
    Piece cast; ///< the rank's shard in the format that computes; no bytes: it has that already
    Piece gathered; ///< what the all-gather writes: FSDP 1 computes with it
    Piece unsharded; ///< FSDP 2: parameters copied out
    Piece flat; ///< FSDP 1: the gradients in one tensor
    Piece wide; ///< FSDP 1: the same in the format that reduces; FSDP 2: the reduction's input
    Piece sharded; ///< what the reduction leaves: the rank's gradients
    Piece accumulated; ///< whole gradients that wait for the last micro-step
    std::int64_t elements = 0; ///< with padding
};

/// When memory that is held outside the micro-steps comes to be.
enum class TorchBirth : std::uint8_t { Build, FirstForward, FirstBackward, FirstOptimizer };

struct TorchLasting {
    Piece piece;
    TorchBirth birth = TorchBirth::Build;
    std::int64_t perWeight = 0; ///< so many tensors for each weight, in truth; 0: it is one
};

/// Consecutive layers on one rank: one of the pipeline's stages.
struct TorchChunk {
    std::int64_t layers = 0;
    bool hasEmbedding = true;
    bool hasHead = true;
};

/// Equal pieces, one for each micro-batch of a step and each chunk that has it; none: count 0.
struct TorchRepeated {
    Piece piece;
    std::int64_t count = 0;
};

/// What one rank of such a run holds, and in which order.
struct TorchStage {
    TorchStage(const TorchRun& run, const TorchBlocks& blocks, std::int64_t number = 0);

    /// Parameters that were gathered stay for all micro-batches of a step.
    bool holdsAcross() const
    {
        return sharding == TorchSharding::Fsdp2 && stages > 1 && keepsGathered;
    }

    const TorchBlocks* blocks;
    std::int64_t number = 0; ///< of the pipeline's ranks
    std::int64_t stages = 1; ///< so many ranks
    std::vector<TorchChunk> chunks; ///< in the order of their layers
    std::int64_t perRound = 1; ///< micro-batches of a chunk before the next one's turn
    bool hasEmbedding = true; ///< in one of the chunks
    bool hasHead = true;
    TorchSharding sharding;
    TorchRecompute recompute;
    std::int64_t layers = 0; ///< of all chunks
    std::int64_t microSteps = 1;
    std::int64_t parameters = 0; ///< on one rank, undivided
    std::int64_t paddedParameters = 0; ///< on one rank, undivided, with the padding of the shards
    std::int64_t shards = 1;

    TorchUnit root; ///< embedding, last norm and head, where they are one group
    TorchUnit embedding;
    TorchUnit layer;
    TorchUnit head;
    bool rootTogether = true;
    bool keepsGathered = false; ///< no unit is resharded before its backward
    bool keepsLast = true; ///< the last layer is not
    bool syncs = true; ///< each micro-step reduces
    bool inBackward = false; ///< the optimizer
    bool zeroInPlace = false;
    bool reentrant = false;
    bool offloads = false; ///< inputs of recomputed layers
    bool tied = false;

    static constexpr std::size_t kMostLasting = 16;
    FixedList<TorchLasting, kMostLasting> lasting;
    /// Autocast's copies of a recomputed layer's weights, in its cache until forward ends.
    Piece castsOfLayer;
    Piece stepTemporary; ///< while the optimizer steps
    Piece stepLayerTemporary; ///< in backward: of the largest tensor of a layer
    Piece stepTableTemporary; ///< and of the embedding or head
    Piece previousLogits; ///< of the step before, until the next forward has made new ones
    Piece batch;

    // Between the stages of a pipeline.
    Piece received; ///< a micro-batch's input from another stage
    TorchRepeated inputBuffers; ///< for what will be received
    TorchRepeated gradientBuffers;
    TorchRepeated keptOutputs; ///< to the step's end: sent already
    TorchRepeated keptGradients; ///< of inputs, sent already
    TorchRepeated keptLogits; ///< to be returned
    Piece mergedLogits; ///< what is returned

private:
    void findPipelinePieces(const TorchRun& run);
};

/// Layers of each stage: as even as may be, embedding and head counting as a layer each (torchtitan
/// from its pull request 1416 on), or the layers alone, of which the stages in the middle take what
/// is left over (its generate_split_points before).
std::vector<std::int64_t> layersOfStages(
    std::int64_t layers, std::int64_t stages, StageSplit split = StageSplit::WithTables);

} // namespace shardrack
