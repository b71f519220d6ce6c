#pragma once

#include "startup.h"

namespace shardrack {

/// Writes the report of the plan that was named, without a window. Returns the program's exit
/// status; what went wrong is on standard error.
int exportReport(const Startup& startup);

} // namespace shardrack
