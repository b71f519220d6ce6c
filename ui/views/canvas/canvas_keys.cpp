// Moving the focus, and carrying things, by keyboard.

#include "canvas/rack_canvas.h"

#include "canvas/rank_entry.h"

#include <QContextMenuEvent>
#include <QKeyEvent>

#include <algorithm>
#include <cmath>

namespace shardrack {

namespace {

bool isArrow(int key)
{
    return key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Up || key == Qt::Key_Down;
}

} // namespace

void RackCanvas::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Space && !event->isAutoRepeat() && !m_carry.active()) {
        m_spaceHeld = true;
        updateCursor();
        return;
    }
    if ((m_carry.active() && carryKey(event)) || (!m_carry.active() && commandKey(event))) {
        event->accept();
        return;
    }
    event->ignore(); // for the window; the scroll area would scroll by arrows
}

void RackCanvas::keyReleaseEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Space && !event->isAutoRepeat()) {
        m_spaceHeld = false;
        updateCursor();
        return;
    }
    QAbstractScrollArea::keyReleaseEvent(event);
}

bool RackCanvas::carryKey(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Escape:
        m_carry.cancel();
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (!m_carry.drop() && m_carry.refused())
            emit statusMessage(m_carry.reason());
        return true;
    case Qt::Key_A:
        m_carry.moveTo(DropTarget(m_carry.target()), !m_carry.alt());
        return true;
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
        moveCarried(event->key());
        return true;
    default:
        return false;
    }
}

bool RackCanvas::commandKey(QKeyEvent* event)
{
    const int key = event->key();
    const bool shift = event->modifiers() & Qt::ShiftModifier;
    const bool control = event->modifiers() & Qt::ControlModifier;
    if (event->modifiers() & (Qt::AltModifier | Qt::MetaModifier))
        return false;
    if (control) {
        if (key != Qt::Key_A)
            return false;
        selectAll();
        return true;
    }
    if (isArrow(key)) {
        if (m_selection.rack() >= 0)
            moveRackFocus(key);
        else if (m_selection.server() != 0)
            moveServerFocus(key);
        else
            moveFocus(key, shift);
        return true;
    }
    switch (key) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        goIn();
        return true;
    case Qt::Key_Backspace:
        goOut();
        return true;
    case Qt::Key_Escape:
        if (m_selection.empty())
            return false;
        m_selection.clear();
        return true;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoomIn();
        return true;
    case Qt::Key_Minus:
        zoomOut();
        return true;
    case Qt::Key_0:
        zoomTo100();
        return true;
    case Qt::Key_F:
        zoomToFit();
        return true;
    case Qt::Key_Insert:
        emit catalogueItemRequested();
        return true;
    case Qt::Key_M:
        moveSelected();
        return true;
    case Qt::Key_R:
        askForRank();
        return true;
    case Qt::Key_G:
        chooseGroup();
        return true;
    case Qt::Key_Delete:
        removeSelected();
        return true;
    case Qt::Key_Menu: {
        const QPoint at = rectOf(m_selection.focus()).center();
        QContextMenuEvent menu(QContextMenuEvent::Keyboard, at, viewport()->mapToGlobal(at));
        contextMenuEvent(&menu);
        return true;
    }
    default:
        return false;
    }
}

// Focus -----------------------------------------------------------------------------------------

