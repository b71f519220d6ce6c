#pragma once

#include "document/plan_document.h"
#include "paint/memory_bars.h"

namespace shardrack {

/// In which order the bars of an offer stand.
enum class BarOrder { MostLoaded, Rack };

/// Ordinals of the offer's GPUs in the order in which their bars stand. Most loaded first: least
/// headroom first, idle GPUs last; above 128 GPUs racks are sorted so and stay whole.
std::vector<std::int32_t> barOrder(const ShownOffer& offer, BarOrder order);

/// Per ordinal of `after` the ordinal that the GPU has in `before`, or -1. GPUs that went from one
/// server to another are known by their ranks, which go with them.
std::vector<std::int32_t> ordinalsBefore(const Assessment& before, const Assessment& after);

/// The GPUs of `order`, in the same order, by their ordinals in another version of the site, where
/// `was` tells what each was before; those that are gone are left out, new ones come last.
std::vector<std::int32_t> heldOrder(
    const std::vector<std::int32_t>& order, const std::vector<std::int32_t>& was);

/// The chart's input: `gpus` are ordinals of the tried offer if there is one, else of `now`.
/// Selection and hover are the caller's.
MemoryBarsInput barsInput(const ShownOffer& now, const std::optional<ShownOffer>& tried,
    const std::vector<std::int32_t>& gpus, const std::vector<std::int32_t>& was);

/// "rank 0 on A1·0 needs at least 24.00 of 16.00 GiB, not confirmed: over by at least 8.00".
QString barToolTip(const ShownOffer& offer, std::int32_t gpu);

} // namespace shardrack
