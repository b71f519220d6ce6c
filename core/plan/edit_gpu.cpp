#include "plan/edit_draft.h"
#include "plan/edit_hardware.h"
#include "plan/edit_steps.h"
#include "plan/edit_words.h"

#include "base/size_text.h"

#include <algorithm>

namespace shardrack {

namespace {

/// Where the GPUs of a server are after one of them went to `to` (or away): those behind it move
/// up.
auto without(GpuRef gone, std::optional<GpuRef> to)
{
    return [gone, to](GpuRef gpu) -> std::optional<GpuRef> {
        if (gpu == gone)
            return to;
        if (gpu.server == gone.server && gpu.index > gone.index)
            --gpu.index;
        return gpu;
    };
}

/// Changes the GPUs of a server whose refs are in [first, last), in ascending order.
std::vector<GpuRun> withUsable(const Server& server, std::vector<GpuRef>::const_iterator first,
    std::vector<GpuRef>::const_iterator last, const edit::SetUsable& edit)
{
    std::vector<GpuRun> runs;
    int index = 0;
    for (const GpuRun& run : server.gpus)
        for (const int end = index + run.count; index < end;) {
            GpuRun piece = run;
            int next = index;
            while (next < end && first != last && first->index == next) {
                ++first;
                ++next;
            }
            if (next > index) {
                piece.usable = edit.usable;
                piece.confirmed = edit.confirmed;
            } else {
                next = first != last ? std::min(end, first->index) : end;
            }
            piece.count = next - index;
            index = next;
            appendGpus(runs, std::move(piece));
        }
    return runs;
}

std::string nameOf(const edit::SetUsable& edit, const std::string& gpus)
{
    if (edit.usable)
        return "Set usable memory of " + gpus + " to " + exactText(*edit.usable)
            + (edit.confirmed ? "" : ", not confirmed");
    return edit.confirmed ? "Use the catalogue's usable memory for " + gpus
                          : "Mark usable memory of " + gpus + " as not confirmed";
}

} // namespace

Server oneGpuServer(GpuRun gpu)
{
    Server server;
    server.gpuSlots = 1;
    for (const ServerType& type : Catalogue::builtIn().servers())
        if (type.gpuSlots == 1 && type.height == 1 && type.gpu == gpu.type)
            server.type = type.id;
    server.gpus.push_back(std::move(gpu));
    return server;
}

std::string perform(Plan& plan, const edit::AddGpu& edit)
{
    OfferDraft draft(plan, edit.offer);
    requireGpuType(edit.type);
    requireFreeSlot(draft.server(edit.server));
    draft.expectHardware(edit.ranks);
    Server& server = draft.changeServer(edit.server);
    GpuRun gpu;
    gpu.type = edit.type;
    gpu.count = 1;
    gpu.confirmed = edit.confirmed;
    const int index = server.gpuCount();
    appendGpus(server.gpus, std::move(gpu));
    draft.giveRanks(server, index);
    const std::string name = "Add GPU " + gpuWords(server, index);
    requireRoom(draft.offer());
    draft.commit();
    return name;
}

std::string perform(Plan& plan, const edit::RemoveGpu& edit)
{
    OfferDraft draft(plan, edit.offer);
    const std::string name = "Remove GPU " + draft.gpuName(edit.gpu);
    draft.holdRanks();
    draft.followGpus(without(edit.gpu, std::nullopt));
    takeGpu(draft.changeServer(edit.gpu.server), edit.gpu.index);
    draft.commit();
    return name;
}

std::string perform(Plan& plan, const edit::MoveGpu& edit)
{
    OfferDraft draft(plan, edit.offer);
    const std::string gpuName = draft.gpuName(edit.gpu);
    const Server& to = draft.server(edit.server);
    if (edit.gpu.server == edit.server)
        refuse("GPU " + gpuName + " is in server " + to.name + " already");
    requireFreeSlot(to);
    const std::string name = "Move GPU " + gpuName + " to server " + to.name;
    draft.holdRanks();
    draft.followGpus(without(edit.gpu, GpuRef { edit.server, to.gpuCount() }));
    GpuRun gpu = takeGpu(draft.changeServer(edit.gpu.server), edit.gpu.index);
    appendGpus(draft.changeServer(edit.server).gpus, std::move(gpu));
    draft.commit();
    return name;
}

std::string perform(Plan& plan, const edit::MoveGpuToRack& edit)
{
    OfferDraft draft(plan, edit.offer);
    const Rack& rack = draft.rack(edit.rack);
    const std::string name = "Move GPU " + draft.gpuName(edit.gpu) + " to rack " + rack.name;
    draft.holdRanks();
    Server server = oneGpuServer(takeGpu(draft.changeServer(edit.gpu.server), edit.gpu.index));
    requireSpace(rack, edit.unit, server.height);
    server.id = nextServerId(draft.offer());
    server.name = nextServerName(draft.offer(), rack);
    server.unit = edit.unit;
    draft.followGpus(without(edit.gpu, GpuRef { server.id, 0 }));
    insertServer(draft.changeRack(edit.rack), std::move(server));
    draft.commit();
    return name;
}

std::string perform(Plan& plan, const edit::SetUsable& edit)
{
    OfferDraft draft(plan, edit.offer);
    if (edit.gpus.empty())
        refuse("No GPU is selected");
    if (edit.usable && *edit.usable < Bytes(0))
        refuse("Usable memory cannot be less than 0 bytes");
    std::vector<GpuRef> gpus = edit.gpus;
    std::sort(gpus.begin(), gpus.end());
    gpus.erase(std::unique(gpus.begin(), gpus.end()), gpus.end());

    // Once through the site, however many GPUs are meant.
    std::size_t found = 0;
    for (std::size_t rack = 0; rack < draft.racks().size(); ++rack) {
        // The rack as it was: the draft's copy is another object.
        const auto before = draft.racks()[rack];
        const std::vector<Server>& servers = before->servers;
        for (std::size_t number = 0; number < servers.size(); ++number) {
            const Server& server = servers[number];
            const auto first
                = std::lower_bound(gpus.cbegin(), gpus.cend(), GpuRef { server.id, 0 });
            const auto last
                = std::lower_bound(first, gpus.cend(), GpuRef { server.id, server.gpuCount() });
            if (first == last)
                continue;
            found += static_cast<std::size_t>(last - first);
            std::vector<GpuRun> runs = withUsable(server, first, last, edit);
            if (runs != server.gpus)
                draft.changeRack(rack).servers[number].gpus = std::move(runs);
        }
    }
    if (found < gpus.size())
        for (const GpuRef& gpu : gpus)
            draft.serverOf(gpu);

    const Server& server = draft.serverOf(gpus.front());
    const std::string name = nameOf(edit,
        gpus.size() == 1 ? gpuWords(server, gpus.front().index)
                         : counted(static_cast<std::int64_t>(gpus.size()), "GPU")
                + (gpus.front().server == gpus.back().server ? " of " + server.name : ""));
    draft.commit();
    return name;
}

} // namespace shardrack
