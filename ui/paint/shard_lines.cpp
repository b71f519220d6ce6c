#include "paint/shard_lines.h"

#include "paint/free_place.h"
#include "paint/stacked_bar.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace shardrack {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(shardrack::ShardLines)
};

constexpr qreal kMark = 3.6; ///< half the size of a point's mark
constexpr qreal kOpenEnd = 11;
constexpr qreal kOwn = 8; ///< radius of the ring around an offer's own point

enum class MarkKind { Circle, Square, Triangle, Diamond, Ring };

/// How a curve is told from the others, with and without colour.
struct CurveLook {
    QColor color;
    std::vector<qreal> dash; ///< empty: solid
    MarkKind mark;
};

CurveLook lookOf(LayoutPreset preset, const Theme& theme)
{
    switch (preset) {
    case LayoutPreset::Zero1:
        return { theme.accent, { 6, 3 }, MarkKind::Square };
    case LayoutPreset::Zero2:
        return { theme.link, { 7, 3, 1.5, 3 }, MarkKind::Triangle };
    case LayoutPreset::Fsdp:
        return { theme.ok, { 11, 3 }, MarkKind::Diamond };
    case LayoutPreset::Hsdp:
        return { theme.flag, { 1.5, 2.5 }, MarkKind::Ring };
    default:
        return { theme.text, {}, MarkKind::Circle };
    }
}

void drawMark(QPainter& painter, const QPointF& at, const CurveLook& look, const Theme& theme)
{
    painter.setPen(QPen(look.color, 1.3));
    painter.setBrush(look.mark == MarkKind::Ring ? QBrush(Qt::NoBrush) : QBrush(look.color));
    const qreal r = kMark;
    switch (look.mark) {
    case MarkKind::Circle:
        painter.drawEllipse(at, r - 0.4, r - 0.4);
        break;
    case MarkKind::Square:
        painter.setBrush(theme.view);
        painter.drawRect(QRectF(at.x() - r + 0.4, at.y() - r + 0.4, 2 * r - 0.8, 2 * r - 0.8));
        break;
    case MarkKind::Triangle:
        painter.drawPolygon(QPolygonF(
            { at + QPointF(0, -r - 0.6), at + QPointF(r + 0.4, r), at + QPointF(-r - 0.4, r) }));
        break;
    case MarkKind::Diamond:
        painter.drawPolygon(QPolygonF({ at + QPointF(0, -r - 0.8), at + QPointF(r + 0.8, 0),
            at + QPointF(0, r + 0.8), at + QPointF(-r - 0.8, 0) }));
        break;
    case MarkKind::Ring:
        painter.drawEllipse(at, r + 2.2, r + 2.2);
        break;
    }
}

QPen penOf(const CurveLook& look)
{
    QPen pen(look.color, 1.7, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin);
    if (!look.dash.empty()) {
        pen.setStyle(Qt::CustomDashLine);
        pen.setDashPattern(QList<qreal>(look.dash.begin(), look.dash.end()));
    }
    return pen;
}

QString labelOf(const ShardCurve& curve)
{
    const Sum& need = curve.points.back().need;
    const QString number = gib(need.established);
    return QStringLiteral("%1 %2").arg(
        QString::fromStdString(curve.name), need.atLeast ? Words::tr("≥ %1").arg(number) : number);
}

QString usableLabel(const ShardCurves& curves)
{
    const QString text = Words::tr("usable %1").arg(gib(curves.usable.bytes));
    return curves.usable.provenance == Provenance::NotEstablished
        ? Words::tr("%1, not confirmed").arg(text)
        : text;
}

/// A name at the right of the plot, as near to its line as the others allow.
struct EndLabel {
    QString text;
    QColor color;
    qreal line = 0; ///< y of what it names
    qreal y = 0; ///< of its own middle
    bool strong = false;
};

std::vector<EndLabel> endLabels(
    const ShardLinesInput& input, const ShardScale& scale, const PaintStyle& style)
{
    const ShardCurves& curves = *input.curves;
    std::vector<EndLabel> labels;
    for (const ShardCurve& curve : curves.curves) {
        const qreal y = scale.y(curve.points.back().need.established);
        labels.push_back({ labelOf(curve), lookOf(curve.preset, *style.theme).color, y, y, true });
    }
    if (curves.usable.bytes > Bytes(0)) {
        const qreal y = scale.y(curves.usable.bytes);
        labels.push_back({ usableLabel(curves), style.theme->text, y, y, false });
    }
    std::stable_sort(labels.begin(), labels.end(),
        [](const EndLabel& a, const EndLabel& b) { return a.line < b.line; });
    const qreal row = std::ceil(QFontMetricsF(style.font(type::kSecondary)).height());
    qreal lowest = scale.plot.top() - row;
    for (EndLabel& label : labels)
        lowest = label.y = std::max(label.y, lowest + row);
    qreal highest = scale.plot.bottom() + row / 2;
    for (auto label = labels.rbegin(); label != labels.rend(); ++label) {
        label->y = std::min(label->y, highest);
        highest = label->y - row;
    }
    return labels;
}

