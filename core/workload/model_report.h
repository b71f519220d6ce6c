#pragma once

#include "base/json.h"
#include "workload/model.h"

#include <string>

namespace shardrack {

/// The reading and count of a model for programs: {"name", "family", "total_parameters",
/// "active_parameters", "tied", "groups": {"embedding": …}, "warnings": […]}.
Json modelJson(const ModelReading& reading, const ParameterCount& count);

/// The same for people: one line a figure, parameters with group marks.
std::string modelText(const ModelReading& reading, const ParameterCount& count);

} // namespace shardrack
