#pragma once

#include "site/site.h"

#include <QPointF>
#include <QRectF>
#include <QSizeF>

#include <utility>
#include <vector>

namespace shardrack {

/// How much a GPU shows, by its width on the screen.
enum class DetailLevel { Card, Cell, SmallCell, GpuCell, ServerCell };

/// The width of a GPU at 100 % zoom, in logical pixels at a text scale of 1.
constexpr double kGpuWidthAt100 = 208;
constexpr double kSmallestGpuWidth = 0.25;
constexpr double kLargestGpuWidth = 2 * kGpuWidthAt100;

/// The level for GPUs of this width (logical px at a text scale of 1). A level is left only when
/// the width is 10 % beyond its limit.
DetailLevel detailLevel(double gpuWidth, DetailLevel current);
/// The same without a level to start from.
DetailLevel detailLevel(double gpuWidth);
/// The widths at which a level begins and ends: 140, 40, 12, 2.
std::pair<double, double> widthsOf(DetailLevel level);

/// A slice of a rack from its top down: a server, or free units.
struct CanvasBand {
    std::int32_t server = -1; ///< index into Rack::servers; -1: free
    std::int32_t firstUnit = 1;
    std::int32_t lastUnit = 1;
    std::int32_t gpuSlots = 0; ///< places for GPUs
    std::int32_t gpus = 0; ///< of them taken, the first ones
    bool compressed = false; ///< free units drawn lower than a server would be
    float top = 0; ///< below the rack's top
    float height = 0;
    bool isServer() const { return server >= 0; }
};

/// What is at a point of the canvas.
struct CanvasHit {
    enum class Kind {
        Nothing,
        RackLabel, ///< bracket over neighbouring racks, at levels without headers
        Rack, ///< header, rail or frame
        ServerHeader,
        ServerBody, ///< between the GPUs
        GroupLabel, ///< bracket above a GPU
        Rank, ///< the rank label of a GPU: its handle
        Gpu,
        FreeSlot, ///< a place for a GPU without one
        FreeSpace ///< free rack units
    };
    Kind kind = Kind::Nothing;
    int rack = -1;
    int band = -1; ///< index into bands(rack)
    int slot = -1; ///< of the GPU in its server
    bool onGpu() const { return kind == Kind::Rank || kind == Kind::Gpu; }
    bool operator==(const CanvasHit&) const = default;
};

/// Where racks, servers and GPUs lie on the canvas. Everything by arithmetic on a list of bands per
/// rack, so that finding what is under a point costs two binary searches at any scale. A value;
/// made anew when the site, the zoom or the viewport change. Lengths in logical pixels.
class CanvasLayout {
public:
    struct Input {
        const Site* site = nullptr; ///< used by make() only
        double gpuWidth = kGpuWidthAt100; ///< at a text scale of 1
        DetailLevel level = DetailLevel::Card;
        QSizeF viewport;
        double textScale = 1;
        double devicePixelRatio = 1;
        int carriedHeight = 0; ///< units of what is being carried: free space is divided by it
    };
    CanvasLayout() = default;
    static CanvasLayout make(const Input& input);

    DetailLevel level() const { return m_level; }
    QSizeF size() const { return m_size; }
    int rackCount() const { return static_cast<int>(m_bandsOf.size()) - 1; }
    int rackColumns() const { return m_rackColumns; }
    int rackRows() const { return static_cast<int>(m_rowTop.size()) - 1; }
    /// Room above a row of racks for the brackets over them; 0 at levels without.
    double rowLabelHeight() const { return m_rowLabel; }
    /// GPU boxes beside each other in a server.
    int gpuColumns() const { return m_gpuColumns; }
    QSizeF gpuSize() const { return m_gpu; }
    /// By how much cards are larger than at 100 %, 1 at least.
    double cardScale() const { return m_cardScale; }
    bool hasHeaders() const { return m_rackHeader > 0; }

