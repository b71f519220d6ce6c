#pragma once

#include "plan/summary.h"

namespace shardrack {

/// One offer with everything that its sentences are made from.
struct SummarisedOffer {
    const Plan& plan;
    const ComparedOffer& compared;

    const Offer& offer() const { return *plan.offers[compared.offer]; }
    const Workload& workload() const { return plan.workloadOf(compared.offer); }
    const Assessment& assessment() const { return *compared.assessment; }
    const Findings& findings() const { return compared.assessment->findings; }
    /// The device class with the least headroom, or null.
    const DeviceClass* mostLoaded() const;
    /// Nothing can be said about capacity: no figures, or no rank on a GPU.
    bool judged() const;
    bool usableConfirmed() const; ///< of every device with a rank
};

/// The title: a sentence for each verdict.
std::vector<std::string> headlineOf(const std::vector<SummarisedOffer>& offers);
std::string subtitleOf(const Plan& plan, const std::vector<SummarisedOffer>& offers);
OfferSummary summaryOf(const SummarisedOffer& offer);
std::vector<OpenItem> notEstablished(const std::vector<SummarisedOffer>& offers);
std::vector<Assumption> assumptionsOf(
    const Plan& plan, const std::vector<SummarisedOffer>& offers, const Catalogue& catalogue);

} // namespace shardrack
