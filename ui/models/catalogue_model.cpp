#include "models/catalogue_model.h"

#include "document/hardware_text.h"
#include "models/number_text.h"

namespace shardrack {

namespace {

enum Group { Racks, Servers, Gpus };
constexpr int kGroups = 3;
/// The internal id of a group's row; a row below group g has g + 1.
constexpr quintptr kGroupId = 0;

int groupOf(const QModelIndex& index) { return static_cast<int>(index.internalId()) - 1; }

QString text(const std::string& utf8) { return QString::fromStdString(utf8); }

/// The lines that have something to say.
QString lines(QStringList all)
{
    all.removeAll(QString());
    return all.join(u'\n');
}

} // namespace

CatalogueModel::CatalogueModel(const Catalogue& catalogue, QObject* parent)
    : QAbstractItemModel(parent)
    , m_catalogue(catalogue)
{
}

std::optional<Carried> CatalogueModel::carried(const QModelIndex& index) const
{
    if (!index.isValid() || index.internalId() == kGroupId)
        return std::nullopt;
    const auto row = static_cast<std::size_t>(index.row());
    Carried carried;
    switch (groupOf(index)) {
    case Racks:
        carried.kind = Carried::Kind::RackType;
        carried.type = m_catalogue.racks()[row].id;
        break;
    case Servers:
        carried.kind = Carried::Kind::ServerType;
        carried.type = m_catalogue.servers()[row].id;
        break;
    default:
        carried.kind = Carried::Kind::GpuType;
        carried.type = m_catalogue.gpus()[row].id;
        break;
    }
    return carried;
}

QModelIndex CatalogueModel::index(int row, int column, const QModelIndex& parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(
        row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : kGroupId);
}

QModelIndex CatalogueModel::parent(const QModelIndex& index) const
{
    if (!index.isValid() || index.internalId() == kGroupId)
        return {};
    return createIndex(groupOf(index), 0, kGroupId);
}

int CatalogueModel::rowCount(const QModelIndex& parent) const
{
    if (!parent.isValid())
        return kGroups;
    if (parent.internalId() != kGroupId || parent.column() > 0)
        return 0;
    switch (parent.row()) {
    case Racks:
        return static_cast<int>(m_catalogue.racks().size());
    case Servers:
        return static_cast<int>(m_catalogue.servers().size());
    default:
        return static_cast<int>(m_catalogue.gpus().size());
    }
}

int CatalogueModel::columnCount(const QModelIndex&) const { return 1; }

QVariant CatalogueModel::groupData(int group, int role) const
{
    switch (role) {
    case Qt::DisplayRole:
        return group == Racks ? tr("Racks") : group == Servers ? tr("Servers") : tr("GPUs");
    case DetailRole:
        return countText(rowCount(index(group, 0)));
    case IsGroupRole:
        return true;
    default:
        return {};
    }
}

QVariant CatalogueModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    if (index.internalId() == kGroupId)
        return groupData(index.row(), role);
    const int group = groupOf(index);
    const auto row = static_cast<std::size_t>(index.row());
    const auto ofEntry = [&](const auto& text) -> QString {
        return group == Racks  ? text(m_catalogue.racks()[row])
            : group == Servers ? text(m_catalogue.servers()[row])
                               : text(m_catalogue.gpus()[row]);
    };
    const auto name = [&](const auto& entry) {
        if constexpr (std::is_same_v<std::decay_t<decltype(entry)>, ServerType>)
            return nameOf(entry, m_catalogue);
        else
            return nameOf(entry);
    };
    const auto detail = [&](const auto& entry) {
        if constexpr (std::is_same_v<std::decay_t<decltype(entry)>, ServerType>)
            return detailOf(entry, m_catalogue);
        else
            return detailOf(entry);
    };
    switch (role) {
    case Qt::DisplayRole:
        return ofEntry(name);
    case DetailRole:
        return ofEntry(detail);
    case Qt::AccessibleTextRole:
        return tr("%1, %2").arg(ofEntry(name), ofEntry(detail));
    case Qt::ToolTipRole:
        return toolTip(group, row);
    case IconKindRole:
        return QVariant::fromValue(group == Racks ? IconKind::Rack
                : group == Servers                ? IconKind::Server
                                                  : IconKind::Gpu);
    case IsGroupRole:
        return false;
    case UsualRole:
        return group == Racks  ? m_catalogue.racks()[row].usual
            : group == Servers ? m_catalogue.servers()[row].usual
                               : m_catalogue.gpus()[row].usual;
    case FilterRole:
        return QStringList {
            ofEntry(name), ofEntry(detail), toolTip(group, row),
            ofEntry([](const auto& entry) { return text(entry.id); })
        }.join(u' ');
    default:
        return {};
    }
}

QString CatalogueModel::toolTip(int group, std::size_t row) const
{
    if (group == Racks) {
        const RackType& rack = m_catalogue.racks()[row];
        return lines({ text(rack.name),
            rack.unitsKnown ? tr("%1 rack units").arg(rack.units)
                            : tr("%1 rack units assumed: nobody states them").arg(rack.units) });
    }
    if (group == Servers) {
        const ServerType& server = m_catalogue.servers()[row];
        return lines({ text(server.name), nameOf(server, m_catalogue),
            server.fabric.empty() ? QString() : tr("Between GPUs: %1").arg(text(server.fabric)),
            server.heightKnown
                ? tr("%1 rack units").arg(server.height)
                : tr("%1 rack units assumed: nobody states them").arg(server.height) });
    }
    const GpuType& gpu = m_catalogue.gpus()[row];
    return lines({ text(gpu.name), text(gpu.formFactor),
        gpu.installedIsLabel ? tr("Label: %1").arg(sizeText(gpu.installed))
                             : tr("Reported: %1").arg(sizeText(gpu.installed)),
        gpu.usableConfirmed
            ? tr("Usable: %1 (%2)").arg(sizeText(gpu.usable), text(gpu.usableSource))
            : tr("Usable: %1 stands in, not confirmed (%2)")
                  .arg(sizeText(gpu.usable), text(gpu.usableSource)),
        text(gpu.notes) });
}

Qt::ItemFlags CatalogueModel::flags(const QModelIndex& index) const
{
    if (!index.isValid())
        return Qt::NoItemFlags;
    if (index.internalId() == kGroupId)
        return Qt::ItemIsEnabled;
    return Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsDragEnabled
        | Qt::ItemNeverHasChildren;
}

QStringList CatalogueModel::mimeTypes() const { return { carriedMimeType() }; }

QMimeData* CatalogueModel::mimeData(const QModelIndexList& indexes) const
{
    for (const QModelIndex& index : indexes)
        if (const auto what = carried(index))
            return toMime(*what);
    return nullptr;
}

} // namespace shardrack
