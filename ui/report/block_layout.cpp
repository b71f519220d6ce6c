#include "report/block_layout.h"

#include "report/text_block.h"
#include "report/units.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace shardrack {

namespace {

class Layouter {
public:
    Layouter(PieceList& list, const ReportStyle& style)
        : m_list(list)
        , m_style(style)
        , m_width(style.content().width())
    {
    }

    void add(const ReportBlock& block, int number)
    {
        m_block = number;
        const std::size_t first = m_list.pieces.size();
        std::visit([this](const auto& each) { layout(each); }, block);
        if (m_breakNext && m_list.pieces.size() > first) {
            m_list.pieces[first].newPage = true;
            m_breakNext = false;
        }
    }

private:
    Piece& piece(qreal height, qreal before)
    {
        Piece& added = m_list.pieces.emplace_back();
        added.height = height;
        added.before = before;
        added.block = m_block;
        return added;
    }

    void layout(const Heading& heading)
    {
        const bool section = heading.level == 1;
        const TextBlock text(bold(heading.text), m_style,
            section ? print_type::kHeading + 1 : print_type::kSubheading, m_width);
        const TextBlock note(
            plain(heading.note, Tone::Secondary), m_style, print_type::kSmall, m_width);
        const bool noted = !heading.note.isEmpty();
        const qreal gap = mm(0.4);
        const qreal height
            = text.height() + (noted ? gap + note.height() : 0) + mm(section ? 1.6 : 1.0);
        Piece& added = piece(height, mm(section ? 5.5 : 3.6));
        added.keepWithNext = true;
        added.anchor = heading.anchor;
        added.heading = heading.text;
        added.level = heading.level;
        added.paint = [text, note, noted, gap](QPainter& painter, QPointF at) {
            text.draw(painter, at);
            if (noted)
                note.draw(painter, at + QPointF(0, text.height() + gap));
        };
    }

    void layout(const Paragraph& paragraph)
    {
        double points = print_type::kBody;
        qreal before = mm(1.6);
        bool strong = false;
        switch (paragraph.size) {
        case Paragraph::Size::Title:
            points = print_type::kTitle;
            before = mm(2);
            strong = true;
            break;
        case Paragraph::Size::Subtitle:
            points = print_type::kSubtitle;
            before = mm(1.2);
            break;
        case Paragraph::Size::Body:
            break;
        case Paragraph::Size::Small:
            points = print_type::kSmall;
            before = mm(1.2);
            break;
        }
        addLines(TextBlock(paragraph.text, m_style, points, m_width, Qt::AlignLeft, strong), before,
            paragraph.size == Paragraph::Size::Title);
    }

    /// A piece a line; at least two lines of a paragraph stand on a page.
    void addLines(const TextBlock& text, qreal before, bool together)
    {
        const int lines = text.lineCount();
        for (int i = 0; i < lines; ++i) {
            Piece& added = piece(text.lineHeight(), i == 0 ? before : 0);
            added.keepWithNext = i + 1 < lines && (together || i == 0 || i + 2 == lines);
            added.paint
                = [text, i](QPainter& painter, QPointF at) { text.draw(painter, at, i, i + 1); };
            for (const TextBlock::Place& place : text.places(i, i + 1))
                added.links.push_back({ place.rect, place.target });
        }
    }

    void layout(const Table& table) { layoutTable(m_list, table, m_style, m_block); }

    void layout(const Definitions& definitions)
    {
        const double points = definitions.small ? print_type::kSmall : print_type::kBody;
        const qreal gap = mm(4);
        const qreal term = m_width * definitions.termShare - gap;
        for (const Definitions::Item& item : definitions.items) {
            const qreal indent = hasMark(item.mark) ? pt(points) * 1.7 : 0;
            const TextBlock left(item.term, m_style, points, term - indent, Qt::AlignLeft, true);
            const TextBlock right(item.text, m_style, points, m_width - term - gap);
            const int lines = std::max(left.lineCount(), right.lineCount());
            for (int first = 0; first < lines;) {
                int end = std::min(lines, first + kMostLines);
                if (lines - end == 1) // no single line on the next page
                    --end;
                Piece& added = piece(left.lineHeight() * (end - first),
                    first > 0 ? 0 : mm(definitions.small ? 0.9 : 1.7));
                added.paint = [left, right, first, end, term, gap, indent, mark = item.mark, points,
                                  style = m_style](QPainter& painter, QPointF at) {
                    if (first == 0 && indent > 0)
                        drawMark(painter,
                            QRectF(at.x(), at.y() + left.lineHeight() * 0.14, pt(points) * 1.05,
                                pt(points) * 1.05),
                            mark, style);
                    left.draw(painter, at + QPointF(indent, 0), first, end);
                    right.draw(painter, at + QPointF(term + gap, 0), first, end);
                };
                const auto addLinks = [&](const TextBlock& block, qreal shift) {
                    for (const TextBlock::Place& place : block.places(first, end))
                        added.links.push_back({ place.rect.translated(shift, 0), place.target });
                };
                addLinks(left, indent);
                addLinks(right, term + gap);
                first = end;
            }
        }
    }

