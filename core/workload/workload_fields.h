#pragma once

#include "workload/workload.h"

#include <string>
#include <vector>

namespace shardrack {

/// One thing that a workload says, for comparing workloads and showing them side by side.
struct WorkloadField {
    const char* id; ///< as in plan files: "micro_batch"
    const char* title; ///< for people: "Micro-batch"
    /// The exact value with its unit ("2 sequences"); empty: not given.
    std::string (*text)(const Workload& workload);
};

/// All fields, in the order in which they are shown. Two workloads that differ in anything an
/// account is computed from differ in at least one field's text.
const std::vector<WorkloadField>& workloadFields();
/// The field of that id, or null.
const WorkloadField* workloadField(const std::string& id);

/// A field in which two workloads differ.
struct WorkloadDifference {
    const WorkloadField* field = nullptr;
    std::string before; ///< "not given" where it is
    std::string after;
};
std::vector<WorkloadDifference> differences(const Workload& before, const Workload& after);

} // namespace shardrack
