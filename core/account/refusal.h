#pragma once

#include <string>

namespace shardrack {

/// A rule that the framework, or arithmetic, makes a run break.
struct Refusal {
    std::string rule; ///< "the tensor degree divides the attention heads"
    std::string text; ///< with this run's numbers
    std::string fix; ///< what would satisfy it; may be empty
    bool computable = true; ///< the account can be made all the same
    bool notLegal = false; ///< of what is foreign to a framework: it has no such layout at all
};
} // namespace shardrack
