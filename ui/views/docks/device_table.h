#pragma once

#include "docks/memory_bars_data.h"
#include "document/selection.h"

#include <QTableView>

class QSortFilterProxyModel;

namespace shardrack {

class DeviceModel;

/// The bars as a table, for reading with the keyboard or a screen reader. It costs something only
/// while it is seen.
class DeviceTable : public QTableView {
    Q_OBJECT
public:
    DeviceTable(PlanDocument& document, Selection& selection, QWidget* parent = nullptr);
    void setOrder(BarOrder order);
    GpuRef gpuOf(int row) const;

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void sort();
    void followSelection();
    void makeSelection();

    Selection& m_selection;
    DeviceModel* m_model;
    QSortFilterProxyModel* m_sorted;
    BarOrder m_order = BarOrder::MostLoaded;
    bool m_following = false; ///< the rows are being selected to match
};

} // namespace shardrack
