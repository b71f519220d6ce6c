#pragma once

#include "base/json.h"

#include <string>

namespace shardrack {

/// JSON for people: what fits into 100 columns stays on one line, lists of plain values fill their
/// lines, everything else is indented. Ends with a line feed.
std::string printJson(const Json& json);

} // namespace shardrack
