#include "charts/timeline_chart.h"

#include "charts/plot_layer.h"
#include "charts/timeline_frame.h"
#include "charts/timeline_text.h"
#include "models/number_text.h"
#include "style/view_style.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace shardrack {

namespace {

constexpr double kFewestInView = 6; ///< places of the axis

double gibOf(Bytes bytes) { return static_cast<double>(bytes.count()) / static_cast<double>(kGiB); }

} // namespace

TimelineChart::TimelineChart(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(QStringLiteral("timelineChart"));
    setAccessibleName(tr("Step timeline"));
    setToolTip(tr("Left and Right go by event, with Ctrl by phase. Home: peak, End: quiet point. "
                  "Wheel, + and − zoom, 0 shows everything, Page Up and Page Down move."));
    setFocusPolicy(Qt::StrongFocus);
    const auto unlessEmpty = [this](void (TimelineChart::*draw)(QPainter&) const) {
        return [this, draw](QPainter& painter) {
            if (!empty())
                (this->*draw)(painter);
        };
    };
    const PlotParts parts = makePlot(this, unlessEmpty(&TimelineChart::drawGround),
        unlessEmpty(&TimelineChart::drawFront), unlessEmpty(&TimelineChart::drawCursor));
    m_plot = parts.plot;
    m_cursorLayer = parts.cursor;
    m_plot->xAxis->setVisible(false);
    layOut();
}

TimelineChart::~TimelineChart() = default;

void TimelineChart::setInput(const TimelineInput& input)
{
    const bool before = !empty();
    const std::size_t count = before ? m_input.rank->timeline.moments.size() : 0;
    const bool atQuiet = before && m_input.rank->timeline.quiet == m_cursor;
    const bool atPeak = !before || m_input.rank->timeline.peak == m_cursor;
    const double wasFirst = viewFirst(), wasLast = viewLast();
    const bool shown = m_input.slack;
    m_input = input;
    m_input.slack = shown;
    if (empty()) {
        m_axis = {};
        m_cursor = 0;
    } else {
        const Timeline& timeline = m_input.rank->timeline;
        m_axis = MomentAxis(timeline);
        if (atQuiet && timeline.quiet)
            m_cursor = *timeline.quiet;
        else if (atPeak || count != timeline.moments.size())
            m_cursor = timeline.peak;
        m_plot->xAxis->setRange(wasFirst * m_axis.end(), wasLast * m_axis.end());
    }
    layOut();
    describe();
    emit cursorMoved();
}

void TimelineChart::setSlackShown(bool shown)
{
    m_input.slack = shown;
    layOut();
}

void TimelineChart::setCursor(std::size_t moment)
{
    if (empty())
        return;
    moment = std::min(moment, m_input.rank->timeline.moments.size() - 1);
    if (moment == m_cursor)
        return;
    m_cursor = moment;
    keepCursorInView();
    m_cursorLayer->replot();
    describe();
    emit cursorMoved();
}

void TimelineChart::goToPeak()
{
    if (!empty())
        setCursor(m_input.rank->timeline.peak);
}

void TimelineChart::goToQuietPoint()
{
    if (!empty() && m_input.rank->timeline.quiet)
        setCursor(*m_input.rank->timeline.quiet);
}

double TimelineChart::viewFirst() const
{
    return m_axis.end() > 0 ? m_plot->xAxis->range().lower / m_axis.end() : 0;
}

double TimelineChart::viewLast() const
{
    return m_axis.end() > 0 ? m_plot->xAxis->range().upper / m_axis.end() : 1;
}

