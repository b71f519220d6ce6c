#pragma once

#include "account/pytorch/memory.h"

#include <vector>

namespace shardrack {

/// Peaks of many runs, of which most differ in little: what was measured for one serves the others.
class TorchSearch {
public:
    /// As TorchMemory::steadyPeak.
    Peak steadyPeak(const TorchRun& run, std::int64_t pipelineStage = 0);

private:
    struct Known {
        TorchRun run;
        std::shared_ptr<TorchMeasured> measured;
    };
    std::shared_ptr<TorchMeasured> measuredFor(const TorchRun& run);

    static constexpr std::size_t kMost = 128; ///< about 50 kB each
    std::vector<Known> m_known;
    std::size_t m_oldest = 0;
};

} // namespace shardrack
