#pragma once

#include "account/megatron/settings.h"

#include <cstdint>
#include <vector>

namespace shardrack {

/// What one chunk of a pipeline holds.
struct Chunk {
    std::int64_t layers = 0;
    bool embedding = false;
    bool head = false;
    bool operator==(const Chunk&) const = default;
};

/// The chunks of all stages: chunk c of stage r is the (c × stages + r)-th piece of the model.
struct Partition {
    std::int64_t stages = 1;
    std::int64_t chunksPerStage = 1;
    std::vector<Chunk> chunks;
    const Chunk& at(std::int64_t stage, std::int64_t chunk) const
    {
        return chunks[std::size_t(chunk * stages + stage)];
    }
};

/// Divides the layers as the framework does: evenly; with first and last stages of their own; with
/// embedding and loss counted as layers; or by a layout such as "Ett|(tt|)*6tL" (E embedding, t
/// layer, L loss, | next chunk, *n repeats). Throws Failure in words where they do not divide.
Partition partitionOf(const MegatronRun& run);

} // namespace shardrack
