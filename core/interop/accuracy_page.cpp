#include "interop/accuracy_page.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace shardrack {

namespace {

/// Which families of measured runs are of which framework.
struct Runs {
    const char* framework;
    std::array<const char*, 2> families;
};
constexpr std::array<Runs, 7> kRuns { {
    { "megatron", { "megatron_ci", "simumax" } },
    { "torchtitan", { "titan", "torchtitan" } },
    { "torchtune", { "tune", "torchtune" } },
    { "litgpt", { "litgpt", "" } },
    { "composer", { "mpt", "" } },
    { "hf-trainer", { "hf", "" } },
    { "pytorch-fsdp2", { "fsdp", "" } },
} };

std::vector<std::string> cellsOf(std::string_view line)
{
    std::vector<std::string> cells;
    std::size_t from = 1; // after the first bar
    while (from < line.size()) {
        const std::size_t to = std::min(line.find('|', from), line.size());
        std::string_view cell = line.substr(from, to - from);
        while (!cell.empty() && cell.front() == ' ')
            cell.remove_prefix(1);
        while (!cell.empty() && cell.back() == ' ')
            cell.remove_suffix(1);
        cells.emplace_back(cell);
        from = to + 1;
    }
    return cells;
}

} // namespace

std::vector<FamilyAccuracy> familiesOf(std::string_view page)
{
    std::vector<FamilyAccuracy> families;
    std::vector<std::string> heads;
    while (!page.empty()) {
        const std::size_t end = std::min(page.find('\n'), page.size());
        const std::string_view line = page.substr(0, end);
        page.remove_prefix(std::min(end + 1, page.size()));
        const bool row = !line.empty() && line.front() == '|';
        if (!row && !heads.empty())
            break; // after the first table
        if (!row)
            continue;
        const std::vector<std::string> cells = cellsOf(line);
        if (heads.empty()) {
            heads = cells;
            continue;
        }
        const auto cell = [&](const char* head) -> std::string {
            const auto found = std::find(heads.begin(), heads.end(), head);
            const auto at = std::size_t(found - heads.begin());
            return at < cells.size() ? cells[at] : std::string();
        };
        FamilyAccuracy family;
        const std::string rows = cell("rows");
        std::from_chars(rows.data(), rows.data() + rows.size(), family.rows);
        if (family.rows <= 0)
            continue;
        family.family = cell("family");
        family.metric = cell("metric");
        family.median = cell("median absolute");
        family.p90 = cell("90th percentile");
        family.worst = cell("worst");
        families.push_back(std::move(family));
    }
    return families;
}

std::vector<FamilyAccuracy> accuracyOf(std::string_view framework, std::string_view page)
{
    const auto runs = std::find_if(kRuns.begin(), kRuns.end(),
        [&](const Runs& entry) { return framework == entry.framework; });
    if (runs == kRuns.end())
        return {};
    std::vector<FamilyAccuracy> families = familiesOf(page);
    families.erase(std::remove_if(families.begin(), families.end(),
                       [&](const FamilyAccuracy& family) {
                           return family.family != runs->families[0]
                               && family.family != runs->families[1];
                       }),
        families.end());
    return families;
}

} // namespace shardrack
