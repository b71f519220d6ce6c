#include "document/carried.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <array>
#include <cmath>
#include <limits>

namespace shardrack {

namespace {

constexpr std::array<const char*, 6> kKinds { "rack type", "server type", "gpu type", "server",
    "gpu", "ranks" };

QJsonObject toJson(const Carried& carried)
{
    QJsonObject json;
    json[u"kind"] = QLatin1StringView(kKinds[static_cast<std::size_t>(carried.kind)]);
    if (carried.isNew())
        json[u"type"] = QString::fromStdString(carried.type);
    if (carried.kind == Carried::Kind::Server)
        json[u"server"] = carried.server;
    if (carried.kind == Carried::Kind::Gpu)
        json[u"gpu"] = QJsonArray { carried.gpu.server, carried.gpu.index };
    if (carried.kind == Carried::Kind::Ranks)
        json[u"ranks"] = QString::fromStdString(carried.ranks.text());
    return json;
}

QMimeData* mimeOf(const QJsonObject& json)
{
    auto* data = new QMimeData;
    data->setData(carriedMimeType(), QJsonDocument(json).toJson(QJsonDocument::Compact));
    return data;
}

/// A number that a person's other program may have put there.
std::optional<std::int32_t> number(const QJsonValue& value)
{
    const double given = value.toDouble(-1);
    if (given < 0 || given > std::numeric_limits<std::int32_t>::max() || given != std::floor(given))
        return std::nullopt;
    return static_cast<std::int32_t>(given);
}

std::optional<Carried> read(const QJsonObject& json)
{
    Carried carried;
    const QString kind = json[u"kind"].toString();
    std::size_t position = 0;
    while (position < kKinds.size() && kind != QLatin1StringView(kKinds[position]))
        ++position;
    if (position == kKinds.size())
        return std::nullopt;
    carried.kind = static_cast<Carried::Kind>(position);
    switch (carried.kind) {
    case Carried::Kind::RackType:
    case Carried::Kind::ServerType:
    case Carried::Kind::GpuType:
        carried.type = json[u"type"].toString().toStdString();
        if (carried.type.empty())
            return std::nullopt;
        break;
    case Carried::Kind::Server: {
        const auto server = number(json[u"server"]);
        if (!server)
            return std::nullopt;
        carried.server = *server;
        break;
    }
    case Carried::Kind::Gpu: {
        const auto server = number(json[u"gpu"].toArray().at(0));
        const auto index = number(json[u"gpu"].toArray().at(1));
        if (!server || !index)
            return std::nullopt;
        carried.gpu = { *server, *index };
        break;
    }
    case Carried::Kind::Ranks: {
        const Result<RankSet> ranks = RankSet::parse(json[u"ranks"].toString().toStdString());
        if (!ranks.ok() || ranks->empty())
            return std::nullopt;
        carried.ranks = *ranks;
        break;
    }
    }
    return carried;
}

} // namespace

QString carriedMimeType() { return QStringLiteral("application/x-shardrack-carried-1+json"); }

QMimeData* toMime(const Carried& carried, const PlanDocument& document)
{
    QJsonObject json = toJson(carried);
    json[u"document"] = document.id();
    json[u"revision"] = QString::number(document.revision());
    return mimeOf(json);
}

QMimeData* toMime(const Carried& newHardware) { return mimeOf(toJson(newHardware)); }

std::optional<Carried> fromMime(const QMimeData& data, const PlanDocument& document)
{
    if (!data.hasFormat(carriedMimeType()))
        return std::nullopt;
    const QJsonObject json = QJsonDocument::fromJson(data.data(carriedMimeType())).object();
    const std::optional<Carried> carried = read(json);
    if (!carried || carried->isNew())
        return carried;
    const bool current = json[u"document"].toString() == document.id()
        && json[u"revision"].toString() == QString::number(document.revision());
    return current ? carried : std::nullopt;
}

} // namespace shardrack
