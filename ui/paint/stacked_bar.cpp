#include "paint/stacked_bar.h"

#include "paint/hatch.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace shardrack {

namespace {

constexpr qreal kShortestSeparated = 3; // px; a separator would hide a shorter segment

void fillPiece(QPainter& painter, const SegmentPiece& piece, bool hatched, const PaintStyle& style)
{
    const Theme& theme = *style.theme;
    const CategoryStyle& look = theme.style(piece.category);
    if (piece.beyondUsable) {
        painter.fillRect(piece.rect, hatched ? theme.veiled(look.fill) : theme.over);
        return;
    }
    painter.fillRect(piece.rect, look.fill);
    if (hatched)
        fillHatch(painter, piece.rect, look.hatch, style);
}

void drawSeparators(
    QPainter& painter, const std::vector<SegmentPiece>& pieces, bool up, const PaintStyle& style)
{
    const auto length
        = [up](const SegmentPiece& piece) { return up ? piece.rect.height() : piece.rect.width(); };
    for (std::size_t i = 1; i < pieces.size(); ++i) {
        if (length(pieces[i]) < kShortestSeparated || length(pieces[i - 1]) < kShortestSeparated)
            continue;
        QRectF line = pieces[i].rect;
        if (up)
            line.setTop(line.bottom() - metrics::kSeparator);
        else
            line.setRight(line.left() + metrics::kSeparator);
        painter.fillRect(line, style.theme->view);
    }
}

void drawBeyond(QPainter& painter, const QRectF& rect, bool hatched, const PaintStyle& style)
{
    if (!hatched)
        return;
    constexpr qreal kOutline = 1.8;
    fillHatch(painter, rect, style.theme->overHatch, style);
    painter.setPen(QPen(style.theme->over, kOutline, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
    painter.setBrush(Qt::NoBrush);
    const qreal in = kOutline / 2;
    if (rect.width() > 2 * kOutline && rect.height() > 2 * kOutline)
        painter.drawRect(rect.adjusted(in, in, -in, -in));
    else
        painter.fillRect(rect, style.theme->over);
}

void drawSegmentLabels(QPainter& painter, const StackedBar& bar, const BarScale& scale,
    BarLabels labels, const PaintStyle& style)
{
    const qreal usable = bar.usable ? scale.at(*bar.usable) : -1;
    Bytes from;
    for (const BarSegment& segment : bar.segments) {
        const Bytes to = from + segment.bytes;
        QRectF rect = scale.between(from, to);
        from = to;
        const qreal clear = style.font(type::kSecondary).pixelSize();
        // A label that would lie under the usable line moves into the longer of the two parts.
        if (scale.direction() == BarDirection::Up) {
            if (bar.usable && std::abs(rect.center().y() - usable) < clear && usable > rect.top()
                && usable < rect.bottom()) {
                if (usable - rect.top() > rect.bottom() - usable)
                    rect.setBottom(usable);
                else
                    rect.setTop(usable);
            }
        } else if (bar.usable && usable > rect.left() && usable < rect.right()) {
            if (usable - rect.left() > rect.right() - usable)
                rect.setRight(usable);
            else
                rect.setLeft(usable);
        }
        const QString number = gib(segment.bytes);
        if (labels == BarLabels::NamesAndNumbers
            && drawPadText(painter, rect,
                categoryTitle(segment.category) + QLatin1Char(' ') + number, segment.category,
                style))
            continue;
        drawPadText(painter, rect, number, segment.category, style);
    }
}

QPolygonF across(Bytes bytes, const BarScale& scale)
{
    constexpr qreal kReach = 3;
    const qreal at = scale.at(bytes);
    const QRectF& track = scale.track();
    if (scale.direction() == BarDirection::Up)
        return { { track.left() - kReach, at }, { track.right() + kReach, at } };
    return { { at, track.top() - kReach }, { at, track.bottom() + kReach } };
}

void drawIdle(
    QPainter& painter, const StackedBar& bar, const BarScale& scale, const PaintStyle& style)
{
    const std::optional<Bytes> height = bar.usable ? bar.usable : bar.installed;
    if (!height)
        return;
    QPen pen(style.theme->line, 1, Qt::CustomDashLine, Qt::FlatCap, Qt::MiterJoin);
    pen.setDashPattern({ 4, 3 });
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(scale.between(Bytes(0), *height).adjusted(0.5, 0.5, -0.5, -0.5));
}

} // namespace

Bytes StackedBar::need() const
{
    Bytes sum;
    for (const BarSegment& segment : segments)
        sum += segment.bytes;
    return sum;
}

bool StackedBar::open() const
{
    return std::any_of(segments.begin(), segments.end(), [](const auto& s) { return s.open; });
}

std::optional<Bytes> StackedBar::headroom() const
{
    return usable ? std::optional<Bytes>(*usable - need()) : std::nullopt;
}

bool StackedBar::over() const { return !idle && usable && need() > *usable; }

BarScale::BarScale(const QRectF& track, Bytes full, BarDirection direction, const PaintStyle& style)
    : m_track(style.snap(track))
    , m_full(static_cast<double>(std::max(full, Bytes(1)).count()))
    , m_up(direction == BarDirection::Up)
    , m_style(&style)
{
}

qreal BarScale::at(Bytes bytes) const
{
    const qreal along = static_cast<double>(bytes.count()) / m_full * length();
    return m_style->snap(m_up ? m_track.bottom() - along : m_track.left() + along);
}

QRectF BarScale::between(Bytes from, Bytes to) const
{
    const qreal a = at(from), b = at(to);
    return m_up ? QRectF(QPointF(m_track.left(), b), QPointF(m_track.right(), a))
                : QRectF(QPointF(a, m_track.top()), QPointF(b, m_track.bottom()));
}

std::vector<SegmentPiece> segmentPieces(const StackedBar& bar, const BarScale& scale)
{
    std::vector<SegmentPiece> pieces;
    pieces.reserve(bar.segments.size() + 1);
    const auto add = [&](Bytes from, Bytes to, Category category, bool beyond) {
        const QRectF rect = scale.between(from, to);
        if (!rect.isEmpty())
            pieces.push_back({ rect, category, beyond });
    };
    Bytes from;
    for (const BarSegment& segment : bar.segments) {
        const Bytes to = from + segment.bytes;
        const Bytes split = std::clamp(bar.usable.value_or(to), from, to);
        add(from, split, segment.category, false);
        add(split, to, segment.category, true);
        from = to;
    }
    return pieces;
}

QRectF openTermRect(Bytes need, const BarScale& scale)
{
    // The length carries no value; it is only kept within these bounds.
    const bool up = scale.direction() == BarDirection::Up;
    const qreal wanted = up ? std::clamp(scale.length() * 0.13, 28.0, 46.0)
                            : std::clamp(scale.length() * 0.10, 30.0, 150.0);
    const qreal length = std::min(wanted, scale.length() * 0.4);
    const qreal at = scale.at(need);
    const QRectF& track = scale.track();
    return up ? QRectF(track.left(), at - length, track.width(), length)
              : QRectF(at, track.top(), length, track.height());
}

void drawStackedBar(QPainter& painter, const StackedBar& bar, const BarScale& scale,
    const PaintStyle& style, const StackedBarOptions& options)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    if (bar.idle)
        drawIdle(painter, bar, scale, style);
    const bool up = scale.direction() == BarDirection::Up;
    const bool hatched = scale.breadth() >= metrics::kNarrowestHatch;
    const std::vector<SegmentPiece> pieces = segmentPieces(bar, scale);
    for (const SegmentPiece& piece : pieces)
        fillPiece(painter, piece, hatched, style);
    drawSeparators(painter, pieces, up, style);
    if (bar.over())
        drawBeyond(painter, scale.between(*bar.usable, bar.need()), hatched, style);
    if (bar.open())
        drawOpenTerm(
            painter, openTermRect(bar.need(), scale), up ? OpenEnd::Top : OpenEnd::Right, style);
    if (options.before)
        drawBefore(painter, *options.before, bar, scale, style);
    if (options.labels != BarLabels::None)
        drawSegmentLabels(painter, bar, scale, options.labels, style);
    if (options.lines && bar.usable) {
        if (bar.installed && std::abs(scale.at(*bar.installed) - scale.at(*bar.usable)) >= 3)
            drawLimitLine(painter, across(*bar.installed, scale), LimitLine::Installed, style);
        if (bar.margin)
            drawLimitLine(
                painter, across(*bar.usable - *bar.margin, scale), LimitLine::Margin, style);
        drawLimitLine(painter, across(*bar.usable, scale), LimitLine::Usable, style);
    }
    drawAboveLines(painter, bar, scale, style);
    painter.restore();
}

void drawMeasuredMark(QPainter& painter, const QPointF& middle, qreal half, const PaintStyle& style)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(style.theme->text, 1.2, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.setBrush(style.theme->view);
    painter.drawPolygon(QPolygonF({ middle - QPointF(0, half), middle + QPointF(half, 0),
        middle + QPointF(0, half), middle - QPointF(half, 0) }));
    painter.restore();
}

void drawAverageMark(QPainter& painter, const QPointF& tip, qreal half, const PaintStyle& style)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(style.theme->text);
    painter.drawPolygon(
        QPolygonF({ tip, tip + QPointF(half, half * 1.4), tip + QPointF(-half, half * 1.4) }));
    painter.restore();
}

