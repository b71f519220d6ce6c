#pragma once

#include "paint/memory_bars.h"

namespace shardrack {

/// The labels of the limit lines as they end at the last bar, from the top; not yet placed.
/// `occurs` says how many bars each class has.
std::vector<SideLabel> sideLabelsOf(
    const MemoryBarsInput& input, const std::vector<int>& occurs, const PaintStyle& style);
/// Width of the widest row.
qreal sideLabelsWidth(const std::vector<SideLabel>& labels, const PaintStyle& style);
/// Puts each label as near its line as its neighbours allow; usable keeps its place.
void placeSideLabels(
    MemoryBarsLayout& layout, const MemoryBarsInput& input, qreal left, const PaintStyle& style);
void drawSideLabels(
    QPainter& painter, const std::vector<SideLabel>& labels, const PaintStyle& style);

} // namespace shardrack
