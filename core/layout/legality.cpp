#include "layout/legality.h"

#include "base/size_text.h"

namespace shardrack {

namespace {

std::string number(std::int64_t value) { return grouped(value); }

std::string plural(std::int64_t count, const char* one, const char* many)
{
    return number(count) + " " + (count == 1 ? one : many);
}

void checkDegrees(const Layout& layout, const ResolvedLayout& resolved, Legality& result)
{
    const std::int64_t ranks = resolved.rankCount();
    const std::int64_t lines = std::int64_t(layout.tensor) * layout.context * layout.pipeline;
    if (lines > 0 && ranks % lines != 0)
        result.broken.push_back({ "ranks = tensor × context × pipeline × data-parallel ranks",
            number(ranks) + " ranks are not a multiple of " + number(layout.tensor) + " × "
                + number(layout.context) + " × " + number(layout.pipeline) + " = " + number(lines),
            "use a multiple of " + number(lines) + " ranks" });

    const std::int64_t data = resolved.dataParallel();
    if (data == 0)
        return;
    if (layout.dpShard && layout.dpReplicate
        && std::int64_t(*layout.dpShard) * *layout.dpReplicate != data)
        result.broken.push_back({ "replicas × shards = data-parallel ranks",
            number(*layout.dpReplicate) + " × " + number(*layout.dpShard) + " = "
                + number(std::int64_t(*layout.dpShard) * *layout.dpReplicate) + ", and "
                + plural(data, "rank is", "ranks are") + " placed",
            data % *layout.dpShard == 0
                ? "use " + number(data / *layout.dpShard) + " × " + number(*layout.dpShard)
                : "use a multiple of " + number(*layout.dpShard) + " ranks" });
    else if (layout.dpShard && data % *layout.dpShard != 0)
        result.broken.push_back({ "the shard group's size divides the data-parallel ranks",
            number(data) + " ranks are not a multiple of " + number(*layout.dpShard),
            "use a multiple of " + number(*layout.dpShard) + " ranks" });
    else if (layout.dpReplicate && data % *layout.dpReplicate != 0)
        result.broken.push_back({ "the number of replicas divides the data-parallel ranks",
            number(data) + " ranks are not a multiple of " + number(*layout.dpReplicate), "" });
}

void checkModel(const Layout& layout, const Workload& workload, Legality& result)
{
    if (workload.basis != Workload::StateBasis::Derived || !workload.model
        || workload.model->parametersGiven)
        return;
    const ModelArchitecture& model = workload.model->architecture;
    if (layout.tensor > 1 && model.heads % layout.tensor != 0)
        result.broken.push_back({ "the tensor degree divides the attention heads",
            number(model.heads) + " heads do not divide by " + number(layout.tensor), "" });
    if (layout.pipeline > model.layers)
        result.broken.push_back({ "every pipeline stage has a layer",
            number(layout.pipeline) + " stages for " + number(model.layers) + " layers",
            "use at most " + number(model.layers) + " stages" });
    if (layout.expert > 1 && (model.experts == 0 || model.experts % layout.expert != 0))
        result.broken.push_back({ "the expert degree divides the experts",
            model.experts == 0
                ? "the model has no experts, and the expert degree is " + number(layout.expert)
                : number(model.experts) + " experts do not divide by " + number(layout.expert),
            "" });
}

void checkBatch(const ResolvedLayout& resolved, const Workload& workload, Legality& result)
{
    const BatchArithmetic batch = batchArithmetic(workload.recipe, resolved.dataParallel());
    if (!batch.broken)
        return;
    const auto factor = [](const std::optional<std::int64_t>& value) {
        return value ? number(*value) : std::string("?");
    };
    const std::int64_t unit = batch.dataParallel
        * (batch.microBatch ? *batch.microBatch : batch.accumulation.value_or(1));
    result.broken.push_back({ "global batch = micro-batch × accumulation × data-parallel ranks",
        factor(batch.globalBatch) + " is not " + factor(batch.microBatch) + " × "
            + factor(batch.accumulation) + " × " + number(batch.dataParallel),
        "use a global batch that is a multiple of " + number(unit) });
}

/// Groups of different sizes, and ranks that are in no group while others are.
void checkGroups(const Layout& layout, const ResolvedLayout& resolved, const Workload& workload,
    Legality& result)
{
    if (layout.preset != LayoutPreset::Custom || layout.groups.empty())
        return;
    std::int64_t smallest = layout.groups.front().ranks.size();
    std::int64_t largest = smallest;
    RankSet grouped;
    for (const ShardGroup& group : layout.groups) {
        smallest = std::min(smallest, group.ranks.size());
        largest = std::max(largest, group.ranks.size());
        grouped.unite(group.ranks);
    }
    const std::int64_t loose = resolved.rankCount() - grouped.size();
    const auto tell
        = [&](const std::string& rule, const std::string& text, const std::string& fix) {
              if (workload.recipe.framework.empty())
                  result.remarks.push_back({ "Layout", text, fix });
              else
                  result.broken.push_back(
                      { rule, text + "; " + workload.recipe.framework + " refuses that", fix });
          };
    if (smallest != largest)
        tell("all shard groups have the same size",
            "Shard groups have " + number(smallest) + " to " + plural(largest, "rank", "ranks")
                + ": the smallest group decides what its ranks hold",
            "make the groups equal");
    if (loose > 0)
        tell("every rank is in a shard group",
            plural(loose, "rank is in no shard group and keeps a complete copy",
                "ranks are in no shard group and keep complete copies"),
            "put them into a group, or remove them from the job");
}

void checkPlaces(const ResolvedLayout& resolved, Legality& result)
{
    if (resolved.oneToOne())
        return;
    RankSet lost;
    for (std::int32_t rank = 0; rank < resolved.rankCount(); ++rank)
        if (resolved.gpuOf(rank) < 0)
            lost.insert(rank);
    if (!lost.empty())
        result.broken.push_back({ "every rank runs on a GPU of the site",
            "rank " + lost.text() + " has no GPU", "place it on a GPU" });
}

} // namespace

Legality legality(const Layout& layout, const ResolvedLayout& resolved, const Workload& workload)
{
    Legality result;
    if (resolved.rankCount() == 0)
        return result;
    checkPlaces(resolved, result);
    checkDegrees(layout, resolved, result);
    checkModel(layout, workload, result);
    checkBatch(resolved, workload, result);
    checkGroups(layout, resolved, workload, result);
    return result;
}

BatchArithmetic batchArithmetic(const Recipe& recipe, std::int64_t dataParallelRanks)
{
    BatchArithmetic batch;
    batch.microBatch = recipe.microBatch;
    batch.accumulation = recipe.accumulation;
    batch.globalBatch = recipe.globalBatch;
    batch.dataParallel = dataParallelRanks;
    if (dataParallelRanks <= 0)
        return batch;

    using Derived = BatchArithmetic::Derived;
    const auto divide = [&](const std::optional<std::int64_t>& known,
                            std::optional<std::int64_t>& wanted, Derived which) {
        std::int64_t unit = 0;
        if (__builtin_mul_overflow(*known, dataParallelRanks, &unit) || unit == 0
            || *batch.globalBatch % unit != 0) {
            batch.broken = true;
            return;
        }
        wanted = *batch.globalBatch / unit;
        batch.derived = which;
        batch.closes = true;
    };
    std::int64_t sequences = 0;
    const bool product = batch.microBatch && batch.accumulation
        && !__builtin_mul_overflow(*batch.microBatch, *batch.accumulation, &sequences)
        && !__builtin_mul_overflow(sequences, dataParallelRanks, &sequences);
    if (batch.globalBatch && batch.microBatch && batch.accumulation) {
        batch.closes = product && sequences == *batch.globalBatch;
        batch.broken = !batch.closes;
    } else if (batch.globalBatch && batch.microBatch) {
        divide(batch.microBatch, batch.accumulation, Derived::Accumulation);
    } else if (batch.globalBatch && batch.accumulation) {
        divide(batch.accumulation, batch.microBatch, Derived::MicroBatch);
    } else if (product) {
        batch.globalBatch = sequences;
        batch.derived = Derived::GlobalBatch;
        batch.closes = true;
    }
    return batch;
}

namespace {

/// "TP 8 · PP 2 · FSDP 4": a model that is divided before its state is. Empty for another layout.
std::string dividedModelPhrase(const Layout& layout, const ResolvedLayout& resolved)
{
    std::string axes;
    const auto add = [&](const char* axis, std::int64_t degree) {
        if (degree > 1)
            axes += std::string(axis) + " " + number(degree) + " · ";
    };
    add("TP", resolved.tensor());
    add("CP", resolved.context());
    add("PP", resolved.pipeline());
    const std::int64_t data = resolved.dataParallel();
    if (axes.empty() || data == 0)
        return {};
    const std::int64_t shards = resolved.shardRanks();
    switch (layout.preset) {
    case LayoutPreset::Ddp:
        return axes + plural(data, "replica", "replicas");
    case LayoutPreset::Fsdp:
        return axes + "FSDP " + number(shards);
    case LayoutPreset::Hsdp:
        return axes + "HSDP " + number(data * resolved.context() / shards) + " × " + number(shards);
    default:
        return {};
    }
}

} // namespace

std::string layoutPhrase(const Layout& layout, const ResolvedLayout& resolved)
{
    const std::int64_t ranks = resolved.rankCount();
    if (ranks == 0)
        return "no ranks";
    if (std::string phrase = dividedModelPhrase(layout, resolved); !phrase.empty())
        return phrase;
    const std::string over = " over " + plural(ranks, "rank", "ranks");
    switch (layout.preset) {
    case LayoutPreset::Ddp:
        return plural(ranks, "replica", "replicas");
    case LayoutPreset::Zero1:
        return "ZeRO-1" + over;
    case LayoutPreset::Zero2:
        return "ZeRO-2" + over;
    case LayoutPreset::Fsdp:
        return resolved.groupCount() == 1 ? plural(ranks, "shard", "shards")
                                          : "FSDP, " + number(resolved.groupCount()) + " groups";
    case LayoutPreset::Hsdp:
        return "HSDP " + number(resolved.groupCount()) + " × "
            + number(resolved.group(0).ranks.size());
    case LayoutPreset::Megatron:
        return "TP " + number(layout.tensor) + " · PP " + number(layout.pipeline) + " · DP "
            + number(resolved.dataParallel());
    case LayoutPreset::Custom:
        break;
    }
    if (layout.groups.empty())
        return plural(ranks, "replica", "replicas");
    std::int64_t grouped = 0;
    for (const ShardGroup& group : layout.groups)
        grouped += group.ranks.size();
    const auto groups = static_cast<std::int64_t>(layout.groups.size());
    std::string phrase = groups == 1
        ? "1 group of " + number(layout.groups.front().ranks.size())
        : number(groups) + " groups, " + plural(grouped, "rank", "ranks");
    if (ranks > grouped)
        phrase += " + " + number(ranks - grouped) + " alone";
    return phrase;
}

} // namespace shardrack
