#include "plan/plan.h"

#include "plan/basis.h"

#include <algorithm>

namespace shardrack {

namespace {

/// Equal values, cheaply so where both are the same block.
template <class T>
bool sameBlock(const std::shared_ptr<const T>& a, const std::shared_ptr<const T>& b)
{
    return a == b || (a && b && *a == *b);
}

/// An account without figures, in which every rank and GPU still has a class.
Account withoutFigures(const SiteIndex& index, const ResolvedLayout& layout)
{
    const std::int32_t ranks = layout.rankCount();
    Account account;
    account.installedTotal = index.installedTotal();
    account.classOfRank.assign(static_cast<std::size_t>(ranks), 0);
    if (ranks > 0) {
        RankClass& all = account.rankClasses.emplace_back();
        all.ranks = RankSet::range(0, ranks - 1);
        all.need.atLeast = true;
    }
    std::vector<std::int32_t> classOfKind(index.kinds().size(), -1);
    account.classOfGpu.reserve(static_cast<std::size_t>(index.gpuCount()));
    for (std::int32_t gpu = 0; gpu < index.gpuCount(); ++gpu) {
        std::int32_t& number = classOfKind[static_cast<std::size_t>(index.kindIndex(gpu))];
        if (number < 0) {
            number = static_cast<std::int32_t>(account.deviceClasses.size());
            DeviceClass& device = account.deviceClasses.emplace_back();
            device.kind = index.kindIndex(gpu);
            device.usable = index.kind(gpu).usable;
            device.installed = index.kind(gpu).installed;
            device.installedKnown = index.kind(gpu).installedKnown;
            if (ranks > 0)
                device.holdings.push_back({ 0, 1, 0, 0 });
            device.need.atLeast = ranks > 0;
        }
        DeviceClass& device = account.deviceClasses[static_cast<std::size_t>(number)];
        device.gpus.insert(gpu);
        account.classOfGpu.push_back(static_cast<std::uint32_t>(number));
    }
    return account;
}

/// A changed basis is said wherever the offer's findings are.
void noteChangedBasis(Findings& findings, const Plan& plan, std::size_t offer)
{
    const std::vector<BasisChange> changes = changedBasis(plan, offer);
    if (changes.empty())
        return;
    constexpr std::size_t most = 3; // the workload panel and the comparison list them all
    std::string words;
    for (std::size_t i = 0; i < std::min(most, changes.size()); ++i)
        words += (words.empty() ? "" : "; ") + text(changes[i]);
    if (changes.size() > most)
        words += "; and " + std::to_string(changes.size() - most) + " more";
    Warning warning;
    warning.severity = Warning::Severity::Warning;
    warning.subject = "Changed basis";
    warning.text = "This offer answers another question than the common workload. " + words
        + ". It is not ranked against offers on the common basis.";
    warning.fix = "Put the offer back on the common basis, or make its workload the common one.";
    warning.topic = Warning::Topic::ChangedBasis;
    const auto isNote
        = [](const Warning& each) { return each.severity == Warning::Severity::Note; };
    findings.warnings.insert(
        std::find_if(findings.warnings.begin(), findings.warnings.end(), isNote),
        std::move(warning));
}

} // namespace

bool operator==(const Offer& a, const Offer& b)
{
    return a.name == b.name && a.assumptions == b.assumptions && a.site == b.site
        && a.layout == b.layout && sameBlock(a.workload, b.workload) && a.basis == b.basis
        && a.interconnect == b.interconnect && a.price == b.price
        && a.measurements == b.measurements && a.outcome == b.outcome
        && sameExtra(a.extra, b.extra);
}

bool operator==(const Plan& a, const Plan& b)
{
    return a.title == b.title && a.note == b.note && a.fictional == b.fictional
        && a.margin == b.margin && sameBlock(a.workload, b.workload)
        && std::equal(
            a.offers.begin(), a.offers.end(), b.offers.begin(), b.offers.end(), sameBlock<Offer>)
        && sameExtra(a.extra, b.extra);
}

Plan emptyPlan()
{
    Plan plan;
    plan.workload = std::make_shared<const Workload>();
    return plan;
}

Offer emptyOffer(std::string name)
{
    Offer offer;
    offer.name = std::move(name);
    return offer;
}

ServerId nextServerId(const Offer& offer)
{
    ServerId largest = 0;
    for (const auto& rack : offer.site.racks)
        for (const Server& server : rack->servers)
            largest = std::max(largest, server.id);
    return largest + 1;
}

std::shared_ptr<const Assessment> assess(
    const Plan& plan, std::size_t offer, const Catalogue& catalogue)
{
    const Offer& answer = *plan.offers[offer];
    const Workload& workload = plan.workloadOf(offer);
    auto result = std::make_shared<Assessment>();
    const auto computed = attempt([&] {
        result->index = SiteIndex(answer.site, catalogue);
        result->layout = ResolvedLayout(answer.layout, result->index);
        result->account = account(workload, result->layout, result->index).value();
        result->findings = judge(result->account, workload, answer.layout, result->layout,
            answer.site, result->index, plan.margin,
            evidenceOf(workload, answer, result->index, result->account));
        noteChangedBasis(result->findings, plan, offer);
        return true;
    });
    if (!computed.ok()) {
        result->error = computed.error();
        result->account = withoutFigures(result->index, result->layout);
        result->findings = Findings {};
        result->findings.ofDeviceClass.assign(result->account.deviceClasses.size(), Capacity::Open);
    }
    return result;
}

} // namespace shardrack
