#pragma once

#include "site/catalogue.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace shardrack {

/// What the job can really have on a device, and how that is known. A figure given and confirmed by
/// a person wins; else the catalogue's. Where neither exists the bytes are 0 and not established.
struct UsableAllocation {
    Bytes bytes;
    /// Stipulated: confirmed by a person. Derived: catalogue figure. NotEstablished: not confirmed,
    /// the bytes stand in (the device is then open at best).
    Provenance provenance = Provenance::NotEstablished;
    bool operator==(const UsableAllocation&) const = default;
};

/// Equal neighbouring GPUs of one server.
struct GpuRun {
    std::string type; ///< catalogue id
    int count = 0;
    std::optional<Bytes>
        usable; ///< confirmed or changed by a person; absent: the catalogue's figure
    bool confirmed = true; ///< false: marked as not confirmed, whatever the figure
    Extra extra;
    /// Value equality (extra by value).
    friend bool operator==(const GpuRun& a, const GpuRun& b);
};

/// Stable identity of a server within its offer; survives moves and renames. Given in file order on
/// load (1, 2, …) and never reused while the plan is open.
using ServerId = std::int32_t;

struct Server {
    ServerId id = 0;
    std::string name; ///< unique within the offer
    std::string type; ///< catalogue id, may be empty
    int unit = 1; ///< lowest rack unit that it occupies, from 1 at the top as drawn
    int height = 1; ///< rack units
    int gpuSlots = 0; ///< places for GPUs; at least gpuCount() ("slots" alone is a macro of Qt)
    std::vector<GpuRun> gpus;
    Extra extra;

    int gpuCount() const;
    /// The run that holds GPU `index`; null when out of range.
    const GpuRun* gpuAt(int index) const;
    friend bool operator==(const Server& a, const Server& b);
};

struct Rack {
    std::string name; ///< unique within the offer
    std::string type; ///< catalogue id, may be empty
    int units = 42;
    std::vector<Server> servers; ///< by unit, ascending
    Extra extra;

    /// The server that occupies `unit`, or null.
    const Server* serverAt(int unit) const;
    /// Whether `height` units from `unit` on are inside the rack and free, `except` not counting.
    bool isFree(int unit, int height, ServerId except = 0) const;
    /// The lowest-numbered unit at or after `from` where `height` units are free; 0 when there is
    /// none.
    int firstFree(int height, int from = 1) const;
    friend bool operator==(const Rack& a, const Rack& b);
};

/// One GPU of a site.
struct GpuRef {
    ServerId server = 0;
    int index = 0; ///< from 0 within the server
    auto operator<=>(const GpuRef&) const = default;
};

/// Racks → servers → GPUs. A value; unchanged racks are shared between versions of a plan.
struct Site {
    std::vector<std::shared_ptr<const Rack>> racks;
    Extra extra;

    friend bool operator==(const Site& a, const Site& b);
};

/// A site's GPUs in site order (racks, then units from the top, then index), with what is known of
/// each. Built once per version of a site; the ordinal of a GPU is its position here.
class SiteIndex {
public:
    struct Place {
        std::int32_t rack = 0; ///< index into Site::racks
        std::int32_t server = 0; ///< index into Rack::servers
        std::int32_t firstGpu = 0; ///< ordinal of the server's GPU 0
        std::int32_t gpuCount = 0;
        ServerId id = 0;
    };
    /// What all GPUs of one kind share.
    struct Kind {
        std::string type; ///< catalogue id
        Bytes installed;
        bool installedKnown = true; ///< false: the type is not in the catalogue
        UsableAllocation usable;
        int architecture = 0; ///< NVIDIA's compute capability × 10; 0: not known
        bool operator==(const Kind&) const = default;
    };
    SiteIndex() = default;
    SiteIndex(const Site& site, const Catalogue& catalogue);

    std::int32_t gpuCount() const { return static_cast<std::int32_t>(m_kindOf.size()); }
    const std::vector<Place>& servers() const { return m_servers; } ///< in site order
    const std::vector<Kind>& kinds() const { return m_kinds; }
    const Kind& kind(std::int32_t ordinal) const
    {
        return m_kinds[std::size_t(kindIndex(ordinal))];
    }
    std::int32_t kindIndex(std::int32_t ordinal) const { return m_kindOf[std::size_t(ordinal)]; }
    /// Place (index into servers()) of the server that holds a GPU.
    std::int32_t serverOf(std::int32_t ordinal) const;
    /// Ordinal of a GPU, or -1 when the server or index does not exist.
    std::int32_t ordinal(GpuRef gpu) const;
    GpuRef ref(std::int32_t ordinal) const;
    /// "A1·0".
    std::string deviceName(const Site& site, std::int32_t ordinal) const;
    Bytes installedTotal() const { return m_installedTotal; }

private:
    std::vector<Place> m_servers;
    std::vector<std::pair<ServerId, std::int32_t>> m_byId; ///< sorted
    std::vector<Kind> m_kinds;
    std::vector<std::int32_t> m_kindOf;
    Bytes m_installedTotal;
};

/// "A1·0-3,8,A2·0-7": devices by ordinal, in site order, collapsed per server.
std::string deviceNames(
    const Site& site, const SiteIndex& index, const std::vector<std::int32_t>& ordinals);

} // namespace shardrack
