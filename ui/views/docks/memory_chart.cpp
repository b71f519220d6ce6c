#include "docks/memory_chart.h"

#include "style/view_style.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace shardrack {

namespace {

constexpr qreal kMargin = 12;

} // namespace

MemoryChart::MemoryChart(PlanDocument& document, Selection& selection, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_selection(selection)
{
    setObjectName(QStringLiteral("memoryChart"));
    setAccessibleName(tr("Memory by GPU"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    connect(&document, &PlanDocument::changed, this, &MemoryChart::rebuildIfSeen);
    connect(&document, &PlanDocument::resetDone, this, &MemoryChart::rebuildIfSeen);
    connect(&document, &PlanDocument::currentOfferChanged, this, &MemoryChart::rebuildIfSeen);
    connect(&document, &PlanDocument::whatIfChanged, this, &MemoryChart::rebuildIfSeen);
    connect(&selection, &Selection::changed, this, &MemoryChart::showSelection);
    connect(&selection, &Selection::hoverChanged, this, &MemoryChart::showHover);
    rebuild();
}

void MemoryChart::setOrder(BarOrder order)
{
    if (order == m_order)
        return;
    m_order = order;
    m_nowOrder.clear();
    rebuild();
}

void MemoryChart::setLegend(bool legend)
{
    if (legend == m_legend)
        return;
    m_legend = legend;
    m_input.legend = legend;
    layOut();
}

GpuRef MemoryChart::gpuOf(int bar) const
{
    return m_shown->assessment->index.ref(m_gpus[static_cast<std::size_t>(bar)]);
}

int MemoryChart::barOf(GpuRef gpu) const
{
    const std::int32_t ordinal = m_shown ? m_shown->assessment->index.ordinal(gpu) : -1;
    return ordinal < 0 || static_cast<std::size_t>(ordinal) >= m_barOf.size()
        ? -1
        : m_barOf[static_cast<std::size_t>(ordinal)];
}

void MemoryChart::rebuildIfSeen()
{
    if (isVisible())
        rebuild();
    else
        m_stale = true;
}

void MemoryChart::rebuild()
{
    m_stale = false;
    const std::optional<ShownOffer> before = std::move(m_now);
    m_now = m_document.current();
    const std::optional<ShownOffer> tried = m_now ? m_document.whatIf() : std::nullopt;
    m_shown = tried ? tried : m_now;
    m_gpus.clear();
    m_barOf.clear();
    m_input = {};
    if (m_shown && !m_shown->assessment->error) {
        // While something is tried the order stays as it was when it was sorted last.
        const bool sorted = before && before->assessment == m_now->assessment
            && m_nowOrder.size() == m_now->assessment->account.classOfGpu.size();
        if (!sorted)
            m_nowOrder = barOrder(*m_now, m_order);
        std::vector<std::int32_t> was;
        if (tried)
            was = ordinalsBefore(*m_now->assessment, *tried->assessment);
        m_gpus = tried ? heldOrder(m_nowOrder, was) : m_nowOrder;
        m_input = barsInput(*m_now, tried, m_gpus, was);
        m_input.order = m_order == BarOrder::MostLoaded ? tr("racks, least headroom first")
                                                        : tr("GPUs in rack order");
        m_barOf.assign(m_gpus.size(), -1);
        for (std::size_t i = 0; i < m_gpus.size(); ++i)
            m_barOf[static_cast<std::size_t>(m_gpus[i])] = static_cast<std::int32_t>(i);
    }
    m_input.legend = m_legend;
    m_anchor = -1;
    showSelection();
    showHover();
    layOut();
}

void MemoryChart::layOut()
{
    m_layout = layoutMemoryBars(
        m_input, QRectF(rect()).adjusted(kMargin, 8, -kMargin, -8), styleOf(this));
    update();
}

void MemoryChart::showSelection()
{
    m_input.selected.clear();
    if (!m_selection.gpus().empty() && m_input.count() > 0) {
        m_input.selected.assign(static_cast<std::size_t>(m_input.count()), 0);
        for (const GpuRef gpu : m_selection.gpus())
            if (const int bar = barOf(gpu); bar >= 0)
                m_input.selected[static_cast<std::size_t>(bar)] = 1;
    }
    describe();
    // A column knows whether it holds a selected bar.
    if (m_layout.mode == BarsMode::Columns && m_layout.count == m_input.count())
        layOut();
    update();
}

void MemoryChart::showHover()
{
    const GpuRef gpu = m_selection.hovered();
    const int bar = gpu.server == 0 ? -1 : barOf(gpu);
    if (bar == m_input.hovered)
        return;
    m_input.hovered = bar;
    update();
}

/// What assistive technology reads: the device that keys start from.
void MemoryChart::describe()
{
    const int bar = m_selection.focus().server == 0 ? -1 : barOf(m_selection.focus());
    QString text;
    if (bar >= 0)
        text = barToolTip(*m_shown, m_gpus[static_cast<std::size_t>(bar)]);
    else if (m_input.count() == 0)
        text = tr("No GPU is placed yet");
    setAccessibleDescription(text);
}

bool MemoryChart::selectable(int bar) const
{
    return bar >= 0 && bar < m_input.count() && !m_input.isNew(bar);
}

void MemoryChart::select(int bar, Qt::KeyboardModifiers modifiers)
{
    if (!selectable(bar))
        return;
    const GpuRef gpu = gpuOf(bar);
    if (modifiers.testFlag(Qt::ShiftModifier)) {
        if (m_anchor < 0)
            m_anchor = std::max(barOf(m_selection.focus()), 0);
        std::vector<GpuRef> gpus;
        for (int i = std::min(m_anchor, bar); i <= std::max(m_anchor, bar); ++i)
            if (selectable(i))
                gpus.push_back(gpuOf(i));
        m_selection.selectGpus(std::move(gpus), gpu);
        return;
    }
    m_anchor = bar;
    if (modifiers.testFlag(Qt::ControlModifier))
        m_selection.toggleGpu(gpu);
    else
        m_selection.selectGpu(gpu);
}

/// The bar so many bars or pixel columns further, inside the chart.
int MemoryChart::stepped(int bar, int by) const
{
    const int last = m_input.count() - 1;
    if (m_layout.mode != BarsMode::Columns)
        return std::clamp(bar + by, 0, last);
    const int column = std::clamp(m_layout.columnOf(std::clamp(bar, 0, last)) + by, 0,
        static_cast<int>(m_layout.columns.size()) - 1);
    return m_layout.columns[static_cast<std::size_t>(column)].most;
}

bool MemoryChart::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int bar = m_layout.barAt(help->pos());
        if (bar >= 0 && bar < m_input.count())
            QToolTip::showText(help->globalPos(),
                barToolTip(*m_shown, m_gpus[static_cast<std::size_t>(bar)]), this,
                m_layout.barSlot(bar).toAlignedRect());
        else
            QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

void MemoryChart::paintEvent(QPaintEvent*)
{
    const PaintStyle style = styleOf(this);
    QPainter painter(this);
    painter.fillRect(rect(), style.theme->view);
    if (m_shown && m_shown->assessment->error) {
        drawLine(painter, QRectF(rect()).adjusted(kMargin, 0, -kMargin, 0), Qt::AlignCenter,
            QString::fromStdString(m_shown->assessment->error->text()), style.font(type::kBase),
            style.theme->overText);
        return;
    }
    paintMemoryBars(painter, m_input, m_layout, style);
    if (hasFocus()) {
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setPen(QPen(style.theme->accent, 1, Qt::DotLine));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(2, 2, -3, -3));
    }
}

void MemoryChart::resizeEvent(QResizeEvent*) { layOut(); }

void MemoryChart::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_stale)
        rebuild();
}

