#pragma once

#include "paint/paint_style.h"

#include <QRectF>
#include <QString>

#include <vector>

class QPainter;

namespace shardrack {

/// One mark of a legend with its name.
struct LegendEntry {
    enum class Mark {
        Category,
        Open,
        Over,
        LeastInColumn,
        Measured, ///< a diamond
        Average ///< a triangle
    };
    Mark mark = Mark::Category;
    Category category = Category::Parameters; ///< Mark::Category
    QString text;
};

/// Height of the entries in rows of at most `width`.
qreal legendRowsHeight(
    const std::vector<LegendEntry>& entries, qreal width, const PaintStyle& style);
/// Entries side by side, in as many rows as they need.
void drawLegendRows(QPainter& painter, const QRectF& rect, const std::vector<LegendEntry>& entries,
    const PaintStyle& style);
/// Entries below each other, the last at the top as in the stack.
void drawLegendList(QPainter& painter, const QRectF& rect, const std::vector<LegendEntry>& entries,
    const PaintStyle& style);
/// Size of that list.
QSizeF legendListSize(const std::vector<LegendEntry>& entries, const PaintStyle& style);

} // namespace shardrack
