// What the offers are asked, what they consist of, and what people recorded about them.

#include "plan/comparison_parts.h"

#include "plan/account_parts.h"
#include "plan/report_words.h"
#include "plan/summary_words.h"

#include "base/size_text.h"
#include "workload/workload_fields.h"

#include <algorithm>

namespace shardrack {

namespace {

constexpr const char* kNotGiven = "not given";

/// Appends a part where there is one.
void append(std::string& text, const std::string& part, const char* between = "; ")
{
    if (!part.empty())
        text += (text.empty() ? "" : between) + part;
}

ComparisonCell capacityCell(const Assessment& assessment, const Site& site)
{
    const Findings& findings = assessment.findings;
    if (assessment.error)
        return said("not computed", assessment.error->text());
    if (findings.devicesJudged == 0)
        return said("Nothing to judge", "No GPU has a rank.");
    std::string text = title(findings.capacity);
    std::string detail;
    if (findings.capacity == Capacity::Over)
        text += ", " + grouped(findings.devicesOver) + " of " + grouped(findings.devicesJudged);
    if (findings.capacity == Capacity::Open) {
        const auto& terms = findings.openTerms;
        const auto& account = assessment.account;
        const DeviceClass& device
            = account.deviceClasses[account.classOfGpu[std::size_t(findings.decidingGpu)]];
        std::string what;
        if (!terms.empty())
            what = numbered(std::int64_t(terms.size()), "term", "terms");
        if (device.usable.provenance == Provenance::NotEstablished)
            append(what, "usable not confirmed", ", and ");
        append(text, what, ": ");
        if (!terms.empty())
            detail = "not established: " + joinedWords(terms);
    }
    if (findings.decidingGpu != findings.mostLoadedGpu)
        append(detail,
            "decided by "
                + deviceText(site, assessment.index, assessment.layout, findings.decidingGpu));
    return said(std::move(text), std::move(detail));
}

/// "2 of 4".
std::string coverage(std::int64_t devices, const Demonstration& demonstration)
{
    return grouped(devices) + " of " + grouped(demonstration.participating);
}

ComparisonCell demonstratedCell(const Findings& findings)
{
    const Demonstration& demonstration = findings.demonstration;
    std::string text = title(findings.demonstrated);
    if (findings.demonstrated == Demonstrated::Partial) {
        text += ", "
            + coverage(std::max(demonstration.measured, demonstration.covered), demonstration)
            + " devices measured";
        // A reading of init alone, or of one step, is a measurement that shows no fit.
        if (demonstration.covered < demonstration.measured)
            text += ", " + grouped(demonstration.covered) + " count in full";
    }
    return said(std::move(text), demonstration.rule);
}

ComparisonCell resultCell(const Findings& findings, const Offer& offer)
{
    std::string detail;
    if (offer.outcome && findings.result != offer.outcome->result)
        detail = "The recorded result is of another state of this offer and does not count.";
    else if (offer.outcome)
        detail = offer.outcome->criterion;
    return said(title(findings.result), std::move(detail));
}

/// Of the state: what one copy of it is, and how that follows.
std::string stateDetail(const Workload& workload, const Account& account)
{
    if (workload.basis != Workload::StateBasis::Derived || !workload.model || !account.oneCopy)
        return {};
    const auto parameters = workload.model->parameters();
    if (!parameters || account.oneCopy->count() % *parameters != 0)
        return {};
    return grouped(*parameters) + " × " + grouped(account.oneCopy->count() / *parameters)
        + " B = " + gibText(*account.oneCopy);
}

ComparisonCell workloadCell(
    const WorkloadField& field, const Workload& workload, const Account& account)
{
    const std::string id = field.id;
    ComparisonCell cell = given(field.text(workload));
    if (cell.open)
        return cell;
    if (id == "state") {
        cell.detail = stateDetail(workload, account);
        const bool derived = workload.basis == Workload::StateBasis::Derived;
        cell.provenance = derived ? Provenance::Derived : Provenance::Stipulated;
    }
    return cell;
}

const BasisChange* changeOf(const ComparedOffer& offer, const std::string& field, bool declared)
{
    const auto found
        = std::find_if(offer.changes.begin(), offer.changes.end(), [&](const BasisChange& change) {
              return change.field == field && change.declared == declared;
          });
    return found == offer.changes.end() ? nullptr : &*found;
}

void markChanged(ComparisonCell& cell, const BasisChange& change)
{
    cell.changedBasis = true;
    append(cell.detail, change.reason);
}

/// That an offer's basis is not the common one, and how much of that has no reason.
ComparisonCell changedCell(const std::vector<BasisChange>& changes)
{
    const auto silent = std::count_if(changes.begin(), changes.end(),
        [](const BasisChange& change) { return change.reason.empty(); });
    ComparisonCell cell
        = said("changed: " + countedText(std::int64_t(changes.size()), "difference", "differences"),
            "not ranked against offers on the common basis");
    if (silent > 0)
        append(cell.detail, grouped(silent) + " without a reason");
    cell.changedBasis = true;
    return cell;
}

} // namespace

ComparisonCell said(std::string text, std::string detail)
{
    ComparisonCell cell;
    cell.text = std::move(text);
    cell.detail = std::move(detail);
    return cell;
}

ComparisonCell given(std::string text, std::string detail)
{
    ComparisonCell cell = said(std::move(text), std::move(detail));
    cell.provenance = Provenance::Stipulated;
    if (cell.text.empty()) {
        cell.text = kNotGiven;
        cell.open = true;
        cell.provenance = Provenance::NotEstablished;
    }
    return cell;
}

ComparisonCell notEstablished(std::string detail)
{
    ComparisonCell cell = said("not established", std::move(detail));
    cell.open = true;
    cell.provenance = Provenance::NotEstablished;
    return cell;
}

ComparisonCell size(Bytes bytes, Provenance provenance, std::string detail)
{
    ComparisonCell cell = said(gibText(bytes), std::move(detail));
    cell.bytes = bytes;
    cell.provenance = provenance;
    return cell;
}

ComparisonCell nothingPlaced() { return said("no GPU has a rank"); }

void ComparisonRows::addAll()
{
    addFindings();
    addMostLoaded();
    addWorkload();
    addHardware();
    addArithmetic();
    addRedundancy();
    addCommunication();
    addEvidence();
    addPrice();
}

void ComparisonRows::addFindings()
{
    add(Section::Findings, "capacity", "Capacity estimate",
        [&](std::size_t i) { return capacityCell(assessment(i), offer(i).site); });
    add(Section::Findings, "demonstrated", "Demonstrated fit",
        [&](std::size_t i) { return demonstratedCell(assessment(i).findings); });
    add(Section::Findings, "result", "Training result",
        [&](std::size_t i) { return resultCell(assessment(i).findings, offer(i)); });
}

void ComparisonRows::addWorkload()
{
    add(Section::Workload, "basis", "Basis", [&](std::size_t i) {
        const auto& changes = m_comparison.offers[i].changes;
        return changes.empty() ? said("common") : changedCell(changes);
    });
    for (const WorkloadField& field : workloadFields())
        add(Section::Workload, field.id, field.title, [&](std::size_t i) {
            ComparisonCell cell = workloadCell(field, workload(i), assessment(i).account);
            if (const BasisChange* change = changeOf(m_comparison.offers[i], field.id, false)) {
                // Two descriptions of one name and size may still be different models.
                if (field.text(workload(i)) == field.text(*m_comparison.plan->workload))
                    cell.text = change->offer;
                markChanged(cell, *change);
            }
            return cell;
        });
    addDeclaredChanges();
}

/// Changes that a person stated and no field of the workload says; offers that do not have one are
/// asked what the statement calls common.
void ComparisonRows::addDeclaredChanges()
{
    std::vector<BasisChange> declared;
    for (const ComparedOffer& offer : m_comparison.offers)
        for (const BasisChange& change : offer.changes) {
            const auto known = std::find_if(declared.begin(), declared.end(),
                [&](const BasisChange& each) { return each.field == change.field; });
            if (change.declared && known == declared.end())
                declared.push_back(change);
            else if (change.declared && known->common.empty())
                known->common = change.common;
        }
    for (const BasisChange& row : declared)
        add(Section::Workload, row.field, row.title, [&](std::size_t i) {
            const BasisChange* change = changeOf(m_comparison.offers[i], row.field, true);
            ComparisonCell cell = given(change ? change->offer : row.common);
            if (change)
                markChanged(cell, *change);
            return cell;
        });
}

void ComparisonRows::addEvidence()
{
    const auto demonstration = [&](std::size_t i) -> const Demonstration& {
        return assessment(i).findings.demonstration;
    };
    add(Section::Evidence, "devices_measured", "Devices measured", [&](std::size_t i) {
        const Demonstration& shown = demonstration(i);
        return said(coverage(shown.measured, shown),
            shown.measured == 0 ? std::string()
                                : coverage(shown.covered, shown) + " count in full");
    });
    add(Section::Evidence, "demonstrated_by", "What decides",
        [&](std::size_t i) { return said(demonstration(i).rule); });
    add(Section::Evidence, "highest_measured", "Highest measured peak", [&](std::size_t i) {
        const Demonstration& shown = demonstration(i);
        if (!shown.highest)
            return notEstablished("nothing was measured");
        const Account& account = assessment(i).account;
        const DeviceClass& device
            = account.deviceClasses[account.classOfGpu[std::size_t(shown.highestGpu)]];
        std::string detail = std::string(title(shown.highestScope)) + ", "
            + assessment(i).index.deviceName(offer(i).site, shown.highestGpu);
        // Only a reading of the whole device answers the estimate of a whole device.
        if (shown.highestScope == MemoryScope::Device && !device.need.atLeast) {
            const Bytes less = device.need.established - *shown.highest;
            detail += less < Bytes(0) ? "; " + gibText(Bytes(0) - less) + " above its estimate"
                                      : "; " + gibText(less) + " below its estimate";
        }
        return size(*shown.highest, Provenance::Measured, std::move(detail));
    });
    add(Section::Evidence, "criterion", "Training result judged by", [&](std::size_t i) {
        const auto& outcome = offer(i).outcome;
        if (!outcome)
            return given({});
        std::string detail;
        if (!outcome->value.empty())
            detail = "reached " + outcome->value;
        append(detail, outcome->throughput);
        append(detail, outcome->software);
        append(detail, outcome->interconnect);
        return given(outcome->criterion, std::move(detail));
    });
}

void ComparisonRows::addPrice()
{
    add(Section::Price, "price", "Price, as given", [&](std::size_t i) {
        const auto& price = offer(i).price;
        return price ? given(shardrack::text(*price), price->note) : given({});
    });
}

} // namespace shardrack
