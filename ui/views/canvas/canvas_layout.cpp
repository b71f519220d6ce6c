#include "canvas/canvas_layout.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace shardrack {

namespace {

// Where a level begins, from the widest.
constexpr std::array<double, 4> kLimits { 140, 40, 12, 2 };
constexpr double kHysteresis = 0.10;
constexpr int kUsualHeight = 4; // units of a slot where no server tells

} // namespace

std::pair<double, double> widthsOf(DetailLevel level)
{
    const auto i = static_cast<std::size_t>(level);
    return { i < kLimits.size() ? kLimits[i] : kSmallestGpuWidth,
        i == 0 ? kLargestGpuWidth : kLimits[i - 1] };
}

DetailLevel detailLevel(double gpuWidth)
{
    std::size_t level = 0;
    while (level < kLimits.size() && gpuWidth < kLimits[level])
        ++level;
    return static_cast<DetailLevel>(level);
}

DetailLevel detailLevel(double gpuWidth, DetailLevel current)
{
    const auto [from, to] = widthsOf(current);
    if (gpuWidth >= from * (1 - kHysteresis) && gpuWidth < to * (1 + kHysteresis))
        return current;
    return detailLevel(gpuWidth);
}

/// What depends on the level and not on the site.
struct CanvasLayout::Metrics {
    int mostGpuColumns = 8;
    double bandGap = 0;
    double slotHeight = 0; ///< a free slot in the size of a server; 0: as low as compressed space
    double compressed = 0;
    double emptyServer = 0; ///< body of a server without a place for a GPU
    int fullSlots = 0; ///< servers and free slots that a rack shows before it compresses
};

