#include "canvas/rack_loupe.h"

#include "canvas/canvas_text.h"
#include "style/view_style.h"

#include <QPainter>

#include <algorithm>

namespace shardrack {

namespace {

constexpr int kMostLines = 16;
constexpr int kMostColumns = 16;
constexpr qreal kPad = 10;
constexpr qreal kHead = 24;
constexpr qreal kCellWidth = 38;
constexpr qreal kCellHeight = 17;
constexpr qreal kNames = 46;
constexpr qreal kUsable = 56;

} // namespace

RackLoupe::RackLoupe(QWidget* parent)
    : QFrame(parent)
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setObjectName(QStringLiteral("rackLoupe"));
    hide();
}

void RackLoupe::showRack(const CanvasScene& scene, int rackIndex, const QRect& beside)
{
    const Rack& rack = scene.rack(rackIndex);
    m_title = rackTitle(rack);
    m_about = rackText(scene, rackIndex);
    m_lines.clear();
    m_columns = 1;
    for (int s = 0; s < std::min(kMostLines, static_cast<int>(rack.servers.size())); ++s) {
        const SiteIndex::Place& place = scene.place(rackIndex, s);
        Line line;
        line.server = QString::fromStdString(rack.servers[std::size_t(s)].name);
        std::optional<Bytes> lowest;
        for (int i = 0; i < std::min<int>(place.gpuCount, kMostColumns); ++i) {
            const GpuLook& look = scene.look(place.firstGpu + i);
            line.cells.push_back({ look.idle ? QString() : needFigure(look, 1), look.over(),
                look.idle, look.level });
            line.over = line.over || look.over();
            lowest = lowest ? std::min(*lowest, look.usable()) : look.usable();
        }
        if (lowest)
            line.usable = gib(*lowest);
        m_columns = std::max(m_columns, static_cast<int>(line.cells.size()));
        m_lines.push_back(std::move(line));
    }
    const int hidden = static_cast<int>(rack.servers.size()) - static_cast<int>(m_lines.size());
    m_rest = hidden == 1 ? tr("and 1 more server. Double-click to enter the rack.")
        : hidden > 1     ? tr("and %1 more servers. Double-click to enter the rack.").arg(hidden)
                         : tr("Need per GPU and usable, GiB. Double-click to enter the rack.");
    const PaintStyle look = styleOf(this);
    const qreal unit = look.textScale;
    const qreal width = std::max((kNames + m_columns * kCellWidth + kUsable) * unit,
        std::max(shardrack::lineWidth(m_rest, look.font(type::kAxis)),
            shardrack::lineWidth(m_title, look.font(type::kBase, type::kSemibold)) + 8
                + shardrack::lineWidth(m_about, look.font(type::kAxis))));
    const qreal height = (2 * kHead + qreal(m_lines.size()) * kCellHeight) * unit;
    resize(QSizeF(width + 2 * kPad, height + 2 * kPad).toSize());
    const QRect view = parentWidget()->rect();
    QPoint corner(beside.right() + 14, beside.top() + 10);
    if (corner.x() + this->width() > view.right())
        corner.setX(beside.left() - 14 - this->width());
    corner.setX(std::clamp(corner.x(), 4, std::max(4, view.right() - this->width() - 4)));
    corner.setY(std::clamp(corner.y(), 4, std::max(4, view.bottom() - this->height() - 4)));
    move(corner);
    show();
    raise();
    update();
}

void RackLoupe::paintEvent(QPaintEvent* event)
{
    static_cast<void>(event);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const PaintStyle look = styleOf(this);
    const Theme& theme = *look.theme;
    const qreal unit = look.textScale;
    painter.setPen(QPen(theme.accent, 1.2));
    painter.setBrush(theme.pop);
    painter.drawRoundedRect(QRectF(rect()).adjusted(.6, .6, -.6, -.6), 4, 4);
    const QRectF inner = QRectF(rect()).adjusted(kPad, kPad - 2, -kPad, -kPad + 2);
    const QFont titleFont = look.font(type::kBase, type::kSemibold);
    const QFont small = look.font(type::kAxis);
    const QFont bold = look.font(type::kAxis, type::kSemibold);
    const int left = Qt::AlignLeft | Qt::AlignVCenter;
    QRectF head(inner.left(), inner.top(), inner.width(), kHead * unit);
    drawLine(painter, head, left, m_title, titleFont, theme.text);
    head.setLeft(head.left() + shardrack::lineWidth(m_title, titleFont) + 8);
    drawLine(painter, head, left, m_about, small, theme.text2);
    qreal y = inner.top() + kHead * unit;
    for (const Line& line : m_lines) {
        const qreal height = kCellHeight * unit;
        drawLine(painter, { inner.left(), y, (kNames - 4) * unit, height }, left, line.server,
            small, theme.text2);
        for (std::size_t i = 0; i < line.cells.size(); ++i) {
            const Cell& cell = line.cells[i];
            const QRectF box(inner.left() + (kNames + qreal(i) * kCellWidth) * unit, y,
                kCellWidth * unit - 1, height - 1);
            const QColor fill = cell.idle ? theme.server
                : cell.over               ? theme.over
                                          : theme.rampColor(cell.level);
            painter.fillRect(box, fill);
            const QColor ink = contrast(fill, QColor(Qt::white)) > contrast(fill, QColor(Qt::black))
                ? QColor(Qt::white)
                : QColor(Qt::black);
            drawLine(painter, box, Qt::AlignCenter, cell.need, cell.over ? bold : small, ink);
        }
        drawLine(painter, { inner.right() - kUsable * unit, y, kUsable * unit, height },
            Qt::AlignRight | Qt::AlignVCenter, line.usable, line.over ? bold : small,
            line.over ? theme.overText : theme.text2);
        y += height;
    }
    drawLine(painter, { inner.left(), y, inner.width(), kHead * unit }, left, m_rest, small,
        theme.text2);
}

} // namespace shardrack
