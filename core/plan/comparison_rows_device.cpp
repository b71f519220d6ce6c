// What the most loaded device of each offer must hold, line by line, and what the job holds twice.

#include "plan/comparison_parts.h"

#include "plan/account_parts.h"
#include "plan/report_words.h"

#include "base/size_text.h"

#include <algorithm>
#include <utility>

namespace shardrack {

namespace {

/// The terms of one category on a device, over all ranks that it holds.
std::vector<const Term*> termsOn(
    const Account& account, const DeviceClass& device, Category category)
{
    std::vector<const Term*> terms;
    for (const DeviceClass::Holding& holding : device.holdings)
        for (const Term& term : account.rankClasses[std::size_t(holding.rankClass)].terms)
            if (term.category == category)
                terms.push_back(&term);
    return terms;
}

/// "1,000 × 8 B ÷ 4 + 1,000 × 4 B ÷ 4, sharded over a shard group of 4": what the terms share in
/// words is said once, equal terms are counted.
std::string formulasOf(const std::vector<const Term*>& terms)
{
    std::vector<std::pair<std::string, std::int64_t>> lines;
    const auto sharing = [](const Term* term) {
        return term->amount.established() && term->formula.kind != Formula::Kind::Nothing
            ? sharingText(*term)
            : std::string();
    };
    const bool shared = std::all_of(terms.begin(), terms.end(),
        [&](const Term* term) { return sharing(term) == sharing(terms.front()); });
    const std::string words = shared ? sharing(terms.front()) : std::string();
    for (const Term* term : terms) {
        std::string line = arithmeticText(*term);
        line.resize(line.size() - words.size());
        const auto known = std::find_if(
            lines.begin(), lines.end(), [&](const auto& each) { return each.first == line; });
        if (known != lines.end())
            ++known->second;
        else if (!line.empty())
            lines.emplace_back(std::move(line), 1);
    }
    std::string text;
    for (const auto& [line, times] : lines)
        text += (text.empty() ? "" : " + ") + line
            + (times > 1 ? ", " + grouped(times) + " times" : "");
    return text + words;
}

Provenance provenanceOf(const std::vector<const Term*>& terms, const Sum& held)
{
    if (held.atLeast)
        return Provenance::NotEstablished;
    const bool stipulated = std::all_of(terms.begin(), terms.end(),
        [](const Term* term) { return term->amount.provenance() == Provenance::Stipulated; });
    return stipulated ? Provenance::Stipulated : Provenance::Derived;
}

/// A size that may be a lower bound, or unknown altogether.
ComparisonCell sumCell(const Sum& sum, Provenance provenance, std::string detail)
{
    if (sum.atLeast && sum.established == Bytes(0))
        return notEstablished(std::move(detail));
    ComparisonCell cell = size(sum.established, provenance, std::move(detail));
    cell.text = needText(sum);
    cell.atLeast = cell.open = sum.atLeast;
    return cell;
}

ComparisonCell categoryCell(const Account& account, const DeviceClass& device, Category category)
{
    const std::vector<const Term*> terms = termsOn(account, device, category);
    if (terms.empty() && category == Category::State)
        return said("divided into its parts");
    if (terms.empty() && isState(category) && !termsOn(account, device, Category::State).empty())
        return said("part of the undivided state");
    if (terms.empty())
        return size(Bytes(0), Provenance::Derived, "none held at this peak");
    const Sum& held = device.atPeak[index(category)];
    std::string formula = formulasOf(terms);
    const bool elsewhere = held == Sum {}
        && std::any_of(terms.begin(), terms.end(),
            [](const Term* term) { return term->amount.bytes().value_or(Bytes(0)) > Bytes(0); });
    if (elsewhere)
        formula = "none held at this peak; at another moment " + formula;
    const bool gathered
        = device.atPeak[index(Category::Gathered)].established > Bytes(0) && account.strategy;
    if (elsewhere && gathered && category == Category::Gradients)
        formula += "; gradients that are not divided yet count as gathered";
    return sumCell(held, provenanceOf(terms, held), std::move(formula));
}

bool usableKnown(const DeviceClass& device)
{
    return device.usable.provenance != Provenance::NotEstablished || device.usable.bytes > Bytes(0);
}

/// "6.00 + 1.10 + 3.40": what the sum is made of, in GiB; empty where it is one figure.
std::string summands(const DeviceClass& device)
{
    std::string text;
    for (const Category category : kCategories) {
        const Sum& held = device.atPeak[index(category)];
        if (held.established > Bytes(0))
            text += (text.empty() ? "" : " + ") + gibNumber(held.established);
    }
    return text.find('+') == std::string::npos ? std::string() : text;
}

/// The mean over all devices with a rank, rounded down; absent where the total leaves 64 bits.
std::optional<Sum> averageNeed(const Account& account)
{
    Sum total;
    std::int64_t devices = 0;
    const auto whole = attempt([&] {
        for (const DeviceClass& device : account.deviceClasses)
            if (!device.idle()) {
                total += { device.need.established * device.gpus.size(), device.need.atLeast };
                devices += device.gpus.size();
            }
        return true;
    });
    if (!whole || devices == 0)
        return std::nullopt;
    total.established = Bytes(total.established.count() / devices);
    return total;
}

ComparisonCell headroomCell(const DeviceClass& device)
{
    ComparisonCell cell = said(headroomText(device));
    if (!usableKnown(device)) {
        cell.open = true;
        return cell;
    }
    cell.bytes = device.headroom();
    cell.atLeast = device.headroomAtMost(); // a bound, here an upper one
    cell.open = device.headroomAtMost() && device.headroom() >= Bytes(0);
    cell.provenance = cell.open ? Provenance::NotEstablished : Provenance::Derived;
    return cell;
}

ComparisonCell unstated()
{
    ComparisonCell cell = given({});
    cell.text = marginText({});
    return cell;
}

ComparisonCell afterMarginCell(const DeviceClass& device, Bytes margin)
{
    ComparisonCell cell = headroomCell(device);
    if (!cell.bytes)
        return cell;
    const Bytes left = *cell.bytes - margin;
    cell.bytes = left;
    cell.text = left < Bytes(0)
        ? "short of it by " + std::string(cell.atLeast ? "at least " : "")
            + gibText(Bytes(0) - left)
        : std::string(cell.atLeast ? "at most " : "") + gibText(left) + " left";
    return cell;
}

} // namespace

std::vector<std::string> termLines(const ComparedOffer& offer, Category category)
{
    std::vector<std::string> lines;
    const DeviceClass* device = offer.mostLoaded();
    if (!device)
        return lines;
    for (const Term* term : termsOn(offer.assessment->account, *device, category)) {
        const auto bytes = term->amount.bytes();
        const std::string formula = arithmeticText(*term);
        std::string line = term->name + ": " + formula;
        if (bytes)
            line += " = " + gibText(*bytes) + ", " + name(term->amount.provenance());
        else
            line = term->name + ": not established. " + formula;
        lines.push_back(std::move(line));
    }
    return lines;
}

void ComparisonRows::addMostLoaded()
{
    const auto device = [&](auto&& make) {
        return [this, make](std::size_t i) {
            const DeviceClass* found = mostLoaded(i);
            return found ? make(i, *found) : nothingPlaced();
        };
    };
    add(Section::MostLoaded, "most_loaded", "Most loaded device",
        device([&](std::size_t i, const DeviceClass& found) {
            const Assessment& shown = assessment(i);
            const std::int64_t equal = found.gpus.size() - 1;
            return said(
                deviceText(offer(i).site, shown.index, shown.layout, shown.findings.mostLoadedGpu),
                equal == 0 ? std::string() : "and " + grouped(equal) + " equal");
        }));
    add(Section::MostLoaded, "need", "Need at the peak",
        device([&](std::size_t, const DeviceClass& found) {
            return sumCell(found.need,
                found.need.atLeast ? Provenance::NotEstablished : Provenance::Derived, {});
        }));
    add(Section::MostLoaded, "headroom", "Headroom",
        device([](std::size_t, const DeviceClass& found) { return headroomCell(found); }));
    add(Section::MostLoaded, "average_need", "Average over devices",
        device([&](std::size_t i, const DeviceClass&) {
            const std::optional<Sum> average = averageNeed(assessment(i).account);
            if (!average)
                return notEstablished();
            return sumCell(*average,
                average->atLeast ? Provenance::NotEstablished : Provenance::Derived,
                "over " + countedText(assessment(i).findings.devicesJudged, "device", "devices"));
        }));
}

void ComparisonRows::addArithmetic()
{
    for (const Category category : kCategories) {
        const auto present = [&](const ComparedOffer& offer) {
            const DeviceClass* device = offer.mostLoaded();
            return device && !termsOn(offer.assessment->account, *device, category).empty();
        };
        if (!std::any_of(m_comparison.offers.begin(), m_comparison.offers.end(), present))
            continue;
        add(Section::Arithmetic, std::string("term_") + id(category), shardrack::title(category),
            [&](std::size_t i) {
                const DeviceClass* device = mostLoaded(i);
                return device ? categoryCell(assessment(i).account, *device, category)
                              : nothingPlaced();
            });
    }
    addAgainstUsable();
}

void ComparisonRows::addAgainstUsable()
{
    const auto row = [&](const char* field, const char* heading, auto&& make) {
        add(Section::Arithmetic, field, heading, [&](std::size_t i) {
            const DeviceClass* device = mostLoaded(i);
            return device ? make(*device) : nothingPlaced();
        });
    };
    row("sum", "Sum", [](const DeviceClass& device) {
        return sumCell(device.need,
            device.need.atLeast ? Provenance::NotEstablished : Provenance::Derived,
            summands(device));
    });
    row("usable_of_device", "Usable allocation", [](const DeviceClass& device) {
        if (!usableKnown(device))
            return notEstablished();
        ComparisonCell cell = size(device.usable.bytes, device.usable.provenance);
        cell.text = usableText(device.usable);
        cell.open = device.usable.provenance == Provenance::NotEstablished;
        return cell;
    });
    row("against_usable", "Against usable", [](const DeviceClass& device) {
        ComparisonCell cell = headroomCell(device);
        if (cell.bytes)
            cell.detail
                = gibNumber(device.usable.bytes) + " − " + gibNumber(device.need.established);
        return cell;
    });
    const RequiredMargin& margin = m_comparison.plan->margin;
    row("required_margin", "Required margin", [&](const DeviceClass&) {
        if (!margin.bytes)
            return unstated();
        ComparisonCell cell = size(*margin.bytes, Provenance::Stipulated);
        cell.text = marginText(margin);
        return cell;
    });
    if (margin.bytes)
        row("after_margin", "After the required margin",
            [&](const DeviceClass& device) { return afterMarginCell(device, *margin.bytes); });
}

void ComparisonRows::addRedundancy()
{
    const auto total = [&](auto&& make) {
        return [this, make](std::size_t i) {
            if (assessment(i).layout.rankCount() == 0)
                return nothingPlaced();
            const Account& account = assessment(i).account;
            return account.stateEstablished ? make(i, account) : notEstablished();
        };
    };
    add(Section::Redundancy, "state_total", "State held by all ranks",
        total([](std::size_t, const Account& account) {
            std::string detail = copiesText(account, account.oneCopy);
            if (!detail.empty())
                detail.erase(0, 1);
            return size(account.stateTotal, Provenance::Derived, std::move(detail));
        }));
    add(Section::Redundancy, "redundant", "Of it held redundantly",
        total([](std::size_t, const Account& account) {
            return size(account.redundantTotal, Provenance::Derived,
                account.redundantTotal == Bytes(0) ? "nothing is held twice"
                                                   : "all but one copy of each element");
        }));
    add(Section::Redundancy, "copies", "Complete copies of the parameters", [&](std::size_t i) {
        if (assessment(i).layout.rankCount() == 0)
            return nothingPlaced();
        ComparisonCell cell = said(grouped(assessment(i).layout.replicas()));
        cell.provenance = Provenance::Derived;
        return cell;
    });
}

} // namespace shardrack
