#include "plan/edit_layout.h"

#include "plan/edit_draft.h"
#include "plan/edit_steps.h"
#include "plan/edit_words.h"
#include "plan/plan_json.h"

#include "base/size_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace shardrack {

namespace {

constexpr std::int64_t mostShare = (std::int64_t(1) << 31) - 1; ///< as in a plan file

/// Degrees and their order, by the rules of the plan file.
void requireDegrees(Layout layout)
{
    layout.placement.reset();
    layout.groups.clear();
    layoutFromJson(JsonView(toJson(layout, Site {}), "layout"), Site {});
}

void requirePlaces(const Placement& placement, const Site& site)
{
    std::unordered_map<ServerId, const Server*> servers;
    for (const auto& rack : site.racks)
        for (const Server& server : rack->servers)
            servers.emplace(server.id, &server);
    for (std::size_t rank = 0; rank < placement.size(); ++rank) {
        const RankPlace& place = placement[rank];
        const std::string subject = "Rank " + std::to_string(rank);
        for (const GpuRef& gpu : place.gpus) {
            const auto server = servers.find(gpu.server);
            if (server == servers.end())
                refuse(subject + " is on server number " + std::to_string(gpu.server)
                    + ", which does not exist");
            if (!server->second->gpuAt(gpu.index))
                refuse(subject + " is on GPU " + gpuWords(*server->second, gpu.index)
                    + ", which does not exist");
        }
        if (!place.weights.empty() && place.weights.size() != place.gpus.size())
            refuse(subject + " is on "
                + counted(static_cast<std::int64_t>(place.gpus.size()), "GPU") + " and has "
                + counted(static_cast<std::int64_t>(place.weights.size()), "share"));
        for (const std::int64_t weight : place.weights)
            if (weight < 0 || weight > mostShare)
                refuse(subject + " has the share " + grouped(weight)
                    + ", which is not between 0 and " + grouped(mostShare));
        const auto none = [](std::int64_t weight) { return weight == 0; };
        if (!place.weights.empty() && std::all_of(place.weights.begin(), place.weights.end(), none))
            refuse(subject + " has shares that add up to 0");
    }
}

void requireGroups(const std::vector<ShardGroup>& groups, std::int32_t ranks)
{
    std::unordered_set<std::string> names;
    std::vector<PartSet> divided(static_cast<std::size_t>(ranks)); // by rank
    for (const ShardGroup& group : groups) {
        requireName(group.name, "A shard group");
        if (!names.insert(group.name).second)
            refuse("Two shard groups are named " + group.name);
        if (group.ranks.empty())
            continue;
        if (group.ranks.front() < 0 || group.ranks.back() >= ranks)
            refuse("Shard group " + group.name + " has " + rankWords(group.ranks)
                + ", and there are "
                + (ranks == 0 ? "no ranks" : rankWords(RankSet::range(0, ranks - 1))));
        const PartSet& parts = group.distributes;
        for (const RankSet::Interval& interval : group.ranks.intervals())
            for (std::int32_t rank = interval.first; rank <= interval.last; ++rank) {
                PartSet& before = divided[static_cast<std::size_t>(rank)];
                if ((parts.parameters && before.parameters) || (parts.gradients && before.gradients)
                    || (parts.optimizer && before.optimizer))
                    refuse("Shard group " + group.name + " divides for rank " + std::to_string(rank)
                        + " what another group divides");
                before.parameters = before.parameters || parts.parameters;
                before.gradients = before.gradients || parts.gradients;
                before.optimizer = before.optimizer || parts.optimizer;
            }
    }
}

void requireRanks(const OfferDraft& draft, const RankSet& ranks)
{
    if (ranks.empty())
        refuse("No rank is selected");
    draft.requireRank(ranks.front());
    draft.requireRank(ranks.back());
}

bool allIn(const RankSet& ranks, const RankSet& group)
{
    RankSet both = group;
    both.unite(ranks);
    return both == group;
}

/// " (ranks 2–3 become 1–2)": what becomes of the ranks above those that leave.
std::string closingWords(const RankSet& leaving, std::int32_t ranks)
{
    const std::int32_t first = leaving.front();
    const std::int32_t last = leaving.back();
    if (ranks - first == leaving.size())
        return "";
    if (leaving.intervals().size() > 1)
        return " (higher ranks move down)";
    return " (" + rankWords(RankSet::range(last + 1, ranks - 1))
        + (last + 2 == ranks ? " becomes " : " become ") + span(first, first + ranks - last - 2)
        + ")";
}

std::string nameOf(const Layout& before, const Layout& after)
{
    if (before.preset != after.preset)
        return std::string("Set layout to ") + title(after.preset);
    Layout switched = before;
    switched.ranksFollowHardware = after.ranksFollowHardware;
    if (before.ranksFollowHardware != after.ranksFollowHardware && switched == after)
        return after.ranksFollowHardware ? "Let ranks follow the hardware"
                                         : "Do not let ranks follow the hardware";
    return "Change layout";
}

} // namespace

