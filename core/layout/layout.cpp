#include "layout/layout.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace shardrack {

namespace {

struct PresetName {
    LayoutPreset preset;
    const char* id;
    const char* title;
};
constexpr std::array<PresetName, 7> presetNames { {
    { LayoutPreset::Ddp, "ddp", "Replicas (DDP)" },
    { LayoutPreset::Zero1, "zero1", "ZeRO-1: optimizer sharded" },
    { LayoutPreset::Zero2, "zero2", "ZeRO-2: optimizer and gradients sharded" },
    { LayoutPreset::Fsdp, "fsdp", "ZeRO-3 / FSDP: all sharded" },
    { LayoutPreset::Hsdp, "hsdp", "HSDP: sharded in groups, replicated over them" },
    { LayoutPreset::Megatron, "megatron", "Megatron: tensor, pipeline, data parallel" },
    { LayoutPreset::Custom, "custom", "Custom groups" },
} };

PartSet partsOf(LayoutPreset preset)
{
    switch (preset) {
    case LayoutPreset::Zero1:
        return { false, false, true };
    case LayoutPreset::Zero2:
        return { false, true, true };
    case LayoutPreset::Fsdp:
    case LayoutPreset::Hsdp:
        return PartSet::all();
    case LayoutPreset::Ddp:
    case LayoutPreset::Megatron:
    case LayoutPreset::Custom:
        break;
    }
    return {};
}

/// GPUs of the first server that has any: what HSDP shards over where nobody says.
std::int32_t gpusOfAServer(const SiteIndex& site)
{
    for (const SiteIndex::Place& server : site.servers())
        if (server.gpuCount > 0)
            return server.gpuCount;
    return 1;
}

} // namespace

const char* id(LayoutPreset preset) { return presetNames[static_cast<std::size_t>(preset)].id; }

const char* title(LayoutPreset preset)
{
    return presetNames[static_cast<std::size_t>(preset)].title;
}

std::optional<LayoutPreset> layoutPreset(std::string_view id)
{
    for (const PresetName& name : presetNames)
        if (id == name.id)
            return name.preset;
    return std::nullopt;
}

bool operator==(const ShardGroup& a, const ShardGroup& b)
{
    return a.name == b.name && a.ranks == b.ranks && a.distributes == b.distributes
        && sameExtra(a.extra, b.extra);
}

bool operator==(const Layout& a, const Layout& b)
{
    const bool samePlacement = a.placement == b.placement
        || (a.placement && b.placement && *a.placement == *b.placement);
    return samePlacement && a.preset == b.preset && a.dpReplicate == b.dpReplicate
        && a.dpShard == b.dpShard && a.tensor == b.tensor && a.context == b.context
        && a.expert == b.expert && a.pipeline == b.pipeline && a.order == b.order
        && a.ranksFollowHardware == b.ranksFollowHardware && a.groups == b.groups
        && sameExtra(a.extra, b.extra);
}

ResolvedLayout::ResolvedLayout(const Layout& layout, const SiteIndex& site)
    : m_oneToOne(!layout.placement)
{
    if (layout.placement)
        placeByHand(*layout.placement, site);
    else
        m_rankCount = site.gpuCount();

    // Degrees far beyond any job must not overflow: more than this divides no number of ranks.
    const std::int64_t most = std::int64_t(1) << 30;
    const auto times = [most](std::int64_t product, std::int32_t degree) {
        return std::min(most, product * std::max(1, degree));
    };
    m_modelParallel = static_cast<std::int32_t>(times(times(1, layout.tensor), layout.pipeline));
    const std::int64_t lines = times(m_modelParallel, layout.context);
    m_dataParallel = m_rankCount % lines == 0 ? static_cast<std::int32_t>(m_rankCount / lines) : 0;

    m_tensor = std::max(1, layout.tensor);
    m_context = std::max(1, layout.context);
    m_pipeline = std::max(1, layout.pipeline);
    findStrides(layout);
    m_preset = layout.preset;
    if (partsOf(layout.preset).whole() && m_dataParallel > 0)
        m_shardRanks = dataOfAGroup(layout, site) * m_context;

    if (layout.preset == LayoutPreset::Custom)
        groupByHand(layout);
    else
        groupByRule(layout, site);
}

std::int32_t shardGroupSize(const Layout& layout, std::int32_t usual, std::int32_t ranks)
{
    if (layout.dpShard)
        usual = *layout.dpShard;
    else if (layout.dpReplicate)
        usual = ranks / std::max(1, *layout.dpReplicate);
    return std::clamp(usual, 1, ranks);
}

std::int32_t ResolvedLayout::dataOfAGroup(const Layout& layout, const SiteIndex& site) const
{
    const std::int32_t usual = layout.preset == LayoutPreset::Hsdp
        ? std::max(1, gpusOfAServer(site) / (m_tensor * m_context))
        : m_dataParallel;
    return shardGroupSize(layout, usual, m_dataParallel);
}

