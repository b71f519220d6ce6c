#include "paint/axis_scale.h"

#include "paint/paint_style.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace shardrack {

namespace {

constexpr int kFewestSteps = 3;
constexpr int kMostSteps = 6;

/// Candidates, in GiB, between a ten-thousandth of a GiB and what 64 bits of bytes can hold.
std::vector<double> decimalSteps()
{
    std::vector<double> steps;
    for (int power = -4; power <= 10; ++power)
        for (const double digit : { 1.0, 2.0, 5.0 })
            steps.push_back(digit * std::pow(10.0, power));
    return steps;
}

bool divides(double step, double gibibytes)
{
    const double times = gibibytes / step;
    return times >= 1 && times == std::floor(times);
}

} // namespace

Bytes AxisScale::full() const
{
    const double bytes = maximum() * static_cast<double>(kGiB);
    constexpr double kLargest = 9.2e18;
    return Bytes(static_cast<std::int64_t>(std::min(bytes, kLargest)));
}

QString AxisScale::label(int tick) const
{
    const int decimals
        = step >= 1 ? 0 : std::max(1, static_cast<int>(std::ceil(-std::log10(step) - 1e-9)));
    const double bytes = step * tick * static_cast<double>(kGiB);
    return gib(Bytes(std::llround(std::min(bytes, 9.2e18))), decimals);
}

AxisScale axisFor(Bytes highest, std::optional<Bytes> usable, double room)
{
    // With nothing to show the axis still speaks of memory.
    const Bytes top = highest > Bytes(0) ? highest : Bytes(16 * kGiB);
    const double gibibytes = static_cast<double>(top.count()) / static_cast<double>(kGiB);
    const double reach = std::max(gibibytes, 0.001) / (1 - std::clamp(room, 0.0, 0.5));
    const double usableGib
        = usable ? static_cast<double>(usable->count()) / static_cast<double>(kGiB) : 0;

    std::vector<double> candidates = decimalSteps();
    // Accelerators mostly have a power of two GiB: then the capacity line lies on a tick.
    for (double step = 0.25; step <= 4096; step *= 2)
        if (divides(step, usableGib))
            candidates.push_back(step);

    AxisScale best;
    double bestCost = -1;
    for (const double step : candidates) {
        const double steps = std::floor(reach / step) + 1;
        if (steps < kFewestSteps || steps > kMostSteps)
            continue;
        const double waste = steps * step / reach;
        // A line on a tick is worth some empty space above the bars.
        const double cost
            = waste * (divides(step, usableGib) ? 0.6 : 1.0) + 0.02 * std::abs(steps - 5);
        if (bestCost < 0 || cost < bestCost) {
            bestCost = cost;
            best = { step, static_cast<int>(steps) };
        }
    }
    return best;
}

} // namespace shardrack
