// Tables: widths by content, rows that break cleanly, a header on every page.
#include "report/block_layout.h"

#include "report/text_block.h"
#include "report/units.h"

#include <QPainter>

#include <algorithm>
#include <numeric>

namespace shardrack {

namespace {

constexpr qreal kMarkWidth = 1.75; ///< of the type size, for a mark and its gap

/// A cell as it is laid out: the lines of its text, then those of its detail.
struct LaidCell {
    TextBlock text;
    TextBlock detail;
    Mark mark;
    qreal indent = 0;
    bool flagged = false;

    int lineCount() const { return text.lineCount() + detail.lineCount(); }
    /// Lines [first, end), those of the detail after those of the text.
    int detailFrom(int first) const { return std::max(0, first - text.lineCount()); }
    int detailTo(int end) const
    {
        return std::clamp(end - text.lineCount(), 0, detail.lineCount());
    }
    qreal textHeight(int first, int end) const
    {
        return text.lineHeight() * std::max(0, std::min(end, text.lineCount()) - first);
    }
    qreal height(int first, int end) const
    {
        return textHeight(first, end)
            + detail.lineHeight() * std::max(0, detailTo(end) - detailFrom(first));
    }
};

/// The lines [first, end) of a row, ready to be painted.
struct RowPart {
    std::vector<LaidCell> cells;
    std::vector<qreal> lefts;
    std::vector<qreal> widths;
    qreal gap;
    ReportStyle style;
    double points;
    int first, end;
    bool opens, closes, head;
    qreal above = 0;
    qreal height = 0;

    void paint(QPainter& painter, QPointF at) const
    {
        for (std::size_t i = 0; i < cells.size(); ++i)
            if (cells[i].flagged)
                painter.fillRect(QRectF(at.x() + lefts[i] - gap / 2, at.y(),
                                     widths[i] + gap * (i + 1 < widths.size() ? 1 : 0.5), height),
                    style.theme().flagTint);
        if (closes) {
            const qreal width = mm(head ? 0.22 : 0.12);
            painter.fillRect(
                QRectF(at.x(), at.y() + height - width, style.content().width(), width),
                head ? style.theme().text : style.theme().line2);
        }
        for (std::size_t i = 0; i < cells.size(); ++i)
            paint(painter, cells[i], at + QPointF(lefts[i], above));
    }

    void paint(QPainter& painter, const LaidCell& cell, QPointF corner) const
    {
        const qreal mark = pt(points) * 1.1;
        if (opens && hasMark(cell.mark))
            drawMark(painter, QRectF(corner + QPointF(0, mark * 0.14), QSizeF(mark, mark)),
                cell.mark, style);
        const QPointF inner = corner + QPointF(cell.indent, 0);
        cell.text.draw(painter, inner, first, end);
        cell.detail.draw(painter, inner + QPointF(0, cell.textHeight(first, end)),
            cell.detailFrom(first), cell.detailTo(end));
    }
};

class TableLayouter {
public:
    TableLayouter(PieceList& list, const Table& table, const ReportStyle& style, int block)
        : m_list(list)
        , m_table(table)
        , m_style(style)
        , m_block(block)
        , m_points(table.small ? print_type::kSmall : print_type::kTable)
    {
    }

    void layout()
    {
        findWidths();
        int header = -1;
        if (!m_table.header.empty()) {
            const auto cells = layCells(m_table.header, true);
            const int lines = mostLines(cells);
            Piece head = makePiece(cells, 0, lines, true, true, true);
            head.block = m_block;
            head.keepWithNext = true;
            head.before = mm(1);
            header = static_cast<int>(m_list.headers.size());
            m_list.headers.push_back(head);
            m_list.pieces.push_back(std::move(head));
        }
        const int rows = static_cast<int>(m_table.rows.size());
        for (int row = 0; row < rows; ++row)
            addRow(row, header, rows);
    }

private:
    qreal textWidth(const Cell& cell, bool strong, bool longest) const
    {
        const auto measure = longest ? &TextBlock::longestWord : &TextBlock::naturalWidth;
        const qreal indent = hasMark(cell.mark) ? pt(m_points) * kMarkWidth : 0;
        return indent
            + std::max(measure(cell.text, m_style, m_points, strong),
                measure(plain(cell.detail), m_style, print_type::kTiny, false));
    }

    bool isStrong(int row) const
    {
        return std::count(m_table.strongRows.begin(), m_table.strongRows.end(), row) > 0
            || isGroup(row);
    }
    bool isGroup(int row) const
    {
        return std::count(m_table.groupRows.begin(), m_table.groupRows.end(), row) > 0;
    }

    /// As browsers do: every column gets its longest word, then its share of the rest by how much
    /// more its text would take.
    void findWidths()
    {
        const std::size_t columns = m_table.columns.size();
        m_gap = mm(columns > 5 ? 2.8 : 3.4);
        const qreal room = m_style.content().width() - m_gap * static_cast<qreal>(columns - 1);
        std::vector<qreal> least(columns, 0);
        std::vector<qreal> natural(columns, 0);
        const auto look = [&](const std::vector<Cell>& cells, bool strong, bool group) {
            for (std::size_t i = 0; i < std::min(columns, cells.size()); ++i) {
                least[i] = std::max(least[i], group ? 0 : textWidth(cells[i], strong, true));
                natural[i] = std::max(natural[i], group ? 0 : textWidth(cells[i], strong, false));
            }
        };
        look(m_table.header, true, false);
        for (int row = 0; row < static_cast<int>(m_table.rows.size()); ++row)
            look(m_table.rows[static_cast<std::size_t>(row)], isStrong(row), isGroup(row));
        m_widths.assign(columns, 0);
        if (std::any_of(m_table.columns.begin(), m_table.columns.end(),
                [](const Table::Column& column) { return column.weight > 0; })) {
            for (std::size_t i = 0; i < columns; ++i)
                m_widths[i] = room * m_table.columns[i].weight;
        } else {
            spread(least, natural, room);
        }
        qreal x = 0;
        for (const qreal width : m_widths) {
            m_lefts.push_back(x);
            x += width + m_gap;
        }
    }

