#include "plan/summary.h"

#include "plan/summary_parts.h"
#include "plan/summary_words.h"

#include "base/size_text.h"

#include <algorithm>

namespace shardrack {

const DeviceClass* SummarisedOffer::mostLoaded() const
{
    const std::int32_t number = findings().mostLoadedClass;
    return number < 0 ? nullptr
                      : &assessment().account.deviceClasses[static_cast<std::size_t>(number)];
}

bool SummarisedOffer::judged() const { return !assessment().error && findings().devicesJudged > 0; }

bool SummarisedOffer::usableConfirmed() const
{
    const auto& classes = assessment().account.deviceClasses;
    return std::all_of(classes.begin(), classes.end(), [](const DeviceClass& device) {
        return device.idle() || device.usable.provenance != Provenance::NotEstablished;
    });
}

namespace {

constexpr std::size_t kMostNamed = 4; ///< offers named in one sentence of the title

/// What the offers of the title are called: by what they are made of ("Replicas", "Shards") where
/// that tells them apart, else by their names.
class Names {
public:
    explicit Names(const std::vector<SummarisedOffer>& offers)
    {
        std::vector<std::string> kinds;
        for (const SummarisedOffer& offer : offers)
            if (offer.compared.changes.empty())
                kinds.push_back(kindOf(offer));
        std::vector<std::string> sorted = kinds;
        std::sort(sorted.begin(), sorted.end());
        m_byKind = kinds.size() > 1
            && std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end()
            && std::find(kinds.begin(), kinds.end(), std::string()) == kinds.end();
    }

    bool byKind() const { return m_byKind; }
    std::string nameOf(const SummarisedOffer& offer) const
    {
        return m_byKind && offer.compared.changes.empty() ? kindOf(offer) : offer.offer().name;
    }

private:
    static std::string kindOf(const SummarisedOffer& offer)
    {
        if (offer.assessment().layout.rankCount() < 2)
            return {};
        switch (offer.offer().layout.preset) {
        case LayoutPreset::Ddp:
            return "Replicas";
        case LayoutPreset::Fsdp:
            return "Shards";
        default:
            return {};
        }
    }
    bool m_byKind = false;
};

/// Offers that share a sentence.
struct Group {
    std::vector<const SummarisedOffer*> offers;

