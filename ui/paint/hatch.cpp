#include "paint/hatch.h"

#include "paint/icons.h"

#include <QHash>
#include <QImage>
#include <QLinearGradient>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace shardrack {

namespace {

bool isDotted(HatchKind kind) { return kind == HatchKind::Dots || kind == HatchKind::SparseDots; }

/// Centres of the dots of one tile of side 1: a quincunx, or one dot.
std::vector<QPointF> dotsOfTile(HatchKind kind)
{
    if (kind == HatchKind::Dots)
        return { { 0.25, 0.25 }, { 0.75, 0.75 } };
    return { { 0.5, 0.5 } };
}

/// All x + y (rising) or x - y (falling), y (horizontal), x (vertical) = k * step that cross rect.
void addLines(std::vector<QLineF>& lines, const QRectF& r, HatchKind kind, qreal step)
{
    const auto each = [step](qreal from, qreal to, auto&& add) {
        for (qreal k = std::ceil(from / step); k * step <= to; ++k)
            add(k * step);
    };
    switch (kind) {
    case HatchKind::Horizontal:
        return each(
            r.top(), r.bottom(), [&](qreal y) { lines.emplace_back(r.left(), y, r.right(), y); });
    case HatchKind::Vertical:
        return each(
            r.left(), r.right(), [&](qreal x) { lines.emplace_back(x, r.top(), x, r.bottom()); });
    case HatchKind::Rising:
        return each(r.left() + r.top(), r.right() + r.bottom(), [&](qreal sum) {
            const qreal left = std::max(r.left(), sum - r.bottom());
            const qreal right = std::min(r.right(), sum - r.top());
            lines.emplace_back(left, sum - left, right, sum - right);
        });
    case HatchKind::Falling:
        return each(r.left() - r.bottom(), r.right() - r.top(), [&](qreal difference) {
            const qreal left = std::max(r.left(), r.top() + difference);
            const qreal right = std::min(r.right(), r.bottom() + difference);
            lines.emplace_back(left, left - difference, right, right - difference);
        });
    case HatchKind::Cross:
        addLines(lines, r, HatchKind::Rising, step);
        addLines(lines, r, HatchKind::Falling, step);
        return;
    case HatchKind::None:
    case HatchKind::Dots:
    case HatchKind::SparseDots:
        return;
    }
}

QImage hatchTile(const Hatch& hatch, qreal ratio)
{
    const int side = std::max(2, static_cast<int>(std::lround(hatch.tile * ratio)));
    const int mark = std::max(1, static_cast<int>(std::lround(hatch.width * ratio)));
    QImage tile(side, side, QImage::Format_ARGB32_Premultiplied);
    tile.fill(Qt::transparent);
    QPainter painter(&tile);
    if (isDotted(hatch.kind)) {
        for (const QPointF& dot : dotsOfTile(hatch.kind))
            painter.fillRect(static_cast<int>(dot.x() * side), static_cast<int>(dot.y() * side),
                mark, mark, hatch.pen);
    } else if (hatch.kind == HatchKind::Horizontal) {
        painter.fillRect(0, side / 2, side, mark, hatch.pen);
    } else if (hatch.kind == HatchKind::Vertical) {
        painter.fillRect(side / 2, 0, mark, side, hatch.pen);
    } else {
        // A thin diagonal is crisp as a staircase, a wider one needs antialiasing. The lines come
        // from a larger rectangle, so that what enters from the neighbouring tiles is there too.
        painter.setRenderHint(QPainter::Antialiasing, hatch.width * ratio > 1.25);
        painter.setPen(QPen(hatch.pen, hatch.width * ratio, Qt::SolidLine, Qt::FlatCap));
        std::vector<QLineF> lines;
        addLines(lines, QRectF(-side, -side, 3 * side, 3 * side), hatch.kind, side);
        painter.drawLines(lines.data(), static_cast<int>(lines.size()));
    }
    return tile;
}

struct BrushKey {
    Hatch hatch;
    qreal ratio;
    bool operator==(const BrushKey&) const = default;
};

size_t qHash(const BrushKey& key, size_t seed = 0)
{
    return qHashMulti(seed, static_cast<int>(key.hatch.kind), key.hatch.tile, key.hatch.width,
        key.hatch.pen.rgba(), key.ratio);
}

void fillWithLines(QPainter& painter, const QRectF& rect, const Hatch& hatch)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setClipRect(rect, Qt::IntersectClip);
    if (isDotted(hatch.kind)) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(hatch.pen);
        const qreal t = hatch.tile;
        for (const QPointF& dot : dotsOfTile(hatch.kind))
            for (qreal y = std::floor(rect.top() / t) * t; y < rect.bottom(); y += t)
                for (qreal x = std::floor(rect.left() / t) * t; x < rect.right(); x += t)
                    painter.drawEllipse(
                        QPointF(x, y) + dot * t, hatch.width * 0.6, hatch.width * 0.6);
    } else {
        const std::vector<QLineF> lines = hatchLines(rect, hatch);
        painter.setPen(QPen(hatch.pen, hatch.width, Qt::SolidLine, Qt::FlatCap));
        painter.drawLines(lines.data(), static_cast<int>(lines.size()));
    }
    painter.restore();
}

