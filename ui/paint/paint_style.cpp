#include "paint/paint_style.h"

#include "base/size_text.h"

#include <QCoreApplication>
#include <QFontInfo>
#include <QFontMetricsF>
#include <QGuiApplication>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace shardrack {

PaintStyle PaintStyle::screen(const Theme& theme, qreal devicePixelRatio)
{
    return PaintStyle(theme, Surface::Screen, QGuiApplication::font(), devicePixelRatio, uiScale());
}

PaintStyle PaintStyle::paper(const Theme& theme, const QFont& family)
{
    return PaintStyle(theme, Surface::Paper, family);
}

QFont PaintStyle::font(qreal px, int weight) const
{
    QFont font(base);
    font.setPixelSize(std::max(1, static_cast<int>(std::lround(px * textScale))));
    font.setWeight(static_cast<QFont::Weight>(weight));
#if QT_VERSION >= QT_VERSION_CHECK(6, 7, 0)
    font.setFeature(QFont::Tag("tnum"), 1);
#endif
    return font;
}

qreal PaintStyle::snap(qreal logical) const
{
    if (onPaper())
        return logical;
    return std::round(logical * devicePixelRatio) / devicePixelRatio;
}

QRectF PaintStyle::snap(const QRectF& rect) const
{
    return QRectF(QPointF(snap(rect.left()), snap(rect.top())),
        QPointF(snap(rect.right()), snap(rect.bottom())));
}

qreal uiScale()
{
    const QFontInfo info(QGuiApplication::font());
    return std::clamp(info.pixelSize() / type::kBase, 0.75, 4.0);
}

void drawLine(QPainter& painter, const QRectF& rect, int alignment, const QString& text,
    const QFont& font, const QColor& color)
{
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    painter.setPen(color);
    painter.drawText(rect, alignment | Qt::TextSingleLine | Qt::TextDontClip,
        metrics.elidedText(text, Qt::ElideRight, rect.width() + 1));
}

qreal lineWidth(const QString& text, const QFont& font)
{
    return QFontMetricsF(font).horizontalAdvance(text);
}

QString categoryTitle(Category category)
{
    return QCoreApplication::translate("Category", title(category));
}

QString gib(Bytes bytes, int decimals)
{
    return QString::fromStdString(gibNumber(bytes, decimals));
}

QString groupedNumber(std::int64_t number) { return QString::fromStdString(grouped(number)); }

} // namespace shardrack
