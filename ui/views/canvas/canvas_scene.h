#pragma once

#include "document/plan_document.h"
#include "paint/stacked_bar.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace shardrack {

/// How the GPUs of one device class look; made once per class.
struct GpuLook {
    StackedBar bar;
    Capacity capacity = Capacity::Open;
    Bytes need;
    bool atLeast = false; ///< something that belongs in `need` is not established
    int openTerms = 0;
    bool idle = true;
    double level = 0; ///< need as a share of usable
    /// Nothing of the need is established: it is no figure, not zero.
    bool unknown() const { return !idle && atLeast && need.count() == 0; }
    bool over() const { return !idle && capacity == Capacity::Over; }
    Bytes usable() const { return bar.usable.value_or(Bytes()); }
    bool operator==(const GpuLook&) const = default;
};

/// The offer that the canvas shows, and beside it the one it is compared with while an edit is
/// being tried. Const snapshots; GPUs are named by their ordinal in the shown offer's SiteIndex.
class CanvasScene {
public:
    CanvasScene() = default;
    CanvasScene(ShownOffer shown, std::optional<ShownOffer> before);

    bool hasOffer() const { return m_shown.plan != nullptr; }
    bool whatIf() const { return m_before.has_value(); }
    const ShownOffer& shown() const { return m_shown; }
    const std::optional<ShownOffer>& before() const { return m_before; }
    const Site& site() const { return m_shown.get().site; }
    const SiteIndex& index() const { return m_shown.assessment->index; }
    const ResolvedLayout& layout() const { return m_shown.assessment->layout; }
    int rackCount() const { return hasOffer() ? static_cast<int>(site().racks.size()) : 0; }
    int gpuCount() const { return hasOffer() ? index().gpuCount() : 0; }

    const Rack& rack(int rack) const { return *site().racks[std::size_t(rack)]; }
    const SiteIndex::Place& place(int rack, int server) const
    {
        return index().servers()[std::size_t(m_firstPlace[std::size_t(rack)] + server)];
    }
    /// First GPU of a rack (the next rack's first is its end).
    std::int32_t firstGpu(int rack) const { return m_firstGpu[std::size_t(rack)]; }
    std::int32_t ordinal(int rack, int server, int slot) const
    {
        return place(rack, server).firstGpu + slot;
    }
    std::int32_t ordinal(GpuRef gpu) const { return hasOffer() ? index().ordinal(gpu) : -1; }
    /// The GPUs of a rack; their ordinals are consecutive.
    std::vector<GpuRef> gpusOfRack(int rack) const;
    std::vector<GpuRef> gpusOfServer(const SiteIndex::Place& place) const;
    /// Rack and server index of a server; absent when the shown offer has none of that id.
    std::optional<std::pair<int, int>> find(ServerId server) const;

    const GpuLook& look(std::int32_t gpu) const { return m_looks[lookIndex(gpu)]; }
    /// The same GPU without the edit that is being tried; null when it is new or nothing is tried.
    const GpuLook* lookBefore(std::int32_t gpu) const;
    /// It exists only in the what-if, or has its first rank there.
    bool isNew(std::int32_t gpu) const;
    /// Change of its need by the edit that is being tried; absent when there is none to state.
    std::optional<Bytes> change(std::int32_t gpu) const;

    int overInRack(int rack) const { return m_overInRack[std::size_t(rack)]; }
    int overIn(std::int32_t firstGpu, int count) const;
    /// The same before the edit that is being tried.
    int overBefore(const SiteIndex::Place& place) const;
    /// Equal for racks whose GPUs are filled alike: racks of one key share their picture.
    std::uint64_t rackKey(int rack) const { return m_rackKey[std::size_t(rack)]; }
    /// The device class that all GPUs of a rack share; -1 when they differ or there is none.
    int classOfRack(int rack) const { return m_classOfRack[std::size_t(rack)]; }
    /// 0 to 5: the ramp; 6: over capacity; 7: idle.
    static int fillCode(const GpuLook& look);

    /// The end of every bar on the canvas: they share one axis.
    Bytes axis() const { return m_axis; }

private:
    std::size_t lookIndex(std::int32_t gpu) const
    {
        const auto& classes = m_shown.assessment->account.classOfGpu;
        return std::size_t(gpu) < classes.size() ? classes[std::size_t(gpu)] : m_looks.size() - 1;
    }
    static std::vector<GpuLook> looksOf(const ShownOffer& offer);

    ShownOffer m_shown;
    std::optional<ShownOffer> m_before;
    std::vector<GpuLook> m_looks; ///< by device class; one more for GPUs without a class
    std::vector<GpuLook> m_looksBefore;
    std::vector<std::int32_t> m_firstPlace;
    std::vector<std::int32_t> m_firstGpu;
    std::vector<std::int32_t> m_overInRack;
    std::vector<std::int32_t> m_classOfRack;
    std::vector<std::uint64_t> m_rackKey;
    Bytes m_axis;
};

} // namespace shardrack
