#include "document/selection.h"

#include <algorithm>

namespace shardrack {

Selection::Selection(QObject* parent)
    : QObject(parent)
{
}

bool Selection::contains(GpuRef gpu) const
{
    return std::binary_search(m_state.gpus.begin(), m_state.gpus.end(), gpu);
}

void Selection::selectGpu(GpuRef gpu) { assign({ { gpu }, gpu, 0, -1 }); }

void Selection::toggleGpu(GpuRef gpu)
{
    State state { m_state.gpus, gpu, 0, -1 };
    const auto place = std::lower_bound(state.gpus.begin(), state.gpus.end(), gpu);
    if (place != state.gpus.end() && *place == gpu)
        state.gpus.erase(place);
    else
        state.gpus.insert(place, gpu);
    assign(std::move(state));
}

void Selection::selectGpus(std::vector<GpuRef> gpus, GpuRef focus)
{
    assign({ std::move(gpus), focus, 0, -1 });
}

void Selection::selectServer(ServerId server, std::vector<GpuRef> itsGpus)
{
    const GpuRef focus = itsGpus.empty() ? GpuRef {} : itsGpus.front();
    assign({ std::move(itsGpus), focus, server, -1 });
}

void Selection::selectRack(int rack, std::vector<GpuRef> itsGpus)
{
    const GpuRef focus = itsGpus.empty() ? GpuRef {} : itsGpus.front();
    assign({ std::move(itsGpus), focus, 0, rack });
}

void Selection::clear() { assign({}); }

void Selection::prune(const SiteIndex& index, const Site& site)
{
    const auto gone = [&](const GpuRef& gpu) { return index.ordinal(gpu) < 0; };
    State state = m_state;
    state.gpus.erase(std::remove_if(state.gpus.begin(), state.gpus.end(), gone), state.gpus.end());
    if (gone(state.focus))
        state.focus = state.gpus.empty() ? GpuRef {} : state.gpus.front();
    const bool serverExists = std::any_of(index.servers().begin(), index.servers().end(),
        [&](const SiteIndex::Place& place) { return place.id == state.server; });
    if (!serverExists)
        state.server = 0;
    if (state.rack >= static_cast<int>(site.racks.size()))
        state.rack = -1;
    assign(std::move(state));
    if (gone(m_hovered))
        setHovered({});
}

void Selection::setHovered(GpuRef gpu)
{
    if (gpu == m_hovered)
        return;
    m_hovered = gpu;
    emit hoverChanged();
}

void Selection::assign(State state)
{
    std::sort(state.gpus.begin(), state.gpus.end());
    state.gpus.erase(std::unique(state.gpus.begin(), state.gpus.end()), state.gpus.end());
    if (state == m_state)
        return;
    m_state = std::move(state);
    emit changed();
}

} // namespace shardrack
