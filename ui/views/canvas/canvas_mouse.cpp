// Selecting, hovering, panning and zooming with the mouse.

#include "canvas/rack_canvas.h"

#include "canvas/rack_loupe.h"

#include <QApplication>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace shardrack {

using Kind = CanvasHit::Kind;

GpuRef RackCanvas::refOf(const CanvasHit& hit) const
{
    if (hit.slot < 0 || hit.slot >= m_layout.band(hit.rack, hit.band).gpus)
        return {};
    return { m_scene.place(hit.rack, m_layout.band(hit.rack, hit.band).server).id, hit.slot };
}

std::vector<GpuRef> RackCanvas::gpusIn(const QRectF& onCanvas) const
{
    std::vector<GpuRef> gpus;
    m_layout.eachGpuIn(onCanvas, [&](int rack, int band, int slot) {
        if (slot < m_layout.band(rack, band).gpus)
            gpus.push_back({ m_scene.place(rack, m_layout.band(rack, band).server).id, slot });
    });
    return gpus;
}

void RackCanvas::select(const CanvasHit& hit, Qt::KeyboardModifiers modifiers)
{
    switch (hit.kind) {
    case Kind::Rank:
    case Kind::Gpu: {
        const GpuRef gpu = refOf(hit);
        if (modifiers & Qt::ControlModifier)
            m_selection.toggleGpu(gpu);
        else if (modifiers & Qt::ShiftModifier)
            extendTo(gpu);
        else
            m_selection.selectGpu(gpu);
        m_marqueeAnchor = gpu;
        break;
    }
    case Kind::ServerHeader:
    case Kind::ServerBody:
        selectServerAt(hit.rack, m_layout.band(hit.rack, hit.band).server);
        break;
    case Kind::Rack:
        selectRackAt(hit.rack);
        break;
    default:
        break;
    }
}

void RackCanvas::extendTo(GpuRef gpu)
{
    const int from = m_scene.ordinal(m_selection.focus());
    const int to = m_scene.ordinal(gpu);
    if (from < 0) {
        m_selection.selectGpu(gpu);
        return;
    }
    std::vector<GpuRef> gpus;
    for (int i = std::min(from, to); i <= std::max(from, to); ++i)
        gpus.push_back(m_scene.index().ref(i));
    m_selection.selectGpus(std::move(gpus), m_selection.focus());
}

void RackCanvas::selectGroupAt(const CanvasHit& hit)
{
    // All GPUs whose ranks share what the ranks here share.
    const int gpu = m_scene.ordinal(m_scene.rackCount() > 0 ? refOf(hit) : GpuRef {});
    if (gpu < 0)
        return;
    const GroupLabel label = groupLabel(m_scene, gpu);
    if (label.key < 0)
        return;
    const ResolvedLayout& layout = m_scene.layout();
    const ResolvedLayout::Shares shares = layout.shares(layout.ranksOn(gpu).front());
    const std::int32_t group
        = std::max({ shares.parameters.group, shares.gradients.group, shares.optimizer.group });
    std::vector<GpuRef> gpus;
    if (group >= 0 && layout.tensor() == 1) {
        const ShardGroup members = layout.group(group);
        for (const RankSet::Interval& interval : members.ranks.intervals())
            for (std::int32_t rank = interval.first; rank <= interval.last; ++rank)
                for (const ResolvedLayout::Device& device : layout.devicesOf(rank))
                    gpus.push_back(m_scene.index().ref(device.gpu));
    } else {
        for (std::int32_t each = 0; each < m_scene.index().gpuCount(); ++each)
            if (groupLabel(m_scene, each) == label)
                gpus.push_back(m_scene.index().ref(each));
    }
    m_selection.selectGpus(std::move(gpus), m_scene.index().ref(gpu));
}

void RackCanvas::selectLabelAt(const CanvasHit& hit)
{
    const int shared = m_scene.classOfRack(hit.rack);
    const int row = hit.rack / m_layout.rackColumns();
    const auto joins = [&](int rack) {
        return rack >= 0 && rack / m_layout.rackColumns() == row && rack < m_scene.rackCount()
            && m_scene.classOfRack(rack) == shared;
    };
    int first = hit.rack, last = hit.rack;
    while (shared >= 0 && joins(first - 1))
        --first;
    while (shared >= 0 && joins(last + 1))
        ++last;
    std::vector<GpuRef> gpus;
    for (int gpu = m_scene.firstGpu(first); gpu < m_scene.firstGpu(last + 1); ++gpu)
        gpus.push_back(m_scene.index().ref(gpu));
    if (!gpus.empty()) {
        const GpuRef focus = gpus.front();
        m_selection.selectGpus(std::move(gpus), focus);
    }
}

