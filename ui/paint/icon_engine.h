#pragma once

#include <QColor>
#include <QIcon>
#include <QRectF>

#include <functional>

class QPainter;

namespace shardrack {

/// Draws in one colour, as large as fits in the rectangle.
using IconPainter = std::function<void(QPainter&, const QRectF&, const QColor&)>;

/// An icon that is painted anew at every size and device pixel ratio.
QIcon makeIcon(IconPainter paint, const QColor& normal, const QColor& disabled);

/// Maps a 16 × 16 grid to the largest square centred in a rectangle, antialiased, for its lifetime.
class GridScope {
public:
    GridScope(QPainter& painter, const QRectF& rect);
    ~GridScope();
    GridScope(const GridScope&) = delete;
    GridScope& operator=(const GridScope&) = delete;

private:
    QPainter& m_painter;
};

} // namespace shardrack
