#include "plan/plan_json.h"
#include "plan/plan_json_extra.h"
#include "plan/plan_json_parts.h"
#include "plan/plan_json_pattern.h"

#include "base/size_text.h"
#include "base/utf8.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <unordered_set>

namespace shardrack {

namespace {

constexpr std::array<std::pair<const char*, bool PartSet::*>, 3> kParts { {
    { "parameters", &PartSet::parameters },
    { "gradients", &PartSet::gradients },
    { "optimizer", &PartSet::optimizer },
} };

PartSet partsFromJson(const JsonView& view)
{
    PartSet parts;
    for (const JsonView& item : view.items()) {
        const std::string text = item.string();
        if (text == "state") {
            parts = PartSet::all();
            continue;
        }
        const auto part = std::find_if(
            kParts.begin(), kParts.end(), [&](const auto& known) { return text == known.first; });
        if (part == kParts.end())
            item.fail("is \"" + shortened(text) + '"',
                "\"state\", \"parameters\", \"gradients\" or \"optimizer\"");
        parts.*(part->second) = true;
    }
    return parts;
}

Json toJson(const PartSet& parts)
{
    if (parts.whole())
        return Json::array({ "state" });
    Json json = Json::array();
    for (const auto& [name, member] : kParts)
        if (parts.*member)
            json.push_back(name);
    return json;
}

/// Reads groups; each rank is divided at most once for each part.
class GroupReader {
public:
    explicit GroupReader(std::int32_t rankCount)
        : m_rankCount(rankCount)
    {
    }

    std::vector<ShardGroup> read(const JsonView& view)
    {
        for (const JsonView& item : view.items())
            readEntry(item);
        return std::move(m_groups);
    }

private:
    void readEntry(const JsonView& view)
    {
        const JsonView name = view.at("name");
        const NamePattern pattern = NamePattern::parse(name);
        if (pattern.usesRack())
            name.fail("has \"{rack}\" in the name of a group", "it in servers' names only");
        ShardGroup group;
        const JsonView ranks = view.at("ranks");
        const auto parsed = RankSet::parse(ranks.string());
        if (!parsed)
            ranks.fail(parsed.error().what, parsed.error().expected);
        group.ranks = *parsed;
        group.distributes = partsFromJson(view.at("distributes"));
        group.extra = unknownMembers(view, { "name", "ranks", "distributes" });

        if (group.ranks.empty() && pattern.count() > 1)
            ranks.fail("is empty in a repeated group", "the ranks of the first one");
        const std::int64_t span
            = group.ranks.empty() ? 0 : std::int64_t(group.ranks.back()) - group.ranks.front() + 1;
        const std::int64_t last
            = group.ranks.empty() ? -1 : group.ranks.back() + span * (pattern.count() - 1);
        if (last >= m_rankCount)
            ranks.fail("names rank " + grouped(last),
                m_rankCount == 0 ? "no rank: the job has none"
                                 : "ranks of the job, which has 0 to " + grouped(m_rankCount - 1));
        for (std::int64_t i = 0; i < pattern.count(); ++i) {
            group.name = pattern.name(i);
            if (!m_names.insert(group.name).second)
                name.fail("the name \"" + shortened(group.name) + "\" is given to a second group",
                    "a name of its own for each group");
            if (i > 0)
                group.ranks = shifted(group.ranks, static_cast<std::int32_t>(span));
            divide(ranks, group);
            m_groups.push_back(group);
        }
    }

    static RankSet shifted(const RankSet& ranks, std::int32_t by)
    {
        RankSet moved;
        for (const RankSet::Interval& interval : ranks.intervals())
            moved.unite(RankSet::range(interval.first + by, interval.last + by));
        return moved;
    }

    void divide(const JsonView& view, const ShardGroup& group)
    {
        for (std::size_t part = 0; part < kParts.size(); ++part) {
            if (!(group.distributes.*kParts[part].second))
                continue;
            std::vector<bool>& divided = m_divided[part];
            divided.resize(static_cast<std::size_t>(m_rankCount));
            for (const RankSet::Interval& interval : group.ranks.intervals())
                for (std::int32_t rank = interval.first; rank <= interval.last; ++rank) {
                    if (divided[static_cast<std::size_t>(rank)])
                        view.fail("names rank " + grouped(rank)
                                + ", which is already in a group for the " + kParts[part].first,
                            "each rank in one group a part");
                    divided[static_cast<std::size_t>(rank)] = true;
                }
        }
    }

