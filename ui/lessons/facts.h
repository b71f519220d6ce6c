#pragma once

#include "base/json.h"
#include "document/plan_document.h"
#include "document/selection.h"

#include <QString>

#include <optional>
#include <string>
#include <vector>

namespace shardrack {

/// What lessons can ask of the plan and its account, for conditions and for the figures in their
/// texts. Sizes and counts are of the offer in front.
enum class Fact {
    Offers,
    Racks,
    Servers,
    Gpus,
    GpusWithoutRank,
    Ranks,
    Replicas, ///< complete copies of the parameters
    ShardGroups,
    DevicesJudged,
    DevicesOver,
    SelectedGpus,
    SelectedGpusWithoutRank,
    OpenTerms, ///< of the most loaded device: how many terms are not established
    StateOneCopy,
    StateTotal,
    StateRedundant,
    InstalledTotal,
    MostLoadedNeed,
    MostLoadedUsable,
    MostLoadedHeadroom,
    MostLoadedOverBy, ///< need − usable; not established while it is not over
    LeastLoadedNeed, ///< of the device with most headroom
    FirstRankNeed, ///< of the device of rank 0
    Activations, ///< given for every rank; not established while nobody gave it
    OfferName,
    Layout, ///< id of the preset: "ddp", "fsdp", …
    Verdict, ///< capacity estimate of the offer: "fit", "tight", "open", "over"
    UsableConfirmed, ///< of the most loaded device: "yes", "no"
    RanksFollowHardware, ///< "yes", "no"
    MostLoadedDevice, ///< "A1·0"
    OpenTermNames, ///< of the most loaded device: "activations, temporary buffers and …"
    VerdictName ///< "Over capacity"
};
constexpr std::size_t kFactCount = static_cast<std::size_t>(Fact::VerdictName) + 1;

enum class FactKind {
    Count,
    Size,
    Word, ///< one of few words, or a name
    Text ///< for texts only: no condition compares it
};

/// The name in lesson files: "most_loaded.need".
const char* name(Fact fact);
FactKind kind(Fact fact);
/// The words that a Word fact can be; empty: any.
std::vector<std::string> wordsOf(Fact fact);
/// The fact of a name; fails at `place` with the nearest names.
Fact factNamed(const std::string& name, const JsonView& place);

/// A fact as it is at one moment. Absent: not established, or there is no such thing.
struct FactValue {
    std::optional<std::int64_t> count; ///< Count
    std::optional<Bytes> size; ///< Size
    enum class Bound { Exact, AtLeast, AtMost };
    Bound bound = Bound::Exact; ///< of a size
    std::string word; ///< Word, Text
    bool operator==(const FactValue&) const = default;
};

/// All facts of one moment.
class FactTable {
public:
    FactTable() = default;
    FactTable(const PlanDocument& document, const Selection& selection);
    const FactValue& operator[](Fact fact) const
    {
        return m_values[static_cast<std::size_t>(fact)];
    }
    void set(Fact fact, FactValue value) { at(fact) = std::move(value); }
    /// As a text shows it: "8", "at least 24.00 GiB", "Offer R", "not established".
    QString text(Fact fact) const;
    bool operator==(const FactTable&) const = default;

private:
    FactValue& at(Fact fact) { return m_values[static_cast<std::size_t>(fact)]; }
    void readOffer(const ShownOffer& offer, const Selection& selection);
    void readMostLoaded(const ShownOffer& offer);

    std::vector<FactValue> m_values = std::vector<FactValue>(kFactCount);
};

} // namespace shardrack
