// How one GPU looks at the levels with room for a number or a bar.

#include "canvas/canvas_painter.h"

#include "style/view_style.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>

namespace shardrack {

namespace {

struct CanvasText {
    Q_DECLARE_TR_FUNCTIONS(shardrack::CanvasText)
};

/// Ground and text of a chip.
std::pair<QColor, QColor> chipColors(Capacity capacity, const Theme& theme)
{
    switch (capacity) {
    case Capacity::Over:
        return { theme.overTint, theme.overText };
    case Capacity::Open:
        return { theme.openTint, theme.openText };
    case Capacity::Tight:
        return { theme.flagTint, theme.flag };
    case Capacity::Fit:
        break;
    }
    return { theme.okTint, theme.okText };
}

void dashedBox(QPainter& painter, const QRectF& rect, const QColor& fill, const QColor& line,
    qreal width, qreal radius)
{
    QPen pen(line, width, Qt::CustomDashLine, Qt::FlatCap, Qt::MiterJoin);
    pen.setDashPattern({ 3 / width, 2 / width });
    painter.setPen(pen);
    painter.setBrush(fill);
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
}

constexpr qreal kCellRadius = 3;

} // namespace

void CanvasPainter::paintGpu(int rack, int bandIndex, int slot)
{
    const CanvasBand& band = m_layout.band(rack, bandIndex);
    const QRectF rect = m_style.snap(m_layout.gpuRect(rack, bandIndex, slot));
    if (slot >= band.gpus) {
        paintFreeSlot(rect);
        return;
    }
    const std::int32_t gpu = m_scene.ordinal(rack, band.server, slot);
    switch (m_layout.level()) {
    case DetailLevel::Card:
        paintCard(rect, gpu);
        break;
    case DetailLevel::Cell:
        paintCell(rect, gpu);
        break;
    default:
        paintSmallCell(rect, gpu);
        break;
    }
    paintGpuMarks(rect, gpu);
}

void CanvasPainter::paintFreeSlot(const QRectF& rect)
{
    const bool takes = m_marks.carried
        && (m_marks.carried->kind == Carried::Kind::Gpu
            || m_marks.carried->kind == Carried::Kind::GpuType);
    dashedBox(
        m_painter, rect, Qt::transparent, takes ? m_theme.text3 : m_theme.line2, 1, kCellRadius);
    if (m_layout.level() == DetailLevel::Card)
        drawLine(m_painter, rect, Qt::AlignCenter, CanvasText::tr("free slot"),
            m_style.font(type::kSecondary), m_theme.text3);
}

void CanvasPainter::paintGpuFrame(const QRectF& rect, std::int32_t gpu)
{
    const GpuLook& look = m_scene.look(gpu);
    const qreal radius = m_layout.level() == DetailLevel::Card ? 4 : kCellRadius;
    if (m_scene.isNew(gpu)) {
        dashedBox(m_painter, rect, m_theme.cell, m_theme.accent, 1.4, radius);
        return;
    }
    if (look.idle) {
        dashedBox(m_painter, rect, m_theme.server, m_theme.line, 1, radius);
        return;
    }
    QColor fill = m_theme.cell;
    QPen pen(look.over() ? m_theme.over : m_theme.cellLine, look.over() ? 1.4 : 1);
    if (const std::optional<Bytes> change = m_scene.change(gpu)) {
        const bool more = change->count() > 0;
        fill = change->count() == 0 ? m_theme.cell : more ? m_theme.overTint : m_theme.okTint;
    }
    m_painter.setPen(pen);
    m_painter.setBrush(fill);
    m_painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
}

void CanvasPainter::paintGpuMarks(const QRectF& rect, std::int32_t gpu)
{
    const GpuRef ref = m_scene.index().ref(gpu);
    const qreal radius = m_layout.level() == DetailLevel::Card ? 5 : kCellRadius;
    m_painter.setBrush(Qt::NoBrush);
    if (m_marks.selection->contains(ref) && m_marks.selection->server() == 0
        && m_marks.selection->rack() < 0) {
        if (m_layout.level() == DetailLevel::Card) {
            m_painter.setPen(QPen(mixed(m_theme.server, m_theme.accent, 0.3), 3));
            m_painter.drawRoundedRect(rect.adjusted(-2.5, -2.5, 2.5, 2.5), radius + 2, radius + 2);
        }
        m_painter.setPen(QPen(m_theme.accent, 2));
        m_painter.drawRoundedRect(rect, radius, radius);
    } else if (m_marks.selection->hovered() == ref) {
        m_painter.setPen(QPen(m_theme.accent, 1));
        m_painter.drawRoundedRect(rect.adjusted(-0.5, -0.5, 0.5, 0.5), radius, radius);
    }
    if (m_marks.focused && m_marks.selection->focus() == ref && m_marks.selection->server() == 0
        && m_marks.selection->rack() < 0 && m_marks.selection->gpus().size() != 1
        && m_layout.level() != DetailLevel::SmallCell)
        dashedBox(m_painter, rect.adjusted(3, 3, -3, -3), Qt::transparent, m_theme.accent, 1, 2);
    if (m_marks.carried && m_marks.target.kind == DropTarget::Kind::Gpu
        && m_marks.target.gpu == ref)
        dashedBox(m_painter, rect.adjusted(-2, -2, 2, 2), Qt::transparent,
            m_marks.refused ? m_theme.text3 : m_theme.accent, 1.8, radius);
}

void CanvasPainter::paintCard(const QRectF& rect, std::int32_t gpu)
{
    paintGpuFrame(rect, gpu);
    const GpuLook& look = m_scene.look(gpu);
    // The card is laid out for 208 × 164 and grows as a whole.
    const qreal unit = m_layout.cardScale() * m_style.textScale;
    const qreal scale = m_layout.cardScale();
    const qreal pad = 11 * unit;
    const auto row = [&](qreal top, qreal height) {
        return QRectF(
            rect.left() + pad, rect.top() + top * unit, rect.width() - 2 * pad, height * unit);
    };
    QRectF head = row(2, 28);
    const QFont deviceFont = m_style.font(type::kSecondary * scale);
    const QString device = CanvasText::tr("GPU %1").arg(deviceLabel(m_scene, gpu));
    const QFont rankFont = m_style.font((type::kBase + 0.5) * scale, type::kSemibold);
    const QString rank = rankLabel(m_scene, gpu, false);
    if (!look.idle) { // the handle by which the rank is dragged
        drawIcon(m_painter,
            QRectF(head.left() - 7 * unit, head.center().y() - 6 * unit, 12 * unit, 12 * unit),
            Icon::Grip, m_theme.text3);
        head.setLeft(head.left() + 7 * unit);
    }
    drawLine(m_painter, head, Qt::AlignLeft | Qt::AlignVCenter, rank, rankFont,
        look.idle ? m_theme.text2 : m_theme.text);
    const qreal rankWidth = lineWidth(rank, rankFont) + 8 * unit;
    if (rankWidth + lineWidth(device, deviceFont) <= head.width())
        drawLine(
            m_painter, head, Qt::AlignRight | Qt::AlignVCenter, device, deviceFont, m_theme.text2);
    m_painter.fillRect(
        QRectF(rect.left() + 1.5, m_style.snap(rect.top() + 31 * unit), rect.width() - 3, 1),
        m_theme.line3);

    const QRectF line = row(37, 32);
    if (look.idle) {
        drawLine(m_painter, line, Qt::AlignLeft | Qt::AlignVCenter,
            CanvasText::tr("%1 GiB usable").arg(gib(look.usable())),
            m_style.font(type::kSecondary * scale), m_theme.text2);
    } else {
        const QFont numberFont = m_style.font(type::kCardNumber * scale, type::kSemibold);
        const QString number = look.unknown() ? needFigure(look, 2) : gib(look.need);
        drawLine(m_painter, line, Qt::AlignLeft | Qt::AlignVCenter, number, numberFont,
            look.over() ? m_theme.overText : m_theme.text);
        const QString of = look.unknown() ? CanvasText::tr("not established")
            : look.atLeast ? CanvasText::tr("of %1 GiB, at least").arg(gib(look.usable()))
                           : CanvasText::tr("of %1 GiB").arg(gib(look.usable()));
        drawLine(m_painter,
            line.adjusted(lineWidth(number, numberFont) + 8 * unit, 3 * unit, pad - 4, 3 * unit),
            Qt::AlignLeft | Qt::AlignVCenter, of, m_style.font(type::kSecondary * scale),
            m_theme.text2);
    }
    paintCardBar(row(78, 22), gpu, scale);
    if (!look.idle)
        paintVerdict(row(133, 20), look, scale);
}

void CanvasPainter::paintCardBar(const QRectF& track, std::int32_t gpu, qreal scale)
{
    const GpuLook& look = m_scene.look(gpu);
    const GpuLook* before = m_scene.lookBefore(gpu);
    const BarScale bars(track, m_scene.axis(), BarDirection::Right, m_style);
    StackedBarOptions options;
    options.lines = !look.idle;
    options.before = before && !before->idle ? &before->bar : nullptr;
    StackedBar bar = look.bar;
    bar.installed.reset(); // a card names usable only
    drawStackedBar(m_painter, bar, bars, m_style, options);

    // Below the bar: usable under its line, or in a what-if the change.
    const qreal unit = scale * m_style.textScale;
    const QRectF below(
        track.left() - 6 * unit, track.bottom() + 3 * unit, track.width() + 12 * unit, 18 * unit);
    if (const std::optional<Bytes> change = m_scene.change(gpu)) {
        const QColor color = change->count() > 0 ? m_theme.overText : m_theme.okText;
        drawLine(m_painter, below, Qt::AlignCenter,
            CanvasText::tr("%1 → %2 (%3)")
                .arg(gib(before->need), gib(look.need), signedGib(*change, 2)),
            m_style.font(type::kSecondary * scale, type::kBold), color);
        return;
    }
    const QFont font = m_style.font(type::kAxis * scale);
    const QString text = usableText(look);
    const qreal mark = look.bar.usableConfirmed ? 0 : 15 * unit;
    const qreal width = lineWidth(text, font) + mark;
    const qreal at = bars.at(look.usable());
    const qreal left
        = std::clamp(at - width / 2, below.left(), std::max(below.left(), below.right() - width));
    drawLine(m_painter, { left, below.top(), width - mark, below.height() },
        Qt::AlignLeft | Qt::AlignVCenter, text, font, m_theme.text2);
    if (mark > 0)
        drawIcon(m_painter,
            { left + width - mark + 2 * unit, below.center().y() - 6 * unit, 12 * unit, 12 * unit },
            Icon::NotEstablished, iconColor(Icon::NotEstablished, m_theme));
}

void CanvasPainter::paintVerdict(const QRectF& rect, const GpuLook& look, qreal scale)
{
    const auto [ground, color] = chipColors(look.capacity, m_theme);
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(ground);
    m_painter.drawRoundedRect(rect, 3, 3);
    const qreal unit = scale * m_style.textScale;
    drawGlyph(m_painter,
        { rect.left() + 5 * unit, rect.center().y() - 6.5 * unit, 13 * unit, 13 * unit },
        glyphOf(look.capacity), m_theme);
    const QRectF room = rect.adjusted(24 * unit, 0, -3, 0);
    const QFont font = m_style.font(type::kSecondary * scale, type::kSemibold);
    QString text = verdictText(look, true);
    if (lineWidth(text, font) > room.width())
        text = verdictText(look, false); // the glyph says the verdict
    drawLine(m_painter, room, Qt::AlignLeft | Qt::AlignVCenter, text, font, color);
}

void CanvasPainter::paintMiniStack(const QRectF& track, std::int32_t gpu)
{
    const GpuLook& look = m_scene.look(gpu);
    const GpuLook* before = m_scene.lookBefore(gpu);
    StackedBar bar = look.bar;
    bar.installed.reset(); // only usable is marked
    bar.margin.reset();
    constexpr qreal kRoomForOpenEnd = 22;
    if (track.height() < kRoomForOpenEnd)
        for (BarSegment& segment : bar.segments)
            segment.open = false;
    StackedBarOptions options;
    options.lines = !look.idle;
    options.before = before && !before->idle ? &before->bar : nullptr;
    drawStackedBar(m_painter, bar, BarScale(track, m_scene.axis(), BarDirection::Up, m_style),
        m_style, options);
}

void CanvasPainter::paintCell(const QRectF& rect, std::int32_t gpu)
{
    paintGpuFrame(rect, gpu);
    const GpuLook& look = m_scene.look(gpu);
    const qreal unit = m_style.textScale;
    const qreal stack = std::clamp(rect.width() * 0.2, 8.0, 22.0);
    const QRectF track(rect.right() - stack - 4, rect.top() + 5, stack, rect.height() - 10);
    paintMiniStack(track, gpu);

    const QRectF text(
        rect.left() + 3, rect.top() + 3, track.left() - rect.left() - 4, rect.height() - 6);
    const qreal line = text.height() / 3;
    const auto row
        = [&](int i) { return QRectF(text.left(), text.top() + i * line, text.width(), line); };
    const int align = Qt::AlignLeft | Qt::AlignVCenter;
    drawLine(m_painter, row(0), align, rankLabel(m_scene, gpu, true),
        m_style.font(type::kSecondary, type::kBold), look.idle ? m_theme.text2 : m_theme.text);
    if (look.idle) {
        drawLine(m_painter, row(1), align, CanvasText::tr("no rank"), m_style.font(type::kAxis - 1),
            m_theme.text2);
        return;
    }
    // A number that is too wide is rounded, then written smaller; "at least" is never left out.
    QFont font = m_style.font(type::kAxis);
    QString total = needFigure(look, 1);
    if (lineWidth(total, font) > text.width())
        total = needFigure(look, 0);
    constexpr qreal kSmallest = 0.7;
    if (const qreal width = lineWidth(total, font); width > text.width())
        font = m_style.font(type::kAxis * std::max(kSmallest, text.width() / width));
    drawLine(m_painter, row(1), align, total, font, look.over() ? m_theme.overText : m_theme.text);
    const QFont bold = m_style.font(type::kAxis, type::kBold);
    if (m_scene.isNew(gpu)) {
        drawLine(m_painter, row(2), align, CanvasText::tr("new"), bold, m_theme.link);
    } else if (const std::optional<Bytes> change = m_scene.change(gpu)) {
        const QColor color = change->count() > 0 ? m_theme.overText : m_theme.okText;
        QString changed = signedGib(*change, 1);
        if (lineWidth(changed, bold) > text.width() + 1)
            changed = signedGib(*change, 0);
        drawLine(m_painter, row(2), align, changed, bold, color);
    } else {
        const qreal glyph = std::min(12 * unit, line - 2);
        drawGlyph(m_painter, { row(2).left(), row(2).center().y() - glyph / 2, glyph, glyph },
            glyphOf(look.capacity), m_theme);
    }
}

void CanvasPainter::paintSmallCell(const QRectF& rect, std::int32_t gpu)
{
    paintGpuFrame(rect, gpu);
    const GpuLook& look = m_scene.look(gpu);
    constexpr qreal kRoomForRank = 20;
    QRectF track = rect.adjusted(3, 3, -3, -3);
    if (rect.width() >= kRoomForRank * m_style.textScale) {
        const QFont font = m_style.font(type::kAxis - 1.5, type::kBold);
        const qreal line = font.pixelSize() * 1.15;
        const QString rank = rankLabel(m_scene, gpu, true);
        if (lineWidth(rank, font) <= rect.width() - 2)
            drawLine(m_painter, { rect.left(), rect.top() + 1, rect.width(), line },
                Qt::AlignCenter, rank, font, look.idle ? m_theme.text2 : m_theme.text);
        track.setTop(track.top() + line);
    }
    paintMiniStack(track, gpu);
}

} // namespace shardrack
