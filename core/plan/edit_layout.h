#pragma once

#include "plan/plan.h"

namespace shardrack {

/// Refuses a layout that does not belong on the offer's site: ranks on GPUs that do not exist,
/// groups of ranks that do not exist, a part of a rank's state divided by two groups, degrees below
/// one.
void requireSoundLayout(const Offer& offer);

} // namespace shardrack