void drawMeasured(
    QPainter& painter, const StackedBar& bar, const BarScale& scale, const PaintStyle& style)
{
    if (!bar.measured || scale.breadth() < metrics::kNarrowestHatch)
        return;
    constexpr qreal kLargest = 5;
    const qreal half = std::min(kLargest, scale.breadth() / 2 - 0.5);
    const QPointF middle = scale.track().center();
    const qreal along = scale.at(*bar.measured);
    const bool up = scale.direction() == BarDirection::Up;
    drawMeasuredMark(
        painter, up ? QPointF(middle.x(), along) : QPointF(along, middle.y()), half, style);
}

void drawAboveLines(
    QPainter& painter, const StackedBar& bar, const BarScale& scale, const PaintStyle& style)
{
    if (bar.open())
        drawOpenMark(painter, openTermRect(bar.need(), scale), style);
    if (!bar.over())
        return;
    const bool up = scale.direction() == BarDirection::Up;
    QRectF excess = scale.between(*bar.usable, bar.need());
    if (scale.breadth() >= metrics::kNarrowestHatch
        && (up ? excess.height() : excess.width()) >= metrics::kNarrowestHatch)
        return;
    constexpr qreal kLeast = 3, kCore = 1; // beside the line's dark core
    if (up)
        excess.setCoords(excess.left(), std::min(excess.top(), excess.bottom() - kCore - kLeast),
            excess.right(), excess.bottom() - kCore);
    else
        excess.setCoords(excess.left() + kCore, excess.top(),
            std::max(excess.right(), excess.left() + kCore + kLeast), excess.bottom());
    painter.fillRect(style.snap(excess), style.theme->over);
}

