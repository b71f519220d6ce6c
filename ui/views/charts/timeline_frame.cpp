#include "charts/timeline_frame.h"

#include "charts/timeline_text.h"
#include "models/number_text.h"
#include "paint/icons.h"
#include "paint/stacked_bar.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace shardrack {

namespace {

struct FrameText {
    Q_DECLARE_TR_FUNCTIONS(shardrack::TimelineFrame)
};

qreal rowHeight(const PaintStyle& style)
{
    return std::ceil(QFontMetricsF(style.font(type::kSecondary)).height()) + 1;
}

QRectF stretchRect(
    const Timeline::Stretch& stretch, const MomentAxis& axis, const TimelineScale& scale)
{
    const qreal left = std::max(scale.x(axis.from(stretch.first)), scale.plot.left());
    const qreal right = std::min(scale.x(axis.to(stretch.last)), scale.plot.right());
    return QRectF(left, scale.plot.top(), right - left, scale.plot.height());
}

constexpr bool isForward(Phase phase)
{
    return phase == Phase::Forward || phase == Phase::FirstForward;
}

int stepOf(Phase phase)
{
    if (isSteady(phase))
        return 2;
    return phase >= Phase::FirstForward && phase <= Phase::FirstOptimizer ? 1 : 0;
}

/// Neighbouring stretches whose names have no room of their own.
struct Crowd {
    QRectF rect;
    int step = -1;
    int passes = 0; ///< forward passes among them
    int stretches = 0;
    Phase phase = Phase::Init; ///< of the last one
};

void drawCrowd(QPainter& painter, const Crowd& crowd, qreal top, const PaintStyle& style)
{
    const QFont font = style.font(type::kSecondary);
    const QString alone = phaseName(crowd.phase, true);
    if (crowd.stretches == 1 && lineWidth(alone, font) <= crowd.rect.width())
        drawLine(painter, QRectF(crowd.rect.left(), top, crowd.rect.width(), rowHeight(style)),
            Qt::AlignCenter, alone, font, style.theme->text);
    if (crowd.stretches < 2 || crowd.passes < 2)
        return;
    const QString full = FrameText::tr("forward and backward, %1 times").arg(crowd.passes);
    const QString brief = FrameText::tr("fwd + bwd × %1").arg(crowd.passes);
    const QString shortest = FrameText::tr("× %1").arg(crowd.passes);
    for (const QString& text : { full, brief, shortest })
        if (lineWidth(text, font) <= crowd.rect.width() - 4) {
            drawLine(painter, QRectF(crowd.rect.left(), top, crowd.rect.width(), rowHeight(style)),
                Qt::AlignCenter, text, font, style.theme->text);
            return;
        }
}

void drawBracket(QPainter& painter, const QRectF& rect, const QString& text, const QString& brief,
    const PaintStyle& style)
{
    if (rect.width() < 12)
        return;
    painter.setPen(QPen(style.theme->line, 1));
    const qreal y = style.snap(rect.top() + 4) + 0.5;
    painter.drawPolyline(
        QPolygonF({ QPointF(rect.left() + 1.5, y - 4), QPointF(rect.left() + 1.5, y),
            QPointF(rect.right() - 1.5, y), QPointF(rect.right() - 1.5, y - 4) }));
    const QFont font = style.font(type::kSecondary, type::kSemibold);
    const QString shown = lineWidth(text, font) <= rect.width() ? text : brief;
    if (lineWidth(shown, font) <= rect.width())
        drawLine(painter, QRectF(rect.left(), y + 1, rect.width(), rowHeight(style)),
            Qt::AlignCenter, shown, font, style.theme->text);
}

struct LimitRow {
    Bytes at;
    LimitLine line;
    QString text;
    bool strong = false;
    bool warns = false;
};

std::vector<LimitRow> limitRows(const TimelineInput& input)
{
    std::vector<LimitRow> rows;
    if (input.installed && input.installed != input.usable)
        rows.push_back({ *input.installed, LimitLine::Installed,
            FrameText::tr("installed %1").arg(numberText(*input.installed)) });
    if (!input.usable)
        return rows;
    rows.push_back({ *input.usable, LimitLine::Usable,
        FrameText::tr("usable %1").arg(numberText(*input.usable)), true });
    if (!input.usableConfirmed)
        rows.push_back(
            { *input.usable, LimitLine::Usable, FrameText::tr("not confirmed"), false, true });
    if (input.margin)
        rows.push_back({ *input.usable - *input.margin, LimitLine::Margin,
            FrameText::tr("margin %1").arg(numberText(*input.margin)) });
    return rows;
}

} // namespace

qreal timelineFooterHeight(const PaintStyle& style) { return 2 * rowHeight(style) + 10; }

void drawPhaseBands(QPainter& painter, const Timeline& timeline, const MomentAxis& axis,
    const TimelineScale& scale, const PaintStyle& style)
{
    constexpr qreal kNarrowest = 3; // narrower bands would only flicker
    bool shaded = false;
    for (const Timeline::Stretch& stretch : timeline.stretches) {
        shaded = !shaded;
        const QRectF rect = stretchRect(stretch, axis, scale);
        if (rect.width() < kNarrowest)
            continue;
        if (shaded)
            painter.fillRect(style.snap(rect), style.theme->alt);
    }
}

