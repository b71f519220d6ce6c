#pragma once

#include "plan/plan_json.h"

#include <QString>

#include <optional>

namespace shardrack {

/// Reads a plan from the disk; never more of a file than a plan may have. An Error names the file.
Result<PlanReading> readPlanFile(const QString& path);
/// Writes a plan: either the whole new file is there afterwards, or the old one as it was.
std::optional<Error> writePlanFile(const Plan& plan, const QString& path);
/// Whether both paths name one existing file, over links too.
bool isSameFile(const QString& a, const QString& b);

} // namespace shardrack
