#include "commands/drop.h"

#include "document/hardware_text.h"
#include "document/rank_text.h"

#include <QCoreApplication>

#include <algorithm>

namespace shardrack {

namespace {

struct Drop {
    Q_DECLARE_TR_FUNCTIONS(shardrack::Drop)
};

using Kind = Carried::Kind;
using Target = DropTarget::Kind;

Error refusal(const QString& why) { return { {}, why.toStdString(), {} }; }

const Server* findServer(const Site& site, ServerId id)
{
    for (const auto& rack : site.racks)
        for (const Server& server : rack->servers)
            if (server.id == id)
                return &server;
    return nullptr;
}

const Offer* offerOf(const PlanDocument& document)
{
    const int offer = document.currentOffer();
    return offer < 0 ? nullptr : document.plan()->offers[static_cast<std::size_t>(offer)].get();
}

NewRanks newRanks(const Layout& layout, bool alt)
{
    if (!alt)
        return NewRanks::Auto;
    return newHardwareGetsRanks(layout) ? NewRanks::No : NewRanks::Yes;
}

/// "A", …, "Z", "AA", …: the first that no rack has.
std::string nextRackName(const Offer& offer)
{
    for (int number = 1;; ++number) {
        std::string name;
        for (int rest = number; rest > 0; rest = (rest - 1) / 26)
            name.insert(name.begin(), static_cast<char>('A' + (rest - 1) % 26));
        if (freeRackName(offer, name) == name)
            return name;
    }
}

/// "S", then "S1", "S2", …: the first that no shard group has, by rule or by hand.
std::string nextGroupName(const PlanDocument& document)
{
    const std::vector<ShardGroup> groups = document.current()->assessment->layout.groups();
    std::string name = "S";
    const auto taken = [&] {
        return std::any_of(groups.begin(), groups.end(),
            [&](const ShardGroup& group) { return group.name == name; });
    };
    for (int number = 1; taken(); ++number)
        name = "S" + std::to_string(number);
    return name;
}

GpuRun runOf(const GpuType& type, int count)
{
    GpuRun run;
    run.type = type.id;
    run.count = count;
    run.confirmed = !isMadeUp(type);
    return run;
}

/// Empty name and no number: the edit gives both.
Server serverOf(const ServerType& type, int unit)
{
    Server server;
    server.type = type.id;
    server.unit = unit;
    server.height = type.height;
    server.gpuSlots = type.gpuSlots;
    if (const GpuType* gpu = Catalogue::builtIn().gpu(type.gpu))
        server.gpus.push_back(runOf(*gpu, type.gpuSlots));
    return server;
}

/// What one drop is made of, and the edits that it may mean.
struct Case {
    const PlanDocument& document;
    const Offer& offer;
    std::size_t index; ///< of the offer
    const Carried& carried;
    const DropTarget& target;
    bool alt;

    Result<Edit> rackType() const;
    Result<Edit> serverType() const;
    Result<Edit> gpuType() const;
    Result<Edit> server() const;
    Result<Edit> gpu() const;
    Result<Edit> ranks() const;

