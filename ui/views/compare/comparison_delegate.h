#pragma once

#include <QPersistentModelIndex>
#include <QStyledItemDelegate>

namespace shardrack {

class ComparisonModel;

/// Paints the lines of a comparison and opens the editors of its facts.
class ComparisonDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    explicit ComparisonDelegate(QObject* parent = nullptr);

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
        const QModelIndex& index) const override;
    /// The height of one cell where its column is `option.rect.width()` wide.
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option,
        const QModelIndex& index) const override;
    void setEditorData(QWidget* editor, const QModelIndex& index) const override;
    void setModelData(
        QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const override;
    void updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
        const QModelIndex& index) const override;
    /// Width of column 0 that the chart's names share with the titles of the rows.
    void setTitleWidth(int width) { m_titleWidth = width; }

signals:
    /// An editor was left with something that cannot be read; nothing changed.
    void refused(const QString& reason) const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    int m_titleWidth = 150;
};

} // namespace shardrack
