#include "charts/shard_chart.h"

#include "charts/plot_layer.h"
#include "models/number_text.h"
#include "style/view_style.h"

#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>
#include <cmath>

namespace shardrack {

ShardChart::ShardChart(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(QStringLiteral("shardChart"));
    setAccessibleName(tr("Replicas against shards"));
    setFocusPolicy(Qt::StrongFocus);
    const PlotParts parts = makePlot(
        this, [](QPainter&) {}, [this](QPainter& painter) { drawFront(painter); },
        [this](QPainter& painter) { drawCursor(painter); });
    m_plot = parts.plot;
    m_cursorLayer = parts.cursor;
    m_plot->xAxis->setTicker(QSharedPointer<QCPAxisTickerText>::create());
    m_plot->xAxis->setSubTicks(false);
    m_plot->xAxis->setTickLength(0, 3);
    m_plot->xAxis->grid()->setVisible(false);
    layOut();
}

void ShardChart::setInput(const ShardLinesInput& input)
{
    const std::int32_t was = m_input.curves ? m_input.curves->gpus[m_cursor] : -1;
    m_input = input;
    m_cursor = 0;
    if (m_input.curves) {
        // The cursor stays at its number, and begins at the offer's.
        const std::vector<std::int32_t>& gpus = m_input.curves->gpus;
        auto at = std::find(gpus.begin(), gpus.end(), was);
        if (at == gpus.end())
            at = std::find(gpus.begin(), gpus.end(), m_input.curves->ownGpus);
        if (at != gpus.end())
            m_cursor = static_cast<std::size_t>(at - gpus.begin());
    }
    layOut();
    describe();
}

void ShardChart::setCursor(std::size_t number)
{
    if (!m_input.curves)
        return;
    m_cursor = std::min(number, m_input.curves->gpus.size() - 1);
    m_cursorLayer->replot();
    describe();
}

QString ShardChart::textAt(const ShardCurves& curves, std::size_t number)
{
    const std::int32_t gpus = curves.gpus[number];
    QStringList values;
    for (const ShardCurve& curve : curves.curves)
        values << tr("%1 %2").arg(
            QString::fromStdString(curve.name), sumText(curve.points[number].need));
    QString text = tr("%1 %2: %3 GiB a GPU")
                       .arg(countText(gpus), gpus == 1 ? tr("GPU") : tr("GPUs"),
                           values.join(QStringLiteral(", ")));
    if (curves.usable.bytes > Bytes(0))
        text += tr("; usable %1").arg(numberText(curves.usable.bytes));
    if (gpus == curves.ownGpus)
        text += tr("; this offer needs %1").arg(sumText(curves.ownNeed));
    return text;
}

ShardScale ShardChart::scale() const
{
    const QCPRange range = m_plot->xAxis->range();
    return { m_plot->axisRect()->rect(), range.lower, range.upper, m_axis };
}

/// As many numbers below the axis as have room.
void ShardChart::layOutNumbers(const QFont& font)
{
    auto ticker = m_plot->xAxis->ticker().dynamicCast<QCPAxisTickerText>();
    ticker->clear();
    if (!m_input.curves)
        return;
    const auto [first, last] = shardRange(*m_input.curves);
    m_plot->xAxis->setRange(first, last);
    const QMargins margins = m_plot->axisRect()->margins();
    const double perOctave = (width() - margins.left() - margins.right()) / (last - first);
    double free = -1e9;
    for (const std::int32_t gpus : m_input.curves->gpus) {
        const double place = std::log2(static_cast<double>(gpus));
        const double half = (lineWidth(countText(gpus), font) + 10) / 2 / perOctave;
        ticker->addTick(place, place - half < free ? QString() : countText(gpus));
        if (place - half >= free)
            free = place + half;
    }
}

void ShardChart::layOut()
{
    const PaintStyle style = styleOf(this);
    const Theme& theme = *style.theme;
    m_axis = shardAxis(m_input);
    auto ticker = m_plot->yAxis->ticker().dynamicCast<QCPAxisTickerText>();
    ticker->clear();
    for (int tick = 0; tick <= m_axis.steps; ++tick)
        ticker->addTick(m_axis.step * tick, m_axis.label(tick));
    m_plot->yAxis->setRange(0, m_axis.maximum());
    const QFont font = style.font(type::kAxis);
    for (QCPAxis* axis : { m_plot->xAxis, m_plot->yAxis }) {
        axis->setTickLabelFont(font);
        axis->setTickLabelColor(theme.text2);
        axis->setTickPen(QPen(theme.line, 1));
    }
    m_plot->xAxis->setBasePen(QPen(theme.line, 1));
    m_plot->yAxis->grid()->setPen(QPen(theme.grid, 1));
    m_plot->setBackground(theme.view);
    const int row = qCeil(QFontMetricsF(font).height());
    m_plot->axisRect()->setMargins(QMargins(qCeil(lineWidth(m_axis.label(m_axis.steps), font)) + 16,
        row + 10, qCeil(shardLabelsWidth(m_input, style)), 2 * row + 10));
    layOutNumbers(font);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void ShardChart::drawFront(QPainter& painter) const
{
    if (!m_input.curves)
        return;
    const PaintStyle style = styleOf(this);
    const ShardScale at = scale();
    const QFont font = style.font(type::kAxis);
    const qreal row = std::ceil(QFontMetricsF(font).height());
    drawLine(painter, QRectF(8, 2, at.plot.right() - 8, row), Qt::AlignLeft | Qt::AlignVCenter,
        tr("GiB a GPU, of the most loaded one"), font, style.theme->text2);
    drawLine(painter, QRectF(at.plot.left(), height() - row - 2, at.plot.width(), row),
        Qt::AlignCenter, tr("GPUs, each step doubles them"), font, style.theme->text2);
    drawShardLines(painter, m_input, at, style);
}

void ShardChart::drawCursor(QPainter& painter) const
{
    if (!m_input.curves)
        return;
    const PaintStyle style = styleOf(this);
    const ShardScale at = scale();
    painter.save();
    painter.setPen(QPen(style.theme->accent, hasFocus() ? 2 : 1, Qt::DashLine));
    const qreal x = style.snap(at.x(m_input.curves->gpus[m_cursor])) + 0.5;
    painter.drawLine(QPointF(x, at.plot.top()), QPointF(x, at.plot.bottom()));
    if (hasFocus()) {
        painter.setPen(QPen(style.theme->accent, 1, Qt::DotLine));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(2, 2, -3, -3));
    }
    painter.restore();
}

void ShardChart::describe()
{
    const QString text = m_input.curves ? textAt(*m_input.curves, m_cursor) : QString();
    setAccessibleDescription(text);
    setToolTip(text);
}

void ShardChart::moveTo(const QPointF& position)
{
    if (!m_input.curves)
        return;
    const ShardScale at = scale();
    const std::vector<std::int32_t>& gpus = m_input.curves->gpus;
    const auto nearest = std::min_element(gpus.begin(), gpus.end(), [&](auto a, auto b) {
        return std::abs(at.x(a) - position.x()) < std::abs(at.x(b) - position.x());
    });
    setCursor(static_cast<std::size_t>(nearest - gpus.begin()));
}

void ShardChart::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        moveTo(event->position());
}

void ShardChart::mouseMoveEvent(QMouseEvent* event)
{
    if (event->buttons().testFlag(Qt::LeftButton))
        moveTo(event->position());
}

void ShardChart::keyPressEvent(QKeyEvent* event)
{
    if (!m_input.curves)
        return QWidget::keyPressEvent(event);
    switch (event->key()) {
    case Qt::Key_Left:
        return setCursor(m_cursor == 0 ? 0 : m_cursor - 1);
    case Qt::Key_Right:
        return setCursor(m_cursor + 1);
    case Qt::Key_Home:
        return setCursor(0);
    case Qt::Key_End:
        return setCursor(m_input.curves->gpus.size() - 1);
    default:
        QWidget::keyPressEvent(event);
    }
}

void ShardChart::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    m_cursorLayer->replot();
}

void ShardChart::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    m_cursorLayer->replot();
}

void ShardChart::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    layOut();
}

void ShardChart::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        layOut();
}

} // namespace shardrack
