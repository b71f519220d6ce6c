#pragma once

#include "base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace shardrack::cli {

/// What a process of this program tells its caller; the contract is the same for every verb.
enum ExitStatus {
    Done = 0,
    OverCapacity = 1, ///< done, and a device is over capacity or a run contradicts the estimate
    BadInput = 2 ///< nothing was done; standard error says what, where and what was expected
};

/// What follows the verb.
struct Arguments {
    bool json = false;
    bool help = false;
    bool markdown = false; ///< of validate
    std::vector<std::string> files; ///< "-" is standard input
};
Result<Arguments> parseArguments(const std::vector<std::string>& words);

struct Verb {
    std::string_view name;
    std::string_view operands; ///< as in the usage line: "PLAN"
    std::string_view summary; ///< one line
    std::string_view help; ///< what the verb prints and how it ends
    /// Does the work and prints its result. Bad input is thrown as Failure.
    ExitStatus (*run)(const Arguments& arguments);
};

extern const Verb kAccount;
extern const Verb kModel;
extern const Verb kValidate;

/// The one file that a verb works on; Failure when there is none or more than one.
const std::string& onlyFile(const Arguments& arguments);

} // namespace shardrack::cli
