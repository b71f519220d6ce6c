#pragma once

#include "document/plan_document.h"

#include <QString>

namespace shardrack {

// The three findings of an offer in words.

/// "rank 0 on A1·0", "ranks 0, 4 on A1·0", "GPU A1·0" without a rank.
QString deviceText(const ShownOffer& shown, std::int32_t gpu);
/// "Over capacity", or that there is none.
QString capacityTitle(const ShownOffer& shown);
/// "All 4 devices are over. Most loaded: rank 0 on A1·0 needs at least 24.00 GiB, …".
QString capacityText(const ShownOffer& shown);
/// "None", "Partial coverage, 2 of 4".
QString demonstratedTitle(const Findings& findings);
/// The rule that decided.
QString demonstratedText(const Findings& findings);
/// By which criterion, what was reached and with what; or that nothing is recorded.
QString trainingText(const ShownOffer& shown);
/// All three, one a line, and the rules that the layout breaks.
QString findingsToolTip(const ShownOffer& shown);

} // namespace shardrack
