#include "paint/comparison_bars.h"

#include "paint/icons.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <array>
#include <cmath>

namespace shardrack {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(ComparisonBars)
};

// Distances at the base font of 12 px.
constexpr qreal kHeader = 22;
constexpr qreal kRow = 50;
constexpr qreal kBar = 32;
constexpr qreal kTicks = 24;
constexpr qreal kAfterLabel = 14;
constexpr qreal kAfterBar = 10;
constexpr qreal kRight = 34; ///< half of the last tick's label
constexpr qreal kAroundLegend = 8;
constexpr qreal kMark = 4.5; ///< half the height of the diamond of a reading

constexpr std::array<double, 7> kRooms { 0, 0.08, 0.16, 0.24, 0.32, 0.4, 0.5 };

qreal scaled(qreal px, const PaintStyle& style) { return std::round(px * style.textScale); }

QFont headlineFont(const PaintStyle& style) { return style.font(type::kBase, type::kSemibold); }
QFont detailFont(const PaintStyle& style) { return style.font(type::kSecondary); }

qreal textWidth(const ComparisonBar& bar, const PaintStyle& style)
{
    return std::ceil(std::max(lineWidth(bar.headline, headlineFont(style)),
               lineWidth(bar.detail, detailFont(style))))
        + 2;
}

/// Where the words of a bar begin: behind its end, and not across the usable line.
qreal textStart(
    const ComparisonBar& bar, qreal width, const BarScale& scale, const PaintStyle& style)
{
    if (bar.bar.segments.empty())
        return scale.track().left() + kAfterBar;
    qreal end = scale.at(bar.bar.need());
    if (bar.bar.open())
        end = openTermRect(bar.bar.need(), scale).right();
    if (bar.measured)
        end = std::max(end, scale.at(*bar.measured) + kMark);
    qreal start = end + scaled(kAfterBar, style);
    if (bar.bar.usable) {
        const qreal line = scale.at(*bar.bar.usable);
        const qreal clear = scaled(kAfterBar, style);
        if (start < line + clear && start + width > line - clear / 2)
            start = line + clear;
    }
    return start;
}

/// Where a note stands that would cross the usable line below the other words: behind that line.
/// Empty: it stands below them.
QRectF asideOf(
    const ComparisonBar& bar, const QRectF& text, const BarScale& scale, const PaintStyle& style)
{
    if (bar.note.isEmpty() || !bar.bar.usable)
        return {};
    const qreal line = scale.at(*bar.bar.usable);
    if (text.left() > line || text.left() + lineWidth(bar.note, detailFont(style)) < line - 4)
        return {};
    QRectF aside = text;
    aside.setLeft(line + scaled(kAfterBar, style));
    return aside;
}

Bytes highestOf(const ComparisonBarsInput& input)
{
    Bytes highest;
    for (const ComparisonBar& bar : input.bars) {
        highest = std::max(highest, bar.bar.need());
        highest = std::max(highest, bar.bar.usable.value_or(Bytes(0)));
        highest = std::max(highest, bar.bar.installed.value_or(Bytes(0)));
        highest = std::max(highest, bar.measured.value_or(Bytes(0)));
    }
    return highest;
}

/// The usable allocation that all bars share; absent where they differ or none has one.
std::optional<Bytes> sharedUsable(const ComparisonBarsInput& input)
{
    std::optional<Bytes> shared;
    for (const ComparisonBar& bar : input.bars) {
        if (bar.bar.segments.empty())
            continue;
        if (!bar.bar.usable || (shared && *shared != *bar.bar.usable))
            return std::nullopt;
        shared = bar.bar.usable;
    }
    return shared;
}

/// The axis that leaves room for the words behind the bars, as little as is needed.
AxisScale axisOf(const ComparisonBarsInput& input, const QRectF& plot, const PaintStyle& style)
{
    AxisScale axis;
    for (const double room : kRooms) {
        axis = axisFor(highestOf(input), sharedUsable(input), room);
        const BarScale scale(plot, axis.full(), BarDirection::Right, style);
        const bool fits
            = std::all_of(input.bars.begin(), input.bars.end(), [&](const ComparisonBar& bar) {
                  const qreal width = textWidth(bar, style);
                  return textStart(bar, width, scale, style) + width <= plot.right() + kRight;
              });
        if (fits)
            break;
    }
    return axis;
}

