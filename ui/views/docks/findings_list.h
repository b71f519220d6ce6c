#pragma once

#include <QListView>
#include <QStyledItemDelegate>

namespace shardrack {

/// A finding: its glyph, the title, and sentences that end in a link.
class FindingsDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    explicit FindingsDelegate(QListView* view);
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
        const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    /// Whether a point of the viewport is on the link of the row there.
    bool onLink(const QModelIndex& index, const QPointF& point) const;

private:
    struct Parts;
    Parts parts(const QModelIndex& index) const;

    QListView* m_view;
};

/// The list of findings; a click on a link, or Enter on a row that has one, follows it.
class FindingsList : public QListView {
    Q_OBJECT
public:
    explicit FindingsList(QWidget* parent);

signals:
    void followed(const QModelIndex& index);

protected:
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QModelIndex linkAt(const QPointF& point) const;

    FindingsDelegate* m_delegate;
};

} // namespace shardrack
