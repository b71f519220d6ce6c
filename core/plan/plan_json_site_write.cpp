#include "plan/plan_json.h"
#include "plan/plan_json_parts.h"
#include "plan/plan_json_pattern.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace shardrack {

namespace {

/// Equal in everything but name, place and id.
bool sameBuild(const Server& a, const Server& b)
{
    return a.type == b.type && a.height == b.height && a.gpuSlots == b.gpuSlots && a.gpus == b.gpus
        && sameExtra(a.extra, b.extra);
}

/// Equal servers, one below the other, with consecutive names: one entry of "servers".
struct ServerRun {
    const Server* first = nullptr;
    NumberedName name;
    std::int64_t count = 1;
};

std::vector<ServerRun> serverRuns(const Rack& rack)
{
    std::vector<ServerRun> runs;
    for (const Server& server : rack.servers) {
        const NumberedName name(server.name);
        if (!runs.empty()) {
            ServerRun& run = runs.back();
            if (server.unit == run.first->unit + run.count * run.first->height
                && sameBuild(server, *run.first) && run.name.isFollowedBy(name, run.count)) {
                ++run.count;
                continue;
            }
        }
        runs.push_back({ &server, name, 1 });
    }
    return runs;
}

/// Literal text of a server's name with the rack's name at its start written as "{rack}".
std::string withRack(const std::string& text, const std::string& rackName)
{
    if (text.compare(0, rackName.size(), rackName) != 0)
        return escapedName(text);
    return "{rack}" + escapedName(text.substr(rackName.size()));
}

/// How a run of servers continues from one rack to the next of a repeated rack.
struct Continuation {
    bool byRackName = false; ///< the names begin with the rack's name, all else is equal
    std::int64_t perRack = 0; ///< the numbers grow by this much a rack
};

std::string patternOf(
    const ServerRun& run, const Continuation* continuation, const std::string& rackName)
{
    const NumberedName& name = run.name;
    const auto literal = [&](const std::string& text) {
        return continuation && continuation->byRackName ? withRack(text, rackName)
                                                        : escapedName(text);
    };
    const std::int64_t perRack = continuation ? continuation->perRack : 0;
    if (run.count == 1 && perRack == 0)
        return literal(run.first->name);
    return literal(name.before) + name.range(run.count, perRack) + escapedName(name.after);
}

/// How the names of `first`, a run of rack `a`, go on in `next`, the same run of rack `b`, the
/// next.
std::optional<Continuation> continuation(
    const ServerRun& first, const Rack& a, const ServerRun& next, const Rack& b)
{
    const NumberedName& x = first.name;
    const NumberedName& y = next.name;
    const bool sameNumbers = x.digits == y.digits && x.after == y.after
        && withRack(x.before, a.name) == withRack(y.before, b.name);
    if (withRack(first.first->name, a.name) == withRack(next.first->name, b.name)
        && (first.count == 1 || sameNumbers))
        return Continuation { true, 0 };
    const std::int64_t perRack = y.number - x.number;
    if (x.numbered() && perRack > 0 && x.isFollowedBy(y, perRack))
        return Continuation { false, perRack };
    return std::nullopt;
}

/// Whether `next` is the run of rack number `rackIndex` if `first` is that of rack 0.
bool continues(const ServerRun& first, const Rack& a, const ServerRun& next, const Rack& b,
    std::int64_t rackIndex, const Continuation& how)
{
    if (how.byRackName) {
        const auto same = continuation(first, a, next, b);
        return same && same->byRackName;
    }
    return first.name.isFollowedBy(next.name, rackIndex * how.perRack);
}

bool sameFrame(const Rack& a, const Rack& b)
{
    return a.type == b.type && a.units == b.units && sameExtra(a.extra, b.extra);
}

Json toJson(const GpuRun& run)
{
    Json json { { "type", run.type }, { "count", run.count } };
    if (run.usable)
        json["usable_bytes"] = run.usable->count();
    if (!run.confirmed)
        json["usable_confirmed"] = false;
    appendExtra(json, run.extra);
    return json;
}

Json serverJson(const Server& server, const std::string& name)
{
    Json json { { "name", name } };
    if (!server.type.empty())
        json["type"] = server.type;
    json["unit"] = server.unit;
    json["height"] = server.height;
    const ServerType* known = Catalogue::builtIn().server(server.type);
    if (server.gpuSlots != std::max(known ? known->gpuSlots : 0, server.gpuCount()))
        json["slots"] = server.gpuSlots;
    if (server.gpus.size() == 1) {
        json["gpus"] = toJson(server.gpus.front());
    } else if (!server.gpus.empty()) {
        Json& list = json["gpus"] = Json::array();
        for (const GpuRun& run : server.gpus)
            list.push_back(toJson(run));
    }
    appendExtra(json, server.extra);
    return json;
}

Json rackJson(const Rack& rack, const std::string& name, Json servers)
{
    Json json { { "name", name } };
    if (!rack.type.empty())
        json["type"] = rack.type;
    json["units"] = rack.units;
    if (!servers.empty())
        json["servers"] = std::move(servers);
    appendExtra(json, rack.extra);
    return json;
}

/// A rack and what it takes to say that others repeat it.
struct RackRun {
    const Rack* first;
    NumberedName name;
    std::vector<ServerRun> servers;
    std::int64_t count = 1;
    std::vector<Continuation> how; ///< by entry of `servers`; known from the second rack on

