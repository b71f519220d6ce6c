#include "paint/hatch.h"
#include "paint/stacked_bar.h"

#include <QPainter>

namespace shardrack {

namespace {

/// The outline keeps light fills apart from a light ground.
void drawFrame(QPainter& painter, const QRectF& rect, const QColor& color)
{
    painter.setPen(QPen(color, 1, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
}

} // namespace

void drawSwatch(QPainter& painter, const QRectF& rect, Category category, const PaintStyle& style)
{
    const CategoryStyle& look = style.theme->style(category);
    const QRectF area = style.snap(rect);
    painter.save();
    painter.fillRect(area, look.fill);
    fillHatch(painter, area, look.hatch, style);
    drawFrame(painter, area, mixed(look.fill, style.theme->open, 0.7));
    painter.restore();
}

void drawOpenSwatch(QPainter& painter, const QRectF& rect, const PaintStyle& style)
{
    const QRectF area = style.snap(rect);
    Hatch hatch = style.theme->openHatch;
    hatch.tile /= 2;
    painter.save();
    painter.fillRect(area, style.theme->view);
    fillHatch(painter, area, hatch, style);
    QPen pen(style.theme->open, 1, Qt::CustomDashLine, Qt::FlatCap, Qt::MiterJoin);
    pen.setDashPattern({ 2, 1 });
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(area.adjusted(0.5, 0.5, -0.5, -0.5));
    painter.restore();
}

void drawOverSwatch(QPainter& painter, const QRectF& rect, const PaintStyle& style)
{
    const QRectF area = style.snap(rect);
    Hatch hatch = style.theme->overHatch;
    hatch.tile = 5;
    painter.save();
    painter.fillRect(area, style.theme->view);
    fillHatch(painter, area, hatch, style);
    drawFrame(painter, area, style.theme->over);
    painter.restore();
}

} // namespace shardrack
