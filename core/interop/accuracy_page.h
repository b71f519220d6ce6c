#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace shardrack {

/// What the accuracy page (docs/accuracy.md, carried by the program) says about one family of
/// measured runs.
struct FamilyAccuracy {
    std::string family; ///< "simumax"
    std::string metric; ///< "allocated", "reserved", …
    std::int64_t rows = 0; ///< figures that were compared
    std::string median; ///< median absolute error in percent, as printed
    std::string p90; ///< 90th percentile of it
    std::string worst;
};
/// The families of a page written by measuredMarkdown(), those with no compared row left out.
std::vector<FamilyAccuracy> familiesOf(std::string_view page);
/// Those that were runs of a framework (Recipe::framework); empty: none was compared.
std::vector<FamilyAccuracy> accuracyOf(std::string_view framework, std::string_view page);

} // namespace shardrack
