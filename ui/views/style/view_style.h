#pragma once

#include "paint/finding_glyphs.h"
#include "paint/paint_style.h"

class QWidget;

namespace shardrack {

/// The theme that goes with a widget's palette.
const Theme& themeOf(const QWidget* widget);
/// The painters' style for a widget on its screen.
PaintStyle styleOf(const QWidget* widget);

/// The colour of text that states a verdict.
QColor textColorOf(Capacity capacity, const Theme& theme);

} // namespace shardrack
