#pragma once

#include "judge/findings.h"

namespace shardrack {

/// What warnings are written from; all references outlive the call.
struct Judged {
    const Account& account;
    const Workload& workload;
    const Layout& layout;
    const ResolvedLayout& resolved;
    const Site& site;
    const SiteIndex& index;
    const RequiredMargin& margin;
    const Evidence& evidence;
    const Findings& findings;
};

/// Errors first (devices over capacity, broken rules), then warnings, then notes. Each names its
/// subject, gives its numbers with units and, where there is one, a way out.
std::vector<Warning> warningsOf(const Judged& judged);
/// What measurements and a recorded result say, and why some do not count; for warningsOf().
void addEvidence(std::vector<Warning>& warnings, const Judged& judged);
/// Tensor groups whose ranks are in more than one server; for warningsOf().
void addTensorSpan(std::vector<Warning>& warnings, const Judged& judged);

/// "rank 0 on A1·0 and 3 equal": a device class by its first GPU.
std::string deviceSubject(const Judged& judged, const DeviceClass& device);

} // namespace shardrack
