#include "docks/measured_marks.h"

#include <algorithm>
#include <map>

namespace shardrack {

std::vector<std::optional<Bytes>> measuredPeaks(const ShownOffer& offer)
{
    const std::vector<Measurement>& measurements = offer.get().measurements;
    const std::vector<ReadingVerdict>& readings = offer.assessment->findings.demonstration.readings;
    std::vector<std::optional<Bytes>> peaks;
    for (std::size_t i = 0; i < std::min(measurements.size(), readings.size()); ++i) {
        const Measurement& each = measurements[i];
        if (each.scope != MemoryScope::Device || each.average || !each.peak)
            continue;
        peaks.resize(static_cast<std::size_t>(offer.assessment->index.gpuCount()));
        for (const RankSet::Interval& interval : readings[i].gpus.intervals())
            for (std::int32_t gpu = interval.first; gpu <= interval.last; ++gpu) {
                std::optional<Bytes>& peak = peaks[static_cast<std::size_t>(gpu)];
                peak = std::max(peak, each.peak);
            }
    }
    return peaks;
}

void markMeasured(
    MemoryBarsInput& input, const ShownOffer& offer, const std::vector<std::int32_t>& gpus)
{
    const std::vector<std::optional<Bytes>> peaks = measuredPeaks(offer);
    if (peaks.empty())
        return;
    std::map<std::pair<std::int32_t, Bytes>, std::int32_t> classes;
    for (std::size_t i = 0; i < gpus.size(); ++i) {
        const std::optional<Bytes>& peak = peaks[static_cast<std::size_t>(gpus[i])];
        if (!peak)
            continue;
        const auto next = static_cast<std::int32_t>(input.classes.size());
        const auto [found, isNew] = classes.try_emplace({ input.bars[i], *peak }, next);
        if (isNew) {
            StackedBar marked = input.bar(static_cast<int>(i));
            marked.measured = peak;
            input.classes.push_back(std::move(marked));
        }
        input.bars[i] = found->second;
    }
}

} // namespace shardrack