void drawEndLabels(QPainter& painter, const ShardLinesInput& input, const ShardScale& scale,
    const PaintStyle& style)
{
    const qreal row = std::ceil(QFontMetricsF(style.font(type::kSecondary)).height());
    const qreal left = scale.plot.right() + 14;
    for (const EndLabel& label : endLabels(input, scale, style)) {
        const QFont font
            = style.font(type::kSecondary, label.strong ? type::kSemibold : type::kRegular);
        painter.setPen(QPen(label.color, 0.8));
        painter.drawLine(QPointF(scale.plot.right() + 1, label.line), QPointF(left - 3, label.y));
        drawLine(painter, QRectF(left, label.y - row / 2, lineWidth(label.text, font) + 4, row),
            Qt::AlignLeft | Qt::AlignVCenter, label.text, font, label.color);
    }
}

QPolygonF lineOf(const ShardCurve& curve, const ShardScale& scale)
{
    QPolygonF line;
    for (const ShardPoint& point : curve.points)
        line << QPointF(scale.x(point.gpus), scale.y(point.need.established));
    return line;
}

void drawCurve(
    QPainter& painter, const ShardCurve& curve, const ShardScale& scale, const PaintStyle& style)
{
    const CurveLook look = lookOf(curve.preset, *style.theme);
    const QPolygonF line = lineOf(curve, scale);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(penOf(look));
    painter.drawPolyline(line);
    QPen open(style.theme->open, 1.2, Qt::CustomDashLine, Qt::FlatCap);
    open.setDashPattern({ 2, 1.6 });
    for (qsizetype i = 0; i < line.size(); ++i) {
        if (curve.points[static_cast<std::size_t>(i)].need.atLeast) {
            painter.setPen(open);
            painter.drawLine(line[i], line[i] - QPointF(0, kOpenEnd));
        }
        drawMark(painter, line[i], look, *style.theme);
    }
}

/// The limit of usable memory, as a line over the plot.
QPolygonF usableLine(const ShardCurves& curves, const ShardScale& scale, const PaintStyle& style)
{
    const qreal y = style.snap(scale.y(curves.usable.bytes));
    return QPolygonF({ QPointF(scale.plot.left(), y), QPointF(scale.plot.right(), y) });
}

/// What the names of the offers' own points must leave visible.
Obstacles obstaclesOf(
    const ShardLinesInput& input, const ShardScale& scale, const PaintStyle& style)
{
    Obstacles obstacles;
    for (const ShardCurve& curve : input.curves->curves)
        obstacles.lines.push_back(lineOf(curve, scale));
    if (input.curves->usable.bytes > Bytes(0))
        obstacles.lines.push_back(usableLine(*input.curves, scale, style));
    for (const ShardLinesInput::Own& own : input.own) {
        const QPointF at(scale.x(own.gpus), scale.y(own.need.established));
        obstacles.areas.emplace_back(at - QPointF(kOwn, kOwn), QSizeF(2 * kOwn, 2 * kOwn));
    }
    return obstacles;
}

void drawOwn(QPainter& painter, const ShardLinesInput::Own& own, const ShardScale& scale,
    Obstacles& obstacles, const PaintStyle& style)
{
    const QPointF at(scale.x(own.gpus), scale.y(own.need.established));
    const QFont font = style.font(type::kSecondary, type::kSemibold);
    const QSizeF size(lineWidth(own.name, font) + 4, std::ceil(QFontMetricsF(font).height()));
    const QRectF label = freePlace(size, at, scale.plot, obstacles);
    obstacles.areas.push_back(label);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(style.theme->text, 0.8));
    // A name that stands apart is led to its point.
    const QPointF near(label.left() > at.x() ? label.left() : label.right(),
        label.bottom() < at.y() ? label.bottom() - 2 : label.top() + 2);
    if (const QLineF lead(at, near); lead.length() > 2 * kOwn)
        painter.drawLine(lead.pointAt(kOwn / lead.length()), near);
    painter.setPen(QPen(style.theme->text, 1.4));
    painter.drawEllipse(at, kOwn, kOwn);
    painter.fillRect(label, style.theme->view); // over the grid
    drawLine(painter, label, Qt::AlignCenter, own.name, font, style.theme->text);
}

double log2Of(std::int32_t gpus) { return std::log2(static_cast<double>(std::max(1, gpus))); }

} // namespace

qreal ShardScale::x(std::int32_t gpus) const
{
    return plot.left() + (log2Of(gpus) - first) / (last - first) * plot.width();
}

