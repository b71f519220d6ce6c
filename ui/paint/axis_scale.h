#pragma once

#include "base/bytes.h"

#include <optional>

class QString;

namespace shardrack {

/// A zero-based axis of sizes, with whole steps.
struct AxisScale {
    double step = 1; ///< in GiB
    int steps = 1; ///< the axis ends at step × steps
    double maximum() const { return step * steps; } ///< in GiB
    Bytes full() const; ///< the maximum in bytes
    /// "0", "8", "0.5": the label of the tick at step × tick, with the decimals the step needs.
    QString label(int tick) const;
};

/// The axis whose end is the next step above `highest`: steps of 1, 2, 5 times a power of ten, or a
/// power of two where `usable` is a whole number of them; about five steps, at most six.
/// `room` is kept free above `highest`, as a share of the axis (0 to 0.5).
AxisScale axisFor(Bytes highest, std::optional<Bytes> usable, double room = 0);

} // namespace shardrack