CanvasLayout CanvasLayout::make(const Input& input)
{
    CanvasLayout layout;
    layout.m_level = input.level;
    layout.m_dpr = input.devicePixelRatio;
    const double scale = input.textScale;
    const double width = input.gpuWidth * scale;
    Metrics metrics;
    switch (input.level) {
    case DetailLevel::Card:
        metrics = { 4, 10 * scale, 0, 26 * scale, 24 * scale, 1 };
        layout.m_cardScale = std::max(1.0, input.gpuWidth / kGpuWidthAt100);
        layout.m_gpu = { width, 164 * scale * layout.m_cardScale };
        layout.m_gpuGap = 12 * scale;
        layout.m_bracket = 26 * scale;
        layout.m_lineGap = layout.m_bracket + 6 * scale;
        layout.m_margin = 14 * scale;
        layout.m_rackGap = 16 * scale;
        layout.m_rackHeader = 30 * scale;
        layout.m_rail = 34 * scale;
        layout.m_rackPad = 10 * scale;
        layout.m_serverHeader = 26 * scale;
        layout.m_serverPad = 12 * scale;
        layout.m_serverAir = 6 * scale;
        layout.m_serverFooter = 28 * scale;
        break;
    case DetailLevel::Cell:
        metrics = { 8, 8 * scale, 1, 26 * scale, 16 * scale, 3 };
        layout.m_gpu = { width, std::clamp(1.1 * width, 60 * scale, 100 * scale) };
        layout.m_gpuGap = 5 * scale;
        layout.m_lineGap = 6 * scale;
        layout.m_margin = 14 * scale;
        layout.m_rackGap = 18 * scale;
        layout.m_rackHeader = 30 * scale;
        layout.m_rail = 32 * scale;
        layout.m_rackPad = 8 * scale;
        layout.m_serverHeader = 24 * scale;
        layout.m_serverPad = 8 * scale;
        layout.m_serverAir = 8 * scale;
        break;
    case DetailLevel::SmallCell:
        metrics = { 8, 4 * scale, 0, 12 * scale, 6 * scale, 2 };
        layout.m_gpu = { width, std::clamp(1.35 * width, 20 * scale, 46 * scale) };
        layout.m_gpuGap = 2 * scale;
        layout.m_lineGap = 3 * scale;
        layout.m_margin = 12 * scale;
        layout.m_rackGap = 12 * scale;
        layout.m_rackHeader = 22 * scale;
        layout.m_rackPad = 5 * scale;
        layout.m_serverHeader = 15 * scale;
        layout.m_serverPad = 3 * scale;
        layout.m_serverAir = 3 * scale;
        break;
    case DetailLevel::GpuCell:
    case DetailLevel::ServerCell: {
        const double pixel = 1 / input.devicePixelRatio;
        // Cells lie on whole device pixels; where they are large enough a pixel parts them.
        const bool byServer = input.level == DetailLevel::ServerCell;
        const double cell = byServer ? width : std::max(pixel, layout.snap(width));
        metrics = { 8, byServer ? 0 : pixel, 0, std::max(2 * pixel, cell), cell, 0 };
        layout.m_gpuGap = cell >= 4 * pixel ? pixel : 0;
        layout.m_gpu = { std::max(cell - layout.m_gpuGap, cell / 2), 0 };
        layout.m_gpu.setHeight(std::max(layout.m_gpu.width(), pixel));
        layout.m_lineGap = layout.m_gpuGap;
        layout.m_margin = 14 * scale;
        layout.m_rackGap = std::clamp(layout.snap(cell), byServer ? pixel : 2.0, 5.0);
        layout.m_rackPad = std::max(pixel, layout.snap(1.0));
        layout.m_rowLabel = byServer ? 0 : 18 * scale;
        layout.m_rowName = 34 * scale;
        break;
    }
    }

    int mostSlots = 1;
    std::size_t servers = 0;
    for (const auto& rack : input.site->racks) {
        servers += rack->servers.size();
        for (const Server& server : rack->servers)
            mostSlots = std::max(mostSlots, std::max(server.gpuSlots, server.gpuCount()));
    }
    layout.m_gpuColumns = std::min(mostSlots, metrics.mostGpuColumns);
    if (servers == 0)
        layout.m_gpuColumns = metrics.mostGpuColumns;
    layout.m_rackWidth = layout.snapUp(layout.m_rail + 2 * layout.m_rackPad + 2 * layout.m_serverPad
        + layout.m_gpuColumns * (layout.m_gpu.width() + layout.m_gpuGap) - layout.m_gpuGap);
    if (metrics.slotHeight > 0)
        metrics.slotHeight = layout.m_serverHeader + 2 * layout.m_serverAir + layout.m_gpu.height();

    layout.m_bands.reserve(servers + 2 * input.site->racks.size());
    layout.m_bandsOf.reserve(input.site->racks.size() + 1);
    int typical = kUsualHeight;
    for (const auto& rack : input.site->racks)
        layout.placeBands(*rack, metrics, input.carriedHeight, typical);
    layout.placeRows(input, metrics);
    return layout;
}

double CanvasLayout::snap(double length) const { return std::round(length * m_dpr) / m_dpr; }

double CanvasLayout::snapUp(double length) const
{
    constexpr double kRounding = 1e-6;
    return std::ceil(length * m_dpr - kRounding) / m_dpr;
}

