#include "workload/megatron_switches.h"

namespace shardrack {

namespace {

using Kind = SwitchInfo::Kind;
using Needs = SwitchInfo::Needs;
constexpr std::int64_t kMillion = 1'000'000;
constexpr std::int64_t kMost = std::int64_t(1) << 30;

std::vector<SwitchInfo> makeTable()
{
    // Defaults: megatron/training/arguments.py and core/transformer/transformer_config.py of
    // Megatron-LM, 2026-08. `what` names the terms that a switch moves.
    return {
        { index(Switch::Implementation), "implementation", "Layer implementation", Kind::Choice,
            { "te", "local" }, 0, 0, 0,
            "Transformer Engine or Megatron's own layers: who keeps what, workspaces, buffers",
            true },
        { index(Switch::Precision), "precision", "Precision", Kind::Choice,
            { "bf16", "fp16", "fp32" }, 0, 0, 0,
            "Bytes of weights and activations; fp16 keeps gradients in 16 bits", true },
        { index(Switch::GradientBuffer), "gradient_buffer", "Gradient buffer", Kind::Choice,
            { "auto", "fp32", "16-bit" }, 0, 0, 0,
            "Format of the gradient buffer; auto: fp32 with bf16, 16 bits with fp16" },
        { index(Switch::DistributedOptimizer), "distributed_optimizer", "Distributed optimizer",
            Kind::Flag, {}, 0, 0, 0, "Divides master copy and moments over the data-parallel ranks",
            true },
        { index(Switch::OptimizerInstances), "optimizer_instances", "Optimizer instances",
            Kind::Count, {}, 1, 1, kMost, "Groups within which the optimizer is divided" },
        { index(Switch::MasterBytes), "master_bytes", "Bytes of a master weight", Kind::Count, {},
            4, 0, 4, "Width of the full-precision copy (precision-aware optimizer: 2)" },
        { index(Switch::FirstMomentBytes), "first_moment_bytes", "Bytes of a first moment",
            Kind::Count, {}, 4, 0, 4,
            "Width of the first moment (precision-aware optimizer: 2 or 1)" },
        { index(Switch::SecondMomentBytes), "second_moment_bytes", "Bytes of a second moment",
            Kind::Count, {}, 4, 0, 4,
            "Width of the second moment (precision-aware optimizer: 2 or 1)" },
        { index(Switch::PadBuckets), "pad_buckets", "Pad buckets for bus bandwidth", Kind::Flag, {},
            0, 0, 0, "Pads the ends of gradient buckets to 65,536 elements" },
        { index(Switch::GradientFusion), "gradient_accumulation_fusion", "Weight gradients fused",
            Kind::Flag, {}, 1, 0, 0,
            "Weight gradients go straight into the buffer; leaves one dummy for each weight shape",
            true },
        { index(Switch::Deterministic), "deterministic", "Deterministic mode", Kind::Flag, {}, 0, 0,
            0, "Two 32 MiB cuBLAS workspaces, and restricts the attention kernel" },
        { index(Switch::Attention), "attention", "Attention kernel", Kind::Choice,
            { "auto", "flash", "fused", "unfused" }, 0, 0, 0,
            "Unfused keeps the scores; flash copies its output where the micro-batch is above 1",
            true },
        { index(Switch::MaskedSoftmaxFusion), "masked_softmax_fusion", "Masked softmax fused",
            Kind::Flag, {}, 1, 0, 0, "Off: unfused attention keeps its softmax in fp32" },
        { index(Switch::AttentionDropout), "attention_dropout", "Attention dropout", Kind::Fraction,
            {}, kMillion / 10, 0, kMillion - 1,
            "Above 0, unfused attention keeps a mask and the dropped scores" },
        { index(Switch::HiddenDropout), "hidden_dropout", "Hidden dropout", Kind::Fraction, {},
            kMillion / 10, 0, kMillion - 1, "Above 0, one byte an element for each mask" },
        { index(Switch::SequenceParallel), "sequence_parallel", "Sequence parallel", Kind::Flag, {},
            0, 0, 0, "Divides what tensor parallelism leaves whole; gathers inputs for a moment",
            true, Needs::Tensor },
        { index(Switch::VocabularyDivisor), "vocabulary_divisor", "Vocabulary divisible by",
            Kind::Count, {}, 128, 1, kMost,
            "The table's rows are padded to this times the tensor degree" },
        { index(Switch::CrossEntropy), "cross_entropy_fusion", "Cross entropy fused", Kind::Choice,
            { "none", "native", "te" }, 0, 0, 0, "6, 10 or 2 bytes a logit at the loss", true },
        { index(Switch::DeferredHeadGradients), "defer_embedding_wgrad", "Head gradients deferred",
            Kind::Flag, {}, 0, 0, 0,
            "Keeps the head's inputs and gradients of several micro-batches" },
        { index(Switch::DeferralLimit), "wgrad_deferral_limit", "Deferral limit", Kind::Count, {},
            0, 0, kMost, "Micro-batches whose head gradients are deferred; 0: all" },
        { index(Switch::AttentionMask), "attention_mask_in_dataloader", "Attention mask made",
            Kind::Flag, {}, 1, 0, 0,
            "One byte for each pair of tokens, even where the kernel needs none" },
        { index(Switch::RopeFusion), "rope_fusion", "Rotary embedding fused", Kind::Flag, {}, 1, 0,
            0, "Off: rotated queries and keys are tensors of their own" },
        { index(Switch::RecomputeMethod), "recompute_method", "Full recompute by", Kind::Choice,
            { "uniform", "block" }, 0, 0, 0,
            "Units of several layers, or the first layers of a chunk" },
        { index(Switch::RecomputeLayers), "recompute_layers", "Layers recomputed", Kind::Count, {},
            1, 0, kMost, "Layers of a unit (uniform) or of a chunk (block)" },
        { index(Switch::RecomputeModules), "recompute_modules", "Modules recomputed", Kind::Set,
            { "core_attn", "layernorm", "mla_up_proj", "mlp", "moe_act", "moe", "shared_experts" },
            kRecomputeCoreAttention, 0, 127, "What selective recompute drops" },
        { index(Switch::DistributeSaved), "distribute_saved_activations",
            "Checkpoints divided over tensor ranks", Kind::Flag, {}, 0, 0, 0,
            "Divides the inputs that full recompute keeps" },
        { index(Switch::VirtualStages), "virtual_stages", "Chunks a stage", Kind::Count, {}, 1, 1,
            kMost, "More than 1: the interleaved schedule, which keeps more micro-batches alive",
            true, Needs::Pipeline },
        { index(Switch::MicroBatchGroup), "micro_batch_group", "Micro-batches a group", Kind::Count,
            {}, 0, 0, kMost, "Of the interleaved schedule; by default the pipeline degree" },
        { index(Switch::FirstStageLayers), "first_stage_layers", "Layers of the first stage",
            Kind::Count, {}, 0, 0, kMost, "Where it differs from the others" },
        { index(Switch::LastStageLayers), "last_stage_layers", "Layers of the last stage",
            Kind::Count, {}, 0, 0, kMost, "Where it differs from the others" },
        { index(Switch::CountEmbedding), "count_embedding", "Embedding counts as a layer",
            Kind::Flag, {}, 0, 0, 0, "The first chunk has one layer fewer" },
        { index(Switch::CountLoss), "count_loss", "Loss counts as a layer", Kind::Flag, {}, 0, 0, 0,
            "The last chunk has one layer fewer" },
        { index(Switch::PipelineLayout), "pipeline_layout", "Pipeline layout", Kind::Text, {}, 0, 0,
            0, "Which layers each chunk has: \"Ett|(tt|)*6tL\"" },
        { index(Switch::ContextCommunication), "context_communication", "Context parallelism by",
            Kind::Choice, { "p2p", "a2a", "a2a+p2p", "allgather" }, 0, 0, 0,
            "All-to-all keeps the attention's output a second time", true, Needs::Context },
        { index(Switch::TransformerEngine), "transformer_engine", "Transformer Engine version",
            Kind::Version, {}, 2'011, 1'000, 99'999,
            "Dummy weight gradients from 2.3; larger workspace from 2.8" },
        { index(Switch::CublasWorkspace), "cublas_workspace_bytes", "cuBLAS workspace", Kind::Count,
            {}, 0, 0, kMost, "Set by CUBLAS_WORKSPACE_CONFIG; by default the GPU's" },
    };
}

} // namespace

const SwitchTable& megatronTable()
{
    static const SwitchTable table { "megatron", "Megatron-LM", makeTable() };
    return table;
}

const SwitchInfo& info(Switch which) { return megatronSwitches()[index(which)]; }

} // namespace shardrack
