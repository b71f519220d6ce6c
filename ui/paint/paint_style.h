#pragma once

#include "paint/theme.h"

#include <QFont>
#include <QString>

class QPainter;
class QPointF;
class QRectF;

namespace shardrack {

/// Where a painter paints. Paper has no pixels: nothing is snapped, hatches are lines and nothing
/// fades (a gradient to transparent prints black, a pixmap brush becomes an image in a PDF).
enum class Surface { Screen, Paper };

/// What every painter needs to know about its surface; cheap to copy.
struct PaintStyle {
    PaintStyle(const Theme& colors, Surface where, const QFont& family, qreal pixelRatio = 1,
        qreal scale = 1)
        : theme(&colors)
        , surface(where)
        , base(family)
        , devicePixelRatio(pixelRatio)
        , textScale(scale)
    {
    }
    /// For a widget: the application's font at its size, and the widget's device pixel ratio.
    static PaintStyle screen(const Theme& theme, qreal devicePixelRatio);
    /// For print: `theme` is normally the light one; the painter is scaled so that 1 unit is 1 px.
    static PaintStyle paper(const Theme& theme, const QFont& family);

    const Theme* theme;
    Surface surface;
    QFont base; ///< family only
    qreal devicePixelRatio;
    qreal textScale; ///< applied to every size of the type scale

    /// The font at `px` of the type scale, with digits of equal width where the font has them.
    QFont font(qreal px, int weight = type::kRegular) const;
    /// The nearest whole device pixel, so that edges are sharp; on paper the value itself.
    qreal snap(qreal logical) const;
    /// Both pairs of edges on whole device pixels.
    QRectF snap(const QRectF& rect) const;
    bool onPaper() const { return surface == Surface::Paper; }
};

/// Size of the application's font relative to the 12 px for which distances are given.
qreal uiScale();

/// Text in one line in `rect`, elided at its end where it is too long.
void drawLine(QPainter& painter, const QRectF& rect, int alignment, const QString& text,
    const QFont& font, const QColor& color);
/// Width of one line.
qreal lineWidth(const QString& text, const QFont& font);

/// The translated name of a category.
QString categoryTitle(Category category);
/// "24.00": GiB without the unit.
QString gib(Bytes bytes, int decimals = 2);
/// "16,384".
QString groupedNumber(std::int64_t number);

} // namespace shardrack
