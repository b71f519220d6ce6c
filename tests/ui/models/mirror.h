#pragma once

#include <QAbstractItemModel>
#include <QTest>

#include <vector>

namespace shardrack {

/// Keeps a copy of a table by its signals alone, as a view does: where it differs from the model,
/// the model changed something without telling.
class Mirror : public QObject {
public:
    Mirror(const QAbstractItemModel& model, std::vector<int> roles)
        : m_model(model)
        , m_roles(std::move(roles))
    {
        connect(&model, &QAbstractItemModel::modelReset, this, [this] {
            ++resets;
            m_cells = copy(0, m_model.rowCount());
        });
        connect(&model, &QAbstractItemModel::rowsInserted, this,
            [this](const QModelIndex&, int first, int last) {
                inserted += last - first + 1;
                const Cells rows = copy(first, last + 1);
                m_cells.insert(m_cells.begin() + first, rows.begin(), rows.end());
            });
        connect(&model, &QAbstractItemModel::rowsRemoved, this,
            [this](const QModelIndex&, int first, int last) {
                removed += last - first + 1;
                m_cells.erase(m_cells.begin() + first, m_cells.begin() + last + 1);
            });
        connect(&model, &QAbstractItemModel::dataChanged, this,
            [this](const QModelIndex& from, const QModelIndex& to) {
                ++changes;
                for (int row = from.row(); row <= to.row(); ++row) {
                    ++changed;
                    for (int column = from.column(); column <= to.column(); ++column)
                        m_cells[std::size_t(row)][std::size_t(column)] = cell(row, column);
                }
            });
        m_cells = copy(0, model.rowCount());
    }

    /// Where the copy and the model differ; empty when nowhere.
    QString difference() const
    {
        if (int(m_cells.size()) != m_model.rowCount())
            return QStringLiteral("%1 rows known, %2 there")
                .arg(m_cells.size())
                .arg(m_model.rowCount());
        for (int row = 0; row < m_model.rowCount(); ++row)
            for (int column = 0; column < m_model.columnCount(); ++column)
                if (m_cells[std::size_t(row)][std::size_t(column)] != cell(row, column))
                    return QStringLiteral("row %1, column %2: \"%3\" known, \"%4\" there")
                        .arg(row)
                        .arg(column)
                        .arg(m_cells[std::size_t(row)][std::size_t(column)].front().toString(),
                            cell(row, column).front().toString());
        return {};
    }

    void forget() { resets = inserted = removed = changes = changed = 0; }

    int resets = 0;
    int inserted = 0;
    int removed = 0;
    int changes = 0; ///< signals
    int changed = 0; ///< rows in them

private:
    using Cell = std::vector<QVariant>;
    using Cells = std::vector<std::vector<Cell>>;

    Cell cell(int row, int column) const
    {
        Cell values;
        for (const int role : m_roles)
            values.push_back(m_model.index(row, column).data(role));
        return values;
    }
    Cells copy(int first, int end) const
    {
        Cells rows;
        for (int row = first; row < end; ++row) {
            rows.emplace_back();
            for (int column = 0; column < m_model.columnCount(); ++column)
                rows.back().push_back(cell(row, column));
        }
        return rows;
    }

    const QAbstractItemModel& m_model;
    std::vector<int> m_roles;
    Cells m_cells;
};

/// One line a row, cells separated by " | ", empty cells at the end left out.
inline QStringList tableText(const QAbstractItemModel& model, int role = Qt::DisplayRole)
{
    QStringList lines;
    for (int row = 0; row < model.rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < model.columnCount(); ++column)
            cells += model.index(row, column).data(role).toString();
        while (!cells.isEmpty() && cells.back().isEmpty())
            cells.removeLast();
        lines += cells.join(QStringLiteral(" | "));
    }
    return lines;
}

} // namespace shardrack
