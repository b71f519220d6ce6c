#include "account/pytorch/settings.h"

#include "account/constants.h"
#include "account/pytorch/loss.h"
#include "base/size_text.h"

#include <algorithm>

namespace shardrack {

namespace {

using S = TorchSwitch;

/// What other switches make of one that nobody gave.
void deriveSettings(TorchSettings& settings)
{
    const auto derive = [&](S which, std::int64_t value, const char* why) {
        Setting& setting = settings.all[index(which)];
        if (setting.origin != Origin::Given)
            setting = { value, Origin::Derived, why };
    };
    // torchtitan compiles its loss from 2025 on, torchtune's loss without chunks is compiled.
    if (settings.as<Compile>(S::Compile) != Compile::None && settings.on(S::Expandable)
        && settings.as<OptimizerLoop>(S::OptimizerLoop) == OptimizerLoop::Fused
        && settings.as<LossPath>(S::Loss) == LossPath::Eager)
        derive(S::Loss, std::int64_t(LossPath::Compiled), "compiled with the blocks");
}

void resolveWorkspace(TorchSettings& settings, int architecture)
{
    Setting& setting = settings.all[index(S::CublasWorkspace)];
    if (setting.value != 0)
        return;
    static const std::int64_t hopper = constant("cublas-workspace-sm90").value;
    static const std::int64_t other = constant("cublas-workspace-other").value;
    setting = { architecture == 90 ? hopper : other,
        architecture == 0 ? Origin::Assumed : Origin::GpuDefault, "by compute capability" };
}

} // namespace

TorchSettings resolveTorch(std::string_view framework, const SwitchValues& given, int architecture)
{
    const SwitchTable* table = torchTable(framework);
    if (!table) {
        framework = "pytorch-fsdp2";
        table = torchTable(framework);
    }
    TorchSettings settings;
    for (const SwitchInfo& info : table->switches)
        settings.all[info.which] = { info.usual, Origin::FrameworkDefault, "" };
    // An era of another framework's list is none of this.
    auto era = given.get(S::Era);
    if (era && *era >= std::int64_t(table->switches[index(S::Era)].choices.size()))
        era.reset();
    if (const TorchPreset* preset = torchPreset(framework, era)) {
        for (const auto& [which, value] : preset->values)
            settings.all[index(which)] = { value, Origin::Preset, preset->what };
        std::int64_t number = 0;
        for (const TorchPreset& each : torchPresets()) {
            if (framework != each.framework)
                continue;
            if (&each == preset)
                settings.all[index(S::Era)]
                    = { number, Origin::Assumed, "the newest that is known" };
            ++number;
        }
    }
    for (const SwitchInfo& info : table->switches)
        if (const auto value = info.which == index(S::Era) ? era : given.get(info.which))
            settings.all[info.which] = { *value, Origin::Given, "" };
    deriveSettings(settings);
    resolveWorkspace(settings, architecture);
    return settings;
}

std::optional<TorchOptimizer> torchOptimizer(std::string_view name)
{
    if (name.empty() || name == "adam" || name == "adamw")
        return TorchOptimizer::Adam;
    if (name == "sgd")
        return TorchOptimizer::Sgd;
    if (name == "momentum")
        return TorchOptimizer::Momentum;
    if (name == "adafactor")
        return TorchOptimizer::Adafactor;
    return std::nullopt;
}

std::int64_t TorchRun::parameterBytes() const
{
    return bytesOf(settings.as<Format>(S::Parameters));
}

std::int64_t TorchRun::computeBytes() const
{
    // Under autocast whole parameters compute by casts, and their gradients have their format.
    return sharded() ? bytesOf(settings.as<Format>(S::Computation)) : parameterBytes();
}

std::int64_t TorchRun::reduceBytes() const { return bytesOf(settings.as<Format>(S::Reduction)); }

std::int64_t TorchRun::momentBytes() const
{
    switch (settings.as<MomentFormat>(S::Moments)) {
    case MomentFormat::Fp32:
        return 4;
    case MomentFormat::Bf16:
        return 2;
    case MomentFormat::EightBit:
        return 1;
    case MomentFormat::AsParameters:
        break;
    }
    return parameterBytes();
}

std::int64_t TorchRun::perRound() const
{
    // As many rounds as each has at least one micro-batch a stage for
    // (torch/distributed/pipelining/schedules.py, ScheduleInterleaved1F1B).
    return microSteps
        / std::max<std::int64_t>(1, microSteps / std::max<std::int64_t>(1, degrees.pipeline));
}

bool TorchRun::classifies() const
{
    return settings.as<LossPath>(S::Loss) == LossPath::Classification;
}

BatchShape batchOf(const TorchRun& run)
{
    return { run.microBatch, run.sequence, run.degrees.context };
}

namespace {

/// What layers and the rest have in common.
Kernels commonKernels(const TorchRun& run)
{
    const TorchSettings& settings = run.settings;
    Kernels kernels;
    const bool replicated = !run.sharded();
    kernels.bytes = run.autocast() || run.sharded() ? bytesOf(settings.as<Format>(S::Computation))
                                                    : run.parameterBytes();
    kernels.tensor = run.degrees.tensor;
    kernels.context = run.degrees.context;
    if (run.degrees.context > 1)
        kernels.ring = settings.as<ContextExchange>(S::ContextExchange) == ContextExchange::Gathered
            ? Ring::Gathered
            : Ring::SentOn;
    kernels.sequenceParallel = settings.on(S::SequenceParallel) && run.degrees.tensor > 1;
    kernels.gathersOutside = true;
    kernels.gathersTwice = run.microBatch > 1 && !settings.on(S::AsyncTensor);
    kernels.attention = settings.as<TorchAttention>(S::Attention) == TorchAttention::Eager
        ? Kernel::Unfused
        : Kernel::Fused;
    kernels.libraryMaps = false;
    kernels.maskedSoftmaxFused = !run.autocast();
    kernels.attentionDropout = settings.on(S::AttentionDropout);
    kernels.hiddenDropout = settings.on(S::HiddenDropout);
    kernels.keepsSoftmaxInput = settings.on(S::KeepsSoftmaxInput);
    kernels.reordersOutput = settings.on(S::ReordersOutput);
    kernels.sumsQueryGradient = kernels.attention == Kernel::Fused;
    kernels.weightGradientsFused = false;
    kernels.dummyGradients = false;
    kernels.holdsWeightGradients = true;
    kernels.weightGradients = replicated ? Category::Gradients : Category::Gathered;
    kernels.loss = LossKind::ByWidths;
    kernels.lossWidths = lossForm(settings.as<LossPath>(S::Loss)).widths;
    const auto norm = settings.as<TorchNorm>(S::Norm);
    kernels.norm = !run.shape.rmsNorm || norm == TorchNorm::Kernel ? NormForm::Kernel
        : norm == TorchNorm::PythonFp32                            ? NormForm::PythonWide
                                                                   : NormForm::PythonSame;
    kernels.keepsSquares = settings.on(S::KeepsSquares);
    return kernels;
}

} // namespace

Kernels layerKernels(const TorchRun& run)
{
    Kernels kernels = commonKernels(run);
    if (run.settings.as<Compile>(S::Compile) != Compile::None)
        kernels.norm = NormForm::Kernel;
    return kernels;
}

Kernels outerKernels(const TorchRun& run)
{
    Kernels kernels = commonKernels(run);
    if (run.settings.as<Compile>(S::Compile) == Compile::Model)
        kernels.norm = NormForm::Kernel;
    return kernels;
}

TorchRecompute recomputeOf(const TorchRun& run)
{
    using Kind = TorchRecompute::Kind;
    if (run.recompute == "full")
        return { Kind::Full, 1 };
    if (run.recompute != "selective")
        return {};
    if (run.settings.as<SelectiveBy>(S::SelectiveBy) == SelectiveBy::Operators)
        return { Kind::Operators, 1 };
    return { Kind::Layers, std::max<std::int64_t>(1, run.settings[S::EveryLayers]) };
}

namespace {

/// What a run breaks.
class Checks {
public:
    explicit Checks(const TorchRun& run)
        : m_run(run)
    {
        const TorchDegrees& d = run.degrees;
        m_list.check(run.shape, { run.microBatch, run.sequence, d.tensor, d.pipeline, d.context });
        pipeline();
        if (run.sharding == TorchSharding::Fsdp1 && d.tensor > 1)
            add("FSDP 1 divides whole parameters",
                "FSDP 1 with tensor degree " + grouped(d.tensor) + " is not computed yet", "FSDP 2",
                false);
        switches();
    }
    RefusalList take() { return std::move(m_list); }

private:
    void add(const char* rule, std::string text, std::string fix, bool computable)
    {
        m_list.add(rule, std::move(text), std::move(fix), computable);
    }
    void pipeline()
    {
        const TransformerShape& shape = m_run.shape;
        const TorchDegrees& d = m_run.degrees;
        const std::int64_t stages = d.pipeline * m_run.chunks();
        if (d.pipeline > 1 && (shape.layers + 2) / stages < 2) // embedding and head count as one
            add("every pipeline stage has a layer",
                grouped(stages) + " stages for " + grouped(shape.layers) + " layers",
                "fewer stages", false);
        if (m_run.chunks() > 1 && m_run.microSteps % m_run.perRound() != 0)
            add("the micro-batches of an interleaved schedule make whole rounds",
                grouped(m_run.microSteps) + " micro-batches on " + grouped(d.pipeline)
                    + " pipeline ranks",
                "a multiple of " + grouped(d.pipeline) + " micro-batches", false);
        if (d.pipeline < 2 && m_run.settings[S::Chunks] > 1)
            add("several stages a rank need a pipeline",
                grouped(m_run.settings[S::Chunks]) + " stages a rank without a pipeline",
                "at least 2 pipeline ranks", true);
        if (d.pipeline > 1 && m_run.sharding == TorchSharding::Fsdp1)
            add("FSDP 1 has no pipeline",
                "FSDP 1 with pipeline degree " + grouped(d.pipeline) + " is not computed yet",
                "FSDP 2", false);
        if (d.pipeline > 1 && m_run.tied())
            add("a pipeline's tables are two", "embedding and head are one table, and stages apart",
                "a head of its own", false);
    }
    void switches()
    {
        const TorchSettings& s = m_run.settings;
        if (m_run.shape.latent.used() || m_run.shape.experts > 0)
            add("layers are dense, with ordinary attention",
                "latent attention and experts are not computed yet for this framework", "", false);
        if (s.as<LossPath>(S::Loss) == LossPath::Parallel && m_run.degrees.tensor < 2)
            add("a parallel loss needs tensor parallelism", "tensor degree 1", "another loss",
                true);
        if (m_run.degrees.context > 1
            && s.as<TorchAttention>(S::Attention) == TorchAttention::Eager)
            add("context parallelism needs attention as one kernel",
                "eager attention on " + grouped(m_run.degrees.context) + " context ranks",
                "attention by sdpa", true);
        if (s.on(S::Autocast) && m_run.sharded())
            add("FSDP casts by itself", "autocast beside FSDP's own formats is not computed",
                "autocast off", true);
        if (s.on(S::OptimizerInBackward) && m_run.microSteps > 1)
            add("an optimizer in backward cannot accumulate",
                grouped(m_run.microSteps) + " micro-steps", "one micro-step", true);
    }

    const TorchRun& m_run;
    RefusalList m_list;
};

} // namespace

std::vector<Refusal> refusals(const TorchRun& run) { return Checks(run).take().all(); }

void refuse(const TorchRun& run) { Checks(run).take().refuse(); }

} // namespace shardrack
