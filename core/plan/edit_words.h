#pragma once

#include "base/rank_set.h"
#include "site/site.h"

#include <string>

namespace shardrack {

// Words that edits share in their names and refusals.

/// Ends an edit with one plain sentence; apply() returns it as its Error.
[[noreturn]] void refuse(std::string why);

/// "3", "2–3".
std::string span(std::int64_t first, std::int64_t last);
/// "rank 3", "ranks 0–3, 8".
std::string rankWords(const RankSet& ranks);
/// "1 unit", "8 units", "1,024 GPUs"; `noun` in the singular.
std::string counted(std::int64_t count, const std::string& noun);
/// `text` with a capital first letter.
std::string sentence(std::string text);
/// "A1·0".
std::string gpuWords(const Server& server, int index);
/// Refuses an empty or blank name; `what` is "A server", "An offer", …
void requireName(const std::string& name, const std::string& what);

} // namespace shardrack
