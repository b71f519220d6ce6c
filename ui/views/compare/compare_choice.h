#pragma once

#include "plan/comparison.h"

#include <string>
#include <vector>

namespace shardrack {

/// What a person chose to compare, kept while the document is open; no part of the plan. Offers are
/// known by name, so that the choice survives edits, moves, closing and undo.
class CompareChoice {
public:
    static constexpr std::size_t kFewest = 2;
    static constexpr std::size_t kMost = 6;

    /// Which of a plan's offers are compared: those chosen that exist, else the first six.
    ComparisonChoice of(const Plan& plan) const;
    /// Takes over a choice made for a plan. All offers of the plan in its order, the first as
    /// baseline, is the choice that follows new offers.
    void set(const Plan& plan, const ComparisonChoice& choice);
    /// Offers were renamed, added or removed: a name that changed in its place stays chosen.
    void follow(const Plan& before, const Plan& after);
    void clear() { *this = {}; }

private:
    std::vector<std::string> m_offers; ///< empty: all, up to kMost
    std::string m_baseline; ///< empty: the first
    ComparisonChoice::Order m_order = ComparisonChoice::Order::AsChosen;
};

} // namespace shardrack
