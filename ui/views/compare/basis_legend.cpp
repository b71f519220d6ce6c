#include "compare/basis_legend.h"

#include "style/view_style.h"

#include <QPainter>

namespace shardrack {

namespace {
constexpr qreal kSide = 12;
constexpr qreal kIcon = 13;
constexpr qreal kGap = 5;
constexpr qreal kBetween = 18;
constexpr qreal kHeight = 22;
} // namespace

BasisLegend::BasisLegend(QWidget* parent)
    : QWidget(parent)
    , m_entries { { Icon::Stipulated, tr("given by a person") },
        { Icon::Derived, tr("computed from what is given") }, { Icon::Measured, tr("measured") },
        { Icon::NotEstablished, tr("not given or not established") },
        { Icon::Changed, tr("differs from the common workload: not ranked") } }
{
    setObjectName(QStringLiteral("basisLegend"));
    QStringList words;
    for (const auto& entry : m_entries)
        words << entry.second;
    setAccessibleName(tr("Marks: %1").arg(words.join(QStringLiteral(", "))));
}

QSize BasisLegend::sizeHint() const { return { 400, qRound(kHeight * uiScale()) }; }

void BasisLegend::paintEvent(QPaintEvent*)
{
    const PaintStyle style = styleOf(this);
    const Theme& theme = *style.theme;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), theme.alt);
    painter.fillRect(QRect(0, 0, width(), 1), theme.line2);
    const QFont font = style.font(type::kSecondary);
    const qreal icon = kIcon * style.textScale;
    qreal x = kSide;
    for (const auto& [mark, text] : m_entries) {
        const qreal wide = icon + kGap + lineWidth(text, font);
        if (x + wide > width() - kSide)
            return;
        drawIcon(
            painter, QRectF(x, (height() - icon) / 2, icon, icon), mark, iconColor(mark, theme));
        drawLine(painter, QRectF(x + icon + kGap, 0, wide, height()),
            Qt::AlignLeft | Qt::AlignVCenter, text, font, theme.text2);
        x += wide + kBetween;
    }
}

} // namespace shardrack