GpuRef RackCanvas::neighbour(GpuRef gpu, int key) const
{
    const auto place = m_scene.find(gpu.server);
    if (!place || m_scene.ordinal(gpu) < 0)
        return {};
    const int rack = place->first;
    const int band = m_layout.bandOfServer(rack, place->second);
    const int columns = m_layout.gpuColumns();
    const int gpus = m_layout.band(rack, band).gpus;
    const int line = gpu.index / columns, column = gpu.index % columns;
    const QPointF from = m_layout.gpuRect(rack, band, gpu.index).center();
    const auto nearest = [&](int inRack, int inBand) {
        GpuRef best;
        double distance = -1;
        for (int slot = 0; slot < m_layout.band(inRack, inBand).gpus; ++slot) {
            const QPointF to = m_layout.gpuRect(inRack, inBand, slot).center();
            const double away = (to - from).manhattanLength();
            if (distance < 0 || away < distance) {
                distance = away;
                best = { m_scene.place(inRack, m_layout.band(inRack, inBand).server).id, slot };
            }
        }
        return best;
    };
    const int rackRow = rack / m_layout.rackColumns(), rackColumn = rack % m_layout.rackColumns();
    if (key == Qt::Key_Left || key == Qt::Key_Right) {
        const int step = key == Qt::Key_Left ? -1 : 1;
        const int next = column + step;
        if (next >= 0 && next < columns && gpu.index + step < gpus)
            return { gpu.server, gpu.index + step };
        const int beside = m_layout.rackAt(rackRow, rackColumn + step);
        int best = -1;
        double distance = 0;
        for (int i = 0; beside >= 0 && i < m_layout.bandCount(beside); ++i) {
            if (m_layout.band(beside, i).gpus == 0)
                continue;
            const double away = std::abs(m_layout.bandRect(beside, i).center().y() - from.y());
            if (best < 0 || away < distance) {
                best = i;
                distance = away;
            }
        }
        return best < 0 ? GpuRef {} : nearest(beside, best);
    }
    const int step = key == Qt::Key_Up ? -1 : 1;
    const int lines = (gpus + columns - 1) / columns;
    if (line + step >= 0 && line + step < lines)
        return { gpu.server, std::min(gpus - 1, gpu.index + step * columns) };
    for (int i = band + step; i >= 0 && i < m_layout.bandCount(rack); i += step)
        if (m_layout.band(rack, i).gpus > 0)
            return nearest(rack, i);
    const int beside = m_layout.rackAt(rackRow + step, rackColumn);
    if (beside < 0)
        return {};
    const int count = m_layout.bandCount(beside);
    for (int i = step > 0 ? 0 : count - 1; i >= 0 && i < count; i += step)
        if (m_layout.band(beside, i).gpus > 0)
            return nearest(beside, i);
    return {};
}

void RackCanvas::moveFocus(int key, bool extend)
{
    if (m_scene.gpuCount() == 0) {
        if (m_scene.rackCount() > 0)
            selectRackAt(0);
        return;
    }
    if (m_scene.ordinal(m_selection.focus()) < 0) {
        m_selection.selectGpu(m_scene.index().ref(0));
        ensureVisible(rectOf(m_selection.focus()));
        return;
    }
    const GpuRef from = m_selection.focus();
    const GpuRef next = neighbour(from, key);
    if (next.server == 0)
        return;
    if (extend) {
        // The rectangle between where it began and where the focus is, as the mouse would draw it.
        if (m_scene.ordinal(m_marqueeAnchor) < 0 || !m_selection.contains(m_marqueeAnchor)
            || m_selection.gpus().size() <= 1)
            m_marqueeAnchor = from;
        const QRectF rect = QRectF(rectOf(m_marqueeAnchor)).united(rectOf(next));
        m_selection.selectGpus(gpusIn(rect.translated(offset()).adjusted(2, 2, -2, -2)), next);
    } else {
        m_selection.selectGpu(next);
        m_marqueeAnchor = next;
    }
    ensureVisible(rectOf(next));
}

void RackCanvas::selectServerAt(int rack, int server)
{
    const SiteIndex::Place& place = m_scene.place(rack, server);
    m_selection.selectServer(place.id, m_scene.gpusOfServer(place));
    ensureVisible(rectOfServer(place.id));
}

void RackCanvas::selectRackAt(int rack)
{
    if (rack < 0 || rack >= m_scene.rackCount())
        return;
    m_selection.selectRack(rack, m_scene.gpusOfRack(rack));
    ensureVisible(rectOfRack(rack));
}

void RackCanvas::moveServerFocus(int key)
{
    const auto place = m_scene.find(m_selection.server());
    if (!place)
        return;
    const int step = key == Qt::Key_Left || key == Qt::Key_Up ? -1 : 1;
    if (key == Qt::Key_Up || key == Qt::Key_Down) {
        const int next = place->second + step;
        if (next >= 0 && next < static_cast<int>(m_scene.rack(place->first).servers.size()))
            selectServerAt(place->first, next);
        return;
    }
    const int rack = place->first + step;
    if (rack < 0 || rack >= m_scene.rackCount())
        return;
    const int servers = static_cast<int>(m_scene.rack(rack).servers.size());
    if (servers == 0)
        selectRackAt(rack);
    else
        selectServerAt(rack, std::min(place->second, servers - 1));
}

void RackCanvas::moveRackFocus(int key)
{
    const int step = key == Qt::Key_Left ? -1
        : key == Qt::Key_Right           ? 1
        : key == Qt::Key_Up              ? -m_layout.rackColumns()
                                         : m_layout.rackColumns();
    selectRackAt(m_selection.rack() + step);
}

void RackCanvas::goOut()
{
    if (m_selection.rack() >= 0)
        return;
    if (m_selection.server() != 0) {
        if (const auto place = m_scene.find(m_selection.server()))
            selectRackAt(place->first);
    } else if (const auto place = m_scene.find(m_selection.focus().server)) {
        selectServerAt(place->first, place->second);
    } else {
        selectRackAt(0);
    }
}

