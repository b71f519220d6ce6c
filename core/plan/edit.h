#pragma once

#include "plan/plan.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace shardrack {

// Edits: small values that can be written to a journal. apply() gives the new plan, an edit that
// undoes it, its name for people, and what changed. An edit that makes no sense on the plan is
// refused with words and changes nothing.

/// Whether hardware that arrives gets ranks. Auto: when the layout is a preset that follows the
/// hardware.
enum class NewRanks { Auto, Yes, No };
/// What Auto means where this is the layout.
bool newHardwareGetsRanks(const Layout& layout);

/// The server that a GPU on free rack space becomes: the catalogue's one-GPU server for it, or one
/// without a type; without name, number and place.
Server oneGpuServer(GpuRun gpu);

namespace edit {

struct SetTitle {
    std::string title;
};
struct SetMargin {
    RequiredMargin margin;
};
struct SetWorkload {
    Workload workload;
}; ///< the common workload
/// The offer's own workload, which differs from the common one; absent: back on the common basis.
struct SetOfferWorkload {
    std::size_t offer = 0;
    std::optional<Workload> workload;
};
/// The offer's own workload becomes the question put to all offers; those that had none follow it,
/// and one that has the same loses its own.
struct MakeWorkloadCommon {
    std::size_t offer = 0;
};
/// Why an offer's basis differs, and differences that no field of the workload says.
struct SetBasis {
    std::size_t offer = 0;
    std::vector<BasisStatement> statements;
};
struct SetAssumptions {
    std::size_t offer = 0;
    std::vector<std::string> assumptions;
};
struct SetInterconnect {
    std::size_t offer = 0;
    std::string interconnect;
};
struct SetPrice {
    std::size_t offer = 0;
    std::optional<Price> price;
};
/// All measurements of an offer, entered by hand. Evidence without a basis is recorded for the
/// offer as it stands.
struct SetMeasurements {
    std::size_t offer = 0;
    std::vector<Measurement> measurements;
};
struct SetOutcome {
    std::size_t offer = 0;
    std::optional<TrainingOutcome> outcome;
};
struct AddOffer {
    Offer offer;
    std::size_t position = 0;
};
struct RemoveOffer {
    std::size_t offer = 0;
};
struct RenameOffer {
    std::size_t offer = 0;
    std::string name;
};
struct MoveOffer {
    std::size_t offer = 0;
    std::size_t to = 0;
};

struct AddRack {
    std::size_t offer = 0;
    Rack rack;
    std::size_t position = 0;
    NewRanks ranks = NewRanks::Auto;
};
struct RemoveRack {
    std::size_t offer = 0;
    std::size_t rack = 0;
};
struct MoveRack {
    std::size_t offer = 0;
    std::size_t rack = 0;
    std::size_t to = 0;
};
struct RenameRack {
    std::size_t offer = 0;
    std::size_t rack = 0;
    std::string name;
};

/// The server's id is given by apply(); its name is made unique.
struct AddServer {
    std::size_t offer = 0;
    std::size_t rack = 0;
    Server server;
    NewRanks ranks = NewRanks::Auto;
};
struct RemoveServer {
    std::size_t offer = 0;
    ServerId server = 0;
};
struct MoveServer {
    std::size_t offer = 0;
    ServerId server = 0;
    std::size_t rack = 0;
    int unit = 1;
};
struct RenameServer {
    std::size_t offer = 0;
    ServerId server = 0;
    std::string name;
};

/// Into a free slot of a server, after its other GPUs; `confirmed` as in GpuRun.
struct AddGpu {
    std::size_t offer = 0;
    ServerId server = 0;
    std::string type;
    NewRanks ranks = NewRanks::Auto;
    bool confirmed = true;
};
struct RemoveGpu {
    std::size_t offer = 0;
    GpuRef gpu;
};
/// Into a free slot of another server; ranks go with it.
struct MoveGpu {
    std::size_t offer = 0;
    GpuRef gpu;
    ServerId server = 0;
};
/// Onto free rack space, where it becomes a one-GPU server; ranks go with it.
struct MoveGpuToRack {
    std::size_t offer = 0;
    GpuRef gpu;
    std::size_t rack = 0;
    int unit = 1;
};

/// What the job can have on these GPUs: a size that a person gives (confirmed), or the catalogue's.
struct SetUsable {
    std::size_t offer = 0;
    std::vector<GpuRef> gpus;
    std::optional<Bytes> usable;
    bool confirmed = true;
};

struct SetLayout {
    std::size_t offer = 0;
    Layout layout;
};
/// A new rank, numbered last, on a GPU.
struct AddRank {
    std::size_t offer = 0;
    GpuRef gpu;
};
/// The ranks leave the job: their GPUs go idle, higher ranks move down.
struct RemoveRank {
    std::size_t offer = 0;
    RankSet ranks;
};
/// The rank runs on another GPU, beside any that is there.
struct MoveRank {
    std::size_t offer = 0;
    std::int32_t rank = 0;
    GpuRef gpu;
};
/// The ranks leave their groups for `group`, which is made when it does not exist.
struct JoinGroup {
    std::size_t offer = 0;
    RankSet ranks;
    std::string group;
    PartSet distributes = PartSet::all();
};
/// The ranks leave all groups: each becomes a replica of its own.
struct LeaveGroups {
    std::size_t offer = 0;
    RankSet ranks;
};

/// Back to an earlier plan; the inverse of every edit. Blocks are shared, so it costs pointers.
struct Restore {
    Plan plan;
    std::string name;
};

} // namespace edit