    std::string subject(const Names& names, std::size_t all) const
    {
        if (offers.size() > kMostNamed)
            return offers.size() == all
                ? "All " + numbered(std::int64_t(all), "offer", "offers")
                : capitalised(numbered(std::int64_t(offers.size()), "offer", "offers"));
        std::vector<std::string> words;
        for (const SummarisedOffer* offer : offers)
            words.push_back(names.nameOf(*offer));
        // Only the first kind of several begins the sentence.
        for (std::size_t i = 1; names.byKind() && i < words.size(); ++i)
            words[i] = lowered(words[i]);
        return joinedWords(words);
    }
    bool plural(const Names& names) const
    {
        return offers.size() > 1 || (names.byKind() && offers.front()->compared.changes.empty());
    }
};

std::string untilWords(const Group& group)
{
    const std::size_t terms = group.offers.front()->findings().openTerms.size();
    const bool same = std::all_of(group.offers.begin(), group.offers.end(),
        [&](const auto* offer) { return offer->findings().openTerms.size() == terms; });
    if (!same)
        return " until their open terms are known";
    if (terms == 0)
        return " until the usable allocation is confirmed";
    return " until " + numbered(std::int64_t(terms), "term is", "terms are") + " known";
}

std::string sentence(const Group& group, Capacity capacity, const Names& names, std::size_t all)
{
    const bool many = group.plural(names);
    std::string text = group.subject(names, all);
    switch (capacity) {
    case Capacity::Over:
        return text + (many ? " do not fit." : " does not fit.");
    case Capacity::Open:
        return text + (many ? " stay open" : " stays open") + untilWords(group) + ".";
    case Capacity::Tight:
        return text + (many ? " are tight." : " is tight.");
    case Capacity::Fit:
        break;
    }
    return text + (many ? " are estimated to fit." : " is estimated to fit.");
}

constexpr Capacity kWorstFirst[]
    = { Capacity::Over, Capacity::Open, Capacity::Tight, Capacity::Fit };

/// One sentence for each verdict that occurs among the offers for which `take` holds.
template <class Take>
void addVerdicts(std::vector<std::string>& headline, const std::vector<SummarisedOffer>& offers,
    const Names& names, const std::string& opening, Take take)
{
    for (const Capacity capacity : kWorstFirst) {
        Group group;
        for (const SummarisedOffer& offer : offers)
            if (take(offer) && offer.judged() && offer.findings().capacity == capacity)
                group.offers.push_back(&offer);
        if (!group.offers.empty())
            headline.push_back(opening + sentence(group, capacity, names, offers.size()));
    }
}

/// One sentence about all offers for which `take` holds.
template <class Take>
void addRemark(std::vector<std::string>& headline, const std::vector<SummarisedOffer>& offers,
    const Names& names, const char* before, const char* one, const char* many, Take take)
{
    Group group;
    for (const SummarisedOffer& offer : offers)
        if (take(offer))
            group.offers.push_back(&offer);
    if (group.offers.empty())
        return;
    headline.push_back(
        before + group.subject(names, offers.size()) + (group.plural(names) ? many : one));
}

} // namespace

std::vector<std::string> headlineOf(const std::vector<SummarisedOffer>& offers)
{
    if (offers.empty())
        return { "There is no offer yet." };
    const Names names(offers);
    const auto common = [](const SummarisedOffer& offer) { return offer.compared.changes.empty(); };
    std::vector<std::string> headline;
    addVerdicts(headline, offers, names, "", common);
    addVerdicts(headline, offers, names, "On a changed basis, ",
        [&](const SummarisedOffer& offer) { return !common(offer); });
    addRemark(headline, offers, names, "", " has nothing to judge yet.",
        " have nothing to judge yet.", [](const SummarisedOffer& offer) {
            return !offer.assessment().error && offer.findings().devicesJudged == 0;
        });
    addRemark(headline, offers, names, "", " has no figures.", " have no figures.",
        [](const SummarisedOffer& offer) { return offer.assessment().error.has_value(); });
    addRemark(
        headline, offers, names, "A run contradicts ", ".", ".", [](const SummarisedOffer& offer) {
            return offer.findings().demonstrated == Demonstrated::Contradicted
                && offer.findings().capacity != Capacity::Over;
        });
    addRemark(headline, offers, names, "The layout of ", " is not legal.", " is not legal.",
        [](const SummarisedOffer& offer) { return !offer.findings().legality.legal(); });
    return headline;
}

namespace {

/// One copy of the common workload's state: as an offer on the common basis accounts for it (a
/// framework may hold more for each parameter), else as the workload says it.
std::optional<Bytes> commonCopy(const Plan& plan, const std::vector<SummarisedOffer>& offers)
{
    for (const SummarisedOffer& offer : offers)
        if (offer.compared.changes.empty() && offer.assessment().account.oneCopy)
            return offer.assessment().account.oneCopy;
    const auto copy = attempt([&] { return oneCopy(*plan.workload); });
    return copy ? *copy : std::nullopt;
}

std::string stateWords(const Plan& plan, const std::vector<SummarisedOffer>& offers)
{
    const std::optional<Bytes> copy = commonCopy(plan, offers);
    if (!copy)
        return "Persistent training state not established";
    std::string text = shortGib(*copy) + " of persistent training state";
    if (plan.workload->basis == Workload::StateBasis::Derived && plan.workload->model) {
        const ModelChoice& model = *plan.workload->model;
        const std::string& name = model.architecture.name;
        if (!name.empty())
            text += " for " + name;
    }
    return text;
}

std::string deviceWords(const std::vector<SummarisedOffer>& offers)
{
    std::int64_t fewest = 0;
    std::int64_t most = 0;
    std::vector<const SiteIndex::Kind*> kinds;
    for (const SummarisedOffer& offer : offers) {
        const SiteIndex& index = offer.assessment().index;
        const std::int64_t count = index.gpuCount();
        fewest = &offer == &offers.front() ? count : std::min(fewest, count);
        most = std::max(most, count);
        for (const SiteIndex::Kind& kind : index.kinds())
            kinds.push_back(&kind);
    }
    if (most == 0)
        return "no GPU placed";
    const auto all = [&](auto same) {
        return std::all_of(kinds.begin(), kinds.end(),
            [&](const SiteIndex::Kind* kind) { return same(*kind, *kinds.front()); });
    };
    std::string text = fewest == most ? numbered(most, "GPU", "GPUs")
                                      : grouped(fewest) + " to " + grouped(most) + " GPUs";
    using Kind = SiteIndex::Kind;
    if (!kinds.front()->installedKnown
        || !all([](const Kind& a, const Kind& b) { return a.installed == b.installed; }))
        return text + " of different kinds";
    text
        += " with " + shortGib(kinds.front()->installed) + " installed" + (most > 1 ? " each" : "");
    if (!all([](const Kind& kind, const Kind&) {
            return kind.usable.provenance != Provenance::NotEstablished;
        }))
        return text + ", usable not confirmed";
    return all([](const Kind& a, const Kind& b) { return a.usable.bytes == b.usable.bytes; })
        ? text + ", " + shortGib(kinds.front()->usable.bytes) + " usable"
        : text + ", usable differs";
}

} // namespace

std::string subtitleOf(const Plan& plan, const std::vector<SummarisedOffer>& offers)
{
    return stateWords(plan, offers) + ", " + deviceWords(offers);
}

PlanSummary summarize(
    const Plan& plan, const std::vector<ComparedOffer>& offers, const Catalogue& catalogue)
{
    std::vector<SummarisedOffer> all;
    all.reserve(offers.size());
    for (const ComparedOffer& offer : offers)
        all.push_back({ plan, offer });
    PlanSummary summary;
    summary.headline = headlineOf(all);
    summary.subtitle = subtitleOf(plan, all);
    for (const SummarisedOffer& offer : all)
        summary.offers.push_back(summaryOf(offer));
    summary.notEstablished = notEstablished(all);
    summary.assumptions = assumptionsOf(plan, all, catalogue);
    return summary;
}

} // namespace shardrack
