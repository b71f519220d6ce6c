#include "workload/megatron_switches.h"

#include "base/utf8.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace shardrack {

namespace {

using Kind = SwitchInfo::Kind;
constexpr std::int64_t kMillion = 1'000'000;
constexpr std::int64_t kMost = std::int64_t(1) << 30;

std::vector<SwitchInfo> makeTable()
{
    // Defaults: megatron/training/arguments.py and core/transformer/transformer_config.py of
    // Megatron-LM, 2026-08. `what` names the terms that a switch moves.
    return {
        { Switch::Implementation, "implementation", "Layer implementation", Kind::Choice,
            { "te", "local" }, 0, 0, 0,
            "Transformer Engine or Megatron's own layers: who keeps what, workspaces, buffers",
            true },
        { Switch::Precision, "precision", "Precision", Kind::Choice, { "bf16", "fp16", "fp32" }, 0,
            0, 0, "Bytes of weights and activations; fp16 keeps gradients in 16 bits", true },
        { Switch::GradientBuffer, "gradient_buffer", "Gradient buffer", Kind::Choice,
            { "auto", "fp32", "16-bit" }, 0, 0, 0,
            "Format of the gradient buffer; auto: fp32 with bf16, 16 bits with fp16" },
        { Switch::DistributedOptimizer, "distributed_optimizer", "Distributed optimizer",
            Kind::Flag, {}, 0, 0, 0, "Divides master copy and moments over the data-parallel ranks",
            true },
        { Switch::OptimizerInstances, "optimizer_instances", "Optimizer instances", Kind::Count, {},
            1, 1, kMost, "Groups within which the optimizer is divided" },
        { Switch::MasterBytes, "master_bytes", "Bytes of a master weight", Kind::Count, {}, 4, 0, 4,
            "Width of the full-precision copy (precision-aware optimizer: 2)" },
        { Switch::FirstMomentBytes, "first_moment_bytes", "Bytes of a first moment", Kind::Count,
            {}, 4, 0, 4, "Width of the first moment (precision-aware optimizer: 2 or 1)" },
        { Switch::SecondMomentBytes, "second_moment_bytes", "Bytes of a second moment", Kind::Count,
            {}, 4, 0, 4, "Width of the second moment (precision-aware optimizer: 2 or 1)" },
        { Switch::PadBuckets, "pad_buckets", "Pad buckets for bus bandwidth", Kind::Flag, {}, 0, 0,
            0, "Pads the ends of gradient buckets to 65,536 elements" },
        { Switch::GradientFusion, "gradient_accumulation_fusion", "Weight gradients fused",
            Kind::Flag, {}, 1, 0, 0,
            "Weight gradients go straight into the buffer; leaves one dummy for each weight shape",
            true },
        { Switch::Deterministic, "deterministic", "Deterministic mode", Kind::Flag, {}, 0, 0, 0,
            "Two 32 MiB cuBLAS workspaces, and restricts the attention kernel" },
        { Switch::Attention, "attention", "Attention kernel", Kind::Choice,
            { "auto", "flash", "fused", "unfused" }, 0, 0, 0,
            "Unfused keeps the scores; flash copies its output where the micro-batch is above 1",
            true },
        { Switch::MaskedSoftmaxFusion, "masked_softmax_fusion", "Masked softmax fused", Kind::Flag,
            {}, 1, 0, 0, "Off: unfused attention keeps its softmax in fp32" },
        { Switch::AttentionDropout, "attention_dropout", "Attention dropout", Kind::Fraction, {},
            kMillion / 10, 0, kMillion - 1,
            "Above 0, unfused attention keeps a mask and the dropped scores" },
        { Switch::HiddenDropout, "hidden_dropout", "Hidden dropout", Kind::Fraction, {},
            kMillion / 10, 0, kMillion - 1, "Above 0, one byte an element for each mask" },
        { Switch::SequenceParallel, "sequence_parallel", "Sequence parallel", Kind::Flag, {}, 0, 0,
            0, "Divides what tensor parallelism leaves whole; gathers inputs for a moment", true },
        { Switch::VocabularyDivisor, "vocabulary_divisor", "Vocabulary divisible by", Kind::Count,
            {}, 128, 1, kMost, "The table's rows are padded to this times the tensor degree" },
        { Switch::CrossEntropy, "cross_entropy_fusion", "Cross entropy fused", Kind::Choice,
            { "none", "native", "te" }, 0, 0, 0, "6, 10 or 2 bytes a logit at the loss", true },
        { Switch::DeferredHeadGradients, "defer_embedding_wgrad", "Head gradients deferred",
            Kind::Flag, {}, 0, 0, 0,
            "Keeps the head's inputs and gradients of several micro-batches" },
        { Switch::DeferralLimit, "wgrad_deferral_limit", "Deferral limit", Kind::Count, {}, 0, 0,
            kMost, "Micro-batches whose head gradients are deferred; 0: all" },
        { Switch::AttentionMask, "attention_mask_in_dataloader", "Attention mask made", Kind::Flag,
            {}, 1, 0, 0, "One byte for each pair of tokens, even where the kernel needs none" },
        { Switch::RopeFusion, "rope_fusion", "Rotary embedding fused", Kind::Flag, {}, 1, 0, 0,
            "Off: rotated queries and keys are tensors of their own" },
        { Switch::RecomputeMethod, "recompute_method", "Full recompute by", Kind::Choice,
            { "uniform", "block" }, 0, 0, 0,
            "Units of several layers, or the first layers of a chunk" },
        { Switch::RecomputeLayers, "recompute_layers", "Layers recomputed", Kind::Count, {}, 1, 0,
            kMost, "Layers of a unit (uniform) or of a chunk (block)" },
        { Switch::RecomputeModules, "recompute_modules", "Modules recomputed", Kind::Set,
            { "core_attn", "layernorm", "mla_up_proj", "mlp", "moe_act", "moe", "shared_experts" },
            kRecomputeCoreAttention, 0, 127, "What selective recompute drops" },
        { Switch::DistributeSaved, "distribute_saved_activations",
            "Checkpoints divided over tensor ranks", Kind::Flag, {}, 0, 0, 0,
            "Divides the inputs that full recompute keeps" },
        { Switch::VirtualStages, "virtual_stages", "Chunks a stage", Kind::Count, {}, 1, 1, kMost,
            "More than 1: the interleaved schedule, which keeps more micro-batches alive", true },
        { Switch::MicroBatchGroup, "micro_batch_group", "Micro-batches a group", Kind::Count, {}, 0,
            0, kMost, "Of the interleaved schedule; by default the pipeline degree" },
        { Switch::FirstStageLayers, "first_stage_layers", "Layers of the first stage", Kind::Count,
            {}, 0, 0, kMost, "Where it differs from the others" },
        { Switch::LastStageLayers, "last_stage_layers", "Layers of the last stage", Kind::Count, {},
            0, 0, kMost, "Where it differs from the others" },
        { Switch::CountEmbedding, "count_embedding", "Embedding counts as a layer", Kind::Flag, {},
            0, 0, 0, "The first chunk has one layer fewer" },
        { Switch::CountLoss, "count_loss", "Loss counts as a layer", Kind::Flag, {}, 0, 0, 0,
            "The last chunk has one layer fewer" },
        { Switch::PipelineLayout, "pipeline_layout", "Pipeline layout", Kind::Text, {}, 0, 0, 0,
            "Which layers each chunk has: \"Ett|(tt|)*6tL\"" },
        { Switch::ContextCommunication, "context_communication", "Context parallelism by",
            Kind::Choice, { "p2p", "a2a", "a2a+p2p", "allgather" }, 0, 0, 0,
            "All-to-all keeps the attention's output a second time" },
        { Switch::TransformerEngine, "transformer_engine", "Transformer Engine version",
            Kind::Version, {}, 2'011, 1'000, 99'999,
            "Dummy weight gradients from 2.3; larger workspace from 2.8" },
        { Switch::CublasWorkspace, "cublas_workspace_bytes", "cuBLAS workspace", Kind::Count, {}, 0,
            0, kMost, "Set by CUBLAS_WORKSPACE_CONFIG; by default the GPU's" },
    };
}

std::optional<std::int64_t> versionNumber(std::string_view text)
{
    const std::size_t dot = text.find('.');
    if (dot == std::string_view::npos)
        return std::nullopt;
    const auto number = [](std::string_view digits) -> std::optional<std::int64_t> {
        std::int64_t value = 0;
        if (digits.empty() || digits.size() > 3)
            return std::nullopt;
        for (const char digit : digits) {
            if (digit < '0' || digit > '9')
                return std::nullopt;
            value = value * 10 + (digit - '0');
        }
        return value;
    };
    std::string_view minor = text.substr(dot + 1);
    minor = minor.substr(0, minor.find('.'));
    const auto major = number(text.substr(0, dot));
    const auto small = number(minor);
    if (!major || !small)
        return std::nullopt;
    return *major * 1000 + *small;
}

std::string listed(const SwitchInfo& info)
{
    std::string names;
    for (const char* choice : info.choices)
        names += (names.empty() ? "\"" : ", \"") + std::string(choice) + '"';
    return names;
}

std::int64_t choiceFromJson(const JsonView& view, const SwitchInfo& info)
{
    const std::string text = view.string();
    for (std::size_t i = 0; i < info.choices.size(); ++i)
        if (text == info.choices[i])
            return static_cast<std::int64_t>(i);
    view.fail("is \"" + shortened(text) + '"', "one of " + listed(info));
}

std::int64_t fractionFromJson(const JsonView& view, const SwitchInfo& info)
{
    const Json& json = view.json();
    if (json.is_number()) {
        const double value = json.get<double>();
        if (value >= 0 && value < 1)
            return std::llround(value * double(kMillion));
    }
    view.fail("is " + shortened(json.dump()),
        std::string("a number from 0 to below 1 for ") + info.title);
}

std::int64_t valueFromJson(const JsonView& view, const SwitchInfo& info, MegatronSwitches& all)
{
    switch (info.kind) {
    case Kind::Flag:
        return view.boolean() ? 1 : 0;
    case Kind::Choice:
        return choiceFromJson(view, info);
    case Kind::Set: {
        std::int64_t bits = 0;
        for (const JsonView& item : view.items())
            bits |= std::int64_t(1) << choiceFromJson(item, info);
        return bits;
    }
    case Kind::Count:
        return view.integer(info.least, info.most);
    case Kind::Fraction:
        return fractionFromJson(view, info);
    case Kind::Version: {
        const std::string text = view.string();
        if (const auto version = versionNumber(text))
            return *version;
        view.fail("is \"" + shortened(text) + '"', "a version such as \"2.11\"");
    }
    case Kind::Text:
        break;
    }
    all.pipelineLayout = view.string();
    return 1;
}

std::string fractionText(std::int64_t millionths)
{
    std::string digits = std::to_string(kMillion + millionths).substr(1);
    digits.erase(digits.find_last_not_of('0') + 1);
    return digits.empty() ? "0" : "0." + digits;
}

} // namespace

