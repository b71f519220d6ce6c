#pragma once

#include "canvas/rack_canvas.h"

#include <QCoreApplication>
#include <QtTest>

namespace shardrack {

/// `racks` racks of `servers` servers with eight H100 each, Llama-3-8B-like state over `preset`.
inline Plan clusterPlan(int racks, int servers, LayoutPreset preset, int smallRack = -1)
{
    Plan plan = emptyPlan();
    Workload workload;
    workload.basis = Workload::StateBasis::Stipulated;
    workload.stipulated.total = Bytes(60 * kGiB);
    plan.workload = std::make_shared<const Workload>(workload);
    Offer offer = emptyOffer("Offer A");
    ServerId id = 0;
    for (int r = 0; r < racks; ++r) {
        Rack rack;
        rack.name = "R" + std::to_string(r + 1);
        for (int s = 0; s < servers; ++s) {
            Server server;
            server.id = ++id;
            server.name = rack.name + "-" + std::to_string(s + 1);
            server.unit = 1 + 5 * s;
            server.height = 5;
            server.gpuSlots = 8;
            GpuRun run;
            run.type = "h100-sxm5-80";
            run.count = 8;
            if (r == smallRack && s >= 2 && s < 6)
                run.usable = Bytes(50 * kGiB);
            server.gpus.push_back(run);
            rack.servers.push_back(server);
        }
        offer.site.racks.push_back(std::make_shared<const Rack>(std::move(rack)));
    }
    offer.layout.preset = preset;
    plan.offers.push_back(std::make_shared<const Offer>(std::move(offer)));
    return plan;
}

inline QString examplePath(const char* name)
{
    return QStringLiteral(SHARDRACK_SOURCE_DIR "/resources/examples/%1")
        .arg(QLatin1StringView(name));
}

/// A canvas of its own on a document; events are made by hand, since no system drags off screen.
class CanvasFixture {
public:
    explicit CanvasFixture(QSize size = { 985, 430 })
        : canvas(document, selection)
    {
        canvas.resize(size);
    }
    void open(const Plan& plan)
    {
        document.reset(plan, {}, false);
        canvas.show();
        QCoreApplication::processEvents();
    }
    bool open(const char* example)
    {
        const auto error = document.load(examplePath(example));
        canvas.show();
        QCoreApplication::processEvents();
        return !error;
    }
    const Site& site() const { return document.current()->get().site; }
    const Assessment& now() const { return *document.current()->assessment; }
    GpuRef gpu(int ordinal) const { return now().index.ref(ordinal); }
    std::int64_t need(int ordinal) const
    {
        const Account& account = now().account;
        return account.deviceClasses[account.classOfGpu[std::size_t(ordinal)]]
            .need.established.count();
    }

    // One drag: enter, any number of moves, drop or leave.
    bool enter(const Carried& carried, QPoint at, Qt::KeyboardModifiers keys = {})
    {
        mime.reset(toMime(carried, document));
        QDragEnterEvent event(
            at, Qt::CopyAction | Qt::MoveAction, mime.get(), Qt::LeftButton, keys);
        QCoreApplication::sendEvent(canvas.viewport(), &event);
        return event.isAccepted();
    }
    bool move(QPoint at, Qt::KeyboardModifiers keys = {})
    {
        QDragMoveEvent event(at, Qt::CopyAction | Qt::MoveAction, mime.get(), Qt::LeftButton, keys);
        QCoreApplication::sendEvent(canvas.viewport(), &event);
        return event.isAccepted();
    }
    bool drop(QPoint at, Qt::KeyboardModifiers keys = {})
    {
        QDropEvent event(at, Qt::CopyAction | Qt::MoveAction, mime.get(), Qt::LeftButton, keys);
        QCoreApplication::sendEvent(canvas.viewport(), &event);
        QCoreApplication::processEvents();
        return event.isAccepted();
    }
    void leave()
    {
        QDragLeaveEvent event;
        QCoreApplication::sendEvent(canvas.viewport(), &event);
    }

    static Carried hardware(Carried::Kind kind, const char* type)
    {
        Carried carried;
        carried.kind = kind;
        carried.type = type;
        return carried;
    }
    static Carried ranks(std::int32_t first, std::int32_t last)
    {
        Carried carried;
        carried.kind = Carried::Kind::Ranks;
        carried.ranks = RankSet::range(first, last);
        return carried;
    }

    PlanDocument document;
    Selection selection;
    RackCanvas canvas;
    std::unique_ptr<QMimeData> mime;
};

} // namespace shardrack
