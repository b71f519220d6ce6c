#pragma once

#include <QListView>
#include <QStyledItemDelegate>

namespace shardrack {

/// A measurement: a mark that tells whether it counts, devices and peak, which memory and what it
/// covers, the difference to the estimate, and why it does not count.
class MeasurementDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    explicit MeasurementDelegate(QListView* view);
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
        const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    struct Parts;
    Parts parts(const QModelIndex& index) const;

    QListView* m_view;
};

/// The list of measurements, as tall as its rows. Enter or a double click changes a row, Delete
/// removes it; the context menu has both and "Still applies".
class MeasurementList : public QListView {
    Q_OBJECT
public:
    explicit MeasurementList(QWidget* parent);
    void setModel(QAbstractItemModel* model) override;

    /// The row that commands are about; -1: none.
    int currentRow() const { return currentIndex().isValid() ? currentIndex().row() : -1; }
    /// Whether the row is about another state of the offer.
    bool otherState(int row) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return { 80, sizeHint().height() }; }

signals:
    void currentRowChanged();
    void changeRequested(int row);
    void removeRequested(int row);
    void stillAppliesRequested(int row);

protected:
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void fit();
};

} // namespace shardrack