    QRectF rackRect(int rack) const;
    QRectF rackHeaderRect(int rack) const;
    QRectF railRect(int rack) const;
    int bandCount(int rack) const;
    const CanvasBand& band(int rack, int band) const;
    QRectF bandRect(int rack, int band) const;
    QRectF serverHeaderRect(int rack, int band) const;
    /// Below the GPUs; empty at levels without, and for a server of fewer than two.
    QRectF serverFooterRect(int rack, int band) const;
    QRectF gpuRect(int rack, int band, int slot) const;
    /// The part of a GPU that shows its rank and drags it; empty at levels without.
    QRectF rankRect(int rack, int band, int slot) const;
    /// Above a line of GPU boxes, over the GPU in `slot`; empty at levels without brackets.
    QRectF groupLabelRect(int rack, int band, int slot) const;
    /// The band of the server at `server` in the rack's list; -1 when there is none.
    int bandOfServer(int rack, int server) const;

    CanvasHit hitTest(const QPointF& point) const;
    /// The racks that a rectangle touches lie in these rows and columns (inclusive; may be empty).
    struct Span {
        int firstRow = 0, lastRow = -1, firstColumn = 0, lastColumn = -1;
    };
    Span racksIn(const QRectF& rect) const;
    /// The rack at a place of the grid; -1 beyond the last.
    int rackAt(int row, int column) const;
    /// Calls visit(rack, band, slot) for each GPU box that touches the rectangle.
    template <class Visit> void eachGpuIn(const QRectF& rect, Visit visit) const;

    /// The same place when nothing but free space or zoom differs.
    bool sameGeometry(const CanvasLayout& other) const;

private:
    struct Metrics;
    void placeBands(const Rack& rack, const Metrics& metrics, int carriedHeight, int& typical);
    void placeRows(const Input& input, const Metrics& metrics);
    double snap(double length) const; ///< to the nearest device pixel
    double snapUp(double length) const; ///< so that what is inside never sticks out
    CanvasHit hitServer(int rack, int band, const QPointF& inBand) const;

    DetailLevel m_level = DetailLevel::Card;
    double m_dpr = 1;
    QSizeF m_size;
    QSizeF m_gpu;
    double m_cardScale = 1;
    double m_gpuGap = 0;
    double m_lineGap = 0; ///< between lines of GPU boxes, brackets included
    double m_bracket = 0;
    double m_margin = 0;
    double m_rackGap = 0;
    double m_rackHeader = 0;
    double m_rail = 0;
    double m_rackPad = 0;
    double m_serverHeader = 0;
    double m_serverPad = 0; ///< left and right of its GPUs
    double m_serverAir = 0; ///< above and below them
    double m_serverFooter = 0; ///< of servers with several GPUs: what joins them
    double m_rowLabel = 0;
    double m_rowName = 0; ///< room left of the racks
    double m_rackWidth = 0;
    int m_gpuColumns = 1;
    int m_rackColumns = 1;
    std::vector<double> m_rowTop { 0 }; ///< of each row of racks, then the end
    std::vector<std::int32_t> m_bandsOf { 0 }; ///< first band of each rack, then the end
    std::vector<CanvasBand> m_bands;
};

template <class Visit> void CanvasLayout::eachGpuIn(const QRectF& rect, Visit visit) const
{
    const Span span = racksIn(rect);
    for (int row = span.firstRow; row <= span.lastRow; ++row)
        for (int column = span.firstColumn; column <= span.lastColumn; ++column) {
            const int rack = rackAt(row, column);
            if (rack < 0)
                continue;
            for (int band = 0; band < bandCount(rack); ++band) {
                if (!this->band(rack, band).isServer() || !bandRect(rack, band).intersects(rect))
                    continue;
                for (int slot = 0; slot < this->band(rack, band).gpuSlots; ++slot)
                    if (gpuRect(rack, band, slot).intersects(rect))
                        visit(rack, band, slot);
            }
        }
}

} // namespace shardrack
