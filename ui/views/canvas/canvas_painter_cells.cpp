// The levels at which a GPU, or a server, is a cell of one colour.

#include "canvas/canvas_painter.h"

#include "paint/hatch.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace shardrack {

namespace {

struct CanvasText {
    Q_DECLARE_TR_FUNCTIONS(shardrack::CanvasText)
};

constexpr qreal kOutline = 2; // around a rack that holds GPUs over capacity

QColor cellColor(const GpuLook& look, const Theme& theme)
{
    if (look.idle)
        return mixed(theme.rack, theme.cell, 0.6);
    if (look.over())
        return theme.over;
    return look.unknown() ? theme.openTint : theme.rampColor(look.level);
}

/// A need of which nothing is known is hatched as an open term is: no fill stands for it.
void fillCell(QPainter& painter, const QRectF& rect, const GpuLook* look, const PaintStyle& style)
{
    const Theme& theme = *style.theme;
    painter.fillRect(rect, cellColor(look ? *look : GpuLook {}, theme));
    if (look && look->unknown() && !look->over())
        fillHatch(painter, rect, theme.openHatch, style);
}

void paintBadge(QPainter& painter, const QRectF& room, int count, const PaintStyle& style)
{
    const QString text = groupedNumber(count);
    const QFont font = style.font(type::kAxis - 1.5, type::kBold);
    const QSizeF size(lineWidth(text, font) + 6, font.pixelSize() * 1.25);
    if (size.width() > room.width() || size.height() > room.height() * 0.6)
        return;
    const QRectF rect(room.bottomRight() - QPointF(size.width(), size.height()), size);
    painter.setPen(QPen(style.theme->over, 1));
    painter.setBrush(style.theme->view);
    painter.drawRoundedRect(rect.adjusted(.5, .5, -.5, -.5), 2.5, 2.5);
    drawLine(painter, rect, Qt::AlignCenter, text, font, style.theme->overText);
}

} // namespace

void CanvasPainter::paintRackLabels(int row, int firstColumn, int lastColumn)
{
    const int racks = m_layout.rackCount();
    const int columns = std::min(racks - row * m_layout.rackColumns(), m_layout.rackColumns());
    const QFont font = m_style.font(type::kAxis);
    const QRectF first = m_layout.rackRect(m_layout.rackAt(row, 0));
    const QString name = row < 26 ? QString(QChar(u'A' + row)) : QString::number(row + 1);
    drawLine(m_painter, { 4, first.top(), first.left() - 8, first.height() },
        Qt::AlignRight | Qt::AlignVCenter, name, font, m_theme.text2);

    // One bracket over neighbours whose GPUs are all of one class.
    for (int column = 0; column < columns;) {
        const int rack = m_layout.rackAt(row, column);
        const int shared = m_scene.classOfRack(rack);
        int last = column;
        while (shared >= 0 && last + 1 < columns
            && m_scene.classOfRack(m_layout.rackAt(row, last + 1)) == shared)
            ++last;
        if (shared >= 0 && column <= lastColumn && last >= firstColumn) {
            const int lastRack = m_layout.rackAt(row, last);
            const GpuLook& look = m_scene.look(m_scene.firstGpu(rack));
            const int gpus = m_scene.firstGpu(lastRack + 1) - m_scene.firstGpu(rack);
            QString text = look.idle ? CanvasText::tr("no rank yet")
                : look.unknown()     ? CanvasText::tr("need not established")
                : look.atLeast       ? CanvasText::tr("need at least %1").arg(gib(look.need, 1))
                                     : CanvasText::tr("need %1").arg(gib(look.need, 1));
            if (look.over())
                text += QStringLiteral(" · ")
                    + CanvasText::tr("all %1 over").arg(groupedNumber(gpus));
            const QFont labelFont = look.over() ? m_style.font(type::kAxis, type::kSemibold) : font;
            const QColor color = look.over() ? m_theme.overText : m_theme.text2;
            const QRectF span = m_layout.rackRect(rack).united(m_layout.rackRect(lastRack));
            const qreal height = m_layout.rowLabelHeight();
            const qreal y = m_style.snap(span.top() - height / 2) + 0.5;
            m_painter.setPen(QPen(color, 1));
            m_painter.drawPolyline(
                QPolygonF { { span.left() + 0.5, span.top() - 3 }, { span.left() + 0.5, y },
                    { span.right() - 0.5, y }, { span.right() - 0.5, span.top() - 3 } });
            const qreal width = lineWidth(text, labelFont) + 10;
            if (width + 16 < span.width()) {
                const QRectF ground(span.left() + 10, span.top() - height, width, height - 1);
                m_painter.fillRect(ground, m_theme.canvas);
                drawLine(m_painter, ground, Qt::AlignCenter, text, labelFont, color);
            }
        }
        column = last + 1;
    }
}

