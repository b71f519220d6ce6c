#include "plan/plan_json_unknown.h"

#include "base/size_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace shardrack {

namespace {

class UnknownMembers {
public:
    void add(const std::string& path, const Extra& extra)
    {
        if (extra)
            addObject(path, *extra);
    }
    std::string remark() const
    {
        if (m_paths.empty())
            return {};
        std::string text = "Not understood, kept in the file and used for nothing: ";
        for (std::size_t i = 0; i < std::min(m_paths.size(), kNamed); ++i)
            text += (i == 0 ? "" : ", ") + m_paths[i];
        if (m_paths.size() > kNamed)
            text += " and " + grouped(std::int64_t(m_paths.size() - kNamed)) + " more";
        return text + ".";
    }

private:
    static constexpr std::size_t kNamed = 6;

    /// Objects that are read into plain values: what is unknown inside them is kept under their
    /// key.
    static bool isReadInside(const std::string& key)
    {
        static constexpr std::array<const char*, 5> keys { "stipulated", "model", "terms",
            "bytes_per_parameter", "ranks" };
        return std::find(keys.begin(), keys.end(), key) != keys.end();
    }
    void addObject(const std::string& path, const Json& members)
    {
        for (const auto& [key, value] : members.items()) {
            const std::string at = memberPath(path, key);
            if (key.rfind("x_", 0) == 0)
                continue; // somebody's own, on purpose
            if (value.is_object() && isReadInside(key))
                addObject(at, value);
            else if (value.is_array() && isReadInside(key))
                addEntries(at, value);
            else
                m_paths.push_back(at);
        }
    }

    /// What was said of ranks beyond their place: each entry still names its ranks.
    void addEntries(const std::string& path, const Json& entries)
    {
        for (const Json& entry : entries) {
            Json said = entry;
            said.erase("ranks");
            addObject(path, said);
        }
    }

    std::vector<std::string> m_paths;
};

void addWorkload(UnknownMembers& unknown, const std::string& path, const Workload& workload)
{
    unknown.add(path, workload.extra);
    unknown.add(path + ".state", workload.stateExtra);
    unknown.add(path + ".recipe", workload.recipe.extra);
}

/// `{1..8}` and counts make one description many servers: each member is named once.
void addSite(UnknownMembers& unknown, const std::string& path, const Site& site)
{
    unknown.add(path, site.extra);
    const Extra* lastRack = nullptr;
    const Extra* lastServer = nullptr;
    const Extra* lastRun = nullptr;
    const auto once = [&](const std::string& at, const Extra& extra, const Extra*& last) {
        if (extra && !(last && sameExtra(*last, extra)))
            unknown.add(at, extra);
        if (extra)
            last = &extra;
    };
    for (const auto& rack : site.racks) {
        const std::string at = path + ".racks[" + rack->name + "]";
        once(at, rack->extra, lastRack);
        for (const Server& server : rack->servers) {
            const std::string inside = at + ".servers[" + server.name + "]";
            once(inside, server.extra, lastServer);
            for (const GpuRun& run : server.gpus)
                once(inside + ".gpus", run.extra, lastRun);
        }
    }
}

} // namespace

std::string unknownMembersRemark(const Plan& plan)
{
    UnknownMembers unknown;
    unknown.add("$", plan.extra);
    unknown.add("$.required_margin", plan.margin.extra);
    addWorkload(unknown, "$.workload", *plan.workload);
    for (std::size_t i = 0; i < plan.offers.size(); ++i) {
        const Offer& offer = *plan.offers[i];
        const std::string path = "$.offers[" + std::to_string(i) + "]";
        unknown.add(path, offer.extra);
        addSite(unknown, path + ".site", offer.site);
        unknown.add(path + ".layout", offer.layout.extra);
        for (const ShardGroup& group : offer.layout.groups)
            unknown.add(path + ".layout.groups[" + group.name + "]", group.extra);
        if (offer.workload)
            addWorkload(unknown, path + ".workload", *offer.workload);
        for (const BasisStatement& statement : offer.basis)
            unknown.add(path + ".changed_basis", statement.extra);
        if (offer.price)
            unknown.add(path + ".price", offer.price->extra);
        for (const Measurement& measurement : offer.measurements)
            unknown.add(path + ".measurements", measurement.extra);
        if (offer.outcome)
            unknown.add(path + ".training_result", offer.outcome->extra);
    }
    return unknown.remark();
}

} // namespace shardrack
