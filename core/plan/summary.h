#pragma once

#include "plan/comparison.h"

#include <string>
#include <vector>

namespace shardrack {

/// What one offer's account says, in sentences whose numbers come from it.
struct OfferSummary {
    std::string verdict; ///< "Offer R is over capacity"
    std::string says; ///< the reasons, with their figures
    std::string change; ///< what would change a finding
    std::vector<std::string> marks; ///< "changed basis", "not legal": said beside the offer's name
};

/// Something nobody has established, and for which offers (positions in the list summarised).
struct OpenItem {
    std::string what; ///< "Activations"
    std::string establish; ///< what it needs
    std::vector<std::size_t> offers;
};

/// Something taken as given, with where it comes from. No offers: it holds for all.
struct Assumption {
    std::string text;
    std::string source;
    std::vector<std::size_t> offers;
};

/// Offers in words, for people who do not have the program.
struct PlanSummary {
    std::vector<std::string> headline; ///< one sentence for each verdict, worst first
    std::string subtitle; ///< state, devices, usable: one line
    std::vector<OfferSummary> offers;
    std::vector<OpenItem> notEstablished;
    std::vector<Assumption> assumptions;
};

/// Summarises offers of a plan, in the order given. An offer on a changed basis is said as such and
/// shares no sentence with those on the common one.
PlanSummary summarize(const Plan& plan, const std::vector<ComparedOffer>& offers,
    const Catalogue& catalogue = Catalogue::builtIn());

} // namespace shardrack
