#pragma once

#include "account/pytorch/memory.h"
#include "account/strategy.h"

#include <memory>
#include <optional>
#include <vector>

namespace shardrack {

/// What keeps a framework built on torch, where it is the framework, from being what the plan says.
std::optional<Refusal> foreignToTorch(const Workload& workload, const ResolvedLayout& layout);

/// The run that a workload and a layout describe on GPUs of one architecture; absent where the
/// framework is another one, what its memory needs is not given (model with all its dimensions,
/// micro-batch, sequence), or foreignToTorch() names something.
std::optional<TorchRun> torchRun(
    const Workload& workload, const ResolvedLayout& layout, int architecture);

/// What follows from degrees and the number of micro-steps for switches that nobody gave.
void settleTorch(TorchRun& run);

/// Accounts of all pipeline stages; without a pipeline all ranks are alike.
class TorchAccount : public Strategy {
public:
    /// Throws Failure in words where the run is refused or a size leaves 64 bits.
    TorchAccount(const Workload& workload, const TorchRun& run);
    RankClass rankClass(std::int64_t stage) override;
    RankTrace trace(std::int64_t stage) const override;
    Bytes oneCopy(const RankClass& ranks) const override;

private:
    TorchMemory& memory(std::int64_t stage) const;
    void addTerms(RankClass& ranks, std::int64_t stage) const;
    /// Parameters, gradients and optimizer state of one rank, padding excluded.
    Bytes stateOfRank(std::int64_t stage) const;

    const Workload& m_workload;
    TorchRun m_run;
    std::uint32_t m_without = 0;
    mutable std::shared_ptr<TorchMeasured> m_measured; ///< of all stages
    mutable std::vector<std::unique_ptr<TorchMemory>> m_memory; ///< by stage, made when asked for
};

} // namespace shardrack
