#pragma once

#include "paint/icons.h"
#include "paint/paint_style.h"

#include <QPointF>
#include <QRectF>
#include <QString>

#include <functional>
#include <optional>
#include <vector>

class QPainter;

namespace shardrack {

/// A boxed remark about a point of a chart.
struct Callout {
    struct Line {
        QString text;
        QColor color;
        bool strong = false;
    };
    QString title;
    QString value; ///< right of the title
    std::vector<Line> lines;
    QColor frame;
    std::optional<Icon> icon;
    QPointF anchor; ///< the point it is about
    QRectF box; ///< placed by placeCallouts(); null: there was no room
};

/// Size of a remark's box.
QSizeF calloutSize(const Callout& callout, const PaintStyle& style);

/// Puts the boxes (a few) into `area` where they cover neither each other nor the points they are
/// about, near these points, and over as little as possible of what `weight` says is drawn there (0
/// to about 1 for a rectangle). A box that finds no room is left out, the first one last.
void placeCallouts(std::vector<Callout>& callouts, const QRectF& area,
    const std::function<double(const QRectF&)>& weight, const PaintStyle& style);

void drawCallouts(QPainter& painter, const std::vector<Callout>& callouts, const PaintStyle& style);

} // namespace shardrack
