#include "compare/compare_choice.h"

#include <algorithm>
#include <numeric>

namespace shardrack {

namespace {

std::optional<std::size_t> offerNamed(const Plan& plan, const std::string& name)
{
    const auto found = std::find_if(plan.offers.begin(), plan.offers.end(),
        [&](const auto& offer) { return offer->name == name; });
    if (found == plan.offers.end())
        return std::nullopt;
    return static_cast<std::size_t>(found - plan.offers.begin());
}

std::vector<std::size_t> firstOffers(const Plan& plan)
{
    std::vector<std::size_t> offers(std::min(plan.offers.size(), CompareChoice::kMost));
    std::iota(offers.begin(), offers.end(), 0);
    return offers;
}

} // namespace

ComparisonChoice CompareChoice::of(const Plan& plan) const
{
    ComparisonChoice choice;
    choice.order = m_order;
    for (const std::string& name : m_offers)
        if (const auto offer = offerNamed(plan, name))
            choice.offers.push_back(*offer);
    if (choice.offers.size() < kFewest)
        choice.offers = firstOffers(plan);
    const auto baseline = offerNamed(plan, m_baseline);
    const bool among = baseline
        && std::find(choice.offers.begin(), choice.offers.end(), *baseline) != choice.offers.end();
    choice.baseline = among ? *baseline : choice.offers.empty() ? 0 : choice.offers.front();
    return choice;
}

void CompareChoice::set(const Plan& plan, const ComparisonChoice& choice)
{
    clear();
    m_order = choice.order;
    if (choice.baseline < plan.offers.size())
        m_baseline = plan.offers[choice.baseline]->name;
    if (choice.offers == firstOffers(plan))
        return;
    for (const std::size_t offer : choice.offers)
        m_offers.push_back(plan.offers[offer]->name);
}

void CompareChoice::follow(const Plan& before, const Plan& after)
{
    if (before.offers.size() != after.offers.size())
        return;
    for (std::size_t i = 0; i < before.offers.size(); ++i) {
        const std::string& was = before.offers[i]->name;
        const std::string& is = after.offers[i]->name;
        if (was == is || offerNamed(after, was) || offerNamed(before, is))
            continue;
        std::replace(m_offers.begin(), m_offers.end(), was, is);
        if (m_baseline == was)
            m_baseline = is;
    }
}

} // namespace shardrack