    void spread(std::vector<qreal> least, std::vector<qreal> natural, qreal room)
    {
        // One long text must not take what the others need.
        const qreal cap = room * 0.55;
        for (qreal& width : natural)
            width = std::min(width, cap);
        for (std::size_t i = 0; i < least.size(); ++i) {
            least[i] = std::min(least[i], natural[i]);
            natural[i] = std::max(natural[i], least[i]) * 1.02; // rounding must not break a line
        }
        const qreal sumLeast = std::accumulate(least.begin(), least.end(), 0.0);
        const qreal sumNatural = std::accumulate(natural.begin(), natural.end(), 0.0);
        for (std::size_t i = 0; i < least.size(); ++i)
            if (sumNatural <= room)
                m_widths[i] = natural[i]
                    + (room - sumNatural) * (i == 0 ? 0.5 : 1.0)
                        / (static_cast<qreal>(least.size()) - 0.5);
            else if (sumLeast < room)
                m_widths[i] = least[i]
                    + (room - sumLeast) * (natural[i] - least[i])
                        / std::max(1.0, sumNatural - sumLeast);
            else
                m_widths[i] = room * least[i] / sumLeast;
    }

    std::vector<LaidCell> layCells(const std::vector<Cell>& cells, bool strong) const
    {
        std::vector<LaidCell> laid;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const Cell& cell = cells[i];
            LaidCell each;
            each.mark = cell.mark;
            each.flagged = cell.flagged;
            each.indent = hasMark(cell.mark) ? pt(m_points) * kMarkWidth : 0;
            const Qt::Alignment alignment
                = m_table.columns[i].right ? Qt::AlignRight : Qt::AlignLeft;
            const qreal width = std::max(mm(3), m_widths[i] - each.indent);
            if (!cell.text.empty())
                each.text = TextBlock(cell.text, m_style, m_points, width, alignment, strong);
            if (!cell.detail.isEmpty())
                each.detail = TextBlock(plain(cell.detail, Tone::Secondary), m_style,
                    print_type::kTiny, width, alignment);
            laid.push_back(std::move(each));
        }
        return laid;
    }

    static int mostLines(const std::vector<LaidCell>& cells)
    {
        int lines = 1;
        for (const LaidCell& cell : cells)
            lines = std::max(lines, cell.lineCount());
        return lines;
    }

    void addRow(int row, int header, int rows)
    {
        const std::vector<Cell>& cells = m_table.rows[static_cast<std::size_t>(row)];
        const bool group = isGroup(row);
        const auto laid = group ? layGroup(cells) : layCells(cells, isStrong(row));
        const int lines = mostLines(laid);
        for (int first = 0; first < lines;) {
            int end = std::min(lines, first + kMostLines);
            if (lines - end == 1)
                --end;
            Piece piece = makePiece(laid, first, end, first == 0, end == lines, false);
            piece.block = m_block;
            piece.header = header;
            if (first == 0 && group)
                piece.before = mm(1.6);
            // No single row after the header or on the last page; a group's name with its rows.
            const bool sumFollows
                = std::count(m_table.strongRows.begin(), m_table.strongRows.end(), row + 1) > 0;
            const bool edge
                = row == 0 || row + 2 == rows || group || sumFollows || m_table.together;
            piece.keepWithNext = end < lines ? false : edge && row + 1 < rows;
            first = end;
            m_list.pieces.push_back(std::move(piece));
        }
    }

    /// The first cell over the whole width.
    std::vector<LaidCell> layGroup(const std::vector<Cell>& cells) const
    {
        LaidCell laid;
        laid.mark = cells.front().mark;
        laid.indent = hasMark(laid.mark) ? pt(m_points) * kMarkWidth : 0;
        laid.text = TextBlock(cells.front().text, m_style, m_points,
            m_style.content().width() - laid.indent, Qt::AlignLeft, true);
        return { laid };
    }

    Piece makePiece(const std::vector<LaidCell>& cells, int first, int end, bool opens, bool closes,
        bool head) const
    {
        RowPart part { cells, m_lefts, m_widths, m_gap, m_style, m_points, first, end, opens,
            closes, head };
        part.above = opens ? mm(head ? 0.6 : 0.75) : 0;
        part.height = part.above + (closes ? mm(0.85) : 0);
        qreal tallest = 0;
        for (const LaidCell& cell : cells)
            tallest = std::max(tallest, cell.height(first, end));
        part.height += std::max(tallest, pt(m_points) * 1.32);
        Piece piece;
        piece.height = part.height;
        piece.paint = [part](QPainter& painter, QPointF at) { part.paint(painter, at); };
        for (std::size_t i = 0; i < cells.size(); ++i)
            for (const TextBlock::Place& place : cells[i].text.places(first, end))
                piece.links.push_back(
                    { place.rect.translated(m_lefts[i] + cells[i].indent, part.above),
                        place.target });
        return piece;
    }

    PieceList& m_list;
    const Table& m_table;
    const ReportStyle& m_style;
    int m_block;
    double m_points;
    qreal m_gap = 0;
    std::vector<qreal> m_widths;
    std::vector<qreal> m_lefts;
};

} // namespace

void layoutTable(PieceList& list, const Table& table, const ReportStyle& style, int block)
{
    if (!table.columns.empty())
        TableLayouter(list, table, style, block).layout();
}

} // namespace shardrack
