#include "plan/basis.h"

#include "plan/account_parts.h"
#include "plan/plan_json.h"
#include "plan/plan_json_gpus.h"
#include "plan/plan_json_parts.h"

#include "base/utf8.h"
#include "workload/workload_fields.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace shardrack {

namespace {

std::string reasonFor(const Offer& offer, const std::string& field)
{
    const auto& all = offer.basis;
    const auto found = std::find_if(all.begin(), all.end(),
        [&](const BasisStatement& statement) { return statement.field == field; });
    return found == all.end() ? std::string() : found->reason;
}

/// FNV-1a, 64 bits: stable across machines and versions, and short enough to print.
std::string digest(const std::string& text)
{
    std::uint64_t hash = 14695981039346656037ULL;
    for (const char c : text) {
        hash ^= static_cast<unsigned char>(c);
        hash *= 1099511628211ULL;
    }
    static constexpr char digits[] = "0123456789abcdef";
    std::string hex(16, '0');
    for (std::size_t i = 0; i < hex.size(); ++i)
        hex[i] = digits[(hash >> (60 - 4 * i)) & 15U];
    return hex;
}

constexpr const char* kOtherState = "was recorded for another state of this offer";

/// The rack without what anybody says of usable allocations.
Rack withoutUsable(Rack rack)
{
    for (Server& server : rack.servers) {
        std::vector<GpuRun> runs;
        for (GpuRun run : server.gpus) {
            run.usable.reset();
            run.confirmed = true;
            GpuRun alike = run;
            if (!runs.empty() && (alike.count = runs.back().count, alike == runs.back()))
                runs.back().count += run.count;
            else
                runs.push_back(std::move(run));
        }
        server.gpus = std::move(runs);
    }
    return rack;
}

Site withoutUsable(const Site& site)
{
    const auto says = [](const Server& server) {
        return std::any_of(server.gpus.begin(), server.gpus.end(),
            [](const GpuRun& run) { return run.usable || !run.confirmed; });
    };
    Site bare = site;
    for (std::shared_ptr<const Rack>& rack : bare.racks)
        if (std::any_of(rack->servers.begin(), rack->servers.end(), says))
            rack = std::make_shared<const Rack>(withoutUsable(*rack));
    return bare;
}

Result<RankSet> namedDevices(const std::string& text, GpuNames& names, const Account& account)
{
    RankSet gpus;
    if (text == "all") {
        for (const DeviceClass& device : account.deviceClasses)
            if (!device.idle())
                gpus.unite(device.gpus);
        return gpus;
    }
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t comma = std::min(text.find(',', start), text.size());
        std::string item = text.substr(start, comma - start);
        item.erase(0, std::min(item.find_first_not_of(' '), item.size()));
        item.erase(item.find_last_not_of(' ') + 1);
        const auto part = names.parse(item);
        if (!part)
            return Error { "devices", "\"" + shortened(item) + "\" names no GPU of the site",
                "\"all\", a GPU such as \"" + names.someName() + "\", or a range of GPUs" };
        for (const std::int32_t gpu : *part)
            gpus.insert(gpu);
        start = comma + 1;
    }
    return gpus;
}

} // namespace

std::vector<BasisChange> changedBasis(const Plan& plan, std::size_t offer)
{
    const Offer& answer = *plan.offers[offer];
    std::vector<BasisChange> changes;
    if (answer.workload)
        for (const WorkloadDifference& each : differences(*plan.workload, *answer.workload))
            changes.push_back({ each.field->id, each.field->title, each.before, each.after,
                reasonFor(answer, each.field->id), false });
    for (const BasisStatement& statement : answer.basis)
        if (!workloadField(statement.field))
            changes.push_back({ statement.field, statement.field, statement.common, statement.offer,
                statement.reason, true });
    return changes;
}

std::vector<std::string> reasonsWithoutChange(const Plan& plan, std::size_t offer)
{
    const std::vector<BasisChange> changes = changedBasis(plan, offer);
    std::vector<std::string> fields;
    for (const BasisStatement& statement : plan.offers[offer]->basis)
        if (std::none_of(changes.begin(), changes.end(),
                [&](const BasisChange& change) { return change.field == statement.field; }))
            fields.push_back(statement.field);
    return fields;
}

bool hasChangedBasis(const Plan& plan, std::size_t offer)
{
    const Offer& answer = *plan.offers[offer];
    const auto declared = [](const BasisStatement& each) { return !workloadField(each.field); };
    return std::any_of(answer.basis.begin(), answer.basis.end(), declared)
        || (answer.workload && !differences(*plan.workload, *answer.workload).empty());
}

std::string text(const BasisChange& change)
{
    std::string line = change.title;
    if (!change.common.empty() || !change.offer.empty())
        line += ": " + (change.common.empty() ? "not given" : change.common) + " → "
            + (change.offer.empty() ? "not given" : change.offer);
    return line + (change.reason.empty() ? " (reason not given)" : " (" + change.reason + ")");
}

std::string offerFingerprint(const Workload& workload, const Offer& offer)
{
    Workload counted = workload;
    counted.requirement.clear();
    counted.revision.clear();
    counted.terms = {};
    counted.weightsOnly.reset();
    return digest(toJson(counted).dump() + toJson(withoutUsable(offer.site)).dump()
        + toJson(offer.layout, offer.site).dump());
}

std::string offerFingerprint(const Plan& plan, std::size_t offer)
{
    return offerFingerprint(plan.workloadOf(offer), *plan.offers[offer]);
}

void stampEvidence(Offer& offer, const Workload& common)
{
    const auto bare = [](const Measurement& each) { return each.basis.empty(); };
    const bool outcome = offer.outcome && offer.outcome->basis.empty();
    if (!outcome && std::none_of(offer.measurements.begin(), offer.measurements.end(), bare))
        return;
    const std::string now = offerFingerprint(offer.workload ? *offer.workload : common, offer);
    for (Measurement& measurement : offer.measurements)
        if (measurement.basis.empty())
            measurement.basis = now;
    if (outcome)
        offer.outcome->basis = now;
}

Result<RankSet> measuredDevices(
    const std::string& text, const Site& site, const SiteIndex& index, const Account& account)
{
    GpuNames names(site, index);
    return namedDevices(text, names, account);
}

Evidence evidenceOf(
    const Workload& workload, const Offer& offer, const SiteIndex& index, const Account& account)
{
    Evidence evidence;
    if (offer.measurements.empty() && !offer.outcome)
        return evidence;
    const std::string now = offerFingerprint(workload, offer);
    const auto applies = [&](const std::string& basis) { return basis.empty() || basis == now; };
    GpuNames names(offer.site, index);
    for (const Measurement& measurement : offer.measurements) {
        AppliedMeasurement applied;
        applied.measurement = &measurement;
        if (!applies(measurement.basis)) {
            applied.excluded = kOtherState;
            applied.otherState = true;
        } else if (const auto gpus = namedDevices(measurement.devices, names, account)) {
            applied.gpus = *gpus;
        } else {
            applied.excluded = "does not count: " + gpus.error().what;
        }
        evidence.measurements.push_back(std::move(applied));
    }
    if (offer.outcome) {
        evidence.outcome = &*offer.outcome;
        evidence.outcomeApplies = applies(offer.outcome->basis);
    }
    return evidence;
}

} // namespace shardrack
