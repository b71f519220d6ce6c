#include "lessons/facts.h"

#include "base/size_text.h"
#include "plan/plan_json_nearest.h"

#include <QCoreApplication>
#include <QLocale>

#include <array>

namespace shardrack {

namespace {

struct FactEntry {
    const char* name;
    FactKind kind;
};

constexpr std::array<FactEntry, kFactCount> kFacts { {
    { "offers", FactKind::Count },
    { "racks", FactKind::Count },
    { "servers", FactKind::Count },
    { "gpus", FactKind::Count },
    { "gpus_without_rank", FactKind::Count },
    { "ranks", FactKind::Count },
    { "replicas", FactKind::Count },
    { "shard_groups", FactKind::Count },
    { "devices.judged", FactKind::Count },
    { "devices.over", FactKind::Count },
    { "selected.gpus", FactKind::Count },
    { "selected.gpus_without_rank", FactKind::Count },
    { "most_loaded.open_terms", FactKind::Count },
    { "state.one_copy", FactKind::Size },
    { "state.total", FactKind::Size },
    { "state.redundant", FactKind::Size },
    { "installed.total", FactKind::Size },
    { "most_loaded.need", FactKind::Size },
    { "most_loaded.usable", FactKind::Size },
    { "most_loaded.headroom", FactKind::Size },
    { "most_loaded.over_by", FactKind::Size },
    { "least_loaded.need", FactKind::Size },
    { "first_rank.need", FactKind::Size },
    { "given.activations", FactKind::Size },
    { "offer", FactKind::Word },
    { "layout", FactKind::Word },
    { "verdict", FactKind::Word },
    { "most_loaded.usable_confirmed", FactKind::Word },
    { "ranks_follow_hardware", FactKind::Word },
    { "most_loaded.device", FactKind::Text },
    { "most_loaded.open_term_names", FactKind::Text },
    { "verdict.name", FactKind::Text },
} };

struct FactText {
    Q_DECLARE_TR_FUNCTIONS(shardrack::FactText)
};

const FactEntry& entry(Fact fact) { return kFacts[static_cast<std::size_t>(fact)]; }

const char* yesOrNo(bool yes) { return yes ? "yes" : "no"; }

FactValue count(std::int64_t number)
{
    FactValue value;
    value.count = number;
    return value;
}

FactValue size(Bytes bytes, FactValue::Bound bound = FactValue::Bound::Exact)
{
    FactValue value;
    value.size = bytes;
    value.bound = bound;
    return value;
}

FactValue sum(const Sum& sum)
{
    return size(sum.established, sum.atLeast ? FactValue::Bound::AtLeast : FactValue::Bound::Exact);
}

FactValue word(std::string text)
{
    FactValue value;
    value.word = std::move(text);
    return value;
}

/// "activations, temporary buffers and allocator slack".
std::string joined(const std::vector<std::string>& names)
{
    QString text;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const QString name = QString::fromStdString(names[i]).toLower();
        if (i == 0)
            text = name;
        else
            text = (i + 1 == names.size() ? FactText::tr("%1 and %2") : FactText::tr("%1, %2"))
                       .arg(text, name);
    }
    return text.toStdString();
}

} // namespace

const char* name(Fact fact) { return entry(fact).name; }

FactKind kind(Fact fact) { return entry(fact).kind; }

std::vector<std::string> wordsOf(Fact fact)
{
    std::vector<std::string> words;
    if (fact == Fact::Layout)
        for (int preset = 0; preset <= static_cast<int>(LayoutPreset::Custom); ++preset)
            words.emplace_back(id(static_cast<LayoutPreset>(preset)));
    if (fact == Fact::Verdict)
        for (int verdict = 0; verdict <= static_cast<int>(Capacity::Over); ++verdict)
            words.emplace_back(id(static_cast<Capacity>(verdict)));
    if (fact == Fact::UsableConfirmed || fact == Fact::RanksFollowHardware)
        words = { "yes", "no" };
    return words;
}

Fact factNamed(const std::string& name, const JsonView& place)
{
    std::vector<std::string> names;
    for (std::size_t i = 0; i < kFactCount; ++i) {
        if (name == kFacts[i].name)
            return static_cast<Fact>(i);
        names.emplace_back(kFacts[i].name);
    }
    place.fail("names the fact \"" + name + "\", which does not exist",
        "a fact such as " + nearestNames(name, names));
}

FactTable::FactTable(const PlanDocument& document, const Selection& selection)
{
    at(Fact::Offers) = count(static_cast<std::int64_t>(document.plan()->offers.size()));
    if (const std::optional<ShownOffer> offer = document.current())
        readOffer(*offer, selection);
}

