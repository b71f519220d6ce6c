#include "docks/paragraph.h"

#include <QPainter>

#include <algorithm>

namespace shardrack {

Paragraph::Paragraph(const QString& text, const QString& link, const QFont& font, qreal width)
{
    QString all = text;
    if (!link.isEmpty()) {
        if (!all.isEmpty())
            all += u' ';
        m_linkStart = static_cast<int>(all.size());
        m_linkLength = static_cast<int>(link.size());
        all += link;
    }
    all.replace(u'\n', QChar::LineSeparator);
    m_layout.setText(all);
    m_layout.setFont(font);
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    m_layout.setTextOption(option);
    m_layout.beginLayout();
    for (QTextLine line = m_layout.createLine(); line.isValid(); line = m_layout.createLine()) {
        line.setLineWidth(std::max(width, 20.0));
        line.setPosition({ 0, m_height });
        m_height += line.height();
    }
    m_layout.endLayout();
}

void Paragraph::draw(QPainter& painter, const QPointF& at, const QColor& ink, const QColor& linkInk)
{
    painter.setPen(ink);
    QList<QTextLayout::FormatRange> ranges;
    if (m_linkLength > 0) {
        QTextCharFormat format;
        format.setForeground(linkInk);
        format.setFontUnderline(true);
        ranges.append({ m_linkStart, m_linkLength, format });
    }
    m_layout.draw(&painter, at, ranges);
}

bool Paragraph::onLink(const QPointF& point) const
{
    if (m_linkLength == 0)
        return false;
    for (int i = 0; i < m_layout.lineCount(); ++i) {
        const QTextLine line = m_layout.lineAt(i);
        if (!line.naturalTextRect().contains(point))
            continue;
        const int cursor = line.xToCursor(point.x(), QTextLine::CursorOnCharacter);
        return cursor >= m_linkStart && cursor < m_linkStart + m_linkLength;
    }
    return false;
}

} // namespace shardrack
