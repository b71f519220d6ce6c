#include "canvas/canvas_painter.h"

#include "paint/glyphs.h"
#include "paint/icons.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace shardrack {

namespace {

struct CanvasText {
    Q_DECLARE_TR_FUNCTIONS(shardrack::CanvasText)
};

QPen dashed(const QColor& color, qreal width)
{
    QPen pen(color, width, Qt::CustomDashLine, Qt::FlatCap, Qt::MiterJoin);
    pen.setDashPattern({ 4 / width, 3 / width });
    return pen;
}

void box(QPainter& painter, const QRectF& rect, const QBrush& fill, const QPen& pen, qreal radius)
{
    painter.setBrush(fill);
    painter.setPen(pen);
    const qreal in = pen.style() == Qt::NoPen ? 0 : 0.5;
    painter.drawRoundedRect(rect.adjusted(in, in, -in, -in), radius, radius);
}

} // namespace

CanvasPainter::CanvasPainter(QPainter& painter, const CanvasScene& scene,
    const CanvasLayout& layout, const CanvasMarks& marks, const PaintStyle& style,
    RackImages& images)
    : m_painter(painter)
    , m_scene(scene)
    , m_layout(layout)
    , m_marks(marks)
    , m_style(style)
    , m_theme(*style.theme)
    , m_images(images)
{
}

void CanvasPainter::paint(const QRectF& exposed)
{
    m_painter.setRenderHint(QPainter::Antialiasing);
    const CanvasLayout::Span span = m_layout.racksIn(exposed);
    for (int row = span.firstRow; row <= span.lastRow; ++row) {
        if (m_layout.rowLabelHeight() > 0)
            paintRackLabels(row, span.firstColumn, span.lastColumn);
        for (int column = span.firstColumn; column <= span.lastColumn; ++column)
            if (const int rack = m_layout.rackAt(row, column); rack >= 0)
                paintRack(rack, exposed);
    }
    if (m_marks.carried && m_marks.target.kind == DropTarget::Kind::NewRack && !m_marks.refused
        && !m_scene.whatIf() && m_layout.rackCount() > 0)
        paintEmptyRack(m_painter, m_layout.rackRect(m_layout.rackCount() - 1), m_style);
    if (!m_marks.marquee.isNull()) {
        QColor veil = m_theme.accent;
        veil.setAlphaF(0.12F);
        box(m_painter, m_marks.marquee, veil, QPen(m_theme.accent, 1), 0);
    }
}

bool CanvasPainter::carriesHardware() const { return m_marks.carried && m_marks.carriedHeight > 0; }

bool CanvasPainter::isTargetRack(int rack) const
{
    if (!m_marks.carried)
        return false;
    const DropTarget& target = m_marks.target;
    switch (target.kind) {
    case DropTarget::Kind::RackSpace:
        return target.rack == std::size_t(rack);
    case DropTarget::Kind::Server:
    case DropTarget::Kind::Gpu: {
        const auto place = m_scene.find(
            target.kind == DropTarget::Kind::Server ? target.server : target.gpu.server);
        return place && place->first == rack;
    }
    case DropTarget::Kind::NewRack:
        return m_scene.whatIf() && rack == m_layout.rackCount() - 1;
    default:
        return false;
    }
}

bool CanvasPainter::takesCarried(int rack, int bandIndex) const
{
    if (!carriesHardware() || m_marks.carried->kind == Carried::Kind::RackType)
        return false;
    const CanvasBand& band = m_layout.band(rack, bandIndex);
    return !band.isServer() && band.lastUnit - band.firstUnit + 1 >= m_marks.carriedHeight;
}

void CanvasPainter::paintRack(int rack, const QRectF& exposed)
{
    if (isSmall()) {
        paintRackImage(rack);
        paintCellMarks(rack);
        return;
    }
    paintRackFrame(rack);
    for (int band = 0; band < m_layout.bandCount(rack); ++band) {
        if (!m_layout.bandRect(rack, band).intersects(exposed))
            continue;
        if (m_layout.band(rack, band).isServer())
            paintServer(rack, band, exposed);
        else
            paintFreeBand(rack, band);
    }
}

