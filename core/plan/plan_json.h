#pragma once

#include "plan/plan.h"

#include <string>
#include <string_view>

namespace shardrack {

/// What was read, and what a person should know about it.
struct PlanReading {
    Plan plan;
    /// The file is of a newer version: it may be looked at, and must not be saved over.
    bool readOnly = false;
    std::vector<std::string>
        remarks; ///< "version 2 is newer than …", upgraded from an older version
};

/// The newest version of the format that is read and written; docs/plan-format.md.
constexpr int kPlanVersion = 1;

/// Reads a .shardrack file. Nothing is half-loaded: an Error names the JSON path, what was found
/// and what was expected.
Result<PlanReading> readPlan(std::string_view text);
/// The file's text: readable, kilobytes for regular plans of any size (equal racks and servers are
/// written once with counts), every unknown field given back. writePlan ∘ readPlan is the identity
/// on plans. Ends with a line feed.
std::string writePlan(const Plan& plan);

/// Single blocks in the file's form, for edits and the clipboard. Failure on bad input.
Json toJson(const Workload& workload);
Workload workloadFromJson(const JsonView& view);
Json toJson(const Layout& layout, const Site& site);
Layout layoutFromJson(const JsonView& view, const Site& site);
Json toJson(const Rack& rack);
/// One rack without name patterns; ids are given from `firstId` on.
Rack rackFromJson(const JsonView& view, ServerId firstId);

} // namespace shardrack
