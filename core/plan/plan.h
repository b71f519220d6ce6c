#pragma once

#include "evidence/measurement.h"
#include "evidence/outcome.h"
#include "judge/findings.h"
#include "layout/layout.h"
#include "plan/offer_facts.h"
#include "workload/workload.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace shardrack {

/// One proposed answer: hardware and layout (and, where it differs, its own workload).
struct Offer {
    std::string name; ///< unique within the plan
    std::vector<std::string> assumptions; ///< printed wherever the offer is shown
    Site site;
    Layout layout;
    /// The workload as this offer answers it; null: the plan's common workload.
    std::shared_ptr<const Workload> workload;
    /// Reasons for its differences from the common basis, and differences that no field says.
    std::vector<BasisStatement> basis;
    std::string interconnect; ///< between its devices, in words; empty: not given
    std::optional<Price> price; ///< as quoted
    std::vector<Measurement> measurements; ///< evidence entered by hand
    std::optional<TrainingOutcome> outcome; ///< recorded result of training
    Extra extra;
    friend bool operator==(const Offer& a, const Offer& b);
};

/// The document: a value. Copying is cheap because blocks are shared; whoever changes a block
/// replaces it.
struct Plan {
    std::string title;
    std::string note; ///< shown with the plan; "A fictional example …"
    bool fictional = false; ///< marked as such wherever it is shown
    RequiredMargin margin;
    std::shared_ptr<const Workload> workload; ///< common to all offers; never null
    std::vector<std::shared_ptr<const Offer>> offers;
    Extra extra;
    friend bool operator==(const Plan& a, const Plan& b);

    const Workload& workloadOf(std::size_t offer) const
    {
        return offers[offer]->workload ? *offers[offer]->workload : *workload;
    }
};

/// A plan with no offers and nothing given.
Plan emptyPlan();
/// An offer with nothing placed.
Offer emptyOffer(std::string name);
/// The smallest server id that the offer has never seen: 1 + the largest in use.
ServerId nextServerId(const Offer& offer);
/// `wish`, or `wish` with a number, so that no server (rack, offer) of that name exists yet.
std::string freeServerName(const Offer& offer, const std::string& wish);
std::string freeRackName(const Offer& offer, const std::string& wish);
std::string freeOfferName(const Plan& plan, const std::string& wish);

/// Everything derived from one offer of a plan. Immutable; shared with the views.
struct Assessment {
    SiteIndex index;
    ResolvedLayout layout;
    Account account;
    Findings findings;
    /// Set when the numbers leave 64 bits; the account is then empty.
    std::optional<Error> error;
};
std::shared_ptr<const Assessment> assess(
    const Plan& plan, std::size_t offer, const Catalogue& catalogue = Catalogue::builtIn());

} // namespace shardrack
