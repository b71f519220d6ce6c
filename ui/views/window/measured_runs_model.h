#pragma once

#include "interop/measured.h"

#include <QAbstractTableModel>

namespace shardrack {

/// Figures of measured runs beside what is predicted for them; a row that is not predicted says
/// why.
class MeasuredRunsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        RunColumn,
        FigureColumn,
        MeasuredColumn,
        PredictedColumn,
        ErrorColumn,
        VerdictColumn,
        RemarkColumn
    };
    static constexpr int kColumns = 7;
    /// What a column is sorted by: numbers as numbers; rows without one at the end.
    static constexpr int kSortRole = Qt::UserRole;

    explicit MeasuredRunsModel(std::vector<MeasuredRow> rows, QObject* parent = nullptr);
    const std::vector<MeasuredRow>& rows() const { return m_rows; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(
        int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    QString textOf(const MeasuredRow& row, int column) const;
    std::vector<MeasuredRow> m_rows;
};

} // namespace shardrack
