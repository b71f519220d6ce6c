#include "paint/timeline_areas.h"

#include "paint/hatch.h"
#include "paint/stacked_bar.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <cmath>

namespace shardrack {

namespace {

constexpr qreal kOpenEnd = 26; ///< height of what runs out above the stack

/// One layer of the stack: lower and upper edge of each cell.
struct Layer {
    std::vector<qreal> lower;
    std::vector<qreal> upper;
};

/// Fills a layer run by run: a run is where it has any height.
void fillLayer(QPainter& painter, const std::vector<TimelineCell>& cells, const Layer& layer,
    const QBrush& fill, const QBrush& hatch)
{
    painter.setPen(Qt::NoPen);
    for (std::size_t from = 0; from < cells.size();) {
        if (layer.lower[from] - layer.upper[from] < 0.01) {
            ++from;
            continue;
        }
        std::size_t to = from;
        QPolygonF outline;
        for (; to < cells.size() && layer.lower[to] - layer.upper[to] >= 0.01; ++to)
            outline << QPointF(cells[to].left, layer.upper[to])
                    << QPointF(cells[to].right, layer.upper[to]);
        for (std::size_t i = to; i-- > from;)
            outline << QPointF(cells[i].right, layer.lower[i])
                    << QPointF(cells[i].left, layer.lower[i]);
        if (fill.style() != Qt::NoBrush) {
            painter.setBrush(fill);
            painter.drawPolygon(outline);
        }
        if (hatch.style() != Qt::NoBrush) {
            painter.setBrush(hatch);
            painter.drawPolygon(outline);
        }
        from = to;
    }
}

/// The upper edges of a layer as one line of steps.
QPolygonF steps(const std::vector<TimelineCell>& cells, const std::vector<qreal>& edge)
{
    QPolygonF line;
    line.reserve(2 * static_cast<qsizetype>(cells.size()));
    for (std::size_t i = 0; i < cells.size(); ++i)
        line << QPointF(cells[i].left, edge[i]) << QPointF(cells[i].right, edge[i]);
    return line;
}

class AreaPainter {
public:
    AreaPainter(QPainter& painter, const TimelineInput& input,
        const std::vector<TimelineCell>& cells, const TimelineScale& scale, const PaintStyle& style)
        : m_painter(painter)
        , m_input(input)
        , m_cells(cells)
        , m_scale(scale)
        , m_style(style)
        , m_below(cells.size())
        , m_layer { std::vector<qreal>(cells.size(), scale.plot.bottom()),
            std::vector<qreal>(cells.size()) }
    {
    }
    void draw()
    {
        const RankTimeline& rank = *m_input.rank;
        for (const Category category : kCategories)
            if (category < Category::Slack)
                add(category, [&](std::size_t moment) {
                    return rank.timeline.moments[moment].held[index(category)];
                });
        const QPolygonF tensors = steps(m_cells, m_layer.lower);
        if (m_input.slack) {
            add(Category::Slack,
                [&](std::size_t moment) { return rank.reserved(moment) - rank.tensors(moment); });
            add(Category::Outside, [&](std::size_t) { return rank.outside; });
        }
        if (!rank.open.empty())
            addOpenEnd();
        m_painter.setPen(QPen(m_style.theme->text, 1, Qt::SolidLine, Qt::FlatCap));
        m_painter.drawPolyline(tensors);
        for (const auto& [category, room] : m_names)
            drawPadText(m_painter, room, categoryTitle(category), category, m_style);
    }

private:
    template <class BytesOf> void add(Category category, BytesOf&& bytesOf)
    {
        bool something = false;
        for (std::size_t i = 0; i < m_cells.size(); ++i) {
            const Bytes bytes = bytesOf(m_cells[i].moment);
            something = something || bytes > Bytes(0);
            m_below[i] += bytes;
            m_layer.upper[i] = m_style.snap(m_scale.y(m_below[i]));
        }
        if (!something)
            return;
        m_names.push_back({ category, widest(category) });
        const CategoryStyle& look = m_style.theme->style(category);
        fillLayer(m_painter, m_cells, m_layer, look.fill,
            hatchBrush(look.hatch, m_style.devicePixelRatio));
        // Neighbours of like lightness are told apart by a line between them.
        m_painter.setPen(QPen(mixed(look.fill, m_style.theme->text, 0.35), 0.8));
        if (category < Category::Slack)
            m_painter.drawPolyline(steps(m_cells, m_layer.upper));
        m_layer.lower = m_layer.upper;
    }
    /// Where the layer's name has most room above and below it; empty where it has none.
    QRectF widest(Category category) const
    {
        const QFont font = m_style.font(type::kSecondary, type::kSemibold);
        const qreal width = lineWidth(categoryTitle(category), font) + 16;
        const qreal height = QFontMetricsF(font).height() + 4;
        QRectF best;
        for (std::size_t from = 0; from < m_cells.size(); from += 4) {
            qreal top = m_layer.upper[from], bottom = m_layer.lower[from];
            std::size_t to = from;
            while (to + 1 < m_cells.size() && m_cells[to].right - m_cells[from].left < width
                && bottom - top > height) {
                ++to;
                top = std::max(top, m_layer.upper[to]);
                bottom = std::min(bottom, m_layer.lower[to]);
            }
            const QRectF room(
                m_cells[from].left, top, m_cells[to].right - m_cells[from].left, bottom - top);
            if (room.width() >= width && room.height() > height && room.height() > best.height())
                best = room;
        }
        return best;
    }
    void addOpenEnd()
    {
        for (std::size_t i = 0; i < m_cells.size(); ++i)
            m_layer.upper[i] = m_layer.lower[i] - kOpenEnd;
        fillLayer(m_painter, m_cells, m_layer, Qt::NoBrush,
            hatchBrush(m_style.theme->openHatch, m_style.devicePixelRatio));
        const std::size_t middle = m_cells.size() / 4;
        drawOpenMark(m_painter,
            QRectF(m_cells[middle].left - 13, m_layer.upper[middle], kOpenEnd, kOpenEnd), m_style);
    }

