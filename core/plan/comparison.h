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
        /// Most headroom first. Offers on a changed basis come after all those on the common one,
        /// whatever their headroom; in either part a headroom that is only "at most" comes after
        /// those that are established, and over capacity after both.
        ByHeadroom
    };
    /// Into Plan::offers; empty: all. Numbers that do not exist or come twice are left out.
    std::vector<std::size_t> offers;
    /// Into Plan::offers; differences are against it. One that is not compared: the first column.
    std::size_t baseline = 0;
    Order order = Order::AsChosen;
    bool operator==(const ComparisonChoice&) const = default;
};

/// One offer's answer to one row.
struct ComparisonCell {
    std::string text; ///< with its unit; "not given", "not established" where it is
    std::string detail; ///< its arithmetic or reason; may be empty
    std::optional<Bytes> bytes; ///< where the cell is a size
    bool atLeast = false; ///< the size is a lower bound
    /// Bytes minus the baseline's, where both are established in full; absent for the baseline.
    std::optional<Bytes> change;
    std::optional<Provenance> provenance; ///< absent: the cell is no number
    bool open = false; ///< not given or not established
    bool changedBasis = false; ///< differs from the common workload: ≠
    bool differs = false; ///< from the baseline
    bool operator==(const ComparisonCell&) const = default;
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
    /// Stable id: "capacity", the id of a workload field ("micro_batch"), "term_parameters" for the
    /// lines of the arithmetic, a person's words for a change of basis that no field says.
    std::string field;
    std::string title; ///< for people
    std::vector<ComparisonCell> cells; ///< parallel to Comparison::offers
    bool equal = true; ///< all cells say the same
    /// No offer says anything: all cells are open and nothing of them is known.
    bool unknown() const;
    bool operator==(const ComparisonRow&) const = default;
};
/// "Findings", "Most loaded device", "Workload", …
const char* title(ComparisonRow::Section section);
/// The ids of the command line: "findings", "most loaded", "workload", …
const char* id(ComparisonRow::Section section);

struct ComparedOffer {
    std::size_t offer = 0; ///< into Plan::offers
    std::shared_ptr<const Assessment> assessment;
    std::string phrase; ///< "4 replicas"
    std::vector<BasisChange> changes; ///< empty: on the common basis, and may be ranked

    /// Where headroom is least; null when no GPU has a rank.
    const DeviceClass* mostLoaded() const;
};

/// Offers side by side. Holds what it was made from.
struct Comparison {
    std::shared_ptr<const Plan> plan;
    std::vector<ComparedOffer> offers; ///< in the order shown
    std::size_t baseline = 0; ///< into `offers`
    std::vector<ComparisonRow> rows; ///< by section, in the order shown

    const Offer& offer(std::size_t column) const { return *plan->offers[offers[column].offer]; }
    /// The row of that id, or null.
    const ComparisonRow* row(const std::string& field) const;
};

/// Compares offers of a plan. `assessments`, where given, is parallel to Plan::offers and spares
/// computing them (null entries are computed).
Comparison compare(std::shared_ptr<const Plan> plan, const ComparisonChoice& choice,
    const std::vector<std::shared_ptr<const Assessment>>& assessments = {});

/// What the most loaded device of an offer holds of a category, a line for each term: "Moments:
/// 8,030,261,248 × 8 B ÷ 32, sharded over a shard group of 32 = 1.87 GiB".
std::vector<std::string> termLines(const ComparedOffer& offer, Category category);

/// The comparison in the form of the command line's contract (docs/command-line.md).
Json toJson(const Comparison& comparison);
/// For a terminal.
std::string comparisonText(const Comparison& comparison, bool hideEqual = false);
/// Rows as a table; `hideEqual` leaves out rows in which all offers say the same,
/// never the findings. Every change of
/// basis is marked with ≠. CSV as in RFC 4180 (UTF-8, lines end with CR LF); a cell that a
/// spreadsheet would take for a formula begins with an apostrophe.
std::string comparisonCsv(const Comparison& comparison, bool hideEqual = false);
/// The same with tabs between cells, for the clipboard.
std::string comparisonTsv(const Comparison& comparison, bool hideEqual = false);
/// A heading and a table for each section; characters with a meaning in Markdown are escaped.
std::string comparisonMarkdown(const Comparison& comparison, bool hideEqual = false);
/// The same for the clipboard of programs that take formatted text.
std::string comparisonHtml(const Comparison& comparison, bool hideEqual = false);

} // namespace shardrack
