#include "paint/memory_bars.h"

#include "paint/memory_bins.h"
#include "paint/side_labels.h"

#include <QCoreApplication>
#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace shardrack {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(MemoryBars)
};

constexpr int kMostWide = 8;
constexpr qreal kWideShare = 0.43; ///< of its slot that a wide bar takes
constexpr int kMostNarrow = 128;
constexpr qreal kLeastWidePitch = 44;
constexpr qreal kLeastNarrowPitch = 4;
constexpr qreal kLeastOpenTerm = 28;
constexpr qreal kUnitRow = 16; ///< "GiB" above the axis
constexpr qreal kBracketRow = 26;
constexpr qreal kOverRow = 22;
constexpr qreal kAfterPlot = 10; ///< from the plot to the side labels
constexpr qreal kAboveList = 12;
constexpr qreal kLeastPlot = 20;

qreal textHeight(qreal px, const PaintStyle& style)
{
    return std::ceil(QFontMetricsF(style.font(px)).height());
}

/// How many bars each class has.
std::vector<int> occurrences(const MemoryBarsInput& input)
{
    std::vector<int> counts(input.classes.size(), 0);
    for (const std::int32_t index : input.bars)
        ++counts[static_cast<std::size_t>(index)];
    return counts;
}

AxisScale axisOf(const MemoryBarsInput& input, const std::vector<int>& occurs, qreal plotHeight)
{
    Bytes highest;
    std::optional<Bytes> usable;
    bool open = false;
    const auto consider = [&](const StackedBar& bar) {
        highest = std::max({ highest, bar.need(), bar.usable.value_or(Bytes(0)),
            bar.installed.value_or(Bytes(0)), bar.measured.value_or(Bytes(0)) });
        open = open || bar.open();
    };
    for (std::size_t i = 0; i < input.classes.size(); ++i) {
        if (occurs[i] == 0)
            continue;
        consider(input.classes[i]);
        usable = std::max(usable, input.classes[i].usable);
    }
    std::vector<bool> seen(input.classes.size(), false);
    for (const std::int32_t before : input.before)
        if (before >= 0 && !seen[static_cast<std::size_t>(before)]) {
            seen[static_cast<std::size_t>(before)] = true;
            consider(input.classes[static_cast<std::size_t>(before)]);
        }
    return axisFor(highest, usable, open ? (kLeastOpenTerm + 4) / std::max(plotHeight, 80.0) : 0);
}

std::vector<LegendEntry> legendOf(
    const MemoryBarsInput& input, const std::vector<int>& occurs, BarsMode mode)
{
    std::array<bool, kCategoryCount> held {};
    bool open = false, over = false, measured = false;
    for (std::size_t i = 0; i < input.classes.size(); ++i) {
        if (occurs[i] == 0)
            continue;
        for (const BarSegment& segment : input.classes[i].segments)
            held[index(segment.category)] |= segment.bytes > Bytes(0);
        open = open || input.classes[i].open();
        over = over || input.classes[i].over();
        measured = measured || input.classes[i].measured;
    }
    std::vector<LegendEntry> entries;
    using Mark = LegendEntry::Mark;
    if (mode == BarsMode::Columns)
        entries.push_back({ Mark::LeastInColumn, {}, Words::tr("least in pixel column") });
    for (const Category category : kCategories) {
        const QString& note = input.legendNotes[index(category)];
        if (held[index(category)] || !note.isEmpty())
            entries.push_back(
                { Mark::Category, category, note.isEmpty() ? categoryTitle(category) : note });
    }
    if (open)
        entries.push_back({ Mark::Open, {}, Words::tr("Not established, open-ended") });
    if (over)
        entries.push_back({ Mark::Over, {}, Words::tr("Beyond usable") });
    if (measured && mode != BarsMode::Columns)
        entries.push_back({ Mark::Measured, {}, Words::tr("Measured peak") });
    return entries;
}

BarsMode modeFor(int count, qreal width)
{
    if (count == 0)
        return BarsMode::Empty;
    const qreal pitch = width / count;
    if (count <= kMostWide && pitch >= kLeastWidePitch)
        return BarsMode::Wide;
    return count <= kMostNarrow && pitch >= kLeastNarrowPitch ? BarsMode::Narrow
                                                              : BarsMode::Columns;
}

qreal gutterWidth(const PaintStyle& style)
{
    return std::ceil(lineWidth(QStringLiteral("0,000"), style.font(type::kAxis))) + 12;
}

/// What the label beside a last, wide bar that is over capacity needs beyond its slot.
qreal roomBesideLastBar(const MemoryBarsLayout& layout, const PaintStyle& style, qreal plotWidth)
{
    if (layout.mode != BarsMode::Wide || layout.overCount == 0)
        return 0;
    constexpr qreal kBeside = 7, kAfter = 3;
    const qreal beside = plotWidth / layout.count * (1 - kWideShare) / 2;
    const qreal words = lineWidth(Words::tr("at least"), style.font(type::kAxis));
    return std::max(0.0, std::ceil(kBeside + words + kAfter - kAfterPlot - beside));
}

