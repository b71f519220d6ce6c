#include "canvas/carry_session.h"

#include "canvas/canvas_text.h"
#include "commands/edit_command.h"

namespace shardrack {

CarrySession::CarrySession(PlanDocument& document, QObject* parent)
    : QObject(parent)
    , m_document(document)
{
    // What is carried by id may be gone with the plan it belongs to.
    connect(&document, &PlanDocument::resetDone, this, &CarrySession::cancel);
    connect(&document, &PlanDocument::currentOfferChanged, this, &CarrySession::cancel);
}

void CarrySession::begin(const Carried& carried, bool byKeyboard)
{
    m_document.clearTry();
    m_carried = carried;
    m_height = carriedHeight(carried, m_document);
    m_byKeyboard = byKeyboard;
    m_over = false;
    m_target = {};
    m_alt = false;
    m_reason.clear();
    emit changed();
}

void CarrySession::moveTo(const DropTarget& target, bool alt)
{
    if (!active() || (m_over && target == m_target && alt == m_alt))
        return;
    m_over = true;
    m_target = target;
    m_alt = alt;
    const Result<Edit> edit = editForDrop(m_document, *m_carried, target, alt);
    std::optional<Error> error;
    if (edit.ok()) {
        error = m_document.tryEdit(*edit);
    } else {
        error = edit.error();
        m_document.clearTry();
    }
    m_reason = error ? QString::fromStdString(error->text()) : QString();
    emit changed();
}

void CarrySession::leave()
{
    if (!active() || !m_over)
        return;
    m_over = false;
    m_target = {};
    m_reason.clear();
    m_document.clearTry();
    emit changed();
}

bool CarrySession::drop()
{
    if (!active() || !mayDrop())
        return false;
    const Carried carried = *m_carried;
    const DropTarget target = m_target;
    const bool alt = m_alt;
    end();
    m_document.clearTry();
    if (!performDrop(m_document, carried, target, alt))
        emit dropped(target);
    emit changed();
    return true;
}

void CarrySession::cancel()
{
    if (!active())
        return;
    end();
    m_document.clearTry();
    emit changed();
}

void CarrySession::end()
{
    m_carried.reset();
    m_height = 0;
    m_over = false;
    m_target = {};
    m_alt = false;
    m_reason.clear();
}

std::optional<Error> performDrop(
    PlanDocument& document, const Carried& carried, const DropTarget& target, bool alt, int gesture)
{
    const Result<Edit> edit = editForDrop(document, carried, target, alt);
    return edit.ok() ? perform(document, *edit, gesture) : edit.error();
}

std::vector<DropTarget> placesFor(const Carried& carried, int height, const Site& site)
{
    using Kind = DropTarget::Kind;
    std::vector<DropTarget> places;
    const auto target = [&](Kind kind) -> DropTarget& {
        places.emplace_back();
        places.back().kind = kind;
        return places.back();
    };
    if (carried.kind == Carried::Kind::RackType)
        target(Kind::NewRack);
    if (height <= 0)
        return places;
    const bool gpu = carried.kind == Carried::Kind::Gpu || carried.kind == Carried::Kind::GpuType;
    for (std::size_t r = 0; r < site.racks.size(); ++r) {
        const Rack& rack = *site.racks[r];
        const auto free = [&](int first, int last) {
            for (int unit = first; unit + height - 1 <= last; unit += height) {
                DropTarget& place = target(Kind::RackSpace);
                place.rack = r;
                place.unit = unit;
                if (gpu)
                    break; // the units of a run are alike to a single GPU
            }
        };
        int unit = 1;
        for (const Server& server : rack.servers) {
            free(unit, server.unit - 1);
            unit = server.unit + server.height;
            if (gpu && server.gpuCount() < server.gpuSlots && server.id != carried.gpu.server)
                target(Kind::Server).server = server.id;
        }
        free(unit, rack.units);
    }
    return places;
}

QString targetText(const DropTarget& target, int height, const Site& site)
{
    const auto serverName = [&](ServerId id) {
        for (const auto& rack : site.racks)
            for (const Server& server : rack->servers)
                if (server.id == id)
                    return QString::fromStdString(server.name);
        return QString();
    };
    switch (target.kind) {
    case DropTarget::Kind::None:
        break;
    case DropTarget::Kind::NewRack:
        return CarrySession::tr("beside the racks");
    case DropTarget::Kind::RackSpace:
        if (target.rack < site.racks.size())
            return CarrySession::tr("%1, %2").arg(rackTitle(*site.racks[target.rack]),
                unitsLabel(target.unit, target.unit + std::max(1, height) - 1));
        break;
    case DropTarget::Kind::Server:
        return CarrySession::tr("server %1").arg(serverName(target.server));
    case DropTarget::Kind::Gpu:
        return CarrySession::tr("GPU %1·%2")
            .arg(serverName(target.gpu.server))
            .arg(target.gpu.index);
    case DropTarget::Kind::Group:
        return CarrySession::tr("shard group %1").arg(QString::fromStdString(target.group));
    case DropTarget::Kind::NewGroup:
        return CarrySession::tr("a new shard group");
    case DropTarget::Kind::NoGroup:
        return CarrySession::tr("no group: own replica");
    case DropTarget::Kind::NoRank:
        return CarrySession::tr("no rank: out of the job");
    }
    return {};
}

} // namespace shardrack
