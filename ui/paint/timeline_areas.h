#pragma once

#include "paint/paint_style.h"
#include "plan/rank_timeline.h"

#include <QRectF>

#include <memory>
#include <optional>
#include <vector>

class QPainter;

namespace shardrack {

/// What the step timeline draws: a rank's moments against what its GPU has.
struct TimelineInput {
    std::shared_ptr<const RankTimeline> rank; ///< null: nothing to draw
    bool slack = true; ///< slack and memory outside the allocator above the tensors
    std::optional<Bytes> usable;
    bool usableConfirmed = true;
    std::optional<Bytes> installed;
    std::optional<Bytes> margin; ///< required below usable
    QString marginBasis;
};

/// Where moments stand along the axis. Each takes a unit; a stretch that would be too short to be
/// seen beside the others gets more, which is allowed because the axis is no scale of time.
class MomentAxis {
public:
    MomentAxis() = default;
    explicit MomentAxis(const Timeline& timeline);

    double end() const { return m_edges.empty() ? 0 : m_edges.back(); }
    double from(std::size_t moment) const { return m_edges[moment]; }
    double to(std::size_t moment) const { return m_edges[moment + 1]; }
    double middle(std::size_t moment) const { return (from(moment) + to(moment)) / 2; }
    /// The moment at a place of the axis, the first or last one beyond its ends.
    std::size_t at(double place) const;

private:
    std::vector<double> m_edges; ///< one more than there are moments
};

/// Maps a part of the axis and sizes up to `full` to a rectangle.
struct TimelineScale {
    QRectF plot;
    double first = 0; ///< place of the axis at the left edge
    double last = 1;
    Bytes full { 1 };
    qreal x(double place) const
    {
        return plot.left() + (place - first) / (last - first) * plot.width();
    }
    double place(qreal at) const
    {
        return first + (at - plot.left()) / plot.width() * (last - first);
    }
    qreal y(Bytes bytes) const
    {
        return plot.bottom()
            - static_cast<double>(bytes.count()) / static_cast<double>(full.count())
            * plot.height();
    }
};

/// A piece of the picture in which one moment is drawn: the moment itself, or the largest of those
/// that share a pixel column.
struct TimelineCell {
    qreal left = 0;
    qreal right = 0;
    std::size_t moment = 0;
};
/// The cells of what is in view, from left to right without gaps.
std::vector<TimelineCell> timelineCells(
    const Timeline& timeline, const MomentAxis& axis, const TimelineScale& scale);

/// The stacked areas in the colours and hatches of their categories, slack and outside memory above
/// them, an open end where something is not established, and the dark line of the tensors. To be
/// drawn on screen.
void drawTimelineAreas(QPainter& painter, const TimelineInput& input,
    const std::vector<TimelineCell>& cells, const TimelineScale& scale, const PaintStyle& style);

} // namespace shardrack
