#pragma once

#include "account/account.h"
#include "account/megatron/memory.h"
#include "account/strategy.h"

#include <memory>
#include <optional>
#include <vector>

namespace shardrack {

/// What keeps Megatron-LM, where it is the framework, from being what the plan says: a layout that
/// divides the state in a way that the framework has not (it goes by its own distributed
/// optimizer), or an optimizer whose state is not computed yet. Absent: nothing, or another
/// framework.
std::optional<Refusal> foreignToMegatron(const Workload& workload, const ResolvedLayout& layout);

/// The run that a workload and a layout describe on GPUs of one architecture; absent where the
/// framework is another one, what its memory needs is not given (model with all its dimensions,
/// micro-batch, sequence), or foreignToMegatron() names something.
std::optional<MegatronRun> megatronRun(
    const Workload& workload, const ResolvedLayout& layout, int architecture);

/// Accounts of all stages on GPUs of one architecture; an account is made when it is asked for.
class MegatronAccount : public Strategy {
public:
    /// Throws Failure in words where the run is refused or a size leaves 64 bits.
    MegatronAccount(const Workload& workload, const MegatronRun& run);
    RankClass rankClass(std::int64_t stage) override;
    RankTrace trace(std::int64_t stage) const override;
    Bytes oneCopy(const RankClass& ranks) const override;

private:
    void addTerms(RankClass& ranks, std::int64_t stage) const;
    void addSpread(RankClass& ranks, std::int64_t stage);

    const Workload& m_workload;
    MegatronRun m_run;
    std::uint32_t m_without = 0;
    MegatronMemory m_memory;
    /// The same run with the other value of a switch that nobody gave and no source settles.
    std::vector<std::unique_ptr<MegatronMemory>> m_alternatives;
};

} // namespace shardrack
