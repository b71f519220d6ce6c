#pragma once

#include "canvas/canvas_layout.h"
#include "canvas/canvas_painter.h"
#include "canvas/canvas_scene.h"
#include "canvas/carry_session.h"

#include <QAbstractScrollArea>
#include <QTimer>

class QMenu;

namespace shardrack {

class EmptyCanvas;
class GroupStrip;
class RackLoupe;
class RankEntry;
class WhatIfPopover;

/// The front of all racks of the current offer: racks, servers, GPUs and their ranks, at five
/// levels of detail; everything on it can be selected, dragged and moved by keyboard. One widget
/// paints all of it, so that 131,072 GPUs cost what is visible.
class RackCanvas : public QAbstractScrollArea {
    Q_OBJECT
public:
    RackCanvas(PlanDocument& document, Selection& selection, QWidget* parent = nullptr);
    ~RackCanvas() override;

    enum class Tool { Select, Pan };
    Tool tool() const { return m_tool; }

    /// 1 = 100 %.
    double zoom() const { return m_gpuWidth / kGpuWidthAt100; }
    DetailLevel level() const { return m_layout.level(); }
    const CanvasScene& scene() const { return m_scene; }
    const CanvasLayout& canvasLayout() const { return m_layout; }
    const Selection& selection() const { return m_selection; }
    const CarrySession& carry() const { return m_carry; }
    const WhatIfPopover& popover() const { return *m_popover; }
    RankEntry& rankEntry() { return *m_rankEntry; }
    GroupStrip& groupStrip() { return *m_strip; }

    /// Places in the viewport; null when they are not part of the shown offer.
    QRect rectOf(GpuRef gpu) const;
    QRect rectOfServer(ServerId server) const;
    QRect rectOfRack(int rack) const;
    /// The free space that holds a unit.
    QRect rectOfUnit(int rack, int unit) const;
    /// A place by its name, in this widget, for outlines: "rank 3", "free" (rack space), "server"
    /// (the head of the first), "idle server" (of the first whose GPUs have no rank). Null: none.
    Q_INVOKABLE QRect placeRect(const QString& place) const;
    Q_INVOKABLE void showPlace(const QString& place);
    /// What is there, as a place to drop what is being carried.
    DropTarget targetAt(const QPoint& inViewport) const;

    QSize sizeHint() const override { return { 980, 420 }; }
    QSize minimumSizeHint() const override { return { 320, 200 }; }

public slots:
    void setTool(shardrack::RackCanvas::Tool tool);
    void zoomIn();
    void zoomOut();
    void zoomTo100();
    /// Everything visible, at the level that this leads to.
    void zoomToFit();
    void setZoom(double zoom);
    /// The zoom that suits the number of GPUs: cards for few, cells for tens, all of them for more.
    void zoomToDefault();
    /// What was asked for last, to fit or the default, in the room that there is now.
    void zoomAgain();
    /// Scrolls the focused GPU, server or rack into view; small things are enlarged to cells.
    void revealSelection();
    void selectAll();

