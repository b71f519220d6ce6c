#include "docks/device_table.h"

#include "models/device_model.h"
#include "paint/theme.h"

#include <QHeaderView>
#include <QSortFilterProxyModel>

namespace shardrack {

DeviceTable::DeviceTable(PlanDocument& document, Selection& selection, QWidget* parent)
    : QTableView(parent)
    , m_selection(selection)
    , m_model(new DeviceModel(document, this))
    , m_sorted(new QSortFilterProxyModel(this))
{
    setObjectName(QStringLiteral("deviceTable"));
    setAccessibleName(tr("Memory by GPU, as a table"));
    m_sorted->setDynamicSortFilter(false);
    m_sorted->setSortRole(DeviceModel::SortRole);
    setModel(m_sorted);
    setFrameShape(QFrame::NoFrame);
    setShowGrid(false);
    setAlternatingRowColors(true);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setTabKeyNavigation(false);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setDefaultSectionSize(metrics::kTableRow);
    horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    horizontalHeader()->setHighlightSections(false);
    connect(&selection, &Selection::changed, this, &DeviceTable::followSelection);
    connect(selectionModel(), &QItemSelectionModel::selectionChanged, this,
        &DeviceTable::makeSelection);
    for (const auto signal :
        { &QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved })
        connect(m_model, signal, this, &DeviceTable::sort);
    connect(m_model, &QAbstractItemModel::modelReset, this, &DeviceTable::sort);
    connect(m_model, &QAbstractItemModel::dataChanged, this, &DeviceTable::sort);
}

GpuRef DeviceTable::gpuOf(int row) const
{
    return m_model->gpu(m_sorted->mapToSource(m_sorted->index(row, 0)).row());
}

void DeviceTable::setOrder(BarOrder order)
{
    m_order = order;
    sort();
}

void DeviceTable::sort()
{
    if (!m_sorted->sourceModel())
        return;
    m_following = true;
    m_sorted->sort(-1); // equal rows stand in site order
    if (m_order == BarOrder::MostLoaded)
        m_sorted->sort(DeviceModel::HeadroomColumn, Qt::AscendingOrder);
    m_following = false;
    followSelection();
}

void DeviceTable::showEvent(QShowEvent* event)
{
    m_sorted->setSourceModel(m_model);
    sort();
    QTableView::showEvent(event);
}

void DeviceTable::hideEvent(QHideEvent* event)
{
    QTableView::hideEvent(event);
    m_following = true;
    m_sorted->setSourceModel(nullptr);
    m_following = false;
}

void DeviceTable::followSelection()
{
    if (m_following || !m_sorted->sourceModel())
        return;
    m_following = true;
    QItemSelection rows;
    for (const GpuRef gpu : m_selection.gpus())
        if (const int row = m_model->rowOf(gpu); row >= 0) {
            const QModelIndex index = m_sorted->mapFromSource(m_model->index(row, 0));
            rows.select(index, index);
        }
    selectionModel()->select(rows, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    const int focus = m_selection.focus().server == 0 ? -1 : m_model->rowOf(m_selection.focus());
    if (focus >= 0) {
        const QModelIndex index = m_sorted->mapFromSource(m_model->index(focus, 0));
        selectionModel()->setCurrentIndex(index, QItemSelectionModel::NoUpdate);
        scrollTo(index);
    }
    m_following = false;
}

void DeviceTable::makeSelection()
{
    if (m_following)
        return;
    m_following = true;
    std::vector<GpuRef> gpus;
    for (const QItemSelectionRange& range : selectionModel()->selection())
        for (int row = range.top(); row <= range.bottom(); ++row)
            gpus.push_back(gpuOf(row));
    const GpuRef focus = currentIndex().isValid() ? gpuOf(currentIndex().row()) : GpuRef {};
    if (gpus.empty())
        m_selection.clear();
    else
        m_selection.selectGpus(std::move(gpus), focus);
    m_following = false;
}

} // namespace shardrack
