#include "paint/memory_bars.h"

#include "paint/hatch.h"
#include "paint/memory_columns.h"
#include "paint/side_labels.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace shardrack {

namespace {

constexpr qreal kWordGap = 8; ///< between the words of neighbouring bars

struct Words {
    Q_DECLARE_TR_FUNCTIONS(MemoryBars)
};

/// Everything but the stacks of pixel columns; lives for one paint call.
class BarsPainter {
public:
    BarsPainter(QPainter& painter, const MemoryBarsInput& input, const MemoryBarsLayout& layout,
        const PaintStyle& style)
        : m_painter(painter)
        , m_input(input)
        , m_layout(layout)
        , m_style(style)
        , m_theme(*style.theme)
        , m_scale(layout.plot, layout.axis.full(), BarDirection::Up, style)
    {
    }

    void paint()
    {
        m_painter.save();
        m_painter.setRenderHint(QPainter::Antialiasing);
        paintSelection();
        paintAxis();
        if (m_layout.mode == BarsMode::Empty)
            drawLine(m_painter, m_layout.plot, Qt::AlignCenter, Words::tr("No GPU is placed yet"),
                m_style.font(type::kBase), m_theme.text2);
        else if (m_layout.mode == BarsMode::Columns)
            paintColumns(m_painter, m_input, m_layout, m_style);
        else
            paintBars();
        paintHover();
        paintLimits();
        paintAboveLines();
        paintBaseline();
        if (m_layout.mode == BarsMode::Wide)
            paintSums();
        if (m_layout.mode == BarsMode::Columns)
            paintColumnLabels();
        else
            paintBarLabels();
        paintHeader();
        drawSideLabels(m_painter, m_layout.sideLabels, m_style);
        if (m_layout.legendAtRight)
            drawLegendList(m_painter, m_layout.legend, m_layout.legendEntries, m_style);
        else
            drawLegendRows(m_painter, m_layout.legend, m_layout.legendEntries, m_style);
        m_painter.restore();
    }

private:
    void paintAxis();
    void paintBaseline();
    void paintSelection();
    void paintHover();
    void paintBars();
    void paintNew(const QRectF& bar, const QRectF& slot);
    void paintSums();
    void paintLimits();
    void paintAboveLines();
    void paintLimit(LimitLine line);
    void paintBarLabels();
    void paintColumnLabels();
    void paintHeader();
    void paintBracket(const BarBracket& bracket);
    void paintHaloText(
        const QRectF& rect, const QString& text, const QFont& font, const QColor& color);

    int barOfSlot(int slot) const
    {
        return m_layout.mode == BarsMode::Columns
            ? m_layout.columns[static_cast<std::size_t>(slot)].most
            : slot;
    }
    int slotCount() const
    {
        return m_layout.mode == BarsMode::Columns ? static_cast<int>(m_layout.columns.size())
                                                  : m_layout.count;
    }
    bool slotSelected(int slot) const
    {
        return m_layout.mode == BarsMode::Columns
            ? m_layout.columns[static_cast<std::size_t>(slot)].selected
            : m_input.isSelected(slot);
    }
    QRectF sharpTrack(int bar) const { return m_style.snap(m_layout.trackRect(bar)); }
    qreal halfPixel() const { return m_style.onPaper() ? 0 : 0.5 / m_style.devicePixelRatio; }

