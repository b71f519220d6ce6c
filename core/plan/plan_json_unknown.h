#pragma once

#include "plan/plan.h"

#include <string>

namespace shardrack {

/// One sentence that names the members of a plan's file that nothing here reads, by JSON path; they
/// are kept, and may be a slip of the pen. Those that begin with "x_" are somebody's own and not
/// named. Empty: there are none.
std::string unknownMembersRemark(const Plan& plan);

} // namespace shardrack
