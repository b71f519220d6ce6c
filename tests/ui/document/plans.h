#pragma once

#include "plan/plan.h"

#include <string>

namespace shardrack {

// Small plans for the tests of the window's parts.

/// `count` equal GPUs of 16 GiB in one server of `gpuSlots` places at `unit`, usable not confirmed.
inline Server testServer(
    ServerId id, const std::string& name, int unit, int count, int gpuSlots = 4)
{
    Server server;
    server.id = id;
    server.name = name;
    server.unit = unit;
    server.height = 4;
    server.gpuSlots = gpuSlots;
    GpuRun run;
    run.type = "generic-16gib";
    run.count = count;
    run.confirmed = false;
    if (count > 0)
        server.gpus.push_back(run);
    return server;
}

inline std::shared_ptr<const Rack> testRack(const std::string& name, std::vector<Server> servers)
{
    Rack rack;
    rack.name = name;
    rack.servers = std::move(servers);
    return std::make_shared<const Rack>(std::move(rack));
}

/// One server with four GPUs of 16 GiB and a stipulated state of 24 GiB: Offer R holds a replica on
/// each GPU, Offer S shards it over all four. Rack A has its server on units 1 to 4, the rest is
/// free.
inline Plan fourGpuPlan()
{
    Plan plan = emptyPlan();
    plan.title = "Four GPUs";
    Workload workload;
    workload.basis = Workload::StateBasis::Stipulated;
    workload.stipulated.total = Bytes(24 * kGiB);
    plan.workload = std::make_shared<const Workload>(workload);
    for (const bool sharded : { false, true }) {
        Offer offer = emptyOffer(sharded ? "Offer S" : "Offer R");
        offer.site.racks.push_back(testRack("A", { testServer(1, "A1", 1, 4) }));
        offer.layout.preset = sharded ? LayoutPreset::Fsdp : LayoutPreset::Ddp;
        plan.offers.push_back(std::make_shared<const Offer>(std::move(offer)));
    }
    return plan;
}

} // namespace shardrack