void CanvasLayout::placeBands(
    const Rack& rack, const Metrics& metrics, int carriedHeight, int& typical)
{
    if (!rack.servers.empty())
        typical = std::max(1, rack.servers.front().height);
    const int slotUnits = carriedHeight > 0 ? carriedHeight : typical;
    int fullSlots = std::max(1, metrics.fullSlots - static_cast<int>(rack.servers.size()));
    double top = m_rackHeader > 0 ? m_rackHeader : m_rackPad;
    const auto add = [&](CanvasBand band, double height) {
        band.top = static_cast<float>(snap(top));
        band.height = static_cast<float>(snapUp(height));
        top = double(band.top) + double(band.height) + metrics.bandGap;
        m_bands.push_back(band);
    };
    const auto addFree = [&](int first, int last) {
        // At the levels of single cells a run of free units is one low band.
        while (metrics.fullSlots > 0 && fullSlots > 0 && last - first + 1 >= slotUnits) {
            CanvasBand slot { -1, first, first + slotUnits - 1, 0, 0, metrics.slotHeight <= 0 };
            add(slot, slot.compressed ? metrics.compressed : metrics.slotHeight);
            first += slotUnits;
            --fullSlots;
        }
        if (first <= last)
            add({ -1, first, last, 0, 0, true }, metrics.compressed);
    };
    int unit = 1;
    for (std::size_t i = 0; i < rack.servers.size(); ++i) {
        const Server& server = rack.servers[i];
        if (server.unit > unit)
            addFree(unit, server.unit - 1);
        const int gpuSlots = std::max(server.gpuSlots, server.gpuCount());
        const int lines = (gpuSlots + m_gpuColumns - 1) / m_gpuColumns;
        const double body = lines == 0
            ? metrics.emptyServer
            : lines * (m_gpu.height() + m_lineGap) - m_lineGap + m_bracket;
        add({ static_cast<std::int32_t>(i), server.unit, server.unit + server.height - 1, gpuSlots,
                server.gpuCount() },
            m_serverHeader + 2 * m_serverAir + body + (server.gpuCount() > 1 ? m_serverFooter : 0));
        unit = server.unit + server.height;
    }
    if (unit <= rack.units)
        addFree(unit, rack.units);
    m_bandsOf.push_back(static_cast<std::int32_t>(m_bands.size()));
}

void CanvasLayout::placeRows(const Input& input, const Metrics& metrics)
{
    const int racks = rackCount();
    const double pitch = m_rackWidth + m_rackGap;
    const auto heightOf = [&](int rack) {
        if (bandCount(rack) == 0)
            return m_rackHeader + 2 * m_rackPad + metrics.compressed;
        const CanvasBand& last = m_bands[std::size_t(m_bandsOf[std::size_t(rack) + 1]) - 1];
        return double(last.top) + double(last.height) + m_rackPad;
    };
    const double room = input.viewport.width() - 2 * m_margin - m_rowName + m_rackGap;
    int columns = std::max(1, static_cast<int>(room / pitch));
    // Many racks keep the form of the viewport at every zoom, so that zooming does not move them
    // among each other.
    constexpr int kFewRacks = 8;
    constexpr int kRound = 8; // what is regular in the plan then looks regular
    if (racks > kFewRacks && input.viewport.height() > 0) {
        const double rowPitch = heightOf(0) + m_rackGap + m_rowLabel;
        const auto fits = [&](int beside) {
            const int rows = (racks + beside - 1) / beside;
            return rows * rowPitch - m_rackGap + 2 * m_margin <= input.viewport.height();
        };
        if (fits(columns)) {
            if (const int round = columns - columns % kRound; round > 0 && fits(round))
                columns = round;
        } else {
            const double form = input.viewport.width() / input.viewport.height();
            columns = static_cast<int>(std::lround(std::sqrt(racks * form * rowPitch / pitch)));
            if (columns > 2 * kRound)
                columns -= columns % kRound;
        }
    }
    m_rackColumns = std::clamp(columns, 1, std::max(1, racks));

    const int rows = (racks + m_rackColumns - 1) / m_rackColumns;
    double top = m_margin + m_rowLabel;
    m_rowTop.clear();
    for (int row = 0; row < rows; ++row) {
        m_rowTop.push_back(snap(top));
        double height = 0;
        for (int column = 0; column < m_rackColumns; ++column)
            if (const int rack = rackAt(row, column); rack >= 0)
                height = std::max(height, heightOf(rack));
        top += height + m_rackGap + m_rowLabel;
    }
    m_rowTop.push_back(snap(top));
    m_size = { m_margin * 2 + m_rowName + m_rackColumns * pitch - m_rackGap,
        rows == 0 ? 0 : top - m_rackGap - m_rowLabel + m_margin };
}

QRectF CanvasLayout::rackRect(int rack) const
{
    const int row = rack / m_rackColumns;
    const int column = rack % m_rackColumns;
    const double top = m_rowTop[std::size_t(row)];
    return { snap(m_margin + m_rowName + column * (m_rackWidth + m_rackGap)), top, m_rackWidth,
        m_rowTop[std::size_t(row) + 1] - top - m_rackGap - m_rowLabel };
}

