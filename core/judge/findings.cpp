#include "judge/findings.h"

#include "account/strategy.h"
#include "judge/warnings.h"

#include <algorithm>
#include <array>

namespace shardrack {

const char* id(Capacity capacity)
{
    static constexpr std::array<const char*, 4> ids { "fit", "tight", "open", "over" };
    return ids[static_cast<std::size_t>(capacity)];
}

const char* title(Capacity capacity)
{
    static constexpr std::array<const char*, 4> titles { "Estimated fit", "Tight", "Open",
        "Over capacity" };
    return titles[static_cast<std::size_t>(capacity)];
}

const char* id(Warning::Severity severity)
{
    static constexpr std::array<const char*, 3> ids { "error", "warning", "note" };
    return ids[static_cast<std::size_t>(severity)];
}

Capacity capacityOf(const DeviceClass& device, const RequiredMargin& margin)
{
    const Bytes usable = device.usable.bytes;
    const bool usableKnown = device.usable.provenance != Provenance::NotEstablished;
    // A stand-in of zero is no figure at all: nothing is over what nobody knows.
    const bool comparable = usableKnown || usable > Bytes(0);
    if (comparable && device.least > usable)
        return Capacity::Over;
    if (device.need.atLeast || !usableKnown)
        return Capacity::Open;
    if (device.most > usable - margin.bytes.value_or(Bytes(0)))
        return Capacity::Tight;
    return Capacity::Fit;
}

namespace {

/// Least headroom first, then site order.
bool moreLoaded(const DeviceClass& a, const DeviceClass& b)
{
    if (a.headroom() != b.headroom())
        return a.headroom() < b.headroom();
    return a.gpus.front() < b.gpus.front();
}

void screen(Findings& findings, const Account& account, const RequiredMargin& margin)
{
    std::int32_t deciding = -1;
    for (std::size_t i = 0; i < account.deviceClasses.size(); ++i) {
        const DeviceClass& device = account.deviceClasses[i];
        const Capacity capacity = capacityOf(device, margin);
        findings.ofDeviceClass.push_back(device.idle() ? Capacity::Open : capacity);
        if (device.idle()) {
            findings.devicesIdle += device.gpus.size();
            continue;
        }
        findings.devicesJudged += device.gpus.size();
        if (capacity == Capacity::Over)
            findings.devicesOver += device.gpus.size();
        const auto number = static_cast<std::int32_t>(i);
        const auto at = [&](std::int32_t index) -> const DeviceClass& {
            return account.deviceClasses[static_cast<std::size_t>(index)];
        };
        if (findings.mostLoadedClass < 0 || moreLoaded(device, at(findings.mostLoadedClass)))
            findings.mostLoadedClass = number;
        const auto verdict = [&](std::int32_t index) {
            return findings.ofDeviceClass[static_cast<std::size_t>(index)];
        };
        if (deciding < 0 || capacity > verdict(deciding)
            || (capacity == verdict(deciding) && moreLoaded(device, at(deciding))))
            deciding = number;
    }
    if (deciding < 0)
        return;
    findings.capacity = findings.ofDeviceClass[static_cast<std::size_t>(deciding)];
    const auto first = [&](std::int32_t index) {
        return account.deviceClasses[static_cast<std::size_t>(index)].gpus.front();
    };
    findings.mostLoadedGpu = first(findings.mostLoadedClass);
    findings.decidingGpu = findings.capacity
            == findings.ofDeviceClass[static_cast<std::size_t>(findings.mostLoadedClass)]
        ? findings.mostLoadedGpu
        : first(deciding);
}

void nameOpenTerms(Findings& findings, const Account& account)
{
    if (findings.mostLoadedClass < 0)
        return;
    const DeviceClass& device
        = account.deviceClasses[static_cast<std::size_t>(findings.mostLoadedClass)];
    const auto split = [](const DeviceClass::Holding& holding) { return holding.weights == 0; };
    if (std::any_of(device.holdings.begin(), device.holdings.end(), split))
        findings.openTerms.emplace_back("This GPU's share of the rank's state");
    for (const DeviceClass::Holding& holding : device.holdings)
        for (const Term& term :
            account.rankClasses[static_cast<std::size_t>(holding.rankClass)].terms) {
            const bool known
                = std::find(findings.openTerms.begin(), findings.openTerms.end(), term.name)
                != findings.openTerms.end();
            if (!term.amount.established() && !known)
                findings.openTerms.push_back(term.name);
        }
}

/// What the framework's strategy refuses, beside the rules of every layout.
void addRefusals(Legality& legality, const Workload& workload, const ResolvedLayout& resolved)
{
    // What is only not computed yet is legal all the same; a division that is not there is not.
    if (const auto foreign = foreignTo(workload, resolved); foreign && foreign->notLegal)
        legality.broken.push_back({ foreign->rule, foreign->text, foreign->fix });
    for (const Refusal& refusal : strategyRefusals(workload, resolved)) {
        const auto same = [&](const BrokenRule& rule) { return rule.rule == refusal.rule; };
        if (std::none_of(legality.broken.begin(), legality.broken.end(), same))
            legality.broken.push_back({ refusal.rule, refusal.text, refusal.fix });
    }
}

} // namespace

Findings judge(const Account& account, const Workload& workload, const Layout& layout,
    const ResolvedLayout& resolved, const Site& site, const SiteIndex& index,
    const RequiredMargin& margin, const Evidence& evidence)
{
    Findings findings;
    findings.legality = legality(layout, resolved, workload);
    addRefusals(findings.legality, workload, resolved);
    screen(findings, account, margin);
    nameOpenTerms(findings, account);
    findings.demonstration = demonstrate(account, evidence);
    findings.demonstrated = findings.demonstration.value;
    if (evidence.outcome && evidence.outcomeApplies)
        findings.result = evidence.outcome->result;
    findings.warnings = warningsOf(
        { account, workload, layout, resolved, site, index, margin, evidence, findings });
    return findings;
}

} // namespace shardrack
