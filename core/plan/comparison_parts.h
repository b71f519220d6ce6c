#pragma once

#include "plan/comparison.h"

#include <utility>

namespace shardrack {

/// Adds the rows of a comparison section by section. The rows know nothing of each other: what
/// follows from all cells of a row (equal, change) is filled in afterwards.
class ComparisonRows {
public:
    explicit ComparisonRows(Comparison& comparison)
        : m_comparison(comparison)
    {
    }
    void addAll();

private:
    using Section = ComparisonRow::Section;
    void addFindings();
    void addMostLoaded();
    void addWorkload();
    void addDeclaredChanges();
    void addHardware();
    void addSite();
    void addLayout();
    void addArithmetic();
    void addAgainstUsable();
    void addRedundancy();
    /// Some offers are known to take an optimizer step over another number of sequences.
    bool stepsDiffer() const;
    void addCommunication();
    void addEvidence();
    void addPrice();

    /// `cell` makes the answer of one column.
    template <class MakeCell>
    void add(Section section, std::string field, std::string title, MakeCell&& cell)
    {
        ComparisonRow row;
        row.section = section;
        row.field = std::move(field);
        row.title = std::move(title);
        row.cells.reserve(m_comparison.offers.size());
        for (std::size_t column = 0; column < m_comparison.offers.size(); ++column)
            row.cells.push_back(cell(column));
        m_comparison.rows.push_back(std::move(row));
    }

    const Offer& offer(std::size_t column) const { return m_comparison.offer(column); }
    const Workload& workload(std::size_t column) const
    {
        return m_comparison.plan->workloadOf(m_comparison.offers[column].offer);
    }
    const Assessment& assessment(std::size_t column) const
    {
        return *m_comparison.offers[column].assessment;
    }
    const DeviceClass* mostLoaded(std::size_t column) const
    {
        return m_comparison.offers[column].mostLoaded();
    }

    Comparison& m_comparison;
};

// The usual kinds of cells.

/// Words that are no number.
ComparisonCell said(std::string text, std::string detail = {});
/// What somebody gave, or "not given".
ComparisonCell given(std::string text, std::string detail = {});
ComparisonCell notEstablished(std::string detail = {});
ComparisonCell size(Bytes bytes, Provenance provenance, std::string detail = {});
/// "nothing placed": no GPU has a rank.
ComparisonCell nothingPlaced();

} // namespace shardrack
