#pragma once

#include "document/carried.h"

namespace shardrack {

/// Where it would land.
struct DropTarget {
    enum class Kind {
        None,
        NewRack, ///< beside the racks: behind the last
        RackSpace, ///< `unit` of rack `rack`: where the lowest-numbered unit of it would be
        Server, ///< onto a server: a GPU takes a free slot
        Gpu, ///< onto a GPU: ranks move there, other GPUs go beside it
        Group, ///< ranks join the group named `group`
        NewGroup, ///< ranks form a group of their own, named `group` or the next free name
        NoGroup, ///< ranks leave their groups
        NoRank ///< ranks leave the job: the GPUs go idle
    };
    Kind kind = Kind::None;
    std::size_t rack = 0;
    int unit = 0;
    ServerId server = 0;
    GpuRef gpu;
    std::string group;
    bool operator==(const DropTarget&) const = default;
};

/// The edit that a drop on the current offer means; an Error says in one sentence why it means
/// nothing there. `alt` inverts whether new hardware gets ranks. Menus and keys use the same
/// function. What depends on the rest of the plan (occupied units, a rank that is there already) is
/// refused, in the same words everywhere, when the edit is tried or performed.
Result<Edit> editForDrop(
    const PlanDocument& document, const Carried& carried, const DropTarget& target, bool alt);

/// "8 × H100-80GB server", "rank 3", for ghosts, status bar and accessible text.
QString carriedText(const Carried& carried, const PlanDocument& document);
/// How many rack units the carried hardware takes; 1 for a GPU, 0 for racks and ranks.
int carriedHeight(const Carried& carried, const PlanDocument& document);
/// How many ranks new hardware brings in this offer; 0 for what is placed already.
int ranksBrought(const Carried& carried, const PlanDocument& document, bool alt);

} // namespace shardrack
