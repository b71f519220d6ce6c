#pragma once

#include "plan/plan.h"

#include <string>
#include <vector>

namespace shardrack {

// What edits do to single racks and servers.

/// Refuses a GPU type that the catalogue does not know.
void requireGpuType(const std::string& type);
/// Refuses a server that cannot be (no height, more GPUs than slots, …); joins equal neighbouring
/// GPUs.
void settle(Server& server);
/// The same for a rack and its servers, which are put in order and must not overlap.
void settle(Rack& rack);
/// Refuses when `height` units from `unit` on are not free in the rack; `except` does not count.
void requireSpace(const Rack& rack, int unit, int height, ServerId except = 0);
/// Refuses when every GPU slot of the server is used.
void requireFreeSlot(const Server& server);
/// A name for a new server that no server of the offer has, in the manner of the rack: "A5" after
/// "A1".
std::string nextServerName(const Offer& offer, const Rack& rack);
/// Puts a server into its place among the rack's servers; the space is free.
void insertServer(Rack& rack, Server server);
/// Takes a server out; it exists.
Server takeServer(Rack& rack, ServerId id);
/// Puts GPUs behind the others, into the last run if they are equal to it.
void appendGpus(std::vector<GpuRun>& runs, GpuRun gpus);
/// Takes one GPU out, with all that is known of it; it exists.
GpuRun takeGpu(Server& server, int index);

} // namespace shardrack
