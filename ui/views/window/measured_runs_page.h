#pragma once

#include "interop/measured.h"

#include <QDialog>

class QLineEdit;
class QSortFilterProxyModel;
class QTableView;

namespace shardrack {

class MeasuredRunsModel;

/// A file of measured runs beside what this program predicts for each: sorted by any column,
/// filtered by words, copied to a spreadsheet.
class MeasuredRunsPage : public QDialog {
    Q_OBJECT
public:
    MeasuredRunsPage(const QString& file, std::vector<MeasuredRow> rows, QWidget* parent = nullptr);
    /// The rows shown, with heads, separated by tabs.
    QString asText() const;

private:
    QString summary() const;
    void copy() const;

    MeasuredRunsModel* m_model;
    QSortFilterProxyModel* m_shown;
    QTableView* m_table;
    QLineEdit* m_filter;
};

} // namespace shardrack
