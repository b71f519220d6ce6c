#include "docks/measurement_list.h"

#include "docks/paragraph.h"
#include "models/measurement_model.h"
#include "style/view_style.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>

#include <algorithm>

namespace shardrack {

namespace {

using Standing = MeasurementRow::Standing;

constexpr qreal kMargin = 10;
constexpr qreal kTextLeft = kMargin + metrics::kIcon + 9;
constexpr qreal kPadding = 6;
constexpr qreal kGap = 1;

Standing standingOf(const QModelIndex& index)
{
    return static_cast<Standing>(index.data(MeasurementModel::StandingRole).toInt());
}

/// What counts has the tick of a fit, what contradicts the ring with ×; the rest is evidence all
/// the same.
void drawMark(QPainter& painter, const QRectF& rect, Standing standing, const Theme& theme)
{
    switch (standing) {
    case Standing::Counts:
        return drawGlyph(painter, rect, Glyph::Fit, theme);
    case Standing::CountsPartly:
        return drawGlyph(painter, rect, Glyph::PartlyDemonstrated, theme);
    case Standing::DoesNotCount:
        return drawIcon(painter, rect, Icon::Flag, theme.flag);
    case Standing::OtherState:
        return drawIcon(painter, rect, Icon::Changed, theme.flag);
    case Standing::Contradicts:
        break;
    }
    drawGlyph(painter, rect, Glyph::Contradicted, theme);
}

} // namespace

struct MeasurementDelegate::Parts {
    Paragraph devices;
    Paragraph about;
    Paragraph verdict;
    qreal height() const
    {
        return 2 * kPadding + devices.height() + about.height() + verdict.height() + 2 * kGap;
    }
};

MeasurementDelegate::MeasurementDelegate(QListView* view)
    : QStyledItemDelegate(view)
    , m_view(view)
{
}

MeasurementDelegate::Parts MeasurementDelegate::parts(const QModelIndex& index) const
{
    const PaintStyle style = styleOf(m_view);
    const QFont bold = style.font(type::kBase, type::kSemibold);
    const qreal width = m_view->viewport()->width() - kTextLeft - kMargin;
    const auto text = [&](int role) { return index.data(role).toString(); };
    const qreal peak = lineWidth(text(MeasurementModel::PeakRole), bold) + 10;
    const QFont small = style.font(type::kSecondary);
    QStringList about { MeasurementList::tr("%1; covers %2")
                            .arg(text(MeasurementModel::MemoryRole),
                                text(MeasurementModel::CoversRole)),
        text(MeasurementModel::AgainstRole) };
    about.removeAll(QString());
    return { Paragraph(text(MeasurementModel::DevicesRole), {}, bold, width - peak),
        Paragraph(about.join(u'\n'), {}, small, width),
        Paragraph(text(MeasurementModel::VerdictRole), {}, small, width) };
}

void MeasurementDelegate::paint(
    QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const PaintStyle style = styleOf(m_view);
    const Theme& theme = *style.theme;
    const QRectF row(option.rect);
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->fillRect(row, selected ? theme.accentTint : theme.view);
    painter->fillRect(QRectF(row.left(), row.bottom() - 1, row.width(), 1), theme.line3);
    drawMark(*painter,
        QRectF(row.left() + kMargin, row.top() + kPadding + 1, metrics::kIcon, metrics::kIcon)
            .adjusted(0.5, 0.5, -0.5, -0.5),
        standingOf(index), theme);
    Parts text = parts(index);
    qreal y = row.top() + kPadding;
    const QFont bold = style.font(type::kBase, type::kSemibold);
    text.devices.draw(*painter, { row.left() + kTextLeft, y }, theme.text, theme.link);
    drawLine(*painter,
        QRectF(row.left() + kTextLeft, y, row.width() - kTextLeft - kMargin,
            QFontMetricsF(bold).height()),
        Qt::AlignRight | Qt::AlignVCenter, index.data(MeasurementModel::PeakRole).toString(), bold,
        theme.text);
    y += text.devices.height();
    y += kGap;
    text.about.draw(*painter, { row.left() + kTextLeft, y }, theme.text2, theme.link);
    y += text.about.height() + kGap;
    const bool over = standingOf(index) == Standing::Contradicts;
    text.verdict.draw(
        *painter, { row.left() + kTextLeft, y }, over ? theme.overText : theme.text, theme.link);
    if (option.state.testFlag(QStyle::State_HasFocus)) {
        painter->setPen(QPen(theme.accent, 1));
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(row.adjusted(0.5, 0.5, -0.5, -1.5));
    }
    painter->restore();
}

QSize MeasurementDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const
{
    // As wide as the view in any case: the text wraps.
    return { 0, qCeil(parts(index).height()) };
}

MeasurementList::MeasurementList(QWidget* parent)
    : QListView(parent)
{
    setObjectName(QStringLiteral("measurements"));
    setAccessibleName(tr("Measured peaks"));
    setItemDelegate(new MeasurementDelegate(this));
    setFrameShape(QFrame::NoFrame);
    setUniformItemSizes(false);
    setResizeMode(QListView::Adjust);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setTabKeyNavigation(false);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void MeasurementList::setModel(QAbstractItemModel* model)
{
    QListView::setModel(model);
    for (const auto signal :
        { &QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved })
        connect(model, signal, this, &MeasurementList::fit);
    connect(model, &QAbstractItemModel::modelReset, this, &MeasurementList::fit);
    connect(model, &QAbstractItemModel::dataChanged, this, &MeasurementList::fit);
}

bool MeasurementList::otherState(int row) const
{
    return row >= 0 && row < model()->rowCount()
        && standingOf(model()->index(row, 0)) == Standing::OtherState;
}

QSize MeasurementList::sizeHint() const
{
    constexpr int kMostShown = 6; // above, the list scrolls by itself
    int height = 0;
    const int rows = model() ? std::min(model()->rowCount(), kMostShown) : 0;
    for (int row = 0; row < rows; ++row)
        height += sizeHintForIndex(model()->index(row, 0)).height();
    return { qRound(metrics::kRightDock * uiScale()), height };
}

void MeasurementList::fit()
{
    scheduleDelayedItemsLayout();
    setVisible(model()->rowCount() > 0);
    updateGeometry();
}

void MeasurementList::currentChanged(const QModelIndex& current, const QModelIndex& previous)
{
    QListView::currentChanged(current, previous);
    emit currentRowChanged();
}

void MeasurementList::keyPressEvent(QKeyEvent* event)
{
    const int row = currentRow();
    if (row >= 0 && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter))
        emit changeRequested(row);
    else if (row >= 0 && event->key() == Qt::Key_Delete)
        emit removeRequested(row);
    else
        QListView::keyPressEvent(event);
}

void MeasurementList::mouseDoubleClickEvent(QMouseEvent* event)
{
    QListView::mouseDoubleClickEvent(event);
    if (const QModelIndex index = indexAt(event->pos()); index.isValid())
        emit changeRequested(index.row());
}

void MeasurementList::contextMenuEvent(QContextMenuEvent* event)
{
    const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
    const QModelIndex index = byKey ? currentIndex() : indexAt(event->pos());
    if (!index.isValid())
        return;
    const int row = index.row();
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(tr("&Change…"), this, [this, row] { emit changeRequested(row); });
    menu->addAction(tr("Still &applies"), this, [this, row] { emit stillAppliesRequested(row); })
        ->setEnabled(otherState(row));
    menu->addSeparator();
    menu->addAction(tr("&Remove"), this, [this, row] { emit removeRequested(row); });
    menu->popup(byKey ? viewport()->mapToGlobal(visualRect(index).center()) : event->globalPos());
}

void MeasurementList::resizeEvent(QResizeEvent* event)
{
    const bool wider = event->size().width() != event->oldSize().width();
    QListView::resizeEvent(event);
    if (wider) {
        scheduleDelayedItemsLayout();
        updateGeometry();
    }
}

} // namespace shardrack
