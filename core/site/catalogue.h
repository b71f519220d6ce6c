#pragma once

#include "base/amount.h"
#include "base/json.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shardrack {

/// A GPU as the catalogue knows it. Figures that nobody states are absent, never zero.
struct GpuType {
    std::string id; ///< "h100-sxm5-80"
    std::string name; ///< "H100 80GB HBM3 (SXM5)"
    std::string vendor;
    std::string formFactor;
    std::string shortName; ///< for tight places: "H100-80GB", "16 GiB GPU"
    Bytes installed; ///< as the device reports it; else the label taken as GiB (installedIsLabel)
    bool installedIsLabel = false;
    /// Memory visible to a process: observed, else reported - reserved; else, where the board
    /// reports nothing, the nearest board of the same chip (usableConfirmed false).
    Bytes usable;
    bool usableConfirmed = true; ///< false: the figure stands in, a person has to confirm it
    std::string usableSource; ///< how `usable` is known, for the list of assumptions
    std::string source; ///< where `installed` comes from; may be empty
    std::string notes;
    int architecture = 0; ///< NVIDIA's compute capability × 10 (90 for 9.0); 0: of another vendor
    bool usual = false; ///< offered first; the others when somebody asks for all
    bool operator==(const GpuType&) const = default;
};

struct ServerType {
    std::string id; ///< "dgx-h100"
    std::string name;
    std::string gpu; ///< id of the GPU it comes with
    int gpuSlots = 0;
    int height = 0; ///< rack units; where nobody states it, a stand-in with heightKnown false
    bool heightKnown = true;
    std::string fabric; ///< between its GPUs, "NVSwitch full mesh"; empty when unknown
    bool usual = false;
    bool operator==(const ServerType&) const = default;
};

struct RackType {
    std::string id; ///< "eia-42u-600x1070"
    std::string name;
    int units = 0; ///< usable; where nobody states it, a stand-in with unitsKnown false
    bool unitsKnown = true;
    bool usual = false;
    bool operator==(const RackType&) const = default;
};

/// The hardware that can be placed, in the order in which it is offered. Immutable.
class Catalogue {
public:
    /// Reads the catalogue's JSON; its form is that of resources/catalogue.json. Refuses ids given
    /// twice, figures out of range, usable above installed, and servers whose GPU is not listed.
    static Result<Catalogue> parse(std::string_view text);
    /// The catalogue compiled into the program.
    static const Catalogue& builtIn();

    const std::vector<GpuType>& gpus() const { return m_gpus; }
    const std::vector<ServerType>& servers() const { return m_servers; }
    const std::vector<RackType>& racks() const { return m_racks; }
    const GpuType* gpu(std::string_view id) const; ///< null when unknown
    const ServerType* server(std::string_view id) const;
    const RackType* rack(std::string_view id) const;

private:
    std::vector<GpuType> m_gpus;
    std::vector<ServerType> m_servers;
    std::vector<RackType> m_racks;
};

} // namespace shardrack
