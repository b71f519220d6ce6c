#pragma once

#include "plan/comparison.h"
#include "report/document.h"

namespace shardrack {

/// Device classes of all offers, most loaded first, with totals for each offer. At most
/// `mostClasses` of an offer are listed (0: all); the rest is counted, with its range.
Table deviceTable(const Comparison& comparison, std::size_t mostClasses);

} // namespace shardrack