QRectF CanvasLayout::rackHeaderRect(int rack) const
{
    const QRectF rect = rackRect(rack);
    return { rect.left(), rect.top(), rect.width(), m_rackHeader };
}

QRectF CanvasLayout::railRect(int rack) const
{
    const QRectF rect = rackRect(rack);
    return { rect.left() + m_rackPad, rect.top() + m_rackHeader, std::max(0.0, m_rail - m_rackPad),
        rect.height() - m_rackHeader - m_rackPad };
}

int CanvasLayout::bandCount(int rack) const
{
    return m_bandsOf[std::size_t(rack) + 1] - m_bandsOf[std::size_t(rack)];
}

const CanvasBand& CanvasLayout::band(int rack, int band) const
{
    return m_bands[std::size_t(m_bandsOf[std::size_t(rack)] + band)];
}

QRectF CanvasLayout::bandRect(int rack, int bandIndex) const
{
    const QRectF frame = rackRect(rack);
    const CanvasBand& slice = band(rack, bandIndex);
    return { frame.left() + m_rackPad + m_rail, frame.top() + double(slice.top),
        frame.width() - 2 * m_rackPad - m_rail, double(slice.height) };
}

QRectF CanvasLayout::serverHeaderRect(int rack, int bandIndex) const
{
    const QRectF rect = bandRect(rack, bandIndex);
    return { rect.left(), rect.top(), rect.width(), m_serverHeader };
}

QRectF CanvasLayout::serverFooterRect(int rack, int bandIndex) const
{
    if (band(rack, bandIndex).gpus < 2)
        return {};
    const QRectF rect = bandRect(rack, bandIndex);
    const double height = m_serverFooter + m_serverAir;
    return { rect.left(), rect.bottom() - height, rect.width(), m_serverFooter > 0 ? height : 0 };
}

QRectF CanvasLayout::gpuRect(int rack, int bandIndex, int slot) const
{
    const QRectF rect = bandRect(rack, bandIndex);
    const int line = slot / m_gpuColumns;
    const int column = slot % m_gpuColumns;
    return { rect.left() + m_serverPad + column * (m_gpu.width() + m_gpuGap),
        rect.top() + m_serverHeader + m_serverAir + m_bracket + line * (m_gpu.height() + m_lineGap),
        m_gpu.width(), m_gpu.height() };
}

QRectF CanvasLayout::rankRect(int rack, int bandIndex, int slot) const
{
    QRectF rect = gpuRect(rack, bandIndex, slot);
    if (m_level == DetailLevel::Card)
        rect.setSize({ rect.width() * 0.5, rect.height() * 0.19 });
    else if (m_level == DetailLevel::Cell)
        rect.setSize({ rect.width() * 0.62, rect.height() * 0.36 });
    else
        return {};
    return rect;
}

QRectF CanvasLayout::groupLabelRect(int rack, int bandIndex, int slot) const
{
    if (m_bracket <= 0)
        return {};
    const QRectF gpu = gpuRect(rack, bandIndex, slot);
    return { gpu.left(), gpu.top() - m_bracket, gpu.width(), m_bracket };
}

int CanvasLayout::bandOfServer(int rack, int server) const
{
    for (int i = 0; i < bandCount(rack); ++i)
        if (band(rack, i).server == server)
            return i;
    return -1;
}

int CanvasLayout::rackAt(int row, int column) const
{
    const int rack = row * m_rackColumns + column;
    return row >= 0 && column >= 0 && column < m_rackColumns && rack < rackCount() ? rack : -1;
}

CanvasLayout::Span CanvasLayout::racksIn(const QRectF& rect) const
{
    const int rows = rackRows();
    if (rows == 0)
        return {};
    const auto rowAt = [&](double y) {
        const auto next = std::upper_bound(m_rowTop.begin(), m_rowTop.end(), y);
        return std::clamp(static_cast<int>(next - m_rowTop.begin()) - 1, 0, rows - 1);
    };
    const double pitch = m_rackWidth + m_rackGap;
    const auto columnAt = [&](double x) {
        return std::clamp(
            static_cast<int>(std::floor((x - m_margin - m_rowName) / pitch)), 0, m_rackColumns - 1);
    };
    return { rowAt(rect.top()), rowAt(rect.bottom()), columnAt(rect.left()),
        columnAt(rect.right()) };
}

