#pragma once

#include "plan/plan.h"

#include <string>

namespace shardrack::bench {

/// A regular plan with this many H100 GPUs: servers of eight, eight servers a rack, Llama-3-8B with
/// mixed-precision Adam, sharded inside each server.
inline Plan largePlan(int gpus)
{
    Site site;
    ServerId id = 0;
    for (int placed = 0, rackNumber = 0; placed < gpus; ++rackNumber) {
        auto rack = std::make_shared<Rack>();
        rack->name = "R" + std::to_string(rackNumber);
        rack->units = 64;
        for (int i = 0; i < 8 && placed < gpus; ++i, placed += 8) {
            Server server;
            server.id = ++id;
            server.name = rack->name + "-S" + std::to_string(i);
            server.unit = 1 + i * 8;
            server.height = 8;
            server.gpuSlots = 8;
            server.gpus
                = { GpuRun { "h100-sxm5-80", std::min(8, gpus - placed), {}, true, nullptr } };
            rack->servers.push_back(std::move(server));
        }
        site.racks.push_back(std::move(rack));
    }
    auto workload = std::make_shared<Workload>();
    workload->basis = Workload::StateBasis::Derived;
    workload->model.emplace();
    workload->model->preset = "llama-3-8b";
    workload->model->architecture = *modelPreset("llama-3-8b");
    workload->recipe.bytesPerParameter = BytesPerParameter { 2, 2, 8, 4 };

    auto offer = std::make_shared<Offer>(emptyOffer("Offer A"));
    offer->site = std::move(site);
    offer->layout.preset = LayoutPreset::Hsdp;
    offer->layout.dpShard = 8;
    offer->layout.dpReplicate = gpus / 8;
    Plan plan = emptyPlan();
    plan.title = "Benchmark";
    plan.workload = std::move(workload);
    plan.offers = { std::move(offer) };
    return plan;
}

} // namespace shardrack::bench
