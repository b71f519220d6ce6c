#pragma once

#include "paint/paint_style.h"

#include <QPolygonF>
#include <QRectF>

#include <optional>
#include <vector>

class QPainter;

namespace shardrack {

/// One part of a bar. An open part is not established, or more than `bytes` by an unknown amount;
/// it makes the whole bar open-ended.
struct BarSegment {
    Category category = Category::Parameters;
    Bytes bytes;
    bool open = false;
    bool operator==(const BarSegment&) const = default;
};

/// The memory of one device: what is needed, bottom of the stack first, against what it has.
struct StackedBar {
    std::vector<BarSegment> segments;
    std::optional<Bytes> usable; ///< nullopt: no capacity line
    bool usableConfirmed = true;
    std::optional<Bytes> installed;
    std::optional<Bytes> margin; ///< required below usable; nullopt: not stated
    bool idle = false; ///< nothing is placed there: a dashed slot up to usable
    /// The highest reading of device memory in use, which is comparable with the whole bar.
    std::optional<Bytes> measured;

    /// The sum of what is established; a lower bound while `open()`.
    Bytes need() const;
    bool open() const;
    /// Usable minus need; nullopt without usable.
    std::optional<Bytes> headroom() const;
    /// More is needed than is usable. An idle device is never over.
    bool over() const;
    bool operator==(const StackedBar&) const = default;
};

enum class BarDirection { Up, Right };

/// Maps bytes to a track whose full length stands for `full` bytes.
class BarScale {
public:
    BarScale(const QRectF& track, Bytes full, BarDirection direction, const PaintStyle& style);
    /// The y (Up) or x (Right) of an amount, on a whole device pixel on screen.
    qreal at(Bytes bytes) const;
    /// The part of the track from one amount to a greater one.
    QRectF between(Bytes from, Bytes to) const;
    qreal length() const { return m_up ? m_track.height() : m_track.width(); }
    qreal breadth() const { return m_up ? m_track.width() : m_track.height(); }
    BarDirection direction() const { return m_up ? BarDirection::Up : BarDirection::Right; }
    const QRectF& track() const { return m_track; }

private:
    QRectF m_track;
    double m_full;
    bool m_up;
    const PaintStyle* m_style;
};

/// A part of a bar as drawn: a segment, or its share on one side of usable.
struct SegmentPiece {
    QRectF rect;
    Category category;
    bool beyondUsable;
};
/// Where the parts of a bar lie, bottom first; parts of no length are absent. The pieces abut, and
/// their lengths sum to the need's.
std::vector<SegmentPiece> segmentPieces(const StackedBar& bar, const BarScale& scale);

/// The rectangle of the open end on top of a bar that needs `need`.
QRectF openTermRect(Bytes need, const BarScale& scale);

enum class BarLabels { None, Numbers, NamesAndNumbers };

struct StackedBarOptions {
    BarLabels labels = BarLabels::None; ///< on pads, where they fit
    bool lines = false; ///< usable, required margin and installed across this bar
    const StackedBar* before = nullptr; ///< dashed, the bar itself is the what-if
};

/// Draws the bar on its track. A bar narrower than 6 px shows no hatch.
void drawStackedBar(QPainter& painter, const StackedBar& bar, const BarScale& scale,
    const PaintStyle& style, const StackedBarOptions& options = {});

/// What is drawn above limit lines, for callers that draw those themselves: an excess that the
/// usable line would hide (under 6 px long or wide) in solid colour, and the "?" of an open end.
void drawAboveLines(
    QPainter& painter, const StackedBar& bar, const BarScale& scale, const PaintStyle& style);

/// A diamond where device memory was read, in the middle of the bar; nothing where it was not, or
/// where the bar is too narrow. Measured stands beside the estimate and never replaces it.
void drawMeasured(
    QPainter& painter, const StackedBar& bar, const BarScale& scale, const PaintStyle& style);

/// The diamond itself; `half` is half its height.
void drawMeasuredMark(
    QPainter& painter, const QPointF& middle, qreal half, const PaintStyle& style);
/// The mark of an average beside the most loaded device: a triangle whose tip points up at it.
void drawAverageMark(QPainter& painter, const QPointF& tip, qreal half, const PaintStyle& style);

/// The outline of a bar as it was before, over or above the bar as it is.
void drawBefore(QPainter& painter, const StackedBar& before, const StackedBar& bar,
    const BarScale& scale, const PaintStyle& style);

/// The kinds of capacity lines; each has its own stroke.
enum class LimitLine { Usable, Margin, Installed };
void drawLimitLine(
    QPainter& painter, const QPolygonF& points, LimitLine line, const PaintStyle& style);

/// Text on the solid pad of a category, centred in `rect` when it fits; says whether it did.
bool drawPadText(QPainter& painter, const QRectF& rect, const QString& text, Category category,
    const PaintStyle& style);

/// A square that shows fill and hatch of a category, for legends and lists.
void drawSwatch(QPainter& painter, const QRectF& rect, Category category, const PaintStyle& style);
/// The same for a term that is not established.
void drawOpenSwatch(QPainter& painter, const QRectF& rect, const PaintStyle& style);
/// The same for the part beyond usable.
void drawOverSwatch(QPainter& painter, const QRectF& rect, const PaintStyle& style);

} // namespace shardrack
