#pragma once

#include "document/plan_document.h"
#include "paint/memory_bars.h"

namespace shardrack {

/// The highest reading of device memory in use on each GPU, by ordinal, of those that are about the
/// offer as it stands; averages are of no GPU, and other memory is not comparable with a whole bar.
/// Empty where there is none.
std::vector<std::optional<Bytes>> measuredPeaks(const ShownOffer& offer);

/// Gives the bars of `gpus` that were measured a mark: a class of their own for each different
/// peak.
void markMeasured(
    MemoryBarsInput& input, const ShownOffer& offer, const std::vector<std::int32_t>& gpus);

} // namespace shardrack
