#pragma once

#include "base/result.h"

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace shardrack::cli {

/// What a process of this program tells its caller; the contract is the same for every verb.
enum ExitStatus {
    Done = 0,
    OverCapacity = 1, ///< done, and a device is over capacity or a run contradicts the estimate
    BadInput = 2 ///< nothing was done; standard error says what, where and what was expected
};

/// An option of one verb, beside --json and --help which all have.
struct Option {
    std::string_view name; ///< "--offers"
    std::string_view value; ///< what follows it, as in the usage line: "NAMES"; empty: nothing
};

/// What follows the verb.
struct Arguments {
    bool json = false;
    bool help = false;
    std::vector<std::pair<std::string, std::string>> options; ///< the verb's own, as given
    std::vector<std::string> files; ///< "-" is standard input

    bool has(std::string_view option) const;
    /// All values of an option that may be given several times.
    std::vector<std::string> values(std::string_view option) const;
};
/// Values follow their option, or stand behind "=" in the same word.
Result<Arguments> parseArguments(
    const std::vector<std::string>& words, std::span<const Option> options = {});

struct Verb {
    std::string_view name;
    std::string_view operands; ///< as in the usage line: "PLAN"
    std::string_view summary; ///< one line
    std::string_view help; ///< what the verb prints and how it ends
    /// Does the work and prints its result. Bad input is thrown as Failure.
    ExitStatus (*run)(const Arguments& arguments);
    std::span<const Option> options = {};
};

extern const Verb kAccount;
extern const Verb kCompare;
extern const Verb kModel;
extern const Verb kValidate;

/// The one file that a verb works on; Failure when there is none or more than one.
const std::string& onlyFile(const Arguments& arguments);

} // namespace shardrack::cli
