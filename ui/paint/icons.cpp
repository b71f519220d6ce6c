#include "paint/icons.h"

#include "paint/icon_engine.h"

#include <QPainter>
#include <QPainterPath>

#include <array>
#include <charconv>
#include <cstring>

namespace shardrack {

namespace {

/// Lines and filled areas in the path language read by `parsePath`; `width` is the stroke.
struct Drawing {
    Icon icon;
    const char* lines;
    const char* areas = "";
    qreal width = 1.15;
};

constexpr std::array<Drawing, kIconCount> kDrawings { {
    { Icon::Stipulated, "M5 1.5 H11 M6.2 1.5 V6.4 L4.2 9.5 H11.8 L9.8 6.4 V1.5 M8 9.5 V14.5" },
    { Icon::Derived, "M2.8 6 H13.2 M2.8 10 H13.2" },
    { Icon::Measured, "M2.6 12.5 C.6 8.5 3.4 4 8 4 C12.6 4 15.4 8.5 13.4 12.5 M8 11 L11.2 7.2",
        "O8 11 1.2" },
    { Icon::NotEstablished,
        "M5.3 5.2 C5.3 3.4 6.5 2.3 8.1 2.3 C9.8 2.3 10.8 3.4 10.8 4.8 C10.8 6.8 8 7.1 8 9.6",
        "O8 13 1.05", 1.6 },
    { Icon::Held, "M3.5 7 H12.5 V14 H3.5 Z M5.3 7 V5 C5.3 1.1 10.7 1.1 10.7 5 V7" },
    { Icon::Changed, "M2.8 6 H13.2 M2.8 10 H13.2 M11 2.5 L5 13.5" },
    { Icon::Flag, "M3.5 1.5 V14.5 M3.5 2.5 H12.8 L10.6 5.5 L12.8 8.5 H3.5" },
    { Icon::Note, "O8 8 6.4 M8 7.4 V11.4", "O8 4.8 .85" },
    { Icon::Misleading, "M8 2 L14.6 13.6 H1.4 Z M8 6.4 V9.8", "O8 11.7 .8" },
    { Icon::New, "M3.5 1.5 H9.5 L12.5 4.5 V14.5 H3.5 Z M9.5 1.5 V4.5 H12.5" },
    { Icon::Open, "M1.5 13.5 V2.5 H6 L7.5 4.5 H14.5 V13.5 Z" },
    { Icon::Save,
        "M2.5 2.5 H11.5 L13.5 4.5 V13.5 H2.5 Z M5.5 2.5 V5.5 H10.5 V2.5 M4.5 13.5 V9.5 H11.5 "
        "V13.5" },
    { Icon::Undo,
        "M5.5 2.5 L2 6 L5.5 9.5 M2 6 H10 C12.4 6 14 7.7 14 9.8 C14 11.9 12.4 13.5 10 13.5 H6.5" },
    { Icon::Redo,
        "M10.5 2.5 L14 6 L10.5 9.5 M14 6 H6 C3.6 6 2 7.7 2 9.8 C2 11.9 3.6 13.5 6 13.5 H9.5" },
    { Icon::Select, "", "M3.8 1.2 V13.4 L6.7 10.8 L8.8 15.2 L10.9 14.2 L8.9 9.9 L12.7 9.6 Z" },
    { Icon::Pan,
        "M8 1.5 V14.5 M1.5 8 H14.5 M6 3.5 L8 1.5 L10 3.5 M6 12.5 L8 14.5 L10 12.5"
        " M3.5 6 L1.5 8 L3.5 10 M12.5 6 L14.5 8 L12.5 10" },
    { Icon::AssignRanks, "M6.4 1.8 L4.9 14.2 M11.1 1.8 L9.6 14.2 M2.3 5.5 H14 M2 10.5 H13.7" },
    { Icon::Group,
        "M4 1.5 H1.5 V14.5 H4 M12 1.5 H14.5 V14.5 H12 M4.5 5 H7 V11 H4.5 Z M9 5 H11.5 V11 H9 Z" },
    { Icon::ZoomOut, "O6.7 6.7 4.9 M10.3 10.3 L14.4 14.4 M4.5 6.7 H8.9" },
    { Icon::ZoomIn, "O6.7 6.7 4.9 M10.3 10.3 L14.4 14.4 M4.5 6.7 H8.9 M6.7 4.5 V8.9" },
    { Icon::Fit,
        "M1.5 4.5 V1.5 H4.5 M11.5 1.5 H14.5 V4.5 M14.5 11.5 V14.5 H11.5 M4.5 14.5 H1.5 V11.5"
        " M4.5 4.5 H11.5 V11.5 H4.5 Z" },
    { Icon::Compare,
        "M1.5 13.5 V2.5 H5.5 V13.5 Z M5.5 13.5 V7.5 H9.5 V13.5 M9.5 7.5 V4.5 H13.5 V13.5 H5.5" },
    { Icon::ExportReport,
        "M3.5 1.5 H9.5 L12.5 4.5 V14.5 H3.5 Z M9.5 1.5 V4.5 H12.5 M8 6.5 V11.7"
        " M5.9 9.6 L8 11.7 L10.1 9.6" },
    { Icon::Evidence,
        "M13.6 7.3 L7.7 13 C6.2 14.4 4.1 14.4 2.8 13.1 C1.5 11.8 1.6 9.7 3 8.3 L9.1 2.4"
        " C10.1 1.4 11.6 1.4 12.5 2.3 C13.4 3.2 13.4 4.7 12.4 5.7 L6.6 11.4"
        " C6 12 5.2 12 4.7 11.5 C4.2 11 4.3 10.2 4.9 9.6 L10.2 4.5" },
    { Icon::Lessons,
        "M.8 6 L8 2.6 L15.2 6 L8 9.4 Z M3.9 7.6 V11.3 C3.9 13.5 12.1 13.5 12.1 11.3 V7.6"
        " M14.4 6.4 V10.8" },
    { Icon::Search, "O6.7 6.7 4.9 M10.3 10.3 L14.4 14.4" },
    { Icon::Add, "M8 2.5 V13.5 M2.5 8 H13.5" },
    { Icon::Filter, "M2 2.5 H14 L9.6 8.3 V13.8 L6.4 12.2 V8.3 Z" },
    { Icon::Close, "M4 4 L12 12 M12 4 L4 12" },
    { Icon::Float, "M5.5 5.5 V2.5 H13.5 V10.5 H10.5 M2.5 5.5 H10.5 V13.5 H2.5 Z" },
    { Icon::WhatIf, "M.9 8 C3.6 2.9 12.4 2.9 15.1 8 C12.4 13.1 3.6 13.1 .9 8 Z O8 8 2.2" },
    { Icon::Tick, "M2.8 8.6 L6.4 12.2 L13.4 4.2", "", 1.6 },
    { Icon::Rack, "M3.5 1.5 H12.5 V14.5 H3.5 Z M3.5 5.5 H12.5 M3.5 8.5 H12.5 M3.5 11.5 H12.5" },
    { Icon::Server, "M.6 4.5 H15.4 V11.5 H.6 Z M3.5 6.5 V9.5 M6 6.5 V9.5 M8.5 6.5 V9.5" },
    { Icon::Gpu,
        "M1 3.5 H15 V11.5 H1 Z M5.5 5.5 H9.5 V9.5 H5.5 Z M4.5 11.5 V14 M7.5 11.5 V14 M10.5 11.5 "
        "V14" },
    { Icon::Grip, "",
        "O6 2.5 .85 O10 2.5 .85 O6 6.2 .85 O10 6.2 .85 O6 9.8 .85 O10 9.8 .85 O6 13.5 .85"
        " O10 13.5 .85" },
    { Icon::Bars, "M1 14.5 H15 M3.5 14.5 V8 M6.5 14.5 V3 M9.5 14.5 V6 M12.5 14.5 V1.5", "", 1.3 },
    { Icon::Clock, "O8 8 6.5 M8 4.2 V8 L10.7 9.8" },
    { Icon::Network,
        "M6.5 1.5 H9.5 V4.5 H6.5 Z M8 4.5 V8 M3 11.5 V8 H13 V11.5 M1.5 11.5 H4.5 V14.5"
        " H1.5 Z M11.5 11.5 H14.5 V14.5 H11.5 Z" },
    { Icon::Ladder,
        "M4.5 1 V15 M11.5 1 V15 M4.5 3.5 H11.5 M4.5 6.5 H11.5 M4.5 9.5 H11.5 M4.5 12.5 H11.5" },
} };

/// Reads absolute commands: M x y, L x y, H x, V y, C (two controls and an end), Z, and O x y r for
/// a circle.
class PathParser {
public:
    explicit PathParser(const char* text)
        : m_next(text)
        , m_end(text + std::strlen(text))
    {
    }

