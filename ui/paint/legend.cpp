#include "paint/legend.h"

#include "paint/stacked_bar.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace shardrack {

namespace {

constexpr qreal kSwatch = 12;
constexpr qreal kAfterSwatch = 6;
constexpr qreal kBetween = 16;

qreal rowHeight(const PaintStyle& style) { return std::round(type::kBase * 1.5 * style.textScale); }

QFont legendFont(const PaintStyle& style) { return style.font(type::kSecondary); }

qreal entryWidth(const LegendEntry& entry, const PaintStyle& style)
{
    return kSwatch + kAfterSwatch + std::ceil(lineWidth(entry.text, legendFont(style)));
}

void drawEntry(QPainter& painter, QPointF topLeft, qreal width, const LegendEntry& entry,
    const PaintStyle& style)
{
    const qreal height = rowHeight(style);
    const QRectF mark(topLeft.x(), topLeft.y() + (height - kSwatch) / 2, kSwatch, kSwatch);
    switch (entry.mark) {
    case LegendEntry::Mark::Category:
        drawSwatch(painter, mark, entry.category, style);
        break;
    case LegendEntry::Mark::Open:
        drawOpenSwatch(painter, mark, style);
        break;
    case LegendEntry::Mark::Over:
        drawOverSwatch(painter, mark, style);
        break;
    case LegendEntry::Mark::LeastInColumn:
        painter.fillRect(
            style.snap(QRectF(mark.left(), mark.center().y(), kSwatch, 1)), style.theme->text2);
        break;
    case LegendEntry::Mark::Measured:
        drawMeasuredMark(painter, mark.center(), 4.5, style);
        break;
    case LegendEntry::Mark::Average:
        drawAverageMark(painter, mark.center() - QPointF(0, 3), 4.5, style);
        break;
    }
    constexpr qreal kIndent = kSwatch + kAfterSwatch;
    drawLine(painter, QRectF(topLeft.x() + kIndent, topLeft.y(), width - kIndent, height),
        Qt::AlignLeft | Qt::AlignVCenter, entry.text, legendFont(style), style.theme->text);
}

/// Calls draw(entry, position relative to the corner, width) for each entry and returns the height.
template <typename Draw>
qreal flow(
    const std::vector<LegendEntry>& entries, qreal width, const PaintStyle& style, Draw&& draw)
{
    if (entries.empty())
        return 0;
    qreal x = 0, y = 0;
    for (const LegendEntry& entry : entries) {
        const qreal wide = std::min(entryWidth(entry, style), width);
        if (x > 0 && x + wide > width) {
            x = 0;
            y += rowHeight(style);
        }
        draw(entry, QPointF(x, y), wide);
        x += wide + kBetween;
    }
    return y + rowHeight(style);
}

} // namespace

qreal legendRowsHeight(
    const std::vector<LegendEntry>& entries, qreal width, const PaintStyle& style)
{
    return flow(entries, width, style, [](const LegendEntry&, QPointF, qreal) {});
}

void drawLegendRows(QPainter& painter, const QRectF& rect, const std::vector<LegendEntry>& entries,
    const PaintStyle& style)
{
    flow(entries, rect.width(), style, [&](const LegendEntry& entry, QPointF at, qreal width) {
        drawEntry(painter, rect.topLeft() + at, width, entry, style);
    });
}

void drawLegendList(QPainter& painter, const QRectF& rect, const std::vector<LegendEntry>& entries,
    const PaintStyle& style)
{
    qreal y = rect.top();
    for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry, y += rowHeight(style))
        drawEntry(painter, QPointF(rect.left(), y), rect.width(), *entry, style);
}

QSizeF legendListSize(const std::vector<LegendEntry>& entries, const PaintStyle& style)
{
    qreal width = 0;
    for (const LegendEntry& entry : entries)
        width = std::max(width, entryWidth(entry, style));
    return QSizeF(width, rowHeight(style) * static_cast<qreal>(entries.size()));
}

} // namespace shardrack
