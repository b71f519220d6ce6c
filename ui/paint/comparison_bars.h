#pragma once

#include "paint/axis_scale.h"
#include "paint/legend.h"
#include "paint/stacked_bar.h"

#include <QString>

#include <optional>
#include <vector>

class QPainter;

namespace shardrack {

/// The most loaded device of one offer, as a row of the chart.
struct ComparisonBar {
    enum class Tone { Over, Open, Tight, Fit }; ///< colour of the headline; its words say the same
    QString name; ///< "Offer R"
    QString device; ///< "rank 0 and 3 equal"
    StackedBar bar; ///< without segments: nothing to show, and only the texts are drawn
    Tone tone = Tone::Open;
    QString headline; ///< "need at least 24.00"
    QString detail; ///< "usable 16.00, over by at least 8.00"
    bool changedBasis = false; ///< ≠ beside the name
    std::optional<Bytes> measured; ///< highest reading: a diamond on the bar's upper edge
    std::optional<Bytes> average; ///< over all devices: a short tick below, beside the bar
    QString note; ///< in the second line after the detail: "average 60.10 · highest measured 12.31"
};

/// What the chart of a comparison shows: one horizontal bar an offer, from the top in the order
/// given, all on one axis.
struct ComparisonBarsInput {
    std::vector<ComparisonBar> bars;
    bool legend = true;
    int selected = -1; ///< a row with a band of the selection's colour; screen only
};

/// Where everything lies.
struct ComparisonBarsLayout {
    struct Row {
        QRectF rect; ///< the whole row, names and texts included
        QRectF label; ///< name and device
        QRectF track; ///< the bar from 0 to the end of the axis
        QRectF text; ///< headline and detail
        QRectF note; ///< of its own; empty: below them
    };
    QRectF area, plot;
    QRectF header; ///< above the plot: the label of the usable line
    QRectF ticks; ///< below the plot
    QRectF legend; ///< empty without one
    AxisScale axis;
    std::vector<Row> rows; ///< parallel to the bars
    std::vector<LegendEntry> legendEntries;

    /// The bar whose row holds the point, or -1.
    int barAt(const QPointF& point) const;
};

/// The height that the chart wants at a width.
qreal comparisonBarsHeight(
    const ComparisonBarsInput& input, qreal width, const PaintStyle& style, qreal labelWidth);

/// `area` is the whole chart; names stand in its first `labelWidth` pixels.
ComparisonBarsLayout layoutComparisonBars(const ComparisonBarsInput& input, const QRectF& area,
    const PaintStyle& style, qreal labelWidth);

/// Paints the chart on the ground it finds (fill it with `Theme::view`), on screen or on paper.
void paintComparisonBars(QPainter& painter, const ComparisonBarsInput& input,
    const ComparisonBarsLayout& layout, const PaintStyle& style);

} // namespace shardrack
