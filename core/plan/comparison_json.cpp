#include "plan/account_parts.h"
#include "plan/comparison.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace shardrack {

namespace {

Json toJson(const BasisChange& change)
{
    return { { "field", change.field }, { "common", change.common }, { "offer", change.offer },
        { "reason", change.reason.empty() ? Json() : Json(change.reason) },
        { "declared", change.declared } };
}

/// What the most loaded device holds at its peak, by category; null where that is not established.
Json termsJson(const ComparedOffer& offer)
{
    Json terms = Json::object();
    const DeviceClass* device = offer.mostLoaded();
    if (!device)
        return terms;
    const auto& classes = offer.assessment->account.rankClasses;
    for (const Category category : kCategories) {
        const bool present = std::any_of(device->holdings.begin(), device->holdings.end(),
            [&](const DeviceClass::Holding& holding) {
                const auto& of = classes[std::size_t(holding.rankClass)].terms;
                return std::any_of(of.begin(), of.end(),
                    [&](const Term& term) { return term.category == category; });
            });
        const Sum& held = device->atPeak[index(category)];
        if (present)
            terms[id(category)] = held.atLeast ? Json() : Json(held.established.count());
    }
    return terms;
}

Json priceJson(const std::optional<Price>& price)
{
    if (!price)
        return {};
    return { { "amount", price->amount }, { "currency", price->currency },
        { "per", id(price->per) }, { "note", price->note } };
}

/// A size as bytes, what is not known as null, else the words.
Json valueOf(const ComparisonCell& cell)
{
    if (cell.bytes)
        return cell.bytes->count();
    return cell.open ? Json() : Json(cell.text);
}

Json toJson(const Comparison& comparison, const ComparisonRow& row)
{
    Json values = Json::object();
    Json texts = Json::object();
    Json details = Json::object();
    Json changed = Json::array();
    Json differences = Json::object();
    Json bounds = Json::array();
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
        const ComparisonCell& cell = row.cells[i];
        const std::string& name = comparison.offer(i).name;
        values[name] = valueOf(cell);
        texts[name] = cell.text;
        if (!cell.detail.empty())
            details[name] = cell.detail;
        if (cell.change)
            differences[name] = cell.change->count();
        if (cell.atLeast)
            bounds.push_back(name);
        if (cell.changedBasis)
            changed.push_back(name);
    }
    return { { "section", id(row.section) }, { "field", row.field }, { "title", row.title },
        { "values", std::move(values) }, { "equal", row.equal }, { "texts", std::move(texts) },
        { "details", std::move(details) }, { "bounds", std::move(bounds) },
        { "differences", std::move(differences) }, { "changed_basis", std::move(changed) } };
}

Json offerJson(const Comparison& comparison, std::size_t column)
{
    const ComparedOffer& compared = comparison.offers[column];
    const Offer& offer = comparison.offer(column);
    const Assessment& assessment = *compared.assessment;
    Json changes = Json::array();
    for (const BasisChange& change : compared.changes)
        changes.push_back(toJson(change));
    return { { "name", offer.name }, { "phrase", compared.phrase },
        { "assumptions", offer.assumptions }, { "findings", findingsJson(assessment.findings) },
        { "legal", assessment.findings.legality.legal() }, { "changed_basis", std::move(changes) },
        { "most_loaded", mostLoadedJson(offer, assessment) }, { "terms", termsJson(compared) },
        { "price", priceJson(offer.price) } };
}

} // namespace

Json toJson(const Comparison& comparison)
{
    const Plan& plan = *comparison.plan;
    Json offers = Json::array();
    for (std::size_t i = 0; i < comparison.offers.size(); ++i)
        offers.push_back(offerJson(comparison, i));
    Json rows = Json::array();
    for (const ComparisonRow& row : comparison.rows)
        rows.push_back(toJson(comparison, row));
    return { { "plan", plan.title }, { "fictional", plan.fictional }, { "note", plan.note },
        { "baseline",
            comparison.offers.empty() ? Json() : Json(comparison.offer(comparison.baseline).name) },
        { "offers", std::move(offers) }, { "rows", std::move(rows) } };
}

} // namespace shardrack
