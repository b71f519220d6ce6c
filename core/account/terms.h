#pragma once

#include "account/account.h"
#include "account/state.h"

namespace shardrack {

/// Every line of the account of a rank with these shares, in stack order: state, then the terms
/// that a person gave, that cannot exist (0), or that are not established.
std::vector<Term> termsOf(const Workload& workload, const std::vector<StateTensor>& state,
    const ResolvedLayout::Shares& shares, bool modelParallel);

/// The established memory of these terms with its life, for the emitter; `state` gives the lives.
std::vector<HeldTensor> heldTensors(
    const std::vector<Term>& terms, const std::vector<StateTensor>& state);

} // namespace shardrack
