#pragma once

#include "paint/comparison_bars.h"
#include "plan/comparison.h"

namespace shardrack {

/// The bar of a device: what it holds at its peak, against what it has.
StackedBar barOf(const DeviceClass& device, const RequiredMargin& margin);

/// The chart of a comparison: the most loaded device of each offer, with its words.
ComparisonBarsInput comparisonBars(const Comparison& comparison);

} // namespace shardrack
