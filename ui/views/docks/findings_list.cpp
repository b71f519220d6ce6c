#include "docks/findings_list.h"

#include "docks/paragraph.h"
#include "models/findings_model.h"
#include "style/view_style.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

namespace shardrack {

namespace {

constexpr qreal kMargin = 10;
constexpr qreal kTextLeft = kMargin + metrics::kIcon + 9;
constexpr qreal kPadding = 6;

/// The mark before a row: a finding's glyph, else an icon by severity.
void drawMark(QPainter& painter, const QRectF& rect, const QModelIndex& index, const Theme& theme)
{
    const int value = index.data(FindingsModel::ValueRole).toInt();
    switch (static_cast<FindingRow::Kind>(index.data(FindingsModel::KindRole).toInt())) {
    case FindingRow::Kind::Capacity:
        return drawGlyph(painter, rect, glyphOf(static_cast<Capacity>(value)), theme);
    case FindingRow::Kind::Demonstrated:
        return drawGlyph(painter, rect, glyphOf(static_cast<Demonstrated>(value)), theme);
    case FindingRow::Kind::Training:
        return drawGlyph(painter, rect, glyphOf(static_cast<TrainingResult>(value)), theme);
    case FindingRow::Kind::Warning:
        break;
    }
    switch (static_cast<Warning::Severity>(value)) {
    case Warning::Severity::Error:
        return drawIcon(painter, rect, Icon::Misleading, theme.overText);
    case Warning::Severity::Warning:
        return drawIcon(painter, rect, Icon::Flag, theme.flag);
    case Warning::Severity::Note:
        break;
    }
    drawIcon(painter, rect, Icon::Note, theme.text2);
}

} // namespace

struct FindingsDelegate::Parts {
    Paragraph title;
    Paragraph text;
    qreal height() const { return title.height() + 1 + text.height() + 2 * kPadding; }
};

FindingsDelegate::FindingsDelegate(QListView* view)
    : QStyledItemDelegate(view)
    , m_view(view)
{
}

FindingsDelegate::Parts FindingsDelegate::parts(const QModelIndex& index) const
{
    const PaintStyle style = styleOf(m_view);
    const qreal width = m_view->viewport()->width() - kTextLeft - kMargin;
    return { Paragraph(index.data(Qt::DisplayRole).toString(), {},
                 style.font(type::kBase, type::kSemibold), width),
        Paragraph(index.data(FindingsModel::TextRole).toString(),
            index.data(FindingsModel::LinkRole).toString(), style.font(type::kSecondary), width) };
}

void FindingsDelegate::paint(
    QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Theme& theme = themeOf(m_view);
    const QRectF row(option.rect);
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    const bool capacity = index.data(FindingsModel::KindRole).toInt()
        == static_cast<int>(FindingRow::Kind::Capacity);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->fillRect(row, selected ? theme.accentTint : capacity ? theme.alt : theme.view);
    painter->fillRect(QRectF(row.left(), row.bottom() - 1, row.width(), 1), theme.line3);
    drawMark(*painter,
        QRectF(row.left() + kMargin, row.top() + kPadding + 1, metrics::kIcon, metrics::kIcon)
            .adjusted(0.5, 0.5, -0.5, -0.5),
        index, theme);
    Parts text = parts(index);
    const QPointF at(row.left() + kTextLeft, row.top() + kPadding);
    text.title.draw(*painter, at, theme.text, theme.link);
    text.text.draw(*painter, at + QPointF(0, text.title.height() + 1), theme.text2, theme.link);
    if (option.state.testFlag(QStyle::State_HasFocus)) {
        painter->setPen(QPen(theme.accent, 1));
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(row.adjusted(0.5, 0.5, -0.5, -1.5));
    }
    painter->restore();
}

QSize FindingsDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const
{
    // As wide as the view in any case: the text wraps.
    return { 0, qCeil(parts(index).height()) };
}

bool FindingsDelegate::onLink(const QModelIndex& index, const QPointF& point) const
{
    const Parts text = parts(index);
    const QRectF row(m_view->visualRect(index));
    const QPointF at(row.left() + kTextLeft, row.top() + kPadding + text.title.height() + 1);
    return text.text.onLink(point - at);
}

FindingsList::FindingsList(QWidget* parent)
    : QListView(parent)
    , m_delegate(new FindingsDelegate(this))
{
    setObjectName(QStringLiteral("findings"));
    setAccessibleName(tr("Findings"));
    setItemDelegate(m_delegate);
    setFrameShape(QFrame::NoFrame);
    setUniformItemSizes(false);
    setResizeMode(QListView::Adjust);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setMouseTracking(true);
    viewport()->setMouseTracking(true);
}

QModelIndex FindingsList::linkAt(const QPointF& point) const
{
    const QModelIndex index = indexAt(point.toPoint());
    return index.isValid() && m_delegate->onLink(index, point) ? index : QModelIndex();
}

void FindingsList::mouseMoveEvent(QMouseEvent* event)
{
    viewport()->setCursor(
        linkAt(event->position()).isValid() ? Qt::PointingHandCursor : Qt::ArrowCursor);
    QListView::mouseMoveEvent(event);
}

void FindingsList::mouseReleaseEvent(QMouseEvent* event)
{
    const QModelIndex link = linkAt(event->position());
    QListView::mouseReleaseEvent(event);
    if (event->button() == Qt::LeftButton && link.isValid())
        emit followed(link);
}

void FindingsList::keyPressEvent(QKeyEvent* event)
{
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    const QModelIndex index = currentIndex();
    if (enter && index.isValid() && !index.data(FindingsModel::ActionRole).toString().isEmpty()) {
        emit followed(index);
        return;
    }
    QListView::keyPressEvent(event);
}

void FindingsList::resizeEvent(QResizeEvent* event)
{
    QListView::resizeEvent(event);
    scheduleDelayedItemsLayout();
}

} // namespace shardrack
