#include "plan/plan_json_nearest.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace shardrack {

namespace {

/// Insertions, deletions and replacements that turn one text into the other.
std::size_t editDistance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t(0));
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({ replaced, row[j] + 1, row[j + 1] + 1 });
        }
    }
    return row.back();
}

} // namespace

std::string nearestNames(std::string_view wanted, const std::vector<std::string>& names)
{
    constexpr std::size_t longest = 64;
    constexpr std::size_t most = 3;
    wanted = wanted.substr(0, longest);
    std::vector<std::pair<std::size_t, std::size_t>> order;
    // What contains the wanted name, or is contained in it, is meant more often than what has few
    // letters in another place.
    const auto related = [wanted](std::string_view name) {
        return !wanted.empty()
            && (name.find(wanted) != std::string_view::npos
                || wanted.find(name) != std::string_view::npos);
    };
    for (std::size_t i = 0; i < names.size(); ++i)
        order.emplace_back(editDistance(wanted, names[i]) + (related(names[i]) ? 0 : longest), i);
    std::sort(order.begin(), order.end());
    order.resize(std::min(order.size(), most));
    std::string text;
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (i > 0)
            text += i + 1 == order.size() ? " or " : ", ";
        text += '"' + names[order[i].second] + '"';
    }
    return text;
}

} // namespace shardrack
