#pragma once

#include "report/report_style.h"

#include <QTextLayout>

#include <memory>
#include <vector>

namespace shardrack {

/// A text broken into lines of one width.
class TextBlock {
public:
    TextBlock() = default;
    TextBlock(const Rich& text, const ReportStyle& style, double points, qreal width,
        Qt::Alignment alignment = Qt::AlignLeft, bool allBold = false);

    int lineCount() const { return m_layout ? m_layout->lineCount() : 0; }
    qreal lineHeight() const { return m_lineHeight; }
    qreal height() const { return m_lineHeight * lineCount(); }
    /// Draws lines [first, end); the first one's upper left corner is at `at`.
    void draw(QPainter& painter, QPointF at, int first, int end) const;
    void draw(QPainter& painter, QPointF at) const { draw(painter, at, 0, lineCount()); }

    /// Rectangles of the runs that lead somewhere, on lines [first, end), from that first line.
    struct Place {
        QRectF rect;
        QString target;
    };
    std::vector<Place> places(int first, int end) const;

    /// The width of the text in one line, and of its longest word.
    static qreal naturalWidth(
        const Rich& text, const ReportStyle& style, double points, bool allBold);
    static qreal longestWord(
        const Rich& text, const ReportStyle& style, double points, bool allBold);

private:
    /// Numbers stay with their units.
    static QString bound(QString text);

    struct Target {
        int first, end; ///< characters
        QString anchor;
    };
    std::shared_ptr<QTextLayout> m_layout;
    qreal m_lineHeight = 0;
    std::vector<Target> m_targets;
};

} // namespace shardrack
