#pragma once

#include "paint/memory_bars.h"

namespace shardrack {

/// Divides the bars into as many bins of neighbours as there are columns (at most one per bar).
std::vector<BarColumn> binBars(const MemoryBarsInput& input, int columnCount);

} // namespace shardrack
