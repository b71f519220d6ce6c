#include "workload/pytorch_switches.h"

#include <algorithm>
#include <map>

namespace shardrack {

namespace {

using Kind = SwitchInfo::Kind;
using Needs = SwitchInfo::Needs;
using S = TorchSwitch;
constexpr std::int64_t kMillion = 1'000'000;
constexpr std::int64_t kMost = std::int64_t(1) << 30;
constexpr std::int64_t kMostChunks = 16;

std::vector<SwitchInfo> makeSwitches(std::vector<const char*> eras)
{
    const auto row = [](S which) { return index(which); };
    const std::vector<const char*> formats { "fp32", "bf16", "fp16" };
    return {
        { row(S::Era), "era", "Version of about", Kind::Choice, std::move(eras), 0, 0, 0,
            "Which release's habits the other switches follow", true },
        { row(S::Parameters), "parameters", "Parameters held in", Kind::Choice, formats, 0, 0, 0,
            "Format of parameters (of shards, where they are divided) and of the moments", true },
        { row(S::Computation), "computation", "Computation in", Kind::Choice, formats, 1, 0, 0,
            "Format of activations, gathered parameters and unreduced gradients", true },
        { row(S::Reduction), "reduction", "Gradients reduced in", Kind::Choice, formats, 0, 0, 0,
            "Format of what is reduced and scattered" },
        { row(S::Autocast), "autocast", "Autocast", Kind::Flag, {}, 0, 0, 0,
            "Whole parameters in fp32, cast for each map: the casts live until its backward" },
        { row(S::Moments), "moments", "Moments held in", Kind::Choice,
            { "as parameters", "fp32", "bf16", "8-bit" }, 0, 0, 0,
            "Format of the optimizer's state" },
        { row(S::OptimizerLoop), "optimizer_loop", "Optimizer step by", Kind::Choice,
            { "foreach", "fused", "for-loop", "tensor code", "transformers" }, 0, 0, 0,
            "foreach: one more copy of all that is stepped; for-loop: two of the largest tensor, "
            "in "
            "transformers' own one; "
            "tensor code of an 8-bit optimizer: twelve bytes an element of the largest tensor",
            true },
        { row(S::OptimizerInBackward), "optimizer_in_backward", "Optimizer in backward", Kind::Flag,
            {}, 0, 0, 0, "Each gradient is used and freed as it comes", true },
        { row(S::ZeroInPlace), "zero_in_place", "Gradients zeroed in place", Kind::Flag, {}, 0, 0,
            0, "Gradients stay allocated from the first step on" },
        { row(S::Fsdp), "fsdp", "FSDP version", Kind::Choice, { "1", "2" }, 1, 0, 0,
            "1: flat units, gathered into place; 2: a tensor each, gathered and copied out", true },
        { row(S::Reshard), "reshard_after_forward", "Reshard after forward", Kind::Choice,
            { "default", "always", "never" }, 0, 0, 0,
            "never: gathered parameters stay until backward; default: those of the last layer and "
            "of the root do",
            true },
        { row(S::ReducesApart), "reduces_in_own_pool", "Reduction's input in its own pool",
            Kind::Flag, {}, 0, 0, 0,
            "FSDP 2 of early 2024: what is reduced comes from the reduction's stream" },
        { row(S::RootGroup), "root_group", "Embedding and head", Kind::Choice,
            { "one group", "groups of their own" }, 0, 0, 0,
            "One group stays gathered for the whole step" },
        { row(S::SyncEachStep), "sync_each_micro_step", "Gradients reduced each micro-step",
            Kind::Flag, {}, 1, 0, 0, "Off: they stay whole until the last micro-step" },
        { row(S::BucketViews), "gradient_as_bucket_view", "Gradients are views of buckets",
            Kind::Flag, {}, 0, 0, 0, "DDP: off, buckets are a second copy of all gradients" },
        { row(S::Norm), "norm", "Norm", Kind::Choice,
            { "kernel", "python, fp32", "python, same format" }, 0, 0, 0,
            "In Python it keeps its input in fp32 and the normalised input" },
        { row(S::KeepsSquares), "keeps_squares", "Mean keeps its input", Kind::Flag, {}, 0, 0, 0,
            "torch up to 2.1: a norm in Python keeps the squares, too" },
        { row(S::KeepsSoftmaxInput), "keeps_softmax_input", "Softmax keeps its input", Kind::Flag,
            {}, 0, 0, 0, "torch up to 1.11" },
        { row(S::Attention), "attention", "Attention", Kind::Choice, { "sdpa", "eager" }, 0, 0, 0,
            "eager keeps the scores", true },
        { row(S::RepeatsKeys), "repeats_keys", "Key/value heads repeated", Kind::Flag, {}, 0, 0, 0,
            "Keys and values are copied for every query head" },
        { row(S::ReordersOutput), "reorders_output", "Attention output copied", Kind::Flag, {}, 0,
            0, 0, "The kernel's output has another order than the next map reads; both are kept" },
        { row(S::AttentionDropout), "attention_dropout", "Attention dropout", Kind::Fraction, {}, 0,
            0, kMillion - 1, "Above 0, eager attention keeps a mask and the dropped scores" },
        { row(S::HiddenDropout), "hidden_dropout", "Hidden dropout", Kind::Fraction, {}, 0, 0,
            kMillion - 1, "Above 0, one byte an element for each mask" },
        { row(S::Compile), "compile", "torch.compile", Kind::Choice,
            { "none", "each block", "whole model" }, 0, 0, 0,
            "Keeps what feeds a matrix product in backward, and rebuilds what is between", true },
        { row(S::SelectiveBy), "selective_by", "Selective recompute of", Kind::Choice,
            { "operators", "layers" }, 0, 0, 0, "What a recompute that is selective leaves out" },
        { row(S::EveryLayers), "every_layers", "Every so many layers", Kind::Count, {}, 2, 1, kMost,
            "Selective by layers: each n-th is recomputed whole" },
        { row(S::SavedOperators), "saved_operators", "Outputs that are kept", Kind::Set,
            { "attention", "every second product" }, kSavedAttention | kSavedEverySecondProduct, 0,
            3, "Selective by operators: what is not recomputed" },
        { row(S::Reentrant), "reentrant", "Reentrant recompute", Kind::Flag, {}, 0, 0, 0,
            "Makes the block's output again, too" },
        { row(S::Loss), "loss", "Loss", Kind::Choice,
            { "eager", "eager, logits kept", "Hugging Face, outputs kept", "Hugging Face",
                "Hugging Face, shared function", "Fabric, by chunks", "chunked head",
                "compiled, fp32 logits", "compiled", "fused kernel", "parallel", "classification" },
            0, 0, 0, "4 to 18 bytes a logit at the loss", true },
        { row(S::PreviousLogits), "previous_logits", "Last step's logits kept", Kind::Flag, {}, 0,
            0, 0, "The loop's variables live until the next forward has set them again" },
        { row(S::TablesApart), "tables_apart", "Tied tables stored twice", Kind::Flag, {}, 0, 0, 0,
            "Embedding and head are two tensors even where the model ties them" },
        { row(S::SequenceParallel), "sequence_parallel", "Sequence parallel", Kind::Flag, {}, 1, 0,
            0, "Divides what tensor parallelism leaves whole", true, Needs::Tensor },
        { row(S::AsyncTensor), "async_tensor_parallel", "Asynchronous tensor parallel", Kind::Flag,
            {}, 0, 0, 0, "Gathers along the sequence make no second copy", true, Needs::Tensor },
        { row(S::ActivationOffload), "activation_offload", "Activations offloaded", Kind::Flag, {},
            0, 0, 0, "What blocks keep is in host memory, but for two in flight" },
        { row(S::Expandable), "expandable_segments", "Expandable segments", Kind::Flag, {}, 0, 0, 0,
            "The allocator's segments grow instead of being made to measure" },
        { row(S::CublasWorkspace), "cublas_workspace_bytes", "cuBLAS workspace", Kind::Count, {}, 0,
            0, kMost, "Set by CUBLAS_WORKSPACE_CONFIG; by default the GPU's" },
        { row(S::Chunks), "stages_per_rank", "Pipeline stages a rank", Kind::Count, {}, 1, 1,
            kMostChunks, "1: one forward, one backward; more: interleaved 1F1B", true,
            Needs::Pipeline },
        // torch's pull requests 153383 (2025-05), 164329 and 165822 (2025-10).
        { row(S::PipelineKeeps), "pipeline_keeps", "Pipeline keeps to the step's end", Kind::Choice,
            { "nothing", "logits", "logits, input gradients", "all outputs, input gradients" }, 1,
            0, 0,
            "Of each micro-batch. nothing: return_outputs=False; torch kept input gradients up to "
            "October 2025, and every stage's outputs up to May 2025",
            true, Needs::Pipeline },
        { row(S::ContextExchange), "context_exchange", "Context ranks' keys and values",
            Kind::Choice, { "allgather", "alltoall" }, 0, 0, 0,
            "allgather: those of all context ranks at once; alltoall: of one rank after the "
            "other",
            true, Needs::Context },
        // torchtitan's pull request 1416 (2025-07) brought the first.
        { row(S::StageSplit), "stage_split", "Stages share", Kind::Choice,
            { "layers and tables", "layers alone" }, 0, 0, 0,
            "layers and tables: embedding and head count as a layer each; layers alone: what is "
            "left "
            "over goes to the stages in the middle",
            false, Needs::Pipeline },
    };
}

template <class Value> std::pair<S, std::int64_t> is(S which, Value value)
{
    return { which, static_cast<std::int64_t>(value) };
}

using Values = std::vector<std::pair<S, std::int64_t>>;

Values joined(Values values, const Values& more)
{
    values.insert(values.end(), more.begin(), more.end());
    return values;
}

/// Sources: reference pages of torchtitan's repository history, torchtune's recipes, litgpt's
/// scripts, transformers' Trainer and llm-foundry's FSDP settings; the commits are named where a
/// release changed something.
std::vector<TorchPreset> makePresets()
{
    const Values sharded { is(S::Parameters, Format::Fp32), is(S::Computation, Format::Bf16),
        is(S::Reduction, Format::Fp32) };
    const Values titan = joined(sharded,
        { is(S::Norm, TorchNorm::PythonFp32), is(S::RepeatsKeys, 1), is(S::Loss, LossPath::Eager),
            is(S::PipelineKeeps, PipelineKeeps::Everything),
            is(S::StageSplit, StageSplit::LayersAlone) });
    const Values titan2025 = joined(titan,
        { is(S::OptimizerLoop, OptimizerLoop::Fused), is(S::Norm, TorchNorm::Kernel),
            is(S::Expandable, 1) });
    const Values narrow { is(S::Parameters, Format::Bf16), is(S::Computation, Format::Bf16),
        is(S::Reduction, Format::Bf16) };
    const Values lit = joined(narrow,
        { is(S::Loss, LossPath::Fabric), is(S::TablesApart, 1), is(S::ReordersOutput, 1),
            is(S::SyncEachStep, 0), is(S::Fsdp, FsdpVersion::One), is(S::RepeatsKeys, 1) });
    return {
        { "torchtitan", "2024-03", "fp32 shards, norms in Python, logits in fp32 kept by the loop",
            joined(titan, { is(S::Loss, LossPath::EagerKept), is(S::ReducesApart, 1) }) },
        { "torchtitan", "2024-06", "the same, logits dropped before backward (PR 391)", titan },
        { "torchtitan", "2024-10", "the same with expandable segments (a5e57e4a9)",
            joined(titan, { is(S::Expandable, 1) }) },
        { "torchtitan", "2025-02",
            "fused AdamW (6e4988550), norm kernel (3b39d7ab0), loss compiled with the blocks",
            titan2025 },
        { "torchtitan", "2025-08",
            "stages that count embedding and head (PR 1416); pipelines keep the last stage's "
            "outputs "
            "and input gradients (pytorch PR 153383)",
            joined(titan2025,
                { is(S::PipelineKeeps, PipelineKeeps::LogitsAndGradients),
                    is(S::StageSplit, StageSplit::WithTables) }) },
        { "torchtitan", "2025-11",
            "the same; pipelines keep nothing to the step's end (pytorch PRs 164329 and 165822)",
            joined(titan2025,
                { is(S::PipelineKeeps, PipelineKeeps::Nothing),
                    is(S::StageSplit, StageSplit::WithTables) }) },
        { "torchtitan", "2026-04",
            "embedding and head apart, grouped queries in the kernel (ff0829c10), loss by chunks "
            "(786e26f8e)",
            joined(titan2025,
                { is(S::RootGroup, RootGroup::Apart), is(S::RepeatsKeys, 0),
                    is(S::Loss, LossPath::Chunked), is(S::PipelineKeeps, PipelineKeeps::Nothing),
                    is(S::StageSplit, StageSplit::WithTables) }) },
        { "torchtune", "2024-12", "all bf16, moments too; loss by chunks; blocks compiled apart",
            joined(narrow, { is(S::Loss, LossPath::Chunked), is(S::RepeatsKeys, 1) }) },
        { "pytorch-ddp", "2.x", "replicas in fp32 under autocast, buckets beside gradients",
            { is(S::Parameters, Format::Fp32), is(S::Computation, Format::Bf16), is(S::Autocast, 1),
                is(S::Loss, LossPath::Eager) } },
        { "pytorch-fsdp2", "2.x", "fp32 shards, bf16 computation, reduced in fp32",
            joined(sharded, { is(S::Loss, LossPath::Eager) }) },
        { "hf-trainer", "2022",
            "torch up to 1.11: scores and softmax kept, gradients zeroed in place, AdamW in a loop",
            { is(S::Parameters, Format::Fp32), is(S::Computation, Format::Fp32),
                is(S::Reduction, Format::Fp32), is(S::Attention, TorchAttention::Eager),
                is(S::KeepsSoftmaxInput, 1), is(S::AttentionDropout, kMillion / 10),
                is(S::HiddenDropout, kMillion / 10), is(S::ZeroInPlace, 1),
                is(S::OptimizerLoop, OptimizerLoop::TransformersLoop), is(S::Reentrant, 1),
                is(S::Loss, LossPath::HuggingFace), is(S::Norm, TorchNorm::PythonFp32),
                is(S::RepeatsKeys, 1), is(S::KeepsSquares, 1) } },
        { "hf-trainer", "2023", "bf16, SDPA, outputs dropped before backward",
            joined(narrow,
                { is(S::Norm, TorchNorm::PythonFp32), is(S::RepeatsKeys, 1),
                    is(S::Loss, LossPath::HuggingFace), is(S::Reentrant, 1),
                    is(S::Fsdp, FsdpVersion::One), is(S::SyncEachStep, 0) }) },
        { "litgpt", "2023", "torch 2.1: all bf16, norms in Python in bf16 with their squares",
            joined(lit, { is(S::Norm, TorchNorm::PythonSame), is(S::KeepsSquares, 1) }) },
        { "litgpt", "2024", "torch 2.2 on: norms in Python in fp32; last step's logits stay",
            joined(lit, { is(S::Norm, TorchNorm::PythonFp32), is(S::PreviousLogits, 1) }) },
        { "composer", "2023",
            "MPT: fp32 shards and sharded gradients, bf16 computation and reduction, fused loss",
            { is(S::Parameters, Format::Fp32), is(S::Computation, Format::Bf16),
                is(S::Reduction, Format::Bf16), is(S::Fsdp, FsdpVersion::One),
                is(S::Reshard, Reshard::Always), is(S::ReordersOutput, 1),
                is(S::OptimizerLoop, OptimizerLoop::ForLoop), is(S::Loss, LossPath::FusedKernel),
                is(S::Reentrant, 0) } },
    };
}

} // namespace

const std::vector<TorchPreset>& torchPresets()
{
    static const std::vector<TorchPreset> presets = makePresets();
    return presets;
}

const TorchPreset* torchPreset(std::string_view framework, std::optional<std::int64_t> era)
{
    const TorchPreset* last = nullptr;
    std::int64_t number = 0;
    for (const TorchPreset& preset : torchPresets())
        if (framework == preset.framework) {
            last = &preset;
            if (era && number++ == *era)
                return &preset;
        }
    return last;
}

const SwitchTable* torchTable(std::string_view framework)
{
    static const std::map<std::string, SwitchTable, std::less<>> tables = [] {
        std::map<std::string, std::vector<const char*>> eras;
        for (const TorchPreset& preset : torchPresets())
            eras[preset.framework].push_back(preset.era);
        std::map<std::string, SwitchTable, std::less<>> made;
        for (auto& [name, list] : eras)
            made[name] = { "pytorch", "PyTorch", makeSwitches(list) };
        return made;
    }();
    const auto found = tables.find(framework);
    return found == tables.end() ? nullptr : &found->second;
}

const SwitchInfo& info(TorchSwitch which)
{
    return torchTable("torchtitan")->switches[index(which)];
}

} // namespace shardrack
