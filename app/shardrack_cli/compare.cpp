#include "input.h"
#include "output.h"
#include "verb.h"

#include "plan/account_report.h"
#include "plan/comparison.h"
#include "plan/plan_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <optional>

namespace shardrack::cli {

namespace {

constexpr std::array<Option, 6> kOptions { { { "--offers", "NAMES" }, { "--baseline", "NAME" },
    { "--order", "chosen|headroom" }, { "--hide-equal", "" }, { "--csv", "" },
    { "--markdown", "" } } };

std::string offerNames(const Plan& plan)
{
    std::string names;
    for (const auto& offer : plan.offers)
        names += (names.empty() ? "" : ", ") + offer->name;
    return names.empty() ? "a plan with offers" : "one of " + names;
}

std::optional<std::size_t> offerNamed(const Plan& plan, const std::string& name)
{
    const auto found = std::find_if(plan.offers.begin(), plan.offers.end(),
        [&](const auto& offer) { return offer->name == name; });
    if (found == plan.offers.end())
        return std::nullopt;
    return static_cast<std::size_t>(found - plan.offers.begin());
}

std::size_t theOffer(const Plan& plan, const std::string& option, const std::string& name)
{
    const auto offer = offerNamed(plan, name);
    if (!offer)
        throw Failure({ option, "no offer is called \"" + name + "\"", offerNames(plan) });
    return *offer;
}

/// A value is one offer's name, or several with commas between them.
std::vector<std::size_t> chosenOffers(const Plan& plan, const std::vector<std::string>& values)
{
    std::vector<std::size_t> offers;
    const auto add = [&](std::size_t offer) {
        if (std::find(offers.begin(), offers.end(), offer) == offers.end())
            offers.push_back(offer);
    };
    for (const std::string& value : values) {
        if (const auto whole = offerNamed(plan, value)) {
            add(*whole);
            continue;
        }
        for (std::size_t start = 0; start <= value.size();) {
            const std::size_t comma = std::min(value.find(',', start), value.size());
            std::string name = value.substr(start, comma - start);
            name.erase(0, std::min(name.find_first_not_of(' '), name.size()));
            name.erase(name.find_last_not_of(' ') + 1);
            add(theOffer(plan, "--offers", name));
            start = comma + 1;
        }
    }
    return offers;
}

ComparisonChoice choiceOf(const Plan& plan, const Arguments& arguments)
{
    ComparisonChoice choice;
    choice.offers = chosenOffers(plan, arguments.values("--offers"));
    const std::size_t count = choice.offers.empty() ? plan.offers.size() : choice.offers.size();
    if (count < 2)
        throw Failure({ choice.offers.empty() ? "$.offers" : "--offers",
            count == 0 ? "there is nothing to compare" : "one offer is not compared with itself",
            "at least two offers" });
    if (!choice.offers.empty())
        choice.baseline = choice.offers.front();
    for (const std::string& name : arguments.values("--baseline")) {
        choice.baseline = theOffer(plan, "--baseline", name);
        if (!choice.offers.empty()
            && std::find(choice.offers.begin(), choice.offers.end(), choice.baseline)
                == choice.offers.end())
            throw Failure({ "--baseline", "\"" + name + "\" is not among the offers compared",
                "one of --offers" });
    }
    for (const std::string& order : arguments.values("--order")) {
        if (order != "chosen" && order != "headroom")
            throw Failure({ "--order", "\"" + order + "\" is no order", "chosen or headroom" });
        choice.order = order == "headroom" ? ComparisonChoice::Order::ByHeadroom
                                           : ComparisonChoice::Order::AsChosen;
    }
    return choice;
}

bool anyOver(const Comparison& comparison)
{
    return std::any_of(
        comparison.offers.begin(), comparison.offers.end(), [](const ComparedOffer& offer) {
            const Findings& findings = offer.assessment->findings;
            return findings.capacity == Capacity::Over
                || findings.demonstrated == Demonstrated::Contradicted;
        });
}

ExitStatus compareOffers(const Arguments& arguments)
{
    const std::string& path = onlyFile(arguments);
    if (int(arguments.json) + int(arguments.has("--csv")) + int(arguments.has("--markdown")) > 1)
        throw Failure({ "", "more than one form is asked for", "--json, --csv or --markdown" });
    const PlanReading reading = from(path, readPlan(readInput(path)));
    for (const std::string& remark : reading.remarks)
        printNote(inputName(path) + ": " + remark);
    const auto choice = attempt([&] { return choiceOf(reading.plan, arguments); });
    const Comparison comparison
        = compare(std::make_shared<const Plan>(reading.plan), from(path, choice));
    for (const ComparedOffer& offer : comparison.offers)
        if (const auto& error = offer.assessment->error)
            throw Failure({ inputName(path) + ": $.offers[" + std::to_string(offer.offer) + "]",
                error->what, error->expected });
    const bool hideEqual = arguments.has("--hide-equal");
    if (arguments.json)
        printJson(toJson(comparison));
    else if (arguments.has("--csv"))
        printText(comparisonCsv(comparison, hideEqual));
    else if (arguments.has("--markdown"))
        printText(comparisonMarkdown(comparison, hideEqual));
    else
        printText(comparisonText(comparison, hideEqual));
    return anyOver(comparison) ? OverCapacity : Done;
}

} // namespace

const Verb kCompare { "compare", "PLAN", "the offers of a plan side by side",
    "Reads a plan (*.shardrack) and prints its offers against each other: findings, most loaded\n"
    "device, workload, hardware, arithmetic, redundancy, communication, evidence and price. What\n"
    "differs from the common workload is marked with ≠, and such an offer is never ranked above\n"
    "one on the common basis. Ends with 1 when a device is over capacity or a run contradicts the\n"
    "estimate.\n\n"
    "  --offers NAMES    which offers, in this order; names with commas between them, or the\n"
    "                    option several times. Otherwise all\n"
    "  --baseline NAME   differences are against this offer; otherwise the first chosen\n"
    "  --order ORDER     chosen, or headroom: most first, changed basis last\n"
    "  --hide-equal      leave out rows in which all offers say the same (not with --json)\n"
    "  --csv, --markdown the rows as a table in that form\n",
    compareOffers, kOptions };

} // namespace shardrack::cli
