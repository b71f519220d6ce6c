#pragma once

#include <QTableView>

namespace shardrack {

class ComparisonDelegate;
class ComparisonModel;

/// The comparison on screen. Columns share the width, and scroll where they would be too narrow;
/// rows are as high as their words need. Arrows move from cell to cell, Enter asks a cell for more.
class ComparisonTable : public QTableView {
    Q_OBJECT
public:
    explicit ComparisonTable(ComparisonModel& model, QWidget* parent = nullptr);

    ComparisonDelegate& delegate() { return *m_delegate; }
    /// Lays columns and rows out anew now; otherwise before the next paint.
    void layOut();

signals:
    void openRequested(int column); ///< the offer of a column is to be opened
    void askRequested(const QModelIndex& index); ///< Enter on a cell that cannot be edited
    void copyRequested();
    void leaveRequested(); ///< Escape

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void layOutColumns();
    void layOutRows();
    void askOrEdit(const QModelIndex& index);

    ComparisonModel& m_model;
    ComparisonDelegate* m_delegate;
    int m_laidOutWidth = -1;
};

} // namespace shardrack