    /// The server under the pointer, for GPUs: the one that holds the GPU there too.
    const Server* targetServer() const
    {
        return findServer(
            offer.site, target.kind == Target::Gpu ? target.gpu.server : target.server);
    }
    bool onServer() const { return target.kind == Target::Server || target.kind == Target::Gpu; }
    std::optional<Error> fullServer() const;
};

std::optional<Error> Case::fullServer() const
{
    const Server* server = targetServer();
    if (!server)
        return refusal(Drop::tr("This server does not exist any more"));
    const int used = server->gpuCount();
    if (used < server->gpuSlots)
        return std::nullopt;
    const QString name = QString::fromStdString(server->name);
    const QString hint = Drop::tr("Drop it on free rack space to make it a one-GPU server");
    if (server->gpuSlots == 0)
        return refusal(Drop::tr("%1 has no GPU slot. %2").arg(name, hint));
    return refusal(Drop::tr("%1 has no free slot: %2 of %3 used. %4")
                       .arg(name)
                       .arg(used)
                       .arg(server->gpuSlots)
                       .arg(hint));
}

Result<Edit> Case::rackType() const
{
    const RackType* type = Catalogue::builtIn().rack(carried.type);
    if (!type)
        return refusal(Drop::tr("The catalogue has no such rack"));
    if (target.kind != Target::NewRack)
        return refusal(Drop::tr("A rack stands beside the other racks: drop it there"));
    Rack rack;
    rack.name = nextRackName(offer);
    rack.type = type->id;
    rack.units = type->units;
    return Edit(edit::AddRack {
        index, std::move(rack), offer.site.racks.size(), newRanks(offer.layout, alt) });
}

Result<Edit> Case::serverType() const
{
    const ServerType* type = Catalogue::builtIn().server(carried.type);
    if (!type)
        return refusal(Drop::tr("The catalogue has no such server"));
    if (target.kind != Target::RackSpace)
        return refusal(Drop::tr("A server needs free rack space: drop it there"));
    return Edit(edit::AddServer {
        index, target.rack, serverOf(*type, target.unit), newRanks(offer.layout, alt) });
}

Result<Edit> Case::gpuType() const
{
    const GpuType* type = Catalogue::builtIn().gpu(carried.type);
    if (!type)
        return refusal(Drop::tr("The catalogue has no such GPU"));
    const NewRanks ranks = newRanks(offer.layout, alt);
    if (onServer()) {
        if (auto full = fullServer())
            return *full;
        return Edit(edit::AddGpu { index, targetServer()->id, type->id, ranks, !isMadeUp(*type) });
    }
    if (target.kind != Target::RackSpace)
        return refusal(Drop::tr("A GPU goes into a server or onto free rack space"));
    Server server = oneGpuServer(runOf(*type, 1));
    server.unit = target.unit;
    return Edit(edit::AddServer { index, target.rack, std::move(server), ranks });
}

Result<Edit> Case::server() const
{
    if (!findServer(offer.site, carried.server))
        return refusal(Drop::tr("This server does not exist any more"));
    if (target.kind != Target::RackSpace)
        return refusal(Drop::tr("A server needs free rack space: drop it there"));
    return Edit(edit::MoveServer { index, carried.server, target.rack, target.unit });
}

Result<Edit> Case::gpu() const
{
    if (onServer()) {
        const Server* to = targetServer();
        if (!to || to->id != carried.gpu.server)
            if (auto full = fullServer())
                return *full;
        return Edit(edit::MoveGpu { index, carried.gpu, to->id });
    }
    if (target.kind != Target::RackSpace)
        return refusal(Drop::tr("A GPU goes into a server or onto free rack space"));
    return Edit(edit::MoveGpuToRack { index, carried.gpu, target.rack, target.unit });
}

Result<Edit> Case::ranks() const
{
    if (carried.ranks.empty())
        return refusal(Drop::tr("No rank is selected"));
    switch (target.kind) {
    case Target::Gpu:
        if (carried.ranks.size() > 1)
            return refusal(Drop::tr("Several ranks do not move to one GPU at once: move them "
                                    "one at a time"));
        return Edit(edit::MoveRank { index, carried.ranks.front(), target.gpu });
    case Target::Group:
        return Edit(edit::JoinGroup { index, carried.ranks, target.group, PartSet::all() });
    case Target::NewGroup:
        return Edit(edit::JoinGroup { index, carried.ranks,
            target.group.empty() ? nextGroupName(document) : target.group, PartSet::all() });
    case Target::NoGroup:
        return Edit(edit::LeaveGroups { index, carried.ranks });
    case Target::NoRank:
        return Edit(edit::RemoveRank { index, carried.ranks });
    case Target::Server:
        return refusal(Drop::tr("A rank runs on a GPU: drop it on one of the server's GPUs"));
    case Target::None:
    case Target::NewRack:
    case Target::RackSpace:
        break;
    }
    return refusal(Drop::tr("A rank runs on a GPU: drop it on one"));
}

} // namespace

Result<Edit> editForDrop(
    const PlanDocument& document, const Carried& carried, const DropTarget& target, bool alt)
{
    const Offer* offer = offerOf(document);
    if (!offer)
        return refusal(Drop::tr("There is no offer to place it in"));
    const Case drop { document, *offer, static_cast<std::size_t>(document.currentOffer()), carried,
        target, alt };
    switch (carried.kind) {
    case Kind::RackType:
        return drop.rackType();
    case Kind::ServerType:
        return drop.serverType();
    case Kind::GpuType:
        return drop.gpuType();
    case Kind::Server:
        return drop.server();
    case Kind::Gpu:
        return drop.gpu();
    case Kind::Ranks:
        break;
    }
    return drop.ranks();
}

QString carriedText(const Carried& carried, const PlanDocument& document)
{
    const Catalogue& catalogue = Catalogue::builtIn();
    const Offer* offer = offerOf(document);
    switch (carried.kind) {
    case Kind::RackType:
        if (const RackType* type = catalogue.rack(carried.type))
            return nameOf(*type);
        break;
    case Kind::ServerType:
        if (const ServerType* type = catalogue.server(carried.type))
            return Drop::tr("%1 server").arg(nameOf(*type));
        break;
    case Kind::GpuType:
        return gpuTypeName(carried.type);
    case Kind::Server:
        if (const Server* server = offer ? findServer(offer->site, carried.server) : nullptr)
            return Drop::tr("server %1").arg(QString::fromStdString(server->name));
        break;
    case Kind::Gpu:
        if (const Server* server = offer ? findServer(offer->site, carried.gpu.server) : nullptr)
            return Drop::tr("GPU %1·%2")
                .arg(QString::fromStdString(server->name))
                .arg(carried.gpu.index);
        break;
    case Kind::Ranks:
        return ranksText(carried.ranks);
    }
    return QString::fromStdString(carried.type);
}

int carriedHeight(const Carried& carried, const PlanDocument& document)
{
    const Offer* offer = offerOf(document);
    switch (carried.kind) {
    case Kind::ServerType: {
        const ServerType* type = Catalogue::builtIn().server(carried.type);
        return type ? type->height : 0;
    }
    case Kind::Server: {
        const Server* server = offer ? findServer(offer->site, carried.server) : nullptr;
        return server ? server->height : 0;
    }
    case Kind::GpuType:
    case Kind::Gpu:
        return 1;
    case Kind::RackType:
    case Kind::Ranks:
        break;
    }
    return 0;
}

int ranksBrought(const Carried& carried, const PlanDocument& document, bool alt)
{
    const Offer* offer = offerOf(document);
    if (!offer || newHardwareGetsRanks(offer->layout) == alt)
        return 0;
    if (carried.kind == Kind::GpuType)
        return 1;
    const ServerType* type
        = carried.kind == Kind::ServerType ? Catalogue::builtIn().server(carried.type) : nullptr;
    return type ? type->gpuSlots : 0;
}

} // namespace shardrack
