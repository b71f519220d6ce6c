#pragma once

#include "base/result.h"
#include "document/rank_text.h"

namespace shardrack {

/// Reads ranks as a person types them: "3", "0-3", "0-3, 8". `rankCount`: how many there are. The
/// Error says in words what is wrong.
Result<RankSet> ranksFromText(const QString& text, std::int32_t rankCount);

} // namespace shardrack
