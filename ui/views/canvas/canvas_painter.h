#pragma once

#include "canvas/canvas_layout.h"
#include "canvas/canvas_scene.h"
#include "canvas/canvas_text.h"
#include "commands/drop.h"
#include "document/selection.h"
#include "paint/paint_style.h"

#include <QHash>
#include <QImage>

class QPainter;

namespace shardrack {

/// What is marked on the canvas beside its content.
struct CanvasMarks {
    const Selection* selection = nullptr;
    bool focused = false; ///< the canvas has the keyboard
    std::optional<Carried> carried; ///< something is being dragged or was picked up
    int carriedHeight = 0; ///< in rack units; 0 for ranks
    DropTarget target; ///< where it would land
    bool refused = false; ///< it may not land there
    QRectF marquee; ///< rectangle being drawn to select, on the canvas; null: none
};

/// Pictures of racks at the levels of single cells. Racks that are filled alike share one; all are
/// dropped when `stamp` (level, size, theme, device pixel ratio) changes.
struct RackImages {
    QHash<quint64, QImage> images;
    quint64 stamp = 0;
};

/// Paints the canvas: what is exposed of it, at the level of the layout. Coordinates are the
/// layout's.
class CanvasPainter {
public:
    CanvasPainter(QPainter& painter, const CanvasScene& scene, const CanvasLayout& layout,
        const CanvasMarks& marks, const PaintStyle& style, RackImages& images);

    void paint(const QRectF& exposed);
    /// The dashed outline that stands for the first rack of an empty plan.
    static void paintEmptyRack(QPainter& painter, const QRectF& rect, const PaintStyle& style);
    /// The scale of fill colours, for the levels of single cells, in full or with the scale alone;
    /// says what it needs in width, and paints nothing without a painter.
    static qreal paintFillLegend(
        QPainter* painter, const QRectF& rect, const PaintStyle& style, bool full = true);

private:
    void paintRack(int rack, const QRectF& exposed);
    void paintRackFrame(int rack);
    void paintFreeBand(int rack, int band);
    void paintServer(int rack, int band, const QRectF& exposed);
    void paintServerFrame(const QRectF& rect, const Server& server);
    void paintServerHeader(int rack, int band, const Server& server);
    bool isNewServer(const Server& server) const;
    void paintBrackets(int rack, int band, const Server& server);
    void paintBracket(
        const QRectF& first, const QRectF& last, const QString& text, const QColor& behind);
    void paintFabric(int rack, int band, const Server& server);

    // one GPU
    void paintGpu(int rack, int band, int slot);
    void paintFreeSlot(const QRectF& rect);
    void paintCard(const QRectF& rect, std::int32_t gpu);
    void paintCardBar(const QRectF& track, std::int32_t gpu, qreal scale);
    void paintVerdict(const QRectF& rect, const GpuLook& look, qreal scale);
    void paintCell(const QRectF& rect, std::int32_t gpu);
    void paintSmallCell(const QRectF& rect, std::int32_t gpu);
    void paintMiniStack(const QRectF& track, std::int32_t gpu);
    void paintGpuFrame(const QRectF& rect, std::int32_t gpu);
    void paintGpuMarks(const QRectF& rect, std::int32_t gpu);

    // cells of one colour
    void paintRackLabels(int row, int firstColumn, int lastColumn);
    void paintRackImage(int rack);
    QImage rackImage(int rack) const;
    void paintCellMarks(int rack);
    bool allSelected(int rack) const;

    bool isSmall() const { return m_layout.level() >= DetailLevel::GpuCell; }
    bool carriesHardware() const;
    bool takesCarried(int rack, int band) const;
    bool isTargetRack(int rack) const;

    QPainter& m_painter;
    const CanvasScene& m_scene;
    const CanvasLayout& m_layout;
    const CanvasMarks& m_marks;
    const PaintStyle& m_style;
    const Theme& m_theme;
    RackImages& m_images;
};

} // namespace shardrack
