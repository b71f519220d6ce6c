#pragma once

#include "judge/findings.h"
#include "paint/glyphs.h"
#include "paint/icons.h"

namespace shardrack {

// How findings and the basis of numbers look, on screen and on paper.

Glyph glyphOf(Capacity capacity);
Glyph glyphOf(Demonstrated demonstrated);
Glyph glyphOf(TrainingResult result);
Icon iconOf(Provenance provenance);

} // namespace shardrack
