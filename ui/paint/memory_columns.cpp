#include "paint/memory_columns.h"

#include "paint/glyphs.h"
#include "paint/hatch.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace shardrack {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(MemoryBars)
};

/// Neighbouring columns that look alike are one rectangle.
struct Run {
    std::size_t first, end;
    QRectF rect; ///< plot height, on whole device pixels
};

template <typename Alike>
std::vector<Run> runsOf(const MemoryBarsLayout& layout, const PaintStyle& style, Alike&& alike)
{
    std::vector<Run> runs;
    const std::vector<BarColumn>& columns = layout.columns;
    for (std::size_t first = 0; first < columns.size();) {
        std::size_t end = first + 1;
        while (end < columns.size() && alike(columns[first], columns[end]))
            ++end;
        const QRectF left = layout.slotRect(static_cast<int>(first));
        const QRectF right = layout.slotRect(static_cast<int>(end - 1));
        runs.push_back({ first, end, style.snap(left.united(right)) });
        first = end;
    }
    return runs;
}

/// Shorter and narrower excesses are drawn above the usable line.
void paintOver(QPainter& painter, const QRectF& beyond, const PaintStyle& style)
{
    const Theme& theme = *style.theme;
    if (beyond.width() < metrics::kNarrowestHatch || beyond.height() < metrics::kNarrowestHatch)
        return;
    fillHatch(painter, beyond, theme.overHatch, style);
    painter.setPen(QPen(theme.over, 1.8, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(beyond.adjusted(0.9, 0.9, -0.9, -0.9));
}

/// An open end over a run; narrow runs get three steps instead of a hatch.
void paintOpen(QPainter& painter, const QRectF& end, const PaintStyle& style)
{
    if (end.width() >= metrics::kNarrowestHatch || style.onPaper()) {
        drawOpenTerm(painter, end, OpenEnd::Top, style);
        return;
    }
    QRectF third = end;
    third.setTop(end.bottom() - end.height() / 3);
    for (const double share : { 0.5, 0.3, 0.12 }) {
        painter.fillRect(style.snap(third), mixed(style.theme->view, style.theme->open, share));
        third.translate(0, -third.height());
    }
}

void paintRun(QPainter& painter, const Run& run, const MemoryBarsInput& input,
    const MemoryBarsLayout& layout, const PaintStyle& style)
{
    const Theme& theme = *style.theme;
    const BarColumn& column = layout.columns[run.first];
    const StackedBar& most = input.bar(column.most);
    const StackedBar& least = input.bar(column.least);
    const BarScale scale(run.rect, layout.axis.full(), BarDirection::Up, style);
    if (most.idle) {
        drawStackedBar(painter, most, scale, style);
        return;
    }
    const qreal veilBelow = least.idle ? run.rect.top() : scale.at(least.need());
    for (const SegmentPiece& piece : segmentPieces(most, scale)) {
        const QColor& fill = theme.style(piece.category).fill;
        painter.fillRect(piece.rect, piece.beyondUsable ? theme.veiled(fill) : fill);
        // Print may be grey, and there are few runs on paper.
        if (style.onPaper() && !piece.beyondUsable
            && piece.rect.width() >= metrics::kNarrowestHatch) {
            fillHatch(painter, piece.rect, theme.style(piece.category).hatch, style);
            painter.fillRect(QRectF(piece.rect.left(), piece.rect.top(), piece.rect.width(),
                                 std::min(metrics::kSeparator, piece.rect.height() / 3)),
                theme.view);
        }
        if (piece.rect.top() < veilBelow && !piece.beyondUsable) {
            QRectF veiled = piece.rect;
            veiled.setBottom(std::min(veiled.bottom(), veilBelow));
            painter.fillRect(veiled, theme.veiled(fill));
        }
    }
    if (most.over())
        paintOver(painter, scale.between(*most.usable, most.need()), style);
    if (column.open)
        paintOpen(painter, openTermRect(most.need(), scale), style);
}

/// A line on top of the least loaded bar of each run, as rectangles: one stroke with thousands of
/// steps costs the rasteriser a hundred times as much.
void paintLeast(QPainter& painter, const std::vector<Run>& runs, const MemoryBarsInput& input,
    const MemoryBarsLayout& layout, const BarScale& scale, const PaintStyle& style)
{
    const qreal thick = std::max(1.0, std::round(style.devicePixelRatio)) / style.devicePixelRatio;
    const QColor& color = style.theme->text2;
    bool joins = false; // to the run before, at `last`
    qreal last = 0;
    for (const Run& run : runs) {
        const StackedBar& least = input.bar(layout.columns[run.first].least);
        if (least.idle) {
            joins = false;
            continue;
        }
        // On the topmost pixel of the stack, not above it.
        const qreal y = scale.at(least.need());
        painter.fillRect(QRectF(run.rect.left(), y, run.rect.width(), thick), color);
        if (joins && last != y)
            painter.fillRect(QRectF(run.rect.left() - (last < y ? thick : 0), std::min(y, last),
                                 thick, std::abs(y - last)),
                color);
        last = y;
        joins = true;
    }
}

/// A dashed line at the need before the what-if, where it differs, and above what is new.
void paintBeforeAndNew(QPainter& painter, const std::vector<Run>& runs,
    const MemoryBarsInput& input, const MemoryBarsLayout& layout, const BarScale& scale,
    const PaintStyle& style)
{
    QPen dashed(style.theme->cap, 1.2, Qt::CustomDashLine, Qt::FlatCap, Qt::MiterJoin);
    dashed.setDashPattern({ 3, 2 });
    const auto line = [&](const QRectF& run, qreal y, const QColor& color) {
        dashed.setColor(color);
        dashed.setDashOffset(run.left() / dashed.widthF()); // one rhythm across all runs
        painter.setPen(dashed);
        painter.drawLine(QLineF(run.left(), y, run.right(), y));
    };
    for (const Run& run : runs) {
        const BarColumn& column = layout.columns[run.first];
        const Bytes is = input.bar(column.most).need();
        if (column.isNew)
            line(run.rect, scale.at(is) - 3, style.theme->accent);
        if (column.mostBefore < 0)
            continue;
        if (const Bytes was = input.barBefore(column.mostBefore)->need(); was != is)
            line(run.rect, scale.at(was), style.theme->cap);
    }
}

/// Columns that show the same bars in the same way.
std::vector<Run> alikeRuns(
    const MemoryBarsInput& input, const MemoryBarsLayout& layout, const PaintStyle& style)
{
    const auto classBefore = [&input](const BarColumn& column) {
        return column.mostBefore < 0 ? -1
                                     : input.before[static_cast<std::size_t>(column.mostBefore)];
    };
    return runsOf(layout, style, [&](const BarColumn& a, const BarColumn& b) {
        return input.classOf(a.most) == input.classOf(b.most)
            && input.classOf(a.least) == input.classOf(b.least) && a.open == b.open
            && a.isNew == b.isNew && classBefore(a) == classBefore(b);
    });
}

} // namespace

void paintColumns(QPainter& painter, const MemoryBarsInput& input, const MemoryBarsLayout& layout,
    const PaintStyle& style)
{
    const std::vector<Run> runs = alikeRuns(input, layout, style);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, style.onPaper());
    for (Run run : runs) {
        // Antialiased edges that abut would let the ground through.
        if (style.onPaper() && run.end < layout.columns.size())
            run.rect.setRight(run.rect.right() + 0.5);
        paintRun(painter, run, input, layout, style);
    }

    const BarScale scale(layout.plot, layout.axis.full(), BarDirection::Up, style);
    paintLeast(painter, runs, input, layout, scale, style);
    if (!input.before.empty())
        paintBeforeAndNew(painter, runs, input, layout, scale, style);
    painter.restore();
}

