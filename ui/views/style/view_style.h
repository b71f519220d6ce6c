#pragma once

#include "judge/findings.h"
#include "paint/glyphs.h"
#include "paint/icons.h"
#include "paint/paint_style.h"

class QWidget;

namespace shardrack {

/// The theme that goes with a widget's palette: decided by its lightness, since nothing older than
/// Qt 6.5 says which colour scheme is wanted.
const Theme& themeOf(const QWidget* widget);
/// The painters' style for a widget on its screen.
PaintStyle styleOf(const QWidget* widget);

Glyph glyphOf(Capacity capacity);
Glyph glyphOf(Demonstrated demonstrated);
Glyph glyphOf(TrainingResult result);
Icon iconOf(Provenance provenance);
/// The colour of text that states a verdict.
QColor textColorOf(Capacity capacity, const Theme& theme);

} // namespace shardrack
