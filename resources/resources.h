#pragma once

#include <string_view>

namespace shardrack {

/// The text of a file of the resources folder that is compiled into the program, by its path below
/// that folder ("catalogue.json", "examples/ts-24.shardrack"); empty when there is no such file.
std::string_view resourceText(std::string_view name);

} // namespace shardrack