void TimelineChart::setView(double first, double last)
{
    const double end = m_axis.end();
    const double span = std::clamp(last - first, std::min(kFewestInView, end), end);
    first = std::clamp(first, 0.0, end - span);
    m_plot->xAxis->setRange(first, first + span);
    makeCallouts();
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void TimelineChart::zoom(double factor, double about)
{
    if (empty())
        return;
    const QCPRange range = m_plot->xAxis->range();
    const double span
        = std::clamp(range.size() * factor, std::min(kFewestInView, m_axis.end()), m_axis.end());
    const double share = (about - range.lower) / range.size();
    setView(about - share * span, about + (1 - share) * span);
}

void TimelineChart::showAll() { setView(0, m_axis.end()); }

void TimelineChart::pan(double places)
{
    const QCPRange range = m_plot->xAxis->range();
    setView(range.lower + places, range.upper + places);
}

void TimelineChart::keepCursorInView()
{
    const QCPRange range = m_plot->xAxis->range();
    if (m_axis.from(m_cursor) < range.lower)
        pan(m_axis.from(m_cursor) - range.lower - range.size() * 0.1);
    else if (m_axis.to(m_cursor) > range.upper)
        pan(m_axis.to(m_cursor) - range.upper + range.size() * 0.1);
}

TimelineScale TimelineChart::scale() const
{
    TimelineScale scale;
    scale.plot = m_plot->axisRect()->rect();
    scale.first = m_plot->xAxis->range().lower;
    scale.last = m_plot->xAxis->range().upper;
    scale.full = m_scale.full();
    return scale;
}

QPoint TimelineChart::pointOf(std::size_t moment) const
{
    const TimelineScale at = scale();
    return QPointF(at.x(m_axis.middle(moment)), at.y(m_input.rank->tensors(moment))).toPoint();
}

void TimelineChart::layOut()
{
    const PaintStyle style = styleOf(this);
    const Theme& theme = *style.theme;
    Bytes highest;
    if (!empty())
        highest = std::max(m_input.rank->need(),
            std::max(m_input.usable.value_or(Bytes()), m_input.installed.value_or(Bytes())));
    m_scale = axisFor(highest, m_input.usable, 0.04);
    auto ticker = m_plot->yAxis->ticker().dynamicCast<QCPAxisTickerText>();
    ticker->clear();
    for (int tick = 0; tick <= m_scale.steps; ++tick)
        ticker->addTick(m_scale.step * tick, m_scale.label(tick));
    m_plot->yAxis->setRange(0, gibOf(m_scale.full()));
    const QFont font = style.font(type::kAxis);
    m_plot->yAxis->setTickLabelFont(font);
    m_plot->yAxis->setTickLabelColor(theme.text2);
    m_plot->yAxis->grid()->setPen(QPen(theme.grid, 1));
    m_plot->setBackground(theme.view);
    m_right = timelineLimitsWidth(m_input, style);
    const int left = qCeil(lineWidth(m_scale.label(m_scale.steps), font)) + 16;
    const int top = qCeil(QFontMetricsF(font).height()) + 8;
    constexpr int kLeastWithLegend = 270;
    m_legend = empty() || height() < kLeastWithLegend
        ? 0
        : legendRowsHeight(legendEntries(), width() - 24, style) + 4;
    m_plot->axisRect()->setMargins(
        QMargins(left, top, qCeil(m_right), qCeil(timelineFooterHeight(style) + m_legend)));
    if (!empty())
        setView(m_plot->xAxis->range().lower, m_plot->xAxis->range().upper);
    else
        m_plot->replot(QCustomPlot::rpQueuedReplot);
}

/// The categories that are held at any time.
std::vector<LegendEntry> TimelineChart::legendEntries() const
{
    std::vector<LegendEntry> entries;
    const RankTimeline& rank = *m_input.rank;
    const auto add = [&](Category category, bool held) {
        if (held)
            entries.push_back({ LegendEntry::Mark::Category, category, categoryTitle(category) });
    };
    for (const Category category : kCategories)
        add(category,
            std::any_of(rank.timeline.largest.begin(), rank.timeline.largest.end(),
                [&](const std::optional<std::size_t>& moment) {
                    return moment
                        && rank.timeline.moments[*moment].held[index(category)] > Bytes(0);
                }));
    if (m_input.slack) {
        add(Category::Slack, rank.slack > Bytes(0));
        add(Category::Outside, rank.outside > Bytes(0));
    }
    if (!rank.open.empty())
        entries.push_back({ LegendEntry::Mark::Open, {}, tr("Not established") });
    return entries;
}

void TimelineChart::makeCallouts()
{
    m_callouts.clear();
    const QRectF plot = QRectF(rect()).adjusted(m_plot->axisRect()->margins().left(),
        m_plot->axisRect()->margins().top(), -m_plot->axisRect()->margins().right(),
        -m_plot->axisRect()->margins().bottom());
    constexpr qreal kLeastWidth = 300, kLeastHeight = 110;
    if (empty() || plot.width() < kLeastWidth || plot.height() < kLeastHeight)
        return;
    const PaintStyle style = styleOf(this);
    const Theme& theme = *style.theme;
    const RankTimeline& rank = *m_input.rank;
    const Timeline& timeline = rank.timeline;
    TimelineScale at = scale();
    at.plot = plot;
    const auto add = [&](Callout callout, std::size_t moment) {
        callout.anchor = QPointF(at.x(m_axis.middle(moment)), at.y(rank.tensors(moment)));
        if (callout.anchor.x() >= plot.left() && callout.anchor.x() <= plot.right())
            m_callouts.push_back(std::move(callout));
    };
    Callout peak;
    const bool atLeast = !rank.open.empty();
    peak.title = tr("Peak: %1").arg(momentPlace(timeline, timeline.peak));
    peak.value = atLeast ? tr("≥ %1 GiB").arg(numberText(rank.need()))
                         : tr("%1 GiB").arg(numberText(rank.need()));
    if (!rank.isOpen(Category::Slack) && !rank.isOpen(Category::Outside))
        peak.lines.push_back({ tr("tensors %1 + slack %2 + outside %3")
                                   .arg(numberText(rank.tensors(timeline.peak)),
                                       numberText(rank.slack), numberText(rank.outside)),
            theme.text2 });
    if (m_input.usable) {
        const Bytes headroom = *m_input.usable - rank.need();
        if (headroom < Bytes(0))
            peak.lines.push_back(
                { atLeast ? tr("over by at least %1").arg(numberText(Bytes(0) - headroom))
                          : tr("over by %1").arg(numberText(Bytes(0) - headroom)),
                    theme.overText, true });
        else if (atLeast)
            peak.lines.push_back(
                { tr("at most %1 left for what is open").arg(numberText(headroom)), theme.text2 });
        else
            peak.lines.push_back(
                { tr("headroom %1").arg(numberText(headroom)), theme.okText, true });
    }
    peak.frame = theme.accent;
    add(peak, timeline.peak);

    const Bytes less
        = timeline.quiet ? rank.tensors(timeline.peak) - rank.tensors(*timeline.quiet) : Bytes(0);
    if (timeline.quiet && less > Bytes(0) && rank.given.empty()) {
        Callout quiet;
        quiet.title = tr("Quiet point");
        quiet.value = numberText(rank.tensors(*timeline.quiet));
        quiet.lines.push_back(
            { tr("reads %1 less than the peak").arg(numberText(less)), theme.overText, true });
        quiet.lines.push_back({ tr("it shows what is held, not the need"), theme.text2 });
        quiet.frame = theme.over;
        quiet.icon = Icon::Misleading;
        add(quiet, *timeline.quiet);
    }
    if (timeline.firstPeak && rank.workingSetDerived()) {
        Callout first;
        first.title
            = tr("Step 1 peak: tensors %1").arg(numberText(rank.tensors(*timeline.firstPeak)));
        first.lines.push_back({ firstStepDifference(rank), theme.text2 });
        first.frame = theme.text3;
        add(first, *timeline.firstPeak);
    }
    // On a low plot boxes of three lines would hide what they speak of.
    constexpr qreal kFullHeight = 200;
    if (plot.height() < kFullHeight)
        for (Callout& callout : m_callouts)
            std::erase_if(callout.lines, [](const Callout::Line& line) { return !line.strong; });
    // How much of a box would lie over tensors, and over what is reserved above them.
    const auto weight = [&](const QRectF& box) {
        constexpr int kSamples = 12;
        double sum = 0;
        for (int i = 0; i <= kSamples; ++i) {
            const qreal x = box.left() + box.width() * i / kSamples;
            const std::size_t moment = m_axis.at(at.place(x));
            const qreal tensors = at.y(rank.tensors(moment));
            sum += std::clamp((box.bottom() - tensors) / box.height(), 0.0, 1.0);
            if (m_input.slack)
                sum += 0.15
                    * std::clamp((box.bottom() - at.y(rank.held(moment))) / box.height(), 0.0, 1.0);
        }
        double lines = 0;
        if (m_input.usable) {
            const qreal y = at.y(*m_input.usable);
            lines = y > box.top() && y < box.bottom() ? 0.1 : 0;
        }
        return sum / (kSamples + 1) + lines;
    };
    placeCallouts(m_callouts, plot.adjusted(6, 3, -6, -6), weight, style);
}

void TimelineChart::drawGround(QPainter& painter) const
{
    drawPhaseBands(painter, m_input.rank->timeline, m_axis, scale(), styleOf(this));
}

void TimelineChart::drawFront(QPainter& painter) const
{
    const PaintStyle style = styleOf(this);
    const TimelineScale at = scale();
    const Timeline& timeline = m_input.rank->timeline;
    painter.save();
    painter.setClipRect(at.plot.adjusted(0, -2, 0, 1));
    const std::vector<TimelineCell> cells = timelineCells(timeline, m_axis, at);
    drawTimelineAreas(painter, m_input, cells, at, style);
    drawSkippedMarks(painter, timeline, m_axis, at, style);
    painter.restore();
    painter.setPen(QPen(style.theme->line, 1));
    painter.drawLine(QPointF(at.plot.left(), at.plot.bottom() + 0.5),
        QPointF(at.plot.right(), at.plot.bottom() + 0.5));
    drawLine(painter, QRectF(8, 0, width() - 16, at.plot.top() - 4), Qt::AlignLeft | Qt::AlignTop,
        tr("GiB  ·  events in order, not to time scale"), style.font(type::kAxis),
        style.theme->text2);
    if (m_legend > 0)
        drawLegendRows(painter, QRectF(12, height() - m_legend - 4, width() - 24, m_legend),
            legendEntries(), style);
    drawTimelineLimits(painter, m_input, at, m_right, style);
    drawPhaseNames(painter, timeline, m_axis, at, style);
}

void TimelineChart::drawCursor(QPainter& painter) const
{
    const PaintStyle style = styleOf(this);
    const TimelineScale at = scale();
    const qreal x = style.snap(at.x(m_axis.middle(m_cursor)));
    painter.save();
    if (x >= at.plot.left() - 1 && x <= at.plot.right() + 1) {
        painter.setRenderHint(QPainter::Antialiasing);
        const QColor color = style.theme->accent;
        painter.setPen(QPen(color, hasFocus() ? 2 : 1.4));
        painter.drawLine(QPointF(x, at.plot.top() - 4), QPointF(x, at.plot.bottom()));
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        const qreal top = at.plot.top() - 6;
        painter.drawPolygon(
            QPolygonF({ QPointF(x - 5, top - 6), QPointF(x + 5, top - 6), QPointF(x, top + 1) }));
        painter.setPen(QPen(color, 2));
        painter.setBrush(style.theme->view);
        painter.drawEllipse(QPointF(x, at.y(m_input.rank->tensors(m_cursor))), 3.6, 3.6);
    }
    drawCallouts(painter, m_callouts, style);
    if (hasFocus()) {
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setPen(QPen(style.theme->accent, 1, Qt::DotLine));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(2, 2, -3, -3));
    }
    painter.restore();
}

