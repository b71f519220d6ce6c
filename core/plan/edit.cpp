#include "plan/edit.h"

#include "plan/edit_steps.h"

#include <algorithm>

namespace shardrack {

namespace {

template <class T>
bool sameBlock(const std::shared_ptr<const T>& a, const std::shared_ptr<const T>& b)
{
    return a == b || (a && b && *a == *b);
}

bool hasOffer(const Plan& plan, const std::string& name)
{
    return std::any_of(plan.offers.begin(), plan.offers.end(),
        [&](const auto& offer) { return offer->name == name; });
}

using Racks = std::vector<std::shared_ptr<const Rack>>;

void compareRacks(const Racks& before, const Racks& after, ChangeSet::OfferChange& change)
{
    change.rackList = before.size() != after.size();
    if (change.rackList)
        return;
    std::vector<const Rack*> gone;
    for (std::size_t rack = 0; rack < after.size(); ++rack)
        if (!sameBlock(before[rack], after[rack])) {
            change.racks.push_back(rack);
            gone.push_back(before[rack].get());
        }
    // A rack that was elsewhere moved: the list is another one.
    std::sort(gone.begin(), gone.end());
    change.rackList = std::any_of(change.racks.begin(), change.racks.end(), [&](std::size_t rack) {
        return std::binary_search(gone.begin(), gone.end(), after[rack].get());
    });
    if (change.rackList)
        change.racks.clear();
}

ChangeSet::OfferChange compareOffers(const Offer& before, const Offer& after, std::size_t index)
{
    ChangeSet::OfferChange change;
    change.offer = index;
    compareRacks(before.site.racks, after.site.racks, change);
    change.hardware = change.rackList || !change.racks.empty()
        || !sameExtra(before.site.extra, after.site.extra);
    change.layout = !(before.layout == after.layout);
    change.workload = !sameBlock(before.workload, after.workload);
    change.facts = !(before.basis == after.basis && before.interconnect == after.interconnect
        && before.price == after.price && before.measurements == after.measurements
        && before.outcome == after.outcome);
    return change;
}

} // namespace

ChangeSet difference(const Plan& before, const Plan& after)
{
    ChangeSet changes;
    changes.title = before.title != after.title || before.note != after.note
        || before.fictional != after.fictional || !sameExtra(before.extra, after.extra);
    changes.margin = !(before.margin == after.margin);
    changes.workload = !sameBlock(before.workload, after.workload);
    changes.offerList = before.offers.size() != after.offers.size();
    const std::size_t common = std::min(before.offers.size(), after.offers.size());
    for (std::size_t i = 0; i < common; ++i) {
        if (before.offers[i] == after.offers[i])
            continue;
        const Offer& old = *before.offers[i];
        const Offer& now = *after.offers[i];
        if (old.name != now.name || old.assumptions != now.assumptions
            || !sameExtra(old.extra, now.extra))
            changes.offerList = true;
        if (old.name != now.name && (hasOffer(before, now.name) || hasOffer(after, old.name)))
            continue; // another offer came to this place
        ChangeSet::OfferChange change = compareOffers(old, now, i);
        if (change.hardware || change.layout || change.workload || change.facts)
            changes.offers.push_back(std::move(change));
    }
    return changes;
}

Result<Applied> apply(const Plan& plan, const Edit& edit)
{
    return attempt([&] {
        Applied applied;
        applied.plan = plan;
        applied.name
            = std::visit([&](const auto& step) { return perform(applied.plan, step); }, edit);
        applied.inverse = edit::Restore { plan, applied.name };
        applied.changes = difference(plan, applied.plan);
        return applied;
    });
}

} // namespace shardrack
