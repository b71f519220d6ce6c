#pragma once

#include "base/json.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace shardrack {

/// Which memory a reading counts. Three different readings, never one for another.
enum class MemoryScope {
    Allocated, ///< tensors, as the framework's allocator counts them
    Reserved, ///< what the allocator took from the device
    Device ///< everything in use on the device, libraries and other processes included
};
/// The ids of plan files: "allocated", "reserved", "device".
const char* id(MemoryScope scope);
/// For people: "allocated (tensors)", "reserved by the allocator", "device memory in use".
const char* title(MemoryScope scope);
std::optional<MemoryScope> memoryScope(std::string_view id);

/// The parts of a run that a reading can cover beside complete steps.
enum class RunPhase { Load, Init, Forward, Backward, Optimizer, Save, Evaluate };
constexpr int kRunPhaseCount = 7;
/// "load", "init", "forward", "backward", "optimizer", "save", "evaluate".
const char* id(RunPhase phase);
std::optional<RunPhase> runPhase(std::string_view id);

/// A set of phases of a run.
class RunPhases {
public:
    bool has(RunPhase phase) const { return (m_mask & bit(phase)) != 0; }
    void set(RunPhase phase, bool on = true)
    {
        m_mask = static_cast<std::uint8_t>(on ? m_mask | bit(phase) : m_mask & ~bit(phase));
    }
    bool operator==(const RunPhases&) const = default;

private:
    static unsigned bit(RunPhase phase) { return 1U << static_cast<unsigned>(phase); }
    std::uint8_t m_mask = 0;
};

/// A peak that a run was seen to reach, entered by a person.
struct Measurement {
    /// Devices as people write them ("A1·0-3", "A1·0..A4·7"), or "all": every device with a rank.
    /// Each of them reached this peak at most; with `average`, it is their mean.
    std::string devices = "all";
    MemoryScope scope = MemoryScope::Device;
    std::optional<Bytes> peak; ///< absent only where the run ran out of memory
    bool average = false;
    bool outOfMemory = false; ///< the run ended because a device had no memory left
    RunPhases phases; ///< those that the reading covers
    std::int64_t completeSteps = 0; ///< forward, backward and optimizer step, all covered
    std::string software; ///< framework and library versions
    std::string conditions; ///< what else a reader must know
    std::string source; ///< who or what says so
    /// Fingerprint of the offer (workload, hardware, layout) that was measured; evidence of another
    /// state of the offer does not count. Empty: the offer as it stands.
    std::string basis;
    Extra extra;
    friend bool operator==(const Measurement& a, const Measurement& b);
};

} // namespace shardrack
