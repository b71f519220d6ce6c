#include "plan/basis.h"
#include "plan/edit_draft.h"
#include "plan/edit_steps.h"
#include "plan/edit_words.h"
#include "plan/plan_json.h"
#include "plan/plan_json_facts.h"

#include "base/size_text.h"
#include "workload/workload_fields.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace shardrack {

namespace {

/// "Set <what> to <value>", or "Remove <what>".
std::string setOrRemove(const std::string& what, const std::string& value)
{
    return value.empty() ? "Remove " + what : "Set " + what + " to " + value;
}

/// Names the one field that differs between two workloads; empty where it is not one of these
/// alone.
std::string changedField(const Workload& before, const Workload& after)
{
    std::vector<std::string> names;
    const auto number = [&](const char* what, const std::optional<std::int64_t>& a,
                            const std::optional<std::int64_t>& b) {
        if (a != b)
            names.push_back(setOrRemove(what, b ? grouped(*b) : std::string()));
    };
    const auto size
        = [&](const char* what, const std::optional<Bytes>& a, const std::optional<Bytes>& b) {
              if (a != b)
                  names.push_back(setOrRemove(what, b ? exactText(*b) : std::string()));
          };
    const auto word = [&](const char* what, const std::string& a, const std::string& b) {
        if (a != b)
            names.push_back(setOrRemove(what, b));
    };
    number("global batch", before.recipe.globalBatch, after.recipe.globalBatch);
    number("micro-batch", before.recipe.microBatch, after.recipe.microBatch);
    number("accumulation", before.recipe.accumulation, after.recipe.accumulation);
    number("sequence", before.recipe.sequence, after.recipe.sequence);
    word("recompute", before.recipe.recompute, after.recipe.recompute);
    word("framework", before.recipe.framework, after.recipe.framework);
    word("framework version", before.recipe.frameworkVersion, after.recipe.frameworkVersion);
    word("trained parameters", before.recipe.trained, after.recipe.trained);
    word("number formats", before.recipe.formats, after.recipe.formats);
    word("state placement", before.recipe.offload, after.recipe.offload);
    word("other memory savers", before.recipe.savers, after.recipe.savers);
    word("model revision", before.revision, after.revision);
    word("quality and performance asked", before.requirement, after.requirement);
    if (before.recipe.bytesPerParameter != after.recipe.bytesPerParameter)
        names.emplace_back("Change bytes per parameter");
    else
        word("optimizer", before.recipe.optimizer, after.recipe.optimizer);
    size("persistent state", before.stipulated.total, after.stipulated.total);
    size("parameters", before.stipulated.parameters, after.stipulated.parameters);
    size("gradients", before.stipulated.gradients, after.stipulated.gradients);
    size("optimizer state", before.stipulated.optimizer, after.stipulated.optimizer);
    size("gathered parameters", before.terms.gathered, after.terms.gathered);
    size("activations", before.terms.activations, after.terms.activations);
    size("temporary buffers", before.terms.temporary, after.terms.temporary);
    size("allocator slack", before.terms.slack, after.terms.slack);
    size("memory outside the allocator", before.terms.outside, after.terms.outside);
    size("weights-only size", before.weightsOnly, after.weightsOnly);
    if (before.model != after.model)
        return after.model ? "Set model to " + after.model->architecture.name : "Remove model";
    if (before.basis != after.basis)
        return after.basis == Workload::StateBasis::Derived   ? "Derive the state"
            : after.basis == Workload::StateBasis::Stipulated ? "Stipulate the state"
                                                              : "Leave the state open";
    return names.size() == 1 ? names.front() : std::string();
}

/// Refuses, with the reader's words, what a plan file could not say.
void requireSayable(const Workload& workload)
{
    workloadFromJson(JsonView(toJson(workload), "workload"));
}

void requireSayable(const Measurement& measurement)
{
    measurementFromJson(JsonView(toJson(measurement), "measurement"));
}

void requireSayable(const TrainingOutcome& outcome)
{
    outcomeFromJson(JsonView(toJson(outcome), "training_result"));
}

/// Changes one offer in its place.
template <class Change> void changeOffer(Plan& plan, std::size_t index, Change change)
{
    Offer offer = offerAt(plan, index);
    change(offer);
    replaceOffer(plan, index, std::move(offer));
}

/// Reasons for fields in which the offer does not differ any more say nothing.
void dropIdleReasons(const Plan& plan, Offer& offer)
{
    const auto found = offer.workload ? differences(*plan.workload, *offer.workload)
                                      : std::vector<WorkloadDifference>();
    const auto idle = [&](const BasisStatement& statement) {
        return workloadField(statement.field)
            && std::none_of(found.begin(), found.end(),
                [&](const WorkloadDifference& each) { return each.field->id == statement.field; });
    };
    offer.basis.erase(
        std::remove_if(offer.basis.begin(), offer.basis.end(), idle), offer.basis.end());
}

/// An own workload that asks nothing else than the common one is none.
void settleBasis(const Plan& plan, Offer& offer)
{
    if (offer.workload && *offer.workload == *plan.workload)
        offer.workload.reset();
    dropIdleReasons(plan, offer);
}

void settleAllBases(Plan& plan)
{
    for (std::size_t i = 0; i < plan.offers.size(); ++i)
        if (plan.offers[i]->workload || !plan.offers[i]->basis.empty()) {
            Offer settled = *plan.offers[i];
            settleBasis(plan, settled);
            if (!(settled == *plan.offers[i]))
                replaceOffer(plan, i, std::move(settled));
        }
}

} // namespace

