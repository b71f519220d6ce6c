#pragma once

#include "plan/plan.h"
#include "trace/timeline.h"

#include <vector>

namespace shardrack {

/// One rank over initialization, the first step and a steady one, moment by moment, with what its
/// account adds around the tensors.
struct RankTimeline {
    std::int32_t rank = 0;
    std::int32_t rankClass = 0;
    /// Tensors alone: without slack and memory outside the allocator, with categories that were
    /// given as a whole, which are held all the time.
    RankTrace trace;
    Timeline timeline;
    /// The highest that the tensors have been, by moment.
    std::vector<Bytes> highWater;
    Bytes slack; ///< at the peak
    Bytes outside; ///< all the time
    /// What belongs in the need and is not established, in stack order.
    std::vector<Category> open;
    /// Parts of the working set that somebody gave as a size: when they come and go is not known.
    std::vector<Category> given;

    bool isOpen(Category category) const;
    /// Whether it is known when the working set comes and goes.
    bool workingSetDerived() const;
    /// Memory of tensors at a moment: what an "allocated" counter reads.
    Bytes tensors(std::size_t moment) const { return timeline.moments[moment].total; }
    /// What the allocator has reserved: it never gives back, so the highest so far, with the
    /// account's slack in proportion to it.
    Bytes reserved(std::size_t moment) const;
    /// Everything at a moment; at the peak exactly what the account says the rank needs.
    Bytes held(std::size_t moment) const { return reserved(moment) + outside; }
    /// What the rank needs: the account's, of what is established.
    Bytes need() const { return tensors(timeline.peak) + slack + outside; }
};

/// The timeline of a rank of an assessed offer. Fails where the account does, and for a rank that
/// does not exist.
Result<RankTimeline> rankTimeline(const Workload& workload, const Assessment& assessment,
    std::int32_t rank, std::size_t most = kMostMoments);

/// A tensor that is held at a moment.
struct HeldTensors {
    std::uint32_t tensor = 0;
    std::int64_t count = 0; ///< equal ones
    Bytes each;
    Category category = Category::State;
    Bytes bytes() const { return each * count; }
};
/// What is held at a moment, largest first; equal ones in stack order.
std::vector<HeldTensors> heldAt(const RankTimeline& timeline, std::size_t moment);

} // namespace shardrack