std::vector<LegendEntry> legendOf(const ComparisonBarsInput& input)
{
    using Mark = LegendEntry::Mark;
    std::vector<LegendEntry> entries;
    const auto any
        = [&](auto&& is) { return std::any_of(input.bars.begin(), input.bars.end(), is); };
    for (const Category category : kCategories)
        if (any([&](const ComparisonBar& bar) {
                return std::any_of(bar.bar.segments.begin(), bar.bar.segments.end(),
                    [&](const BarSegment& segment) {
                        return segment.category == category && segment.bytes > Bytes(0);
                    });
            }))
            entries.push_back({ Mark::Category, category, categoryTitle(category) });
    if (any([](const ComparisonBar& bar) { return bar.bar.open(); }))
        entries.push_back({ Mark::Open, {}, Words::tr("Not established, open-ended") });
    if (any([](const ComparisonBar& bar) { return bar.bar.over(); }))
        entries.push_back({ Mark::Over, {}, Words::tr("Beyond usable") });
    if (any([](const ComparisonBar& bar) { return bar.measured.has_value(); }))
        entries.push_back({ Mark::Measured, {}, Words::tr("Highest measured peak") });
    if (any([](const ComparisonBar& bar) { return bar.average.has_value(); }))
        entries.push_back({ Mark::Average, {}, Words::tr("Average over devices") });
    return entries;
}

/// Lives for one paint call.
class ComparisonPainter {
public:
    ComparisonPainter(QPainter& painter, const ComparisonBarsInput& input,
        const ComparisonBarsLayout& layout, const PaintStyle& style)
        : m_painter(painter)
        , m_input(input)
        , m_layout(layout)
        , m_style(style)
        , m_theme(*style.theme)
        , m_scale(layout.plot, layout.axis.full(), BarDirection::Right, style)
    {
    }

    void paint()
    {
        m_painter.save();
        m_painter.setRenderHint(QPainter::Antialiasing);
        paintSelection();
        paintAxis();
        for (std::size_t i = 0; i < m_layout.rows.size(); ++i)
            paintBar(i);
        paintLimit(LimitLine::Installed);
        paintLimit(LimitLine::Margin);
        paintLimit(LimitLine::Usable);
        for (std::size_t i = 0; i < m_layout.rows.size(); ++i) {
            drawAboveLines(m_painter, bar(i).bar, scaleOf(i), m_style);
            paintMarks(i);
            paintLabel(i);
            paintText(i);
        }
        paintHeader();
        drawLegendRows(m_painter, m_layout.legend, m_layout.legendEntries, m_style);
        m_painter.restore();
    }

private:
    const ComparisonBar& bar(std::size_t i) const { return m_input.bars[i]; }
    BarScale scaleOf(std::size_t i) const
    {
        return BarScale(m_layout.rows[i].track, m_layout.axis.full(), BarDirection::Right, m_style);
    }

    void paintSelection();
    void paintAxis();
    void paintBar(std::size_t i);
    void paintMarks(std::size_t i);
    void paintLabel(std::size_t i);
    void paintText(std::size_t i);
    void paintHeader();
    void paintLimit(LimitLine line);
    QString usableLabel(Bytes usable) const;
    QString unconfirmed() const;
    std::optional<Bytes> shared(std::optional<Bytes> StackedBar::*figure) const;

    QPainter& m_painter;
    const ComparisonBarsInput& m_input;
    const ComparisonBarsLayout& m_layout;
    const PaintStyle& m_style;
    const Theme& m_theme;
    const BarScale m_scale;
};

void ComparisonPainter::paintSelection()
{
    if (m_style.onPaper() || m_input.selected < 0
        || m_input.selected >= static_cast<int>(m_layout.rows.size()))
        return;
    const QRectF row = m_layout.rows[static_cast<std::size_t>(m_input.selected)].rect;
    m_painter.fillRect(m_style.snap(row), m_theme.accentTint);
}

