#include "plan/edit_hardware.h"

#include "plan/edit_words.h"
#include "plan/plan_json_parts.h"

#include <algorithm>

namespace shardrack {

namespace {

/// More than any rack has; keeps sums far from the ends of int.
constexpr int mostUnits = 1'000;

std::string unitWords(int unit, int height)
{
    return (height == 1 ? "unit " : "units ") + span(unit, unit + height - 1);
}

} // namespace

void requireGpuType(const std::string& type)
{
    if (type.empty())
        refuse("A GPU needs a type");
    if (!Catalogue::builtIn().gpu(type))
        refuse("The GPU type " + type + " is not in the catalogue");
}

void settle(Server& server)
{
    const std::string subject = server.name.empty() ? "The server" : "Server " + server.name;
    if (server.height < 1 || server.height > mostUnits)
        refuse(subject + " cannot be " + counted(server.height, "unit") + " high");
    if (server.gpuSlots < 0 || server.gpuSlots > kMaximumGpus)
        refuse(subject + " cannot have " + counted(server.gpuSlots, "GPU slot"));
    std::int64_t gpus = 0;
    std::vector<GpuRun> runs;
    for (GpuRun& run : server.gpus) {
        requireGpuType(run.type);
        if (run.count < 1)
            refuse(subject + " cannot have " + counted(run.count, "GPU") + " of type " + run.type);
        if (run.usable && *run.usable < Bytes(0))
            refuse(subject + " has a GPU with less than 0 bytes of usable memory");
        gpus += run.count;
        if (gpus > server.gpuSlots)
            refuse(subject + " has " + counted(server.gpuSlots, "GPU slot")
                + ", too few for its GPUs");
        appendGpus(runs, std::move(run));
    }
    server.gpus = std::move(runs);
}

void settle(Rack& rack)
{
    const std::string subject = rack.name.empty() ? "The rack" : "Rack " + rack.name;
    if (rack.units < 1 || rack.units > mostUnits)
        refuse(subject + " cannot have " + counted(rack.units, "unit"));
    std::vector<Server> servers = std::move(rack.servers);
    rack.servers.clear();
    for (Server& server : servers) {
        settle(server);
        requireSpace(rack, server.unit, server.height);
        insertServer(rack, std::move(server));
    }
}

void requireSpace(const Rack& rack, int unit, int height, ServerId except)
{
    if (unit < 1 || height > rack.units || unit > rack.units - height + 1)
        refuse("Rack " + rack.name + " has " + counted(rack.units, "unit") + ": a server of "
            + counted(height, "unit") + " does not fit at unit " + std::to_string(unit));
    int first = unit + height;
    int last = unit - 1;
    std::string names;
    for (const Server& server : rack.servers) {
        if (except != 0 && server.id == except)
            continue;
        const int from = std::max(unit, server.unit);
        const int to = std::min(unit + height, server.unit + server.height) - 1;
        if (from > to)
            continue;
        first = std::min(first, from);
        last = std::max(last, to);
        names += (names.empty() ? "" : " and ") + server.name;
    }
    if (first > last)
        return;
    refuse(sentence(unitWords(first, last - first + 1)) + " of rack " + rack.name
        + (first == last ? " is" : " are") + " occupied by " + names);
}

void requireFreeSlot(const Server& server)
{
    const int used = server.gpuCount();
    if (used < server.gpuSlots)
        return;
    refuse("Server " + server.name + " has no free GPU slot"
        + (server.gpuSlots == 0 ? ""
                                : ": " + std::to_string(used) + " of "
                    + std::to_string(server.gpuSlots) + (used == 1 ? " is used" : " are used")));
}

std::string nextServerName(const Offer& offer, const Rack& rack)
{
    if (!rack.servers.empty())
        return freeServerName(offer, rack.servers.front().name);
    const bool numbered = !rack.name.empty() && rack.name.back() >= '0' && rack.name.back() <= '9';
    return freeServerName(offer, rack.name + (numbered ? "-1" : "1"));
}

void insertServer(Rack& rack, Server server)
{
    const auto place = std::upper_bound(rack.servers.begin(), rack.servers.end(), server.unit,
        [](int unit, const Server& other) { return unit < other.unit; });
    rack.servers.insert(place, std::move(server));
}

Server takeServer(Rack& rack, ServerId id)
{
    const auto place = std::find_if(rack.servers.begin(), rack.servers.end(),
        [id](const Server& server) { return server.id == id; });
    Server server = std::move(*place);
    rack.servers.erase(place);
    return server;
}

void appendGpus(std::vector<GpuRun>& runs, GpuRun gpus)
{
    if (!runs.empty()) {
        GpuRun alike = gpus;
        alike.count = runs.back().count;
        if (alike == runs.back()) {
            runs.back().count += gpus.count;
            return;
        }
    }
    runs.push_back(std::move(gpus));
}

GpuRun takeGpu(Server& server, int index)
{
    GpuRun taken;
    std::vector<GpuRun> rest;
    for (GpuRun& run : server.gpus) {
        const bool here = index >= 0 && index < run.count;
        index -= run.count;
        if (here) {
            taken = run;
            taken.count = 1;
            --run.count;
        }
        if (run.count > 0)
            appendGpus(rest, std::move(run));
    }
    server.gpus = std::move(rest);
    return taken;
}

} // namespace shardrack
