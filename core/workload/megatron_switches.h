#pragma once

#include "workload/switches.h"

namespace shardrack {

/// What of Megatron-LM's many arguments changes memory. One table (megatronSwitches) says for each
/// how it is written, what it can be and what the training script takes where nobody says; plans,
/// argument lists and the window all go by it.
enum class Switch : std::uint8_t {
    Implementation,
    Precision,
    GradientBuffer,
    DistributedOptimizer,
    OptimizerInstances,
    MasterBytes,
    FirstMomentBytes,
    SecondMomentBytes,
    PadBuckets,
    GradientFusion,
    Deterministic,
    Attention,
    MaskedSoftmaxFusion,
    AttentionDropout,
    HiddenDropout,
    SequenceParallel,
    VocabularyDivisor,
    CrossEntropy,
    DeferredHeadGradients,
    DeferralLimit,
    AttentionMask,
    RopeFusion,
    RecomputeMethod,
    RecomputeLayers,
    RecomputeModules,
    DistributeSaved,
    VirtualStages,
    MicroBatchGroup,
    FirstStageLayers,
    LastStageLayers,
    CountEmbedding,
    CountLoss,
    PipelineLayout,
    ContextCommunication,
    TransformerEngine,
    CublasWorkspace,
};
constexpr std::size_t kSwitchCount = 36;
constexpr std::size_t index(Switch which) { return static_cast<std::size_t>(which); }

// The values of the switches that are a choice, in the order in which they are listed.
enum class Implementation : std::uint8_t { TransformerEngine, Local };
enum class Precision : std::uint8_t { Bf16, Fp16, Fp32 };
enum class GradientBuffer : std::uint8_t { Auto, Fp32, SixteenBit };
enum class AttentionKernel : std::uint8_t { Auto, Flash, Fused, Unfused };
enum class CrossEntropyKind : std::uint8_t { Plain, Native, TransformerEngine };
enum class RecomputeMethod : std::uint8_t { Uniform, Block };
enum class ContextCommunication : std::uint8_t { PointToPoint, AllToAll, Hierarchical, AllGather };

/// Modules that selective recompute can name, as bits of Switch::RecomputeModules.
enum RecomputeModule : std::int64_t {
    kRecomputeCoreAttention = 1,
    kRecomputeLayerNorm = 2,
    kRecomputeLatentUp = 4,
    kRecomputeMlp = 8,
    kRecomputeExpertActivation = 16,
    kRecomputeExperts = 32,
    kRecomputeSharedExperts = 64
};

/// In the order of Switch.
const SwitchTable& megatronTable();
inline const std::vector<SwitchInfo>& megatronSwitches() { return megatronTable().switches; }
const SwitchInfo& info(Switch which);

using MegatronSwitches = SwitchValues;

} // namespace shardrack
