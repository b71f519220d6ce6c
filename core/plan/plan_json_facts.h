#pragma once

#include "evidence/measurement.h"
#include "evidence/outcome.h"
#include "plan/offer_facts.h"

namespace shardrack {

// What people say about an offer, between plan file and plan; docs/plan-format.md. Failure on bad
// input.

BasisStatement basisStatementFromJson(const JsonView& view);
Json toJson(const BasisStatement& statement);
Price priceFromJson(const JsonView& view);
Json toJson(const Price& price);
Measurement measurementFromJson(const JsonView& view);
Json toJson(const Measurement& measurement);
TrainingOutcome outcomeFromJson(const JsonView& view);
Json toJson(const TrainingOutcome& outcome);

} // namespace shardrack