void RackCanvas::goIn()
{
    if (m_selection.rack() >= 0) {
        if (m_selection.rack() < m_scene.rackCount()
            && !m_scene.rack(m_selection.rack()).servers.empty())
            selectServerAt(m_selection.rack(), 0);
    } else if (const auto place = m_scene.find(m_selection.server())) {
        if (m_scene.place(place->first, place->second).gpuCount > 0)
            m_selection.selectGpu({ m_selection.server(), 0 });
    }
}

void RackCanvas::selectAll()
{
    std::vector<GpuRef> gpus;
    for (int gpu = 0; gpu < m_scene.gpuCount(); ++gpu)
        gpus.push_back(m_scene.index().ref(gpu));
    if (gpus.empty())
        return;
    const GpuRef focus
        = m_scene.ordinal(m_selection.focus()) < 0 ? gpus.front() : m_selection.focus();
    m_selection.selectGpus(std::move(gpus), focus);
}

// Carrying --------------------------------------------------------------------------------------

void RackCanvas::pickUp(const Carried& carried)
{
    const std::optional<ShownOffer> current = m_document.current();
    if (!current) {
        emit statusMessage(tr("There is no offer to place it in"));
        return;
    }
    m_rankEntry->giveUp();
    setFocus(Qt::ShortcutFocusReason);
    m_carry.begin(carried, true);
    if (carried.kind == Carried::Kind::Ranks) {
        DropTarget target;
        target.kind = DropTarget::Kind::Gpu;
        target.gpu = m_scene.ordinal(m_selection.focus()) >= 0 ? m_selection.focus()
            : m_scene.gpuCount() > 0                           ? m_scene.index().ref(0)
                                                               : GpuRef {};
        m_carry.moveTo(target, false);
        return;
    }
    const Site& site = current->get().site;
    m_places = placesFor(carried, m_carry.height(), site);
    if (m_places.empty()) {
        m_carry.cancel();
        emit statusMessage(site.racks.empty() ? tr("There is no rack to place it in: add one first")
                                              : tr("There is no free place for it in any rack"));
        return;
    }
    // Begin in the rack that is in focus.
    int rack = m_selection.rack();
    if (const auto place = m_scene.find(m_selection.focus().server); place && rack < 0)
        rack = place->first;
    m_place = 0;
    for (std::size_t i = 0; i < m_places.size(); ++i)
        if (m_places[i].kind == DropTarget::Kind::RackSpace
            && static_cast<int>(m_places[i].rack) == rack) {
            m_place = i;
            break;
        }
    m_carry.moveTo(m_places[m_place], false);
    ensureVisible(targetRect(m_carry.target()).toAlignedRect());
}

void RackCanvas::moveCarried(int key)
{
    if (m_carry.carried().kind == Carried::Kind::Ranks) {
        DropTarget target = m_carry.target();
        target.kind = DropTarget::Kind::Gpu;
        const GpuRef next = neighbour(target.gpu, key);
        if (next.server == 0)
            return;
        target.gpu = next;
        m_carry.moveTo(target, m_carry.alt());
    } else if (!m_places.empty()) {
        const bool back = key == Qt::Key_Left || key == Qt::Key_Up;
        const auto rackOf = [&](std::size_t place) {
            if (m_places[place].kind != DropTarget::Kind::Server)
                return static_cast<int>(m_places[place].rack);
            const auto found = m_scene.find(m_places[place].server);
            return found ? found->first : -1;
        };
        const auto step = [&] { // round the ends
            m_place = back ? (m_place + m_places.size() - 1) % m_places.size()
                           : (m_place + 1) % m_places.size();
        };
        // Up and down by place, left and right by rack.
        const std::size_t began = m_place;
        const int rack = rackOf(m_place);
        step();
        if (key == Qt::Key_Left || key == Qt::Key_Right)
            while (rackOf(m_place) == rack && m_place != began)
                step();
        m_carry.moveTo(m_places[m_place], m_carry.alt());
    }
    ensureVisible(targetRect(m_carry.target()).toAlignedRect());
    placePopover();
}

void RackCanvas::moveSelected()
{
    Carried carried;
    if (m_selection.server() != 0) {
        carried.kind = Carried::Kind::Server;
        carried.server = m_selection.server();
    } else if (m_selection.rack() < 0 && m_scene.ordinal(m_selection.focus()) >= 0) {
        carried.kind = Carried::Kind::Gpu;
        carried.gpu = m_selection.focus();
    } else {
        emit statusMessage(tr("Select a server or a GPU to move"));
        return;
    }
    pickUp(carried);
}

} // namespace shardrack
