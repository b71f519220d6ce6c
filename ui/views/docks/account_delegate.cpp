#include "docks/account_delegate.h"

#include "docks/paragraph.h"
#include "models/account_model.h"
#include "models/number_text.h"
#include "paint/stacked_bar.h"
#include "style/view_style.h"

#include <QHelpEvent>
#include <QPainter>
#include <QTableView>
#include <QToolTip>

namespace shardrack {

namespace {

using Kind = AccountRow::Kind;

constexpr qreal kSwatch = 13;
constexpr qreal kNameLeft = AccountDelegate::kMargin + kSwatch + 11;
constexpr qreal kPadding = 4; ///< above and below a row's text
constexpr qreal kBeforeBadge = 8;
constexpr qreal kBadgePadding = 6;

Kind kindOf(const QModelIndex& index)
{
    return static_cast<Kind>(index.data(AccountModel::KindRole).toInt());
}

bool isHeader(Kind kind) { return kind == Kind::Section || kind == Kind::Rank; }
bool isBold(Kind kind) { return isHeader(kind) || kind == Kind::Sum || kind == Kind::Headroom; }
bool hasSwatch(Kind kind) { return kind == Kind::Term || kind == Kind::Part; }
/// Whether nothing but the text stands in the row.
bool isRemark(Kind kind) { return kind == Kind::Remark || kind == Kind::MoreRanks; }

QFont nameFont(const PaintStyle& style, Kind kind)
{
    if (isHeader(kind))
        return style.font(type::kSecondary, type::kSemibold);
    if (isRemark(kind))
        return style.font(type::kSecondary);
    return style.font(type::kBase, isBold(kind) ? type::kSemibold : type::kRegular);
}

qreal lineHeight(const PaintStyle& style)
{
    return std::ceil(QFontMetricsF(style.font(type::kBase)).height());
}

} // namespace

AccountDelegate::AccountDelegate(QTableView* view)
    : QStyledItemDelegate(view)
    , m_view(view)
{
}

QString AccountDelegate::textBelow(const QModelIndex& name)
{
    const QString detail = name.data(AccountModel::DetailRole).toString();
    const QString note = name.data(AccountModel::NoteRole).toString();
    if (detail.isEmpty() || note.isEmpty())
        return detail + note;
    return detail + u'\n' + note;
}

bool AccountDelegate::tried() const
{
    return static_cast<const AccountModel*>(m_view->model())->hasWhatIf();
}

int AccountDelegate::lastColumn() const
{
    return tried() ? AccountModel::ChangeColumn : AccountModel::NowColumn;
}

/// Three columns of figures have no room for words: "≥ 24.00".
QString AccountDelegate::figureText(const QModelIndex& index) const
{
    QString text = index.data(Qt::DisplayRole).toString();
    if (tried()) {
        text.replace(NumberText::tr("at least %1").arg(QString()), QStringLiteral("\u2265 "));
        text.replace(AccountModel::tr("at most %1").arg(QString()), QStringLiteral("\u2264 "));
    }
    return text;
}

/// A sentence beside arithmetic is left to the tool tip, except where it says that the figure is
/// not what one might think, a state that nobody divided, or what part of a model it is of.
QString AccountDelegate::shownBelow(const QModelIndex& name) const
{
    const int category = name.data(AccountModel::CategoryRole).toInt();
    const bool tells = category == static_cast<int>(Category::State)
        || category == static_cast<int>(Category::Parameters);
    const QString detail = name.data(AccountModel::DetailRole).toString();
    const QString text = detail.isEmpty() || (tells && !tried()) ? textBelow(name) : detail;
    const QString divided = name.data(AccountModel::DividedRole).toString();
    return divided.isEmpty() || tried() ? text : text + u'\n' + divided;
}

bool AccountDelegate::helpEvent(QHelpEvent* event, QAbstractItemView* view,
    const QStyleOptionViewItem& option, const QModelIndex& index)
{
    if (event->type() != QEvent::ToolTip || index.column() != AccountModel::NameColumn)
        return QStyledItemDelegate::helpEvent(event, view, option, index);
    QString text = textBelow(index);
    if (const QString divided = index.data(AccountModel::DividedRole).toString();
        !divided.isEmpty())
        text += (text.isEmpty() ? QString() : QStringLiteral("\n")) + divided;
    const QString name = index.data(Qt::DisplayRole).toString();
    QToolTip::showText(event->globalPos(), text.isEmpty() ? name : name + u'\n' + text, view);
    return true;
}

void AccountDelegate::paint(
    QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Theme& theme = themeOf(option.widget);
    const QRectF cell(option.rect);
    const Kind kind = kindOf(index);
    painter->save();
    painter->setClipRect(cell, Qt::IntersectClip);
    painter->setRenderHint(QPainter::Antialiasing);
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    painter->fillRect(cell, selected ? theme.accentTint : isHeader(kind) ? theme.alt : theme.view);
    if (kind == Kind::Sum)
        painter->fillRect(QRectF(cell.left(), cell.top(), cell.width(), 1), theme.line);
    else if (!isHeader(kind) && !isBold(kind) && hasSwatch(kind))
        painter->fillRect(QRectF(cell.left(), cell.bottom() - 1, cell.width(), 1), theme.line3);
    if (index.column() == AccountModel::NameColumn)
        paintName(*painter, cell, index);
    else
        paintFigure(*painter, cell, index);
    paintBelow(*painter, index);
    if (option.state.testFlag(QStyle::State_HasFocus)) {
        painter->setPen(QPen(theme.accent, 1));
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(cell.adjusted(0.5, 0.5, -0.5, -0.5));
    }
    painter->restore();
}

void AccountDelegate::paintName(
    QPainter& painter, const QRectF& cell, const QModelIndex& index) const
{
    const PaintStyle style = styleOf(m_view);
    const Theme& theme = *style.theme;
    const Kind kind = kindOf(index);
    const qreal height = lineHeight(style);
    if (hasSwatch(kind)) {
        const QModelIndex figure = index.siblingAtColumn(lastColumn() == AccountModel::NowColumn
                ? AccountModel::NowColumn
                : AccountModel::WhatIfColumn);
        const QRectF swatch(cell.left() + kMargin, cell.top() + kPadding + (height - kSwatch) / 2,
            kSwatch, kSwatch);
        if (figure.data(AccountModel::EstablishedRole).toBool())
            drawSwatch(painter, swatch,
                static_cast<Category>(index.data(AccountModel::CategoryRole).toInt()), style);
        else
            drawOpenSwatch(painter, swatch, style);
    } else if (kind == Kind::Margin) {
        const qreal y = cell.top() + kPadding + height / 2;
        drawLimitLine(painter,
            QPolygonF { QPointF(cell.left() + kMargin, y), QPointF(cell.left() + kMargin + 15, y) },
            LimitLine::Margin, style);
    }
    if (isRemark(kind) || isHeader(kind))
        return; // over the whole row
    const qreal left = cell.left() + kNameLeft;
    const QString name = index.data(Qt::DisplayRole).toString();
    drawLine(painter, QRectF(left, cell.top() + kPadding, cell.right() - left, height),
        Qt::AlignVCenter, name, nameFont(style, kind), theme.text);
    const qreal after = left + lineWidth(name, nameFont(style, kind)) + kBeforeBadge;
    paintBadge(painter, QRectF(after, cell.top() + kPadding, cell.right() - after, height), index);
}

/// Who else holds the term, in a small frame beside its name; left out where it has no room.
void AccountDelegate::paintBadge(
    QPainter& painter, const QRectF& room, const QModelIndex& name) const
{
    const QString sharing = name.data(AccountModel::SharingRole).toString();
    const PaintStyle style = styleOf(m_view);
    const QFont font = style.font(type::kAxis);
    const qreal width = lineWidth(sharing, font) + 2 * kBadgePadding;
    if (sharing.isEmpty() || width > room.width())
        return;
    const qreal height = std::min(room.height(), std::ceil(QFontMetricsF(font).height()) + 1);
    const QRectF badge(room.left(), room.center().y() - height / 2, width, height);
    painter.setPen(QPen(style.theme->line, 1));
    painter.setBrush(style.theme->alt);
    painter.drawRoundedRect(badge.adjusted(0.5, 0.5, -0.5, -0.5), height / 2, height / 2);
    drawLine(painter, badge, Qt::AlignCenter, sharing, font, style.theme->text2);
}

void AccountDelegate::paintFigure(
    QPainter& painter, const QRectF& cell, const QModelIndex& index) const
{
    const PaintStyle style = styleOf(m_view);
    const Theme& theme = *style.theme;
    const Kind kind = kindOf(index);
    const qreal height = lineHeight(style);
    const bool last = index.column() == lastColumn();
    const bool beside = tried();
    QRectF place(cell.left(), cell.top() + kPadding, cell.width(), height);
    if (last)
        place.setRight(place.right() - kBasisRoom);
    if (kind == Kind::Section && last && !beside && index.row() == 0) {
        drawLine(painter, place, Qt::AlignRight | Qt::AlignVCenter, tr("GiB"),
            style.font(type::kSecondary), theme.text2);
        return;
    }

    QColor ink = theme.text;
    int weight = isBold(kind) ? type::kSemibold : type::kRegular;
    if (index.column() == AccountModel::ChangeColumn) {
        switch (static_cast<AccountModel::Tone>(index.data(AccountModel::ToneRole).toInt())) {
        case AccountModel::Tone::Better:
            ink = theme.okText;
            weight = type::kBold;
            break;
        case AccountModel::Tone::Worse:
            ink = theme.overText;
            weight = type::kBold;
            break;
        case AccountModel::Tone::None:
            ink = theme.text2;
            break;
        }
    } else if (index.data(AccountModel::OverRole).toBool()) {
        ink = theme.overText;
    } else if (beside && index.column() == AccountModel::NowColumn) {
        ink = theme.text2;
    } else if (beside) {
        weight = type::kSemibold;
    }
    drawLine(painter, place, Qt::AlignRight | Qt::AlignVCenter, figureText(index),
        style.font(type::kBase, weight), ink);

    if (!last)
        return;
    const QModelIndex basis = beside ? index.siblingAtColumn(AccountModel::WhatIfColumn) : index;
    const int provenance = basis.data(AccountModel::ProvenanceRole).toInt();
    if (provenance < 0)
        return;
    const Icon icon = iconOf(static_cast<Provenance>(provenance));
    drawIcon(painter, QRectF(cell.right() - kBasisRoom + 8, place.center().y() - 6.5, 13, 13), icon,
        iconColor(icon, theme));
}

/// What is below the name, in the row's own coordinates: each cell paints its part of it.
void AccountDelegate::paintBelow(QPainter& painter, const QModelIndex& index) const
{
    const QModelIndex name = index.siblingAtColumn(AccountModel::NameColumn);
    const Kind kind = kindOf(index);
    const PaintStyle style = styleOf(m_view);
    const qreal left = m_view->columnViewportPosition(AccountModel::NameColumn)
        + (isHeader(kind) ? kMargin : kNameLeft);
    const qreal width = m_view->viewport()->width() - left - kMargin;
    qreal y = m_view->rowViewportPosition(index.row()) + kPadding;
    QString text;
    if (isHeader(kind)) {
        drawLine(painter, QRectF(left, y, width - kBasisRoom, lineHeight(style)), Qt::AlignVCenter,
            name.data(Qt::DisplayRole).toString(), nameFont(style, kind), style.theme->text2);
    }
    if (isRemark(kind)) {
        text = name.data(Qt::DisplayRole).toString();
    } else {
        text = shownBelow(name);
        y += lineHeight(style) - 1;
    }
    if (!text.isEmpty())
        Paragraph(text, {}, style.font(type::kSecondary), width)
            .draw(painter, { left, y }, style.theme->text2, style.theme->link);
}

int AccountDelegate::rowHeight(int row) const
{
    const QModelIndex name = m_view->model()->index(row, AccountModel::NameColumn);
    const PaintStyle style = styleOf(m_view);
    const Kind kind = kindOf(name);
    const qreal width
        = m_view->viewport()->width() - (isHeader(kind) ? kMargin : kNameLeft) - kMargin;
    const QFont small = style.font(type::kSecondary);
    qreal height = 2 * kPadding;
    if (isRemark(kind)) {
        height += Paragraph(name.data(Qt::DisplayRole).toString(), {}, small, width).height();
    } else {
        height += lineHeight(style);
        const QString text = shownBelow(name);
        if (!text.isEmpty())
            height += Paragraph(text, {}, small, width).height();
    }
    return qCeil(height);
}

QSize AccountDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const
{
    const PaintStyle style = styleOf(m_view);
    const QFont font = style.font(type::kBase, type::kBold);
    qreal width = kFigureGap + lineWidth(figureText(index), font);
    if (index.column() == lastColumn())
        width += kBasisRoom;
    return { qCeil(width), rowHeight(index.row()) };
}

} // namespace shardrack
