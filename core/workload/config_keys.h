#pragma once

#include "base/json.h"

#include <string>
#include <string_view>
#include <vector>

namespace shardrack {

/// Looks at the keys of a config.json that the family's reader does not use. Keys that never change
/// the number of parameters are passed over; a key whose name speaks of structure (experts, an
/// extra tower, adapters, biases, another vocabulary …) and that is switched on throws Failure at
/// its path, because it may change the count; a quantised checkpoint and unknown other keys give a
/// warning. `used`: keys of the reader; `biased`: linear maps of the family have biases unless told
/// otherwise.
void inspectOtherKeys(const JsonView& config, const std::vector<std::string_view>& used,
    bool biased, std::vector<std::string>& warnings);

} // namespace shardrack
