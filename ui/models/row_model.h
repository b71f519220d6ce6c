#pragma once

#include <QAbstractTableModel>

#include <algorithm>
#include <vector>

namespace shardrack {

/// A table of few rows that are made anew after every change and told precisely: rows that stay are
/// changed in place, and only those that differ. `Row` is a value with ==, and with sameLine(),
/// which tells whether two rows are about the same thing.
template <class Row> class RowModel : public QAbstractTableModel {
public:
    using QAbstractTableModel::QAbstractTableModel;

    int rowCount(const QModelIndex& parent = {}) const override
    {
        return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
    }

protected:
    const std::vector<Row>& rows() const { return m_rows; }
    const Row& row(const QModelIndex& index) const
    {
        return m_rows[static_cast<std::size_t>(index.row())];
    }

    /// Everything at once, without selection or scroll position surviving.
    void resetRows(std::vector<Row> rows)
    {
        this->beginResetModel();
        m_rows = std::move(rows);
        this->endResetModel();
    }

    void setRows(std::vector<Row> rows)
    {
        const int before = static_cast<int>(m_rows.size());
        const int after = static_cast<int>(rows.size());
        const int shorter = std::min(before, after);
        const auto same = [&](int old, int now) {
            return m_rows[static_cast<std::size_t>(old)].sameLine(
                rows[static_cast<std::size_t>(now)]);
        };
        int first = 0;
        while (first < shorter && same(first, first))
            ++first;
        int tail = 0;
        while (tail < shorter - first && same(before - 1 - tail, after - 1 - tail))
            ++tail;
        // Between them rows are about other things: as many as possible change, the rest comes or
        // goes.
        const int last = shorter - tail;
        if (before > after) {
            this->beginRemoveRows({}, last, last + before - after - 1);
            m_rows.erase(m_rows.begin() + last, m_rows.begin() + last + before - after);
            this->endRemoveRows();
        } else if (after > before) {
            this->beginInsertRows({}, last, last + after - before - 1);
            m_rows.insert(
                m_rows.begin() + last, rows.begin() + last, rows.begin() + last + after - before);
            this->endInsertRows();
        }
        replaceDifferent(std::move(rows));
    }

private:
    void replaceDifferent(std::vector<Row> rows)
    {
        std::vector<std::pair<int, int>> ranges;
        for (int i = 0; i < static_cast<int>(rows.size()); ++i) {
            if (rows[static_cast<std::size_t>(i)] == m_rows[static_cast<std::size_t>(i)])
                continue;
            if (!ranges.empty() && ranges.back().second == i - 1)
                ranges.back().second = i;
            else
                ranges.emplace_back(i, i);
        }
        m_rows = std::move(rows);
        const int lastColumn = this->columnCount({}) - 1;
        for (const auto& [first, last] : ranges)
            emit this->dataChanged(this->index(first, 0), this->index(last, lastColumn));
    }

    std::vector<Row> m_rows;
};

} // namespace shardrack
