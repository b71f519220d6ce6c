#pragma once

#include "base/json.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace shardrack {

/// More than any framework's table has.
constexpr std::size_t kMostSwitches = 48;

/// One thing about a framework that changes memory: how it is written, what it can be, and what it
/// is where nobody says.
struct SwitchInfo {
    enum class Kind {
        Flag, ///< false or true
        Choice, ///< one of `choices`
        Set, ///< any of `choices`, as bits
        Count, ///< a whole number in [least, most]
        Fraction, ///< [0, 1), in millionths
        Version, ///< "2.11" as 2011
        Text
    };
    std::size_t which; ///< its place in the table
    const char* key; ///< in a plan's recipe: "implementation"
    const char* title; ///< for people: "Layer implementation"
    Kind kind;
    std::vector<const char*> choices;
    std::int64_t usual; ///< the framework's default; 0 where it is derived
    std::int64_t least = 0;
    std::int64_t most = 0;
    const char* what = ""; ///< what it does to memory, and how a derived default follows
    bool primary = false; ///< shown first; the others on demand
    /// What the layout must divide for the switch to have any effect.
    enum class Needs { Nothing, Tensor, Context, Pipeline } needs = Needs::Nothing;
};
constexpr std::size_t index(std::size_t which) { return which; }

/// All switches of a framework.
struct SwitchTable {
    const char* key = ""; ///< the recipe's member that holds them: "megatron"
    const char* title = ""; ///< "Megatron-LM"
    std::vector<SwitchInfo> switches;
};

/// The switches of one table that somebody gave; the rest follow from defaults.
struct SwitchValues {
    std::array<std::optional<std::int64_t>, kMostSwitches> given;
    std::string words; ///< of the one switch of Kind::Text, whose number is then 1

    template <class Which> std::optional<std::int64_t> get(Which which) const
    {
        return given[static_cast<std::size_t>(which)];
    }
    template <class Which> void set(Which which, std::int64_t value)
    {
        given[static_cast<std::size_t>(which)] = value;
    }
    bool none() const;
    bool operator==(const SwitchValues&) const = default;
};

/// Where the value of a switch comes from.
enum class Origin : std::uint8_t { Given, FrameworkDefault, GpuDefault, Derived, Assumed, Preset };
/// "given", "framework default", "GPU default", "derived", "assumed", "preset".
const char* name(Origin origin);

struct Setting {
    std::int64_t value = 0;
    Origin origin = Origin::FrameworkDefault;
    const char* why = ""; ///< for a GPU default, a derived or an assumed value, a preset
};

/// Reads the plan's {"implementation": "te", …}. Throws Failure at the path of a switch that is not
/// known or a value that it cannot have.
SwitchValues switchesFromJson(const JsonView& view, const SwitchTable& table);
/// Writes what was given, in the order of the table.
Json toJson(const SwitchValues& switches, const SwitchTable& table);
/// "te", "on", "0.1", "core_attn, mlp", "2.11": a value for people.
std::string valueText(const SwitchInfo& info, std::int64_t value, const std::string& text = {});
/// "Precision: fp16; Sequence parallel: on": what was given, for people.
std::string givenText(const SwitchValues& switches, const SwitchTable& table);

} // namespace shardrack
