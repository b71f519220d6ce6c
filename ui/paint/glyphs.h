#pragma once

#include "paint/theme.h"

#include <QIcon>
#include <QPainterPath>

class QPainter;
class QRectF;

namespace shardrack {

/// The glyphs of the three findings and the badge of a layout that is not legal. Each differs from
/// every other by its shape; colour only supports it.
enum class Glyph {
    OverCapacity, ///< filled octagon with ×
    Open, ///< circle, right half filled
    Tight, ///< circle filled to three quarters, a bar close above it
    Fit, ///< filled circle with tick
    NotDemonstrated, ///< hollow ring
    PartlyDemonstrated, ///< three-quarter pie
    Demonstrated, ///< filled circle with tick, double ring
    Contradicted, ///< hollow ring with ×
    NotEvaluated, ///< dashed ring
    Accepted, ///< filled square with tick
    Rejected, ///< filled square with ×
    NotLegal ///< filled triangle with !
};
constexpr int kGlyphCount = 12;

/// The glyph's ink on a grid of 16 × 16; ticks and crosses inside a filled shape are holes.
const QPainterPath& glyphPath(Glyph glyph);
/// The colour that goes with the glyph.
QColor glyphColor(Glyph glyph, const Theme& theme);
/// Draws the glyph as large as fits, centred in `rect`.
void drawGlyph(QPainter& painter, const QRectF& rect, Glyph glyph, const Theme& theme);
void drawGlyph(QPainter& painter, const QRectF& rect, Glyph glyph, const QColor& color);
/// For tabs, lists and actions; sharp at every size and device pixel ratio.
QIcon glyphIcon(Glyph glyph, const Theme& theme);

} // namespace shardrack
