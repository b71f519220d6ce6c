#pragma once

#include <QPolygonF>
#include <QRectF>

#include <vector>

namespace shardrack {

/// What a label must not cover.
struct Obstacles {
    std::vector<QPolygonF> lines; ///< each from left to right
    std::vector<QRectF> areas;
};

/// A place for a label of `size` inside `within`, as near to `at` as the obstacles allow: beside
/// and above or below it, right of it first. Where no place is free, the nearest one.
QRectF freePlace(
    const QSizeF& size, const QPointF& at, const QRectF& within, const Obstacles& obstacles);

} // namespace shardrack
