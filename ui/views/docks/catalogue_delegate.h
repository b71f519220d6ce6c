#pragma once

#include <QStyledItemDelegate>

namespace shardrack {

/// A row of the catalogue: icon, name over detail, and a grip; a group is a band with its count.
/// All rows have one height.
class CatalogueDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
        const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace shardrack