void requireSoundLayout(const Offer& offer)
{
    requireDegrees(offer.layout);
    if (offer.layout.placement)
        requirePlaces(*offer.layout.placement, offer.site);
    if (offer.layout.preset == LayoutPreset::Custom)
        requireGroups(offer.layout.groups, rankCount(offer));
}

std::string perform(Plan& plan, const edit::SetLayout& edit)
{
    Offer offer = offerAt(plan, edit.offer);
    const std::string name = nameOf(offer.layout, edit.layout);
    offer.layout = edit.layout;
    if (offer.layout.preset != LayoutPreset::Custom)
        offer.layout.groups.clear();
    requireRoom(offer);
    requireSoundLayout(offer);
    replaceOffer(plan, edit.offer, std::move(offer));
    return name;
}

std::string perform(Plan& plan, const edit::AddRank& edit)
{
    OfferDraft draft(plan, edit.offer);
    const std::string gpu = draft.gpuName(edit.gpu);
    draft.placeByHand();
    const std::string name = "Add rank " + std::to_string(draft.rankCount()) + " on " + gpu;
    draft.placement().push_back({ { edit.gpu }, {} });
    requireRoom(draft.offer());
    draft.commit();
    return name;
}

std::string perform(Plan& plan, const edit::RemoveRank& edit)
{
    OfferDraft draft(plan, edit.offer);
    requireRanks(draft, edit.ranks);
    const std::string name
        = "Remove " + rankWords(edit.ranks) + closingWords(edit.ranks, draft.rankCount());
    draft.placeByHand();
    draft.removeRanks(edit.ranks);
    draft.commit();
    return name;
}

std::string perform(Plan& plan, const edit::MoveRank& edit)
{
    OfferDraft draft(plan, edit.offer);
    draft.requireRank(edit.rank);
    const std::string gpu = draft.gpuName(edit.gpu);
    draft.placeByHand();
    RankPlace& place = draft.placement()[static_cast<std::size_t>(edit.rank)];
    const std::vector<GpuRef> there { edit.gpu };
    const std::string rank = "rank " + std::to_string(edit.rank);
    if (place.gpus == there)
        refuse(sentence(rank) + " is on " + gpu + " already");
    place = { there, {} };
    draft.commit();
    return "Move " + rank + " to " + gpu;
}

std::string perform(Plan& plan, const edit::JoinGroup& edit)
{
    OfferDraft draft(plan, edit.offer);
    requireRanks(draft, edit.ranks);
    requireName(edit.group, "A shard group");
    draft.groupByHand();

    std::vector<ShardGroup>& groups = draft.layout().groups;
    const auto find = [&] {
        return std::find_if(groups.begin(), groups.end(),
            [&](const ShardGroup& group) { return group.name == edit.group; });
    };
    const std::string ranks = rankWords(edit.ranks);
    auto group = find();
    const bool made = group == groups.end();
    if (made && edit.distributes.none())
        refuse("Shard group " + edit.group
            + " has to distribute parameters, gradients or optimizer state");
    if (!made && allIn(edit.ranks, group->ranks))
        refuse(sentence(ranks) + (edit.ranks.size() == 1 ? " is" : " are") + " in " + edit.group
            + " already");

    // The group must outlast its ranks' leaving: it may consist of nothing else.
    ShardGroup joined;
    joined.name = edit.group;
    joined.distributes = edit.distributes;
    if (!made)
        joined = *group;
    joined.ranks.unite(edit.ranks);
    draft.leaveGroups(edit.ranks);
    if (group = find(); group != groups.end())
        *group = std::move(joined);
    else
        groups.push_back(std::move(joined));
    draft.commit();
    return "Put " + ranks + (made ? " into new shard group " : " into shard group ") + edit.group;
}

std::string perform(Plan& plan, const edit::LeaveGroups& edit)
{
    OfferDraft draft(plan, edit.offer);
    requireRanks(draft, edit.ranks);
    draft.groupByHand();
    std::vector<std::string> left;
    for (const ShardGroup& group : draft.layout().groups)
        if (group.ranks.intersects(edit.ranks))
            left.push_back(group.name);
    const std::string ranks = rankWords(edit.ranks);
    if (left.empty())
        refuse(sentence(ranks) + (edit.ranks.size() == 1 ? " is" : " are") + " in no shard group");
    draft.leaveGroups(edit.ranks);
    draft.commit();
    return "Take " + ranks + " out of "
        + (left.size() == 1 ? "shard group " + left.front()
                            : counted(static_cast<std::int64_t>(left.size()), "shard group"));
}

} // namespace shardrack