    /// Begins to carry by keyboard: arrows choose the place, Enter puts it down, Escape gives up.
    void pickUp(const shardrack::Carried& carried);
    /// Picks up the selected server or GPU.
    void moveSelected();
    /// Asks which rank shall run on the focused GPU.
    void askForRank();
    /// Offers the shard groups for the selected ranks.
    void chooseGroup();
    /// Takes the selected ranks out of the job; their GPUs stay, idle.
    void removeRanks();
    /// Takes the selected ranks out of their shard groups.
    void leaveGroups();
    /// A new rank on each selected GPU that has none.
    void giveRanks();
    /// Removes the selected rack, server or GPUs.
    void removeSelected();
    /// Asks, by a signal, for the usable allocation of the selected GPUs.
    void requestUsable();
    /// Another rack behind the last; in a plan without an offer the first offer with it.
    void addRack();

signals:
    void statusMessage(const QString& text);
    void zoomChanged(double zoom);
    void detailLevelChanged(shardrack::DetailLevel level);
    /// Somebody wants to state the usable allocation of these GPUs.
    void usableRequested(const std::vector<shardrack::GpuRef>& gpus);
    /// Insert was pressed: the catalogue's current item shall be handed to pickUp().
    void catalogueItemRequested();
    void openExampleRequested();
    void openPlanRequested();

protected:
    bool event(QEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragMoveEvent(QDragMoveEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    // rack_canvas.cpp: scene, geometry, painting
    void paintRacks(QPainter& painter, const QRect& exposed, const PaintStyle& style);
    void refreshScene();
    void updateChanged(const CanvasScene& before, bool sameGeometry);
    void relayout();
    void updateScrollBars();
    void placeChildren();
    CanvasLayout layoutFor(double gpuWidth, DetailLevel level) const;
    QPointF offset() const;
    QPointF toCanvas(const QPointF& inViewport) const { return inViewport + offset(); }
    QRect toViewport(const QRectF& onCanvas) const;
    void ensureVisible(const QRect& inViewport);
    QRectF targetRect(const DropTarget& target) const;

    // canvas_zoom.cpp
    /// Below the cells of one colour stands what the colours mean.
    static double legendHeight(DetailLevel level);
    void setGpuWidth(double width, const QPointF& anchor);
    void enlargeToCells(const QPointF& anchor);
    enum class Fit { Width, OneRow, Everything };
    /// The largest width in the range at which the canvas fits; absent when it does at none.
    std::optional<double> widthThatFits(Fit what, double from, double to) const;
    void resetZoom(double gpuWidth);

    // canvas_mouse.cpp: selection, hover, panning
    void select(const CanvasHit& hit, Qt::KeyboardModifiers modifiers);
    void selectGroupAt(const CanvasHit& hit);
    void selectLabelAt(const CanvasHit& hit);
    void extendTo(GpuRef gpu);
    void enterRack(int rack);
    void finishMarquee(Qt::KeyboardModifiers modifiers);
    std::vector<GpuRef> gpusIn(const QRectF& onCanvas) const;
    void hover(const QPoint& inViewport);
    void showHover();
    void hideHover();
    GpuRef refOf(const CanvasHit& hit) const;
    void updateCursor();
    QString hoverText(const CanvasHit& hit) const;

    // canvas_drag.cpp
    std::optional<Carried> carriedFrom(const CanvasHit& hit) const;
    void startDrag(const Carried& carried);
    void onCarryChanged();
    void onDropped(const DropTarget& target);
    void placePopover();
    void pollDrag();

    // canvas_keys.cpp: focus and carrying
    bool carryKey(QKeyEvent* event);
    bool commandKey(QKeyEvent* event);
    void moveFocus(int key, bool extend);
    void moveServerFocus(int key);
    void moveRackFocus(int key);
    void goOut();
    void goIn();
    void moveCarried(int key);
    GpuRef neighbour(GpuRef gpu, int key) const;
    void selectServerAt(int rack, int server);
    void selectRackAt(int rack);

    // canvas_commands.cpp
    void say(const std::optional<Error>& error);
    void putRanks(const DropTarget& target);
    QMenu* groupMenu();
    std::vector<GpuRef> commandGpus() const;

    PlanDocument& m_document;
    Selection& m_selection;
    CarrySession m_carry;
    CanvasScene m_scene;
    CanvasLayout m_layout;
    RackImages m_images;

    double m_gpuWidth = kGpuWidthAt100;
    bool m_ownZoom = false; ///< a person chose the zoom: it is kept
    bool m_fits = false; ///< everything was to be seen: so it stays, whatever room there is
    Tool m_tool = Tool::Select;

    // mouse
    std::optional<CanvasHit> m_pressed;
    QPoint m_pressedAt;
    bool m_selectOnRelease = false;
    bool m_panning = false;
    bool m_spaceHeld = false;
    QPoint m_panFrom;
    QRectF m_marquee;
    QPointF m_marqueeFrom;
    QPoint m_hoverAt;
    CanvasHit m_hoverHit;
    QTimer m_hoverTimer;

    // drag
    QTimer m_dragTimer; ///< alternate key and scrolling while the system drags
    QPoint m_dragAt;
    bool m_systemDrag = false;
    std::optional<QPoint> m_scrolledBefore; ///< where the view was when the drag began
    /// Where everything was when the mouse began to drag: what is under the pointer must not depend
    /// on what the what-if makes room for.
    std::optional<CanvasLayout> m_dragLayout;

    // keys
    GpuRef m_marqueeAnchor; ///< where a selection by Shift and arrows began
    std::vector<DropTarget> m_places;
    std::size_t m_place = 0;

    WhatIfPopover* m_popover;
    GroupStrip* m_strip;
    RankEntry* m_rankEntry;
    RackLoupe* m_loupe;
    EmptyCanvas* m_empty;
};

} // namespace shardrack
