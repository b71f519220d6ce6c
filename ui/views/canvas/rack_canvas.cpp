#include "canvas/rack_canvas.h"

#include "canvas/canvas_accessible.h"
#include "canvas/empty_canvas.h"
#include "canvas/group_strip.h"
#include "canvas/rack_loupe.h"
#include "canvas/rank_entry.h"
#include "canvas/what_if_popover.h"
#include "style/view_style.h"

#include <QPaintEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace shardrack {

namespace {

constexpr int kHoverDelay = 300; // ms
constexpr int kDragPoll = 40; // ms
constexpr int kGrid = 20; // px between the dots of the ground

void paintGround(
    QPainter& painter, const QRect& rect, const QPointF& offset, const PaintStyle& style)
{
    const Theme& theme = *style.theme;
    QPixmap tile(QSize(kGrid, kGrid) * style.devicePixelRatio);
    tile.setDevicePixelRatio(style.devicePixelRatio);
    tile.fill(theme.canvas);
    QPainter dot(&tile);
    dot.fillRect(QRectF(9, 9, 1.5, 1.5), theme.dot);
    dot.end();
    painter.setBrushOrigin(-offset);
    painter.fillRect(rect, QBrush(tile));
}

bool sameHardwareBlocks(const CanvasScene& a, const CanvasScene& b)
{
    return a.hasOffer() && b.hasOffer() && a.site().racks == b.site().racks;
}

} // namespace

RackCanvas::RackCanvas(PlanDocument& document, Selection& selection, QWidget* parent)
    : QAbstractScrollArea(parent)
    , m_document(document)
    , m_selection(selection)
    , m_carry(document)
    , m_popover(new WhatIfPopover(viewport()))
    , m_strip(new GroupStrip(document, selection, m_carry, this))
    , m_rankEntry(new RankEntry(document, viewport()))
    , m_loupe(new RackLoupe(viewport()))
    , m_empty(new EmptyCanvas(viewport()))
{
    setObjectName(QStringLiteral("rackCanvas"));
    setAccessibleName(tr("Rack canvas"));
    setAccessibleDescription(tr("Racks, servers and GPUs of the offer. Arrows move between GPUs, "
                                "M moves, R gives a rank, G chooses a shard group."));
    CanvasAccessible::install();
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setAcceptDrops(true);
    viewport()->setMouseTracking(true);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    horizontalScrollBar()->setSingleStep(24);
    verticalScrollBar()->setSingleStep(24);

    m_hoverTimer.setSingleShot(true);
    m_hoverTimer.setInterval(kHoverDelay);
    connect(&m_hoverTimer, &QTimer::timeout, this, &RackCanvas::showHover);
    m_dragTimer.setInterval(kDragPoll);
    connect(&m_dragTimer, &QTimer::timeout, this, &RackCanvas::pollDrag);

    connect(&document, &PlanDocument::changed, this, [this](const ChangeSet&) {
        refreshScene();
        if (m_scene.hasOffer() && !m_scene.whatIf())
            m_selection.prune(m_scene.index(), m_scene.site());
    });
    connect(&document, &PlanDocument::whatIfChanged, this, &RackCanvas::refreshScene);
    connect(&document, &PlanDocument::resetDone, this, [this] {
        m_ownZoom = false;
        refreshScene();
        zoomToDefault();
    });
    connect(&document, &PlanDocument::currentOfferChanged, this, [this] {
        refreshScene();
        if (!m_ownZoom)
            zoomAgain();
    });
    connect(&selection, &Selection::changed, this, [this] {
        viewport()->update();
        CanvasAccessible::focusChanged(*this);
    });
    connect(&selection, &Selection::hoverChanged, viewport(), qOverload<>(&QWidget::update));
    connect(&m_carry, &CarrySession::changed, this, &RackCanvas::onCarryChanged);
    connect(&m_carry, &CarrySession::dropped, this, &RackCanvas::onDropped);
    connect(m_strip, &GroupStrip::statusMessage, this, &RackCanvas::statusMessage);
    connect(m_rankEntry, &RankEntry::closed, this, [this] { setFocus(); });
    connect(m_empty, &EmptyCanvas::openExample, this, &RackCanvas::openExampleRequested);
    connect(m_empty, &EmptyCanvas::addRack, this, &RackCanvas::addRack);
    connect(m_empty, &EmptyCanvas::openPlan, this, &RackCanvas::openPlanRequested);
    refreshScene();
}

