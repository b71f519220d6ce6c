#include "editors/segment_button.h"

#include "style/view_style.h"

#include <QPainter>

namespace shardrack {

SegmentButton::SegmentButton(const QString& text, QWidget* parent)
    : QPushButton(text, parent)
{
    setCheckable(true);
    setAutoDefault(false);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QSize SegmentButton::sizeHint() const
{
    const PaintStyle style = styleOf(this);
    return { qCeil(lineWidth(text(), style.font(type::kBase, type::kSemibold))) + 8,
        qRound(metrics::kField * style.textScale) };
}

void SegmentButton::paintEvent(QPaintEvent*)
{
    const PaintStyle style = styleOf(this);
    const Theme& theme = *style.theme;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF area = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    const bool chosen = isChecked() && isEnabled();
    const QColor ground = chosen ? theme.accentTint : isEnabled() ? theme.btn : theme.win;
    painter.setPen(QPen(chosen ? theme.accent : theme.btnLine, chosen ? 1.4 : 1));
    painter.setBrush(isDown() ? mixed(ground, theme.accent, 0.15) : ground);
    painter.drawRoundedRect(area, metrics::kFieldRadius, metrics::kFieldRadius);
    if (hasFocus()) {
        painter.setPen(QPen(theme.accent, 1, Qt::DotLine));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(area.adjusted(2.5, 2.5, -2.5, -2.5), 2, 2);
    }
    const QFont font = style.font(type::kBase, isChecked() ? type::kSemibold : type::kRegular);
    drawLine(painter, area, Qt::AlignCenter, text(), font, isEnabled() ? theme.text : theme.dis);
}

} // namespace shardrack