    explicit RackRun(const Rack& rack)
        : first(&rack)
        , name(rack.name)
        , servers(serverRuns(rack))
    {
    }

    /// Takes in the rack that follows, if it repeats this one.
    bool takes(const Rack& rack, const std::vector<ServerRun>& runs)
    {
        if (!sameFrame(*first, rack) || !name.isFollowedBy(NumberedName(rack.name), count)
            || runs.size() != servers.size())
            return false;
        for (std::size_t i = 0; i < runs.size(); ++i)
            if (runs[i].count != servers[i].count || runs[i].first->unit != servers[i].first->unit
                || !sameBuild(*runs[i].first, *servers[i].first))
                return false;
        std::vector<Continuation> found = how;
        for (std::size_t i = 0; i < runs.size(); ++i) {
            if (count == 1) {
                const auto goesOn = continuation(servers[i], *first, runs[i], rack);
                if (!goesOn)
                    return false;
                found.push_back(*goesOn);
            } else if (!continues(servers[i], *first, runs[i], rack, count, how[i])) {
                return false;
            }
        }
        how = std::move(found);
        ++count;
        return true;
    }

    Json json() const
    {
        Json list = Json::array();
        for (std::size_t i = 0; i < servers.size(); ++i)
            list.push_back(serverJson(*servers[i].first,
                patternOf(servers[i], count > 1 ? &how[i] : nullptr, first->name)));
        return rackJson(*first, name.pattern(count), std::move(list));
    }
};

} // namespace

Json toJson(const Site& site)
{
    std::vector<RackRun> runs;
    for (const auto& rack : site.racks)
        if (runs.empty() || !runs.back().takes(*rack, serverRuns(*rack)))
            runs.emplace_back(*rack);
    Json racks = Json::array();
    for (const RackRun& run : runs)
        racks.push_back(run.json());
    Json json { { "racks", std::move(racks) } };
    appendExtra(json, site.extra);
    return json;
}

Json toJson(const Rack& rack)
{
    Json servers = Json::array();
    for (const Server& server : rack.servers)
        servers.push_back(serverJson(server, escapedName(server.name)));
    return rackJson(rack, escapedName(rack.name), std::move(servers));
}

bool sameHardware(const Site& a, const Site& b)
{
    const auto sameServer = [](const Server& x, const Server& y) {
        return x.name == y.name && x.unit == y.unit && sameBuild(x, y);
    };
    const auto sameRack = [&](const auto& x, const auto& y) {
        return x == y
            || (x->name == y->name && sameFrame(*x, *y)
                && std::equal(x->servers.begin(), x->servers.end(), y->servers.begin(),
                    y->servers.end(), sameServer));
    };
    return sameExtra(a.extra, b.extra)
        && std::equal(a.racks.begin(), a.racks.end(), b.racks.begin(), b.racks.end(), sameRack);
}

} // namespace shardrack