void ComparisonPainter::paintAxis()
{
    const QFont font = m_style.font(type::kAxis);
    const QRectF& plot = m_layout.plot;
    const qreal half = m_style.onPaper() ? 0 : 0.5 / m_style.devicePixelRatio;
    for (int tick = 0; tick <= m_layout.axis.steps; ++tick) {
        const qreal x = m_style.snap(plot.left() + plot.width() * tick / m_layout.axis.steps);
        m_painter.setPen(QPen(tick == 0 ? m_theme.line : m_theme.grid, 1));
        m_painter.drawLine(QLineF(x + half, plot.top(), x + half, plot.bottom()));
        QString label = m_layout.axis.label(tick);
        if (tick == m_layout.axis.steps)
            label = Words::tr("%1 GiB").arg(label);
        const QRectF place(x - 60, m_layout.ticks.top(), 120, m_layout.ticks.height());
        drawLine(m_painter, place, Qt::AlignCenter, label, font, m_theme.text2);
    }
}

void ComparisonPainter::paintBar(std::size_t i)
{
    if (bar(i).bar.segments.empty())
        return;
    StackedBarOptions options;
    options.labels = BarLabels::NamesAndNumbers;
    drawStackedBar(m_painter, bar(i).bar, scaleOf(i), m_style, options);
}

/// A diamond on the upper edge for what was read, a triangle below for the average.
void ComparisonPainter::paintMarks(std::size_t i)
{
    const BarScale scale = scaleOf(i);
    if (bar(i).measured)
        drawMeasuredMark(
            m_painter, QPointF(scale.at(*bar(i).measured), scale.track().top()), kMark, m_style);
    if (bar(i).average)
        drawAverageMark(m_painter, QPointF(scale.at(*bar(i).average), scale.track().bottom() + 1),
            kMark, m_style);
}

void ComparisonPainter::paintLabel(std::size_t i)
{
    const QRectF& rect = m_layout.rows[i].label;
    const QFont bold = m_style.font(type::kBase, type::kSemibold);
    const QFont plain = detailFont(m_style);
    const qreal first = QFontMetricsF(bold).height();
    const qreal second = QFontMetricsF(plain).height();
    const qreal top = rect.center().y() - (first + second) / 2;
    const qreal icon = bar(i).changedBasis ? scaled(14, m_style) : 0;
    const QRectF line(rect.left() + icon, top, rect.width() - icon, first);
    drawLine(m_painter, line, Qt::AlignRight | Qt::AlignVCenter, bar(i).name, bold, m_theme.text);
    if (icon > 0) {
        const qreal name = std::min(lineWidth(bar(i).name, bold), line.width());
        const QRectF place(line.right() - name - icon - 3, top, icon, first);
        drawIcon(m_painter, place, Icon::Changed, m_theme.flag);
    }
    drawLine(m_painter, QRectF(rect.left(), top + first, rect.width(), second),
        Qt::AlignRight | Qt::AlignVCenter, bar(i).device, plain, m_theme.text2);
}

void ComparisonPainter::paintText(std::size_t i)
{
    using Tone = ComparisonBar::Tone;
    const ComparisonBar& shown = bar(i);
    const QColor ink = shown.tone == Tone::Over ? m_theme.overText
        : shown.tone == Tone::Fit               ? m_theme.okText
        : shown.tone == Tone::Tight             ? m_theme.flag
                                                : m_theme.text;
    const QFont bold = headlineFont(m_style);
    const QFont plain = detailFont(m_style);
    const qreal first = QFontMetricsF(bold).height();
    const qreal other = QFontMetricsF(plain).height();
    const QRectF& aside = m_layout.rows[i].note;
    const int below
        = (shown.detail.isEmpty() ? 0 : 1) + (shown.note.isEmpty() || !aside.isEmpty() ? 0 : 1);
    const QRectF& rect = m_layout.rows[i].text;
    qreal y = rect.center().y() - (first + below * other) / 2;
    // Where a limit lies beyond the bar, it passes behind the words.
    const bool selected = !m_style.onPaper() && m_input.selected == static_cast<int>(i);
    const auto write = [&](const QString& text, const QFont& font, qreal height, QColor color) {
        if (text.isEmpty())
            return;
        if (!selected)
            m_painter.fillRect(QRectF(rect.left() - 1, y,
                                   std::min(rect.width(), lineWidth(text, font) + 2), height),
                m_theme.view);
        drawLine(m_painter, QRectF(rect.left(), y, rect.width(), height),
            Qt::AlignLeft | Qt::AlignVCenter, text, font, color);
        y += height;
    };
    write(shown.headline, bold, first, ink);
    write(shown.detail, plain, other, shown.tone == Tone::Over ? ink : m_theme.text2);
    if (aside.isEmpty())
        write(shown.note, plain, other, m_theme.text2);
    else
        drawLine(
            m_painter, aside, Qt::AlignLeft | Qt::AlignVCenter, shown.note, plain, m_theme.text2);
}

