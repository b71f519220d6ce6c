#pragma once

#include "plan/plan.h"

#include <string>

namespace shardrack {

/// The account of every offer in the form of the command line's contract (docs/command-line.md).
Json accountJson(const Plan& plan);
/// The same for people: findings, most loaded device, terms with their arithmetic, per class.
std::string accountText(const Plan& plan);
/// Why an offer has no account (its numbers leave 64 bits), with the offer's JSON path; the first
/// of them.
std::optional<Error> missingAccount(const Plan& plan);
/// Whether any offer has a device over capacity or a run that contradicts the estimate.
bool anyOver(const Plan& plan);

} // namespace shardrack
