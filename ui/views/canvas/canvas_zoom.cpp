// How large things are: by hand, to fit, and to begin with.

#include "canvas/rack_canvas.h"

#include <QCoreApplication>
#include <QScrollBar>

#include <algorithm>
#include <array>
#include <cmath>

namespace shardrack {

namespace {

constexpr std::array<DetailLevel, 5> kLevels { DetailLevel::Card, DetailLevel::Cell,
    DetailLevel::SmallCell, DetailLevel::GpuCell, DetailLevel::ServerCell };

} // namespace

double RackCanvas::legendHeight(DetailLevel level)
{
    constexpr double kHeight = 32;
    return level >= DetailLevel::GpuCell ? kHeight : 0;
}

void RackCanvas::setGpuWidth(double width, const QPointF& anchor)
{
    width = std::clamp(width, kSmallestGpuWidth, kLargestGpuWidth);
    // What is under the anchor stays there: a place within a rack, since racks wrap anew.
    const QPointF was = toCanvas(anchor);
    const CanvasLayout::Span span = m_layout.racksIn({ was, QSizeF(0, 0) });
    const int rack = span.lastRow < 0 ? -1 : m_layout.rackAt(span.firstRow, span.firstColumn);
    QPointF share(0.5, 0.5);
    if (rack >= 0) {
        const QRectF rect = m_layout.rackRect(rack);
        share = { (was.x() - rect.left()) / rect.width(), (was.y() - rect.top()) / rect.height() };
    }
    const DetailLevel before = m_layout.level();
    const double zoomBefore = zoom();
    const DetailLevel level = detailLevel(width, before);
    m_gpuWidth = width;
    m_layout = layoutFor(width, level);
    updateScrollBars();
    if (rack >= 0) {
        const QRectF rect = m_layout.rackRect(rack);
        const QPointF is(
            rect.left() + share.x() * rect.width(), rect.top() + share.y() * rect.height());
        horizontalScrollBar()->setValue(static_cast<int>(std::lround(is.x() - anchor.x())));
        verticalScrollBar()->setValue(static_cast<int>(std::lround(is.y() - anchor.y())));
    }
    hideHover();
    viewport()->update();
    if (std::abs(zoomBefore - zoom()) > 0)
        emit zoomChanged(zoom());
    if (before != level)
        emit detailLevelChanged(level);
}

void RackCanvas::enlargeToCells(const QPointF& anchor)
{
    constexpr double kLegible = 52;
    m_ownZoom = true;
    setGpuWidth(kLegible, anchor);
    // Scroll bars appear by a queued call of the scroll area; racks wrap anew in the room that is
    // left, so whoever scrolls to a place afterwards needs it done.
    QCoreApplication::sendPostedEvents(this, QEvent::MetaCall);
}

std::optional<double> RackCanvas::widthThatFits(Fit what, double from, double to) const
{
    const auto fits = [&](double width, DetailLevel level) {
        const CanvasLayout layout = layoutFor(width, level);
        const QSizeF size = layout.size();
        const double height = size.height() + legendHeight(level);
        return size.width() <= viewport()->width()
            && (what != Fit::Everything || height <= viewport()->height())
            && (what != Fit::OneRow || layout.rackRows() <= 1);
    };
    for (const DetailLevel level : kLevels) {
        const auto [first, end] = widthsOf(level);
        double low = std::max(first, from);
        double high = std::min(std::nexttoward(end, 0.0L), to);
        if (low > high || !fits(low, level))
            continue;
        constexpr int kSteps = 9;
        for (int i = 0; i < kSteps; ++i) {
            const double middle = (low + high) / 2;
            (fits(middle, level) ? low : high) = middle;
        }
        return low;
    }
    return std::nullopt;
}

void RackCanvas::resetZoom(double gpuWidth)
{
    m_gpuWidth = gpuWidth;
    m_layout
        = layoutFor(gpuWidth, detailLevel(gpuWidth)); // no hysteresis: the level it is made for
    updateScrollBars();
    viewport()->update();
    emit zoomChanged(zoom());
    emit detailLevelChanged(level());
}

void RackCanvas::zoomToFit()
{
    m_ownZoom = false;
    m_fits = true;
    resetZoom(widthThatFits(Fit::Everything, kSmallestGpuWidth, 1.25 * kGpuWidthAt100)
                  .value_or(kSmallestGpuWidth));
}

void RackCanvas::zoomAgain()
{
    if (m_fits)
        zoomToFit();
    else
        zoomToDefault();
}

void RackCanvas::zoomToDefault()
{
    m_fits = false;
    constexpr int kFewGpus = 8;
    constexpr int kTensOfGpus = 128;
    const int gpus = m_scene.gpuCount();
    if (gpus > kTensOfGpus) {
        zoomToFit();
        return;
    }
    // Cards where their sentences have room; cells otherwise: everything if it can be, else the
    // racks beside each other.
    const bool few = gpus <= kFewGpus;
    std::optional<double> width = few ? widthThatFits(Fit::Width, 172, 230) : std::nullopt;
    if (!width)
        width = widthThatFits(Fit::Everything, 42, few ? 120 : 90);
    if (!width)
        width = widthThatFits(Fit::OneRow, 42, few ? 120 : 90);
    if (!width) // rather all of it small than a part of it
        width = widthThatFits(Fit::Everything, kSmallestGpuWidth, 42);
    resetZoom(width.value_or(48));
    horizontalScrollBar()->setValue(0);
    verticalScrollBar()->setValue(0);
}

void RackCanvas::setZoom(double zoom)
{
    m_ownZoom = true;
    setGpuWidth(zoom * kGpuWidthAt100, QRectF(viewport()->rect()).center());
}

void RackCanvas::zoomIn() { setZoom(zoom() * 1.25); }
void RackCanvas::zoomOut() { setZoom(zoom() / 1.25); }
void RackCanvas::zoomTo100() { setZoom(1); }

} // namespace shardrack
