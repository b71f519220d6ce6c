#pragma once

#include "plan/plan.h"

#include <string>
#include <vector>

namespace shardrack {

// The blocks of a plan file, between the files that read and write them. docs/plan-format.md.

/// The most GPUs, and ranks, of one offer.
constexpr std::int32_t kMaximumGpus = 1 << 20;

/// What the hardware of a file may still expand to: a few bytes of patterns stand for a lot of it.
struct HardwareBudget {
    std::int64_t items = std::int64_t(1) << 19; ///< racks, servers and runs of GPUs
    std::int64_t nameBytes = std::int64_t(64) << 20;
    /// Failure at the view's path when it is used up.
    void spendItems(const JsonView& view, std::int64_t count);
    void spendName(const JsonView& view, const std::string& name);
};

/// Racks with all their servers; ids from 1 on in site order. Failure on bad input.
Site siteFromJson(const JsonView& view, HardwareBudget& budget);
/// Equal neighbours are written once, with name patterns.
Json toJson(const Site& site);
/// The same hardware under the same names, whatever the servers' ids.
bool sameHardware(const Site& a, const Site& b);

/// As workloadFromJson; what was assumed in reading the model is appended to `remarks`.
Workload readWorkload(const JsonView& view, std::vector<std::string>& remarks);

/// Ranks placed by hand, from the layout's member "ranks". Entries with unknown members are
/// appended to `remarks` with nothing but these and their ranks; such an entry may also stand
/// alone.
Placement placementFromJson(
    const JsonView& view, const Site& site, const SiteIndex& index, Json& remarks);
/// Regular placements of any size take a few entries.
Json toJson(const Placement& placement, const Site& site, const SiteIndex& index);

} // namespace shardrack
