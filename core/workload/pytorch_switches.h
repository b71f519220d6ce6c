#pragma once

#include "workload/switches.h"

#include <string_view>

namespace shardrack {

/// What of training loops in PyTorch changes memory. The same switches serve every framework that
/// is built on torch; a preset (framework and era) says what they are where nobody does.
enum class TorchSwitch : std::uint8_t {
    Era,
    Parameters,
    Computation,
    Reduction,
    Autocast,
    Moments,
    OptimizerLoop,
    OptimizerInBackward,
    ZeroInPlace,
    Fsdp,
    Reshard,
    ReducesApart,
    RootGroup,
    SyncEachStep,
    BucketViews,
    Norm,
    KeepsSquares,
    KeepsSoftmaxInput,
    Attention,
    RepeatsKeys,
    ReordersOutput,
    AttentionDropout,
    HiddenDropout,
    Compile,
    SelectiveBy,
    EveryLayers,
    SavedOperators,
    Reentrant,
    Loss,
    PreviousLogits,
    TablesApart,
    SequenceParallel,
    AsyncTensor,
    ActivationOffload,
    Expandable,
    CublasWorkspace,
    Chunks,
    PipelineKeeps,
    ContextExchange,
    StageSplit,
};
constexpr std::size_t kTorchSwitchCount = 40;
constexpr std::size_t index(TorchSwitch which) { return static_cast<std::size_t>(which); }

// The values of the switches that are a choice, in the order in which they are listed.
enum class Format : std::uint8_t { Fp32, Bf16, Fp16 };
constexpr std::int64_t bytesOf(Format format) { return format == Format::Fp32 ? 4 : 2; }
enum class MomentFormat : std::uint8_t { AsParameters, Fp32, Bf16, EightBit };
enum class OptimizerLoop : std::uint8_t { Foreach, Fused, ForLoop, TensorCode, TransformersLoop };
enum class FsdpVersion : std::uint8_t { One, Two };
enum class Reshard : std::uint8_t { Default, Always, Never };
enum class RootGroup : std::uint8_t { Together, Apart };
enum class TorchNorm : std::uint8_t { Kernel, PythonFp32, PythonSame };
enum class TorchAttention : std::uint8_t { Sdpa, Eager };
enum class Compile : std::uint8_t { None, Blocks, Model };
enum class SelectiveBy : std::uint8_t { Operators, Layers };
/// What a pipeline keeps of each micro-batch to the end of the step.
enum class PipelineKeeps : std::uint8_t { Nothing, Logits, LogitsAndGradients, Everything };
/// What a pipeline's stages share as evenly as may be.
enum class StageSplit : std::uint8_t { WithTables, LayersAlone };
/// How torch's context ranks come to each other's keys and values.
enum class ContextExchange : std::uint8_t { Gathered, SentOn };
/// Ways from the last norm to the gradient of the logits: the rows of one table (pytorch/loss).
enum class LossPath : std::uint8_t {
    Eager,
    EagerKept,
    HuggingFaceKept,
    HuggingFace,
    HuggingFaceShared,
    Fabric,
    Chunked,
    CompiledFp32,
    Compiled,
    FusedKernel,
    Parallel,
    Classification
};
/// Operators whose outputs op-level recompute caches, as bits of TorchSwitch::SavedOperators.
enum SavedOperator : std::int64_t { kSavedAttention = 1, kSavedEverySecondProduct = 2 };

/// A framework at a time: what its switches are.
struct TorchPreset {
    const char* framework; ///< "torchtitan"
    const char* era; ///< "2024-06"
    const char* what; ///< "fp32 shards, eager norms, op-level recompute"
    std::vector<std::pair<TorchSwitch, std::int64_t>> values;
};
/// In order of frameworks and time.
const std::vector<TorchPreset>& torchPresets();
/// The preset of a framework that its number of Era names; the last one where nobody says.
const TorchPreset* torchPreset(std::string_view framework, std::optional<std::int64_t> era);

/// The switches of a framework that is built on torch; absent for another. They differ in nothing
/// but the eras that can be chosen.
const SwitchTable* torchTable(std::string_view framework);
/// The table's row; the same for every framework.
const SwitchInfo& info(TorchSwitch which);

} // namespace shardrack
