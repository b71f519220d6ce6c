#include "site/site.h"

#include <algorithm>

namespace shardrack {

int Server::gpuCount() const
{
    int count = 0;
    for (const GpuRun& run : gpus)
        count += run.count;
    return count;
}

const GpuRun* Server::gpuAt(int index) const
{
    if (index < 0)
        return nullptr;
    for (const GpuRun& run : gpus) {
        if (index < run.count)
            return &run;
        index -= run.count;
    }
    return nullptr;
}

const Server* Rack::serverAt(int unit) const
{
    const auto holds = [unit](const Server& server) {
        return unit >= server.unit && unit - server.unit < server.height;
    };
    const auto found = std::find_if(servers.begin(), servers.end(), holds);
    return found == servers.end() ? nullptr : &*found;
}

bool Rack::isFree(int unit, int height, ServerId except) const
{
    if (unit < 1 || height < 1 || height > units || unit > units - height + 1)
        return false;
    return std::none_of(servers.begin(), servers.end(), [=](const Server& server) {
        return server.id != except && server.unit < unit + height
            && unit - server.unit < server.height;
    });
}

int Rack::firstFree(int height, int from) const
{
    int unit = std::max(from, 1);
    for (const Server& server : servers) {
        if (server.unit - unit >= height)
            break; // the gap above this server is high enough
        unit = std::max(unit, server.unit + server.height);
    }
    return isFree(unit, height) ? unit : 0;
}

} // namespace shardrack
