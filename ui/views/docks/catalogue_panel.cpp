#include "docks/catalogue_panel.h"

#include "docks/catalogue_delegate.h"
#include "models/catalogue_model.h"
#include "style/view_style.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QSortFilterProxyModel>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

namespace shardrack {

namespace {

/// Rows that have every word typed, in any order; with nothing typed the usual ones.
class WordFilter : public QSortFilterProxyModel {
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;
    void setWords(const QStringList& words)
    {
        m_words = words;
        invalidateFilter();
    }
    /// Without words: all rows, or only those that are usually wanted.
    void showAll(bool all)
    {
        m_all = all;
        invalidateFilter();
    }

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override
    {
        const QModelIndex index = sourceModel()->index(row, 0, parent);
        if (index.data(CatalogueModel::IsGroupRole).toBool())
            return m_words.isEmpty(); // else it stays for the rows that it has
        if (m_words.isEmpty())
            return m_all || index.data(CatalogueModel::UsualRole).toBool();
        const QString text = index.data(CatalogueModel::FilterRole).toString();
        return std::all_of(m_words.begin(), m_words.end(),
            [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
    }

private:
    QStringList m_words;
    bool m_all = false;
};

} // namespace

CataloguePanel::CataloguePanel(PlanDocument&, QWidget* parent)
    : QWidget(parent)
    , m_model(new CatalogueModel(Catalogue::builtIn(), this))
    , m_filtered(new WordFilter(this))
    , m_filter(new QLineEdit(this))
    , m_filterIcon(m_filter->addAction(QIcon(), QLineEdit::LeadingPosition))
    , m_tree(new QTreeView(this))
{
    setObjectName(QStringLiteral("cataloguePanel"));
    setFocusProxy(m_tree);
    m_filter->setObjectName(QStringLiteral("catalogueFilter"));
    m_filter->setPlaceholderText(tr("Filter"));
    m_filter->setAccessibleName(tr("Filter the catalogue"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setMinimumHeight(qRound(metrics::kField * uiScale()));
    m_filter->installEventFilter(this);

    m_filtered->setRecursiveFilteringEnabled(true);
    m_filtered->setSourceModel(m_model);
    m_tree->setObjectName(QStringLiteral("catalogue"));
    m_tree->setAccessibleName(tr("Catalogue"));
    m_tree->setModel(m_filtered);
    m_tree->setItemDelegate(new CatalogueDelegate(m_tree));
    m_tree->setUniformRowHeights(true);
    m_tree->setHeaderHidden(true);
    m_tree->setRootIsDecorated(false);
    m_tree->setIndentation(0);
    m_tree->setFrameShape(QFrame::NoFrame);
    m_tree->setDragEnabled(true);
    m_tree->setDragDropMode(QAbstractItemView::DragOnly);
    m_tree->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_tree->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_tree->setMouseTracking(true);
    m_tree->expandAll();
    m_tree->installEventFilter(this);

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* all = new QToolButton(this);
    all->setObjectName(QStringLiteral("catalogueAll"));
    all->setText(tr("All"));
    all->setCheckable(true);
    all->setToolTip(tr("Show the whole catalogue, not only what is usually wanted"));
    all->setAccessibleName(tr("Show the whole catalogue"));
    connect(all, &QToolButton::toggled, this, [this](bool whole) {
        static_cast<WordFilter*>(m_filtered)->showAll(whole);
        m_tree->expandAll();
    });
    auto* field = new QHBoxLayout;
    field->setContentsMargins(8, 7, 8, 7);
    field->addWidget(m_filter);
    field->addWidget(all);
    column->addLayout(field);
    column->addWidget(m_tree, 1);

    connect(m_filter, &QLineEdit::textChanged, this, &CataloguePanel::setFilter);
    connect(m_tree, &QTreeView::doubleClicked, this, &CataloguePanel::pickUp);
    connect(m_tree, &QTreeView::clicked, this, [this](const QModelIndex& index) {
        if (index.data(CatalogueModel::IsGroupRole).toBool())
            m_tree->setExpanded(index, !m_tree->isExpanded(index));
    });
    m_tree->setExpandsOnDoubleClick(false);
    restyle();
}

QSize CataloguePanel::sizeHint() const { return { qRound(metrics::kLeftDock * uiScale()), 420 }; }

std::optional<Carried> CataloguePanel::current() const
{
    return m_model->carried(m_filtered->mapToSource(m_tree->currentIndex()));
}

QModelIndex CataloguePanel::rowOf(const QString& type) const
{
    QModelIndex row = m_filtered->index(0, 0);
    while (row.isValid()) {
        const auto carried = m_model->carried(m_filtered->mapToSource(row));
        if (carried && QString::fromStdString(carried->type) == type)
            break;
        row = m_tree->indexBelow(row);
    }
    return row;
}

QRect CataloguePanel::placeRect(const QString& type) const
{
    const QModelIndex row = rowOf(type);
    if (!row.isValid())
        return {};
    const QRect rect = m_tree->visualRect(row);
    return { m_tree->viewport()->mapTo(this, rect.topLeft()), rect.size() };
}

void CataloguePanel::showPlace(const QString& type)
{
    if (const QModelIndex row = rowOf(type); row.isValid())
        m_tree->scrollTo(row);
}

void CataloguePanel::setFilter(const QString& text)
{
    static_cast<WordFilter*>(m_filtered)
        ->setWords(text.simplified().split(u' ', Qt::SkipEmptyParts));
    m_tree->expandAll();
}

void CataloguePanel::pickUp(const QModelIndex& index)
{
    if (const auto carried = m_model->carried(m_filtered->mapToSource(index)))
        emit pickedUp(*carried);
}

bool CataloguePanel::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    const QModelIndex index = m_tree->currentIndex();
    const bool group = index.data(CatalogueModel::IsGroupRole).toBool();
    if (watched == m_filter && key == Qt::Key_Down) {
        m_tree->setFocus();
        // The first row that can be carried.
        for (QModelIndex row = m_filtered->index(0, 0); row.isValid();
             row = m_tree->indexBelow(row))
            if (!row.data(CatalogueModel::IsGroupRole).toBool()) {
                m_tree->setCurrentIndex(row);
                break;
            }
        return true;
    }
    if (watched == m_tree
        && (key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Insert)) {
        if (group)
            m_tree->setExpanded(index, !m_tree->isExpanded(index));
        else
            pickUp(index);
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

void CataloguePanel::restyle()
{
    const Theme& theme = themeOf(this);
    m_filterIcon->setIcon(makeIcon(Icon::Search, theme));
}

void CataloguePanel::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        restyle();
}

} // namespace shardrack
