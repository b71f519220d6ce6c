#pragma once

#include "commands/drop.h"

#include <QWidget>

class QLineEdit;
class QModelIndex;
class QSortFilterProxyModel;
class QTreeView;

namespace shardrack {

class CatalogueModel;

/// Racks, servers and GPUs to drag into the plan, with a filter. Enter, Insert or a double click
/// picks one up for placing by keyboard.
class CataloguePanel : public QWidget {
    Q_OBJECT
public:
    explicit CataloguePanel(PlanDocument& document, QWidget* parent = nullptr);

    /// What the current row carries; absent on a group and when nothing is current.
    std::optional<Carried> current() const;
    QSize sizeHint() const override;
    /// The row of a rack, server or GPU type, in this widget.
    Q_INVOKABLE QRect placeRect(const QString& type) const;
    Q_INVOKABLE void showPlace(const QString& type);

signals:
    void pickedUp(const shardrack::Carried& carried);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void setFilter(const QString& text);
    void pickUp(const QModelIndex& index);
    QModelIndex rowOf(const QString& type) const;
    void restyle();

    CatalogueModel* m_model;
    QSortFilterProxyModel* m_filtered;
    QLineEdit* m_filter;
    QAction* m_filterIcon;
    QTreeView* m_tree;
};

} // namespace shardrack
