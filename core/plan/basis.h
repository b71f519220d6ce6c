#pragma once

#include "plan/plan.h"

#include <string>
#include <vector>

namespace shardrack {

/// One way in which an offer answers another question than the common one.
struct BasisChange {
    std::string field; ///< id of a workload field, or a person's words
    std::string title; ///< for people
    std::string common; ///< the common value; "not given" where it is
    std::string offer; ///< the offer's
    std::string reason; ///< empty: nobody gave one
    bool declared = false; ///< stated by a person; no field of the workload says it
};

/// The offer's changes of basis: fields in which its own workload differs from the common one, then
/// those that a person declared. Empty: the offer stands on the common basis.
std::vector<BasisChange> changedBasis(const Plan& plan, std::size_t offer);
/// Fields for whose change the offer gives a reason, and which do not differ: a slip, or a change
/// that was taken back.
std::vector<std::string> reasonsWithoutChange(const Plan& plan, std::size_t offer);
/// Whether there is any: such an offer is not ranked against those on the common basis.
bool hasChangedBasis(const Plan& plan, std::size_t offer);
/// "Micro-batch 1 sequence → 2 sequences (reason)": one line.
std::string text(const BasisChange& change);

/// A short digest of what is run: workload, hardware and layout. Left out is what can change while
/// the run stays the same: words that only describe, stipulated terms (estimates, which evidence is
/// there to correct) and the usable allocation (which evidence is compared with). Evidence carries
/// it, so that evidence of another state of the offer is known as such.
std::string offerFingerprint(const Plan& plan, std::size_t offer);
/// The digest that offers without a plan's help are compared by.
std::string offerFingerprint(const Workload& workload, const Offer& offer);

/// Evidence that does not say which state of the offer it is about is about this one; later changes
/// of the offer must not inherit it. `common`: the workload where the offer has none of its own.
void stampEvidence(Offer& offer, const Workload& common);

/// The devices that a measurement names, as ordinals: "all" (those with a rank), names and ranges
/// as in placements, separated by commas. An Error says what names no GPU.
Result<RankSet> measuredDevices(
    const std::string& text, const Site& site, const SiteIndex& index, const Account& account);
/// Everything recorded about an offer, resolved against it as it stands.
Evidence evidenceOf(
    const Workload& workload, const Offer& offer, const SiteIndex& index, const Account& account);

} // namespace shardrack
