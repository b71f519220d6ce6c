#include "account/strategy.h"

#include "account/megatron/rank_account.h"
#include "account/pytorch/rank_account.h"

namespace shardrack {

std::unique_ptr<Strategy> strategyFor(
    const Workload& workload, const ResolvedLayout& layout, int architecture)
{
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
    if (isMegatron(workload.recipe))
        return foreignToMegatron(workload, layout);
    if (isTorch(workload.recipe))
        return foreignToTorch(workload, layout);
    return std::nullopt;
}

std::vector<Refusal> strategyRefusals(const Workload& workload, const ResolvedLayout& layout)
{
    if (isTorch(workload.recipe)) {
        const auto run = torchRun(workload, layout, 0);
        return run ? refusals(*run) : std::vector<Refusal> {};
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
