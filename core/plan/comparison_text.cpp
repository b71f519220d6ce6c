// The comparison for a terminal: one line an offer, so that six offers fit as well as two.

#include "plan/comparison.h"
#include "plan/text_layout.h"

#include "base/size_text.h"

namespace shardrack {

namespace {

std::string cellLine(const ComparisonCell& cell)
{
    std::string line = (cell.changedBasis ? "≠ " : "") + cell.text;
    if (!cell.detail.empty())
        line += ": " + cell.detail;
    if (cell.change && *cell.change != Bytes(0))
        line += std::string(" [") + (*cell.change > Bytes(0) ? "+" : "") + gibText(*cell.change)
            + " against the baseline]";
    return line;
}

/// Whether one line answers for all offers.
bool sameForAll(const ComparisonRow& row)
{
    for (const ComparisonCell& cell : row.cells)
        if (cellLine(cell) != cellLine(row.cells.front()))
            return false;
    return true;
}

void addRow(TextTable& table, const Comparison& comparison, const ComparisonRow& row)
{
    if (sameForAll(row)) {
        table.row({ row.title, comparison.offers.size() > 1 ? "all" : comparison.offer(0).name,
            cellLine(row.cells.front()) });
        return;
    }
    for (std::size_t i = 0; i < row.cells.size(); ++i)
        table.row({ i == 0 ? row.title : "", comparison.offer(i).name, cellLine(row.cells[i]) });
}

void addOffers(TextPage& page, const Comparison& comparison)
{
    page.heading("Offers");
    TextTable table(2);
    for (std::size_t i = 0; i < comparison.offers.size(); ++i) {
        const ComparedOffer& offer = comparison.offers[i];
        std::string line = offer.phrase;
        if (i == comparison.baseline)
            line += "; baseline of the differences";
        line += offer.changes.empty()
            ? "; on the common basis"
            : "; ≠ changed basis: not ranked against offers on the common basis";
        table.row({ comparison.offer(i).name, line });
    }
    page.table(table, 2);
}

} // namespace

std::string comparisonText(const Comparison& comparison, bool hideEqual)
{
    const Plan& plan = *comparison.plan;
    TextPage page;
    if (!plan.title.empty())
        page.line(plan.title);
    if (!plan.note.empty())
        page.wrapped("", plan.note);
    else if (plan.fictional)
        page.wrapped("", "This example is fictional.");
    addOffers(page, comparison);
    for (std::size_t i = 0; i < comparison.rows.size();) {
        const ComparisonRow::Section section = comparison.rows[i].section;
        TextTable table(3);
        for (; i < comparison.rows.size() && comparison.rows[i].section == section; ++i)
            if (!hideEqual || !comparison.rows[i].equal
                || section == ComparisonRow::Section::Findings)
                addRow(table, comparison, comparison.rows[i]);
        if (!table.empty()) {
            page.heading(title(section));
            page.table(table, 2);
        }
    }
    return std::move(page).text();
}

} // namespace shardrack
