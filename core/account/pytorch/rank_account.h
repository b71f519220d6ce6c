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

/// The account of every rank: without a pipeline all are alike.
class TorchAccount : public Strategy {
public:
    /// Throws Failure in words where the run is refused or a size leaves 64 bits.
    TorchAccount(const Workload& workload, const TorchRun& run);
    RankClass rankClass(std::int64_t stage) override;
    RankTrace trace(std::int64_t stage) const override;
    Bytes oneCopy(const RankClass& ranks) const override;

private:
    void addTerms(RankClass& ranks) const;
    /// Parameters, gradients and optimizer state of one rank, padding excluded.
    Bytes stateOfRank() const;

    const Workload& m_workload;
    TorchRun m_run;
    std::uint32_t m_without = 0;
    TorchMemory m_memory;
    /// The same run with the other value of a switch that was assumed.
    std::vector<std::unique_ptr<TorchMemory>> m_alternatives;
};

} // namespace shardrack