    void layout(const NoteBox& box)
    {
        const double points = print_type::kBody;
        const qreal pad = mm(2.4);
        const qreal bar = mm(0.8);
        const qreal indent = hasMark(box.mark) ? pt(points) * 1.7 : 0;
        const TextBlock text(box.text, m_style, points, m_width - 2 * pad - bar - indent);
        const int lines = text.lineCount();
        for (int first = 0; first < lines;) {
            int end = std::min(lines, first + kMostLines);
            if (lines - end == 1)
                --end;
            const bool opens = first == 0;
            const bool closes = end == lines;
            const qreal above = opens ? pad * 0.8 : 0;
            const qreal height
                = text.lineHeight() * (end - first) + above + (closes ? pad * 0.8 : 0);
            Piece& added = piece(height, opens ? mm(1.8) : 0);
            added.paint = [=, mark = box.mark, style = m_style, width = m_width](
                              QPainter& painter, QPointF at) {
                const Theme& theme = style.theme();
                painter.fillRect(QRectF(at, QSizeF(width, height)), theme.flagTint);
                painter.fillRect(QRectF(at, QSizeF(bar, height)), theme.flag);
                const QPointF corner = at + QPointF(bar + pad, above);
                if (opens && indent > 0)
                    drawMark(painter,
                        QRectF(corner + QPointF(0, text.lineHeight() * 0.14),
                            QSizeF(pt(points) * 1.05, pt(points) * 1.05)),
                        mark, style);
                text.draw(painter, corner + QPointF(indent, 0), first, end);
            };
            first = end;
        }
    }

    void layout(const MarkList& list)
    {
        const double points = print_type::kSmall;
        const auto columns = static_cast<std::size_t>(std::max(1, list.columns));
        const qreal column = m_width / static_cast<qreal>(columns);
        const qreal indent = pt(points) * 1.9;
        for (std::size_t first = 0; first < list.items.size(); first += columns) {
            std::vector<TextBlock> texts;
            std::vector<Mark> marks;
            int lines = 0;
            for (std::size_t i = first; i < std::min(list.items.size(), first + columns); ++i) {
                texts.emplace_back(
                    plain(list.items[i].text), m_style, points, column - indent - mm(3));
                marks.push_back(list.items[i].mark);
                lines = std::max(lines, texts.back().lineCount());
            }
            const qreal lineHeight = texts.front().lineHeight();
            Piece& added = piece(lineHeight * lines, mm(0.7));
            added.keepWithNext = first + columns < list.items.size();
            added.paint = [texts, marks, column, indent, lineHeight, points, style = m_style](
                              QPainter& painter, QPointF at) {
                for (std::size_t i = 0; i < texts.size(); ++i) {
                    const QPointF corner = at + QPointF(column * static_cast<qreal>(i), 0);
                    drawMark(painter,
                        QRectF(corner + QPointF(0, lineHeight * 0.12),
                            QSizeF(pt(points) * 1.1, pt(points) * 1.1)),
                        marks[i], style);
                    texts[i].draw(painter, corner + QPointF(indent, 0));
                }
            };
        }
    }

    void layout(const Figure& figure)
    {
        const qreal width = m_width / kChartUnit;
        const qreal height = figure.height(width, m_style.chart());
        Piece& added = piece(height * kChartUnit, mm(1.5));
        added.paint = [paint = figure.paint, width, height, style = m_style](
                          QPainter& painter, QPointF at) {
            painter.save();
            painter.translate(at);
            painter.scale(kChartUnit, kChartUnit);
            paint(painter, QRectF(0, 0, width, height), style.chart());
            painter.restore();
        };
    }

    void layout(const PageBreak&) { m_breakNext = true; }

    PieceList& m_list;
    const ReportStyle& m_style;
    qreal m_width;
    int m_block = 0;
    bool m_breakNext = false;
};

} // namespace

void drawMark(QPainter& painter, const QRectF& rect, const Mark& mark, const ReportStyle& style)
{
    if (const Glyph* glyph = std::get_if<Glyph>(&mark))
        drawGlyph(painter, rect, *glyph, style.theme());
    else if (const Icon* icon = std::get_if<Icon>(&mark))
        drawIcon(painter, rect, *icon, iconColor(*icon, style.theme()));
}

PieceList layoutBlocks(const ReportDocument& document, const ReportStyle& style)
{
    PieceList list;
    Layouter layouter(list, style);
    for (std::size_t i = 0; i < document.blocks.size(); ++i)
        layouter.add(document.blocks[i], static_cast<int>(i));
    return list;
}

} // namespace shardrack
