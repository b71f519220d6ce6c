#pragma once

#include "paint/memory_bars.h"
#include "plan/comparison.h"

#include <QString>

#include <optional>
#include <vector>

class QPainter;

namespace shardrack {

/// The devices of one offer in the figure "Every device".
struct DevicePanel {
    QString name; ///< "Offer R"
    QString about; ///< "ranks 0–3; usable 16.00 GiB, not confirmed"
    bool changedBasis = false;
    MemoryBarsInput bars; ///< in site order; with many devices, least headroom first
    std::vector<std::optional<Bytes>> measured; ///< per bar; empty: none
    std::vector<bool> over; ///< per class of `bars`: by verdict, which slack alone does not change
};

/// All devices of all offers on one axis: bars side by side, or pixel columns where there are many.
struct DeviceFigure {
    std::vector<DevicePanel> panels;
    bool columns = false;

    qreal height(qreal width, const PaintStyle& style) const;
    void paint(QPainter& painter, const QRectF& area, const PaintStyle& style) const;
};

/// The figure of a comparison. At most 48 devices are drawn one by one.
DeviceFigure deviceFigure(const Comparison& comparison);

} // namespace shardrack