/// One line through the rows with the same value; it breaks where values differ.
void ComparisonPainter::paintLimit(LimitLine line)
{
    constexpr qreal kTogether = 3; // px between usable and installed that are drawn as one
    const auto place = [&](const StackedBar& shown) -> std::optional<qreal> {
        if (line == LimitLine::Installed) {
            const bool apart = shown.installed
                && (!shown.usable
                    || std::abs(m_scale.at(*shown.installed) - m_scale.at(*shown.usable))
                        >= kTogether);
            return apart ? std::optional<qreal>(m_scale.at(*shown.installed)) : std::nullopt;
        }
        if (!shown.usable || (line == LimitLine::Margin && !shown.margin))
            return std::nullopt;
        return m_scale.at(
            line == LimitLine::Margin ? *shown.usable - *shown.margin : *shown.usable);
    };
    QPolygonF points;
    const auto flush = [&] {
        if (!points.isEmpty())
            drawLimitLine(m_painter, points, line, m_style);
        points.clear();
    };
    for (std::size_t i = 0; i < m_layout.rows.size(); ++i) {
        const auto x = bar(i).bar.segments.empty() ? std::nullopt : place(bar(i).bar);
        const QRectF& row = m_layout.rows[i].rect;
        if (!x || (!points.isEmpty() && !qFuzzyCompare(points.back().x(), *x)))
            flush();
        if (!x)
            continue;
        if (points.isEmpty())
            points << QPointF(*x, i == 0 ? m_layout.plot.top() - 3 : row.top());
        points << QPointF(*x, row.bottom());
    }
    flush();
}

std::optional<Bytes> ComparisonPainter::shared(std::optional<Bytes> StackedBar::*figure) const
{
    std::optional<Bytes> value;
    for (const ComparisonBar& each : m_input.bars) {
        if (each.bar.segments.empty())
            continue;
        if (!(each.bar.*figure) || (value && *value != *(each.bar.*figure)))
            return std::nullopt;
        value = each.bar.*figure;
    }
    return value;
}

QString ComparisonPainter::usableLabel(Bytes usable) const
{
    QString text = Words::tr("usable %1").arg(gib(usable));
    if (const auto installed = shared(&StackedBar::installed))
        text += *installed == usable ? Words::tr(" = installed")
                                     : Words::tr(", installed %1").arg(gib(*installed));
    if (const auto margin = shared(&StackedBar::margin); margin && *margin > Bytes(0))
        text += Words::tr(", required margin %1 (dashed)").arg(gib(*margin));
    return text;
}

/// "not confirmed in Offer R, Offer S"; empty where all are confirmed.
QString ComparisonPainter::unconfirmed() const
{
    QStringList names;
    bool all = true;
    for (const ComparisonBar& each : m_input.bars) {
        if (each.bar.segments.empty() || !each.bar.usable)
            continue;
        if (each.bar.usableConfirmed)
            all = false;
        else
            names << each.name;
    }
    if (names.isEmpty())
        return {};
    return all ? Words::tr("not confirmed")
               : Words::tr("not confirmed in %1").arg(names.join(QStringLiteral(", ")));
}

