#pragma once

#include "report/compose.h"

#include "plan/comparison.h"
#include "plan/summary.h"

namespace shardrack {

/// Writes the sections of one report; each function adds one. An empty section stays as one line.
class Composer {
public:
    Composer(const ReportInput& input, const ReportOptions& options, Comparison comparison);

    ReportDocument compose(const PageNumbers& numbers);

private:
    void begin(ReportSection section, const QString& note = {});
    void say(const Rich& text, Paragraph::Size size = Paragraph::Size::Body);
    std::size_t count() const { return m_comparison.offers.size(); }
    QString nameOf(std::size_t column) const;
    /// "all offers", "Offer R, Offer S".
    QString namesOf(const std::vector<std::size_t>& columns) const;
    /// An empty corner and a cell for each offer.
    std::vector<Cell> offersHeader() const;
    /// A column for what is said, and equal ones for the offers.
    std::vector<Table::Column> offerColumns() const;
    static Cell cellOf(const ComparisonCell& cell);

    void metadata();
    void opening();
    void findings();
    void mostLoaded();
    void reasons();
    void basis();
    void changesTable();
    void arithmetic();
    void provenance();
    void devices();
    void shards();
    void sideBySide();
    void change();
    void notEstablished();
    void questions();
    void assumptions();
    void glossary();
    void versions();
    /// Puts the list of what is on which page where it belongs.
    void contents(std::size_t at, const PageNumbers& numbers);

    const ReportInput& m_input;
    const ReportOptions& m_options;
    Comparison m_comparison;
    PlanSummary m_summary;
    ReportDocument m_document;
};

/// The words of the plan in Qt's form.
inline QString q(const std::string& text) { return QString::fromStdString(text); }

} // namespace shardrack
