#pragma once

#include "base/rank_set.h"
#include "site/site.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace shardrack {

/// The parts of the persistent state that a group can distribute.
struct PartSet {
    bool parameters = false;
    bool gradients = false;
    bool optimizer = false;
    static PartSet all() { return { true, true, true }; }
    bool whole() const { return parameters && gradients && optimizer; }
    bool none() const { return !parameters && !gradients && !optimizer; }
    bool operator==(const PartSet&) const = default;
};

enum class LayoutPreset { Ddp, Zero1, Zero2, Fsdp, Hsdp, Megatron, Custom };
/// The id used in files: "ddp", "zero1", …
const char* id(LayoutPreset preset);
/// "Replicas (DDP)", "ZeRO-1: optimizer sharded", …
const char* title(LayoutPreset preset);
std::optional<LayoutPreset> layoutPreset(std::string_view id);

/// Ranks over which named parts of the state are split.
struct ShardGroup {
    std::string name; ///< unique within the layout
    RankSet ranks;
    PartSet distributes; ///< all: written "state"
    Extra extra;
    friend bool operator==(const ShardGroup& a, const ShardGroup& b);
};

/// Where one rank runs. Usually one GPU; several when a replica is split over them inside one
/// process.
struct RankPlace {
    std::vector<GpuRef> gpus;
    std::vector<std::int64_t>
        weights; ///< share of each GPU as integers; empty with several GPUs: not established
    bool operator==(const RankPlace&) const = default;
};

/// Ranks placed by hand: element r is where rank r runs.
using Placement = std::vector<RankPlace>;

struct Layout {
    LayoutPreset preset = LayoutPreset::Ddp;
    std::optional<std::int32_t> dpReplicate;
    std::optional<std::int32_t> dpShard;
    std::int32_t tensor = 1;
    std::int32_t context = 1;
    std::int32_t expert = 1;
    std::int32_t pipeline = 1;
    std::string order; ///< "tp-cp-ep-dp-pp", innermost first; empty: that
    /// New hardware gets ranks and removed hardware takes its ranks with it. With `placement`
    /// unset, rank i runs on GPU i in site order, one rank a GPU.
    bool ranksFollowHardware = true;
    std::shared_ptr<const Placement> placement; ///< null: by rule
    std::vector<ShardGroup>
        groups; ///< only with preset Custom; ranks in no group are replicas of their own
    Extra extra;
    friend bool operator==(const Layout& a, const Layout& b);
};

/// Ranks of a shard group by rule among `ranks`: given, or what given replicas leave, or `usual`.
std::int32_t shardGroupSize(const Layout& layout, std::int32_t usual, std::int32_t ranks);

/// A layout resolved on a site: which rank is on which GPU, and which group divides each part of
/// its state.
class ResolvedLayout {
public:
    /// A GPU of a rank, and which share of the rank it holds: weight / weights, after `before` /
    /// weights on the rank's earlier GPUs.
    struct Device {
        std::int32_t gpu = 0; ///< ordinal in the SiteIndex
        std::int64_t weight = 1;
        std::int64_t weights = 1; ///< 0: the share is not established
        std::int64_t before = 0;
    };
    /// A rank on a GPU, with the share of it that the GPU holds.
    struct Resident {
        std::int32_t rank = 0;
        std::int64_t weight = 1;
        std::int64_t weights = 1; ///< 0: the share is not established
        std::int64_t before = 0;
    };
    /// How one part of the state is divided for one rank.
    struct Share {
        std::int32_t group = -1; ///< number of the group; -1: replicated
        std::int32_t ranks = 1; ///< of the group
        std::int32_t position = 0; ///< of the rank in its group
        bool operator==(const Share&) const = default;
    };
    struct Shares {
        Share parameters;
        Share gradients;
        Share optimizer;
        bool operator==(const Shares&) const = default;
    };

    ResolvedLayout() = default;
    /// Never fails: places that do not exist on the site are left out, and legality() names them.
    ResolvedLayout(const Layout& layout, const SiteIndex& site);

