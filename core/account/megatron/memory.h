#pragma once

#include "account/megatron/stage.h"
#include "account/sinks.h"
#include "trace/step_trace.h"

#include <memory>
#include <optional>
#include <vector>

namespace shardrack {

/// The peaks of one rank of a pipeline stage.
struct StageMemory {
    PeakPair peaks; ///< the largest moment and the largest of another phase
    std::vector<Peak> byPhase; ///< the largest of every phase, in order of time
    CategoryBytes rest {}; ///< held between steps
    std::int64_t parameters = 0; ///< without padding
};

/// All stages of a run. Blocks, partition and measured stretches are made once and shared.
class MegatronMemory {
public:
    /// Throws Failure where the layers do not divide or a size leaves 64 bits.
    /// `without`: bits of categories that a person gave as a whole, so that nothing of them is
    /// derived.
    explicit MegatronMemory(const MegatronRun& run, std::uint32_t without = 0);
    MegatronMemory(const MegatronMemory&) = delete;
    MegatronMemory& operator=(const MegatronMemory&) = delete;

    std::int64_t stages() const { return m_partition.stages; }
    const Partition& partition() const { return m_partition; }
    const MegatronBlocks& blocks() const { return *m_blocks; }
    MegatronStage stage(std::int64_t number) const;
    /// Build, first and steady step.
    StageMemory memory(std::int64_t stage);
    /// The steady step's peak alone, for search: as memory(), in half the time.
    Peak steadyPeak(std::int64_t stage);

private:
    MegatronRun m_run;
    std::unique_ptr<const MegatronBlocks> m_blocks; ///< stages point to it
    Partition m_partition;
    /// A stage like the one asked for last where only its place differs; made anew where not.
    const MegatronStage& known(std::int64_t number);

    std::unique_ptr<class StretchCache> m_cache;
    std::unique_ptr<MegatronStage> m_known;
    std::uint32_t m_without = 0;

public:
    ~MegatronMemory();
};

/// Events of one stage; the pieces live as long as `memory` and `stage`.
NamedTrace namedTrace(const MegatronStage& stage, std::uint32_t without = 0);

} // namespace shardrack
