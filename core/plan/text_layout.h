#pragma once

#include <string>
#include <vector>

namespace shardrack {

/// Columns that a UTF-8 text takes in a terminal (one a character; ours has no wide ones).
std::size_t textWidth(const std::string& text);

/// Rows of cells that are aligned when they are printed; the last column wraps.
class TextTable {
public:
    /// `rightAligned`: the column of numbers, if any.
    explicit TextTable(std::size_t columns, std::size_t rightAligned = std::string::npos)
        : m_columns(columns)
        , m_rightAligned(rightAligned)
    {
    }
    void row(std::vector<std::string> cells) { m_rows.push_back(std::move(cells)); }
    bool empty() const { return m_rows.empty(); }

private:
    friend class TextPage;
    std::size_t m_columns;
    std::size_t m_rightAligned;
    std::vector<std::vector<std::string>> m_rows;
};

/// Text of at most 100 columns for a terminal.
class TextPage {
public:
    void line(const std::string& text);
    /// An empty line, then the text.
    void heading(const std::string& text);
    /// Breaks `words` where a line is full; further lines are indented by the width of `mark`.
    void wrapped(const std::string& mark, const std::string& words);
    void table(const TextTable& table, std::size_t indent);
    std::string text() && { return std::move(m_text); }

private:
    std::string m_text;
};

} // namespace shardrack
