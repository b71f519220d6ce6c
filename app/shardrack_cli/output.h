#pragma once

#include "base/json.h"

#include <string_view>

namespace shardrack::cli {

/// To standard output.
void printText(std::string_view text);
/// Indented, ending with a line feed; bytes that are no UTF-8 (file names may be anything) are
/// replaced.
void printJson(const Json& json);
/// A remark to standard error that is no part of the result.
void printNote(std::string_view text);
/// Everything printed has reached standard output; Failure otherwise (a full disk).
void finishOutput();

} // namespace shardrack::cli