void RackCanvas::enterRack(int rack)
{
    enlargeToCells(QRectF(rectOfRack(rack)).center());
    ensureVisible(rectOfRack(rack));
}

void RackCanvas::mousePressEvent(QMouseEvent* event)
{
    hideHover();
    const bool pan = event->button() == Qt::MiddleButton
        || (event->button() == Qt::LeftButton && (m_spaceHeld || m_tool == Tool::Pan));
    if (pan) {
        m_panning = true;
        m_panFrom = event->pos();
        updateCursor();
        return;
    }
    if (event->button() != Qt::LeftButton || !m_scene.hasOffer() || m_carry.active())
        return;
    const CanvasHit hit = m_layout.hitTest(toCanvas(event->position()));
    m_pressed = hit;
    m_pressedAt = event->pos();
    m_selectOnRelease = false;
    const bool plain = !(event->modifiers() & (Qt::ControlModifier | Qt::ShiftModifier));
    // A click on what is selected with others must not lose them before a drag begins.
    if (hit.onGpu() && plain && m_selection.gpus().size() > 1 && m_selection.contains(refOf(hit)))
        m_selectOnRelease = true;
    else
        select(hit, event->modifiers());
    const bool ground = hit.kind == Kind::Nothing || hit.kind == Kind::FreeSpace
        || hit.kind == Kind::FreeSlot || hit.kind == Kind::RackLabel
        || hit.kind == Kind::GroupLabel;
    if (ground) {
        m_marqueeFrom = toCanvas(event->position());
        if (plain)
            m_selection.clear();
    }
}

void RackCanvas::mouseMoveEvent(QMouseEvent* event)
{
    if (m_panning) {
        const QPoint by = event->pos() - m_panFrom;
        m_panFrom = event->pos();
        horizontalScrollBar()->setValue(horizontalScrollBar()->value() - by.x());
        verticalScrollBar()->setValue(verticalScrollBar()->value() - by.y());
        return;
    }
    if (!m_pressed) {
        hover(event->pos());
        return;
    }
    const bool far
        = (event->pos() - m_pressedAt).manhattanLength() >= QApplication::startDragDistance();
    if (!far && m_marquee.isNull())
        return;
    if (const std::optional<Carried> carried = carriedFrom(*m_pressed)) {
        m_pressed.reset();
        m_selectOnRelease = false;
        startDrag(*carried);
        return;
    }
    if (m_pressed->kind == Kind::Rack)
        return;
    const QRectF before = m_marquee;
    m_marquee = QRectF(m_marqueeFrom, toCanvas(event->position())).normalized();
    viewport()->update(toViewport(before.united(m_marquee)).adjusted(-2, -2, 2, 2));
}

void RackCanvas::mouseReleaseEvent(QMouseEvent* event)
{
    if (m_panning) {
        m_panning = false;
        updateCursor();
        return;
    }
    if (event->button() != Qt::LeftButton || !m_pressed)
        return;
    if (!m_marquee.isNull())
        finishMarquee(event->modifiers());
    else if (m_selectOnRelease)
        select(*m_pressed, event->modifiers());
    m_pressed.reset();
    m_selectOnRelease = false;
}

void RackCanvas::finishMarquee(Qt::KeyboardModifiers modifiers)
{
    std::vector<GpuRef> gpus = gpusIn(m_marquee);
    m_marquee = {};
    if (modifiers & (Qt::ControlModifier | Qt::ShiftModifier))
        gpus.insert(gpus.end(), m_selection.gpus().begin(), m_selection.gpus().end());
    if (gpus.empty())
        m_selection.clear();
    else {
        const GpuRef focus = gpus.front();
        m_selection.selectGpus(std::move(gpus), focus);
    }
    viewport()->update();
}

