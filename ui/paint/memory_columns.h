#pragma once

#include "paint/memory_bars.h"

namespace shardrack {

/// The stacks of pixel columns, without axis, lines and labels: each as its most loaded bar, with a
/// line at its least loaded bar and the part between veiled.
void paintColumns(QPainter& painter, const MemoryBarsInput& input, const MemoryBarsLayout& layout,
    const PaintStyle& style);

/// What stands above the limit lines: slight excesses and the marks of open ends.
void paintColumnsAboveLines(QPainter& painter, const MemoryBarsInput& input,
    const MemoryBarsLayout& layout, const PaintStyle& style);

/// The bracket above the columns over capacity, with the count of their bars.
void paintOverBrackets(QPainter& painter, const MemoryBarsInput& input,
    const MemoryBarsLayout& layout, const PaintStyle& style);

} // namespace shardrack
