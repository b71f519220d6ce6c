#include "evidence/outcome.h"

#include <algorithm>
#include <array>

namespace shardrack {

namespace {

constexpr std::array<const char*, 3> kResults { "not evaluated", "accepted", "rejected" };

} // namespace

const char* id(TrainingResult result) { return kResults[static_cast<std::size_t>(result)]; }

const char* title(TrainingResult result)
{
    static constexpr std::array<const char*, 3> titles { "Not evaluated", "Accepted", "Rejected" };
    return titles[static_cast<std::size_t>(result)];
}

std::optional<TrainingResult> trainingResult(std::string_view id)
{
    const auto found = std::find(kResults.begin(), kResults.end(), id);
    if (found == kResults.end())
        return std::nullopt;
    return static_cast<TrainingResult>(found - kResults.begin());
}

bool operator==(const TrainingOutcome& a, const TrainingOutcome& b)
{
    return a.result == b.result && a.criterion == b.criterion && a.value == b.value
        && a.throughput == b.throughput && a.software == b.software
        && a.interconnect == b.interconnect && a.note == b.note && a.basis == b.basis
        && sameExtra(a.extra, b.extra);
}

} // namespace shardrack
