#pragma once

#include "base/amount.h"

#include <array>
#include <cstddef>

namespace shardrack {

/// What device memory is spent on, in the order in which it is always stacked, bottom first.
/// `State` is a stipulated total that nobody divided among the first three.
enum class Category {
    Parameters,
    Gradients,
    Optimizer, ///< moments and full-precision master copy
    State,
    Gathered, ///< parameters temporarily whole, gradients before they are reduced and scattered
    Activations,
    Temporary,
    Slack, ///< reserved by the caching allocator, occupied by no tensor
    Outside ///< context, communication library, other processes
};
constexpr std::size_t kCategoryCount = 9;

/// The id used in files and on the command line: "parameters", …, "outside".
const char* id(Category category);
/// The name shown to people: "Parameters", "Optimizer state", "Persistent state, undivided", …
const char* title(Category category);

constexpr std::array<Category, kCategoryCount> kCategories { Category::Parameters,
    Category::Gradients, Category::Optimizer, Category::State, Category::Gathered,
    Category::Activations, Category::Temporary, Category::Slack, Category::Outside };

constexpr std::size_t index(Category category) { return static_cast<std::size_t>(category); }
constexpr bool isState(Category category) { return category <= Category::State; }

} // namespace shardrack