    QPainterPath parse()
    {
        QPainterPath path;
        for (skipSpaces(); m_next < m_end; skipSpaces()) {
            const char command = *m_next++;
            const QPointF at = path.currentPosition();
            switch (command) {
            case 'M':
                path.moveTo(point());
                break;
            case 'L':
                path.lineTo(point());
                break;
            case 'H':
                path.lineTo(number(), at.y());
                break;
            case 'V':
                path.lineTo(at.x(), number());
                break;
            case 'C': {
                const QPointF first = point(), second = point(), end = point();
                path.cubicTo(first, second, end);
                break;
            }
            case 'O': {
                const QPointF centre = point();
                const qreal radius = number();
                path.addEllipse(centre, radius, radius);
                break;
            }
            case 'Z':
                path.closeSubpath();
                break;
            default:
                Q_UNREACHABLE();
            }
        }
        return path;
    }

private:
    void skipSpaces()
    {
        while (m_next < m_end && *m_next == ' ')
            ++m_next;
    }
    qreal number()
    {
        skipSpaces();
        double value = 0;
        m_next = std::from_chars(m_next, m_end, value).ptr;
        return value;
    }
    QPointF point()
    {
        const qreal x = number();
        return QPointF(x, number());
    }

    const char* m_next;
    const char* m_end;
};

struct ParsedDrawing {
    QPainterPath lines, areas;
    qreal width = 1;
};

const ParsedDrawing& parsed(Icon icon)
{
    static const std::array<ParsedDrawing, kIconCount> drawings = [] {
        std::array<ParsedDrawing, kIconCount> all;
        for (const Drawing& drawing : kDrawings)
            all[static_cast<std::size_t>(drawing.icon)] = { PathParser(drawing.lines).parse(),
                PathParser(drawing.areas).parse(), drawing.width };
        return all;
    }();
    return drawings[static_cast<std::size_t>(icon)];
}

} // namespace

QColor iconColor(Icon icon, const Theme& theme)
{
    switch (icon) {
    case Icon::NotEstablished:
        return theme.overText;
    case Icon::Changed:
    case Icon::Flag:
    case Icon::Misleading:
        return theme.flag;
    case Icon::Tick:
        return theme.ok;
    case Icon::WhatIf:
        return theme.link;
    case Icon::Stipulated:
    case Icon::Derived:
    case Icon::Measured:
    case Icon::Held:
    case Icon::Note:
    case Icon::Rack:
    case Icon::Server:
    case Icon::Gpu:
    case Icon::Grip:
    case Icon::Search:
    case Icon::Close:
    case Icon::Float:
        return theme.text2;
    default:
        return theme.text;
    }
}

void drawIcon(QPainter& painter, const QRectF& rect, Icon icon, const QColor& color)
{
    const GridScope scope(painter, rect);
    const ParsedDrawing& drawing = parsed(icon);
    painter.strokePath(
        drawing.lines, QPen(color, drawing.width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.fillPath(drawing.areas, color);
}

QIcon makeIcon(Icon icon, const Theme& theme)
{
    return makeIcon([icon](QPainter& painter, const QRectF& rect,
                        const QColor& color) { drawIcon(painter, rect, icon, color); },
        iconColor(icon, theme), theme.dis);
}

} // namespace shardrack
