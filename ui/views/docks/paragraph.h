#pragma once

#include <QColor>
#include <QFont>
#include <QTextLayout>

class QPainter;

namespace shardrack {

/// A wrapped text that may end in a link, laid out for one width.
class Paragraph {
public:
    Paragraph(const QString& text, const QString& link, const QFont& font, qreal width);
    qreal height() const { return m_height; }
    void draw(QPainter& painter, const QPointF& at, const QColor& ink, const QColor& linkInk);
    /// Whether a point (relative to the paragraph) is on the link.
    bool onLink(const QPointF& point) const;

private:
    QTextLayout m_layout;
    int m_linkStart = 0;
    int m_linkLength = 0;
    qreal m_height = 0;
};

} // namespace shardrack