RackCanvas::~RackCanvas() = default;

void RackCanvas::refreshScene()
{
    CanvasScene before = std::move(m_scene);
    m_scene = {};
    if (std::optional<ShownOffer> shown = m_document.shown()) {
        std::optional<ShownOffer> compared;
        if (m_document.whatIf())
            compared = m_document.current();
        m_scene = CanvasScene(std::move(*shown), std::move(compared));
    }
    const CanvasLayout old = m_layout;
    // Where only ranks or the workload changed, everything stays where it is.
    if (!sameHardwareBlocks(before, m_scene) || m_layout.rackCount() != m_scene.rackCount())
        relayout();
    m_strip->refresh();
    placeChildren();
    hideHover();
    updateChanged(before, m_layout.sameGeometry(old));
}

void RackCanvas::updateChanged(const CanvasScene& before, bool sameGeometry)
{
    const bool cells = m_layout.level() >= DetailLevel::GpuCell;
    if (!cells || !sameGeometry || before.rackCount() != m_scene.rackCount()) {
        viewport()->update();
        return;
    }
    // Brackets over a row depend on all its racks, so a row is painted as a whole.
    for (int row = 0; row < m_layout.rackRows(); ++row) {
        bool same = true;
        QRectF rect;
        for (int column = 0; column < m_layout.rackColumns(); ++column) {
            const int rack = m_layout.rackAt(row, column);
            if (rack < 0)
                break;
            same = same && before.rackKey(rack) == m_scene.rackKey(rack)
                && before.classOfRack(rack) == m_scene.classOfRack(rack)
                && (before.classOfRack(rack) < 0
                    || before.look(before.firstGpu(rack)) == m_scene.look(m_scene.firstGpu(rack)));
            rect = rect.united(m_layout.rackRect(rack));
        }
        if (!same)
            viewport()->update(toViewport(rect.adjusted(-60, -m_layout.rowLabelHeight(), 4, 4)));
    }
}

CanvasLayout RackCanvas::layoutFor(double gpuWidth, DetailLevel level) const
{
    static const Site empty;
    CanvasLayout::Input input;
    input.site = m_scene.hasOffer() ? &m_scene.site() : &empty;
    input.gpuWidth = gpuWidth;
    input.level = level;
    input.viewport = QSizeF(viewport()->size()) - QSizeF(0, legendHeight(level));
    input.textScale = uiScale();
    input.devicePixelRatio = devicePixelRatioF();
    input.carriedHeight = m_carry.height();
    return CanvasLayout::make(input);
}

void RackCanvas::relayout()
{
    m_layout = layoutFor(m_gpuWidth, m_layout.level());
    updateScrollBars();
    viewport()->update();
}

void RackCanvas::updateScrollBars()
{
    const QSize room = viewport()->size();
    const auto set = [](QScrollBar* bar, double length, int page) {
        bar->setRange(0, std::max(0, static_cast<int>(std::ceil(length)) - page));
        bar->setPageStep(page);
    };
    // While the mouse drags the view holds still, whatever room the what-if takes.
    const QSizeF size = (m_dragLayout ? *m_dragLayout : m_layout).size();
    set(horizontalScrollBar(), size.width(), room.width());
    set(verticalScrollBar(), size.height() + legendHeight(m_layout.level()), room.height());
}

QPointF RackCanvas::offset() const
{
    return QPointF(horizontalScrollBar()->value(), verticalScrollBar()->value());
}

QRect RackCanvas::toViewport(const QRectF& onCanvas) const
{
    return onCanvas.translated(-offset()).toAlignedRect();
}

// Events ----------------------------------------------------------------------------------------

