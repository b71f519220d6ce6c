#include "plan/text_layout.h"

#include "base/utf8.h"

#include <algorithm>

namespace shardrack {

namespace {

constexpr std::size_t kColumns = 100;
constexpr std::size_t kGap = 2;

/// End of the word that starts at `start`; a number is not torn from its unit.
std::size_t wordEnd(const std::string& text, std::size_t start)
{
    std::size_t end = text.find(' ', start);
    while (end != std::string::npos && text.compare(end, 4, " GiB") == 0)
        end = text.find(' ', end + 1);
    return std::min(end, text.size());
}

std::string spaces(std::size_t count) { return std::string(count, ' '); }

} // namespace

std::size_t textWidth(const std::string& text)
{
    return text.size() - std::size_t(std::count_if(text.begin(), text.end(), isUtf8Tail));
}

void TextPage::line(const std::string& text)
{
    m_text += text;
    m_text.resize(m_text.find_last_not_of(' ') + 1);
    m_text += '\n';
}

void TextPage::heading(const std::string& text)
{
    m_text += '\n';
    line(text);
}

void TextPage::wrapped(const std::string& mark, const std::string& words)
{
    std::string text = words;
    std::replace(text.begin(), text.end(), '\n', ' ');
    const std::size_t indent = textWidth(mark);
    std::string current = mark;
    bool empty = true;
    for (std::size_t start = 0; start < text.size();) {
        const std::size_t end = wordEnd(text, start);
        const std::string word = text.substr(start, end - start);
        start = end + 1;
        if (word.empty())
            continue;
        if (!empty && textWidth(current) + 1 + textWidth(word) > kColumns) {
            line(current);
            current = spaces(indent);
            empty = true;
        }
        current += (empty ? "" : " ") + word;
        empty = false;
    }
    line(current);
}

void TextPage::table(const TextTable& table, std::size_t indent)
{
    std::vector<std::size_t> widths(table.m_columns, 0);
    for (const auto& row : table.m_rows)
        for (std::size_t i = 0; i + 1 < table.m_columns; ++i)
            widths[i] = std::max(widths[i], textWidth(row[i]));
    for (const auto& row : table.m_rows) {
        std::string left = spaces(indent);
        for (std::size_t i = 0; i + 1 < table.m_columns; ++i) {
            const std::string fill = spaces(widths[i] - textWidth(row[i]));
            left += i == table.m_rightAligned ? fill + row[i] : row[i] + fill;
            left += spaces(kGap);
        }
        wrapped(left, row.back());
    }
}

} // namespace shardrack