std::size_t TimelineChart::stepped(int by, bool byPhase) const
{
    const Timeline& timeline = m_input.rank->timeline;
    if (!byPhase) {
        const auto last = static_cast<std::ptrdiff_t>(timeline.moments.size()) - 1;
        return static_cast<std::size_t>(
            std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(m_cursor) + by, 0, last));
    }
    const auto& stretches = timeline.stretches;
    if (by > 0) {
        for (const Timeline::Stretch& stretch : stretches)
            if (stretch.first > m_cursor)
                return stretch.first;
        return timeline.moments.size() - 1;
    }
    for (auto stretch = stretches.rbegin(); stretch != stretches.rend(); ++stretch)
        if (stretch->first < m_cursor)
            return stretch->first;
    return 0;
}

void TimelineChart::describe()
{
    setAccessibleDescription(empty() ? QString() : momentText(*m_input.rank, m_cursor));
}

void TimelineChart::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    layOut();
}

void TimelineChart::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && !empty())
        setCursor(m_axis.at(scale().place(event->position().x())));
}

void TimelineChart::mouseMoveEvent(QMouseEvent* event)
{
    if (event->buttons().testFlag(Qt::LeftButton) && !empty())
        setCursor(m_axis.at(scale().place(event->position().x())));
}

void TimelineChart::wheelEvent(QWheelEvent* event)
{
    if (empty())
        return QWidget::wheelEvent(event);
    const QPoint delta = event->angleDelta();
    const bool sideways = event->modifiers().testFlag(Qt::ShiftModifier)
        || std::abs(delta.x()) > std::abs(delta.y());
    const double notches
        = (std::abs(delta.x()) > std::abs(delta.y()) ? delta.x() : delta.y()) / 120.0;
    if (sideways)
        pan(-notches * 0.1 * m_plot->xAxis->range().size());
    else
        zoom(std::pow(0.8, notches),
            std::clamp(scale().place(event->position().x()), 0.0, m_axis.end()));
    event->accept();
}

void TimelineChart::keyPressEvent(QKeyEvent* event)
{
    if (empty())
        return QWidget::keyPressEvent(event);
    const bool byPhase = event->modifiers().testFlag(Qt::ControlModifier);
    switch (event->key()) {
    case Qt::Key_Left:
        return setCursor(stepped(-1, byPhase));
    case Qt::Key_Right:
        return setCursor(stepped(1, byPhase));
    case Qt::Key_Home:
        return goToPeak();
    case Qt::Key_End:
        return goToQuietPoint();
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoom(0.5, m_axis.middle(m_cursor));
    case Qt::Key_Minus:
        return zoom(2, m_axis.middle(m_cursor));
    case Qt::Key_0:
        return showAll();
    case Qt::Key_PageUp:
        return pan(-0.5 * m_plot->xAxis->range().size());
    case Qt::Key_PageDown:
        return pan(0.5 * m_plot->xAxis->range().size());
    default:
        QWidget::keyPressEvent(event);
    }
}

void TimelineChart::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    describe();
    m_cursorLayer->replot();
}

void TimelineChart::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    m_cursorLayer->replot();
}

void TimelineChart::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        layOut();
}

} // namespace shardrack