std::string perform(Plan& plan, const edit::SetWorkload& edit)
{
    const std::string field = changedField(*plan.workload, edit.workload);
    requireSayable(edit.workload);
    plan.workload = std::make_shared<const Workload>(edit.workload);
    settleAllBases(plan);
    return field.empty() ? "Change common workload" : field;
}

std::string perform(Plan& plan, const edit::SetOfferWorkload& edit)
{
    const Offer& before = offerAt(plan, edit.offer);
    if (!edit.workload) {
        if (!hasChangedBasis(plan, edit.offer))
            refuse(before.name + " stands on the common basis already");
        const std::string name = "Put " + before.name + " back on the common basis";
        changeOffer(plan, edit.offer, [](Offer& offer) {
            offer.workload.reset();
            offer.basis.clear();
        });
        return name;
    }
    requireSayable(*edit.workload);
    const std::string field = changedField(plan.workloadOf(edit.offer), *edit.workload);
    const std::string name = field.empty() ? "Change the basis of " + before.name
                                           : field + " for " + before.name + " alone";
    changeOffer(plan, edit.offer, [&](Offer& offer) {
        offer.workload = std::make_shared<const Workload>(*edit.workload);
        settleBasis(plan, offer);
    });
    return name;
}

std::string perform(Plan& plan, const edit::MakeWorkloadCommon& edit)
{
    const Offer& offer = offerAt(plan, edit.offer);
    if (!offer.workload)
        refuse(offer.name + " has no workload of its own: it answers the common one");
    const std::string name = "Make the workload of " + offer.name + " the common one";
    plan.workload = offer.workload;
    settleAllBases(plan);
    return name;
}

std::string perform(Plan& plan, const edit::SetBasis& edit)
{
    const std::string name = offerAt(plan, edit.offer).name;
    for (const BasisStatement& statement : edit.statements) {
        requireName(statement.field, "A change of basis");
        if (workloadField(statement.field) && !(statement.common + statement.offer).empty())
            refuse("The values of \"" + statement.field
                + "\" follow from the workloads and are not stated beside its reason");
    }
    changeOffer(plan, edit.offer, [&](Offer& offer) { offer.basis = edit.statements; });
    return "Explain the basis of " + name;
}

std::string perform(Plan& plan, const edit::SetAssumptions& edit)
{
    changeOffer(plan, edit.offer, [&](Offer& offer) { offer.assumptions = edit.assumptions; });
    return "Set assumptions of " + plan.offers[edit.offer]->name;
}

std::string perform(Plan& plan, const edit::SetInterconnect& edit)
{
    changeOffer(plan, edit.offer, [&](Offer& offer) { offer.interconnect = edit.interconnect; });
    const std::string what = "interconnect of " + plan.offers[edit.offer]->name;
    return setOrRemove(what, edit.interconnect);
}

std::string perform(Plan& plan, const edit::SetPrice& edit)
{
    if (edit.price && !isPriceAmount(edit.price->amount))
        refuse("\"" + edit.price->amount
            + "\" is no price: digits with at most one \".\" between them, such as 2.49");
    changeOffer(plan, edit.offer, [&](Offer& offer) { offer.price = edit.price; });
    return setOrRemove("price of " + plan.offers[edit.offer]->name,
        edit.price ? text(*edit.price) : std::string());
}

std::string perform(Plan& plan, const edit::SetMeasurements& edit)
{
    for (const Measurement& measurement : edit.measurements)
        requireSayable(measurement);
    const std::size_t before = offerAt(plan, edit.offer).measurements.size();
    changeOffer(plan, edit.offer, [&](Offer& offer) {
        offer.measurements = edit.measurements;
        stampEvidence(offer, *plan.workload);
    });
    const char* what = edit.measurements.size() > before ? "Add measurement of "
        : edit.measurements.size() < before              ? "Remove measurement of "
                                                         : "Change measurement of ";
    return what + plan.offers[edit.offer]->name;
}

std::string perform(Plan& plan, const edit::SetOutcome& edit)
{
    if (edit.outcome)
        requireSayable(*edit.outcome);
    changeOffer(plan, edit.offer, [&](Offer& offer) {
        offer.outcome = edit.outcome;
        stampEvidence(offer, *plan.workload);
    });
    return (edit.outcome ? "Record training result of " : "Remove training result of ")
        + plan.offers[edit.offer]->name;
}

} // namespace shardrack
