#include "account/megatron/settings.h"

#include "account/constants.h"
#include "base/size_text.h"

#include <algorithm>
#include <array>

namespace shardrack {

namespace {

/// The kernel that Transformer Engine takes: cuDNN's from sm90 on, else flash-attn, unless a
/// deterministic backward is asked for and the kernel has none
/// (transformer_engine/pytorch/attention get_attention_backend).
void resolveAttention(MegatronSettings& settings, int architecture)
{
    Setting& setting = settings.all[index(Switch::Attention)];
    if (settings[Switch::Implementation] == std::int64_t(Implementation::Local)) {
        const bool given = setting.origin == Origin::Given
            && setting.value == std::int64_t(AttentionKernel::Unfused);
        if (!given)
            setting = { std::int64_t(AttentionKernel::Unfused), Origin::Derived,
                "local layers have no other" };
        return;
    }
    if (setting.value != std::int64_t(AttentionKernel::Auto))
        return;
    const bool deterministic = settings.on(Switch::Deterministic);
    const bool fused = architecture >= 90 && (!deterministic || architecture < 100);
    const bool hopper = architecture >= 90;
    setting.value = std::int64_t(fused ? AttentionKernel::Fused : AttentionKernel::Flash);
    setting.origin = hopper ? Origin::GpuDefault : Origin::Assumed;
    setting.why = architecture == 0 ? "the GPU is not known; flash-attn is taken to be installed"
        : fused                     ? "cuDNN's from compute capability 9.0 on"
        : hopper                    ? "cuDNN's has no deterministic backward on this GPU"
                                    : "flash-attn is taken to be installed, and new enough";
}

void resolveWorkspace(MegatronSettings& settings, int architecture)
{
    Setting& setting = settings.all[index(Switch::CublasWorkspace)];
    if (setting.value != 0)
        return;
    static const std::int64_t deterministic = constant("cublas-workspace-deterministic").value;
    static const std::int64_t hopper = constant("cublas-workspace-sm90").value;
    static const std::int64_t other = constant("cublas-workspace-other").value;
    if (settings.on(Switch::Deterministic))
        setting = { deterministic, Origin::Derived, "deterministic mode sets :4096:8" };
    else
        setting = { architecture == 90 ? hopper : other,
            architecture == 0 ? Origin::Assumed : Origin::GpuDefault, "by compute capability" };
}

} // namespace

MegatronSettings resolveSwitches(const MegatronSwitches& given, int architecture)
{
    MegatronSettings settings;
    settings.pipelineLayout = given.words;
    for (const SwitchInfo& info : megatronSwitches()) {
        const auto value = given.get(info.which);
        settings.all[index(info.which)] = value
            ? Setting { *value, Origin::Given, "" }
            : Setting { info.usual, Origin::FrameworkDefault, "" };
    }
    if (!given.get(Switch::TransformerEngine)) {
        Setting& version = settings.all[index(Switch::TransformerEngine)];
        version.origin = Origin::Assumed;
        version.why = "a version of 2026";
    }
    Setting& buffer = settings.all[index(Switch::GradientBuffer)];
    if (buffer.value == std::int64_t(GradientBuffer::Auto)) {
        const bool narrow = settings[Switch::Precision] == std::int64_t(Precision::Fp16);
        buffer = { std::int64_t(narrow ? GradientBuffer::SixteenBit : GradientBuffer::Fp32),
            Origin::Derived, narrow ? "fp16 keeps 16 bits" : "accumulated in fp32" };
    }
    resolveAttention(settings, architecture);
    resolveWorkspace(settings, architecture);
    return settings;
}

bool MegatronRun::local() const
{
    return settings[Switch::Implementation] == std::int64_t(Implementation::Local);
}

std::int64_t MegatronRun::elementBytes() const
{
    return settings[Switch::Precision] == std::int64_t(Precision::Fp32) ? 4 : 2;
}

std::int64_t MegatronRun::gradientBytes() const
{
    return settings[Switch::GradientBuffer] == std::int64_t(GradientBuffer::SixteenBit) ? 2 : 4;
}

bool MegatronRun::distributedOptimizer() const { return settings.on(Switch::DistributedOptimizer); }

std::int64_t MegatronRun::optimizerRanks() const
{
    if (!distributedOptimizer())
        return 1;
    const std::int64_t ranks = degrees.data * degrees.context;
    return std::max<std::int64_t>(1, ranks / settings[Switch::OptimizerInstances]);
}

std::int64_t MegatronRun::paddedVocabulary() const
{
    const std::int64_t unit = settings[Switch::VocabularyDivisor] * degrees.tensor;
    return (shape.vocabulary + unit - 1) / unit * unit;
}

FullRecompute MegatronRun::fullRecompute() const
{
    if (recompute != "full")
        return {};
    const bool block = settings[Switch::RecomputeMethod] == std::int64_t(RecomputeMethod::Block);
    return { block ? FullRecompute::Kind::Block : FullRecompute::Kind::Uniform,
        settings[Switch::RecomputeLayers] };
}

Kernels kernelsOf(const MegatronRun& run)
{
    static const std::int64_t dummySince = constant("te-dummy-since").value;
    static const std::int64_t exchangeSince = constant("a2a-output-since").value;
    static const std::int64_t lossPerToken = constant("loss-bytes-per-token").value;
    static const std::int64_t loss = constant("loss-bytes").value;
    const MegatronSettings& settings = run.settings;
    Kernels kernels;
    kernels.bytes = run.elementBytes();
    kernels.tensor = run.degrees.tensor;
    kernels.context = run.degrees.context;
    kernels.sequenceParallel = settings.on(Switch::SequenceParallel) && run.degrees.tensor > 1;
    const auto attention = AttentionKernel(settings[Switch::Attention]);
    kernels.attention = attention == AttentionKernel::Flash ? Kernel::Flash
        : attention == AttentionKernel::Fused               ? Kernel::Fused
                                                            : Kernel::Unfused;
    kernels.copiesFlashOutput = run.microBatch > 1;
    kernels.ownBuffer = run.local();
    kernels.libraryMaps = !run.local();
    kernels.maskedSoftmaxFused = settings.on(Switch::MaskedSoftmaxFusion);
    kernels.attentionDropout = settings.on(Switch::AttentionDropout);
    kernels.hiddenDropout = settings.on(Switch::HiddenDropout);
    kernels.paddingMask = run.shape.encoder && !run.local();
    if (run.degrees.context > 1) {
        const auto exchange = ContextCommunication(settings[Switch::ContextCommunication]);
        const bool keeps = settings[Switch::TransformerEngine] >= exchangeSince;
        kernels.ring = exchange == ContextCommunication::PointToPoint ? Ring::PointToPoint
            : exchange == ContextCommunication::AllGather || !keeps   ? Ring::None
                                                                      : Ring::AllToAll;
    }
    const auto loss_ = CrossEntropyKind(settings[Switch::CrossEntropy]);
    kernels.loss = loss_ == CrossEntropyKind::Plain ? LossKind::Plain
        : loss_ == CrossEntropyKind::Native         ? LossKind::Compiled
                                                    : LossKind::InPlace;
    kernels.lossBytesPerToken = lossPerToken;
    kernels.lossBytes = loss;
    kernels.weightGradientsFused = settings.on(Switch::GradientFusion);
    kernels.dummyGradients = settings[Switch::TransformerEngine] >= dummySince;
    return kernels;
}

LayerStyle layerStyleOf(const MegatronRun& run) { return { !run.local(), run.local() }; }

SelectiveRecompute selectiveOf(const MegatronRun& run)
{
    if (run.recompute != "selective")
        return {};
    const std::int64_t modules = run.settings[Switch::RecomputeModules];
    return { (modules & kRecomputeCoreAttention) != 0, (modules & kRecomputeLayerNorm) != 0,
        (modules & kRecomputeLatentUp) != 0, (modules & kRecomputeMlp) != 0 };
}

BatchShape batchOf(const MegatronRun& run)
{
    return { run.microBatch, run.sequence, run.degrees.context };
}

namespace {

/// What a run breaks.
class Checks {
public:
    explicit Checks(const MegatronRun& run)
        : m_run(run)
    {
        const MegatronDegrees& d = run.degrees;
        m_list.check(run.shape, { run.microBatch, run.sequence, d.tensor, d.pipeline, d.context });
        if (d.context > 0 && d.tensor > 0)
            degrees();
        if (run.shape.parallelResidual)
            add("attention and MLP follow each other",
                "Megatron-LM has no layers whose attention and MLP read the same input; they are "
                "counted one after the other",
                "a model with ordinary layers, or another framework", true);
        switches();
        optimizer();
    }
    RefusalList take() { return std::move(m_list); }

private:
    void add(const char* rule, std::string text, std::string fix, bool computable)
    {
        m_list.add(rule, std::move(text), std::move(fix), computable);
    }
    void degrees()
    {
        const MegatronDegrees& d = m_run.degrees;
        if (d.context > 1)
            m_list.divides("twice the context degree divides the sequence", m_run.sequence,
                2 * d.context, "tokens", true);
        if (m_run.settings.on(Switch::SequenceParallel) && d.tensor > 1)
            m_list.divides("sequence parallelism divides the tokens of a sequence",
                m_run.sequence / d.context, d.tensor, "tokens");
    }
    void switches()
    {
        const MegatronSettings& s = m_run.settings;
        const bool selective = m_run.recompute == "selective";
        const bool unfused = s[Switch::Attention] == std::int64_t(AttentionKernel::Unfused);
        if (m_run.local() && s.all[index(Switch::Attention)].origin == Origin::Given && !unfused)
            add("local layers compute attention by themselves",
                "local layers with " + valueText(info(Switch::Attention), s[Switch::Attention])
                    + " attention",
                "Transformer Engine layers, or attention unfused", true);
        if (m_run.local() && m_run.degrees.context > 1)
            add("context parallelism needs Transformer Engine layers",
                "local layers, context degree " + grouped(m_run.degrees.context),
                "Transformer Engine layers", true);
        if (unfused && !m_run.local() && m_run.degrees.context > 1)
            add("context parallelism needs a fused or flash kernel",
                "unfused attention, context degree " + grouped(m_run.degrees.context),
                "attention fused or flash", true);
        if (s[Switch::VirtualStages] > 1 && m_run.degrees.pipeline < 2
            && !s.on(Switch::PipelineLayout))
            add("chunks need a pipeline",
                grouped(s[Switch::VirtualStages]) + " chunks a stage without a pipeline",
                "at least 2 stages", true);
        if (s.on(Switch::DistributeSaved) && s.on(Switch::SequenceParallel))
            add("checkpoints are divided by sequence parallelism already",
                "both sequence parallelism and divided checkpoints are on", "one of them", true);
        if (s.on(Switch::DistributeSaved) && m_run.recompute != "full")
            add("only full recompute keeps checkpoints to divide",
                "divided checkpoints with recompute "
                    + (m_run.recompute.empty() ? std::string("none") : m_run.recompute),
                "full recompute", true);
        if (s.on(Switch::DeferredHeadGradients) && !s.on(Switch::GradientFusion))
            add("deferred head gradients need fused weight gradients",
                "weight gradients are not fused", "fused weight gradients", true);
        const std::int64_t experts
            = kRecomputeExpertActivation | kRecomputeExperts | kRecomputeSharedExperts;
        if (selective && (s[Switch::RecomputeModules] & experts) != 0)
            add("modules that are recomputed exist",
                "experts are recomputed, and the model has none", "modules of a dense model", true);
        if (selective && (s[Switch::RecomputeModules] & kRecomputeLatentUp) != 0
            && !m_run.shape.latent.used())
            add("modules that are recomputed exist",
                "mla_up_proj is recomputed, and the model has no latent attention",
                "modules that the model has", true);
    }
    void optimizer()
    {
        const std::int64_t instances = m_run.settings[Switch::OptimizerInstances];
        const std::int64_t ranks = m_run.degrees.data * m_run.degrees.context;
        if (instances > 1 && !m_run.distributedOptimizer())
            add("optimizer instances need the distributed optimizer",
                grouped(instances) + " instances without it", "the distributed optimizer", true);
        if (instances > 0 && ranks % instances != 0)
            add("the optimizer instances divide the data-parallel ranks",
                grouped(ranks) + " ranks do not divide by " + grouped(instances), "", true);
    }

    const MegatronRun& m_run;
    RefusalList m_list;
};

} // namespace

std::vector<Refusal> refusals(const MegatronRun& run) { return Checks(run).take().all(); }

void refuse(const MegatronRun& run) { Checks(run).take().refuse(); }

} // namespace shardrack
