#pragma once

#include "paint/timeline_areas.h"

namespace shardrack {

// What stands around the areas of the step timeline: bands and names of the phases, the bracket of
// each step, the lines of what the GPU has, and marks where passes are left out.

/// Height of the names below the axis, of phases and of steps.
qreal timelineFooterHeight(const PaintStyle& style);

void drawPhaseBands(QPainter& painter, const Timeline& timeline, const MomentAxis& axis,
    const TimelineScale& scale, const PaintStyle& style);
void drawPhaseNames(QPainter& painter, const Timeline& timeline, const MomentAxis& axis,
    const TimelineScale& scale, const PaintStyle& style);
void drawSkippedMarks(QPainter& painter, const Timeline& timeline, const MomentAxis& axis,
    const TimelineScale& scale, const PaintStyle& style);
/// The lines and, at the right of the plot in `room`, their names.
void drawTimelineLimits(QPainter& painter, const TimelineInput& input, const TimelineScale& scale,
    qreal room, const PaintStyle& style);
/// Width that those names need.
qreal timelineLimitsWidth(const TimelineInput& input, const PaintStyle& style);

} // namespace shardrack
