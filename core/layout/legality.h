#pragma once

#include "layout/layout.h"
#include "workload/workload.h"

#include <string>
#include <vector>

namespace shardrack {

/// A rule that can be evaluated and is broken. The arithmetic of such a layout is still shown.
struct BrokenRule {
    std::string rule; ///< "global batch = micro-batch × accumulation × data-parallel ranks"
    std::string text; ///< the rule with this layout's numbers
    std::string fix; ///< what would satisfy it; may be empty
    bool operator==(const BrokenRule&) const = default;
};

/// Something legal that deserves a remark: uneven groups, ranks in no group.
struct LayoutRemark {
    std::string subject;
    std::string text;
    std::string fix;
    bool operator==(const LayoutRemark&) const = default;
};

struct Legality {
    std::vector<BrokenRule> broken;
    std::vector<LayoutRemark> remarks;
    bool legal() const { return broken.empty(); }
};

/// Evaluates what is given; what is not given breaks no rule.
Legality legality(const Layout& layout, const ResolvedLayout& resolved, const Workload& workload);

/// The batch of one optimizer step, with the one missing factor derived where it is whole.
struct BatchArithmetic {
    std::optional<std::int64_t> microBatch;
    std::optional<std::int64_t> accumulation;
    std::optional<std::int64_t> globalBatch;
    std::int64_t dataParallel = 0;
    enum class Derived { None, MicroBatch, Accumulation, GlobalBatch } derived = Derived::None;
    /// Everything is known and multiplies out.
    bool closes = false;
    /// Two factors are known and no whole third one exists, or all are known and do not multiply
    /// out.
    bool broken = false;
};
BatchArithmetic batchArithmetic(const Recipe& recipe, std::int64_t dataParallelRanks);

/// One phrase for an offer's tab: "four replicas", "HSDP 4 × 8", "FSDP over 32".
std::string layoutPhrase(const Layout& layout, const ResolvedLayout& resolved);

} // namespace shardrack
