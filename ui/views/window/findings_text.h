#pragma once

#include "document/plan_document.h"

#include <QString>

namespace shardrack {

/// The sentences of the findings strip, for its painting and for accessible text.
struct StripText {
    QString device; ///< "rank 0 (and 3 equal)"
    QString need; ///< "need at least 24.00"
    QString usable; ///< "usable 16.00 GiB"
    bool usableConfirmed = true;
    QString gap; ///< "over by at least 8.00", or empty
    QString shortGap; ///< "over \u2265 8.00", where there is little room
    QString capacity; ///< "Over capacity, 4 of 4"
    QString demonstrated;
    QString result;
    bool judged = false; ///< whether any device has a rank
};
StripText stripText(const ShownOffer& shown);

} // namespace shardrack
