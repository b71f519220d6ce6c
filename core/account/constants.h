#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace shardrack {

/// An amount that no arithmetic gives, with the range that it is known within.
struct Constant {
    std::string id;
    std::int64_t value = 0;
    std::int64_t low = 0;
    std::int64_t high = 0;
    std::string unit;
    std::string mechanism; ///< what causes it
    std::string source;
    std::string version;
};

/// All of resources/constants.json.
const std::vector<Constant>& constants();
/// The constant of this id; throws Failure when there is none. Look it up once, not in a loop.
const Constant& constant(std::string_view id);

} // namespace shardrack