void ComparisonPainter::paintHeader()
{
    const QFont bold = m_style.font(type::kAxis, type::kSemibold);
    const QFont plain = m_style.font(type::kAxis);
    const auto usable = shared(&StackedBar::usable);
    const QRectF& header = m_layout.header;
    const bool any = std::any_of(m_input.bars.begin(), m_input.bars.end(),
        [](const ComparisonBar& each) { return each.bar.usable.has_value(); });
    if (!any)
        return;
    const QString label = usable
        ? usableLabel(*usable)
        : Words::tr("usable allocations differ: each row has its own line");
    const QString doubt = unconfirmed();
    const qreal icon = doubt.isEmpty() ? 0 : scaled(12, m_style);
    const qreal gap = doubt.isEmpty() ? 0 : 10;
    const qreal first = std::ceil(lineWidth(label, bold));
    const qreal rest = doubt.isEmpty() ? 0 : gap + icon + 3 + std::ceil(lineWidth(doubt, plain));
    // Centred on the line where there is room on both sides.
    qreal x = usable ? m_scale.at(*usable) - first / 2 : header.left();
    x = std::clamp(x, header.left(), std::max(header.left(), header.right() - first - rest));
    drawLine(m_painter, QRectF(x, header.top(), first, header.height()),
        Qt::AlignLeft | Qt::AlignVCenter, label, bold, m_theme.text);
    if (doubt.isEmpty())
        return;
    x += first + gap;
    drawIcon(m_painter, QRectF(x, header.top(), icon, header.height()), Icon::NotEstablished,
        iconColor(Icon::NotEstablished, m_theme));
    x += icon + 3;
    drawLine(m_painter, QRectF(x, header.top(), header.right() - x, header.height()),
        Qt::AlignLeft | Qt::AlignVCenter, doubt, plain, m_theme.overText);
}

} // namespace

int ComparisonBarsLayout::barAt(const QPointF& point) const
{
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i].rect.contains(point))
            return static_cast<int>(i);
    return -1;
}

qreal comparisonBarsHeight(
    const ComparisonBarsInput& input, qreal width, const PaintStyle& style, qreal)
{
    qreal height = scaled(kHeader, style) + scaled(kTicks, style)
        + scaled(kRow, style) * static_cast<qreal>(input.bars.size());
    if (input.legend)
        height += legendRowsHeight(legendOf(input), width - 2 * kAfterLabel, style)
            + 2 * kAroundLegend;
    return height;
}

ComparisonBarsLayout layoutComparisonBars(
    const ComparisonBarsInput& input, const QRectF& area, const PaintStyle& style, qreal labelWidth)
{
    ComparisonBarsLayout layout;
    layout.area = area;
    const qreal row = scaled(kRow, style);
    const qreal header = scaled(kHeader, style);
    const qreal left = area.left() + labelWidth + kAfterLabel;
    const auto rows = static_cast<qreal>(input.bars.size());
    layout.plot = QRectF(
        left, area.top() + header, std::max(40.0, area.right() - kRight - left), row * rows);
    layout.header = QRectF(left, area.top(), area.right() - left - 4, header);
    layout.ticks = QRectF(left, layout.plot.bottom(), layout.plot.width(), scaled(kTicks, style));
    layout.axis = axisOf(input, layout.plot, style);
    const BarScale scale(layout.plot, layout.axis.full(), BarDirection::Right, style);
    for (std::size_t i = 0; i < input.bars.size(); ++i) {
        ComparisonBarsLayout::Row place;
        const qreal top = layout.plot.top() + row * static_cast<qreal>(i);
        place.rect = QRectF(area.left(), top, area.width(), row);
        place.label = QRectF(area.left() + 4, top, labelWidth - 4, row);
        const qreal bar = scaled(kBar, style);
        place.track = QRectF(left, top + (row - bar) / 2, layout.plot.width(), bar);
        const qreal start = textStart(input.bars[i], textWidth(input.bars[i], style), scale, style);
        place.text = QRectF(start, top, std::max(0.0, area.right() - 4 - start), row);
        place.note = asideOf(input.bars[i], place.text, scale, style);
        layout.rows.push_back(place);
    }
    if (input.legend) {
        layout.legendEntries = legendOf(input);
        const qreal width = area.width() - 2 * kAfterLabel;
        layout.legend = QRectF(area.left() + kAfterLabel, layout.ticks.bottom() + kAroundLegend,
            width, legendRowsHeight(layout.legendEntries, width, style));
    }
    return layout;
}

void paintComparisonBars(QPainter& painter, const ComparisonBarsInput& input,
    const ComparisonBarsLayout& layout, const PaintStyle& style)
{
    ComparisonPainter(painter, input, layout, style).paint();
}

} // namespace shardrack