const std::vector<SwitchInfo>& megatronSwitches()
{
    static const std::vector<SwitchInfo> table = makeTable();
    return table;
}

const SwitchInfo& info(Switch which) { return megatronSwitches()[index(which)]; }

bool MegatronSwitches::none() const
{
    return std::none_of(
        given.begin(), given.end(), [](const auto& value) { return value.has_value(); });
}

MegatronSwitches switchesFromJson(const JsonView& view)
{
    view.expectObject();
    MegatronSwitches switches;
    for (const auto& [key, value] : view.json().items()) {
        const auto& table = megatronSwitches();
        const auto known = std::find_if(table.begin(), table.end(),
            [&name = key](const SwitchInfo& info) { return name == info.key; });
        const JsonView member(value, memberPath(view.path(), key));
        if (known == table.end())
            member.fail("is no switch that is known",
                "a switch of docs/plan-format.md, such as \"implementation\" or \"attention\"");
        if (!value.is_null())
            switches.set(known->which, valueFromJson(member, *known, switches));
    }
    return switches;
}

Json toJson(const MegatronSwitches& switches)
{
    Json json = Json::object();
    for (const SwitchInfo& info : megatronSwitches()) {
        const auto value = switches.get(info.which);
        if (!value)
            continue;
        Json& member = json[info.key];
        switch (info.kind) {
        case Kind::Flag:
            member = *value != 0;
            break;
        case Kind::Set:
            member = Json::array();
            for (std::size_t i = 0; i < info.choices.size(); ++i)
                if (*value >> i & 1)
                    member.push_back(info.choices[i]);
            break;
        case Kind::Count:
            member = *value;
            break;
        case Kind::Fraction:
            member = double(*value) / double(kMillion);
            break;
        case Kind::Choice:
        case Kind::Version:
        case Kind::Text:
            member = valueText(info, *value, switches.pipelineLayout);
            break;
        }
    }
    return json;
}

std::string valueText(const SwitchInfo& info, std::int64_t value, const std::string& text)
{
    switch (info.kind) {
    case Kind::Flag:
        return value != 0 ? "on" : "off";
    case Kind::Choice:
        return info.choices[static_cast<std::size_t>(value)];
    case Kind::Set: {
        std::string names;
        for (std::size_t i = 0; i < info.choices.size(); ++i)
            if (value >> i & 1)
                names += (names.empty() ? "" : ", ") + std::string(info.choices[i]);
        return names.empty() ? "none" : names;
    }
    case Kind::Count:
        return std::to_string(value);
    case Kind::Fraction:
        return fractionText(value);
    case Kind::Version:
        return std::to_string(value / 1000) + '.' + std::to_string(value % 1000);
    case Kind::Text:
        break;
    }
    return text;
}

} // namespace shardrack
