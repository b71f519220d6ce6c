#pragma once

#include "document/plan_document.h"

#include <QMimeData>

namespace shardrack {

/// What is being dragged, or was picked up by keyboard.
struct Carried {
    enum class Kind {
        RackType, ///< from the catalogue
        ServerType,
        GpuType,
        Server, ///< placed in the current offer
        Gpu,
        Ranks
    };
    Kind kind = Kind::GpuType;
    std::string type; ///< catalogue id for the first three
    ServerId server = 0;
    GpuRef gpu;
    RankSet ranks;
    bool operator==(const Carried&) const = default;
    /// Whether it comes from the catalogue and not from a plan.
    bool isNew() const { return kind <= Kind::GpuType; }
};

/// The MIME type carried during drags inside and between windows of this program.
QString carriedMimeType();
/// Carries ids, the document's id and its revision; never pointers. What comes from the catalogue
/// may be carried without a document.
QMimeData* toMime(const Carried& carried, const PlanDocument& document);
QMimeData* toMime(const Carried& newHardware);
/// Absent when the data is foreign, or placed things of another document or an older revision.
std::optional<Carried> fromMime(const QMimeData& data, const PlanDocument& document);

} // namespace shardrack
