#include "compare/comparison_table.h"

#include "compare/comparison_delegate.h"
#include "compare/comparison_header.h"
#include "compare/comparison_model.h"
#include "style/view_style.h"

#include <QHeaderView>
#include <QKeyEvent>

#include <algorithm>

namespace shardrack {

namespace {

constexpr int kTitleWidth = 168;
constexpr int kNarrowestOffer = 180;

} // namespace

ComparisonTable::ComparisonTable(ComparisonModel& model, QWidget* parent)
    : QTableView(parent)
    , m_model(model)
    , m_delegate(new ComparisonDelegate(this))
{
    setObjectName(QStringLiteral("comparisonTable"));
    setAccessibleName(tr("Comparison of offers"));
    setModel(&model);
    setItemDelegate(m_delegate);
    auto* header = new ComparisonHeader(model, this);
    setHorizontalHeader(header);
    verticalHeader()->hide();
    verticalHeader()->setMinimumSectionSize(1);
    horizontalHeader()->setMinimumSectionSize(1);
    setShowGrid(false);
    setFrameShape(QFrame::NoFrame);
    setCornerButtonEnabled(false);
    setWordWrap(true);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setEditTriggers(QAbstractItemView::EditKeyPressed);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setTabKeyNavigation(false);
    // A bar that comes and goes would change the width that decides on it.
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    connect(header, &QHeaderView::sectionClicked, this, [this](int section) {
        if (section > 0)
            emit openRequested(section);
    });
    connect(&model, &QAbstractItemModel::modelReset, this, &ComparisonTable::layOut);
    connect(&model, &QAbstractItemModel::dataChanged, this, &ComparisonTable::layOut);
}

void ComparisonTable::layOut()
{
    if (m_model.columnCount() == 0)
        return;
    layOutColumns();
    layOutRows();
    horizontalHeader()->viewport()->update();
    viewport()->update();
}

void ComparisonTable::layOutColumns()
{
    const qreal scale = uiScale();
    const int offers = m_model.columnCount() - 1;
    const int title = qRound(kTitleWidth * scale);
    m_laidOutWidth = viewport()->width();
    const int room = m_laidOutWidth - title;
    const int each = std::max(qRound(kNarrowestOffer * scale), room / offers);
    m_delegate->setTitleWidth(title);
    setColumnWidth(0, title);
    for (int column = 1; column <= offers; ++column)
        setColumnWidth(column, each);
    setColumnWidth(offers, std::max(each, room - each * (offers - 1))); // what division left over
    updateGeometries(); // the head is as high as its words need
}

void ComparisonTable::layOutRows()
{
    using Kind = ComparisonModel::Kind;
    const int columns = m_model.columnCount();
    clearSpans();
    QStyleOptionViewItem option;
    initViewItemOption(&option);
    option.widget = this;
    int whole = 0;
    for (int column = 0; column < columns; ++column)
        whole += columnWidth(column);
    for (int row = 0; row < m_model.rowCount(); ++row) {
        const bool spans = m_model.line(row).kind != Kind::Row;
        if (spans)
            setSpan(row, 0, 1, columns);
        int height = 0;
        for (int column = 0; column < (spans ? 1 : columns); ++column) {
            option.rect = QRect(0, 0, spans ? whole : columnWidth(column), 0);
            height = std::max(
                height, m_delegate->sizeHint(option, m_model.index(row, column)).height());
        }
        if (rowHeight(row) != height)
            setRowHeight(row, height);
    }
}

void ComparisonTable::askOrEdit(const QModelIndex& index)
{
    if (!index.isValid())
        return;
    if (index.flags() & Qt::ItemIsEditable)
        edit(index);
    else
        emit askRequested(index);
}

/// Keys that the window uses for its own actions belong to the table while it has the focus.
bool ComparisonTable::event(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride) {
        auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_F2 || key->matches(QKeySequence::Copy)
            || key->key() == Qt::Key_Escape) {
            event->accept();
            return true;
        }
    }
    return QTableView::event(event);
}

void ComparisonTable::keyPressEvent(QKeyEvent* event)
{
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (event->matches(QKeySequence::Copy))
        emit copyRequested();
    else if (event->key() == Qt::Key_Escape)
        emit leaveRequested();
    else if (enter && event->modifiers() == Qt::ControlModifier && currentIndex().column() > 0)
        emit openRequested(currentIndex().column());
    else if (enter && state() != EditingState)
        askOrEdit(currentIndex());
    else
        QTableView::keyPressEvent(event);
}

void ComparisonTable::mouseDoubleClickEvent(QMouseEvent* event)
{
    const QModelIndex index = indexAt(event->pos());
    if (event->button() == Qt::LeftButton && index.isValid())
        askOrEdit(index);
    else
        QTableView::mouseDoubleClickEvent(event);
}

void ComparisonTable::resizeEvent(QResizeEvent* event)
{
    QTableView::resizeEvent(event);
    if (isVisible() && viewport()->width() != m_laidOutWidth)
        layOut();
}

void ComparisonTable::changeEvent(QEvent* event)
{
    QTableView::changeEvent(event);
    if (event->type() == QEvent::FontChange && isVisible())
        layOut();
}

void ComparisonTable::showEvent(QShowEvent* event)
{
    QTableView::showEvent(event);
    layOut();
}

} // namespace shardrack
