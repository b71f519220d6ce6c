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
    return digest(toJson(counted).dump() + toJson(offer.site).dump()
        + toJson(offer.layout, offer.site).dump());
}

std::string offerFingerprint(const Plan& plan, std::size_t offer)
{
    return offerFingerprint(plan.workloadOf(offer), *plan.offers[offer]);
}

Result<RankSet> measuredDevices(
    const std::string& text, const Site& site, const SiteIndex& index, const Account& account)
{
    RankSet gpus;
    if (text == "all") {
        for (const DeviceClass& device : account.deviceClasses)
            if (!device.idle())
                gpus.unite(device.gpus);
        return gpus;
    }
    GpuNames names(site, index);
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

Evidence evidenceOf(
    const Workload& workload, const Offer& offer, const SiteIndex& index, const Account& account)
{
    Evidence evidence;
    if (offer.measurements.empty() && !offer.outcome)
        return evidence;
    const std::string now = offerFingerprint(workload, offer);
    const auto applies = [&](const std::string& basis) { return basis.empty() || basis == now; };
    for (const Measurement& measurement : offer.measurements) {
        AppliedMeasurement applied;
        applied.measurement = &measurement;
        if (!applies(measurement.basis)) {
            applied.excluded = kOtherState;
        } else if (const auto gpus
            = measuredDevices(measurement.devices, offer.site, index, account)) {
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
