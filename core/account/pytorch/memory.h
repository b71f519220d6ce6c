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

/// The blocks of a run, and what has been measured of them: all that its stages have in common, and
/// that runs have which differ only in who divides the state (sameBlocks).
struct TorchMeasured {
    explicit TorchMeasured(const TorchRun& run)
        : blocks(run)
    {
    }
    TorchBlocks blocks;
    StretchCache stretches;
};

/// Numbers of one pipeline stage of a run. Blocks and measured stretches are made once.
class TorchMemory {
public:
    /// `without`: bits of categories that a person gave as a whole; the same for all who share
    /// `measured`, which is made anew where there is none.
    explicit TorchMemory(const TorchRun& run, std::uint32_t without = 0,
        std::int64_t pipelineStage = 0, std::shared_ptr<TorchMeasured> measured = nullptr);
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
    std::shared_ptr<TorchMeasured> m_measured;
    TorchStage m_stage;
    StretchCache m_cache;
    std::uint32_t m_without;
};

} // namespace shardrack
