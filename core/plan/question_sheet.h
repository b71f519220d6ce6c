#pragma once

#include "plan/plan.h"

#include <string>
#include <vector>

namespace shardrack {

/// One thing to ask of whoever makes an offer, with what is already known of it.
struct Question {
    std::string id; ///< stable: "model", "batch"
    std::string title; ///< "Model and revision"
    std::string known; ///< with its units; empty: nothing is
    std::string asked; ///< what is still to be answered; empty: nothing is
    /// Of what is known; NotEstablished where nothing is.
    Provenance provenance = Provenance::NotEstablished;
    bool operator==(const Question&) const = default;
};

/// What has to be asked of an offer before its figures can be relied on, in a fixed order: model,
/// trained parameters, formats, optimizer, sequence, batch, framework, GPUs, ranks, groups,
/// mapping, savers, interconnect, what stays replicated, what is gathered, what the estimate leaves
/// out, margin, measurements; assumptions where there are any.
std::vector<Question> questionSheet(
    const Plan& plan, std::size_t offer, const Assessment& assessment);

} // namespace shardrack