    std::int32_t m_rankCount;
    std::vector<ShardGroup> m_groups;
    std::unordered_set<std::string> m_names;
    std::array<std::vector<bool>, kParts.size()> m_divided; ///< by rank
};

/// Equal groups of consecutive names over consecutive ranks are written once.
Json groupsJson(const std::vector<ShardGroup>& groups)
{
    Json list = Json::array();
    for (std::size_t i = 0; i < groups.size();) {
        const ShardGroup& first = groups[i];
        const NumberedName name(first.name);
        const bool regular = first.ranks.intervals().size() == 1;
        const auto repeats = [&](const ShardGroup& next, std::int64_t steps) {
            const auto by = static_cast<std::int32_t>(first.ranks.size() * steps);
            return next.distributes == first.distributes && sameExtra(next.extra, first.extra)
                && name.isFollowedBy(NumberedName(next.name), steps)
                && next.ranks == RankSet::range(first.ranks.front() + by, first.ranks.back() + by);
        };
        std::size_t count = 1;
        while (
            regular && i + count < groups.size() && repeats(groups[i + count], std::int64_t(count)))
            ++count;
        Json& entry = list.emplace_back(Json { { "name", name.pattern(std::int64_t(count)) },
            { "ranks", first.ranks.text() }, { "distributes", toJson(first.distributes) } });
        appendExtra(entry, first.extra);
        i += count;
    }
    return list;
}

std::string orderFromJson(const JsonView& view)
{
    static constexpr std::array<std::string_view, 5> axes { "tp", "cp", "ep", "dp", "pp" };
    const std::string order = view.string();
    std::vector<std::string_view> seen;
    for (std::size_t start = 0; start <= order.size();) {
        const std::size_t end = std::min(order.find('-', start), order.size());
        const std::string_view axis = std::string_view(order).substr(start, end - start);
        if (std::find(axes.begin(), axes.end(), axis) == axes.end()
            || std::find(seen.begin(), seen.end(), axis) != seen.end())
            view.fail("is \"" + shortened(order) + '"',
                "tp, cp, ep, dp and pp, each at most once, innermost first: "
                "\"tp-cp-ep-dp-pp\"");
        seen.push_back(axis);
        start = end + 1;
    }
    return order;
}

LayoutPreset presetFromJson(const JsonView& view)
{
    const std::string text = view.string();
    const auto preset = layoutPreset(text);
    if (!preset)
        view.fail("is \"" + shortened(text) + '"',
            "\"ddp\", \"zero1\", \"zero2\", \"fsdp\", \"hsdp\", \"megatron\" or \"custom\"");
    return *preset;
}

void degreesFromJson(const JsonView& view, Layout& layout)
{
    const auto degree = [&](const char* key) -> std::optional<std::int32_t> {
        if (const auto member = view.find(key))
            return static_cast<std::int32_t>(member->integer(1, kMaximumGpus));
        return std::nullopt;
    };
    layout.dpReplicate = degree("dp_replicate");
    layout.dpShard = degree("dp_shard");
    layout.tensor = degree("tp").value_or(1);
    layout.context = degree("cp").value_or(1);
    layout.expert = degree("ep").value_or(1);
    layout.pipeline = degree("pp").value_or(1);
    std::int64_t product = 1;
    for (const auto& [key, value] : { std::pair("tp", layout.tensor),
             std::pair("cp", layout.context), std::pair("pp", layout.pipeline) }) {
        product *= value; // both factors at most 2^20
        if (product > kMaximumGpus)
            view.at(key).fail("brings tp × cp × pp to " + grouped(product) + " or more",
                "at most " + grouped(kMaximumGpus));
    }
}

} // namespace

Layout layoutFromJson(const JsonView& view, const Site& site)
{
    Layout layout;
    KeptMembers kept(view,
        { "preset", "dp_replicate", "dp_shard", "tp", "cp", "ep", "pp", "order",
            "ranks_follow_hardware", "groups", "ranks" });
    if (const auto preset = view.find("preset"))
        layout.preset = presetFromJson(*preset);
    degreesFromJson(view, layout);
    if (const auto order = view.find("order"))
        layout.order = orderFromJson(*order);
    if (const auto follow = view.find("ranks_follow_hardware"))
        layout.ranksFollowHardware = follow->boolean();
    const auto groups = view.find("groups");
    const auto ranks = view.find("ranks");
    if (groups && layout.preset != LayoutPreset::Custom && !groups->items().empty())
        groups->fail("are given with the preset \"" + std::string(id(layout.preset))
                + "\", which makes its own",
            "no groups, or the preset \"custom\"");
    if (groups || ranks) {
        const SiteIndex index(site, Catalogue::builtIn());
        std::int32_t rankCount = index.gpuCount();
        if (ranks) {
            Json remarks = Json::array();
            layout.placement = std::make_shared<const Placement>(
                placementFromJson(*ranks, site, index, remarks));
            rankCount = static_cast<std::int32_t>(layout.placement->size());
            if (!remarks.empty())
                kept.keep("ranks", std::move(remarks));
        }
        if (groups)
            layout.groups = GroupReader(rankCount).read(*groups);
    }
    layout.extra = kept.extra();
    return layout;
}

Json toJson(const Layout& layout, const Site& site)
{
    Json json { { "preset", id(layout.preset) } };
    if (layout.dpReplicate)
        json["dp_replicate"] = *layout.dpReplicate;
    if (layout.dpShard)
        json["dp_shard"] = *layout.dpShard;
    for (const auto& [key, degree] :
        { std::pair("tp", layout.tensor), std::pair("cp", layout.context),
            std::pair("ep", layout.expert), std::pair("pp", layout.pipeline) })
        if (degree != 1)
            json[key] = degree;
    if (!layout.order.empty())
        json["order"] = layout.order;
    if (!layout.ranksFollowHardware)
        json["ranks_follow_hardware"] = false;
    if (layout.preset == LayoutPreset::Custom && !layout.groups.empty())
        json["groups"] = groupsJson(layout.groups);
    if (layout.placement)
        json["ranks"] = toJson(*layout.placement, site, SiteIndex(site, Catalogue::builtIn()));
    appendKept(json, layout.extra, { "ranks" });
    return json;
}

} // namespace shardrack
