#pragma once

#include "paint/axis_scale.h"
#include "paint/paint_style.h"
#include "plan/shard_curves.h"

#include <QRectF>

#include <memory>
#include <vector>

class QPainter;

namespace shardrack {

/// What the chart of replicas against shards draws, on screen and on paper.
struct ShardLinesInput {
    std::shared_ptr<const ShardCurves> curves; ///< null: nothing to draw
    /// Where offers are: their GPUs and the need of their most loaded device.
    struct Own {
        QString name;
        std::int32_t gpus = 0;
        Sum need;
    };
    std::vector<Own> own;
};

/// GPUs to the right by doublings, memory of one GPU upwards.
struct ShardScale {
    QRectF plot;
    double first = 0; ///< log2 of the GPUs at the left edge
    double last = 1;
    AxisScale axis;
    qreal x(std::int32_t gpus) const;
    qreal y(Bytes bytes) const;
};

/// The axis that holds all curves, the offers and the usable line.
AxisScale shardAxis(const ShardLinesInput& input);
/// log2 of the first and last number of GPUs, with some air.
std::pair<double, double> shardRange(const ShardCurves& curves);
/// Width of the names at the right of the plot.
qreal shardLabelsWidth(const ShardLinesInput& input, const PaintStyle& style);

/// Curves with line styles and marks of their own, an open end above every point that is only a
/// lower bound, the usable line, the offers' own points, and names at the right of the plot.
void drawShardLines(QPainter& painter, const ShardLinesInput& input, const ShardScale& scale,
    const PaintStyle& style);

/// The whole chart with its axes, for paper.
qreal shardFigureHeight(const PaintStyle& style);
void drawShardFigure(
    QPainter& painter, const ShardLinesInput& input, const QRectF& area, const PaintStyle& style);

} // namespace shardrack
