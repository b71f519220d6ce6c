#include "site/site.h"

#include <algorithm>

namespace shardrack {

bool operator==(const GpuRun& a, const GpuRun& b)
{
    return a.count == b.count && a.usable == b.usable && a.confirmed == b.confirmed
        && a.type == b.type && sameExtra(a.extra, b.extra);
}

bool operator==(const Server& a, const Server& b)
{
    return a.id == b.id && a.unit == b.unit && a.height == b.height && a.gpuSlots == b.gpuSlots
        && a.name == b.name && a.type == b.type && a.gpus == b.gpus && sameExtra(a.extra, b.extra);
}

bool operator==(const Rack& a, const Rack& b)
{
    return a.units == b.units && a.name == b.name && a.type == b.type && a.servers == b.servers
        && sameExtra(a.extra, b.extra);
}

bool operator==(const Site& a, const Site& b)
{
    const auto sameRack
        = [](const auto& x, const auto& y) { return x == y || (x && y && *x == *y); };
    return std::equal(a.racks.begin(), a.racks.end(), b.racks.begin(), b.racks.end(), sameRack)
        && sameExtra(a.extra, b.extra);
}

} // namespace shardrack
