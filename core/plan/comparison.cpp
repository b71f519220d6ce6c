#include "plan/comparison.h"

#include "plan/comparison_parts.h"

#include <algorithm>
#include <array>

namespace shardrack {

namespace {

using Section = ComparisonRow::Section;

/// The offers that exist, each once; all when none is chosen.
std::vector<std::size_t> chosen(const Plan& plan, const std::vector<std::size_t>& wanted)
{
    std::vector<std::size_t> offers;
    for (const std::size_t offer : wanted)
        if (offer < plan.offers.size()
            && std::find(offers.begin(), offers.end(), offer) == offers.end())
            offers.push_back(offer);
    if (wanted.empty())
        for (std::size_t offer = 0; offer < plan.offers.size(); ++offer)
            offers.push_back(offer);
    return offers;
}

/// What comes first when the most headroom comes first: the smaller.
struct Place {
    int basis = 0; ///< 0: common, 1: changed
    int kind = 0; ///< 0: established, 1: only at most, 2: over, 3: nothing to compare
    Bytes missing; ///< minus the headroom
    auto operator<=>(const Place&) const = default;
};

Place placeOf(const ComparedOffer& offer)
{
    Place place;
    place.basis = offer.changes.empty() ? 0 : 1;
    const DeviceClass* device = offer.mostLoaded();
    const bool known = device
        && (device->usable.provenance != Provenance::NotEstablished
            || device->usable.bytes > Bytes(0));
    if (!known) {
        place.kind = 3;
        return place;
    }
    const Bytes headroom = device->headroom();
    place.kind = headroom < Bytes(0) ? 2 : device->headroomAtMost() ? 1 : 0;
    place.missing = Bytes(0) - headroom;
    return place;
}

/// What a row says follows from all its cells. Sizes that answer different questions have no
/// difference.
void finish(ComparisonRow& row, const Comparison& comparison)
{
    const auto changed
        = [&](std::size_t column) { return !comparison.offers[column].changes.empty(); };
    const ComparisonCell& base = row.cells[comparison.baseline];
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
        ComparisonCell& cell = row.cells[i];
        cell.differs = cell.text != base.text;
        row.equal = row.equal && !cell.differs;
        if (&cell != &base && cell.bytes && base.bytes && !cell.atLeast && !base.atLeast
            && !changed(i) && !changed(comparison.baseline))
            cell.change = *cell.bytes - *base.bytes;
    }
}

struct SectionName {
    const char* id;
    const char* title;
};

const SectionName& nameOf(Section section)
{
    static constexpr std::array<SectionName, 9> names { {
        { "findings", "Findings" },
        { "most loaded", "Most loaded device" },
        { "workload", "Workload" },
        { "hardware", "Hardware and layout" },
        { "arithmetic", "Arithmetic of the most loaded device" },
        { "redundancy", "Redundancy" },
        { "communication", "Communication and step time" },
        { "evidence", "Evidence" },
        { "price", "Price" },
    } };
    return names[static_cast<std::size_t>(section)];
}

} // namespace

const char* title(Section section) { return nameOf(section).title; }

const char* id(Section section) { return nameOf(section).id; }

bool ComparisonRow::unknown() const
{
    return std::all_of(cells.begin(), cells.end(),
        [](const ComparisonCell& cell) { return cell.open && !cell.bytes; });
}

const DeviceClass* ComparedOffer::mostLoaded() const
{
    const std::int32_t number = assessment->findings.mostLoadedClass;
    return number < 0 ? nullptr
                      : &assessment->account.deviceClasses[static_cast<std::size_t>(number)];
}

const ComparisonRow* Comparison::row(const std::string& field) const
{
    const auto found = std::find_if(rows.begin(), rows.end(),
        [&](const ComparisonRow& candidate) { return candidate.field == field; });
    return found == rows.end() ? nullptr : &*found;
}

Comparison compare(std::shared_ptr<const Plan> plan, const ComparisonChoice& choice,
    const std::vector<std::shared_ptr<const Assessment>>& assessments)
{
    Comparison comparison;
    for (const std::size_t number : chosen(*plan, choice.offers)) {
        ComparedOffer compared;
        compared.offer = number;
        if (number < assessments.size())
            compared.assessment = assessments[number];
        if (!compared.assessment)
            compared.assessment = assess(*plan, number);
        compared.phrase = layoutPhrase(plan->offers[number]->layout, compared.assessment->layout);
        compared.changes = changedBasis(*plan, number);
        comparison.offers.push_back(std::move(compared));
    }
    comparison.plan = std::move(plan);
    auto& offers = comparison.offers;
    if (choice.order == ComparisonChoice::Order::ByHeadroom)
        std::stable_sort(offers.begin(), offers.end(),
            [](const ComparedOffer& a, const ComparedOffer& b) { return placeOf(a) < placeOf(b); });
    const auto baseline = std::find_if(offers.begin(), offers.end(),
        [&](const ComparedOffer& offer) { return offer.offer == choice.baseline; });
    comparison.baseline
        = baseline == offers.end() ? 0 : static_cast<std::size_t>(baseline - offers.begin());
    if (offers.empty())
        return comparison;
    ComparisonRows(comparison).addAll();
    for (ComparisonRow& row : comparison.rows)
        finish(row, comparison);
    return comparison;
}

} // namespace shardrack
