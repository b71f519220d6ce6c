#pragma once

#include "account/account.h"
#include "evidence/coverage.h"
#include "layout/legality.h"

#include <optional>
#include <string>
#include <vector>

namespace shardrack {

/// The verdict of the capacity screen, best first.
enum class Capacity { Fit, Tight, Open, Over };
/// The ids of the command line: "fit", "tight", "open", "over".
const char* id(Capacity capacity);
/// The words shown to people: "Over capacity", "Open", "Tight", "Estimated fit".
const char* title(Capacity capacity);

/// The operating margin that somebody asks to keep free on every device.
struct RequiredMargin {
    std::optional<Bytes> bytes; ///< absent: not stated
    std::string basis; ///< "policy", "experience", "measurement", …
    Extra extra;
    friend bool operator==(const RequiredMargin& a, const RequiredMargin& b)
    {
        return a.bytes == b.bytes && a.basis == b.basis && sameExtra(a.extra, b.extra);
    }
};

struct Warning {
    enum class Severity { Error, Warning, Note };
    Severity severity = Severity::Note;
    std::string subject; ///< "rank 0 on A1·0 and 3 equal", "Usable allocation"
    std::string text; ///< with its numbers and units
    std::string fix; ///< what to do about it; may be empty
    /// What it is about, for a link to the place where something can be done.
    enum class Topic {
        Other,
        Device,
        Layout,
        Usable,
        OpenTerms,
        Workload,
        Ranks,
        Evidence,
        Result,
        ChangedBasis
    };
    Topic topic = Topic::Other;
    std::int32_t gpu = -1; ///< ordinal of the first GPU that it is about, or -1
    bool operator==(const Warning&) const = default;
};
const char* id(Warning::Severity severity);

/// What a person must know of an offer. The three findings are never merged.
struct Findings {
    Capacity capacity = Capacity::Open;
    std::vector<Capacity>
        ofDeviceClass; ///< parallel to Account::deviceClasses; idle ones: Open, unused
    Demonstrated demonstrated = Demonstrated::None; ///< = demonstration.value
    Demonstration demonstration; ///< with the rule that decided
    TrainingResult result = TrainingResult::NotEvaluated;
    Legality legality;
    /// Device class with least headroom, and its first GPU; -1 when no GPU has a rank.
    std::int32_t mostLoadedClass = -1;
    std::int32_t mostLoadedGpu = -1;
    /// The first GPU that decides the verdict, where that is another one; else equal to
    /// mostLoadedGpu.
    std::int32_t decidingGpu = -1;
    std::int64_t devicesJudged = 0;
    std::int64_t devicesOver = 0;
    std::int64_t devicesIdle = 0;
    /// Names of the terms that are not established on the most loaded device, in stack order.
    std::vector<std::string> openTerms;
    std::vector<Warning> warnings;
};

/// The one rule: over ⇔ tensors + outside, as far as known and at their least, exceed usable; open
/// ⇔ a term or the usable allocation is not established; tight ⇔ everything is, but the need at its
/// most + required margin exceed usable; else estimated fit.
Capacity capacityOf(const DeviceClass& device, const RequiredMargin& margin);

/// The capacity screen, legality, demonstrated fit, training result and warnings of an account.
Findings judge(const Account& account, const Workload& workload, const Layout& layout,
    const ResolvedLayout& resolved, const Site& site, const SiteIndex& index,
    const RequiredMargin& margin, const Evidence& evidence = {});

} // namespace shardrack
