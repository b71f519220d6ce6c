#include "plan/edit_draft.h"
#include "plan/edit_hardware.h"
#include "plan/edit_steps.h"
#include "plan/edit_words.h"

#include <algorithm>

namespace shardrack {

namespace {

auto at(std::vector<std::shared_ptr<const Rack>>& racks, std::size_t index)
{
    return racks.begin() + static_cast<std::ptrdiff_t>(index);
}

} // namespace

std::string perform(Plan& plan, const edit::AddRack& edit)
{
    OfferDraft draft(plan, edit.offer);
    if (edit.position > draft.racks().size())
        refuse("There is no place number " + std::to_string(edit.position + 1) + ": "
            + draft.offer().name + " has "
            + counted(static_cast<std::int64_t>(draft.racks().size()), "rack"));
    requireName(edit.rack.name, "A rack");
    Rack rack = edit.rack;
    settle(rack);
    rack.name = freeRackName(draft.offer(), rack.name);
    draft.expectHardware(edit.ranks);

    // One server at a time, so that each name and number is free among those before it too.
    std::vector<Server> servers = std::move(rack.servers);
    rack.servers.clear();
    const std::string name = "Add rack " + rack.name;
    draft.racks().insert(
        at(draft.racks(), edit.position), std::make_shared<const Rack>(std::move(rack)));
    for (Server& server : servers) {
        server.id = nextServerId(draft.offer());
        requireName(server.name, "A server");
        server.name = freeServerName(draft.offer(), server.name);
        draft.giveRanks(server);
        insertServer(draft.changeRack(edit.position), std::move(server));
    }
    requireRoom(draft.offer());
    draft.commit();
    return name;
}

std::string perform(Plan& plan, const edit::RemoveRack& edit)
{
    OfferDraft draft(plan, edit.offer);
    const Rack& rack = draft.rack(edit.rack);
    const std::string name = "Remove rack " + rack.name;
    std::vector<ServerId> leaving;
    for (const Server& server : rack.servers)
        leaving.push_back(server.id);
    std::sort(leaving.begin(), leaving.end());
    draft.holdRanks();
    draft.followGpus([&](GpuRef gpu) -> std::optional<GpuRef> {
        if (std::binary_search(leaving.begin(), leaving.end(), gpu.server))
            return std::nullopt;
        return gpu;
    });
    draft.racks().erase(at(draft.racks(), edit.rack));
    draft.commit();
    return name;
}

std::string perform(Plan& plan, const edit::MoveRack& edit)
{
    OfferDraft draft(plan, edit.offer);
    const std::string& name = draft.rack(edit.rack).name;
    draft.rack(edit.to);
    if (edit.rack == edit.to)
        refuse("Rack " + name + " is in this place already");
    draft.holdRanks();
    auto rack = draft.racks()[edit.rack];
    draft.racks().erase(at(draft.racks(), edit.rack));
    draft.racks().insert(at(draft.racks(), edit.to), rack);
    draft.commit();
    return "Move rack " + rack->name;
}

std::string perform(Plan& plan, const edit::RenameRack& edit)
{
    OfferDraft draft(plan, edit.offer);
    const std::string before = draft.rack(edit.rack).name;
    requireName(edit.name, "A rack");
    for (std::size_t other = 0; other < draft.racks().size(); ++other)
        if (other != edit.rack && draft.rack(other).name == edit.name)
            refuse("There is a rack named " + edit.name + " already");
    draft.changeRack(edit.rack).name = edit.name;
    draft.commit();
    return "Rename rack " + before + " to " + edit.name;
}

std::string perform(Plan& plan, const edit::AddServer& edit)
{
    OfferDraft draft(plan, edit.offer);
    Server server = edit.server;
    settle(server);
    const Rack& rack = draft.rack(edit.rack);
    requireSpace(rack, server.unit, server.height);
    server.id = nextServerId(draft.offer());
    server.name = server.name.empty() ? nextServerName(draft.offer(), rack)
                                      : freeServerName(draft.offer(), server.name);
    const std::string name = "Add server " + server.name;
    draft.expectHardware(edit.ranks);
    draft.giveRanks(server);
    insertServer(draft.changeRack(edit.rack), std::move(server));
    requireRoom(draft.offer());
    draft.commit();
    return name;
}

std::string perform(Plan& plan, const edit::RemoveServer& edit)
{
    OfferDraft draft(plan, edit.offer);
    const std::string name = "Remove server " + draft.server(edit.server).name;
    draft.holdRanks();
    draft.followGpus([&](GpuRef gpu) -> std::optional<GpuRef> {
        if (gpu.server == edit.server)
            return std::nullopt;
        return gpu;
    });
    takeServer(draft.changeRack(draft.rackOf(edit.server)), edit.server);
    draft.commit();
    return name;
}

std::string perform(Plan& plan, const edit::MoveServer& edit)
{
    OfferDraft draft(plan, edit.offer);
    const std::size_t from = draft.rackOf(edit.server);
    const Server& server = draft.server(edit.server);
    const Rack& to = draft.rack(edit.rack);
    if (from == edit.rack && server.unit == edit.unit)
        refuse("Server " + server.name + " is at unit " + std::to_string(edit.unit) + " of rack "
            + to.name + " already");
    requireSpace(to, edit.unit, server.height, edit.server);
    draft.holdRanks();
    Server moved = takeServer(draft.changeRack(from), edit.server);
    moved.unit = edit.unit;
    const std::string name
        = "Move server " + moved.name + (from == edit.rack ? "" : " to rack " + to.name);
    insertServer(draft.changeRack(edit.rack), std::move(moved));
    draft.commit();
    return name;
}

std::string perform(Plan& plan, const edit::RenameServer& edit)
{
    OfferDraft draft(plan, edit.offer);
    const std::string before = draft.server(edit.server).name;
    requireName(edit.name, "A server");
    for (const auto& rack : draft.racks())
        for (const Server& other : rack->servers)
            if (other.id != edit.server && other.name == edit.name)
                refuse("There is a server named " + edit.name + " already");
    draft.changeServer(edit.server).name = edit.name;
    draft.commit();
    return "Rename server " + before + " to " + edit.name;
}

} // namespace shardrack