    QPainter& m_painter;
    const TimelineInput& m_input;
    const std::vector<TimelineCell>& m_cells;
    const TimelineScale& m_scale;
    const PaintStyle& m_style;
    std::vector<Bytes> m_below;
    Layer m_layer;
    std::vector<std::pair<Category, QRectF>> m_names;
};

} // namespace

MomentAxis::MomentAxis(const Timeline& timeline)
{
    // However few its events: every stretch can be seen, up to a third of the axis for all of them.
    const auto count = static_cast<double>(timeline.moments.size());
    const double least
        = count * std::min(0.035, 0.33 / static_cast<double>(timeline.stretches.size() + 1));
    const double skipped = count * 0.018;
    m_edges.reserve(timeline.moments.size() + 1);
    double edge = 0;
    for (const Timeline::Stretch& stretch : timeline.stretches) {
        const auto events = static_cast<double>(stretch.last - stretch.first + 1);
        const double each = std::max(1.0, least / events);
        for (std::size_t i = stretch.first; i <= stretch.last; ++i) {
            m_edges.push_back(edge);
            const bool isSkip = timeline.moments[i].kind == Timeline::Moment::Kind::Skipped;
            edge += isSkip ? std::max(each, skipped) : each;
        }
    }
    m_edges.push_back(edge);
}

std::size_t MomentAxis::at(double place) const
{
    if (m_edges.size() < 2)
        return 0;
    const auto after = std::upper_bound(m_edges.begin(), m_edges.end(), place);
    const auto index = std::max<std::ptrdiff_t>(0, after - m_edges.begin() - 1);
    return std::min(static_cast<std::size_t>(index), m_edges.size() - 2);
}

std::vector<TimelineCell> timelineCells(
    const Timeline& timeline, const MomentAxis& axis, const TimelineScale& scale)
{
    std::vector<TimelineCell> cells;
    if (timeline.empty())
        return cells;
    const std::size_t last = axis.at(scale.last);
    const auto add = [&](qreal left, qreal right, std::size_t moment) {
        cells.push_back({ left, right, moment });
    };
    constexpr qreal kColumn = 1;
    for (std::size_t moment = axis.at(scale.first); moment <= last; ++moment) {
        const qreal left = std::max(scale.x(axis.from(moment)), scale.plot.left());
        const qreal right = std::min(scale.x(axis.to(moment)), scale.plot.right());
        if (right <= left && !cells.empty())
            continue;
        // Moments that begin in the same pixel column share it; the largest one is drawn.
        const bool shares = !cells.empty()
            && std::floor(left / kColumn) == std::floor(cells.back().left / kColumn);
        if (!shares) {
            add(left, right, moment);
            continue;
        }
        cells.back().right = right;
        if (timeline.moments[moment].total > timeline.moments[cells.back().moment].total)
            cells.back().moment = moment;
    }
    return cells;
}

void drawTimelineAreas(QPainter& painter, const TimelineInput& input,
    const std::vector<TimelineCell>& cells, const TimelineScale& scale, const PaintStyle& style)
{
    if (!input.rank || cells.empty())
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    AreaPainter(painter, input, cells, scale, style).draw();
    painter.restore();
}

} // namespace shardrack
