#include "report/text_block.h"

#include "report/units.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>

namespace shardrack {

namespace {

constexpr double kLeading = 1.32; ///< line height for one of type

QTextLayout::FormatRange formatOf(
    const Run& run, int start, const ReportStyle& style, double points, bool allBold)
{
    QTextLayout::FormatRange range;
    range.start = start;
    range.length = static_cast<int>(run.text.size());
    range.format.setFont(style.font(points, run.bold || allBold));
    range.format.setForeground(style.color(run.tone));
    return range;
}

} // namespace

TextBlock::TextBlock(const Rich& text, const ReportStyle& style, double points, qreal width,
    Qt::Alignment alignment, bool allBold)
{
    QString all;
    QList<QTextLayout::FormatRange> formats;
    for (const Run& run : text) {
        const int start = static_cast<int>(all.size());
        formats.append(formatOf(run, start, style, points, allBold));
        if (!run.target.isEmpty())
            m_targets.push_back({ start, start + static_cast<int>(run.text.size()), run.target });
        all += bound(run.text);
    }
    all.replace(u'\n', QChar::LineSeparator);
    const QFont font = style.font(points, allBold);
    m_lineHeight = pt(points) * kLeading;
    m_layout = std::make_shared<QTextLayout>(all, font);
    QTextOption option(alignment);
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    m_layout->setTextOption(option);
    m_layout->setFormats(formats);
    m_layout->setCacheEnabled(true);
    m_layout->beginLayout();
    const QFontMetricsF metrics(font);
    const qreal above = (m_lineHeight - metrics.ascent() - metrics.descent()) / 2;
    for (int number = 0;; ++number) {
        QTextLine line = m_layout->createLine();
        if (!line.isValid())
            break;
        line.setLineWidth(width);
        // A sign from another font must not move its line.
        line.setPosition(
            QPointF(0, number * m_lineHeight + above + metrics.ascent() - line.ascent()));
    }
    m_layout->endLayout();
}

void TextBlock::draw(QPainter& painter, QPointF at, int first, int end) const
{
    if (!m_layout)
        return;
    painter.setPen(Qt::black);
    const QPointF origin(at.x(), at.y() - first * m_lineHeight);
    for (int i = first; i < std::min(end, lineCount()); ++i)
        m_layout->lineAt(i).draw(&painter, origin);
}

std::vector<TextBlock::Place> TextBlock::places(int first, int end) const
{
    std::vector<Place> places;
    for (const Target& target : m_targets)
        for (int i = first; i < std::min(end, lineCount()); ++i) {
            const QTextLine line = m_layout->lineAt(i);
            const int from = std::max(target.first, line.textStart());
            const int to = std::min(target.end, line.textStart() + line.textLength());
            if (from >= to)
                continue;
            const qreal left = line.cursorToX(from);
            places.push_back(
                { QRectF(left, (i - first) * m_lineHeight, line.cursorToX(to) - left, m_lineHeight),
                    target.anchor });
        }
    return places;
}

qreal TextBlock::naturalWidth(
    const Rich& text, const ReportStyle& style, double points, bool allBold)
{
    qreal width = 0;
    qreal line = 0;
    for (const Run& run : text) {
        const QFontMetricsF metrics(style.font(points, run.bold || allBold));
        const QStringList lines = bound(run.text).split(u'\n');
        for (qsizetype i = 0; i < lines.size(); ++i) {
            line = (i == 0 ? line : 0) + metrics.horizontalAdvance(lines[i]);
            width = std::max(width, line);
        }
    }
    return width;
}

qreal TextBlock::longestWord(
    const Rich& text, const ReportStyle& style, double points, bool allBold)
{
    qreal width = 0;
    for (const Run& run : text) {
        const QFontMetricsF metrics(style.font(points, run.bold || allBold));
        for (const QString& word : bound(run.text).split(u' '))
            width = std::max(width, metrics.horizontalAdvance(word));
    }
    return width;
}

QString TextBlock::bound(QString text)
{
    for (const char* unit : { " GiB", " GB", " MiB", " B" }) {
        const QString spaced = QLatin1String(unit);
        text.replace(spaced, u'\u00a0' + spaced.mid(1));
    }
    return text;
}

QString plainText(const Rich& text)
{
    QString all;
    for (const Run& run : text)
        all += run.text;
    return all;
}

} // namespace shardrack