void RackCanvas::paintEvent(QPaintEvent* event)
{
    QPainter painter(viewport());
    const PaintStyle style = styleOf(this);
    paintGround(painter, event->rect(), offset(), style);
    if (m_scene.hasOffer())
        paintRacks(painter, event->rect(), style);
    if (hasFocus() && m_selection.empty()) { // nothing else shows where the keys go
        constexpr qreal kLine = 2;
        painter.setPen(
            QPen(style.theme->accent, kLine, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(
            QRectF(viewport()->rect()).adjusted(kLine / 2, kLine / 2, -kLine / 2, -kLine / 2));
    }
}

void RackCanvas::paintRacks(QPainter& painter, const QRect& exposedRect, const PaintStyle& style)
{
    CanvasMarks marks;
    marks.selection = &m_selection;
    marks.focused = hasFocus();
    marks.marquee = m_marquee;
    if (m_carry.active()) {
        marks.carried = m_carry.carried();
        marks.carriedHeight = m_carry.height();
        marks.target = m_carry.target();
        marks.refused = m_carry.refused();
    }
    const QRectF exposed = QRectF(exposedRect).translated(offset());
    painter.save();
    painter.translate(-offset());
    CanvasPainter(painter, m_scene, m_layout, marks, style, m_images).paint(exposed);
    painter.restore();
    const double legend = legendHeight(m_layout.level());
    if (legend <= 0 || m_scene.gpuCount() == 0)
        return;
    const QRectF ground(0, viewport()->height() - legend, viewport()->width(), legend);
    if (!ground.intersects(exposedRect))
        return;
    painter.fillRect(ground, style.theme->canvas);
    // Where not all of it has room, the scale comes before what stands beside it.
    const QRectF room = ground.adjusted(16, 0, -16, 0);
    const QFont font = style.font(type::kAxis);
    const QString unit = m_layout.level() == DetailLevel::GpuCell ? tr("One cell is one GPU")
                                                                  : tr("One line is one server");
    const qreal beside = shardrack::lineWidth(unit, font) + 16;
    const bool full = CanvasPainter::paintFillLegend(nullptr, room, style) + beside <= room.width();
    const qreal used = CanvasPainter::paintFillLegend(&painter, room, style, full);
    if (used + beside <= room.width())
        drawLine(painter, room, Qt::AlignRight | Qt::AlignVCenter, unit, font, style.theme->text2);
}

void RackCanvas::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    placeChildren();
    if (m_ownZoom || m_dragLayout)
        relayout();
    else
        zoomAgain();
}

void RackCanvas::showEvent(QShowEvent* event)
{
    QAbstractScrollArea::showEvent(event);
    if (!m_ownZoom)
        zoomAgain();
}

void RackCanvas::placeChildren()
{
    const bool strip = m_scene.gpuCount() > 0;
    const int height = strip ? m_strip->sizeHint().height() : 0;
    if (viewportMargins().bottom() != height)
        setViewportMargins(0, 0, 0, height);
    m_strip->setVisible(strip);
    const QRect view = viewport()->geometry();
    m_strip->setGeometry(view.left(), view.bottom() + 1, view.width(), height);
    m_empty->setVisible(m_scene.rackCount() == 0);
    m_empty->setGeometry(viewport()->rect());
    m_empty->lower();
}

void RackCanvas::scrollContentsBy(int dx, int dy)
{
    static_cast<void>(dx);
    static_cast<void>(dy);
    // Not moved as pixels: pop-overs and the legend stay where they are.
    hideHover();
    viewport()->update();
    placePopover();
}

void RackCanvas::changeEvent(QEvent* event)
{
    QAbstractScrollArea::changeEvent(event);
    switch (event->type()) {
    case QEvent::PaletteChange:
    case QEvent::StyleChange:
        m_images = {};
        viewport()->update();
        break;
    case QEvent::FontChange:
    case QEvent::ApplicationFontChange:
        m_images = {};
        relayout();
        break;
    default:
        break;
    }
}

bool RackCanvas::event(QEvent* event)
{
    switch (event->type()) {
    case QEvent::ShortcutOverride:
        // What is being carried has the keys, whatever the window's shortcuts are.
        if (m_carry.active()) {
            event->accept();
            return true;
        }
        break;
    case QEvent::ScreenChangeInternal:
        m_images = {};
        relayout();
        break;
    default:
        break;
    }
    return QAbstractScrollArea::event(event);
}

void RackCanvas::focusInEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusInEvent(event);
    viewport()->update();
    CanvasAccessible::focusChanged(*this);
}