void MemoryChart::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return;
    const int bar = m_layout.barAt(event->position());
    if (bar >= 0)
        select(bar, event->modifiers());
    else if (event->modifiers() == Qt::NoModifier)
        m_selection.clear();
}

void MemoryChart::mouseMoveEvent(QMouseEvent* event)
{
    const int bar = m_layout.barAt(event->position());
    m_selection.setHovered(selectable(bar) ? gpuOf(bar) : GpuRef {});
}

void MemoryChart::leaveEvent(QEvent*) { m_selection.setHovered({}); }

void MemoryChart::keyPressEvent(QKeyEvent* event)
{
    if (m_input.count() == 0)
        return QWidget::keyPressEvent(event);
    const int focus = m_selection.focus().server == 0 ? -1 : barOf(m_selection.focus());
    const int last = m_input.count() - 1;
    int bar = focus;
    switch (event->key()) {
    case Qt::Key_Left:
        bar = focus < 0 ? 0 : stepped(focus, -1);
        break;
    case Qt::Key_Right:
        bar = focus < 0 ? 0 : stepped(focus, 1);
        break;
    case Qt::Key_Home:
        bar = 0;
        break;
    case Qt::Key_End:
        bar = last;
        break;
    case Qt::Key_Escape:
        if (m_selection.empty())
            return QWidget::keyPressEvent(event);
        m_selection.clear();
        return;
    default:
        return QWidget::keyPressEvent(event);
    }
    if (event->modifiers().testFlag(Qt::ShiftModifier) && m_anchor < 0)
        m_anchor = std::max(focus, 0);
    select(bar, event->modifiers() & Qt::ShiftModifier);
}

void MemoryChart::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    describe();
}

void MemoryChart::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        layOut();
}

} // namespace shardrack
