#include "site/site.h"

#include "base/rank_set.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace shardrack {
namespace {

UsableAllocation usableOf(const GpuRun& run, const GpuType* type)
{
    const Bytes stated = type ? type->usable : Bytes();
    if (!run.confirmed)
        return { run.usable.value_or(stated), Provenance::NotEstablished };
    if (run.usable)
        return { *run.usable, Provenance::Stipulated };
    const bool known = type && type->usableConfirmed;
    return { stated, known ? Provenance::Derived : Provenance::NotEstablished };
}

SiteIndex::Kind kindOf(const GpuRun& run, const Catalogue& catalogue)
{
    const GpuType* type = catalogue.gpu(run.type);
    return { run.type, type ? type->installed : Bytes(), type != nullptr, usableOf(run, type),
        type ? type->architecture : 0 };
}

bool sameKind(const GpuRun& a, const GpuRun& b)
{
    return a.usable == b.usable && a.confirmed == b.confirmed && a.type == b.type;
}

/// Gives equal runs the same number. Neighbouring runs are nearly always of one kind, so most are
/// answered by one comparison; the catalogue and the map are asked where the kind changes.
class KindNumbers {
public:
    KindNumbers(const Catalogue& catalogue, std::vector<SiteIndex::Kind>& kinds)
        : m_catalogue(catalogue)
        , m_kinds(kinds)
    {
    }
    std::int32_t of(const GpuRun& run)
    {
        if (!m_last || !sameKind(*m_last, run)) {
            SiteIndex::Kind kind = kindOf(run, m_catalogue);
            const auto [entry, isNew]
                = m_numbers.try_emplace({ run.type, kind.usable.bytes, kind.usable.provenance },
                    std::int32_t(m_kinds.size()));
            if (isNew)
                m_kinds.push_back(std::move(kind));
            m_last = &run;
            m_lastNumber = entry->second;
        }
        return m_lastNumber;
    }

private:
    const Catalogue& m_catalogue;
    std::vector<SiteIndex::Kind>& m_kinds;
    std::map<std::tuple<std::string_view, Bytes, Provenance>, std::int32_t> m_numbers;
    const GpuRun* m_last = nullptr;
    std::int32_t m_lastNumber = 0;
};

const std::string& serverName(const Site& site, const SiteIndex::Place& place)
{
    return site.racks[std::size_t(place.rack)]->servers[std::size_t(place.server)].name;
}

constexpr const char* kDot = "\u00b7";

} // namespace

SiteIndex::SiteIndex(const Site& site, const Catalogue& catalogue)
{
    std::size_t serverCount = 0;
    std::size_t gpuCount = 0;
    for (const auto& rack : site.racks) {
        serverCount += rack->servers.size();
        for (const Server& server : rack->servers)
            gpuCount += std::size_t(server.gpuCount());
    }
    m_servers.reserve(serverCount);
    m_byId.reserve(serverCount);
    m_kindOf.reserve(gpuCount);

    KindNumbers numbers(catalogue, m_kinds);
    for (std::size_t rackIndex = 0; rackIndex < site.racks.size(); ++rackIndex) {
        const Rack& rack = *site.racks[rackIndex];
        for (std::size_t index = 0; index < rack.servers.size(); ++index) {
            const Server& server = rack.servers[index];
            const auto first = this->gpuCount();
            for (const GpuRun& run : server.gpus) {
                const std::int32_t number = numbers.of(run);
                m_kindOf.insert(m_kindOf.end(), std::size_t(run.count), number);
                m_installedTotal += m_kinds[std::size_t(number)].installed * run.count;
            }
            m_byId.emplace_back(server.id, std::int32_t(m_servers.size()));
            m_servers.push_back({ std::int32_t(rackIndex), std::int32_t(index), first,
                this->gpuCount() - first, server.id });
        }
    }
    if (!std::is_sorted(m_byId.begin(), m_byId.end()))
        std::sort(m_byId.begin(), m_byId.end());
}

std::int32_t SiteIndex::serverOf(std::int32_t ordinal) const
{
    const auto after = std::partition_point(m_servers.begin(), m_servers.end(),
        [ordinal](const Place& place) { return place.firstGpu <= ordinal; });
    return std::int32_t(after - m_servers.begin()) - 1;
}

std::int32_t SiteIndex::ordinal(GpuRef gpu) const
{
    const auto entry = std::partition_point(
        m_byId.begin(), m_byId.end(), [gpu](const auto& pair) { return pair.first < gpu.server; });
    if (entry == m_byId.end() || entry->first != gpu.server)
        return -1;
    const Place& place = m_servers[std::size_t(entry->second)];
    return gpu.index >= 0 && gpu.index < place.gpuCount ? place.firstGpu + gpu.index : -1;
}

GpuRef SiteIndex::ref(std::int32_t ordinal) const
{
    const Place& place = m_servers[std::size_t(serverOf(ordinal))];
    return { place.id, ordinal - place.firstGpu };
}

std::string SiteIndex::deviceName(const Site& site, std::int32_t ordinal) const
{
    const Place& place = m_servers[std::size_t(serverOf(ordinal))];
    return serverName(site, place) + kDot + std::to_string(ordinal - place.firstGpu);
}

std::string deviceNames(
    const Site& site, const SiteIndex& index, const std::vector<std::int32_t>& ordinals)
{
    std::vector<std::int32_t> sorted = ordinals;
    std::sort(sorted.begin(), sorted.end());
    std::string names;
    for (auto at = sorted.begin(); at != sorted.end();) {
        const auto& place = index.servers()[std::size_t(index.serverOf(*at))];
        RankSet gpus;
        for (; at != sorted.end() && *at < place.firstGpu + place.gpuCount; ++at)
            gpus.insert(*at - place.firstGpu);
        if (!names.empty())
            names += ',';
        names += serverName(site, place) + kDot + gpus.text();
    }
    return names;
}

} // namespace shardrack
