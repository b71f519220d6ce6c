#include "plan/basis.h"
#include "plan/edit_draft.h"
#include "plan/edit_hardware.h"
#include "plan/edit_layout.h"
#include "plan/edit_steps.h"
#include "plan/edit_words.h"
#include "plan/plan_json.h"

#include "base/size_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <unordered_set>

namespace shardrack {

namespace {

void requireOfferName(const Plan& plan, const std::string& name, const Offer* except = nullptr)
{
    requireName(name, "An offer");
    for (const auto& offer : plan.offers)
        if (offer.get() != except && offer->name == name)
            refuse("There is an offer named " + name + " already");
}

/// Refuses an offer's hardware that cannot be; puts it in order.
void settle(Offer& offer)
{
    std::vector<ServerId> ids;
    std::unordered_set<std::string> serverNames;
    std::unordered_set<std::string> rackNames;
    for (std::shared_ptr<const Rack>& rack : offer.site.racks) {
        requireName(rack->name, "A rack");
        if (!rackNames.insert(rack->name).second)
            refuse("Two racks of " + offer.name + " are named " + rack->name);
        for (const Server& server : rack->servers) {
            requireName(server.name, "A server");
            if (!serverNames.insert(server.name).second)
                refuse("Two servers of " + offer.name + " are named " + server.name);
            ids.push_back(server.id);
        }
        Rack settled = *rack;
        shardrack::settle(settled);
        if (!(settled == *rack))
            rack = std::make_shared<const Rack>(std::move(settled));
    }
    std::sort(ids.begin(), ids.end());
    if (!ids.empty() && ids.front() < 1)
        refuse("A server of " + offer.name + " has no number");
    if (const auto twice = std::adjacent_find(ids.begin(), ids.end()); twice != ids.end())
        refuse("Two servers of " + offer.name + " have the number " + std::to_string(*twice));
}

} // namespace

std::string perform(Plan& plan, const edit::SetTitle& edit)
{
    plan.title = edit.title;
    return edit.title.empty() ? "Remove the plan's title" : "Set the plan's title to " + edit.title;
}

std::string perform(Plan& plan, const edit::SetMargin& edit)
{
    if (edit.margin.bytes && *edit.margin.bytes < Bytes(0))
        refuse("A required margin cannot be less than 0 bytes");
    plan.margin = edit.margin;
    return edit.margin.bytes ? "Set required margin to " + exactText(*edit.margin.bytes)
                             : "Remove required margin";
}

std::string perform(Plan& plan, const edit::AddOffer& edit)
{
    requireOfferName(plan, edit.offer.name);
    if (edit.position > plan.offers.size())
        refuse("There is no place number " + std::to_string(edit.position + 1) + ": the plan has "
            + counted(static_cast<std::int64_t>(plan.offers.size()), "offer"));
    Offer offer = edit.offer;
    settle(offer);
    requireRoom(offer);
    requireSoundLayout(offer);
    stampEvidence(offer, *plan.workload);
    plan.offers.insert(plan.offers.begin() + static_cast<std::ptrdiff_t>(edit.position),
        std::make_shared<const Offer>(std::move(offer)));
    return "Add offer " + edit.offer.name;
}

std::string perform(Plan& plan, const edit::RemoveOffer& edit)
{
    const std::string name = offerAt(plan, edit.offer).name;
    plan.offers.erase(plan.offers.begin() + static_cast<std::ptrdiff_t>(edit.offer));
    return "Remove offer " + name;
}

std::string perform(Plan& plan, const edit::RenameOffer& edit)
{
    const Offer& before = offerAt(plan, edit.offer);
    requireOfferName(plan, edit.name, &before);
    const std::string name = "Rename offer " + before.name + " to " + edit.name;
    Offer after = before;
    after.name = edit.name;
    replaceOffer(plan, edit.offer, std::move(after));
    return name;
}

std::string perform(Plan& plan, const edit::MoveOffer& edit)
{
    const std::string name = offerAt(plan, edit.offer).name;
    offerAt(plan, edit.to);
    if (edit.offer == edit.to)
        refuse("Offer " + name + " is in this place already");
    auto offer = std::move(plan.offers[edit.offer]);
    plan.offers.erase(plan.offers.begin() + static_cast<std::ptrdiff_t>(edit.offer));
    plan.offers.insert(
        plan.offers.begin() + static_cast<std::ptrdiff_t>(edit.to), std::move(offer));
    return "Move offer " + name;
}

std::string perform(Plan& plan, const edit::Restore& edit)
{
    plan = edit.plan;
    return edit.name;
}

} // namespace shardrack
