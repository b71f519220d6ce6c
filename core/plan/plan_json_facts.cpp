#include "plan/plan_json_facts.h"

#include "base/utf8.h"
#include "workload/workload_fields.h"

#include <nlohmann/json.hpp>

namespace shardrack {

namespace {

constexpr std::int64_t kMostSteps = std::int64_t(1) << 40;

bool optionalFlag(const JsonView& view, const char* key)
{
    const auto member = view.find(key);
    return member && member->boolean();
}

RunPhases phasesFromJson(const JsonView& view)
{
    RunPhases phases;
    for (const JsonView& item : view.items()) {
        const std::string text = item.string();
        const auto phase = runPhase(text);
        if (!phase)
            item.fail("is \"" + shortened(text) + '"',
                "a phase: load, init, forward, backward, optimizer, save or evaluate");
        phases.set(*phase);
    }
    return phases;
}

} // namespace

BasisStatement basisStatementFromJson(const JsonView& view)
{
    BasisStatement statement;
    const JsonView field = view.at("field");
    statement.field = field.string();
    if (statement.field.empty())
        field.fail("is empty", "a field of the workload, such as \"micro_batch\", or words");
    const auto reason = optionalText(view, "reason");
    statement.reason = reason;
    // Those of a field follow from the two workloads; a file may repeat them.
    if (!workloadField(statement.field)) {
        statement.common = optionalText(view, "common");
        statement.offer = optionalText(view, "offer");
    }
    statement.extra = unknownMembers(view, { "field", "common", "offer", "reason" });
    return statement;
}

Json toJson(const BasisStatement& statement)
{
    Json json { { "field", statement.field } };
    putText(json, "common", statement.common);
    putText(json, "offer", statement.offer);
    putText(json, "reason", statement.reason);
    appendExtra(json, statement.extra);
    return json;
}

Price priceFromJson(const JsonView& view)
{
    Price price;
    const JsonView amount = view.at("amount");
    price.amount = amount.string();
    if (!isPriceAmount(price.amount))
        amount.fail("is \"" + shortened(price.amount) + '"',
            "digits with at most one \".\" between them, such as \"2.49\"");
    price.currency = optionalText(view, "currency");
    if (const auto per = view.find("per")) {
        const std::string text = per->string();
        if (text != id(Price::Per::GpuHour) && text != id(Price::Per::Offer))
            per->fail("is \"" + shortened(text) + '"', "\"gpu-hour\" or \"offer\"");
        price.per = text == id(Price::Per::Offer) ? Price::Per::Offer : Price::Per::GpuHour;
    }
    price.note = optionalText(view, "note");
    price.extra = unknownMembers(view, { "amount", "currency", "per", "note" });
    return price;
}

Json toJson(const Price& price)
{
    Json json { { "amount", price.amount } };
    putText(json, "currency", price.currency);
    json["per"] = id(price.per);
    putText(json, "note", price.note);
    appendExtra(json, price.extra);
    return json;
}

Measurement measurementFromJson(const JsonView& view)
{
    Measurement measurement;
    if (const auto devices = view.find("devices"))
        measurement.devices = devices->string();
    if (measurement.devices.empty())
        view.at("devices").fail("is empty", "\"all\" or names of GPUs, such as \"A1·0-3\"");
    if (const auto scope = view.find("scope")) {
        const std::string text = scope->string();
        const auto known = memoryScope(text);
        if (!known)
            scope->fail("is \"" + shortened(text) + '"',
                "which memory was read: \"allocated\", \"reserved\" or \"device\"");
        measurement.scope = *known;
    }
    measurement.outOfMemory = optionalFlag(view, "out_of_memory");
    const auto peak = view.find("peak_bytes");
    if (peak)
        measurement.peak = peak->bytes();
    if (measurement.peak == Bytes(0))
        peak->fail("is 0", "the peak in bytes; a run holds something");
    if (!peak && !measurement.outOfMemory)
        view.fail("has no \"peak_bytes\"", "the peak in bytes, or \"out_of_memory\": true");
    measurement.average = optionalFlag(view, "average");
    if (const auto phases = view.find("phases"))
        measurement.phases = phasesFromJson(*phases);
    if (const auto steps = view.find("complete_steps"))
        measurement.completeSteps = steps->integer(0, kMostSteps);
    measurement.software = optionalText(view, "software");
    measurement.conditions = optionalText(view, "conditions");
    measurement.source = optionalText(view, "source");
    measurement.basis = optionalText(view, "basis");
    measurement.extra = unknownMembers(view,
        { "devices", "scope", "peak_bytes", "average", "out_of_memory", "phases", "complete_steps",
            "software", "conditions", "source", "basis" });
    return measurement;
}

Json toJson(const Measurement& measurement)
{
    Json json { { "devices", measurement.devices }, { "scope", id(measurement.scope) } };
    if (measurement.peak)
        json["peak_bytes"] = measurement.peak->count();
    if (measurement.average)
        json["average"] = true;
    if (measurement.outOfMemory)
        json["out_of_memory"] = true;
    Json phases = Json::array();
    for (int i = 0; i < kRunPhaseCount; ++i)
        if (const auto phase = static_cast<RunPhase>(i); measurement.phases.has(phase))
            phases.push_back(id(phase));
    if (!phases.empty())
        json["phases"] = std::move(phases);
    if (measurement.completeSteps != 0)
        json["complete_steps"] = measurement.completeSteps;
    putText(json, "software", measurement.software);
    putText(json, "conditions", measurement.conditions);
    putText(json, "source", measurement.source);
    putText(json, "basis", measurement.basis);
    appendExtra(json, measurement.extra);
    return json;
}

TrainingOutcome outcomeFromJson(const JsonView& view)
{
    TrainingOutcome outcome;
    if (const auto result = view.find("result")) {
        const std::string text = result->string();
        const auto known = trainingResult(text);
        if (!known)
            result->fail(
                "is \"" + shortened(text) + '"', "\"accepted\", \"rejected\" or \"not evaluated\"");
        outcome.result = *known;
    }
    outcome.criterion = optionalText(view, "criterion");
    if (outcome.result != TrainingResult::NotEvaluated && outcome.criterion.empty())
        view.fail(std::string("is ") + id(outcome.result) + " and has no \"criterion\"",
            "the quality and performance criterion that it was judged by");
    outcome.value = optionalText(view, "value");
    outcome.throughput = optionalText(view, "throughput");
    outcome.software = optionalText(view, "software");
    outcome.interconnect = optionalText(view, "interconnect");
    outcome.note = optionalText(view, "note");
    outcome.basis = optionalText(view, "basis");
    outcome.extra = unknownMembers(view,
        { "result", "criterion", "value", "throughput", "software", "interconnect", "note",
            "basis" });
    return outcome;
}

Json toJson(const TrainingOutcome& outcome)
{
    Json json { { "result", id(outcome.result) } };
    putText(json, "criterion", outcome.criterion);
    putText(json, "value", outcome.value);
    putText(json, "throughput", outcome.throughput);
    putText(json, "software", outcome.software);
    putText(json, "interconnect", outcome.interconnect);
    putText(json, "note", outcome.note);
    putText(json, "basis", outcome.basis);
    appendExtra(json, outcome.extra);
    return json;
}

} // namespace shardrack
