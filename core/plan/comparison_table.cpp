// The comparison as a table for other programs: CSV, tabs, Markdown, HTML.

#include "plan/comparison.h"

#include "base/size_text.h"

#include <string_view>

namespace shardrack {

namespace {

constexpr const char* kChanged = "≠ ";

/// The table as texts: a heading and rows of equal length.
struct TextRow {
    ComparisonRow::Section section;
    std::string title;
    std::vector<std::string> cells;
};

std::string columnTitle(const Comparison& comparison, std::size_t column)
{
    const ComparedOffer& offer = comparison.offers[column];
    std::string text = comparison.offer(column).name;
    if (column == comparison.baseline && comparison.offers.size() > 1)
        text += " (baseline)";
    if (!offer.changes.empty())
        text += " ≠ changed basis";
    return text;
}

std::string signedText(Bytes change) { return (change > Bytes(0) ? "+" : "") + gibText(change); }

std::string cellText(const ComparisonCell& cell)
{
    std::string text = (cell.changedBasis ? kChanged : "") + cell.text;
    std::string beside = cell.detail;
    if (cell.change && *cell.change != Bytes(0))
        beside += (beside.empty() ? "" : "; ") + signedText(*cell.change) + " against the baseline";
    return beside.empty() ? text : text + " (" + beside + ")";
}

std::vector<TextRow> textRows(const Comparison& comparison, bool hideEqual)
{
    std::vector<TextRow> rows;
    for (const ComparisonRow& row : comparison.rows) {
        if (hideEqual && row.equal && comparison.offers.size() > 1
            && row.section != ComparisonRow::Section::Findings)
            continue;
        TextRow text { row.section, row.title, {} };
        for (const ComparisonCell& cell : row.cells)
            text.cells.push_back(cellText(cell));
        rows.push_back(std::move(text));
    }
    return rows;
}

/// What has to stand with every picture of this plan.
std::string noteOf(const Plan& plan)
{
    if (!plan.note.empty())
        return plan.note;
    return plan.fictional ? "This example is fictional." : "";
}

/// A spreadsheet would take such a cell for a formula, and run it.
bool looksLikeFormula(const std::string& cell)
{
    return !cell.empty() && std::string_view("=+-@\t\r").find(cell.front()) != std::string::npos;
}

std::string harmless(const std::string& cell) { return looksLikeFormula(cell) ? "'" + cell : cell; }

std::string csvCell(const std::string& cell)
{
    const std::string text = harmless(cell);
    if (text.find_first_of(",\"\r\n") == std::string::npos)
        return text;
    std::string quoted = "\"";
    for (const char c : text)
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
}

/// No tab and no line break can stand inside a cell.
std::string tsvCell(const std::string& cell)
{
    std::string text = harmless(cell);
    for (char& c : text)
        if (c == '\t' || c == '\r' || c == '\n')
            c = ' ';
    return text;
}

template <class Cell>
std::string delimited(
    const Comparison& comparison, bool hideEqual, char between, const char* lineEnd, Cell&& cell)
{
    std::string text;
    const auto line = [&](const std::string& section, const std::string& title, auto&& value) {
        text += cell(section) + between + cell(title);
        for (std::size_t i = 0; i < comparison.offers.size(); ++i)
            text += between + cell(value(i));
        text += lineEnd;
    };
    line("Section", "Row", [&](std::size_t i) { return columnTitle(comparison, i); });
    if (const std::string note = noteOf(*comparison.plan); !note.empty())
        line("Plan", "Note", [&](std::size_t) { return note; });
    for (const TextRow& row : textRows(comparison, hideEqual))
        line(title(row.section), row.title, [&](std::size_t i) { return row.cells[i]; });
    return text;
}

std::string markdownText(const std::string& words)
{
    constexpr std::string_view meaning = "\\`*_{}[]<>|~#&$";
    std::string text;
    for (const char c : words) {
        if (c == '\r')
            continue;
        if (c == '\n') {
            text += "<br>";
            continue;
        }
        if (meaning.find(c) != std::string_view::npos)
            text += '\\';
        text += c;
    }
    return text;
}

std::string htmlText(const std::string& words)
{
    std::string text;
    for (const char c : words)
        switch (c) {
        case '&':
            text += "&amp;";
            break;
        case '<':
            text += "&lt;";
            break;
        case '>':
            text += "&gt;";
            break;
        case '"':
            text += "&quot;";
            break;
        case '\n':
            text += "<br>";
            break;
        default:
            text += c;
        }
    return text;
}

std::string headingOf(const Plan& plan)
{
    return plan.title.empty() ? "Comparison of offers" : plan.title + ": comparison of offers";
}

} // namespace

std::string comparisonCsv(const Comparison& comparison, bool hideEqual)
{
    return delimited(comparison, hideEqual, ',', "\r\n", csvCell);
}

std::string comparisonTsv(const Comparison& comparison, bool hideEqual)
{
    return delimited(comparison, hideEqual, '\t', "\n", tsvCell);
}

std::string comparisonMarkdown(const Comparison& comparison, bool hideEqual)
{
    std::string text = "# " + markdownText(headingOf(*comparison.plan)) + "\n";
    if (const std::string note = noteOf(*comparison.plan); !note.empty())
        text += "\n" + markdownText(note) + "\n";
    const std::vector<TextRow> rows = textRows(comparison, hideEqual);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (i == 0 || rows[i].section != rows[i - 1].section) {
            text += "\n## " + std::string(title(rows[i].section)) + "\n\n|  |";
            std::string rule = "\n| --- |";
            for (std::size_t column = 0; column < comparison.offers.size(); ++column) {
                text += " " + markdownText(columnTitle(comparison, column)) + " |";
                rule += " --- |";
            }
            text += rule + "\n";
        }
        text += "| " + markdownText(rows[i].title) + " |";
        for (const std::string& cell : rows[i].cells)
            text += " " + markdownText(cell) + " |";
        text += "\n";
    }
    return text;
}

std::string comparisonHtml(const Comparison& comparison, bool hideEqual)
{
    std::string text = "<table border=\"1\"><caption>" + htmlText(headingOf(*comparison.plan));
    if (const std::string note = noteOf(*comparison.plan); !note.empty())
        text += "<br>" + htmlText(note);
    text += "</caption><tr><th></th>";
    for (std::size_t column = 0; column < comparison.offers.size(); ++column)
        text += "<th>" + htmlText(columnTitle(comparison, column)) + "</th>";
    text += "</tr>";
    const std::vector<TextRow> rows = textRows(comparison, hideEqual);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (i == 0 || rows[i].section != rows[i - 1].section)
            text += "<tr><th colspan=\"" + std::to_string(comparison.offers.size() + 1) + "\">"
                + htmlText(title(rows[i].section)) + "</th></tr>";
        text += "<tr><td>" + htmlText(rows[i].title) + "</td>";
        for (const std::string& cell : rows[i].cells)
            text += "<td>" + htmlText(cell) + "</td>";
        text += "</tr>";
    }
    return text + "</table>";
}

} // namespace shardrack
