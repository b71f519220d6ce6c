#include "plan/plan_json.h"
#include "plan/plan_json_nearest.h"
#include "plan/plan_json_parts.h"
#include "plan/plan_json_pattern.h"

#include "base/size_text.h"
#include "base/utf8.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <unordered_set>

namespace shardrack {

namespace {

constexpr std::int64_t kMaximumUnits = 1000;

/// One entry of "servers": one server, or several stacked ones with running names.
struct ServerEntry {
    NamePattern name;
    Server server; ///< the first one; without id and name
    JsonView view;
};

std::string unitsText(std::int64_t first, std::int64_t last)
{
    return first == last ? "unit " + grouped(first)
                         : "units " + grouped(first) + " to " + grouped(last);
}

std::string inQuotes(const std::string& name) { return '"' + shortened(name) + '"'; }

GpuRun gpuRunFromJson(const JsonView& view)
{
    GpuRun run;
    const JsonView type = view.at("type");
    run.type = type.string();
    const Catalogue& catalogue = Catalogue::builtIn();
    if (!catalogue.gpu(run.type)) {
        std::vector<std::string> ids;
        for (const GpuType& known : catalogue.gpus())
            ids.push_back(known.id);
        type.fail("the GPU type " + inQuotes(run.type) + " is not in the catalogue",
            "the id of a GPU in the catalogue, such as " + nearestNames(run.type, ids));
    }
    run.count = 1;
    if (const auto count = view.find("count"))
        run.count = static_cast<int>(count->integer(1, kMaximumGpus));
    if (const auto usable = view.find("usable_bytes"))
        run.usable = usable->bytes();
    if (const auto confirmed = view.find("usable_confirmed"))
        run.confirmed = confirmed->boolean();
    run.extra = unknownMembers(view, { "type", "count", "usable_bytes", "usable_confirmed" });
    return run;
}

std::vector<GpuRun> gpusFromJson(const JsonView& view)
{
    std::vector<GpuRun> runs;
    std::int64_t count = 0;
    const auto add = [&](const JsonView& item) {
        runs.push_back(gpuRunFromJson(item));
        count += runs.back().count;
        if (count > kMaximumGpus)
            item.fail("gives the server " + grouped(count) + " GPUs",
                "at most " + grouped(kMaximumGpus) + " in an offer");
    };
    if (view.isArray()) {
        for (const JsonView& item : view.items())
            add(item);
    } else {
        add(view);
    }
    return runs;
}

ServerEntry serverFromJson(const JsonView& view, int nextUnit)
{
    ServerEntry entry { NamePattern::parse(view.at("name")), {}, view };
    Server& server = entry.server;
    if (const auto type = view.find("type"))
        server.type = type->string();
    const ServerType* known = Catalogue::builtIn().server(server.type);
    if (const auto gpus = view.find("gpus"))
        server.gpus = gpusFromJson(*gpus);
    server.unit = nextUnit;
    if (const auto unit = view.find("unit"))
        server.unit = static_cast<int>(unit->integer(1, kMaximumUnits));
    server.height = known ? std::max(known->height, 1) : 1;
    if (const auto height = view.find("height"))
        server.height = static_cast<int>(height->integer(1, kMaximumUnits));
    else if (!known && !server.type.empty())
        view.at("type").fail("the server type " + inQuotes(server.type)
                + " is not in the catalogue, and the height is not given",
            "\"height\", or the id of a server in the catalogue");
    const int gpuCount = server.gpuCount();
    server.gpuSlots = std::max(known ? known->gpuSlots : 0, gpuCount);
    if (const auto slots = view.find("slots"))
        server.gpuSlots = static_cast<int>(slots->integer(gpuCount, kMaximumGpus));
    server.extra = unknownMembers(view, { "name", "type", "unit", "height", "slots", "gpus" });
    return entry;
}

/// One entry of "racks": one rack, or several equal ones with running names.
struct RackEntry {
    NamePattern name;
    Rack rack; ///< without name and servers
    std::vector<ServerEntry> servers;
    JsonView view;

