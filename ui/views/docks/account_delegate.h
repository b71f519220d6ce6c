#pragma once

#include <QStyledItemDelegate>

class QTableView;

namespace shardrack {

/// A line of the account: swatch and name with the arithmetic below, figures at the right, the
/// basis of the last figure behind them. The arithmetic runs on below the figures.
class AccountDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    static constexpr qreal kMargin = 10;
    static constexpr qreal kBasisRoom = 28; ///< behind the last figure
    static constexpr qreal kFigureGap = 8; ///< before each figure

    explicit AccountDelegate(QTableView* view);
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
        const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    bool helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
        const QModelIndex& index) override;
    /// What stands below a row's name when there is room: the arithmetic, then a sentence.
    static QString textBelow(const QModelIndex& name);
    /// The height of a row of the table at its present width.
    int rowHeight(int row) const;

private:
    void paintName(QPainter& painter, const QRectF& cell, const QModelIndex& index) const;
    void paintBadge(QPainter& painter, const QRectF& room, const QModelIndex& name) const;
    void paintFigure(QPainter& painter, const QRectF& cell, const QModelIndex& index) const;
    void paintBelow(QPainter& painter, const QModelIndex& index) const;
    /// Whether a what-if has its columns.
    bool tried() const;
    int lastColumn() const;
    QString figureText(const QModelIndex& index) const;
    QString shownBelow(const QModelIndex& name) const;

    QTableView* m_view;
};

} // namespace shardrack