void drawPhaseNames(QPainter& painter, const Timeline& timeline, const MomentAxis& axis,
    const TimelineScale& scale, const PaintStyle& style)
{
    const QFont font = style.font(type::kSecondary);
    const qreal top = scale.plot.bottom() + 3;
    const qreal row = rowHeight(style);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    Crowd crowd;
    std::array<QRectF, 3> steps;
    for (const Timeline::Stretch& stretch : timeline.stretches) {
        const QRectF rect = stretchRect(stretch, axis, scale);
        const int step = stepOf(stretch.phase);
        if (rect.width() <= 0)
            continue;
        QRectF& whole = steps[static_cast<std::size_t>(step)];
        whole = whole.isNull() ? rect : whole.united(rect);
        const QString text = phaseName(stretch.phase);
        const bool fits = lineWidth(text, font) <= rect.width() - 2;
        if (fits || step != crowd.step) {
            drawCrowd(painter, crowd, top, style);
            crowd = {};
        }
        if (fits) {
            painter.setPen(QPen(style.theme->line2, 1));
            painter.drawLine(QPointF(style.snap(rect.left()) + 0.5, scale.plot.bottom()),
                QPointF(style.snap(rect.left()) + 0.5, top + row));
            drawLine(painter, QRectF(rect.left(), top, rect.width(), row), Qt::AlignCenter, text,
                font, style.theme->text);
            continue;
        }
        crowd.rect = crowd.rect.isNull() ? rect : crowd.rect.united(rect);
        crowd.step = step;
        crowd.passes += isForward(stretch.phase) ? 1 : 0;
        crowd.phase = stretch.phase;
        ++crowd.stretches;
    }
    drawCrowd(painter, crowd, top, style);
    // A crowd's passes and those that are left out are the step's micro-batches.
    const qreal below = top + row;
    const auto bracket = [&](int step, const QString& text, const QString& brief) {
        const QRectF& rect = steps[static_cast<std::size_t>(step)];
        if (!rect.isNull())
            drawBracket(painter, QRectF(rect.left(), below, rect.width(), row), text, brief, style);
    };
    bool creates = false;
    if (timeline.firstLoss && timeline.firstQuiet)
        creates = timeline.moments[*timeline.firstQuiet].held[index(Category::Optimizer)]
            > timeline.moments[*timeline.firstLoss].held[index(Category::Optimizer)];
    bracket(1,
        creates ? FrameText::tr("Step 1: creates the optimizer state") : FrameText::tr("Step 1"),
        FrameText::tr("Step 1"));
    bracket(2, FrameText::tr("Step 2: repeats from here on"), FrameText::tr("Step 2"));
    painter.restore();
}

void drawSkippedMarks(QPainter& painter, const Timeline& timeline, const MomentAxis& axis,
    const TimelineScale& scale, const PaintStyle& style)
{
    if (timeline.reduced.empty())
        return;
    painter.save();
    const QFont font = style.font(type::kAxis);
    for (std::size_t moment = axis.at(scale.first); moment <= axis.at(scale.last); ++moment) {
        const Timeline::Moment& at = timeline.moments[moment];
        if (at.kind != Timeline::Moment::Kind::Skipped)
            continue;
        const qreal left = scale.x(axis.from(moment));
        const qreal width = scale.x(axis.to(moment)) - left;
        const QRectF gap = QRectF(left, scale.plot.top(), std::max(width, 3.0), scale.plot.height())
            & scale.plot;
        painter.fillRect(gap, style.theme->view);
        painter.setPen(QPen(style.theme->text2, 1, Qt::DashLine));
        painter.drawLine(gap.topLeft(), gap.bottomLeft());
        painter.drawLine(gap.topRight(), gap.bottomRight());
        const QString text = FrameText::tr("× %1 more").arg(countText(at.times));
        const qreal wide = lineWidth(text, font);
        if (width < 4) // inner loops: too many to name
            continue;
        QRectF label(gap.center().x() - wide / 2 - 3, gap.top() + 2, wide + 6,
            std::ceil(QFontMetricsF(font).height()));
        label.moveLeft(std::clamp(label.left(), scale.plot.left(),
            std::max(scale.plot.left(), scale.plot.right() - label.width())));
        painter.fillRect(label, style.theme->view);
        drawLine(painter, label, Qt::AlignCenter, text, font, style.theme->text2);
    }
    painter.restore();
}

void drawTimelineLimits(QPainter& painter, const TimelineInput& input, const TimelineScale& scale,
    qreal room, const PaintStyle& style)
{
    const std::vector<LimitRow> rows = limitRows(input);
    const qreal height = rowHeight(style) - 1;
    qreal free = scale.plot.top() - height / 2;
    for (const LimitRow& row : rows) {
        const qreal y = style.snap(scale.y(row.at));
        if (!row.warns)
            drawLimitLine(painter,
                QPolygonF({ QPointF(scale.plot.left(), y), QPointF(scale.plot.right(), y) }),
                row.line, style);
        const qreal top = std::max(free, y - height / 2);
        free = top + height;
        const QRectF rect(scale.plot.right() + 6, top, room - 6, height);
        const QColor color = row.warns ? style.theme->overText
            : row.strong               ? style.theme->text
                                       : style.theme->text2;
        drawLine(painter, rect, Qt::AlignLeft | Qt::AlignVCenter, row.text,
            style.font(type::kSecondary, row.strong ? type::kSemibold : type::kRegular), color);
    }
}

qreal timelineLimitsWidth(const TimelineInput& input, const PaintStyle& style)
{
    qreal width = 0;
    for (const LimitRow& row : limitRows(input))
        width = std::max(width,
            lineWidth(row.text,
                style.font(type::kSecondary, row.strong ? type::kSemibold : type::kRegular)));
    return width > 0 ? std::ceil(width) + 10 : 4;
}

} // namespace shardrack
