#pragma once

#include "document/plan_document.h"

#include <QString>

namespace shardrack {

// Evidence in words.

/// "all devices", "A1·0-3".
QString measuredDevicesText(const Measurement& measurement);
/// "12.00 GiB", "average 12.00 GiB", "out of memory at 15.80 GiB", "out of memory".
QString peakText(const Measurement& measurement);
/// "Initialization", "Forward", …
QString phaseTitle(RunPhase phase);
/// "initialization, forward; 5 complete steps".
QString coveredText(const Measurement& measurement);
/// "measured − estimated: +1.00 GiB (need 11.00)": the difference to the estimate of the same
/// memory on the same devices. Both stay visible. Empty where there is nothing to compare.
QString againstEstimateText(
    const Measurement& measurement, const ReadingVerdict& verdict, const Account& account);
/// "2 of 4 devices count, 3 of 4 have a reading".
QString coverageText(const Demonstration& shown);
/// "Highest reading: 12.00 GiB (device memory in use), A1·0"; empty when there is none.
QString highestText(const Demonstration& shown, const ShownOffer& offer);

/// What the rules would say of the offer with these measurements instead of its own; those without
/// a basis count as recorded for the offer as it stands. Evidence changes no estimate, so nothing
/// else changes.
Demonstration demonstrationWith(const ShownOffer& offer, std::vector<Measurement> measurements);

} // namespace shardrack
