#pragma once

#include "account/account.h"
#include "evidence/measurement.h"
#include "evidence/outcome.h"

#include <optional>
#include <string>
#include <vector>

namespace shardrack {

/// The second finding: whether runs have shown that it fits.
enum class Demonstrated { None, Partial, Demonstrated, Contradicted };
/// The ids of the command line: "none", "partial", "demonstrated", "contradicted".
const char* id(Demonstrated demonstrated);
/// For people: "None", "Partial coverage", "Demonstrated", "Contradicted".
const char* title(Demonstrated demonstrated);

/// A measurement with the devices that it is about.
struct AppliedMeasurement {
    const Measurement* measurement = nullptr;
    RankSet gpus; ///< ordinals in the SiteIndex
    std::string excluded; ///< why it does not count; empty: it does
    bool otherState = false; ///< excluded because it is about another state of the offer
};

/// Everything that people recorded about an offer, as far as it can be judged.
struct Evidence {
    std::vector<AppliedMeasurement> measurements;
    const TrainingOutcome* outcome = nullptr;
    bool outcomeApplies = true; ///< false: recorded for another state of the offer
};

/// Complete steps that make a device's reading representative: the first step lacks the moments,
/// the second has everything.
constexpr std::int64_t kCompleteSteps = 2;

/// What one measurement contributes.
struct ReadingVerdict {
    RankSet gpus; ///< the devices with a rank that it is about
    std::int64_t counted = 0; ///< of these, those that it covers in full
    bool contradicts = false; ///< the run overflowed, or the reading is above the usable allocation
    bool otherState = false; ///< as AppliedMeasurement
    std::string shortfall; ///< why it does not count, or not everywhere: a sentence; may be empty
};

/// What the measurements show, and by which rule.
struct Demonstration {
    Demonstrated value = Demonstrated::None;
    std::string rule; ///< the rule that decided, one sentence for people
    std::int64_t participating = 0; ///< devices with a rank
    std::int64_t measured = 0; ///< of these, with any reading that applies
    std::int64_t covered = 0; ///< of these, with one that counts in full
    /// The highest reading that applies (averages excluded) and its first device; device memory
    /// before reserved before allocated, because the wider reading says more.
    std::optional<Bytes> highest;
    MemoryScope highestScope = MemoryScope::Device;
    std::int32_t highestGpu = -1;
    std::vector<std::string> shortfalls; ///< why readings do not count, a sentence each
    std::vector<ReadingVerdict> readings; ///< parallel to Evidence::measurements
};

/// Contradicted: a run ran out of memory on a device with a rank, or a reading is above the usable
/// allocation (an average: above the largest one, so that some device must be over).
/// Demonstrated: every device with a rank has a peak of its own (no average) from one reading that
/// covers initialization and at least kCompleteSteps complete steps, counts device memory (or
/// reserved memory where what lies outside the allocator is established), and stays within a usable
/// allocation that is established. Partial: some reading applies, but not all of that holds. What
/// is measured on devices without a rank decides nothing.
Demonstration demonstrate(const Account& account, const Evidence& evidence);

/// What the account says that a reading of this memory would find on the device at the peak:
/// tensors; those and the allocator's slack; or everything.
Sum estimateFor(MemoryScope scope, const DeviceClass& device);
/// The largest such estimate of the given devices, which a peak over all of them is compared with;
/// absent where none of them has a rank.
std::optional<Sum> estimateFor(MemoryScope scope, const RankSet& gpus, const Account& account);

} // namespace shardrack
