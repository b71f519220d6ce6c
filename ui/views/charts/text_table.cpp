#include "charts/text_table.h"

#include "paint/paint_style.h"
#include "style/view_style.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>

namespace shardrack {

TextTable::TextTable(const QStringList& headers, QWidget* parent)
    : QTableWidget(0, static_cast<int>(headers.size()), parent)
{
    setHorizontalHeaderLabels(headers);
    setFrameShape(QFrame::NoFrame);
    setShowGrid(false);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setTabKeyNavigation(false);
    setWordWrap(false);
    setTextElideMode(Qt::ElideRight);
    setIconSize({ 12, 12 });
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    QHeaderView* header = horizontalHeader();
    header->setSectionsClickable(false);
    header->setHighlightSections(false);
    header->setMinimumSectionSize(20);
    header->setSectionResizeMode(QHeaderView::ResizeToContents);
    header->setSectionResizeMode(0, QHeaderView::Stretch);
    auto* copy = new QAction(tr("&Copy"), this);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut);
    connect(copy, &QAction::triggered, this,
        [this] { QGuiApplication::clipboard()->setText(selectedText()); });
    addAction(copy);
    setContextMenuPolicy(Qt::ActionsContextMenu);
    fitRows();
}

void TextTable::setHeaders(const QStringList& headers)
{
    if (columnCount() != static_cast<int>(headers.size())) {
        setRowCount(0);
        setColumnCount(static_cast<int>(headers.size()));
    }
    setHorizontalHeaderLabels(headers);
}

void TextTable::fitRows()
{
    setFont(styleOf(this).font(type::kSecondary));
    verticalHeader()->setMinimumSectionSize(12);
    verticalHeader()->setDefaultSectionSize(qRound(18 * uiScale()));
    for (int column = 0; column < columnCount(); ++column)
        horizontalHeaderItem(column)->setTextAlignment(
            Qt::AlignVCenter | (column < m_textColumns ? Qt::AlignLeft : Qt::AlignRight));
}

void TextTable::setRows(const std::vector<Row>& rows)
{
    fitRows();
    setRowCount(static_cast<int>(rows.size()));
    for (int row = 0; row < rowCount(); ++row) {
        const Row& from = rows[static_cast<std::size_t>(row)];
        for (int column = 0; column < columnCount(); ++column) {
            QTableWidgetItem* cell = item(row, column);
            if (!cell) {
                cell = new QTableWidgetItem;
                setItem(row, column, cell);
            }
            cell->setText(column < from.cells.size() ? from.cells[column] : QString());
            cell->setToolTip(from.toolTip);
            cell->setTextAlignment(
                Qt::AlignVCenter | (column < m_textColumns ? Qt::AlignLeft : Qt::AlignRight));
            QFont strong = font();
            strong.setWeight(from.strong ? QFont::DemiBold : QFont::Normal);
            cell->setFont(strong);
            if (column == 0)
                cell->setIcon(from.icon);
        }
    }
}

QString TextTable::selectedText() const
{
    QStringList lines;
    const bool all = !selectionModel()->hasSelection();
    for (int row = 0; row < rowCount(); ++row) {
        if (!all && !selectionModel()->isRowSelected(row, {}))
            continue;
        QStringList cells;
        for (int column = 0; column < columnCount(); ++column)
            cells << item(row, column)->text();
        lines << cells.join(u'\t');
    }
    return lines.join(u'\n');
}

QString TextTable::csv() const
{
    const auto quoted = [](QString text) {
        return u'"' + text.replace(QStringLiteral("\""), QStringLiteral("\"\"")) + u'"';
    };
    QString csv;
    for (int row = -1; row < rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < columnCount(); ++column)
            cells << quoted(
                row < 0 ? horizontalHeaderItem(column)->text() : item(row, column)->text());
        csv += cells.join(u',') + QStringLiteral("\r\n");
    }
    return csv;
}

QSize TextTable::sizeHint() const
{
    return { 280,
        horizontalHeader()->sizeHint().height()
            + rowCount() * verticalHeader()->defaultSectionSize() + 2 };
}

void TextTable::changeEvent(QEvent* event)
{
    QTableWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fitRows();
}

} // namespace shardrack