void drawBefore(QPainter& painter, const StackedBar& before, const StackedBar& bar,
    const BarScale& scale, const PaintStyle& style)
{
    const Bytes was = before.need(), is = bar.need();
    if (was == is)
        return;
    const Theme& theme = *style.theme;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    const QRectF rect = (was > is ? scale.between(is, was) : scale.between(Bytes(0), was))
                            .adjusted(.5, .5, -.5, -.5);
    if (was > is)
        painter.fillRect(
            rect, mixed(theme.view, before.over() ? theme.overTint : theme.openTint, 0.8));
    else {
        painter.setPen(QPen(theme.view, 3));
        painter.drawRect(rect);
    }
    QPen pen(was > is && before.over() ? theme.over
            : was > is                 ? theme.open
                                       : theme.cap,
        1.2, Qt::CustomDashLine, Qt::FlatCap, Qt::MiterJoin);
    pen.setDashPattern({ 3, 2 });
    painter.setPen(pen);
    painter.drawRect(rect);
    painter.restore();
}

void drawLimitLine(
    QPainter& painter, const QPolygonF& points, LimitLine line, const PaintStyle& style)
{
    const Theme& theme = *style.theme;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    QPen pen(theme.cap, 1, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin);
    switch (line) {
    case LimitLine::Usable:
        painter.setPen(
            QPen(theme.view, metrics::kUsableHalo, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
        painter.drawPolyline(points);
        pen.setWidthF(metrics::kUsableLine);
        break;
    case LimitLine::Margin:
        pen.setDashPattern({ 5, 3 });
        break;
    case LimitLine::Installed:
        pen.setColor(theme.inst);
        pen.setDashPattern({ 1, 2 });
        break;
    }
    // A line one pixel wide is sharp on the middle of a pixel, not between two.
    if (line != LimitLine::Usable && !style.onPaper())
        painter.translate(0.5 / style.devicePixelRatio, 0.5 / style.devicePixelRatio);
    painter.setPen(pen);
    painter.drawPolyline(points);
    painter.restore();
}

bool drawPadText(QPainter& painter, const QRectF& rect, const QString& text, Category category,
    const PaintStyle& style)
{
    const QFont font = style.font(type::kSecondary, type::kSemibold);
    const QFontMetricsF metrics(font);
    const QSizeF pad(metrics.horizontalAdvance(text) + 8, metrics.height());
    if (pad.width() > rect.width() || pad.height() > rect.height())
        return false;
    const CategoryStyle& look = style.theme->style(category);
    QRectF ground(QPointF(0, 0), pad);
    ground.moveCenter(rect.center());
    painter.save();
    painter.setPen(Qt::NoPen);
    painter.setBrush(look.pad);
    painter.drawRoundedRect(style.snap(ground), 2, 2);
    drawLine(painter, ground, Qt::AlignCenter, text, font, look.padText);
    painter.restore();
    return true;
}

} // namespace shardrack