void CanvasPainter::paintRackImage(int rack)
{
    const qreal ratio = m_style.devicePixelRatio;
    const QRectF frame = m_layout.rackRect(rack);
    const auto mix = [](quint64 a, quint64 b) { return (a ^ b) * 1099511628211ull; };
    quint64 stamp = mix(quint64(m_layout.level()), quint64(m_theme.isDark));
    for (const qreal length :
        { m_layout.gpuSize().width(), m_layout.gpuSize().height(), ratio, m_style.textScale })
        stamp = mix(stamp, quint64(std::llround(length * 4096)));
    constexpr int kMostImages = 8192;
    if (m_images.stamp != stamp || m_images.images.size() > kMostImages) {
        m_images.images.clear();
        m_images.stamp = stamp;
    }
    // Rows differ in height where racks do, and the frame is part of the picture.
    const quint64 key
        = mix(m_scene.rackKey(rack), quint64(std::llround(frame.height() * ratio)) + 1);
    auto image = m_images.images.find(key);
    if (image == m_images.images.end())
        image = m_images.images.insert(key, rackImage(rack));
    m_painter.drawImage(frame.topLeft() - QPointF(kOutline, kOutline), *image);
}

QImage CanvasPainter::rackImage(int rack) const
{
    const qreal ratio = m_style.devicePixelRatio;
    const QRectF frame = m_layout.rackRect(rack);
    const QSizeF size = frame.size() + QSizeF(2 * kOutline, 2 * kOutline);
    QImage image((size * ratio).toSize(), QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(ratio);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.translate(QPointF(kOutline, kOutline) - frame.topLeft());
    const int over = m_scene.overInRack(rack);
    if (over > 0)
        painter.fillRect(frame.adjusted(-kOutline, -kOutline, kOutline, kOutline), m_theme.over);
    painter.fillRect(frame, m_theme.rackLine);
    const qreal pixel = 1 / ratio;
    if (frame.width() > 8 * pixel)
        painter.fillRect(frame.adjusted(pixel, pixel, -pixel, -pixel), m_theme.rack);
    for (int b = 0; b < m_layout.bandCount(rack); ++b) {
        const CanvasBand& band = m_layout.band(rack, b);
        if (!band.isServer())
            continue;
        if (m_layout.level() == DetailLevel::ServerCell) {
            // The GPU with the least headroom stands for its server.
            const GpuLook* least = nullptr;
            for (int slot = 0; slot < band.gpus; ++slot) {
                const GpuLook& look = m_scene.look(m_scene.ordinal(rack, band.server, slot));
                const auto room = [](const GpuLook& l) { return l.usable() - l.need; };
                if (!look.idle && (!least || room(look) < room(*least)))
                    least = &look;
            }
            fillCell(painter, m_layout.bandRect(rack, b), least, m_style);
            continue;
        }
        for (int slot = 0; slot < band.gpus; ++slot)
            fillCell(painter, m_layout.gpuRect(rack, b, slot),
                &m_scene.look(m_scene.ordinal(rack, band.server, slot)), m_style);
    }
    painter.setRenderHint(QPainter::Antialiasing);
    if (over > 0)
        paintBadge(painter, frame.adjusted(0, 0, kOutline, kOutline), over, m_style);
    return image;
}

bool CanvasPainter::allSelected(int rack) const
{
    const std::vector<GpuRef>& gpus = m_marks.selection->gpus();
    const int count = m_scene.firstGpu(rack + 1) - m_scene.firstGpu(rack);
    if (count == 0 || gpus.size() < std::size_t(count))
        return false;
    for (std::size_t s = 0; s < m_scene.rack(rack).servers.size(); ++s) {
        const SiteIndex::Place& place = m_scene.place(rack, static_cast<int>(s));
        if (place.gpuCount == 0)
            continue;
        // Sorted and unique: where first and last are as far apart as in the server, all are there.
        const auto first = std::lower_bound(gpus.begin(), gpus.end(), GpuRef { place.id, 0 });
        const auto last
            = gpus.end() - first >= place.gpuCount ? first + place.gpuCount - 1 : gpus.end();
        if (last == gpus.end() || *first != GpuRef { place.id, 0 }
            || *last != GpuRef { place.id, place.gpuCount - 1 })
            return false;
    }
    return true;
}

void CanvasPainter::paintCellMarks(int rack)
{
    const Selection& selection = *m_marks.selection;
    const QRectF frame = m_layout.rackRect(rack);
    // Four filled edges: thousands of them cost less than as many stroked rectangles.
    const auto outline = [&](const QRectF& rect, const QColor& color, qreal width) {
        const QRectF out
            = m_style.snap(rect.adjusted(-width / 2, -width / 2, width / 2, width / 2));
        m_painter.fillRect(QRectF(out.left(), out.top(), out.width(), width), color);
        m_painter.fillRect(QRectF(out.left(), out.bottom() - width, out.width(), width), color);
        m_painter.fillRect(QRectF(out.left(), out.top(), width, out.height()), color);
        m_painter.fillRect(QRectF(out.right() - width, out.top(), width, out.height()), color);
    };
    if (isTargetRack(rack))
        outline(frame.adjusted(-2, -2, 2, 2), m_marks.refused ? m_theme.line : m_theme.accent, 2);
    if (selection.rack() == rack) {
        outline(frame.adjusted(-1, -1, 1, 1), m_theme.accent, 2);
        return;
    }
    const bool marked = !selection.empty() || selection.hovered().server != 0 || m_scene.whatIf();
    if (!marked)
        return;
    const std::vector<GpuRef>& gpus = selection.gpus();
    if (allSelected(rack)) {
        outline(frame, m_theme.accent, 2);
        return;
    }
    for (int b = 0; b < m_layout.bandCount(rack); ++b) {
        const CanvasBand& band = m_layout.band(rack, b);
        if (!band.isServer() || band.gpus == 0)
            continue;
        const SiteIndex::Place& place = m_scene.place(rack, band.server);
        const auto first = std::lower_bound(gpus.begin(), gpus.end(), GpuRef { place.id, 0 });
        auto last = first;
        while (last != gpus.end() && last->server == place.id)
            ++last;
        if (last - first == band.gpus) {
            outline(m_layout.gpuRect(rack, b, 0).united(m_layout.gpuRect(rack, b, band.gpus - 1)),
                m_theme.accent, 2);
        } else {
            for (auto gpu = first; gpu != last; ++gpu)
                if (gpu->index < band.gpus)
                    outline(m_layout.gpuRect(rack, b, gpu->index), m_theme.accent, 2);
        }
        if (selection.hovered().server == place.id && selection.hovered().index < band.gpus)
            outline(m_layout.gpuRect(rack, b, selection.hovered().index), m_theme.accent, 1);
        if (m_scene.before() && m_scene.before()->assessment->index.ordinal({ place.id, 0 }) < 0)
            outline(m_layout.bandRect(rack, b), m_theme.accent, 1.5);
    }
}

qreal CanvasPainter::paintFillLegend(
    QPainter* painter, const QRectF& rect, const PaintStyle& style, bool full)
{
    const Theme& theme = *style.theme;
    const QFont font = style.font(type::kAxis);
    const auto steps = static_cast<int>(theme.ramp.size());
    qreal x = rect.left();
    const auto text = [&](const QString& words, qreal after) {
        const qreal width = lineWidth(words, font);
        if (painter)
            drawLine(*painter, { x, rect.top(), width + 2, rect.height() },
                Qt::AlignLeft | Qt::AlignVCenter, words, font, theme.text2);
        x += width + after;
    };
    const auto swatch = [&](const QColor& color) {
        if (painter) {
            painter->setPen(QPen(theme.line, 1));
            painter->setBrush(color);
            painter->drawRect(QRectF(x + 0.5, rect.center().y() - 5.5, 14, 11));
        }
        x += 20;
    };
    text(CanvasText::tr("Need, of usable"), 12);
    for (int i = 0; i < steps; ++i) {
        swatch(theme.ramp[std::size_t(i)]);
        text(CanvasText::tr("%1–%2 %").arg(100 * i / steps).arg(100 * (i + 1) / steps), 10);
    }
    swatch(theme.over);
    text(full ? CanvasText::tr("over; rack outlined, count of GPUs shown") : CanvasText::tr("over"),
        0);
    return x - rect.left();
}

} // namespace shardrack
