#include "plan/account_parts.h"
#include "plan/account_report.h"

#include <nlohmann/json.hpp>

namespace shardrack {

namespace {

Json optionalBytes(bool known, Bytes bytes) { return known ? Json(bytes.count()) : Json(); }

Json toJson(const Term& term)
{
    const std::string formula = text(term.formula);
    const auto bytes = term.amount.bytes();
    return { { "category", id(term.category) }, { "name", term.name },
        { "bytes", bytes ? Json(bytes->count()) : Json() },
        { "provenance", name(term.amount.provenance()) }, { "sharing", name(term.sharing) },
        { "divided_by", term.dividedBy }, { "formula", formula.empty() ? Json() : Json(formula) } };
}

Json toJson(const RankClass& ranks)
{
    Json terms = Json::array();
    for (const Term& term : ranks.terms)
        terms.push_back(toJson(term));
    return { { "ranks", ranks.ranks.text() }, { "count", ranks.ranks.size() },
        { "stage", ranks.stage }, { "need_bytes", ranks.need.established.count() },
        { "need_is_at_least", ranks.need.atLeast }, { "peak_phase", name(ranks.peakPhase) },
        { "terms", std::move(terms) } };
}

Json toJson(const Warning& warning)
{
    return { { "severity", id(warning.severity) }, { "subject", warning.subject },
        { "text", warning.text }, { "fix", warning.fix } };
}

Json devicesJson(const Offer& offer, const Assessment& assessment)
{
    Json devices = Json::array();
    const Account& account = assessment.account;
    for (std::size_t number = 0; number < account.deviceClasses.size(); ++number) {
        const DeviceClass& device = account.deviceClasses[number];
        if (device.idle())
            continue;
        devices.push_back({ { "devices", namesOf(offer.site, assessment.index, device.gpus) },
            { "count", device.gpus.size() },
            { "ranks", ranksOn(assessment.layout, device.gpus).text() },
            { "need_bytes", device.need.established.count() },
            { "need_is_at_least", device.need.atLeast },
            { "usable_bytes", device.usable.bytes.count() },
            { "usable_provenance", name(device.usable.provenance) },
            { "headroom_bytes", device.headroom().count() },
            { "headroom_is_at_most", device.headroomAtMost() },
            { "capacity", id(assessment.findings.ofDeviceClass[number]) } });
    }
    return devices;
}

Json hostsJson(const Site& site)
{
    Json hosts = Json::array();
    for (const auto& rack : site.racks)
        for (const Server& server : rack->servers)
            hosts.push_back({ { "server", server.name }, { "need_bytes", Json() },
                { "installed_bytes", Json() } });
    return hosts;
}

Json offerJson(const Offer& offer, const Assessment& assessment)
{
    const Account& account = assessment.account;
    const Findings& findings = assessment.findings;
    Json json;
    json["name"] = offer.name;
    json["assumptions"] = offer.assumptions;
    json["findings"] = findingsJson(findings);
    json["legal"] = findings.legality.legal();
    Json& rules = json["broken_rules"] = Json::array();
    for (const BrokenRule& rule : findings.legality.broken)
        rules.push_back(rule.rule + ": " + rule.text);
    json["most_loaded"] = mostLoadedJson(offer, assessment);
    json["installed_bytes_total"] = account.installedTotal.count();
    json["state_bytes_total"] = optionalBytes(account.stateEstablished, account.stateTotal);
    json["redundant_bytes_total"] = optionalBytes(account.stateEstablished, account.redundantTotal);
    Json& classes = json["classes"] = Json::array();
    for (const RankClass& ranks : account.rankClasses)
        classes.push_back(toJson(ranks));
    json["devices"] = devicesJson(offer, assessment);
    json["idle_devices"] = namesOf(offer.site, assessment.index, idleGpus(account));
    json["hosts"] = hostsJson(offer.site);
    Json& warnings = json["warnings"] = Json::array();
    if (assessment.error)
        warnings.push_back(
            toJson(Warning { Warning::Severity::Error, "Account", assessment.error->text(), "" }));
    for (const Warning& warning : findings.warnings)
        warnings.push_back(toJson(warning));
    return json;
}

} // namespace

Json findingsJson(const Findings& findings)
{
    return { { "capacity", id(findings.capacity) }, { "demonstrated", id(findings.demonstrated) },
        { "result", id(findings.result) } };
}

Json mostLoadedJson(const Offer& offer, const Assessment& assessment)
{
    const Findings& findings = assessment.findings;
    if (findings.mostLoadedGpu < 0)
        return {};
    const DeviceClass& device
        = assessment.account.deviceClasses[static_cast<std::size_t>(findings.mostLoadedClass)];
    return { { "device", assessment.index.deviceName(offer.site, findings.mostLoadedGpu) },
        { "ranks", assessment.layout.ranksOn(findings.mostLoadedGpu) },
        { "need_bytes", device.need.established.count() },
        { "need_is_at_least", device.need.atLeast },
        { "usable_bytes", device.usable.bytes.count() },
        { "usable_provenance", name(device.usable.provenance) },
        { "headroom_bytes", device.headroom().count() },
        { "headroom_is_at_most", device.headroomAtMost() } };
}

Json accountJson(const Plan& plan)
{
    Json offers = Json::array();
    for (std::size_t number = 0; number < plan.offers.size(); ++number)
        offers.push_back(offerJson(*plan.offers[number], *assess(plan, number)));
    return { { "plan", plan.title }, { "fictional", plan.fictional }, { "note", plan.note },
        { "offers", std::move(offers) } };
}

} // namespace shardrack
