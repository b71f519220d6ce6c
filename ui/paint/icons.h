#pragma once

#include "paint/theme.h"

#include <QIcon>

class QPainter;
class QRectF;

namespace shardrack {

/// The line icons, on a grid of 16 × 16 with a stroke of 1.15.
enum class Icon {
    // the basis of a number
    Stipulated, ///< pin
    Derived, ///< =
    Measured, ///< gauge
    NotEstablished, ///< ?
    Held, ///< lock
    Changed, ///< ≠
    Flag,
    Note, ///< i
    Misleading, ///< outlined warning triangle
    // actions
    New,
    Open,
    Save,
    Undo,
    Redo,
    Select,
    Pan,
    AssignRanks,
    Group,
    ZoomOut,
    ZoomIn,
    Fit,
    Compare,
    ExportReport,
    Evidence,
    Lessons,
    Search,
    Add,
    Filter,
    Close,
    Float,
    WhatIf, ///< eye
    Tick,
    // objects
    Rack,
    Server,
    Gpu,
    Grip,
    // charts
    Bars,
    Clock,
    Network,
    Ladder
};
constexpr int kIconCount = static_cast<int>(Icon::Ladder) + 1;

/// The colour an icon has by itself: the basis icons carry meaning, actions take the text colour.
QColor iconColor(Icon icon, const Theme& theme);
/// Draws the icon as large as fits, centred in `rect`; the stroke grows with it.
void drawIcon(QPainter& painter, const QRectF& rect, Icon icon, const QColor& color);
/// For actions, with its disabled state; sharp at every size and device pixel ratio.
QIcon makeIcon(Icon icon, const Theme& theme);

} // namespace shardrack
