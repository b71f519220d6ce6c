// Dragging from the canvas and onto it.

#include "canvas/rack_canvas.h"

#include "canvas/group_strip.h"
#include "canvas/what_if_popover.h"
#include "style/view_style.h"

#include <QApplication>
#include <QCursor>
#include <QDrag>
#include <QDragEnterEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>

namespace shardrack {

namespace {

QPixmap dragPixmap(const QString& text, Icon icon, const PaintStyle& style)
{
    const QFont font = style.font(type::kBase, type::kSemibold);
    const QSizeF size(lineWidth(text, font) + 40, font.pixelSize() + 16);
    QPixmap pixmap((size * style.devicePixelRatio).toSize());
    pixmap.setDevicePixelRatio(style.devicePixelRatio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF rect(QPointF(0, 0), size);
    painter.setPen(QPen(style.theme->accent, 1));
    painter.setBrush(style.theme->pop);
    painter.drawRoundedRect(rect.adjusted(.5, .5, -.5, -.5), 4, 4);
    drawIcon(painter, { 9, rect.center().y() - 8, 16, 16 }, icon, style.theme->text2);
    drawLine(painter, rect.adjusted(32, 0, -6, 0), Qt::AlignLeft | Qt::AlignVCenter, text, font,
        style.theme->text);
    return pixmap;
}

Icon iconOf(Carried::Kind kind)
{
    switch (kind) {
    case Carried::Kind::RackType:
        return Icon::Rack;
    case Carried::Kind::ServerType:
    case Carried::Kind::Server:
        return Icon::Server;
    case Carried::Kind::GpuType:
    case Carried::Kind::Gpu:
        return Icon::Gpu;
    case Carried::Kind::Ranks:
        break;
    }
    return Icon::AssignRanks;
}

} // namespace

std::optional<Carried> RackCanvas::carriedFrom(const CanvasHit& hit) const
{
    Carried carried;
    switch (hit.kind) {
    case CanvasHit::Kind::ServerHeader:
    case CanvasHit::Kind::ServerBody:
        carried.kind = Carried::Kind::Server;
        carried.server = m_scene.place(hit.rack, m_layout.band(hit.rack, hit.band).server).id;
        return carried;
    case CanvasHit::Kind::Gpu:
        carried.kind = Carried::Kind::Gpu;
        carried.gpu = refOf(hit);
        return carried;
    case CanvasHit::Kind::Rank: {
        const GpuRef gpu = refOf(hit);
        carried.kind = Carried::Kind::Ranks;
        // With several selected their ranks go together.
        if (m_selection.gpus().size() > 1 && m_selection.contains(gpu))
            carried.ranks = selectedRanks(m_document, m_selection);
        else
            for (const std::int32_t rank : m_scene.layout().ranksOn(m_scene.ordinal(gpu)))
                carried.ranks.insert(rank);
        if (!carried.ranks.empty())
            return carried;
        carried.kind = Carried::Kind::Gpu; // an idle GPU has no rank to drag
        carried.gpu = gpu;
        return carried;
    }
    default:
        return std::nullopt;
    }
}

void RackCanvas::startDrag(const Carried& carried)
{
    auto* drag = new QDrag(viewport());
    drag->setMimeData(toMime(carried, m_document));
    drag->setPixmap(
        dragPixmap(carriedText(carried, m_document), iconOf(carried.kind), styleOf(this)));
    drag->setHotSpot(QPoint(-12, -8));
    drag->exec(Qt::MoveAction);
    // Escape, or a drop where nobody takes it: everything is as it was.
    m_dragTimer.stop();
    m_systemDrag = false;
    m_carry.cancel();
}

DropTarget RackCanvas::targetAt(const QPoint& inViewport) const
{
    using Kind = CanvasHit::Kind;
    DropTarget target;
    if (!m_carry.active())
        return target;
    const Carried& carried = m_carry.carried();
    const std::optional<ShownOffer> current = m_document.current();
    if (carried.kind == Carried::Kind::RackType || !m_scene.hasOffer() || !current) {
        target.kind = carried.kind == Carried::Kind::Ranks ? DropTarget::Kind::None
                                                           : DropTarget::Kind::NewRack;
        return target;
    }
    const CanvasLayout& layout = m_dragLayout ? *m_dragLayout : m_layout;
    const CanvasHit hit = layout.hitTest(toCanvas(inViewport));
    // Without the what-if: the layout at the drag's beginning shows the plan as it is.
    const Site& site = current->get().site;
    if (hit.rack >= static_cast<int>(site.racks.size()))
        return target;
    const bool onServer = hit.band >= 0 && layout.band(hit.rack, hit.band).isServer();
    ServerId server = 0;
    if (onServer) {
        const auto& servers = site.racks[std::size_t(hit.rack)]->servers;
        const auto number = std::size_t(layout.band(hit.rack, hit.band).server);
        if (number >= servers.size())
            return target;
        server = servers[number].id;
    }

    if (carried.kind == Carried::Kind::Ranks) {
        if (hit.onGpu()) {
            target.kind = DropTarget::Kind::Gpu;
            target.gpu = { server, hit.slot };
        } else if (onServer) {
            target.kind = DropTarget::Kind::Server;
            target.server = server;
        }
        return target;
    }
    if (hit.rack < 0 || hit.kind == Kind::RackLabel) {
        target.kind = DropTarget::Kind::NewRack;
        return target;
    }
    const bool gpu = carried.kind == Carried::Kind::Gpu || carried.kind == Carried::Kind::GpuType;
    if (onServer && gpu) {
        target.kind = DropTarget::Kind::Server;
        target.server = server;
        return target;
    }
    target.kind = DropTarget::Kind::RackSpace;
    target.rack = std::size_t(hit.rack);
    const int height = std::max(1, m_carry.height());
    if (onServer) {
        if (carried.kind == Carried::Kind::Server && carried.server == server)
            return {}; // where it is already
        target.unit = layout.band(hit.rack, hit.band).firstUnit;
        return target;
    }
    if (hit.kind != Kind::FreeSpace) {
        target.unit = std::max(1, site.racks[std::size_t(hit.rack)]->firstFree(height));
        return target;
    }
    // The free run that the band is part of, and the place in it nearest to the pointer.
    const CanvasBand& band = layout.band(hit.rack, hit.band);
    int last = band.lastUnit;
    for (int i = hit.band + 1;
         i < layout.bandCount(hit.rack) && !layout.band(hit.rack, i).isServer(); ++i)
        last = layout.band(hit.rack, i).lastUnit;
    const int places = std::max(1, (band.lastUnit - band.firstUnit + 1) / height);
    const QRectF rect = layout.bandRect(hit.rack, hit.band);
    const double share = (toCanvas(inViewport).y() - rect.top()) / rect.height();
    const int place = std::clamp(static_cast<int>(share * places), 0, places - 1);
    int unit = band.firstUnit + place * height;
    if (unit + height - 1 > last) {
        int first = band.firstUnit;
        for (int i = hit.band - 1; i >= 0 && !layout.band(hit.rack, i).isServer(); --i)
            first = layout.band(hit.rack, i).firstUnit;
        unit = std::max(first, last - height + 1);
    }
    target.unit = unit;
    return target;
}

void RackCanvas::dragEnterEvent(QDragEnterEvent* event)
{
    const std::optional<Carried> carried = fromMime(*event->mimeData(), m_document);
    if (!carried) {
        if (event->mimeData()->hasFormat(carriedMimeType()))
            emit statusMessage(tr("This was picked up in another plan, or the plan changed since"));
        event->ignore(); // files and the like are for the window
        return;
    }
    hideHover();
    if (!m_carry.active() || !(m_carry.carried() == *carried))
        m_carry.begin(*carried, false);
    event->setDropAction(carried->isNew() ? Qt::CopyAction : Qt::MoveAction);
    event->accept();
}

void RackCanvas::dragMoveEvent(QDragMoveEvent* event)
{
    if (!m_carry.active()) {
        event->ignore();
        return;
    }
    m_dragAt = event->position().toPoint();
    m_systemDrag = event->source() != nullptr;
    if (m_systemDrag && !m_dragTimer.isActive())
        m_dragTimer.start();
    m_carry.moveTo(targetAt(m_dragAt), event->modifiers() & Qt::AltModifier);
    event->setDropAction(m_carry.carried().isNew() ? Qt::CopyAction : Qt::MoveAction);
    event->setAccepted(m_carry.mayDrop());
}

void RackCanvas::dragLeaveEvent(QDragLeaveEvent* event)
{
    static_cast<void>(event);
    m_dragTimer.stop();
    m_carry.cancel();
}

void RackCanvas::dropEvent(QDropEvent* event)
{
    m_dragTimer.stop();
    if (!m_carry.active()) {
        event->ignore();
        return;
    }
    const bool isNew = m_carry.carried().isNew();
    m_carry.moveTo(targetAt(event->position().toPoint()), event->modifiers() & Qt::AltModifier);
    if (m_carry.drop()) {
        event->setDropAction(isNew ? Qt::CopyAction : Qt::MoveAction);
        event->accept();
    } else {
        m_carry.cancel();
        event->ignore();
    }
}

void RackCanvas::pollDrag()
{
    // While the system drags there are no key events, and no moves of a resting pointer.
    if (!m_carry.active() || !m_systemDrag) {
        m_dragTimer.stop();
        return;
    }
    constexpr int kEdge = 22, kStep = 12;
    const QRect view = viewport()->rect();
    const auto scroll = [](QScrollBar* bar, int at, int length) {
        if (at < kEdge)
            bar->setValue(bar->value() - kStep);
        else if (at > length - kEdge)
            bar->setValue(bar->value() + kStep);
    };
    scroll(horizontalScrollBar(), m_dragAt.x(), view.width());
    scroll(verticalScrollBar(), m_dragAt.y(), view.height());
    m_carry.moveTo(targetAt(m_dragAt), QGuiApplication::queryKeyboardModifiers() & Qt::AltModifier);
}

void RackCanvas::onCarryChanged()
{
    const bool active = m_carry.active();
    if (!active)
        m_dragLayout.reset();
    // Free space is divided by what is carried; racks keep their places.
    relayout();
    if (!active) {
        if (m_scrolledBefore) { // given up, or taken elsewhere
            horizontalScrollBar()->setValue(m_scrolledBefore->x());
            verticalScrollBar()->setValue(m_scrolledBefore->y());
            m_scrolledBefore.reset();
        }
        m_popover->hide();
        m_places.clear();
        emit statusMessage(QString());
        return;
    }
    if (!m_scrolledBefore)
        m_scrolledBefore = offset().toPoint();
    if (!m_carry.byKeyboard() && !m_scene.whatIf() && !m_carry.refused()) {
        m_dragLayout = m_layout;
        updateScrollBars();
    }
    const QString what = carriedText(m_carry.carried(), m_document);
    const std::optional<ShownOffer> current = m_document.current();
    const QString where
        = current ? targetText(m_carry.target(), m_carry.height(), current->get().site) : QString();
    const QString arrow = where.isEmpty() ? what : tr("%1 → %2").arg(what, where);
    const std::optional<ShownOffer> whatIf = m_document.whatIf();
    if (m_carry.refused()) {
        m_popover->showRefusal(tr("Not here: %1").arg(arrow), m_carry.reason());
        emit statusMessage(m_carry.reason());
    } else if (m_carry.mayDrop() && whatIf && current) {
        const int brought = ranksBrought(m_carry.carried(), m_document, false);
        const int inverse = ranksBrought(m_carry.carried(), m_document, true);
        const bool keys = m_carry.byKeyboard();
        QStringList hint { keys ? tr("Enter to place") : tr("Release to place"),
            tr("Esc to cancel") };
        if (brought > 0 || inverse > 0) {
            const bool without = (brought > 0) != m_carry.alt();
            if (keys)
                hint << (without ? tr("A: without ranks") : tr("A: with ranks"));
            else if (m_carry.alt())
                hint << (without ? tr("Alt held: with ranks") : tr("Alt held: without ranks"));
            else
                hint << (without ? tr("hold Alt to add it without ranks")
                                 : tr("hold Alt to add it with ranks"));
        }
        const Legality& legality = whatIf->assessment->findings.legality;
        const QString broken = legality.legal()
            ? QString()
            : tr("Not legal: %1").arg(QString::fromStdString(legality.broken.front().text));
        m_popover->showConsequence(tr("What if: %1").arg(arrow), whatIfRows(*current, *whatIf),
            broken, hint.join(QStringLiteral(" · ")));
        const int ranks = ranksBrought(m_carry.carried(), m_document, m_carry.alt());
        emit statusMessage(ranks > 0
                ? (ranks == 1 ? tr("%1 %2, adds 1 rank").arg(hint.front(), arrow)
                              : tr("%1 %2, adds %3 ranks").arg(hint.front(), arrow).arg(ranks))
                : tr("%1 %2").arg(hint.front(), arrow));
    } else {
        m_popover->hide();
        emit statusMessage(tr("Carrying %1").arg(what));
        return;
    }
    placePopover();
    m_popover->show();
    m_popover->raise();
}

QRectF RackCanvas::targetRect(const DropTarget& target) const
{
    switch (target.kind) {
    case DropTarget::Kind::RackSpace:
        return rectOfUnit(static_cast<int>(target.rack), target.unit);
    case DropTarget::Kind::Server:
        return rectOfServer(target.server);
    case DropTarget::Kind::Gpu:
        return rectOf(target.gpu);
    case DropTarget::Kind::NewRack:
        return rectOfRack(m_layout.rackCount() - 1);
    default:
        return {};
    }
}

void RackCanvas::placePopover()
{
    if (!m_carry.active())
        return;
    // The place that covers least: what changes never where it can be avoided, other GPUs and
    // servers rather not, free space gladly.
    const QRectF target = targetRect(m_carry.target()).adjusted(-6, -6, 6, 6);
    const QRectF view = viewport()->rect();
    const QSizeF size = m_popover->size();
    std::vector<QPointF> corners;
    const double right = std::max(0.0, view.right() - size.width() - 6);
    const double bottom = std::max(0.0, view.bottom() - size.height() - 6);
    constexpr int kSteps = 8;
    for (int i = 0; i <= kSteps; ++i)
        for (int j = 0; j <= kSteps; ++j)
            corners.emplace_back(
                std::max(6.0, right * i / kSteps), std::max(6.0, bottom * j / kSteps));
    corners.emplace_back(target.left(), target.bottom() + 4);
    corners.emplace_back(target.left(), target.top() - size.height() - 4);
    corners.emplace_back(target.right() + 8, target.top());
    corners.emplace_back(target.left() - size.width() - 8, target.top());
    std::vector<QRectF> servers;
    const CanvasLayout::Span span = m_layout.racksIn(view.translated(offset()));
    for (int row = span.firstRow; row <= span.lastRow; ++row)
        for (int column = span.firstColumn; column <= span.lastColumn; ++column) {
            const int rack = m_layout.rackAt(row, column);
            constexpr std::size_t kMostServers = 200;
            for (int i = 0;
                 rack >= 0 && servers.size() < kMostServers && i < m_layout.bandCount(rack); ++i) {
                const QRectF rect = toViewport(m_layout.bandRect(rack, i));
                if (!rect.intersects(view))
                    continue;
                if (m_layout.band(rack, i).isServer())
                    servers.push_back(rect);
                else
                    corners.emplace_back(rect.left() + 4, rect.top() + 4);
            }
        }
    // Where a GPU is more than a cell of one colour, the GPUs count one by one.
    constexpr double kAffectedWeighs = 1000;
    constexpr std::size_t kMostGpus = 400;
    const bool single = m_layout.level() < DetailLevel::GpuCell;
    std::vector<std::pair<QRectF, double>> gpus;
    if (single)
        m_layout.eachGpuIn(view.translated(offset()), [&](int rack, int band, int slot) {
            if (slot >= m_layout.band(rack, band).gpus || gpus.size() >= kMostGpus)
                return;
            const std::int32_t gpu = m_scene.ordinal(rack, m_layout.band(rack, band).server, slot);
            const bool affected = m_scene.whatIf() && (m_scene.isNew(gpu) || m_scene.change(gpu));
            gpus.emplace_back(
                toViewport(m_layout.gpuRect(rack, band, slot)), affected ? kAffectedWeighs : 3);
        });
    const auto overlap = [](const QRectF& a, const QRectF& b) {
        const QRectF both = a.intersected(b);
        return both.isEmpty() ? 0 : both.width() * both.height();
    };
    // The free part of a server that would arrive may be covered.
    const double targetWeighs
        = single && m_carry.target().kind != DropTarget::Kind::Gpu ? 2 : kAffectedWeighs;
    QPointF best(6, 6);
    double least = -1;
    for (QPointF corner : corners) {
        corner.setX(std::clamp(corner.x(), 0.0, std::max(0.0, view.width() - size.width())));
        corner.setY(std::clamp(corner.y(), 0.0, std::max(0.0, view.height() - size.height())));
        const QRectF rect(corner, size);
        double cost = targetWeighs * overlap(rect, target)
            + 0.01 * (rect.center() - target.center()).manhattanLength();
        if (!m_carry.byKeyboard())
            cost += kAffectedWeighs
                * overlap(rect, QRectF(m_dragAt, QSizeF(1, 1)).adjusted(-20, -20, 120, 40));
        for (const auto& [gpu, weight] : gpus)
            cost += weight * overlap(rect, gpu);
        for (const QRectF& server : servers)
            cost += overlap(rect, server);
        if (least < 0 || cost < least) {
            least = cost;
            best = corner;
        }
    }
    m_popover->move(best.toPoint());
}

void RackCanvas::onDropped(const DropTarget& target)
{
    m_scrolledBefore.reset();
    m_dragLayout.reset();
    m_document.flush(); // so that what arrived can be selected
    updateScrollBars();
    const std::optional<ShownOffer> current = m_document.current();
    if (!current)
        return;
    const Site& site = current->get().site;
    switch (target.kind) {
    case DropTarget::Kind::RackSpace:
        if (target.rack < site.racks.size())
            if (const Server* server = site.racks[target.rack]->serverAt(target.unit))
                if (const auto place = m_scene.find(server->id)) {
                    selectServerAt(place->first, place->second);
                    ensureVisible(rectOfServer(server->id));
                }
        break;
    case DropTarget::Kind::Server:
        if (const auto place = m_scene.find(target.server)) {
            const int gpus = m_scene.place(place->first, place->second).gpuCount;
            if (gpus > 0)
                m_selection.selectGpu({ target.server, gpus - 1 });
        }
        break;
    case DropTarget::Kind::Gpu:
        m_selection.selectGpu(target.gpu);
        break;
    case DropTarget::Kind::NewRack:
        selectRackAt(m_scene.rackCount() - 1);
        break;
    default:
        break;
    }
}

} // namespace shardrack
