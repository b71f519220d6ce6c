#pragma once

#include "base/rank_set.h"

#include <QString>

namespace shardrack {

/// "rank 3", "ranks 0–3, 8".
QString ranksText(const RankSet& ranks);

} // namespace shardrack
