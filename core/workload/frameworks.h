#pragma once

#include "workload/recipe.h"

#include <string_view>
#include <vector>

namespace shardrack {

/// A framework whose way of keeping memory is known.
struct Framework {
    enum class Family { Megatron, Torch };
    const char* id; ///< in a plan's recipe: "torchtitan"
    const char* title; ///< for people: "torchtitan"
    Family family;
    const SwitchTable* table;
};
/// In the order in which they are offered.
const std::vector<Framework>& frameworks();
/// The framework of this id; absent where nothing is derived from it.
const Framework* framework(std::string_view id);

/// The family of the recipe's framework.
bool isMegatron(const Recipe& recipe);
bool isTorch(const Recipe& recipe);

/// The switches that a recipe gives for a framework.
const SwitchValues& switchesOf(const Recipe& recipe, const Framework& framework);
SwitchValues& switchesOf(Recipe& recipe, const Framework& framework);

} // namespace shardrack
