#pragma once

#include "account/account.h"
#include "account/refusal.h"
#include "workload/frameworks.h"

#include <memory>
#include <optional>
#include <vector>

namespace shardrack {

/// What a framework's way of training makes of memory, on GPUs of one architecture.
class Strategy {
public:
    Strategy() = default;
    Strategy(const Strategy&) = delete;
    Strategy& operator=(const Strategy&) = delete;
    virtual ~Strategy() = default;

    /// The account of the ranks of a pipeline stage, but for which ranks they are.
    virtual RankClass rankClass(std::int64_t stage) = 0;
    /// What such a rank holds over time.
    virtual RankTrace trace(std::int64_t stage) const = 0;
    /// What one copy of the whole model's state takes; `ranks` is an account that it made.
    virtual Bytes oneCopy(const RankClass& ranks) const = 0;
};

/// The strategy that derives an account; null where the framework is not known, what its memory
/// needs is not given, or foreignTo() names something. Throws Failure where the run is refused.
/// The workload has to outlive it.
std::unique_ptr<Strategy> strategyFor(
    const Workload& workload, const ResolvedLayout& layout, int architecture);

/// What keeps the framework from being what the plan says: a layout that divides the state in a way
/// that it has not, or an optimizer whose state is not computed. Absent: nothing, or no framework.
std::optional<Refusal> foreignTo(const Workload& workload, const ResolvedLayout& layout);

/// All rules of the framework that the plan breaks.
std::vector<Refusal> strategyRefusals(const Workload& workload, const ResolvedLayout& layout);

/// Every switch of the recipe's framework, resolved for an architecture, in the order of its table;
/// empty where the framework has none.
std::vector<Setting> resolvedSettings(const Recipe& recipe, int architecture);

} // namespace shardrack