void RackCanvas::focusOutEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusOutEvent(event);
    m_spaceHeld = false;
    updateCursor();
    viewport()->update();
}

// Places ----------------------------------------------------------------------------------------

QRect RackCanvas::rectOf(GpuRef gpu) const
{
    const auto place = m_scene.find(gpu.server);
    if (!place || m_scene.ordinal(gpu) < 0)
        return {};
    const int band = m_layout.bandOfServer(place->first, place->second);
    return toViewport(m_layout.gpuRect(place->first, band, gpu.index));
}

QRect RackCanvas::rectOfServer(ServerId server) const
{
    const auto place = m_scene.find(server);
    if (!place)
        return {};
    return toViewport(
        m_layout.bandRect(place->first, m_layout.bandOfServer(place->first, place->second)));
}

QRect RackCanvas::rectOfRack(int rack) const
{
    return rack < 0 || rack >= m_layout.rackCount() ? QRect() : toViewport(m_layout.rackRect(rack));
}

QRect RackCanvas::rectOfUnit(int rack, int unit) const
{
    for (int i = 0; rack >= 0 && rack < m_layout.rackCount() && i < m_layout.bandCount(rack); ++i) {
        const CanvasBand& band = m_layout.band(rack, i);
        if (unit >= band.firstUnit && unit <= band.lastUnit)
            return toViewport(m_layout.bandRect(rack, i));
    }
    return {};
}

QRect RackCanvas::placeRect(const QString& place) const
{
    QRect rect;
    if (place.startsWith(QLatin1String("rank "))) {
        bool isNumber = false;
        const int rank = place.mid(5).toInt(&isNumber);
        if (m_scene.hasOffer() && isNumber && rank >= 0 && rank < m_scene.layout().rankCount())
            rect = rectOf(m_scene.index().ref(m_scene.layout().gpuOf(rank)));
    }
    for (int rack = 0; rect.isNull() && rack < m_layout.rackCount(); ++rack)
        for (int i = 0; rect.isNull() && i < m_layout.bandCount(rack); ++i) {
            const CanvasBand& band = m_layout.band(rack, i);
            if (place == QLatin1String("free") && !band.isServer())
                rect = toViewport(m_layout.bandRect(rack, i));
            const bool idle = band.isServer() && band.gpus > 0
                && m_scene.layout().ranksOn(m_scene.place(rack, band.server).firstGpu).empty();
            if (place == QLatin1String("server") && band.isServer())
                rect = toViewport(m_layout.serverHeaderRect(rack, i));
            if (place == QLatin1String("idle server") && idle)
                rect = toViewport(m_layout.bandRect(rack, i));
        }
    return rect.isNull() ? rect : QRect(viewport()->mapTo(this, rect.topLeft()), rect.size());
}

void RackCanvas::showPlace(const QString& place)
{
    const QRect rect = placeRect(place);
    ensureVisible({ viewport()->mapFrom(this, rect.topLeft()), rect.size() });
}

void RackCanvas::ensureVisible(const QRect& inViewport)
{
    if (inViewport.isNull())
        return;
    constexpr int kAir = 12;
    const auto reach = [](QScrollBar* bar, int first, int last, int page) {
        if (last - first + 2 * kAir > page || first < kAir)
            bar->setValue(bar->value() + first - kAir);
        else if (last > page - kAir)
            bar->setValue(bar->value() + last - page + kAir);
    };
    const QRect view = viewport()->rect();
    if (view.adjusted(2, 2, -2, -2).contains(inViewport))
        return;
    reach(horizontalScrollBar(), inViewport.left(), inViewport.right(), view.width());
    reach(verticalScrollBar(), inViewport.top(), inViewport.bottom(), view.height());
}

void RackCanvas::revealSelection()
{
    const auto selected = [this] {
        if (m_selection.server() != 0)
            return rectOfServer(m_selection.server());
        return m_selection.rack() >= 0 ? rectOfRack(m_selection.rack())
                                       : rectOf(m_selection.focus());
    };
    if (selected().isNull())
        return;
    if (m_layout.level() > DetailLevel::Cell)
        enlargeToCells(QRectF(selected()).center());
    ensureVisible(selected());
}

} // namespace shardrack