void ResolvedLayout::findStrides(const Layout& layout)
{
    // Axes inside another's multiply to its stride. Experts lie inside the data-parallel axis.
    const std::string order = layout.order.empty() ? "tp-cp-ep-dp-pp" : layout.order;
    std::int64_t stride = 1;
    const auto next = [&](std::int32_t& axis, std::int32_t degree) {
        axis = static_cast<std::int32_t>(std::clamp<std::int64_t>(stride, 1, 1 << 30));
        stride = std::min<std::int64_t>(1 << 30, stride * std::max(1, degree));
    };
    for (std::size_t at = 0; at < order.size(); at += 3) {
        const std::string_view axis = std::string_view(order).substr(at, 2);
        if (axis == "tp")
            next(m_strides.tensor, m_tensor);
        else if (axis == "cp")
            next(m_strides.context, m_context);
        else if (axis == "dp")
            next(m_strides.data, m_dataParallel);
        else if (axis == "pp")
            next(m_strides.stage, m_pipeline);
    }
}

ResolvedLayout::Coordinates ResolvedLayout::coordinates(std::int32_t rank) const
{
    if (m_dataParallel == 0)
        return {};
    return { rank / m_strides.tensor % m_tensor, rank / m_strides.context % m_context,
        rank / m_strides.data % m_dataParallel, rank / m_strides.stage % m_pipeline };
}

void ResolvedLayout::placeByHand(const Placement& placement, const SiteIndex& site)
{
    m_rankCount = static_cast<std::int32_t>(placement.size());
    m_deviceStart.reserve(placement.size() + 1);
    m_devices.reserve(placement.size());
    m_residentStart.assign(static_cast<std::size_t>(site.gpuCount()) + 1, 0);
    for (const RankPlace& place : placement) {
        m_deviceStart.push_back(static_cast<std::int32_t>(m_devices.size()));
        const bool single = place.gpus.size() == 1;
        const bool weighted = place.weights.size() == place.gpus.size();
        const std::int64_t weights = single ? 1
            : weighted
            ? std::accumulate(place.weights.begin(), place.weights.end(), std::int64_t(0))
            : 0;
        std::int64_t before = 0;
        for (std::size_t i = 0; i < place.gpus.size(); ++i) {
            const std::int32_t gpu = site.ordinal(place.gpus[i]);
            const std::int64_t weight = single ? 1 : weighted ? place.weights[i] : 0;
            if (gpu >= 0) {
                m_devices.push_back({ gpu, weight, weights, before });
                ++m_residentStart[static_cast<std::size_t>(gpu) + 1];
            }
            before += weight;
        }
    }
    m_deviceStart.push_back(static_cast<std::int32_t>(m_devices.size()));

    // Counted above, so every GPU's part of the array is known; ranks come in ascending order.
    std::partial_sum(m_residentStart.begin(), m_residentStart.end(), m_residentStart.begin());
    m_residents.resize(m_devices.size());
    std::vector<std::int32_t> next(m_residentStart.begin(), m_residentStart.end() - 1);
    for (std::int32_t rank = 0; rank < m_rankCount; ++rank)
        for (const Device& device : devicesByHand(rank))
            m_residents[static_cast<std::size_t>(next[static_cast<std::size_t>(device.gpu)]++)]
                = { rank, device.weight, device.weights, device.before };
}

std::span<const ResolvedLayout::Device> ResolvedLayout::devicesByHand(std::int32_t rank) const
{
    const auto at = static_cast<std::size_t>(rank);
    return std::span(m_devices).subspan(static_cast<std::size_t>(m_deviceStart[at]),
        static_cast<std::size_t>(m_deviceStart[at + 1] - m_deviceStart[at]));
}

std::span<const ResolvedLayout::Resident> ResolvedLayout::residents(std::int32_t gpu) const
{
    const auto at = static_cast<std::size_t>(gpu);
    return std::span(m_residents)
        .subspan(static_cast<std::size_t>(m_residentStart[at]),
            static_cast<std::size_t>(m_residentStart[at + 1] - m_residentStart[at]));
}

void ResolvedLayout::groupByRule(const Layout& layout, const SiteIndex& site)
{
    m_parts = partsOf(layout.preset);
    if (m_parts.none() || m_rankCount == 0)
        return;
    if (groupsFollow()) {
        const std::int32_t usual
            = layout.preset == LayoutPreset::Hsdp ? gpusOfAServer(site) : m_rankCount;
        m_groupSize = shardGroupSize(layout, usual, m_rankCount);
        m_groupsInLine = (m_rankCount + m_groupSize - 1) / m_groupSize;
    } else if (m_dataParallel > 0) {
        const std::int32_t data = dataOfAGroup(layout, site);
        m_groupSize = data * m_context;
        m_groupsInLine = (m_dataParallel + data - 1) / data;
    }
}

ResolvedLayout::Share ResolvedLayout::shareByRule(std::int32_t rank) const
{
    if (groupsFollow()) {
        const std::int32_t number = rank / m_groupSize;
        const std::int32_t first = number * m_groupSize;
        return { number, std::min(m_groupSize, m_rankCount - first), rank - first };
    }
    const Coordinates at = coordinates(rank);
    const std::int32_t data = m_groupSize / m_context;
    const std::int32_t inLine = at.data / data;
    const std::int32_t ranks = std::min(data, m_dataParallel - inLine * data) * m_context;
    return { (at.stage * m_tensor + at.tensor) * m_groupsInLine + inLine, ranks,
        at.data % data * m_context + at.context };
}

