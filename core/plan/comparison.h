#pragma once

#include "plan/basis.h"
#include "plan/plan.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace shardrack {

/// Which offers are compared, and how they are put side by side.
struct ComparisonChoice {
    enum class Order {
        AsChosen,
        ByHeadroom ///< most headroom first; offers on a changed basis after those on the common one
    };
    std::vector<std::size_t> offers; ///< into Plan::offers; empty: all
    std::size_t baseline = 0; ///< into Plan::offers; differences are against it
    Order order = Order::AsChosen;
};

/// One offer's answer to one row.
struct ComparisonCell {
    std::string text; ///< with its unit; "not given", "not established" where it is
    std::string detail; ///< its arithmetic or reason; may be empty
    std::optional<Bytes> bytes; ///< where the cell is a size
    std::optional<Provenance> provenance; ///< absent: the cell is no number
    bool open = false; ///< not given or not established
    bool changedBasis = false; ///< differs from the common workload: ≠
    bool differs = false; ///< from the baseline
};

struct ComparisonRow {
    enum class Section {
        Findings,
        MostLoaded,
        Workload,
        Hardware,
        Arithmetic,
        Redundancy,
        Communication,
        Evidence,
        Price
    };
    Section section = Section::Findings;
    std::string field; ///< stable id: "capacity", "micro_batch", "parameters"
    std::string title; ///< for people
    std::vector<ComparisonCell> cells; ///< parallel to Comparison::offers
    bool equal = true; ///< all cells say the same
};
const char* title(ComparisonRow::Section section);

struct ComparedOffer {
    std::size_t offer = 0; ///< into Plan::offers
    std::shared_ptr<const Assessment> assessment;
    std::string phrase; ///< "4 replicas"
    std::vector<BasisChange> changes; ///< empty: on the common basis, and may be ranked
};

/// Offers side by side. Holds what it was made from.
struct Comparison {
    std::shared_ptr<const Plan> plan;
    std::vector<ComparedOffer> offers; ///< in the order shown
    std::size_t baseline = 0; ///< into `offers`
    std::vector<ComparisonRow> rows; ///< by section, in the order shown

    const Offer& offer(std::size_t column) const { return *plan->offers[offers[column].offer]; }
};

/// Compares offers of a plan. `assessments`, where given, is parallel to Plan::offers and spares
/// computing them (null entries are computed).
Comparison compare(std::shared_ptr<const Plan> plan, const ComparisonChoice& choice,
    const std::vector<std::shared_ptr<const Assessment>>& assessments = {});

/// The comparison in the form of the command line's contract (docs/command-line.md).
Json toJson(const Comparison& comparison);
/// For a terminal.
std::string comparisonText(const Comparison& comparison);
/// Rows as a table; `hideEqual` leaves out rows in which all offers say the same.
std::string comparisonCsv(const Comparison& comparison, bool hideEqual = false);
std::string comparisonMarkdown(const Comparison& comparison, bool hideEqual = false);

} // namespace shardrack
