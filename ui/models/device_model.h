#pragma once

#include "document/plan_document.h"

#include <QAbstractTableModel>

namespace shardrack {

/// Every GPU of the current offer, one a row, in site order: the flat twin of the memory bars. Rows
/// hold nothing; cells are looked up in the assessment, so that 131,072 of them cost nothing.
/// What-ifs do not touch it.
class DeviceModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        DeviceColumn,
        RanksColumn,
        NeedColumn,
        UsableColumn,
        HeadroomColumn,
        VerdictColumn
    };
    static constexpr int kColumns = 6;
    enum Role {
        SortRole = Qt::UserRole, ///< a number in every column
        CapacityRole, ///< int of Capacity; -1 where there is no verdict
        IdleRole ///< no rank is on the GPU
    };

    explicit DeviceModel(PlanDocument& document, QObject* parent = nullptr);

    GpuRef gpu(int row) const;
    /// -1 when the offer has no such GPU.
    int rowOf(GpuRef gpu) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override
    {
        return parent.isValid() ? 0 : kColumns;
    }
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(
        int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    const Assessment& assessment() const { return *m_shown->assessment; }
    std::int32_t ordinal(int row) const { return row < m_gapAt ? row : row + m_gap; }
    int gpuCount() const { return m_shown ? assessment().index.gpuCount() : 0; }
    void reset();
    void update();
    void emitChanges(const ShownOffer& before, int head, int tail);
    void emitValueChanges(const ShownOffer& before, int first, int end, int shift);
    QString displayText(std::int32_t gpu, int column) const;
    QVariant sortValue(std::int32_t gpu, int column) const;
    Capacity capacity(std::int32_t gpu) const;

    PlanDocument& m_document;
    std::optional<ShownOffer> m_shown;
    // While rows go or come, this many GPUs from `m_gapAt` on have no row.
    int m_gapAt = 0;
    int m_gap = 0;
};

} // namespace shardrack
