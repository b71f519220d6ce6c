#pragma once

#include "plan/edit.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace shardrack {

/// The offer at `index`; refuses when there is none.
const Offer& offerAt(const Plan& plan, std::size_t index);
/// Ranks of an offer, by rule or by hand.
std::int32_t rankCount(const Offer& offer);
/// Refuses more GPUs or ranks than an offer can have.
void requireRoom(const Offer& offer);
/// Puts a changed offer in the place of offer `index`, which exists.
void replaceOffer(Plan& plan, std::size_t index, Offer offer);

/// One offer of a plan while an edit changes it: looks things up, copies the blocks that change,
/// and keeps ranks with their GPUs. Lookups refuse what does not exist. Nothing reaches the plan
/// before commit().
class OfferDraft {
public:
    OfferDraft(Plan& plan, std::size_t index);

    Offer& offer() { return m_offer; }
    const Offer& offer() const { return m_offer; }
    Layout& layout() { return m_offer.layout; }
    std::vector<std::shared_ptr<const Rack>>& racks() { return m_offer.site.racks; }

    const Rack& rack(std::size_t index) const;
    const Server& server(ServerId id) const;
    /// The server that holds a GPU which exists.
    const Server& serverOf(GpuRef gpu) const;
    /// "A1·0".
    std::string gpuName(GpuRef gpu) const;
    /// Index of the rack that holds a server.
    std::size_t rackOf(ServerId id) const;

    /// A rack, or a server in its rack, to be changed; the same object on every call until racks
    /// are added, removed or moved. References into a rack last until its list of servers changes.
    Rack& changeRack(std::size_t index);
    Server& changeServer(ServerId id);

    /// To be called before any change of the hardware: where ranks do not follow it, writes down on
    /// which GPUs they are.
    void holdRanks();
    /// The same before hardware arrives; decides whether giveRanks() will do anything.
    void expectHardware(NewRanks ranks);
    /// New ranks, numbered last, for GPUs of a server that arrived, from `firstGpu` on. By rule
    /// they have them already.
    void giveRanks(const Server& server, int firstGpu = 0);
    /// Ranks go where their GPUs go: `where` gives the new place of a GPU, or nothing when the GPU
    /// leaves; a rank leaves with any of its GPUs.
    template <class Where> void followGpus(Where where);

    std::int32_t rankCount() const { return shardrack::rankCount(m_offer); }
    void requireRank(std::int32_t rank) const;
    /// The rule's placement becomes one by hand, and ranks follow the hardware no more.
    void placeByHand();
    /// The placement by hand, to be changed.
    Placement& placement();
    /// Takes ranks out of the job; higher ranks move down.
    void removeRanks(const RankSet& ranks);

    /// The preset's groups become groups by hand.
    void groupByHand();
    /// Takes ranks out of all groups by hand; groups left empty vanish.
    void leaveGroups(const RankSet& ranks);

    /// Puts the offer into the plan; data-parallel degrees that spanned the ranks follow their
    /// number.
    void commit();

private:
    struct Spot {
        std::size_t rack = 0;
        std::size_t server = 0;
    };
    Spot find(ServerId id) const;
    bool ranksFollow() const;
    bool hasDegrees() const;

    Plan& m_plan;
    std::size_t m_index;
    Offer m_offer;
    std::int32_t m_ranksBefore = 0; ///< where degrees depend on it
    bool m_giveRanks = false;
    std::vector<std::pair<std::size_t, std::shared_ptr<Rack>>> m_changedRacks;
    std::shared_ptr<Placement> m_changedPlacement;
};

template <class Where> void OfferDraft::followGpus(Where where)
{
    if (!layout().placement)
        return;
    RankSet leaving;
    const Placement& before = *layout().placement;
    std::vector<std::pair<std::size_t, RankPlace>> moved;
    for (std::size_t rank = 0; rank < before.size(); ++rank) {
        bool changed = false;
        bool leaves = false;
        for (const GpuRef& gpu : before[rank].gpus) {
            const std::optional<GpuRef> to = where(gpu);
            leaves = leaves || !to;
            changed = changed || (to && *to != gpu);
        }
        if (leaves) {
            leaving.insert(static_cast<std::int32_t>(rank));
        } else if (changed) {
            moved.emplace_back(rank, before[rank]);
            for (GpuRef& gpu : moved.back().second.gpus)
                gpu = *where(gpu);
        }
    }
    for (auto& [rank, place] : moved)
        placement()[rank] = std::move(place);
    removeRanks(leaving);
}

} // namespace shardrack