void FactTable::readOffer(const ShownOffer& offer, const Selection& selection)
{
    const Assessment& assessment = *offer.assessment;
    const Account& account = assessment.account;
    const Findings& findings = assessment.findings;
    at(Fact::Racks) = count(static_cast<std::int64_t>(offer.get().site.racks.size()));
    at(Fact::Servers) = count(static_cast<std::int64_t>(assessment.index.servers().size()));
    at(Fact::Gpus) = count(assessment.index.gpuCount());
    at(Fact::GpusWithoutRank) = count(findings.devicesIdle);
    at(Fact::Ranks) = count(assessment.layout.rankCount());
    at(Fact::Replicas) = count(assessment.layout.replicas());
    at(Fact::ShardGroups) = count(assessment.layout.groupCount());
    at(Fact::DevicesJudged) = count(findings.devicesJudged);
    at(Fact::DevicesOver) = count(findings.devicesOver);
    std::int64_t selected = 0;
    std::int64_t idle = 0;
    for (const GpuRef& gpu : selection.gpus()) {
        const std::int32_t ordinal = assessment.index.ordinal(gpu);
        if (ordinal < 0)
            continue;
        ++selected;
        idle += assessment.layout.ranksOn(ordinal).empty() ? 1 : 0;
    }
    at(Fact::SelectedGpus) = count(selected);
    at(Fact::SelectedGpusWithoutRank) = count(idle);

    if (const std::optional<Bytes>& copy = account.oneCopy)
        at(Fact::StateOneCopy) = size(*copy);
    if (account.stateEstablished) {
        at(Fact::StateTotal) = size(account.stateTotal);
        at(Fact::StateRedundant) = size(account.redundantTotal);
    }
    at(Fact::InstalledTotal) = size(account.installedTotal);
    if (const auto activations = offer.workload().terms.activations)
        at(Fact::Activations) = size(*activations);
    at(Fact::OfferName) = word(offer.get().name);
    at(Fact::Layout) = word(id(offer.get().layout.preset));
    at(Fact::Verdict) = word(id(findings.capacity));
    at(Fact::VerdictName)
        = word(QCoreApplication::translate("Findings", title(findings.capacity)).toStdString());
    at(Fact::RanksFollowHardware) = word(yesOrNo(newHardwareGetsRanks(offer.get().layout)));
    readMostLoaded(offer);
}

void FactTable::readMostLoaded(const ShownOffer& offer)
{
    const Assessment& assessment = *offer.assessment;
    const Account& account = assessment.account;
    const Findings& findings = assessment.findings;
    if (findings.mostLoadedClass < 0)
        return;
    const DeviceClass& most
        = account.deviceClasses[static_cast<std::size_t>(findings.mostLoadedClass)];
    at(Fact::MostLoadedNeed) = sum(most.need);
    at(Fact::MostLoadedUsable) = size(most.usable.bytes);
    at(Fact::MostLoadedHeadroom) = size(most.headroom(),
        most.headroomAtMost() ? FactValue::Bound::AtMost : FactValue::Bound::Exact);
    if (most.headroom() < Bytes(0))
        at(Fact::MostLoadedOverBy) = size(Bytes(0) - most.headroom(),
            most.need.atLeast ? FactValue::Bound::AtLeast : FactValue::Bound::Exact);
    at(Fact::UsableConfirmed) = word(yesOrNo(most.usable.provenance != Provenance::NotEstablished));
    at(Fact::MostLoadedDevice)
        = word(assessment.index.deviceName(offer.get().site, findings.mostLoadedGpu));
    at(Fact::OpenTerms) = count(static_cast<std::int64_t>(findings.openTerms.size()));
    at(Fact::OpenTermNames) = word(joined(findings.openTerms));

    const DeviceClass* least = nullptr;
    for (const DeviceClass& device : account.deviceClasses)
        if (!device.idle() && (!least || device.headroom() > least->headroom()))
            least = &device;
    if (least)
        at(Fact::LeastLoadedNeed) = sum(least->need);
    const std::int32_t first = assessment.layout.gpuOf(0);
    if (first >= 0)
        at(Fact::FirstRankNeed)
            = sum(account.deviceClasses[account.classOfGpu[static_cast<std::size_t>(first)]].need);
}

QString FactTable::text(Fact fact) const
{
    const FactValue& value = (*this)[fact];
    switch (kind(fact)) {
    case FactKind::Count:
        return value.count ? QLocale().toString(*value.count) : FactText::tr("not established");
    case FactKind::Size: {
        if (!value.size)
            return FactText::tr("not established");
        const QString text = QString::fromStdString(gibText(*value.size));
        return value.bound == FactValue::Bound::AtLeast ? FactText::tr("at least %1").arg(text)
            : value.bound == FactValue::Bound::AtMost   ? FactText::tr("at most %1").arg(text)
                                                        : text;
    }
    case FactKind::Word:
    case FactKind::Text:
        break;
    }
    return QString::fromStdString(value.word);
}

} // namespace shardrack