/// On paper: lines wider and wider apart, sides of different length, no gradient, no pixmap.
void drawOpenTermOnPaper(QPainter& painter, const QRectF& r, OpenEnd end, const Hatch& hatch)
{
    const bool up = end == OpenEnd::Top;
    const qreal length = up ? r.height() : r.width();
    const qreal across = up ? r.width() : r.height();
    // Along the bar `a` and across it `b`, both from the closed end: a rising diagonal leaves one
    // side at a and reaches the other at a + across (Top: from the left side upwards).
    const auto at = [&](qreal a, qreal b) {
        return up ? QPointF(r.left() + b, r.bottom() - a) : QPointF(r.left() + a, r.bottom() - b);
    };
    std::vector<QLineF> lines;
    qreal step = hatch.tile;
    for (qreal a = step - across; a <= std::max(length - across, 0.3 * length); a += step) {
        const qreal enter = std::max(0.0, -a);
        const qreal leave = std::min(across, length - a);
        if (leave > enter)
            lines.emplace_back(at(a + enter, enter), at(a + leave, leave));
        if (a > 0)
            step *= 1.4;
    }
    painter.setPen(QPen(hatch.pen, hatch.width, Qt::SolidLine, Qt::FlatCap));
    painter.drawLines(lines.data(), static_cast<int>(lines.size()));
    QPen side(hatch.pen, hatch.width, Qt::CustomDashLine, Qt::FlatCap);
    side.setDashPattern({ 3, 2 });
    painter.setPen(side);
    painter.drawLine(at(0, 0), at(length * 0.6, 0));
    painter.drawLine(at(0, across), at(length, across));
}

} // namespace

std::vector<QLineF> hatchLines(const QRectF& rect, const Hatch& hatch)
{
    std::vector<QLineF> lines;
    addLines(lines, rect, hatch.kind, hatch.tile);
    return lines;
}

QBrush hatchBrush(const Hatch& hatch, qreal devicePixelRatio)
{
    if (hatch.kind == HatchKind::None)
        return {};
    constexpr int kMostBrushes = 256; // a dozen hatches, two themes, a few ratios: never reached
    thread_local QHash<BrushKey, QBrush> brushes;
    const BrushKey key { hatch, devicePixelRatio };
    if (const auto known = brushes.constFind(key); known != brushes.cend())
        return *known;
    if (brushes.size() >= kMostBrushes)
        brushes.clear();
    QBrush brush(hatchTile(hatch, devicePixelRatio));
    brush.setTransform(QTransform::fromScale(1 / devicePixelRatio, 1 / devicePixelRatio));
    return *brushes.insert(key, brush);
}

void fillHatch(QPainter& painter, const QRectF& rect, const Hatch& hatch, const PaintStyle& style)
{
    if (hatch.kind == HatchKind::None || rect.isEmpty())
        return;
    if (style.onPaper())
        fillWithLines(painter, rect, hatch);
    else
        painter.fillRect(rect, hatchBrush(hatch, style.devicePixelRatio));
}

void drawOpenTerm(QPainter& painter, const QRectF& rect, OpenEnd end, const PaintStyle& style)
{
    const Hatch& hatch = style.theme->openHatch;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    if (style.onPaper()) {
        drawOpenTermOnPaper(painter, rect, end, hatch);
        painter.restore();
        return;
    }
    const bool up = end == OpenEnd::Top;
    QLinearGradient fade(
        up ? rect.bottomLeft() : rect.topLeft(), up ? rect.topLeft() : rect.topRight());
    QColor gone = hatch.pen;
    gone.setAlpha(0);
    fade.setColorAt(0, hatch.pen);
    fade.setColorAt(0.35, hatch.pen);
    fade.setColorAt(1, gone);
    painter.setClipRect(rect, Qt::IntersectClip);
    const std::vector<QLineF> lines = hatchLines(rect, hatch);
    painter.setPen(QPen(QBrush(fade), hatch.width, Qt::SolidLine, Qt::FlatCap));
    painter.drawLines(lines.data(), static_cast<int>(lines.size()));
    constexpr qreal kNarrowestSides = 10; // narrower, the sides would be all one sees
    if ((up ? rect.width() : rect.height()) >= kNarrowestSides) {
        QPen side(QBrush(fade), 1, Qt::CustomDashLine, Qt::FlatCap);
        side.setDashPattern({ 3, 2 });
        painter.setPen(side);
        const QRectF inner = rect.adjusted(0.5, 0.5, -0.5, -0.5);
        painter.drawLine(up ? QLineF(inner.bottomLeft(), inner.topLeft())
                            : QLineF(inner.topLeft(), inner.topRight()));
        painter.drawLine(up ? QLineF(inner.bottomRight(), inner.topRight())
                            : QLineF(inner.bottomLeft(), inner.bottomRight()));
    }
    painter.restore();
}

void drawOpenMark(QPainter& painter, const QRectF& rect, const PaintStyle& style)
{
    constexpr qreal kLargest = 8, kSmallest = 4.5, kAir = 1.5;
    const qreal radius = std::min(kLargest, std::min(rect.width(), rect.height()) / 2 - kAir);
    if (radius < kSmallest)
        return;
    const QPointF centre = style.snap(QRectF(rect.center(), rect.center())).topLeft();
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(style.theme->open, 1));
    painter.setBrush(style.theme->view);
    painter.drawEllipse(centre, radius, radius);
    painter.restore();
    const qreal ink = radius * 0.66;
    drawIcon(painter, QRectF(centre - QPointF(ink, ink), centre + QPointF(ink, ink)),
        Icon::NotEstablished, style.theme->text);
}

} // namespace shardrack