using Edit = std::variant<edit::SetTitle, edit::SetMargin, edit::SetWorkload,
    edit::SetOfferWorkload, edit::MakeWorkloadCommon, edit::SetBasis, edit::SetAssumptions,
    edit::SetInterconnect, edit::SetPrice, edit::SetMeasurements, edit::SetOutcome, edit::AddOffer,
    edit::RemoveOffer, edit::RenameOffer, edit::MoveOffer, edit::AddRack, edit::RemoveRack,
    edit::MoveRack, edit::RenameRack, edit::AddServer, edit::RemoveServer, edit::MoveServer,
    edit::RenameServer, edit::AddGpu, edit::RemoveGpu, edit::MoveGpu, edit::MoveGpuToRack,
    edit::SetUsable, edit::SetLayout, edit::AddRank, edit::RemoveRank, edit::MoveRank,
    edit::JoinGroup, edit::LeaveGroups, edit::Restore>;

/// What differs between two plans, found by comparing shared blocks; views ask it whether they are
/// concerned.
struct ChangeSet {
    bool title = false;
    bool margin = false;
    bool workload = false; ///< the common workload
    bool offerList = false; ///< offers added, removed, moved or renamed
    struct OfferChange {
        std::size_t offer = 0; ///< in the new plan
        bool hardware = false;
        bool layout = false;
        bool workload = false;
        bool facts = false; ///< basis, interconnect, price, evidence, result
        std::vector<std::size_t>
            racks; ///< indices of changed racks when the list itself is the same
        bool rackList = false;
    };
    std::vector<OfferChange>
        offers; ///< only those present in both at the same position and changed
    bool any() const { return title || margin || workload || offerList || !offers.empty(); }
};
ChangeSet difference(const Plan& before, const Plan& after);

struct Applied {
    Plan plan;
    Edit inverse;
    std::string name; ///< "Add server A2", "Take rank 3 out of shard group S"
    ChangeSet changes;
};
/// Applies an edit to a plan. An Error says why it is refused ("server A1 has no free GPU slot …").
/// Callers write shardrack::apply: for a variant, argument-dependent lookup also offers std::apply.
Result<Applied> apply(const Plan& plan, const Edit& edit);

/// One line of a journal: {"edit": "move server", …}.
Json toJson(const Edit& edit);
Result<Edit> editFromJson(const JsonView& view);

} // namespace shardrack
