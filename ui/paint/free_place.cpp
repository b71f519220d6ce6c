#include "paint/free_place.h"

#include <algorithm>

namespace shardrack {

namespace {

constexpr qreal kBeside = 12; ///< from the point to the label's side
constexpr qreal kAbove = 3; ///< and to its lower edge
constexpr qreal kClear = 5; ///< around a line: half a mark
constexpr qreal kStep = 4;

qreal heightAt(const QPolygonF& line, qreal x)
{
    for (qsizetype i = 1; i < line.size(); ++i)
        if (x <= line[i].x()) {
            const qreal width = line[i].x() - line[i - 1].x();
            const qreal part = width > 0 ? std::max(0.0, x - line[i - 1].x()) / width : 1;
            return line[i - 1].y() + part * (line[i].y() - line[i - 1].y());
        }
    return line.back().y();
}

bool crosses(const QPolygonF& line, const QRectF& label)
{
    if (line.isEmpty() || label.right() < line.front().x() || label.left() > line.back().x())
        return false;
    qreal top = std::min(heightAt(line, label.left()), heightAt(line, label.right()));
    qreal bottom = std::max(heightAt(line, label.left()), heightAt(line, label.right()));
    for (const QPointF& point : line)
        if (point.x() > label.left() - kClear && point.x() < label.right() + kClear) {
            top = std::min(top, point.y());
            bottom = std::max(bottom, point.y());
        }
    return top - kClear < label.bottom() && bottom + kClear > label.top();
}

bool isFree(const QRectF& label, const QRectF& within, const Obstacles& obstacles)
{
    return within.contains(label)
        && std::none_of(obstacles.lines.begin(), obstacles.lines.end(),
            [&](const QPolygonF& line) { return crosses(line, label); })
        && std::none_of(obstacles.areas.begin(), obstacles.areas.end(),
            [&](const QRectF& area) { return area.intersects(label); });
}

} // namespace

QRectF freePlace(
    const QSizeF& size, const QPointF& at, const QRectF& within, const Obstacles& obstacles)
{
    for (qreal away = 0; away < within.height(); away += kStep)
        for (const bool above : { true, false })
            for (const bool right : { true, false }) {
                const QPointF corner(right ? at.x() + kBeside : at.x() - kBeside - size.width(),
                    above ? at.y() - kAbove - size.height() - away : at.y() + kAbove + away);
                if (const QRectF label(corner, size); isFree(label, within, obstacles))
                    return label;
            }
    QRectF label(at + QPointF(kBeside, -kAbove - size.height()), size);
    if (label.right() > within.right())
        label.moveRight(at.x() - kBeside);
    label.moveTop(std::max(label.top(), within.top()));
    return label;
}

} // namespace shardrack
