#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace shardrack {

/// Up to three of `names` that are most like `wanted`, for a message: "\"h100-sxm5-80\" or
/// \"h100-pcie-80\"".
std::string nearestNames(std::string_view wanted, const std::vector<std::string>& names);

} // namespace shardrack
