#include "account/strategy.h"

#include "account/megatron/rank_account.h"
#include "account/pytorch/rank_account.h"
#include "base/size_text.h"
#include "layout/legality.h"

namespace shardrack {

namespace {

/// A pipeline holds as many micro-batches at a time as there are, up to its depth.
std::optional<Refusal> microBatchesMissing(const Workload& workload, const ResolvedLayout& layout)
{
    if (layout.pipeline() < 2
        || batchArithmetic(workload.recipe, layout.dataParallel()).accumulation)
        return std::nullopt;
    return Refusal { "the micro-batches of a pipeline are counted",
        "how many micro-batches go through the pipeline in a step is not given: give "
        "accumulation, or the global batch",
        "give accumulation, or the global batch", false };
}

/// torchtitan/distributed/parallel_dims.py and models/*/parallelize.py: "DDP has not supported > 1D
/// parallelism".
std::optional<Refusal> replicasBesideOthers(const Workload& workload, const TorchRun& run)
{
    const TorchDegrees& d = run.degrees;
    if (workload.recipe.framework != "torchtitan" || run.sharding != TorchSharding::Replicas
        || (d.tensor == 1 && d.context == 1 && d.pipeline == 1))
        return std::nullopt;
    return Refusal { "torchtitan replicates by DDP alone",
        "replicas beside tensor, context or pipeline ranks, which torchtitan refuses to start",
        "FSDP or HSDP", true };
}

/// torchtune, litgpt, composer and Hugging Face's Trainer run no pipeline of torch's.
std::optional<Refusal> pipelineWithoutOne(const Workload& workload, const TorchRun& run)
{
    const std::string& id = workload.recipe.framework;
    const bool none = id == "torchtune" || id == "litgpt" || id == "composer" || id == "hf-trainer";
    if (!none || run.degrees.pipeline == 1)
        return std::nullopt;
    const std::string title = framework(id)->title;
    return Refusal { title + " has no pipeline",
        grouped(run.degrees.pipeline) + " pipeline stages, which " + title + " has not",
        "one stage, or torchtitan", true };
}

} // namespace

std::unique_ptr<Strategy> strategyFor(
    const Workload& workload, const ResolvedLayout& layout, int architecture)
{
    if (microBatchesMissing(workload, layout))
        return nullptr;
    if (isMegatron(workload.recipe)) {
        const auto run = megatronRun(workload, layout, architecture);
        return run ? std::make_unique<MegatronAccount>(workload, *run) : nullptr;
    }
    if (isTorch(workload.recipe)) {
        const auto run = torchRun(workload, layout, architecture);
        return run ? std::make_unique<TorchAccount>(workload, *run) : nullptr;
    }
    return nullptr;
}

std::optional<Refusal> foreignTo(const Workload& workload, const ResolvedLayout& layout)
{
    const bool megatron = isMegatron(workload.recipe);
    if (!megatron && !isTorch(workload.recipe))
        return std::nullopt;
    auto foreign
        = megatron ? foreignToMegatron(workload, layout) : foreignToTorch(workload, layout);
    return foreign ? foreign : microBatchesMissing(workload, layout);
}

std::vector<Refusal> strategyRefusals(const Workload& workload, const ResolvedLayout& layout)
{
    if (isTorch(workload.recipe)) {
        const auto run = torchRun(workload, layout, 0);
        if (!run)
            return {};
        std::vector<Refusal> list = refusals(*run);
        if (auto replicas = replicasBesideOthers(workload, *run))
            list.push_back(std::move(*replicas));
        if (auto pipeline = pipelineWithoutOne(workload, *run))
            list.push_back(std::move(*pipeline));
        return list;
    }
    const auto run = megatronRun(workload, layout, 0);
    if (!run)
        return {};
    std::vector<Refusal> list = refusals(*run);
    if (const auto layers = attempt([&] { return partitionOf(*run); }); !layers)
        list.push_back({ "the layers divide over stages and chunks", layers.error().what,
            layers.error().expected });
    return list;
}

std::vector<Setting> resolvedSettings(const Recipe& recipe, int architecture)
{
    if (isMegatron(recipe)) {
        const MegatronSettings settings = resolveSwitches(recipe.megatron, architecture);
        return { settings.all.begin(), settings.all.end() };
    }
    if (isTorch(recipe)) {
        const TorchSettings settings = resolveTorch(recipe.framework, recipe.pytorch, architecture);
        return { settings.all.begin(), settings.all.end() };
    }
    return {};
}

} // namespace shardrack