void CanvasPainter::paintRackFrame(int rack)
{
    const QRectF rect = m_layout.rackRect(rack);
    const bool target = isTargetRack(rack);
    const bool selected = m_marks.selection->rack() == rack;
    const QPen pen = target || selected ? QPen(m_marks.refused ? m_theme.line : m_theme.accent, 2)
                                        : QPen(m_theme.rackLine, 1);
    box(m_painter, rect, m_theme.rack, pen, metrics::kHardwareRadius);

    const QRectF header = m_layout.rackHeaderRect(rack).adjusted(12, 2, -12, 0);
    const bool small = m_layout.level() == DetailLevel::SmallCell;
    const QFont nameFont
        = m_style.font(small ? type::kSecondary : type::kBase + 0.5, type::kSemibold);
    const QString name = rackTitle(m_scene.rack(rack));
    drawLine(m_painter, header, Qt::AlignLeft | Qt::AlignVCenter, name, nameFont, m_theme.text);
    const qreal used = lineWidth(name, nameFont) + 9;
    if (used < header.width())
        drawLine(m_painter, header.adjusted(used, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
            rackText(m_scene, rack), m_style.font(type::kSecondary), m_theme.text2);

    const QRectF rail = m_layout.railRect(rack);
    if (rail.width() <= 0)
        return;
    const QRectF post = rail.adjusted(0, 0, -8, 0);
    box(m_painter, post, mixed(m_theme.rack, m_theme.server, 0.5), QPen(m_theme.line, 1), 2);
    const QFont font = m_style.font(type::kAxis - 0.5);
    const qreal line = font.pixelSize() * 1.2;
    for (int i = 0; i < m_layout.bandCount(rack); ++i) {
        const CanvasBand& band = m_layout.band(rack, i);
        const QRectF at = m_layout.bandRect(rack, i);
        const auto unit = [&](qreal top, int number) {
            drawLine(m_painter, { post.left(), top, post.width(), line }, Qt::AlignCenter,
                QStringLiteral("%1").arg(number), font, m_theme.text3);
        };
        if (at.height() >= 2 * line + 4 && band.lastUnit > band.firstUnit) {
            unit(at.top() + 1, band.firstUnit);
            unit(at.bottom() - line - 1, band.lastUnit);
        } else {
            unit(at.center().y() - line / 2, band.firstUnit);
        }
    }
}

void CanvasPainter::paintFreeBand(int rack, int bandIndex)
{
    const CanvasBand& band = m_layout.band(rack, bandIndex);
    const QRectF rect = m_layout.bandRect(rack, bandIndex);
    const bool takes = takesCarried(rack, bandIndex);
    const bool refuses = carriesHardware() && !takes;
    const DropTarget& target = m_marks.target;
    const bool here = m_marks.carried && target.kind == DropTarget::Kind::RackSpace
        && target.rack == std::size_t(rack) && target.unit >= band.firstUnit
        && target.unit <= band.lastUnit;
    QPen pen = dashed(takes ? m_theme.text3 : m_theme.rackLine, 1);
    if (here && !m_marks.refused)
        pen = dashed(m_theme.accent, 1.6);
    else if (refuses)
        pen = Qt::NoPen;
    box(m_painter, rect, here && m_marks.refused ? m_theme.openTint : QColor(Qt::transparent), pen,
        metrics::kHardwareRadius);
    const QFont font = m_style.font(type::kSecondary);
    if (rect.height() < font.pixelSize())
        return;
    const QString units = unitsLabel(band.firstUnit, band.lastUnit);
    // The hint stands once: in the first free space of the first rack that has any.
    bool first = m_layout.level() == DetailLevel::Card && !carriesHardware() && rack == 0;
    for (int i = 0; first && i < bandIndex; ++i)
        first = m_layout.band(rack, i).isServer();
    drawLine(m_painter, rect.adjusted(6, 0, -6, 0), Qt::AlignCenter,
        first ? CanvasText::tr("%1 free. Drop a server here, or press Insert").arg(units)
              : CanvasText::tr("%1 free").arg(units),
        font, m_theme.text2);
}

void CanvasPainter::paintServer(int rack, int bandIndex, const QRectF& exposed)
{
    const Server& server
        = m_scene.rack(rack).servers[std::size_t(m_layout.band(rack, bandIndex).server)];
    paintServerFrame(m_layout.bandRect(rack, bandIndex), server);
    paintServerHeader(rack, bandIndex, server);
    if (m_layout.level() == DetailLevel::Card) {
        paintBrackets(rack, bandIndex, server);
        paintFabric(rack, bandIndex, server);
    }
    for (int slot = 0; slot < m_layout.band(rack, bandIndex).gpuSlots; ++slot)
        if (m_layout.gpuRect(rack, bandIndex, slot).adjusted(-4, -4, 4, 4).intersects(exposed))
            paintGpu(rack, bandIndex, slot);
}

bool CanvasPainter::isNewServer(const Server& server) const
{
    return m_scene.before() && m_scene.before()->assessment->index.ordinal({ server.id, 0 }) < 0
        && m_scene.index().ordinal({ server.id, 0 }) >= 0;
}

void CanvasPainter::paintServerFrame(const QRectF& rect, const Server& server)
{
    const bool selected = m_marks.selection->server() == server.id;
    const bool isNew = isNewServer(server);
    QPen pen(m_theme.rackLine, 1);
    if (isNew)
        pen = dashed(m_theme.accent, 1.6);
    else if (selected)
        pen = QPen(m_theme.accent, 2);
    else if (m_marks.carried && m_marks.target.kind == DropTarget::Kind::Server
        && m_marks.target.server == server.id)
        pen = QPen(m_marks.refused ? m_theme.line : m_theme.accent, 1.6);
    box(m_painter, rect, isNew ? m_theme.accentTint : m_theme.server, pen,
        metrics::kHardwareRadius);
}

void CanvasPainter::paintServerHeader(int rack, int bandIndex, const Server& server)
{
    const QRectF rect = m_layout.serverHeaderRect(rack, bandIndex);
    const bool card = m_layout.level() == DetailLevel::Card;
    const bool small = m_layout.level() == DetailLevel::SmallCell;
    const SiteIndex::Place& place = m_scene.place(rack, m_layout.band(rack, bandIndex).server);
    if (card && !isNewServer(server)) {
        m_painter.fillRect(rect.adjusted(1.5, 1.5, -1.5, 0), m_theme.serverHead);
        m_painter.fillRect(
            QRectF(rect.left() + 1, rect.bottom() - 1, rect.width() - 2, 1), m_theme.line2);
    }
    QRectF room = rect.adjusted(small ? 4 : 9, 0, small ? -4 : -9, 0);
    if (!small) {
        drawIcon(
            m_painter, { room.left(), room.center().y() - 8, 16, 16 }, Icon::Server, m_theme.text2);
        room.setLeft(room.left() + 23);
    }
    // From the right: how many are over, then the group; the rest is the server's.
    const QFont bold = m_style.font(small ? type::kAxis - 1 : type::kSecondary, type::kSemibold);
    const QFont plain = m_style.font(small ? type::kAxis - 1 : type::kSecondary);
    const QString name = card ? serverTitle(server) : QString::fromStdString(server.name);
    const QFont nameFont
        = m_style.font(small ? type::kAxis - 1 : type::kSecondary + 0.5, type::kSemibold);
    const qreal nameWidth = lineWidth(name, nameFont) + 9;
    const auto fromRight = [&](const QString& text, const QFont& font, const QColor& color) {
        const qreal width = lineWidth(text, font);
        if (text.isEmpty() || width + nameWidth > room.width())
            return false;
        drawLine(m_painter, room, Qt::AlignRight | Qt::AlignVCenter, text, font, color);
        room.setRight(room.right() - width);
        return true;
    };
    const QString groups = card || small ? QString() : groupsOfServer(m_scene, place);
    if (fromRight(groups, plain, m_theme.text2))
        room.setRight(room.right() - 12);
    const QString over = overText(m_scene, place, !card);
    const bool worse = m_scene.overIn(place.firstGpu, place.gpuCount) > 0;
    if (fromRight(over, bold, worse ? m_theme.overText : m_theme.okText)) {
        if (!small && worse) {
            drawGlyph(m_painter, { room.right() - 17, room.center().y() - 6, 12, 12 },
                Glyph::OverCapacity, m_theme);
            room.setRight(room.right() - 17);
        }
        room.setRight(room.right() - 12);
    }
    drawLine(m_painter, room, Qt::AlignLeft | Qt::AlignVCenter, name, nameFont, m_theme.text);
    if (!small && room.width() > nameWidth)
        drawLine(m_painter, room.adjusted(nameWidth, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
            serverText(server), plain, m_theme.text2);
}

void CanvasPainter::paintBrackets(int rack, int bandIndex, const Server& server)
{
    const CanvasBand& band = m_layout.band(rack, bandIndex);
    const SiteIndex::Place& place = m_scene.place(rack, band.server);
    const int columns = m_layout.gpuColumns();
    for (int first = 0; first < band.gpus;) {
        const GroupLabel label = groupLabel(m_scene, place.firstGpu + first);
        int last = first;
        while (last + 1 < band.gpus && (last + 1) % columns != 0
            && groupLabel(m_scene, place.firstGpu + last + 1) == label)
            ++last;
        if (label.key >= 0)
            paintBracket(m_layout.groupLabelRect(rack, bandIndex, first),
                m_layout.groupLabelRect(rack, bandIndex, last), label.text,
                isNewServer(server) ? m_theme.accentTint : m_theme.server);
        first = last + 1;
    }
}

void CanvasPainter::paintBracket(
    const QRectF& first, const QRectF& last, const QString& text, const QColor& behind)
{
    const QRectF rect = first.united(last);
    const QFont font = m_style.font(type::kSecondary);
    const qreal y = m_style.snap(rect.center().y()) + 0.5;
    const qreal left = rect.left() + 0.5, right = rect.right() - 0.5;
    const qreal foot = rect.bottom() - 6;
    m_painter.setPen(QPen(m_theme.text3, 1));
    m_painter.drawPolyline(
        QPolygonF { { left, foot }, { left, y }, { right, y }, { right, foot } });
    const qreal width = std::min(lineWidth(text, font) + 14, rect.width() - 20);
    const QRectF ground(rect.center().x() - width / 2, rect.top(), width, rect.height());
    m_painter.fillRect(ground, behind);
    drawLine(m_painter, ground.adjusted(5, 0, -5, 0), Qt::AlignCenter, text, font, m_theme.text2);
}

void CanvasPainter::paintFabric(int rack, int bandIndex, const Server& server)
{
    const QRectF footer = m_layout.serverFooterRect(rack, bandIndex);
    if (footer.isEmpty())
        return;
    // From the last line of GPUs down to a bus, and what the bus does not do.
    const CanvasBand& band = m_layout.band(rack, bandIndex);
    const int firstOfLine = (band.gpus - 1) / m_layout.gpuColumns() * m_layout.gpuColumns();
    const qreal y = m_style.snap(footer.top() + footer.height() * 0.36);
    const auto middle
        = [&](int slot) { return m_layout.gpuRect(rack, bandIndex, slot).center().x(); };
    m_painter.setPen(QPen(m_theme.rackLine, 2, Qt::SolidLine, Qt::FlatCap));
    for (int slot = firstOfLine; slot < band.gpus; ++slot)
        m_painter.drawLine(QLineF(middle(slot), footer.top() + 2, middle(slot), y));
    constexpr qreal kBeyond = 32;
    m_painter.setPen(QPen(m_theme.rackLine, 3, Qt::SolidLine, Qt::FlatCap));
    m_painter.drawLine(
        QLineF(middle(firstOfLine) - kBeyond, y, middle(band.gpus - 1) + kBeyond, y));
    QString fabric = fabricText(server);
    if (fabric.isEmpty())
        fabric = CanvasText::tr("The link between these GPUs");
    const QString text = m_scene.layout().groupCount() == 0
        ? CanvasText::tr("%1 carries gradients between replicas. It lends no memory.")
        : CanvasText::tr("%1 carries shards and gradients between ranks. It lends no memory.");
    drawLine(m_painter,
        QRectF(footer.left() + 8, y + 3, footer.width() - 16, footer.bottom() - y - 4),
        Qt::AlignCenter, text.arg(fabric), m_style.font(type::kSecondary), m_theme.text2);
}

void CanvasPainter::paintEmptyRack(QPainter& painter, const QRectF& rect, const PaintStyle& style)
{
    painter.setRenderHint(QPainter::Antialiasing);
    box(painter, rect, Qt::NoBrush, dashed(style.theme->rackLine, 1.6), metrics::kHardwareRadius);
}

} // namespace shardrack