CanvasHit CanvasLayout::hitTest(const QPointF& point) const
{
    // The label of a row of racks lies above the row.
    const QPointF below(point.x(), point.y() + m_rowLabel);
    const auto hitRack = [&](const QPointF& p) {
        const Span span = racksIn({ p, QSizeF(0, 0) });
        return span.lastRow < 0 ? -1 : rackAt(span.firstRow, span.firstColumn);
    };
    const int rack = hitRack(point);
    if (rack < 0 || !rackRect(rack).contains(point)) {
        const int labelled = m_rowLabel > 0 ? hitRack(below) : -1;
        const bool hit = labelled >= 0 && rackRect(labelled).contains(below)
            && !rackRect(labelled).contains(point);
        return hit ? CanvasHit { CanvasHit::Kind::RackLabel, labelled } : CanvasHit {};
    }
    const QRectF frame = rackRect(rack);
    const double y = point.y() - frame.top();
    const auto first = m_bands.begin() + m_bandsOf[std::size_t(rack)];
    const auto last = m_bands.begin() + m_bandsOf[std::size_t(rack) + 1];
    const auto next = std::upper_bound(
        first, last, y, [](double value, const CanvasBand& b) { return value < double(b.top); });
    const int bandIndex = static_cast<int>(next - first) - 1;
    if (bandIndex < 0 || !bandRect(rack, bandIndex).contains(point))
        return { CanvasHit::Kind::Rack, rack };
    if (!band(rack, bandIndex).isServer())
        return { CanvasHit::Kind::FreeSpace, rack, bandIndex };
    return hitServer(rack, bandIndex, point);
}

CanvasHit CanvasLayout::hitServer(int rack, int bandIndex, const QPointF& point) const
{
    if (m_serverHeader > 0 && serverHeaderRect(rack, bandIndex).contains(point))
        return { CanvasHit::Kind::ServerHeader, rack, bandIndex };
    const CanvasHit body { CanvasHit::Kind::ServerBody, rack, bandIndex };
    const QPointF inside = point - gpuRect(rack, bandIndex, 0).topLeft() + QPointF(0, m_bracket);
    const int column = static_cast<int>(std::floor(inside.x() / (m_gpu.width() + m_gpuGap)));
    const int line = static_cast<int>(std::floor(inside.y() / (m_gpu.height() + m_lineGap)));
    const int slot = line * m_gpuColumns + column;
    if (column < 0 || line < 0 || column >= m_gpuColumns || slot >= band(rack, bandIndex).gpuSlots)
        return body;
    if (gpuRect(rack, bandIndex, slot).contains(point)) {
        CanvasHit::Kind kind = CanvasHit::Kind::Gpu;
        if (slot >= band(rack, bandIndex).gpus)
            kind = CanvasHit::Kind::FreeSlot;
        else if (rankRect(rack, bandIndex, slot).contains(point))
            kind = CanvasHit::Kind::Rank;
        return { kind, rack, bandIndex, slot };
    }
    if (groupLabelRect(rack, bandIndex, slot).contains(point))
        return { CanvasHit::Kind::GroupLabel, rack, bandIndex, slot };
    return body;
}

bool CanvasLayout::sameGeometry(const CanvasLayout& other) const
{
    const auto same = [](const CanvasBand& a, const CanvasBand& b) {
        return a.server == b.server && a.gpuSlots == b.gpuSlots && a.top == b.top
            && a.height == b.height;
    };
    return m_level == other.m_level && m_size == other.m_size && m_gpu == other.m_gpu
        && m_rackColumns == other.m_rackColumns && m_rowTop == other.m_rowTop
        && m_bandsOf == other.m_bandsOf && m_rackWidth == other.m_rackWidth
        && std::equal(
            m_bands.begin(), m_bands.end(), other.m_bands.begin(), other.m_bands.end(), same);
}

} // namespace shardrack