    QPainter& m_painter;
    const MemoryBarsInput& m_input;
    const MemoryBarsLayout& m_layout;
    const PaintStyle& m_style;
    const Theme& m_theme;
    BarScale m_scale;
};

void BarsPainter::paintAxis()
{
    const QFont font = m_style.font(type::kAxis);
    const QRectF& plot = m_layout.plot;
    const qreal row = QFontMetricsF(font).height();
    const qreal right = plot.left() - 6;
    for (int tick = 0; tick <= m_layout.axis.steps; ++tick) {
        const qreal y = m_style.snap(plot.bottom() - plot.height() * tick / m_layout.axis.steps);
        if (tick > 0) {
            m_painter.setPen(QPen(m_theme.grid, 1));
            m_painter.drawLine(QLineF(plot.left(), y + halfPixel(), plot.right(), y + halfPixel()));
        }
        drawLine(m_painter,
            QRectF(m_layout.area.left(), y - row / 2, right - m_layout.area.left(), row),
            Qt::AlignRight | Qt::AlignVCenter, m_layout.axis.label(tick), font, m_theme.text2);
    }
    drawLine(m_painter,
        QRectF(m_layout.area.left(), plot.top() - row * 1.5, right - m_layout.area.left(), row),
        Qt::AlignRight | Qt::AlignVCenter, Words::tr("GiB"), font, m_theme.text2);
}

void BarsPainter::paintBaseline()
{
    const QRectF& plot = m_layout.plot;
    m_painter.setPen(QPen(m_theme.line, 1));
    m_painter.drawLine(QLineF(
        plot.left(), plot.bottom() + halfPixel(), plot.right(), plot.bottom() + halfPixel()));
}

void BarsPainter::paintSelection()
{
    constexpr qreal kAbove = 6, kBeside = 6, kMark = 3;
    m_painter.setPen(Qt::NoPen);
    for (int slot = 0; slot < slotCount();) {
        if (!slotSelected(slot)) {
            ++slot;
            continue;
        }
        int end = slot + 1;
        while (end < slotCount() && slotSelected(end))
            ++end;
        QRectF band = m_layout.slotRect(slot).united(m_layout.slotRect(end - 1));
        if (m_layout.mode == BarsMode::Wide) { // their slots are much wider than the bars
            band.setLeft(m_layout.trackRect(slot).left() - kBeside);
            band.setRight(m_layout.trackRect(end - 1).right() + kBeside);
        }
        band.setTop(band.top() - kAbove);
        band.setBottom(m_layout.labels.bottom());
        band = m_style.snap(band);
        m_painter.setBrush(m_theme.accentTint);
        m_painter.drawRoundedRect(band, metrics::kFieldRadius, metrics::kFieldRadius);
        if (m_layout.mode == BarsMode::Columns) { // the stacks cover the band: mark its foot too
            const qreal width = std::max(band.width(), 2.0);
            m_painter.fillRect(
                QRectF(band.left(), m_layout.plot.bottom() + 1, width, kMark), m_theme.accent);
        }
        slot = end;
    }
}

void BarsPainter::paintHover()
{
    if (m_input.hovered < 0 || m_input.hovered >= m_layout.count)
        return;
    const QRectF track = sharpTrack(m_input.hovered);
    const StackedBar& bar = m_input.bar(m_input.hovered);
    QRectF outline = track;
    outline.setTop(m_scale.at(bar.idle ? bar.usable.value_or(Bytes(0)) : bar.need()));
    m_painter.setPen(QPen(m_theme.accent, 1));
    m_painter.setBrush(Qt::NoBrush);
    m_painter.drawRect(outline.adjusted(-1.5, -1.5, 1.5, 0.5));
}

void BarsPainter::paintBars()
{
    StackedBarOptions options;
    options.labels = m_layout.mode == BarsMode::Wide ? BarLabels::Numbers : BarLabels::None;
    for (int i = 0; i < m_layout.count; ++i) {
        const QRectF track = sharpTrack(i);
        const BarScale scale(track, m_layout.axis.full(), BarDirection::Up, m_style);
        const StackedBar& bar = m_input.bar(i);
        options.before = m_input.barBefore(i);
        drawStackedBar(m_painter, bar, scale, m_style, options);
        if (m_input.isNew(i))
            paintNew(scale.between(Bytes(0), bar.idle ? bar.usable.value_or(Bytes(0)) : bar.need()),
                m_layout.barSlot(i));
    }
}

/// A dashed outline around a bar that is new, inside its slot.
void BarsPainter::paintNew(const QRectF& bar, const QRectF& slot)
{
    const qreal air = std::clamp((slot.width() - bar.width()) / 2 - 1, 0.0, 3.0);
    const QRectF outline = m_style.snap(bar.adjusted(-air, -3, air, 0));
    QPen pen(m_theme.accent, 1.2, Qt::CustomDashLine, Qt::FlatCap, Qt::MiterJoin);
    pen.setDashPattern({ 3, 2 });
    m_painter.setPen(pen);
    m_painter.setBrush(Qt::NoBrush);
    m_painter.drawRect(outline.adjusted(0.5, 0.5, -0.5, -0.5));
}

/// "+8.00, at least" beside a bar over capacity, or the sum above one of several parts.
void BarsPainter::paintSums()
{
    const QFont bold = m_style.font(type::kSecondary, type::kSemibold);
    const QFont plain = m_style.font(type::kAxis);
    const qreal row = std::ceil(QFontMetricsF(bold).height());
    for (int i = 0; i < m_layout.count; ++i) {
        const StackedBar& bar = m_input.bar(i);
        const QRectF track = sharpTrack(i), slot = m_layout.barSlot(i);
        if (bar.idle) {
            const QString words = Words::tr("no rank yet");
            paintHaloText(QRectF(slot.left(), m_layout.plot.bottom() - row - 4, slot.width(), row),
                lineWidth(words, plain) + kWordGap <= slot.width() ? words : Words::tr("idle"),
                plain, m_theme.text2);
            continue;
        }
        const qreal top = m_scale.at(bar.need());
        qreal above = bar.open() ? openTermRect(bar.need(), m_scale).top() : top;
        if (const StackedBar* before = m_input.barBefore(i))
            above = std::min(above, m_scale.at(before->need()));
        const auto parts = std::count_if(bar.segments.begin(), bar.segments.end(),
            [](const BarSegment& segment) { return segment.bytes > Bytes(0); });
        if (parts > 1)
            paintHaloText(QRectF(slot.left(), above - row - 1, slot.width(), row),
                bar.open() ? QStringLiteral("≥ ") + gib(bar.need()) : gib(bar.need()), bold,
                bar.over() ? m_theme.overText : m_theme.text);
        if (!bar.over())
            continue;
        const QString excess = QLatin1Char('+') + gib(bar.need() - *bar.usable);
        const QString bound = bar.open() ? Words::tr("at least") : QString();
        const qreal gap = slot.width() - track.width() - 8;
        if (std::max(lineWidth(excess, bold), lineWidth(bound, plain)) > gap)
            continue;
        // Below the bar's top, or above the line of what is usable where there is no room between.
        const qreal lines = bound.isEmpty() ? row : 2 * row - 1;
        const qreal line = m_scale.at(*bar.usable);
        const bool between = top + 3 + lines <= line - 1;
        const QRectF text(track.right() + 7, between ? top + 3 : line - 2 - lines, gap, row);
        drawLine(m_painter, text, Qt::AlignLeft | Qt::AlignVCenter, excess, bold, m_theme.overText);
        drawLine(m_painter, text.translated(0, row - 1), Qt::AlignLeft | Qt::AlignVCenter, bound,
            plain, m_theme.overText);
    }
}

void BarsPainter::paintAboveLines()
{
    if (m_layout.mode == BarsMode::Columns)
        return paintColumnsAboveLines(m_painter, m_input, m_layout, m_style);
    for (int i = 0; i < m_layout.count; ++i) {
        const BarScale scale(sharpTrack(i), m_layout.axis.full(), BarDirection::Up, m_style);
        drawAboveLines(m_painter, m_input.bar(i), scale, m_style);
        drawMeasured(m_painter, m_input.bar(i), scale, m_style);
    }
}

void BarsPainter::paintLimits()
{
    paintLimit(LimitLine::Installed);
    paintLimit(LimitLine::Margin);
    paintLimit(LimitLine::Usable);
}

/// One line through all bars: it steps where devices differ and breaks where there is no value.
void BarsPainter::paintLimit(LimitLine line)
{
    constexpr qreal kTogether = 3; // px between usable and installed that are drawn as one
    constexpr qreal kReach = 5; // beyond the plot, to the label
    const auto height = [&](const StackedBar& bar) -> std::optional<qreal> {
        if (line == LimitLine::Installed) {
            if (!bar.installed
                || (bar.usable
                    && std::abs(m_scale.at(*bar.installed) - m_scale.at(*bar.usable)) < kTogether))
                return std::nullopt;
            return m_scale.at(*bar.installed);
        }
        if (!bar.usable || (line == LimitLine::Margin && !bar.margin))
            return std::nullopt;
        return m_scale.at(line == LimitLine::Margin ? *bar.usable - *bar.margin : *bar.usable);
    };
    QPolygonF points;
    const auto flush = [&] {
        if (!points.isEmpty())
            drawLimitLine(m_painter, points, line, m_style);
        points.clear();
    };
    constexpr qsizetype kMostPoints = 64; // a stroke's cost grows with the square of its steps
    const int slots_ = slotCount();
    for (int slot = 0; slot < slots_; ++slot) {
        const std::optional<qreal> y = height(m_input.bar(barOfSlot(slot)));
        if (!y) {
            flush();
            continue;
        }
        const QRectF rect = m_layout.slotRect(slot);
        const qreal right = m_style.snap(rect.right()) + (slot + 1 == slots_ ? kReach : 0);
        if (!points.isEmpty() && qFuzzyCompare(points.back().y(), *y))
            points.back().setX(right);
        else {
            if (points.size() > kMostPoints) {
                const QPointF end = points.back();
                flush();
                points << end;
            }
            points << QPointF(m_style.snap(rect.left()), *y) << QPointF(right, *y);
        }
    }
    flush();
}

void BarsPainter::paintBarLabels()
{
    if (!m_input.label || m_layout.count == 0)
        return;
    const bool wide = m_layout.mode == BarsMode::Wide;
    const qreal px = wide ? type::kBase : type::kSecondary;
    const QFont plain = m_style.font(px), bold = m_style.font(px, type::kBold);
    const QFont small = m_style.font(type::kAxis);
    const qreal row = std::ceil(QFontMetricsF(plain).height());
    const qreal pitch = m_layout.plot.width() / m_layout.count;
    // The last label stands for the longest: numbers grow.
    const qreal widest = lineWidth(m_input.label(m_layout.count - 1), bold) + 4;
    const int every = wide ? 1 : std::max(1, static_cast<int>(std::ceil(widest / pitch)));
    const auto draw = [&](int i) {
        QRectF rect = m_layout.barSlot(i);
        rect = QRectF(rect.left(), m_layout.labels.top() + 2, rect.width(), row);
        if (const qreal more = widest - rect.width(); !wide && more > 0) // wider than its bar
            rect.adjust(-more / 2, 0, more / 2, 0);
        const bool selected = m_input.isSelected(i);
        drawLine(m_painter, rect, Qt::AlignCenter, m_input.label(i), selected ? bold : plain,
            selected ? m_theme.link : m_theme.text);
        if (wide && m_input.subLabel)
            drawLine(m_painter, rect.translated(0, row - 1), Qt::AlignCenter, m_input.subLabel(i),
                small, m_theme.text2);
    };
    // Where not all have room, the first selected bar has its label and its neighbours give way.
    int kept = -1;
    for (int i = 0; every > 1 && i < m_layout.count && kept < 0; ++i)
        kept = m_input.isSelected(i) ? i : -1;
    for (int i = 0; i < m_layout.count; i += every)
        if (kept < 0 || std::abs(i - kept) >= every)
            draw(i);
    if (kept >= 0)
        draw(kept);
}

/// Counts of bars along the axis, at round numbers, and what the order is.
void BarsPainter::paintColumnLabels()
{
    const QFont font = m_style.font(type::kAxis);
    const qreal row = std::ceil(QFontMetricsF(font).height());
    const QRectF& plot = m_layout.plot;
    const qreal y = m_layout.labels.top() + 4;
    const qreal widest = lineWidth(groupedNumber(m_layout.count), font);
    int step = 1;
    while (step * 4 < m_layout.count)
        step *= 2;
    const qreal unit = plot.width() / m_layout.count;
    // What the bars are ordered by stands whole: a number in its way gives way.
    const qreal captionLeft = plot.left() + 20;
    const qreal captionEnd = captionLeft + lineWidth(m_input.order, font) + 8;
    qreal captionRoom = plot.right();
    const auto label = [&](int at, int alignment) {
        const qreal x = plot.left() + unit * at;
        m_painter.setPen(QPen(m_theme.line, 1));
        m_painter.drawLine(QLineF(x, plot.bottom(), x, plot.bottom() + 4));
        const qreal left = alignment == Qt::AlignLeft ? x
            : alignment == Qt::AlignRight             ? x - widest
                                                      : x - widest / 2;
        drawLine(m_painter, QRectF(left, y, widest, row), alignment | Qt::AlignVCenter,
            groupedNumber(at), font, m_theme.text2);
        if (at > 0)
            captionRoom = std::min(captionRoom, left);
    };
    label(0, Qt::AlignLeft);
    for (int at = step; at < m_layout.count; at += step)
        if (unit * (m_layout.count - at) > widest * 1.7
            && plot.left() + unit * at - widest / 2 >= captionEnd)
            label(at, Qt::AlignHCenter);
    label(m_layout.count, Qt::AlignRight);
    drawLine(m_painter, QRectF(captionLeft, y, captionRoom - captionLeft - 8, row),
        Qt::AlignLeft | Qt::AlignVCenter, m_input.order, font, m_theme.text2);
}

void BarsPainter::paintHeader()
{
    if (m_layout.mode == BarsMode::Empty)
        return;
    if (m_input.brackets.empty() && m_layout.mode == BarsMode::Columns)
        paintOverBrackets(m_painter, m_input, m_layout, m_style);
    for (const BarBracket& bracket : m_input.brackets)
        paintBracket(bracket);
}

void BarsPainter::paintBracket(const BarBracket& bracket)
{
    using Tone = BarBracket::Tone;
    const auto tone = [&](const QColor& better, const QColor& worse, const QColor& fresh,
                          const QColor& neutral) {
        return bracket.tone == Tone::Better ? better
            : bracket.tone == Tone::Worse   ? worse
            : bracket.tone == Tone::New     ? fresh
                                            : neutral;
    };
    const QColor line = tone(m_theme.ok, m_theme.over, m_theme.accent, m_theme.open);
    const QColor ink = tone(m_theme.okText, m_theme.overText, m_theme.link, m_theme.openText);
    const QColor ground
        = tone(m_theme.okTint, m_theme.overTint, m_theme.accentTint, m_theme.openTint);
    const QRectF span = m_layout.barSlot(bracket.first).united(m_layout.barSlot(bracket.last));
    constexpr qreal kInset = 2, kFoot = 5, kChip = 18;
    const qreal y = m_style.snap(m_layout.header.top() + kChip / 2) + halfPixel();
    const qreal left = m_style.snap(span.left() + kInset) + halfPixel();
    const qreal right = m_style.snap(span.right() - kInset) + halfPixel();
    m_painter.setPen(QPen(line, 1.2, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
    m_painter.setBrush(Qt::NoBrush);
    m_painter.drawPolyline(
        QPolygonF({ { left, y + kFoot }, { left, y }, { right, y }, { right, y + kFoot } }));
    const QFont font = m_style.font(type::kSecondary, type::kSemibold);
    const qreal width = std::min(lineWidth(bracket.text, font) + 20, m_layout.plot.width());
    QRectF chip(0, 0, width, kChip);
    chip.moveCenter(QPointF((left + right) / 2, y));
    chip.moveLeft(std::clamp(chip.left(), m_layout.plot.left(),
        std::max(m_layout.plot.left(), m_layout.plot.right() - width)));
    m_painter.setPen(QPen(m_theme.view, 3)); // the bracket stops short of its chip
    m_painter.setBrush(ground);
    m_painter.drawRoundedRect(chip, metrics::kChipRadius, metrics::kChipRadius);
    drawLine(m_painter, chip.adjusted(6, 0, -6, 0), Qt::AlignCenter, bracket.text, font, ink);
}

/// Text over lines: they pass behind it, a little apart from the letters.
void BarsPainter::paintHaloText(
    const QRectF& rect, const QString& text, const QFont& font, const QColor& color)
{
    const QFontMetricsF metrics(font);
    QPainterPath letters;
    letters.addText(rect.center().x() - metrics.horizontalAdvance(text) / 2,
        rect.center().y() + (metrics.ascent() - metrics.descent()) / 2, font, text);
    m_painter.strokePath(
        letters, QPen(m_theme.view, 3, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    m_painter.fillPath(letters, color);
}

} // namespace

void paintMemoryBars(QPainter& painter, const MemoryBarsInput& input,
    const MemoryBarsLayout& layout, const PaintStyle& style)
{
    BarsPainter(painter, input, layout, style).paint();
}

} // namespace shardrack
