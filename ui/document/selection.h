#pragma once

#include "site/site.h"

#include <QObject>

#include <vector>

namespace shardrack {

/// The one selection that canvas, bars, inspector and lists share: GPUs of the current offer
/// (sorted, unique), or a server or rack as a whole. Ids, never indices: it survives edits; what no
/// longer exists is dropped by prune().
class Selection : public QObject {
    Q_OBJECT
public:
    explicit Selection(QObject* parent = nullptr);

    const std::vector<GpuRef>& gpus() const { return m_state.gpus; }
    bool contains(GpuRef gpu) const;
    bool empty() const { return m_state.gpus.empty() && m_state.server == 0 && m_state.rack < 0; }
    /// The GPU that keyboard commands start from; the last one clicked or moved to.
    GpuRef focus() const { return m_state.focus; }
    /// The server selected as a whole (its header was clicked), or 0.
    ServerId server() const { return m_state.server; }
    /// The rack selected as a whole (index in the site), or -1.
    int rack() const { return m_state.rack; }

    void selectGpu(GpuRef gpu); ///< alone
    void toggleGpu(GpuRef gpu);
    void selectGpus(std::vector<GpuRef> gpus, GpuRef focus);
    void selectServer(ServerId server, std::vector<GpuRef> itsGpus);
    void selectRack(int rack, std::vector<GpuRef> itsGpus);
    void clear();
    /// Drops what the site no longer has.
    void prune(const SiteIndex& index, const Site& site);

    /// GPU under the pointer in any view, for outlines in the others; {0, 0} when none.
    GpuRef hovered() const { return m_hovered; }
    void setHovered(GpuRef gpu);

signals:
    void changed();
    void hoverChanged();

private:
    struct State {
        std::vector<GpuRef> gpus;
        GpuRef focus;
        ServerId server = 0;
        int rack = -1;
        bool operator==(const State&) const = default;
    };
    void assign(State state);

    State m_state;
    GpuRef m_hovered;
};

} // namespace shardrack
