#pragma once

#include "paint/paint_style.h"

#include <QBrush>
#include <QLineF>
#include <QRectF>

#include <vector>

class QPainter;

namespace shardrack {

/// Covers `rect` with the hatch: a texture on screen, clipped lines on paper.
void fillHatch(QPainter& painter, const QRectF& rect, const Hatch& hatch, const PaintStyle& style);

/// The texture of a hatch for one device pixel ratio, on a transparent ground. Its tile is a whole
/// number of device pixels, so that it repeats without a seam. Kept per thread; a theme differs by
/// its pens. An empty brush for HatchKind::None.
QBrush hatchBrush(const Hatch& hatch, qreal devicePixelRatio);

/// The centre lines of the hatch inside `rect`, for the kinds made of lines. They depend on the
/// place, not on the rectangle: hatches of neighbouring rectangles meet.
std::vector<QLineF> hatchLines(const QRectF& rect, const Hatch& hatch);

/// Which way an open term runs out.
enum class OpenEnd { Top, Right };
/// The hatched end of a bar whose length is not known, without its "?": on screen it fades out, on
/// paper its lines stand wider apart towards the end and its two dashed sides differ in length.
/// Nothing closes the end.
void drawOpenTerm(QPainter& painter, const QRectF& rect, OpenEnd end, const PaintStyle& style);
/// "?" in a circle, as large as fits up to a radius of 8; nothing where it would not be legible.
void drawOpenMark(QPainter& painter, const QRectF& rect, const PaintStyle& style);

} // namespace shardrack