RankSet ResolvedLayout::ranksByRule(std::int32_t number) const
{
    if (groupsFollow()) {
        const std::int32_t first = number * m_groupSize;
        return RankSet::range(first, std::min(first + m_groupSize, m_rankCount) - 1);
    }
    const std::int32_t line = number / m_groupsInLine;
    const std::int32_t start
        = line / m_tensor * m_strides.stage + line % m_tensor * m_strides.tensor;
    const std::int32_t data = m_groupSize / m_context;
    const std::int32_t first = number % m_groupsInLine * data;
    std::vector<std::int32_t> ranks;
    for (std::int32_t i = first; i < std::min(first + data, m_dataParallel); ++i)
        for (std::int32_t k = 0; k < m_context; ++k)
            ranks.push_back(start + i * m_strides.data + k * m_strides.context);
    std::sort(ranks.begin(), ranks.end());
    RankSet set;
    for (const std::int32_t rank : ranks)
        set.insert(rank);
    return set;
}

void ResolvedLayout::groupByHand(const Layout& layout)
{
    m_groups = layout.groups;
    m_shares.resize(static_cast<std::size_t>(m_rankCount));
    for (std::size_t number = 0; number < m_groups.size(); ++number) {
        const ShardGroup& group = m_groups[number];
        const auto ranks = static_cast<std::int32_t>(group.ranks.size());
        std::int32_t position = 0;
        for (const RankSet::Interval& interval : group.ranks.intervals())
            for (std::int32_t rank = interval.first; rank <= interval.last && rank < m_rankCount;
                 ++rank) {
                const Share share { static_cast<std::int32_t>(number), ranks, position++ };
                Shares& shares = m_shares[static_cast<std::size_t>(rank)];
                if (group.distributes.parameters)
                    shares.parameters = share;
                if (group.distributes.gradients)
                    shares.gradients = share;
                if (group.distributes.optimizer)
                    shares.optimizer = share;
            }
    }
}

std::vector<ResolvedLayout::Device> ResolvedLayout::devicesOf(std::int32_t rank) const
{
    if (m_oneToOne)
        return { { rank, 1, 1, 0 } };
    const std::span<const Device> devices = devicesByHand(rank);
    return { devices.begin(), devices.end() };
}

std::int32_t ResolvedLayout::gpuOf(std::int32_t rank) const
{
    if (m_oneToOne)
        return rank;
    const std::span<const Device> devices = devicesByHand(rank);
    return devices.empty() ? -1 : devices.front().gpu;
}

std::vector<std::int32_t> ResolvedLayout::ranksOn(std::int32_t gpu) const
{
    std::vector<std::int32_t> ranks;
    if (!m_oneToOne)
        for (const Resident& resident : residents(gpu))
            ranks.push_back(resident.rank);
    else if (gpu < m_rankCount)
        ranks.push_back(gpu);
    return ranks;
}

ResolvedLayout::Shares ResolvedLayout::shares(std::int32_t rank) const
{
    if (!m_shares.empty())
        return m_shares[static_cast<std::size_t>(rank)];
    if (m_groupSize == 0)
        return {};
    const Share share = shareByRule(rank);
    Shares shares;
    if (m_parts.parameters)
        shares.parameters = share;
    if (m_parts.gradients)
        shares.gradients = share;
    if (m_parts.optimizer)
        shares.optimizer = share;
    return shares;
}

std::int32_t ResolvedLayout::groupCount() const
{
    if (m_groupSize == 0)
        return static_cast<std::int32_t>(m_groups.size());
    return m_groupsInLine * m_modelParallel;
}

ShardGroup ResolvedLayout::group(std::int32_t number) const
{
    if (m_groupSize == 0)
        return m_groups[static_cast<std::size_t>(number)];
    return { groupName(number), ranksByRule(number), m_parts, nullptr };
}

std::string ResolvedLayout::groupName(std::int32_t number) const
{
    if (m_groupSize == 0)
        return m_groups[static_cast<std::size_t>(number)].name;
    return groupCount() == 1 ? "S" : "S" + std::to_string(number);
}

std::vector<ShardGroup> ResolvedLayout::groups() const
{
    std::vector<ShardGroup> all;
    const std::int32_t count = groupCount();
    all.reserve(static_cast<std::size_t>(count));
    for (std::int32_t number = 0; number < count; ++number)
        all.push_back(group(number));
    return all;
}

std::int32_t ResolvedLayout::replicas() const
{
    if (m_groupSize > 0)
        return m_parts.parameters ? m_groupsInLine : m_rankCount / m_modelParallel;
    std::int64_t copies = m_rankCount;
    for (const ShardGroup& group : m_groups)
        if (group.distributes.parameters)
            copies -= group.ranks.size() - 1;
    return static_cast<std::int32_t>(copies) / m_modelParallel;
}

} // namespace shardrack
