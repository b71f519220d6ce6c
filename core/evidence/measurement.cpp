#include "evidence/measurement.h"

#include <algorithm>
#include <array>

namespace shardrack {

namespace {

constexpr std::array<const char*, 3> kScopes { "allocated", "reserved", "device" };
constexpr std::array<const char*, kRunPhaseCount> kPhases { "load", "init", "forward", "backward",
    "optimizer", "save", "evaluate" };

template <class Enum, std::size_t N>
std::optional<Enum> lookUp(const std::array<const char*, N>& ids, std::string_view id)
{
    const auto found = std::find(ids.begin(), ids.end(), id);
    if (found == ids.end())
        return std::nullopt;
    return static_cast<Enum>(found - ids.begin());
}

} // namespace

const char* id(MemoryScope scope) { return kScopes[static_cast<std::size_t>(scope)]; }

const char* title(MemoryScope scope)
{
    static constexpr std::array<const char*, 3> titles { "allocated (tensors)",
        "reserved by the allocator", "device memory in use" };
    return titles[static_cast<std::size_t>(scope)];
}

std::optional<MemoryScope> memoryScope(std::string_view id)
{
    return lookUp<MemoryScope>(kScopes, id);
}

const char* id(RunPhase phase) { return kPhases[static_cast<std::size_t>(phase)]; }

std::optional<RunPhase> runPhase(std::string_view id) { return lookUp<RunPhase>(kPhases, id); }

bool operator==(const Measurement& a, const Measurement& b)
{
    return a.devices == b.devices && a.scope == b.scope && a.peak == b.peak
        && a.average == b.average && a.outOfMemory == b.outOfMemory && a.phases == b.phases
        && a.completeSteps == b.completeSteps && a.software == b.software
        && a.conditions == b.conditions && a.source == b.source && a.basis == b.basis
        && sameExtra(a.extra, b.extra);
}

} // namespace shardrack
