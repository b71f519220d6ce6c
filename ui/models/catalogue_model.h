#pragma once

#include "document/carried.h"

#include <QAbstractItemModel>

namespace shardrack {

/// The hardware that can be dragged into a plan, as a tree of three groups: racks, servers, GPUs,
/// each in the catalogue's order. The catalogue never changes, and so does the model.
class CatalogueModel : public QAbstractItemModel {
    Q_OBJECT
public:
    /// What icon stands before a row.
    enum class IconKind { Rack, Server, Gpu };
    Q_ENUM(IconKind)
    enum Role {
        DetailRole = Qt::UserRole, ///< the second line; of a group how many it has
        IconKindRole, ///< IconKind
        IsGroupRole,
        UsualRole, ///< offered first, before somebody asks for all
        FilterRole ///< everything that a person may search for
    };

    explicit CatalogueModel(
        const Catalogue& catalogue = Catalogue::builtIn(), QObject* parent = nullptr);

    /// What dragging a row, or Insert on it, carries; absent for groups.
    std::optional<Carried> carried(const QModelIndex& index) const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& index) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    QStringList mimeTypes() const override;
    QMimeData* mimeData(const QModelIndexList& indexes) const override;
    Qt::DropActions supportedDragActions() const override { return Qt::CopyAction; }
    Qt::DropActions supportedDropActions() const override { return Qt::IgnoreAction; }

private:
    QVariant groupData(int group, int role) const;
    QString toolTip(int group, std::size_t row) const;

    const Catalogue& m_catalogue;
};

} // namespace shardrack
