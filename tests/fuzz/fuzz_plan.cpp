// Fuzzing entry: any bytes as a plan file. What is accepted must be whole: it can be written, read
// again as the same plan, judged and printed.

#include "plan/account_report.h"
#include "plan/plan_json.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace shardrack;
    const auto reading = readPlan({ reinterpret_cast<const char*>(data), size });
    if (!reading.ok()) {
        if (reading.error().what.empty())
            std::abort();
        return 0;
    }
    // Few bytes can stand for very much hardware; reading it is enough.
    constexpr std::size_t small = 10000;
    std::size_t pieces = 0;
    for (const auto& offer : reading->plan.offers) {
        const SiteIndex index(offer->site, Catalogue::builtIn());
        pieces += offer->site.racks.size() + index.servers().size()
            + static_cast<std::size_t>(index.gpuCount());
        if (offer->layout.placement)
            pieces += offer->layout.placement->size();
    }
    if (pieces > small)
        return 0;
    const std::string text = writePlan(reading->plan);
    const auto again = readPlan(text);
    if (!again.ok() || !(again->plan == reading->plan) || writePlan(again->plan) != text)
        std::abort();
    accountJson(reading->plan);
    accountText(reading->plan);
    return 0;
}
