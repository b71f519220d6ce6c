#pragma once

namespace shardrack {

// Paper is laid out in dots of 1/1200 inch: fine enough for whole-number font sizes.

constexpr double kDotsPerInch = 1200;
constexpr double mm(double millimetres) { return millimetres * kDotsPerInch / 25.4; }
constexpr double pt(double points) { return points * kDotsPerInch / 72; }

/// Dots of one unit of a chart, whose painters count in pixels at 12 px type: 120 to the inch.
constexpr double kChartUnit = kDotsPerInch / 120;

} // namespace shardrack
