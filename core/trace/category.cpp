#include "trace/category.h"

namespace shardrack {

const char* id(Category category)
{
    static constexpr std::array<const char*, kCategoryCount> ids { "parameters", "gradients",
        "optimizer", "state", "gathered", "activations", "temporary", "slack", "outside" };
    return ids[index(category)];
}

const char* title(Category category)
{
    static constexpr std::array<const char*, kCategoryCount> titles { "Parameters", "Gradients",
        "Optimizer state", "Persistent state, undivided", "Gathered parameters", "Activations",
        "Temporary buffers", "Allocator slack", "Outside allocator" };
    return titles[index(category)];
}

} // namespace shardrack