    std::int32_t rankCount() const { return m_rankCount; }
    /// By rule: one rank a GPU, rank = ordinal.
    bool oneToOne() const { return m_oneToOne; }
    std::vector<Device> devicesOf(std::int32_t rank) const;
    /// The first GPU of `rank`, or -1 when it has none.
    std::int32_t gpuOf(std::int32_t rank) const;
    /// The ranks on a GPU, ascending; for loops over all GPUs of a layout that is not oneToOne().
    std::span<const Resident> residents(std::int32_t gpu) const;
    /// Ranks on a GPU, ascending.
    std::vector<std::int32_t> ranksOn(std::int32_t gpu) const;
    Shares shares(std::int32_t rank) const;
    /// All groups, by rule ("S", or "S0", "S1", …) or by hand; made on demand.
    std::vector<ShardGroup> groups() const;
    std::int32_t groupCount() const;
    /// One group; `number` from 0 to groupCount() - 1, as in Share::group.
    ShardGroup group(std::int32_t number) const;
    std::string groupName(std::int32_t number) const;
    /// Ranks of one data-parallel line: ranks / (tensor × context × pipeline), 0 when that is not
    /// whole.
    std::int32_t dataParallel() const { return m_dataParallel; }
    /// Product of tensor and pipeline degree: how many ranks together hold one copy of the model.
    std::int32_t modelParallel() const { return m_modelParallel; }
    std::int32_t tensor() const { return m_tensor; }
    std::int32_t context() const { return m_context; }
    std::int32_t pipeline() const { return m_pipeline; }
    /// A rank's number along each axis, by the order of the axes.
    struct Coordinates {
        std::int32_t tensor = 0;
        std::int32_t context = 0;
        std::int32_t data = 0;
        std::int32_t stage = 0; ///< of the pipeline
    };
    /// All 0 where the degrees do not divide the ranks.
    Coordinates coordinates(std::int32_t rank) const;
    /// Pipeline stage of a rank; 0 without a pipeline, or where the degrees do not divide the
    /// ranks.
    std::int32_t stage(std::int32_t rank) const
    {
        return m_pipeline > 1 && m_dataParallel > 0 ? rank / m_strides.stage % m_pipeline : 0;
    }
    LayoutPreset preset() const { return m_preset; }
    /// Ranks that divide the whole state by rule (FSDP, HSDP), whatever tensor or pipeline ranks
    /// hold of it: data-parallel ranks of a shard group × context ranks. 1: nothing is so divided.
    std::int32_t shardRanks() const { return m_shardRanks; }
    /// Groups by hand divide the state: no rule of a framework does.
    bool groupedByHand() const { return !m_shares.empty(); }
    /// Complete copies of the parameters in the job.
    std::int32_t replicas() const;

private:
    std::span<const Device> devicesByHand(std::int32_t rank) const;
    void placeByHand(const Placement& placement, const SiteIndex& site);
    void findStrides(const Layout& layout);
    void groupByRule(const Layout& layout, const SiteIndex& site);
    void groupByHand(const Layout& layout);
    /// Data-parallel ranks of a shard group by rule.
    std::int32_t dataOfAGroup(const Layout& layout, const SiteIndex& site) const;
    /// Groups follow each other in the order of ranks, and the last may be smaller.
    bool groupsFollow() const { return m_modelParallel == 1 && m_context == 1; }
    Share shareByRule(std::int32_t rank) const;
    RankSet ranksByRule(std::int32_t number) const;

    LayoutPreset m_preset = LayoutPreset::Ddp;
    std::int32_t m_shardRanks = 1;
    std::int32_t m_rankCount = 0;
    bool m_oneToOne = true;
    std::int32_t m_dataParallel = 0;
    std::int32_t m_modelParallel = 1;
    std::int32_t m_tensor = 1;
    std::int32_t m_context = 1;
    std::int32_t m_pipeline = 1;
    Coordinates m_strides { 1, 1, 1, 1 }; ///< ranks from one to the next along each axis
    // One array each, with the place where every rank's or GPU's part begins; empty when one to
    // one.
    std::vector<Device> m_devices; ///< by rank
    std::vector<std::int32_t> m_deviceStart;
    std::vector<Resident> m_residents; ///< by GPU
    std::vector<std::int32_t> m_residentStart;
    std::int32_t m_groupSize = 0; ///< rule: ranks of a group, the context's among them; 0: no rule
    std::int32_t m_groupsInLine = 1; ///< rule: groups of one stage and tensor rank
    PartSet m_parts; ///< what the rule's groups distribute
    std::vector<ShardGroup> m_groups; ///< by hand
    std::vector<Shares> m_shares; ///< by rank, for groups by hand
};

} // namespace shardrack
