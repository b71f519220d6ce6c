#include "docks/account_view.h"

#include "docks/account_delegate.h"
#include "models/account_model.h"
#include "style/view_style.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QPainter>

namespace shardrack {

namespace {

/// The header looks like what is below it: its words stand where the figures stand.
class AccountHeader : public QHeaderView {
public:
    explicit AccountHeader(QWidget* parent)
        : QHeaderView(Qt::Horizontal, parent)
    {
    }
    QSize sizeHint() const override
    {
        return { QHeaderView::sizeHint().width(), qRound(metrics::kTableRow * uiScale()) };
    }

protected:
    void paintSection(QPainter* painter, const QRect& rect, int column) const override
    {
        const PaintStyle style = styleOf(this);
        const Theme& theme = *style.theme;
        painter->fillRect(rect, theme.alt);
        painter->fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), theme.line2);
        const bool name = column == AccountModel::NameColumn;
        const bool last = column == AccountModel::ChangeColumn;
        const QRectF place = QRectF(rect).adjusted(
            name ? AccountDelegate::kMargin : 0, 0, last ? -AccountDelegate::kBasisRoom : 0, -1);
        drawLine(*painter, place,
            static_cast<int>(Qt::AlignVCenter | (name ? Qt::AlignLeft : Qt::AlignRight)),
            model()->headerData(column, Qt::Horizontal).toString(), style.font(type::kSecondary),
            theme.text2);
    }
    QSize sectionSizeFromContents(int column) const override
    {
        const QString text = model()->headerData(column, Qt::Horizontal).toString();
        const qreal room = AccountDelegate::kFigureGap
            + (column == AccountModel::ChangeColumn ? AccountDelegate::kBasisRoom : 0);
        return { qCeil(shardrack::lineWidth(text, styleOf(this).font(type::kSecondary)) + room),
            qRound(metrics::kTableRow * uiScale()) };
    }
};

} // namespace

AccountView::AccountView(AccountModel& model, QWidget* parent)
    : QTableView(parent)
    , m_model(model)
    , m_delegate(new AccountDelegate(this))
{
    setObjectName(QStringLiteral("account"));
    setAccessibleName(tr("Account of the GPU"));
    setModel(&model);
    setItemDelegate(m_delegate);
    setFrameShape(QFrame::NoFrame);
    setShowGrid(false);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setTabKeyNavigation(false);
    setWordWrap(true);
    verticalHeader()->hide();
    verticalHeader()->setMinimumSectionSize(16);
    auto* header = new AccountHeader(this);
    setHorizontalHeader(header);
    header->setMinimumSectionSize(30);
    header->setSectionsClickable(false);
    header->setHighlightSections(false);
    header->setSectionResizeMode(QHeaderView::ResizeToContents);
    header->setSectionResizeMode(AccountModel::NameColumn, QHeaderView::Stretch);

    auto* copy = new QAction(tr("&Copy"), this);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut);
    connect(copy, &QAction::triggered, this,
        [this] { QGuiApplication::clipboard()->setText(selectedText()); });
    addAction(copy);
    setContextMenuPolicy(Qt::ActionsContextMenu);

    connect(&model, &AccountModel::hasWhatIfChanged, this, &AccountView::showColumns);
    connect(&model, &QAbstractItemModel::modelReset, this, &AccountView::fitAllRows);
    connect(&model, &QAbstractItemModel::rowsInserted, this,
        [this](const QModelIndex&, int first, int last) { fitRows(first, last); });
    connect(&model, &QAbstractItemModel::dataChanged, this,
        [this](const QModelIndex& from, const QModelIndex& to) { fitRows(from.row(), to.row()); });
    showColumns();
}

void AccountView::showColumns()
{
    const bool tried = m_model.hasWhatIf();
    setColumnHidden(AccountModel::WhatIfColumn, !tried);
    setColumnHidden(AccountModel::ChangeColumn, !tried);
    horizontalHeader()->setVisible(tried);
    fitAllRows();
}

void AccountView::fitRows(int first, int last)
{
    for (int row = first; row <= last && row < m_model.rowCount(); ++row) {
        const int height = m_delegate->rowHeight(row);
        if (rowHeight(row) != height)
            setRowHeight(row, height);
    }
}

void AccountView::fitAllRows() { fitRows(0, m_model.rowCount() - 1); }

QString AccountView::selectedText() const
{
    QStringList lines;
    const bool all = !selectionModel()->hasSelection();
    for (int row = 0; row < m_model.rowCount(); ++row) {
        if (!all && !selectionModel()->isRowSelected(row, {}))
            continue;
        QStringList cells;
        for (int column = 0; column < AccountModel::kColumns; ++column)
            if (!isColumnHidden(column))
                cells << m_model.index(row, column).data().toString();
        const QModelIndex name = m_model.index(row, AccountModel::NameColumn);
        cells << AccountDelegate::textBelow(name).replace(u'\n', u' ');
        while (!cells.isEmpty() && cells.last().isEmpty())
            cells.removeLast();
        lines << cells.join(u'\t');
    }
    return lines.join(u'\n');
}

void AccountView::resizeEvent(QResizeEvent* event)
{
    QTableView::resizeEvent(event);
    fitAllRows();
}

void AccountView::changeEvent(QEvent* event)
{
    QTableView::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fitAllRows();
}

} // namespace shardrack