qreal ShardScale::y(Bytes bytes) const
{
    return plot.bottom()
        - static_cast<double>(bytes.count()) / static_cast<double>(axis.full().count())
        * plot.height();
}

AxisScale shardAxis(const ShardLinesInput& input)
{
    Bytes highest;
    if (!input.curves)
        return axisFor(highest, std::nullopt);
    const ShardCurves& curves = *input.curves;
    highest = curves.usable.bytes;
    bool open = false;
    for (const ShardCurve& curve : curves.curves)
        for (const ShardPoint& point : curve.points) {
            highest = std::max(highest, point.need.established);
            open = open || point.need.atLeast;
        }
    for (const ShardLinesInput::Own& own : input.own)
        highest = std::max(highest, own.need.established);
    const bool known = curves.usable.bytes > Bytes(0);
    return axisFor(
        highest, known ? std::optional(curves.usable.bytes) : std::nullopt, open ? 0.12 : 0.05);
}

std::pair<double, double> shardRange(const ShardCurves& curves)
{
    const double first = log2Of(curves.gpus.front());
    const double last = log2Of(curves.gpus.back());
    return { first - 0.25, std::max(last, first + 1) + 0.15 };
}

qreal shardLabelsWidth(const ShardLinesInput& input, const PaintStyle& style)
{
    if (!input.curves)
        return 0;
    const QFont font = style.font(type::kSecondary, type::kSemibold);
    qreal width = lineWidth(usableLabel(*input.curves), style.font(type::kSecondary));
    for (const ShardCurve& curve : input.curves->curves)
        width = std::max(width, lineWidth(labelOf(curve), font));
    return std::ceil(width) + 20;
}

void drawShardLines(QPainter& painter, const ShardLinesInput& input, const ShardScale& scale,
    const PaintStyle& style)
{
    if (!input.curves)
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const ShardCurves& curves = *input.curves;
    if (curves.usable.bytes > Bytes(0))
        drawLimitLine(painter, usableLine(curves, scale, style), LimitLine::Usable, style);
    for (const ShardCurve& curve : curves.curves)
        drawCurve(painter, curve, scale, style);
    Obstacles obstacles = obstaclesOf(input, scale, style);
    for (const ShardLinesInput::Own& own : input.own)
        drawOwn(painter, own, scale, obstacles, style);
    drawEndLabels(painter, input, scale, style);
    painter.restore();
}

qreal shardFigureHeight(const PaintStyle&)
{
    constexpr qreal kFigure = 236;
    return kFigure;
}

void drawShardFigure(
    QPainter& painter, const ShardLinesInput& input, const QRectF& area, const PaintStyle& style)
{
    if (!input.curves)
        return;
    const Theme& theme = *style.theme;
    const QFont font = style.font(type::kAxis);
    const qreal row = std::ceil(QFontMetricsF(font).height());
    ShardScale scale;
    scale.axis = shardAxis(input);
    std::tie(scale.first, scale.last) = shardRange(*input.curves);
    scale.plot = area.adjusted(34, row + 6, -shardLabelsWidth(input, style), -2 * row - 8);
    painter.save();
    for (int tick = 0; tick <= scale.axis.steps; ++tick) {
        const qreal y = scale.plot.bottom() - scale.plot.height() * tick / scale.axis.steps;
        painter.fillRect(QRectF(scale.plot.left(), y - 0.4, scale.plot.width(), 0.8),
            tick == 0 ? theme.line : theme.grid);
        drawLine(painter, QRectF(area.left(), y - row / 2, 28, row),
            Qt::AlignRight | Qt::AlignVCenter, scale.axis.label(tick), font, theme.text2);
    }
    drawLine(painter, QRectF(area.left(), area.top(), scale.plot.width(), row),
        Qt::AlignLeft | Qt::AlignVCenter, Words::tr("GiB a GPU, of the most loaded one"), font,
        theme.text2);
    qreal free = area.left();
    for (const std::int32_t gpus : input.curves->gpus) {
        const QString text = groupedNumber(gpus);
        const qreal width = lineWidth(text, font) + 8;
        const qreal x = scale.x(gpus);
        painter.fillRect(QRectF(x - 0.4, scale.plot.bottom(), 0.8, 3), theme.line);
        if (x - width / 2 < free)
            continue;
        drawLine(painter, QRectF(x - width / 2, scale.plot.bottom() + 4, width, row),
            Qt::AlignCenter, text, font, theme.text2);
        free = x + width / 2;
    }
    drawLine(painter,
        QRectF(scale.plot.left(), scale.plot.bottom() + row + 5, scale.plot.width(), row),
        Qt::AlignCenter, Words::tr("GPUs, each step doubles them"), font, theme.text2);
    painter.restore();
    drawShardLines(painter, input, scale, style);
}

} // namespace shardrack
