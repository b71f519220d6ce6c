#include "docks/catalogue_delegate.h"

#include "models/catalogue_model.h"
#include "style/view_style.h"

#include <QPainter>

namespace shardrack {

namespace {

constexpr qreal kMargin = 10;
constexpr qreal kTextLeft = kMargin + metrics::kIcon + 10;

Icon iconOf(CatalogueModel::IconKind kind)
{
    switch (kind) {
    case CatalogueModel::IconKind::Rack:
        return Icon::Rack;
    case CatalogueModel::IconKind::Server:
        return Icon::Server;
    case CatalogueModel::IconKind::Gpu:
        break;
    }
    return Icon::Gpu;
}

void drawChevron(QPainter& painter, const QPointF& middle, bool open, const QColor& color)
{
    QPolygonF line { QPointF(-3, -1.5), QPointF(0, 1.5), QPointF(3, -1.5) };
    if (!open)
        line = QPolygonF { QPointF(-1.5, -3), QPointF(1.5, 0), QPointF(-1.5, 3) };
    painter.setPen(QPen(color, 1.2));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(line.translated(middle));
}

} // namespace

void CatalogueDelegate::paint(
    QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const PaintStyle style = styleOf(option.widget);
    const Theme& theme = *style.theme;
    const QRectF row(option.rect);
    const bool group = index.data(CatalogueModel::IsGroupRole).toBool();
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    const bool hovered = option.state.testFlag(QStyle::State_MouseOver);
    const bool focused = option.state.testFlag(QStyle::State_HasFocus);
    const QString name = index.data(Qt::DisplayRole).toString();
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (group) {
        const QRectF band = row.adjusted(0, 5, 0, 0);
        painter->fillRect(band, theme.dock);
        drawChevron(*painter, QPointF(row.left() + kMargin + 3, band.center().y()),
            option.state.testFlag(QStyle::State_Open), theme.text3);
        const QRectF text = band.adjusted(kMargin + 12, 0, -kMargin, 0);
        drawLine(*painter, text, Qt::AlignVCenter, name, style.font(type::kBase, type::kSemibold),
            theme.text2);
        drawLine(*painter, text, Qt::AlignVCenter | Qt::AlignRight,
            QString::number(index.model()->rowCount(index)), style.font(type::kSecondary),
            theme.text2);
    } else {
        painter->fillRect(row, selected ? theme.accentTint : hovered ? theme.alt : theme.view);
        const QRectF icon(row.left() + kMargin, row.center().y() - metrics::kIcon / 2.0,
            metrics::kIcon, metrics::kIcon);
        drawIcon(*painter, icon,
            iconOf(index.data(CatalogueModel::IconKindRole).value<CatalogueModel::IconKind>()),
            theme.text2);
        const QRectF grip(row.right() - kMargin - 12, row.center().y() - 6, 12, 12);
        drawIcon(*painter, grip, Icon::Grip, hovered || selected ? theme.text2 : theme.text3);
        const QRectF text(row.left() + kTextLeft, row.top() + 2,
            grip.left() - row.left() - kTextLeft - 4, row.height() - 4);
        const QRectF upper(text.topLeft(), QSizeF(text.width(), text.height() / 2 + 1));
        const QRectF lower(
            QPointF(text.left(), upper.bottom() - 2), QSizeF(text.width(), text.height() / 2));
        drawLine(*painter, upper, Qt::AlignVCenter, name, style.font(type::kBase), theme.text);
        drawLine(*painter, lower, Qt::AlignVCenter,
            index.data(CatalogueModel::DetailRole).toString(), style.font(type::kSecondary),
            theme.text2);
        painter->fillRect(QRectF(row.left(), row.bottom() - 1, row.width(), 1), theme.line3);
    }
    if (focused) {
        painter->setPen(QPen(theme.accent, 1));
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(row.adjusted(0.5, group ? 5.5 : 0.5, -0.5, -1.5));
    }
    painter->restore();
}

QSize CatalogueDelegate::sizeHint(
    const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const PaintStyle style = styleOf(option.widget);
    const qreal width = kTextLeft + 30
        + lineWidth(index.data(Qt::DisplayRole).toString(), style.font(type::kBase));
    return { qCeil(width), qRound(metrics::kTreeRow * style.textScale) };
}

} // namespace shardrack