/// Divides the area, with the legend in rows below the labels or as a list at the right. Returns
/// false where that list has no room beside the side labels.
bool arrange(MemoryBarsLayout& layout, const MemoryBarsInput& input, const std::vector<int>& occurs,
    bool legendAtRight, const PaintStyle& style)
{
    const QRectF& area = layout.area;
    const QSizeF list = legendListSize(layout.legendEntries, style);
    const qreal side
        = std::max(sideLabelsWidth(layout.sideLabels, style), legendAtRight ? list.width() : 0.0);
    const qreal header = !input.brackets.empty()               ? kBracketRow
        : layout.mode == BarsMode::Columns && layout.overCount ? kOverRow
                                                               : 0;
    const qreal labels = textHeight(type::kBase, style) + 4
        + (layout.mode == BarsMode::Wide && input.subLabel ? textHeight(type::kAxis, style) : 0);
    const qreal rows
        = legendAtRight ? 0 : legendRowsHeight(layout.legendEntries, area.width() - 8, style);

    const qreal left = area.left() + gutterWidth(style);
    const qreal top = area.top() + kUnitRow + header;
    qreal right = area.right() - (side > 0 ? side + kAfterPlot : 0);
    const qreal besideLast = roomBesideLastBar(layout, style, right - left);
    right -= besideLast;
    const qreal bottom = area.bottom() - labels - (rows > 0 ? rows + 8 : 0);
    layout.plot = style.snap(QRectF(QPointF(left, top),
        QPointF(std::max(right, left + kLeastPlot), std::max(bottom, top + kLeastPlot))));
    const QRectF& plot = layout.plot;
    layout.header = QRectF(plot.left(), plot.top() - header, plot.width(), header);
    layout.labels = QRectF(plot.left(), plot.bottom(), plot.width(), labels);
    layout.axis = axisOf(input, occurs, plot.height());
    const qreal beside = plot.right() + kAfterPlot + besideLast;
    placeSideLabels(layout, input, beside, style);
    layout.legendAtRight = legendAtRight;
    if (!legendAtRight) {
        layout.legend = QRectF(area.left() + 8, layout.labels.bottom() + 6, area.width() - 8, rows);
        return true;
    }
    const bool labelled = !layout.sideLabels.empty();
    const qreal below = labelled ? layout.sideLabels.back().rect.bottom() + kAboveList : plot.top();
    const qreal above = labelled ? layout.sideLabels.front().rect.top() - kAboveList : 0;
    if (below + list.height() <= area.bottom())
        layout.legend = QRectF(QPointF(beside, below), list);
    else
        layout.legend = QRectF(QPointF(beside, above - list.height()), list);
    return layout.legend.top() >= area.top();
}

} // namespace

const StackedBar* MemoryBarsInput::barBefore(int i) const
{
    if (before.empty() || isNew(i))
        return nullptr;
    return &classes[static_cast<std::size_t>(before[static_cast<std::size_t>(i)])];
}

MemoryBarsLayout layoutMemoryBars(
    const MemoryBarsInput& input, const QRectF& area, const PaintStyle& style)
{
    MemoryBarsLayout layout;
    layout.area = area;
    layout.count = input.count();
    const std::vector<int> occurs = occurrences(input);
    for (std::size_t i = 0; i < occurs.size(); ++i)
        layout.overCount += input.classes[i].over() ? occurs[i] : 0;
    layout.sideLabels = sideLabelsOf(input, occurs, style);
    layout.mode = modeFor(layout.count,
        area.width() - gutterWidth(style) - sideLabelsWidth(layout.sideLabels, style) - kAfterPlot);
    if (input.legend && layout.mode != BarsMode::Empty)
        layout.legendEntries = legendOf(input, occurs, layout.mode);

    const bool listWanted = layout.mode == BarsMode::Columns && !layout.legendEntries.empty();
    if (!listWanted || !arrange(layout, input, occurs, true, style))
        arrange(layout, input, occurs, false, style);

    if (layout.mode == BarsMode::Columns) {
        const int pixels
            = std::max(1, static_cast<int>(layout.plot.width() * style.devicePixelRatio));
        layout.columns = binBars(input, std::min(layout.count, pixels));
    }
    return layout;
}

int MemoryBarsLayout::slotCount() const
{
    return mode == BarsMode::Columns ? static_cast<int>(columns.size()) : count;
}

QRectF MemoryBarsLayout::slotRect(int slot) const
{
    const qreal pitch = plot.width() / std::max(1, slotCount());
    const auto edge = [&](int i) { return plot.left() + pitch * i; };
    return QRectF(QPointF(edge(slot), plot.top()), QPointF(edge(slot + 1), plot.bottom()));
}

int MemoryBarsLayout::columnOf(int bar) const
{
    if (mode != BarsMode::Columns || bar < 0 || bar >= count)
        return -1;
    // The inverse of the bins' limits, floor(column × count ÷ columns).
    const std::int64_t slots_ = slotCount();
    return static_cast<int>(((bar + 1) * slots_ + count - 1) / count - 1);
}

QRectF MemoryBarsLayout::barSlot(int bar) const
{
    return slotRect(mode == BarsMode::Columns ? columnOf(bar) : bar);
}

QRectF MemoryBarsLayout::trackRect(int bar) const
{
    const QRectF slot = barSlot(bar);
    const qreal width = mode == BarsMode::Wide ? std::clamp(slot.width() * kWideShare, 20.0, 72.0)
        : mode == BarsMode::Narrow             ? slot.width() * 0.74
                                               : slot.width();
    return QRectF(slot.center().x() - width / 2, slot.top(), width, slot.height());
}

int MemoryBarsLayout::barAt(const QPointF& point) const
{
    const int slots_ = slotCount();
    if (slots_ == 0 || point.y() < plot.top() || point.y() >= labels.bottom()
        || point.x() < plot.left() || point.x() >= plot.right())
        return -1;
    const int slot = std::clamp(
        static_cast<int>((point.x() - plot.left()) / plot.width() * slots_), 0, slots_ - 1);
    return mode == BarsMode::Columns ? columns[static_cast<std::size_t>(slot)].most : slot;
}

} // namespace shardrack
