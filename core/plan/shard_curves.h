#pragma once

#include "plan/plan.h"

#include <optional>
#include <string>
#include <vector>

namespace shardrack {

/// What a GPU needs when the workload of an offer runs on so many of its GPUs.
struct ShardPoint {
    std::int32_t gpus = 0;
    Sum need; ///< of the most loaded device
};

/// One way of keeping the state, over numbers of GPUs.
struct ShardCurve {
    LayoutPreset preset = LayoutPreset::Ddp;
    std::string name; ///< "Replicas (DDP)", "ZeRO-1", …
    std::vector<ShardPoint> points; ///< as many as ShardCurves::gpus
    /// The number of GPUs from which the established need is within usable; absent: never here.
    std::optional<std::int32_t> withinFrom;
};

/// Replicas against shards: what more GPUs do for the memory of one, and what they do not.
/// Each point is the account of a uniform site of the offer's most common GPU.
struct ShardCurves {
    std::vector<std::int32_t> gpus; ///< ascending: powers of two of one model copy, and the offer's
    std::vector<ShardCurve> curves; ///< those that exist for the workload, least divided first
    std::string leftOut; ///< which do not, and why; empty: none

    std::string gpuType; ///< catalogue id
    UsableAllocation usable;
    std::int32_t perGroup = 1; ///< GPUs of a shard group of HSDP
    std::int32_t copyGpus = 1; ///< GPUs of one copy of the model: tensor × context × pipeline
    std::string axes; ///< what divides a copy, at every point: "TP 4 · PP 2"; empty: nothing

    /// Where the offer itself is: its GPUs, its most loaded device.
    std::int32_t ownGpus = 0;
    Sum ownNeed;

    Bytes replicaState; ///< persistent state of one rank that shares nothing
    bool replicaStateKnown = false;
    /// What no sharding divides, with all state divided over the most GPUs: the rest of the need.
    Sum floor;
    std::vector<std::string> openTerms; ///< names of what is not established, in stack order

    /// "Sharding divides persistent state alone: it saves less than 24.00 GiB a GPU, …".
    std::string boundSentence;
    /// "What no sharding divides: gathered 2.77 + activations 36.00 + … = 52.51 GiB on every GPU."
    std::string floorSentence;
    /// "Replicas need 24.00 GiB on 1 GPU and on 16; …".
    std::string fitSentence;

    const ShardCurve* curve(LayoutPreset preset) const;
};

/// The curves of an offer, up to at least four times its GPUs. Fails in words where there is
/// nothing to draw: no GPU, no state, or a number that leaves 64 bits.
Result<ShardCurves> shardCurves(const Plan& plan, std::size_t offer, const Assessment& assessment,
    const Catalogue& catalogue = Catalogue::builtIn());

} // namespace shardrack