void paintColumnsAboveLines(QPainter& painter, const MemoryBarsInput& input,
    const MemoryBarsLayout& layout, const PaintStyle& style)
{
    for (const Run& run : alikeRuns(input, layout, style)) {
        const BarScale scale(run.rect, layout.axis.full(), BarDirection::Up, style);
        drawAboveLines(painter, input.bar(layout.columns[run.first].most), scale, style);
    }
}

void paintOverBrackets(QPainter& painter, const MemoryBarsInput& input,
    const MemoryBarsLayout& layout, const PaintStyle& style)
{
    if (layout.overCount == 0)
        return;
    const Theme& theme = *style.theme;
    constexpr qreal kFoot = 5, kAfter = 8;
    const qreal y = style.snap(layout.header.bottom() - kFoot - 4) + 0.5 / style.devicePixelRatio;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.over, 1.2, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
    qreal first = -1, last = 0;
    for (const Run& run : runsOf(layout, style,
             [](const BarColumn&a, const BarColumn&b) { return (a.over > 0) == (b.over > 0); })) {
        if (layout.columns[run.first].over == 0)
            continue;
        const qreal left = run.rect.left() + 0.5,
                    right = std::max(left + 2, run.rect.right() - 0.5);
        painter.drawPolyline(
            QPolygonF({ { left, y + kFoot }, { left, y }, { right, y }, { right, y + kFoot } }));
        first = first < 0 ? left : first;
        last = right;
    }
    // Beside the last bracket where it fits; otherwise over the brackets, on the ground's colour.
    const QString text = input.overText.isEmpty()
        ? Words::tr("%1 of %2 GPUs over capacity")
              .arg(groupedNumber(layout.overCount), groupedNumber(layout.count))
        : input.overText;
    const QFont font = style.font(type::kSecondary, type::kSemibold);
    constexpr qreal kMark = 12;
    const qreal width = lineWidth(text, font) + kMark + 4;
    const bool beside = last + kAfter + width <= layout.area.right();
    const qreal x = beside ? last + kAfter
                           : std::max(layout.header.left(), std::min(first + kAfter, last - width));
    const QRectF rect(x, y - 9, std::min(width, layout.area.right() - x), 18);
    if (!beside)
        painter.fillRect(rect.adjusted(-4, 0, 4, 0), theme.view);
    drawGlyph(painter, QRectF(rect.left(), rect.center().y() - kMark / 2, kMark, kMark),
        Glyph::OverCapacity, theme);
    drawLine(painter, rect.adjusted(kMark + 4, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, text,
        font, theme.overText);
    painter.restore();
}

} // namespace shardrack
