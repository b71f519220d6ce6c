#pragma once

#include "paint/axis_scale.h"
#include "paint/icons.h"
#include "paint/legend.h"
#include "paint/stacked_bar.h"

#include <QString>

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

class QPainter;

namespace shardrack {

/// A bracket above a run of bars, with a chip that says what they share.
struct BarBracket {
    enum class Tone { Better, Worse, Neutral, New };
    int first = 0, last = 0; ///< bars, inclusive
    QString text;
    Tone tone = Tone::Neutral;
};

/// What the chart "Memory by GPU" shows. Bars stand in the order given, and nothing is sorted here:
/// an order that is held during a drag is the caller's. Arrays per bar hold small integers, and
/// text is asked for only where it is drawn.
struct MemoryBarsInput {
    std::vector<StackedBar> classes; ///< the different bars
    std::vector<std::int32_t> bars; ///< per bar an index into `classes`
    /// What-if: per bar the class it has now, an index into `classes`, or -1 for a device that is
    /// new. Empty: nothing is being tried.
    std::vector<std::int32_t> before;
    std::vector<std::uint8_t> selected; ///< per bar 0 or 1; empty: none
    int hovered = -1;

    std::function<QString(int)> label; ///< "rank 0", "0"
    std::function<QString(int)> subLabel; ///< "A1·0": a second line under wide bars
    QString order; ///< "GPUs, least headroom first": under the axis of pixel columns
    QString overText; ///< beside the bracket of the pixel columns over capacity; empty: the count
    QString marginBasis; ///< "policy"
    std::optional<Icon> marginIcon; ///< the basis icon of the required margin
    std::vector<BarBracket> brackets;
    bool legend = true;
    /// Per category a text for the legend instead of its name, even where no bar holds any:
    /// "Gradients: none held at this peak". Mostly empty.
    std::array<QString, kCategoryCount> legendNotes;

    int count() const { return static_cast<int>(bars.size()); }
    std::int32_t classOf(int i) const { return bars[static_cast<std::size_t>(i)]; }
    const StackedBar& bar(int i) const { return classes[static_cast<std::size_t>(classOf(i))]; }
    bool isSelected(int i) const
    {
        return !selected.empty() && selected[static_cast<std::size_t>(i)] != 0;
    }
    bool isNew(int i) const { return !before.empty() && before[static_cast<std::size_t>(i)] < 0; }
    /// The bar as it is without the what-if; nullptr when it is new or nothing is being tried.
    const StackedBar* barBefore(int i) const;
};

/// Empty: no bar. Wide: up to 8, values inside. Narrow: up to 128, where they have 4 px each.
/// Columns: bins of bars, no hatches.
enum class BarsMode { Empty, Wide, Narrow, Columns };

/// A bin of neighbouring bars, drawn as the one with the least headroom.
struct BarColumn {
    int first = 0, end = 0; ///< bars, end exclusive
    int most = 0; ///< the most loaded: least headroom
    int least = 0; ///< the least loaded that is in use; equal to `most` when all are idle
    int over = 0; ///< bars over capacity
    bool open = false; ///< some bar in the bin has a term that is not established
    bool selected = false;
    bool isNew = false; ///< all are new
    int mostBefore = -1; ///< the bar that is the most loaded without the what-if, or -1
};

/// A label at the right end of a limit line, kept clear of its neighbours.
struct SideLabel {
    struct Row {
        QString text;
        QColor color;
        bool bold = false;
        std::optional<Icon> icon = {};
        bool iconAfter = false;
    };
    LimitLine line = LimitLine::Usable; ///< the line it belongs to
    std::vector<Row> rows;
    QRectF rect; ///< where it stands
};

/// Where everything lies: computed when input or size change, kept for painting and hit tests.
struct MemoryBarsLayout {
    BarsMode mode = BarsMode::Empty;
    QRectF area, plot;
    AxisScale axis;
    int count = 0;
    std::vector<BarColumn> columns; ///< BarsMode::Columns only
    int overCount = 0; ///< bars over capacity
    std::vector<SideLabel> sideLabels;
    QRectF header; ///< above the plot: brackets, the over-capacity count
    QRectF labels; ///< below the plot
    std::vector<LegendEntry> legendEntries;
    QRectF legend; ///< below the labels or at the right; empty without a legend
    bool legendAtRight = false;

    /// The bar at a point: over the plot's whole height and its labels; -1 beside it. In pixel
    /// columns the column's most loaded bar.
    int barAt(const QPointF& point) const;
    /// The column that holds a bar; -1 in the other modes.
    int columnOf(int bar) const;
    /// Left and right edge of a slot: of a bar with its gap, or of a pixel column.
    QRectF slotRect(int slot) const;
    /// The slot of a bar.
    QRectF barSlot(int bar) const;
    /// The track of a bar inside its slot (Wide and Narrow), as high as the plot.
    QRectF trackRect(int bar) const;

private:
    int slotCount() const;
};

/// `area` is the whole chart, in logical pixels.
MemoryBarsLayout layoutMemoryBars(
    const MemoryBarsInput& input, const QRectF& area, const PaintStyle& style);

/// Paints the chart on the ground it finds (fill it with `Theme::view`).
void paintMemoryBars(QPainter& painter, const MemoryBarsInput& input,
    const MemoryBarsLayout& layout, const PaintStyle& style);

} // namespace shardrack
