#pragma once

#include "account/refusal.h"
#include "account/transformer_blocks.h"
#include "workload/megatron_switches.h"
#include "workload/recipe.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace shardrack {

/// All switches, resolved for one workload and one kind of GPU.
struct MegatronSettings {
    std::array<Setting, kSwitchCount> all;
    std::string pipelineLayout;

    std::int64_t operator[](Switch which) const { return all[index(which)].value; }
    bool on(Switch which) const { return (*this)[which] != 0; }
};

/// Resolves every switch: what was given, else what the framework, the GPU (`architecture`: 90 for
/// compute capability 9.0, 0: not known) or other switches make of it.
MegatronSettings resolveSwitches(const MegatronSwitches& given, int architecture);

/// Degrees of one job, as far as memory goes by them.
struct MegatronDegrees {
    std::int64_t tensor = 1;
    std::int64_t context = 1;
    std::int64_t pipeline = 1;
    std::int64_t data = 1; ///< data-parallel ranks, context not counted
};

/// Full recompute, as the schedule has to know it.
struct FullRecompute {
    enum class Kind : std::uint8_t { None, Uniform, Block };
    Kind kind = Kind::None;
    std::int64_t layers = 1; ///< of a unit, or of a chunk
};

/// Everything that decides the memory of a Megatron run, but the hardware.
struct MegatronRun {
    TransformerShape shape;
    MegatronSettings settings;
    MegatronDegrees degrees;
    int architecture = 0;
    std::int64_t microBatch = 1;
    std::int64_t sequence = 0;
    std::int64_t microBatches = 1; ///< of one data-parallel rank and step
    std::string recompute; ///< "none", "selective", "full"; empty: none

    bool local() const;
    std::int64_t elementBytes() const;
    std::int64_t gradientBytes() const;
    bool distributedOptimizer() const;
    /// Ranks that divide the optimizer state.
    std::int64_t optimizerRanks() const;
    std::int64_t paddedVocabulary() const;
    FullRecompute fullRecompute() const;
};

/// The rules' switches for this run.
Kernels kernelsOf(const MegatronRun& run);
LayerStyle layerStyleOf(const MegatronRun& run);
SelectiveRecompute selectiveOf(const MegatronRun& run);
BatchShape batchOf(const MegatronRun& run);

/// All that this run breaks.
std::vector<Refusal> refusals(const MegatronRun& run);
/// Throws Failure with the first refusal that leaves nothing to compute.
void refuse(const MegatronRun& run);

} // namespace shardrack