    /// Of all racks that the entry stands for; at most 2^20 GPUs × 1000 units × 10^9 names.
    std::int64_t gpus() const
    {
        std::int64_t gpus = 0;
        for (const ServerEntry& entry : servers)
            gpus += entry.server.gpuCount() * entry.name.count();
        return gpus * name.count();
    }
    /// Racks, servers and runs of GPUs; a server takes at least one of 1000 units.
    std::int64_t items() const
    {
        std::int64_t items = 1;
        for (const ServerEntry& entry : servers)
            items += (1 + std::int64_t(entry.server.gpus.size())) * entry.name.count();
        return items * name.count();
    }
    Rack expanded(std::int64_t rackIndex) const;
};

/// Servers inside the rack and beside each other.
void checkUnits(const RackEntry& entry)
{
    std::vector<const ServerEntry*> occupant(std::size_t(entry.rack.units) + 1, nullptr);
    for (const ServerEntry& servers : entry.servers) {
        const std::int64_t first = servers.server.unit;
        const std::int64_t last = first + servers.server.height * servers.name.count() - 1;
        if (last > entry.rack.units)
            servers.view.fail("takes " + unitsText(first, last) + " of a rack with "
                    + grouped(entry.rack.units) + " units",
                "servers that end inside the rack");
        for (std::int64_t unit = first; unit <= last; ++unit) {
            const ServerEntry*& taken = occupant[std::size_t(unit)];
            if (taken)
                servers.view.fail("takes " + unitsText(first, last) + ", and unit " + grouped(unit)
                        + " is taken by " + taken->view.path(),
                    "free units");
            taken = &servers;
        }
    }
}

RackEntry rackEntryFromJson(const JsonView& view)
{
    RackEntry entry { NamePattern::parse(view.at("name")), {}, {}, view };
    if (entry.name.usesRack())
        view.at("name").fail("has \"{rack}\" in the name of a rack", "it in servers' names only");
    Rack& rack = entry.rack;
    if (const auto type = view.find("type"))
        rack.type = type->string();
    const RackType* known = Catalogue::builtIn().rack(rack.type);
    if (known && known->units > 0)
        rack.units = known->units;
    if (const auto units = view.find("units"))
        rack.units = static_cast<int>(units->integer(1, kMaximumUnits));
    else if (!known && !rack.type.empty())
        view.at("type").fail("the rack type " + inQuotes(rack.type)
                + " is not in the catalogue, and the units are not given",
            "\"units\", or the id of a rack in the catalogue");
    rack.extra = unknownMembers(view, { "name", "type", "units", "servers" });
    if (const auto servers = view.find("servers")) {
        std::int64_t nextUnit = 1;
        for (const JsonView& item : servers->items()) {
            ServerEntry& added = entry.servers.emplace_back(
                serverFromJson(item, static_cast<int>(std::min(nextUnit, kMaximumUnits))));
            nextUnit = added.server.unit + added.server.height * added.name.count();
        }
    }
    checkUnits(entry);
    return entry;
}

Rack RackEntry::expanded(std::int64_t rackIndex) const
{
    Rack made = rack;
    made.name = name.name(rackIndex);
    for (const ServerEntry& entry : servers)
        for (std::int64_t i = 0; i < entry.name.count(); ++i) {
            Server& server = made.servers.emplace_back(entry.server);
            server.name = entry.name.name(i, rackIndex, made.name);
            server.unit += static_cast<int>(i) * server.height;
        }
    std::sort(made.servers.begin(), made.servers.end(),
        [](const Server& a, const Server& b) { return a.unit < b.unit; });
    return made;
}

/// Makes the racks of a site one by one, giving ids and checking what concerns all of them.
class SiteMaker {
public:
    explicit SiteMaker(HardwareBudget& budget, ServerId firstId = 1)
        : m_budget(budget)
        , m_nextId(firstId)
    {
    }

    Rack make(const RackEntry& entry, std::int64_t rackIndex)
    {
        Rack rack = entry.expanded(rackIndex);
        m_budget.spendName(entry.view, rack.name);
        if (!m_racks.insert(rack.name).second)
            entry.view.at("name").fail(
                "the name " + inQuotes(rack.name) + " is given to a second rack",
                "a name of its own for each rack of an offer");
        for (Server& server : rack.servers) {
            m_budget.spendName(entry.view, server.name);
            server.id = m_nextId++;
            if (!m_servers.insert(server.name).second)
                entry.view.fail("the name " + inQuotes(server.name)
                        + " is given to a second server of the offer",
                    "a name of its own for each server; in a repeated rack with \"{rack}\" or "
                    "\"{1..4+4}\"");
        }
        return rack;
    }

private:
    HardwareBudget& m_budget;
    ServerId m_nextId;
    std::unordered_set<std::string> m_racks;
    std::unordered_set<std::string> m_servers;
};

} // namespace

void HardwareBudget::spendItems(const JsonView& view, std::int64_t count)
{
    items -= count;
    if (items < 0)
        view.fail("brings the plan to more than 524,288 racks, servers and runs of GPUs",
            "less hardware in one plan");
}

void HardwareBudget::spendName(const JsonView& view, const std::string& name)
{
    nameBytes -= static_cast<std::int64_t>(name.size());
    if (nameBytes < 0)
        view.fail("brings the names of racks and servers to more than 64 MiB", "shorter names");
}

Site siteFromJson(const JsonView& view, HardwareBudget& budget)
{
    Site site;
    site.extra = unknownMembers(view, { "racks" });
    const auto racks = view.find("racks");
    if (!racks)
        return site;
    SiteMaker maker(budget);
    std::int64_t gpus = 0;
    for (const JsonView& item : racks->items()) {
        const RackEntry entry = rackEntryFromJson(item);
        budget.spendItems(item, entry.items()); // before anything is made
        gpus += entry.gpus();
        if (gpus > kMaximumGpus)
            item.fail("brings the offer to " + grouped(gpus) + " GPUs",
                "at most " + grouped(kMaximumGpus) + " in an offer");
        for (std::int64_t i = 0; i < entry.name.count(); ++i)
            site.racks.push_back(std::make_shared<const Rack>(maker.make(entry, i)));
    }
    return site;
}

Rack rackFromJson(const JsonView& view, ServerId firstId)
{
    const RackEntry entry = rackEntryFromJson(view);
    if (entry.name.count() != 1)
        view.at("name").fail("stands for several racks", "the name of one rack");
    HardwareBudget budget;
    return SiteMaker(budget, firstId).make(entry, 0);
}

} // namespace shardrack
