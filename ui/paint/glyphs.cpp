#include "paint/glyphs.h"

#include "paint/icon_engine.h"

#include <QPainter>
#include <QPainterPathStroker>

#include <array>
#include <cmath>
#include <numbers>

namespace shardrack {

namespace {

const QPointF kCentre(8, 8);

QPainterPath disc(qreal radius, QPointF centre = kCentre)
{
    QPainterPath path;
    path.addEllipse(centre, radius, radius);
    return path;
}

/// Outer radius and thickness.
QPainterPath ring(qreal radius, qreal width, QPointF centre = kCentre)
{
    return disc(radius, centre).subtracted(disc(radius - width, centre));
}

QPainterPath box(const QRectF& rect, qreal radius = 0)
{
    QPainterPath path;
    path.addRoundedRect(rect, radius, radius);
    return path;
}

QPainterPath stroked(const QPainterPath& line, qreal width)
{
    QPainterPathStroker stroker;
    stroker.setWidth(width);
    stroker.setCapStyle(Qt::RoundCap);
    stroker.setJoinStyle(Qt::RoundJoin);
    return stroker.createStroke(line).simplified();
}

QPainterPath tick(qreal size, qreal width)
{
    QPainterPath line(QPointF(8 - 3.4 * size, 8.2));
    line.lineTo(8 - 0.9 * size, 8.2 + 2.4 * size);
    line.lineTo(8 + 3.3 * size, 8.2 - 2.5 * size);
    return stroked(line, width);
}

QPainterPath cross(qreal reach, qreal width)
{
    QPainterPath line(QPointF(8 - reach, 8 - reach));
    line.lineTo(8 + reach, 8 + reach);
    line.moveTo(8 + reach, 8 - reach);
    line.lineTo(8 - reach, 8 + reach);
    return stroked(line, width);
}

QPainterPath octagon(qreal radius)
{
    QPolygonF corners;
    for (int i = 0; i < 8; ++i) {
        const double angle = (i + 0.5) * std::numbers::pi / 4;
        corners << kCentre + radius * QPointF(std::cos(angle), std::sin(angle));
    }
    QPainterPath path;
    path.addPolygon(corners);
    path.closeSubpath();
    return path;
}

QPainterPath dashedRing(qreal radius, qreal width)
{
    constexpr int kDashes = 10;
    QPainterPath path;
    const QRectF circle(8 - radius, 8 - radius, 2 * radius, 2 * radius);
    QPainterPathStroker stroker;
    stroker.setWidth(width);
    stroker.setCapStyle(Qt::FlatCap);
    for (int i = 0; i < kDashes; ++i) {
        QPainterPath arc;
        const qreal start = 360.0 * i / kDashes + 9;
        arc.arcMoveTo(circle, start);
        arc.arcTo(circle, start, 360.0 / kDashes * 0.56);
        path.addPath(stroker.createStroke(arc));
    }
    return path;
}

QPainterPath triangleBadge()
{
    QPainterPath triangle(QPointF(8, 1.9));
    triangle.lineTo(14.6, 13.7);
    triangle.lineTo(1.4, 13.7);
    triangle.closeSubpath();
    QPainterPath bar(QPointF(8, 6.4));
    bar.lineTo(8, 9.5);
    return triangle.united(stroked(triangle, 1.6))
        .subtracted(stroked(bar, 1.7))
        .subtracted(disc(1.0, QPointF(8, 12.2)));
}

QPainterPath build(Glyph glyph)
{
    switch (glyph) {
    case Glyph::OverCapacity:
        return octagon(7.8).subtracted(cross(2.5, 2));
    case Glyph::Open:
        return ring(7.1, 1.4).united(disc(7.0).intersected(box(QRectF(8, 0, 8, 16))));
    case Glyph::Tight: {
        const QPointF centre(8, 9.4);
        const QPainterPath air = disc(4.7, centre).intersected(box(QRectF(0, 0, 16, 7.6)));
        return box(QRectF(1, 0.4, 14, 1.8), 0.9).united(disc(6.1, centre).subtracted(air));
    }
    case Glyph::Fit:
        return disc(7.2).subtracted(tick(1, 1.9));
    case Glyph::NotDemonstrated:
        return ring(6.9, 1.4);
    case Glyph::PartlyDemonstrated:
        return disc(7.2).subtracted(disc(6.0).intersected(box(QRectF(0, 0, 8, 8))));
    case Glyph::Demonstrated:
        return ring(7.6, 1.1).united(disc(5.6).subtracted(tick(0.76, 1.6)));
    case Glyph::Contradicted:
        return ring(7.1, 1.4).united(cross(2.3, 1.7));
    case Glyph::NotEvaluated:
        return dashedRing(6.3, 1.4);
    case Glyph::Accepted:
        return box(QRectF(1.3, 1.3, 13.4, 13.4), 2.4).subtracted(tick(1, 1.9));
    case Glyph::Rejected:
        return box(QRectF(1.3, 1.3, 13.4, 13.4), 2.4).subtracted(cross(2.5, 2));
    case Glyph::NotLegal:
        return triangleBadge();
    }
    return {};
}

} // namespace

const QPainterPath& glyphPath(Glyph glyph)
{
    static const std::array<QPainterPath, kGlyphCount> paths = [] {
        std::array<QPainterPath, kGlyphCount> built;
        for (int i = 0; i < kGlyphCount; ++i)
            built[static_cast<std::size_t>(i)] = build(static_cast<Glyph>(i));
        return built;
    }();
    return paths[static_cast<std::size_t>(glyph)];
}

QColor glyphColor(Glyph glyph, const Theme& theme)
{
    switch (glyph) {
    case Glyph::OverCapacity:
    case Glyph::Contradicted:
    case Glyph::Rejected:
        return theme.over;
    case Glyph::Tight:
    case Glyph::NotLegal:
        return theme.flag;
    case Glyph::Fit:
    case Glyph::PartlyDemonstrated:
    case Glyph::Demonstrated:
    case Glyph::Accepted:
        return theme.ok;
    case Glyph::Open:
    case Glyph::NotDemonstrated:
    case Glyph::NotEvaluated:
        break;
    }
    return theme.open;
}

void drawGlyph(QPainter& painter, const QRectF& rect, Glyph glyph, const QColor& color)
{
    const GridScope scope(painter, rect);
    painter.fillPath(glyphPath(glyph), color);
}

void drawGlyph(QPainter& painter, const QRectF& rect, Glyph glyph, const Theme& theme)
{
    drawGlyph(painter, rect, glyph, glyphColor(glyph, theme));
}

QIcon glyphIcon(Glyph glyph, const Theme& theme)
{
    return makeIcon([glyph](QPainter& painter, const QRectF& rect,
                        const QColor& color) { drawGlyph(painter, rect, glyph, color); },
        glyphColor(glyph, theme), theme.dis);
}

} // namespace shardrack
