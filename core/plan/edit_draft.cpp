#include "plan/edit_draft.h"

#include "plan/edit_words.h"
#include "plan/plan_json_parts.h"

#include "base/size_text.h"

#include <algorithm>

namespace shardrack {

namespace {

std::int64_t gpuCount(const Site& site)
{
    std::int64_t count = 0;
    for (const auto& rack : site.racks)
        for (const Server& server : rack->servers)
            count += server.gpuCount();
    return count;
}

/// Data-parallel degrees after the number of ranks changed: the degree that spanned all ranks still
/// does; with shard groups of a given size, the number of replicas follows. What does not divide is
/// left, for legality to name.
void followDegrees(Layout& layout, std::int64_t before, std::int64_t after)
{
    const std::int64_t line = std::int64_t(layout.tensor) * layout.context * layout.pipeline;
    if (line < 1 || before % line != 0 || after % line != 0 || after == 0)
        return;
    before /= line;
    after /= line;
    std::optional<std::int32_t>& shard = layout.dpShard;
    std::optional<std::int32_t>& replicate = layout.dpReplicate;
    if (layout.preset != LayoutPreset::Hsdp && shard == before && replicate.value_or(1) == 1)
        shard = static_cast<std::int32_t>(after);
    else if (layout.preset != LayoutPreset::Hsdp && replicate == before && shard.value_or(1) == 1)
        replicate = static_cast<std::int32_t>(after);
    else if (shard && replicate && *shard > 0 && after % *shard == 0)
        replicate = static_cast<std::int32_t>(after / *shard);
}

/// Removes the members of `gone` from `set`.
void subtract(RankSet& set, const RankSet& gone)
{
    if (!set.intersects(gone))
        return;
    const std::int32_t front = set.front();
    const std::int32_t back = set.back();
    for (const RankSet::Interval& interval : gone.intervals())
        for (std::int32_t rank = std::max(front, interval.first);
             rank <= std::min(back, interval.last); ++rank)
            set.erase(rank);
}

/// Removes the members of `gone`, and every higher member moves down by as many as left below it.
void removeAndClose(RankSet& set, const RankSet& gone)
{
    if (set.empty() || set.back() < gone.front())
        return;
    subtract(set, gone);
    RankSet closed;
    for (const RankSet::Interval& interval : set.intervals()) {
        const auto below = static_cast<std::int32_t>(gone.positionOf(interval.first));
        closed.unite(RankSet::range(interval.first - below, interval.last - below));
    }
    set = std::move(closed);
}

void dropEmptyGroups(Layout& layout)
{
    layout.groups.erase(std::remove_if(layout.groups.begin(), layout.groups.end(),
                            [](const ShardGroup& group) { return group.ranks.empty(); }),
        layout.groups.end());
}

} // namespace

const Offer& offerAt(const Plan& plan, std::size_t index)
{
    if (index >= plan.offers.size())
        refuse("There is no offer number " + std::to_string(index + 1) + ": the plan has "
            + counted(static_cast<std::int64_t>(plan.offers.size()), "offer"));
    return *plan.offers[index];
}

std::int32_t rankCount(const Offer& offer)
{
    return static_cast<std::int32_t>(offer.layout.placement
            ? static_cast<std::int64_t>(offer.layout.placement->size())
            : gpuCount(offer.site));
}

void requireRoom(const Offer& offer)
{
    const auto require = [&](std::int64_t count, const char* what) {
        if (count > kMaximumGpus)
            refuse(offer.name + " would have " + counted(count, what) + ", and can have "
                + grouped(kMaximumGpus));
    };
    require(gpuCount(offer.site), "GPU");
    if (offer.layout.placement)
        require(rankCount(offer), "rank");
}

void replaceOffer(Plan& plan, std::size_t index, Offer offer)
{
    plan.offers[index] = std::make_shared<const Offer>(std::move(offer));
}

OfferDraft::OfferDraft(Plan& plan, std::size_t index)
    : m_plan(plan)
    , m_index(index)
    , m_offer(offerAt(plan, index))
{
    if (hasDegrees())
        m_ranksBefore = rankCount();
}

const Rack& OfferDraft::rack(std::size_t index) const
{
    if (index >= m_offer.site.racks.size())
        refuse("There is no rack number " + std::to_string(index + 1) + ": " + m_offer.name
            + " has " + counted(static_cast<std::int64_t>(m_offer.site.racks.size()), "rack"));
    return *m_offer.site.racks[index];
}

OfferDraft::Spot OfferDraft::find(ServerId id) const
{
    const auto& racks = m_offer.site.racks;
    for (std::size_t rack = 0; rack < racks.size(); ++rack) {
        const std::vector<Server>& servers = racks[rack]->servers;
        for (std::size_t server = 0; server < servers.size(); ++server)
            if (servers[server].id == id)
                return { rack, server };
    }
    refuse("There is no server with the number " + std::to_string(id) + " in " + m_offer.name);
}

const Server& OfferDraft::server(ServerId id) const
{
    const Spot spot = find(id);
    return m_offer.site.racks[spot.rack]->servers[spot.server];
}

const Server& OfferDraft::serverOf(GpuRef gpu) const
{
    const Server& holder = server(gpu.server);
    if (!holder.gpuAt(gpu.index))
        refuse("There is no GPU " + gpuWords(holder, gpu.index) + ": server " + holder.name
            + " has " + counted(holder.gpuCount(), "GPU"));
    return holder;
}

std::string OfferDraft::gpuName(GpuRef gpu) const { return gpuWords(serverOf(gpu), gpu.index); }

std::size_t OfferDraft::rackOf(ServerId id) const { return find(id).rack; }

Rack& OfferDraft::changeRack(std::size_t index)
{
    const Rack* current = &rack(index);
    for (const auto& [at, changed] : m_changedRacks)
        if (at == index && changed.get() == current)
            return *changed;
    auto copy = std::make_shared<Rack>(*current);
    racks()[index] = copy;
    m_changedRacks.emplace_back(index, copy);
    return *copy;
}

Server& OfferDraft::changeServer(ServerId id)
{
    const Spot spot = find(id);
    return changeRack(spot.rack).servers[spot.server];
}

bool newHardwareGetsRanks(const Layout& layout)
{
    return layout.preset != LayoutPreset::Custom && layout.ranksFollowHardware;
}

bool OfferDraft::ranksFollow() const { return newHardwareGetsRanks(m_offer.layout); }

bool OfferDraft::hasDegrees() const
{
    return m_offer.layout.preset != LayoutPreset::Custom
        && (m_offer.layout.dpShard || m_offer.layout.dpReplicate);
}

void OfferDraft::holdRanks()
{
    if (!layout().placement && !ranksFollow())
        placeByHand();
}

void OfferDraft::expectHardware(NewRanks ranks)
{
    m_giveRanks = ranks == NewRanks::Yes || (ranks == NewRanks::Auto && ranksFollow());
    if (!layout().placement && !(m_giveRanks && ranksFollow()))
        placeByHand();
}

void OfferDraft::giveRanks(const Server& server, int firstGpu)
{
    if (!m_giveRanks || !layout().placement)
        return;
    for (int gpu = firstGpu; gpu < server.gpuCount(); ++gpu)
        placement().push_back({ { { server.id, gpu } }, {} });
}

void OfferDraft::requireRank(std::int32_t rank) const
{
    const std::int32_t count = rankCount();
    if (rank >= 0 && rank < count)
        return;
    refuse("There is no rank " + std::to_string(rank) + ": " + m_offer.name + " has "
        + (count == 0 ? "no ranks" : rankWords(RankSet::range(0, count - 1))));
}

void OfferDraft::placeByHand()
{
    layout().ranksFollowHardware = false;
    if (layout().placement)
        return;
    m_changedPlacement = std::make_shared<Placement>();
    m_changedPlacement->reserve(static_cast<std::size_t>(rankCount()));
    for (const auto& rack : racks())
        for (const Server& server : rack->servers)
            for (int gpu = 0, count = server.gpuCount(); gpu < count; ++gpu)
                m_changedPlacement->push_back({ { { server.id, gpu } }, {} });
    layout().placement = m_changedPlacement;
}

Placement& OfferDraft::placement()
{
    if (!m_changedPlacement) {
        m_changedPlacement = std::make_shared<Placement>(*layout().placement);
        layout().placement = m_changedPlacement;
    }
    return *m_changedPlacement;
}

void OfferDraft::removeRanks(const RankSet& ranks)
{
    if (ranks.empty())
        return;
    Placement& places = placement();
    std::size_t kept = static_cast<std::size_t>(ranks.front());
    for (std::size_t rank = kept; rank < places.size(); ++rank)
        if (!ranks.contains(static_cast<std::int32_t>(rank)))
            places[kept++] = std::move(places[rank]);
    places.resize(kept);

    for (ShardGroup& group : layout().groups)
        removeAndClose(group.ranks, ranks);
    dropEmptyGroups(layout());
}

void OfferDraft::groupByHand()
{
    if (layout().preset == LayoutPreset::Custom)
        return;
    if (layout().tensor > 1 || layout().context > 1 || layout().pipeline > 1)
        refuse("The shard groups of " + m_offer.name
            + " follow from its tensor, context and pipeline degrees: set those to 1 to put ranks "
              "into groups by hand");
    const SiteIndex index(m_offer.site, Catalogue::builtIn());
    layout().groups = ResolvedLayout(layout(), index).groups();
    layout().preset = LayoutPreset::Custom;
    layout().dpShard.reset();
    layout().dpReplicate.reset();
    layout().ranksFollowHardware = false;
}

void OfferDraft::leaveGroups(const RankSet& ranks)
{
    for (ShardGroup& group : layout().groups)
        subtract(group.ranks, ranks);
    dropEmptyGroups(layout());
}

void OfferDraft::commit()
{
    if (hasDegrees())
        if (const std::int32_t ranks = rankCount(); ranks != m_ranksBefore)
            followDegrees(layout(), m_ranksBefore, ranks);
    replaceOffer(m_plan, m_index, std::move(m_offer));
}

} // namespace shardrack
