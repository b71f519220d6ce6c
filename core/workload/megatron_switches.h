#pragma once

#include "base/json.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

struct SwitchInfo {
    enum class Kind {
        Flag, ///< false or true
        Choice, ///< one of `choices`
        Set, ///< any of `choices`, as bits
        Count, ///< a whole number in [least, most]
        Fraction, ///< [0, 1), in millionths
        Version, ///< "2.11" as 2011
        Text
    };
    Switch which;
    const char* key; ///< in a plan's recipe: "implementation"
    const char* title; ///< for people: "Layer implementation"
    Kind kind;
    std::vector<const char*> choices;
    std::int64_t usual; ///< the training script's default; 0 where it is derived
    std::int64_t least = 0;
    std::int64_t most = 0;
    const char* what = ""; ///< what it does to memory, and how a derived default follows
    bool primary = false; ///< shown first; the others on demand
};
/// In the order of Switch.
const std::vector<SwitchInfo>& megatronSwitches();
const SwitchInfo& info(Switch which);

/// The switches that somebody gave; the rest follow from defaults.
struct MegatronSwitches {
    std::array<std::optional<std::int64_t>, kSwitchCount> given;
    std::string pipelineLayout; ///< of Switch::PipelineLayout, whose number is then 1

    std::optional<std::int64_t> get(Switch which) const { return given[index(which)]; }
    void set(Switch which, std::int64_t value) { given[index(which)] = value; }
    bool none() const;
    bool operator==(const MegatronSwitches&) const = default;
};

/// Reads the plan's {"implementation": "te", …}. Throws Failure at the path of a switch that is not
/// known or a value that it cannot have.
MegatronSwitches switchesFromJson(const JsonView& view);
/// Writes what was given, in the order of the table.
Json toJson(const MegatronSwitches& switches);
/// "te", "on", "0.1", "core_attn, mlp", "2.11": a value for people.
std::string valueText(const SwitchInfo& info, std::int64_t value, const std::string& text = {});

} // namespace shardrack
