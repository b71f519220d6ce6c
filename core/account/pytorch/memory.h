#pragma once

#include "account/pytorch/stage.h"
#include "account/sinks.h"
#include "trace/step_trace.h"

#include <memory>

namespace shardrack {

/// The peaks of one rank.
struct TorchPeaks {
    PeakPair peaks; ///< the largest moment and the largest of another phase
    std::vector<Peak> byPhase; ///< the largest of every phase, in order of time
    CategoryBytes rest {}; ///< held between steps
};

/// Numbers of one pipeline stage of a run. Blocks and measured stretches are made once.
class TorchMemory {
public:
    /// `without`: bits of categories that a person gave as a whole.
    explicit TorchMemory(
        const TorchRun& run, std::uint32_t without = 0, std::int64_t pipelineStage = 0);
    TorchMemory(const TorchMemory&) = delete;
    TorchMemory& operator=(const TorchMemory&) = delete;

    const TorchStage& stage() const { return m_stage; }
    /// Build, first and steady step.
    TorchPeaks peaks();
    /// The steady step's peak alone, for search.
    Peak steadyPeak();
    /// Sum over the streams of the most that each held: what the allocator's pools need.
    Bytes pools() const;
    /// Events with the piece that each tensor is; the pieces live as long as this.
    NamedTrace trace() const;

private:
    TorchBlocks m_blocks;
    TorchStage m_stage;
    StretchCache m_cache;
    std::uint32_t m_without;
};

} // namespace shardrack
