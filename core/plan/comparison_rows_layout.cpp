// The hardware of the offers, how the job lies on it, and what has to move for that.

#include "plan/comparison_parts.h"

#include "plan/report_words.h"
#include "plan/summary_words.h"

#include "base/size_text.h"

#include <algorithm>
#include <utility>

namespace shardrack {

namespace {

/// Adds to the number beside a name; names stay in the order of their first appearance.
void count(std::vector<std::pair<std::string, std::int64_t>>& tally, const std::string& name,
    std::int64_t number)
{
    const auto known = std::find_if(
        tally.begin(), tally.end(), [&](const auto& each) { return each.first == name; });
    if (known == tally.end())
        tally.emplace_back(name, number);
    else
        known->second += number;
}

/// "32 × H100-80GB, 4 × L40S".
std::string text(const std::vector<std::pair<std::string, std::int64_t>>& tally)
{
    std::string text;
    for (const auto& [name, number] : tally)
        text += (text.empty() ? "" : ", ") + grouped(number) + " × " + name;
    return text;
}

std::string gpuName(const std::string& type)
{
    const GpuType* known = Catalogue::builtIn().gpu(type);
    if (!known)
        return type.empty() ? "GPU of no stated type" : type;
    return known->shortName.empty() ? known->name : known->shortName;
}

ComparisonCell gpusCell(const SiteIndex& site)
{
    std::vector<std::pair<std::string, std::int64_t>> tally;
    std::vector<std::pair<std::string, std::int64_t>> installed;
    for (const GpuCount& each : gpuCounts(site)) {
        count(tally, gpuName(each.kind->type), each.count);
        count(installed,
            each.kind->installedKnown ? gibText(each.kind->installed) : "memory not established",
            each.count);
    }
    if (tally.empty())
        return given({});
    ComparisonCell cell = given(text(tally), text(installed));
    if (site.gpuCount() > 1)
        cell.detail
            += ", together " + gibText(site.installedTotal()) + "; their sum is not one allocation";
    return cell;
}

/// Ids of the servers' types and how many there are of each.
std::vector<std::pair<std::string, std::int64_t>> serverTypes(const Site& site)
{
    std::vector<std::pair<std::string, std::int64_t>> types;
    for (const auto& rack : site.racks)
        for (const Server& server : rack->servers)
            count(types, server.type, 1);
    return types;
}

ComparisonCell serversCell(const Site& site)
{
    std::vector<std::pair<std::string, std::int64_t>> tally;
    std::int64_t servers = 0;
    for (const auto& [id, number] : serverTypes(site)) {
        const ServerType* type = Catalogue::builtIn().server(id);
        count(tally, type ? type->name : "server of no stated type", number);
        servers += number;
    }
    if (servers == 0)
        return given({});
    return given(countedText(servers, "server", "servers") + " in "
            + countedText(std::int64_t(site.racks.size()), "rack", "racks"),
        text(tally));
}

/// As stated, else what the catalogue says; between servers nobody says it for us.
ComparisonCell interconnectCell(const Offer& offer)
{
    const std::string inside = fabricWords(offer.site);
    if (!offer.interconnect.empty() || inside.empty())
        return given(offer.interconnect, inside);
    ComparisonCell cell = said(inside);
    cell.provenance = Provenance::Derived;
    std::size_t servers = 0;
    for (const auto& rack : offer.site.racks)
        servers += rack->servers.size();
    if (servers > 1) {
        cell.text += "; between servers not given";
        cell.open = true;
    }
    return cell;
}

/// The usable allocations of the GPUs with a rank, the usual one first.
ComparisonCell usableCell(const Account& account, const DeviceClass& mostLoaded)
{
    std::vector<std::pair<std::string, std::int64_t>> tally;
    for (const DeviceClass& device : account.deviceClasses)
        if (!device.idle())
            count(tally, usableText(device.usable), device.gpus.size());
    ComparisonCell cell = said(usableText(mostLoaded.usable));
    cell.provenance = mostLoaded.usable.provenance;
    cell.open = mostLoaded.usable.provenance == Provenance::NotEstablished;
    if (!cell.open || mostLoaded.usable.bytes > Bytes(0))
        cell.bytes = mostLoaded.usable.bytes;
    cell.atLeast = false;
    if (tally.size() > 1)
        cell.detail = "devices differ: " + text(tally);
    return cell;
}

ComparisonCell ranksCell(const Assessment& assessment)
{
    const std::int64_t idle = assessment.findings.devicesIdle;
    ComparisonCell cell = said(countedText(assessment.layout.rankCount(), "rank", "ranks") + " on "
        + grouped(assessment.findings.devicesJudged) + " of "
        + countedText(assessment.index.gpuCount(), "GPU", "GPUs"));
    if (idle > 0)
        cell.detail = countedText(idle, "GPU has no rank and is in no finding",
            "GPUs have no rank and are in no finding");
    return cell;
}

/// "layers over a pipeline of 2; parameters, gradients, optimizer state over 8 ranks".
ComparisonCell dividedCell(const ResolvedLayout& layout, const ResolvedLayout::Shares& shares)
{
    const std::pair<const char*, std::int32_t> parts[]
        = { { "parameters", shares.parameters.ranks }, { "gradients", shares.gradients.ranks },
              { "optimizer state", shares.optimizer.ranks } };
    std::vector<std::pair<std::int32_t, std::string>> bySize;
    for (const auto& [part, ranks] : parts) {
        const std::int32_t over = ranks;
        const auto known = std::find_if(
            bySize.begin(), bySize.end(), [&](const auto& each) { return each.first == over; });
        if (known == bySize.end())
            bySize.emplace_back(over, part);
        else
            known->second += std::string(", ") + part;
    }
    std::string divided;
    std::string whole;
    const auto alsoOver = [&](const char* what, std::int32_t ranks) {
        if (ranks > 1)
            divided += (divided.empty() ? "" : "; ") + std::string(what) + grouped(ranks);
    };
    alsoOver("layers over a pipeline of ", layout.pipeline());
    alsoOver("matrices over tensor groups of ", layout.tensor());
    alsoOver("sequences over context groups of ", layout.context());
    for (const auto& [ranks, names] : bySize) {
        if (ranks == 1)
            whole
                = (layout.modelParallel() > 1 ? "not divided further: " : "keeps whole: ") + names;
        else
            divided += (divided.empty() ? "" : "; ") + names + " over "
                + countedText(ranks, "rank", "ranks");
    }
    return said(divided.empty() ? "nothing" : divided, whole);
}

/// "48 = 2 × 1 × 24 sequences"; what is missing is "?".
ComparisonCell batchCell(const Recipe& recipe, std::int64_t dataParallel)
{
    using Derived = BatchArithmetic::Derived;
    const BatchArithmetic batch = batchArithmetic(recipe, dataParallel);
    const auto factor = [](const std::optional<std::int64_t>& value) {
        return value ? grouped(*value) : std::string("?");
    };
    if (!batch.globalBatch && !batch.microBatch && !batch.accumulation)
        return given({}, countedText(dataParallel, "data-parallel rank", "data-parallel ranks"));
    ComparisonCell cell
        = said(factor(batch.globalBatch) + (batch.broken ? " ≠ " : " = ") + factor(batch.microBatch)
                + " × " + factor(batch.accumulation) + " × " + grouped(dataParallel) + " sequences",
            "global batch = micro-batch × accumulation × data-parallel ranks");
    cell.open = !batch.closes && !batch.broken;
    cell.provenance = cell.open ? Provenance::NotEstablished : Provenance::Derived;
    switch (batch.derived) {
    case Derived::None:
        break;
    case Derived::MicroBatch:
        cell.detail += "; the micro-batch follows";
        break;
    case Derived::Accumulation:
        cell.detail += "; the accumulation follows";
        break;
    case Derived::GlobalBatch:
        cell.detail += "; the global batch follows";
        break;
    }
    if (batch.broken)
        cell.detail += "; not legal";
    return cell;
}

/// What has to be sent for the state to be divided as it is (Rajbhandari et al. 2020,
/// arXiv:1910.02054, section 7; FSDP gathers in forward and again in backward).
std::string moves(const ResolvedLayout& layout, const ResolvedLayout::Shares& shares)
{
    const std::int32_t ranks = layout.dataParallel();
    if (ranks == 1 && shares.parameters.ranks == 1)
        return "no state: there is one data-parallel rank";
    if (shares.parameters.ranks > 1) {
        // Between the micro-batches of a pipeline nothing is resharded or reduced
        // (torch/distributed/pipelining/stage.py).
        std::string text = layout.pipeline() > 1
            ? "parameters gathered and gradients reduce-scattered once a step, every block"
            : "parameters gathered in forward and again in backward, gradients "
              "reduce-scattered, every block";
        if (layout.replicas() > 1)
            text += "; gradients all-reduced between the copies, once a step";
        return text;
    }
    if (shares.gradients.ranks > 1 || shares.optimizer.ranks > 1)
        return "gradients reduce-scattered, parameters gathered, once a step";
    return "gradients all-reduced, once a step";
}

std::string alsoMoves(const Layout& layout)
{
    std::string text;
    const auto add = [&](bool used, const char* what) {
        if (used)
            text += (text.empty() ? "" : "; ") + std::string(what);
    };
    add(layout.tensor > 1, "tensor parallel: activations, twice a layer each way");
    add(layout.context > 1, "context parallel: keys and values, every layer");
    add(layout.pipeline > 1,
        "pipeline parallel: activations at stage boundaries, every micro-batch");
    add(layout.expert > 1, "expert parallel: routed tokens, every MoE layer");
    return text;
}

/// A rank on the most loaded device; -1 when no GPU has one.
std::int32_t rankOfMostLoaded(const Assessment& assessment)
{
    const std::int32_t gpu = assessment.findings.mostLoadedGpu;
    if (gpu < 0)
        return -1;
    const std::vector<std::int32_t> ranks = assessment.layout.ranksOn(gpu);
    return ranks.empty() ? -1 : ranks.front();
}

} // namespace

void ComparisonRows::addHardware()
{
    addSite();
    addLayout();
}

void ComparisonRows::addSite()
{
    add(Section::Hardware, "gpus", "GPUs",
        [&](std::size_t i) { return gpusCell(assessment(i).index); });
    add(Section::Hardware, "servers", "Servers and racks",
        [&](std::size_t i) { return serversCell(offer(i).site); });
    add(Section::Hardware, "interconnect", "Interconnect",
        [&](std::size_t i) { return interconnectCell(offer(i)); });
    add(Section::Hardware, "usable", "Usable allocation", [&](std::size_t i) {
        const DeviceClass* device = mostLoaded(i);
        return device ? usableCell(assessment(i).account, *device) : nothingPlaced();
    });
}

void ComparisonRows::addLayout()
{
    add(Section::Hardware, "ranks", "Ranks",
        [&](std::size_t i) { return ranksCell(assessment(i)); });
    add(Section::Hardware, "layout", "Layout", [&](std::size_t i) {
        return said(m_comparison.offers[i].phrase, title(offer(i).layout.preset));
    });
    add(Section::Hardware, "divided", "Divided", [&](std::size_t i) {
        const std::int32_t rank = rankOfMostLoaded(assessment(i));
        const ResolvedLayout& layout = assessment(i).layout;
        return rank < 0 ? nothingPlaced() : dividedCell(layout, layout.shares(rank));
    });
    add(Section::Hardware, "legality", "Legality", [&](std::size_t i) {
        const Legality& legality = assessment(i).findings.legality;
        if (legality.legal())
            return said("legal");
        std::string rules;
        for (const BrokenRule& rule : legality.broken)
            rules += (rules.empty() ? "" : "; ") + rule.rule + ": " + rule.text;
        return said("not legal", std::move(rules));
    });
    add(Section::Hardware, "batch", "Batch of a step", [&](std::size_t i) {
        if (assessment(i).layout.rankCount() == 0)
            return nothingPlaced();
        ComparisonCell cell = batchCell(workload(i).recipe, assessment(i).layout.dataParallel());
        if (stepsDiffer())
            cell.detail
                += "; the offers step over different batches: a global batch in the workload "
                   "makes them equal";
        return cell;
    });
    add(Section::Hardware, "assumptions", "Assumed", [&](std::size_t i) {
        std::string text;
        for (const std::string& each : offer(i).assumptions)
            text += (text.empty() ? "" : " ") + each;
        return text.empty() ? said("nothing stated") : said(std::move(text));
    });
}

bool ComparisonRows::stepsDiffer() const
{
    std::optional<std::int64_t> first;
    for (std::size_t i = 0; i < m_comparison.offers.size(); ++i) {
        const auto batch
            = batchArithmetic(workload(i).recipe, assessment(i).layout.dataParallel()).globalBatch;
        if (batch && first && *batch != *first)
            return true;
        if (batch)
            first = batch;
    }
    return false;
}

void ComparisonRows::addCommunication()
{
    add(Section::Communication, "moves", "What moves", [&](std::size_t i) {
        const std::int32_t rank = rankOfMostLoaded(assessment(i));
        if (rank < 0)
            return nothingPlaced();
        const ResolvedLayout& layout = assessment(i).layout;
        std::string text = moves(layout, layout.shares(rank));
        const std::string also = alsoMoves(offer(i).layout);
        return said(also.empty() ? std::move(text) : text + "; " + also);
    });
    add(Section::Communication, "volume", "Volume a device and step",
        [&](std::size_t) { return notEstablished(); });
    add(Section::Communication, "transfer_time", "Transfer time",
        [&](std::size_t) { return notEstablished(); });
    add(Section::Communication, "step_time", "Step time",
        [&](std::size_t) { return notEstablished("computation time not given"); });
}

} // namespace shardrack