void RackCanvas::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || !m_scene.hasOffer())
        return;
    const CanvasHit hit = m_layout.hitTest(toCanvas(event->position()));
    if (hit.kind == Kind::GroupLabel) {
        selectGroupAt(hit);
    } else if (hit.kind == Kind::RackLabel) {
        selectLabelAt(hit);
    } else if (hit.rack >= 0 && m_layout.level() >= DetailLevel::GpuCell) {
        enterRack(hit.rack);
    } else if (hit.kind == Kind::ServerHeader && m_layout.level() != DetailLevel::Card
        && m_layout.band(hit.rack, hit.band).gpus > 0) {
        // At these levels the group's label stands on the server's header.
        CanvasHit first = hit;
        first.slot = 0;
        selectGroupAt(first);
    }
}

void RackCanvas::wheelEvent(QWheelEvent* event)
{
    if (!(event->modifiers() & Qt::ControlModifier)) {
        QAbstractScrollArea::wheelEvent(event);
        return;
    }
    constexpr double kPerNotch = 1.15;
    constexpr double kNotch = 120;
    m_ownZoom = true;
    setGpuWidth(
        m_gpuWidth * std::pow(kPerNotch, event->angleDelta().y() / kNotch), event->position());
    event->accept();
}

void RackCanvas::setTool(Tool tool)
{
    m_tool = tool;
    updateCursor();
}

void RackCanvas::updateCursor()
{
    if (m_panning)
        viewport()->setCursor(Qt::ClosedHandCursor);
    else if (m_spaceHeld || m_tool == Tool::Pan || m_hoverHit.kind == Kind::Rank)
        viewport()->setCursor(Qt::OpenHandCursor);
    else
        viewport()->unsetCursor();
}

// Hover -----------------------------------------------------------------------------------------

void RackCanvas::hover(const QPoint& inViewport)
{
    m_hoverAt = inViewport;
    if (!m_scene.hasOffer())
        return;
    const CanvasHit hit = m_layout.hitTest(toCanvas(inViewport));
    if (hit == m_hoverHit)
        return;
    hideHover();
    m_hoverHit = hit;
    m_selection.setHovered(hit.onGpu() ? refOf(hit) : GpuRef {});
    updateCursor();
    if (hit.kind != Kind::Nothing)
        m_hoverTimer.start();
}

void RackCanvas::showHover()
{
    const CanvasHit& hit = m_hoverHit;
    if (m_carry.active() || !viewport()->isVisible() || !m_scene.hasOffer()
        || hit != m_layout.hitTest(toCanvas(m_hoverAt)))
        return;
    if (m_layout.level() >= DetailLevel::GpuCell && hit.rack >= 0 && hit.kind != Kind::RackLabel) {
        m_loupe->showRack(m_scene, hit.rack, rectOfRack(hit.rack));
        return;
    }
    const QString text = hoverText(hit);
    if (!text.isEmpty())
        QToolTip::showText(viewport()->mapToGlobal(m_hoverAt), text, viewport());
}

QString RackCanvas::hoverText(const CanvasHit& hit) const
{
    switch (hit.kind) {
    case Kind::Rank:
    case Kind::Gpu:
        return gpuToolTip(m_scene, m_scene.ordinal(refOf(hit)));
    case Kind::ServerHeader:
        return serverText(
            m_scene.rack(hit.rack).servers[std::size_t(m_layout.band(hit.rack, hit.band).server)]);
    case Kind::Rack:
        return rackText(m_scene, hit.rack);
    case Kind::GroupLabel:
        return hit.slot < m_layout.band(hit.rack, hit.band).gpus
            ? tr("%1. Double-click selects its members.")
                  .arg(groupLabel(m_scene, m_scene.ordinal(refOf(hit))).text)
            : QString();
    default:
        return {};
    }
}

void RackCanvas::hideHover()
{
    m_hoverTimer.stop();
    m_loupe->hide();
    if (m_hoverHit.kind != Kind::Nothing && QToolTip::isVisible())
        QToolTip::hideText();
    m_hoverHit = {};
}

bool RackCanvas::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::ToolTip)
        return true; // ours come sooner
    if (event->type() == QEvent::Leave) {
        hideHover();
        m_selection.setHovered({});
        updateCursor();
    }
    return QAbstractScrollArea::viewportEvent(event);
}

} // namespace shardrack
