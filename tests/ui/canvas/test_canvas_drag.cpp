// Every drag of the canvas, by events made by hand: what is shown before the drop, what the drop
// does, why one is refused, and that leaving restores.

#include "canvas_fixture.h"

#include "canvas/group_strip.h"
#include "canvas/what_if_popover.h"
#include "commands/edit_command.h"

#include <QScrollBar>
#include <QSignalSpy>
#include <QToolButton>

using namespace shardrack;

class TestCanvasDrag : public QObject {
    Q_OBJECT

    static Carried server(ServerId id)
    {
        Carried carried;
        carried.kind = Carried::Kind::Server;
        carried.server = id;
        return carried;
    }
    static Carried placedGpu(GpuRef gpu)
    {
        Carried carried;
        carried.kind = Carried::Kind::Gpu;
        carried.gpu = gpu;
        return carried;
    }
    static QToolButton* chip(CanvasFixture& f, const QString& text)
    {
        for (QToolButton* button : f.canvas.groupStrip().findChildren<QToolButton*>())
            if (button->text().contains(text))
                return button;
        return nullptr;
    }
    /// A drag over a chip of the strip, which is a widget of its own.
    static bool overChip(CanvasFixture& f, const Carried& carried, const QString& text, bool drop)
    {
        GroupStrip& strip = f.canvas.groupStrip();
        f.mime.reset(toMime(carried, f.document));
        QToolButton* button = chip(f, text);
        if (!button)
            return false;
        const QPoint at = button->geometry().center();
        QDragEnterEvent enter(at, Qt::MoveAction, f.mime.get(), Qt::LeftButton, {});
        QCoreApplication::sendEvent(&strip, &enter);
        QDragMoveEvent move(at, Qt::MoveAction, f.mime.get(), Qt::LeftButton, {});
        QCoreApplication::sendEvent(&strip, &move);
        if (!move.isAccepted() || !drop)
            return move.isAccepted();
        QDropEvent event(at, Qt::MoveAction, f.mime.get(), Qt::LeftButton, {});
        QCoreApplication::sendEvent(&strip, &event);
        QCoreApplication::processEvents();
        return event.isAccepted();
    }

private slots:
    void aFifthGpuBecomesAFifthReplica()
    {
        CanvasFixture f;
        QVERIFY(f.open("ts-24.shardrack"));
        const Plan before = *f.document.plan();
        const Carried gpu = f.hardware(Carried::Kind::GpuType, "generic-16gib");
        const QPoint at = f.canvas.rectOfUnit(0, 5).center();
        QVERIFY(f.enter(gpu, at));
        QVERIFY(f.move(at));
        // The consequence is shown, and nothing has happened.
        QVERIFY(f.document.whatIf());
        QVERIFY(*f.document.plan() == before);
        QVERIFY(f.canvas.popover().isVisible());
        QCOMPARE(f.canvas.popover().rows()[1].after, QStringLiteral("5"));
        QCOMPARE(f.canvas.scene().gpuCount(), 5);
        QVERIFY(f.canvas.scene().isNew(4));
        QVERIFY(!f.canvas.scene().change(0)); // no other bar changes
        QVERIFY(!f.canvas.popover().geometry().intersects(
            f.canvas.rectOf(f.canvas.scene().index().ref(4))));
        QVERIFY(f.drop(at));
        QVERIFY(!f.document.whatIf());
        QVERIFY(!f.canvas.popover().isVisible());
        QCOMPARE(f.now().index.gpuCount(), 5);
        QCOMPARE(f.now().layout.rankCount(), 5);
        QCOMPARE(f.need(0), 24 * kGiB);
        QCOMPARE(f.need(4), 24 * kGiB);
        QCOMPARE(f.document.undoStack().count(), 1);
        f.document.undoStack().undo();
        f.document.flush();
        QVERIFY(*f.document.plan() == before);
    }

    void altAddsHardwareWithoutRanks()
    {
        CanvasFixture f;
        QVERIFY(f.open("ts-24.shardrack"));
        const Carried gpu = f.hardware(Carried::Kind::GpuType, "generic-16gib");
        const QPoint at = f.canvas.rectOfUnit(0, 5).center();
        QVERIFY(f.enter(gpu, at));
        QVERIFY(f.move(at));
        QCOMPARE(f.document.whatIf()->assessment->layout.rankCount(), 5);
        QVERIFY(f.move(at, Qt::AltModifier)); // live
        QCOMPARE(f.document.whatIf()->assessment->layout.rankCount(), 4);
        QVERIFY(f.drop(at, Qt::AltModifier));
        QCOMPARE(f.now().index.gpuCount(), 5);
        QCOMPARE(f.now().layout.rankCount(), 4);
        QCOMPARE(f.now().findings.devicesIdle, std::int64_t(1));
    }

    void aFullServerRefusesAGpuAndSaysWhy()
    {
        CanvasFixture f;
        QVERIFY(f.open("ts-24.shardrack"));
        QSignalSpy status(&f.canvas, &RackCanvas::statusMessage);
        const QPoint at = f.canvas.rectOf(f.gpu(1)).center();
        f.enter(f.hardware(Carried::Kind::GpuType, "generic-16gib"), at);
        QVERIFY(!f.move(at));
        QVERIFY(!f.document.whatIf());
        QVERIFY(f.canvas.popover().isVisible());
        QVERIFY2(f.canvas.popover().reason().contains(QLatin1String("A1 has no free slot")),
            qPrintable(f.canvas.popover().reason()));
        QCOMPARE(status.last().first().toString(), f.canvas.popover().reason());
        QVERIFY(!f.drop(at));
        QCOMPARE(f.now().index.gpuCount(), 4);
        QVERIFY(!f.canvas.popover().isVisible());
        QCOMPARE(f.document.undoStack().count(), 0);
    }

    // What the ghost makes room for moves nothing under the pointer.
    void onlyThePointerSaysWhereItLands()
    {
        CanvasFixture f;
        QVERIFY(f.open("ts-24.shardrack"));
        const QPoint cards = f.canvas.rectOf(f.gpu(1)).center();
        const QPoint upper = f.canvas.rectOfUnit(0, 5).center();
        const QRect below = f.canvas.rectOfUnit(0, 42);
        const QPoint lower(below.center().x(), below.top() + 4);
        QVERIFY(f.canvas.rectOfUnit(0, 5) != below);
        const int scrolled = f.canvas.verticalScrollBar()->value();

        QVERIFY(f.enter(f.hardware(Carried::Kind::GpuType, "generic-16gib"), lower));
        QVERIFY(f.move(lower));
        QVERIFY(f.canvas.carry().target().unit > 5);
        QVERIFY(f.document.whatIf());
        QVERIFY(!f.move(cards));
        QVERIFY(f.canvas.carry().target().kind == DropTarget::Kind::Server);
        QVERIFY2(f.canvas.popover().reason().contains(QLatin1String("A1 has no free slot")),
            qPrintable(f.canvas.popover().reason()));
        QVERIFY(f.move(lower));
        QVERIFY(f.move(upper));
        QCOMPARE(f.canvas.carry().target().unit, 5);
        QVERIFY(f.move(upper + QPoint(0, 8))); // over the ghost
        QCOMPARE(f.canvas.carry().target().unit, 5);
        QCOMPARE(f.canvas.verticalScrollBar()->value(), scrolled);
        QVERIFY(f.drop(upper));
        QCOMPARE(f.site().racks[0]->servers.size(), std::size_t(2));
        QCOMPARE(f.site().racks[0]->servers[1].unit, 5);
    }

    void thePopoverLeavesWhatChangesInSight()
    {
        CanvasFixture f(QSize(985, 640));
        QVERIFY(f.open("llama-3-8b-32-gpus.shardrack"));
        f.document.setCurrentOffer(3); // FSDP over 32: every need changes
        const QPoint at = f.canvas.rectOfUnit(1, 17).center();
        QVERIFY(f.enter(f.hardware(Carried::Kind::ServerType, "dgx-h100"), at));
        QVERIFY(f.move(at));
        const QRect popover = f.canvas.popover().geometry();
        for (int gpu = 0; gpu < 32; ++gpu) {
            QVERIFY(f.canvas.scene().change(gpu));
            QVERIFY(!popover.intersects(f.canvas.rectOf(f.canvas.scene().index().ref(gpu))));
        }
    }

    void leavingRestores()
    {
        CanvasFixture f;
        QVERIFY(f.open("ts-24.shardrack"));
        const Plan before = *f.document.plan();
        const QPoint at = f.canvas.rectOfUnit(0, 5).center();
        f.enter(f.hardware(Carried::Kind::ServerType, "pcie-4gpu-16gib"), at);
        QVERIFY(f.move(at));
        QCOMPARE(f.canvas.scene().gpuCount(), 8);
        f.leave(); // what the system sends on Escape
        QVERIFY(!f.document.whatIf());
        QVERIFY(!f.canvas.carry().active());
        QVERIFY(!f.canvas.popover().isVisible());
        QCOMPARE(f.canvas.scene().gpuCount(), 4);
        QVERIFY(*f.document.plan() == before);
    }

    void theEditIsTriedOncePerTarget()
    {
        CanvasFixture f;
        QVERIFY(f.open("llama-3-8b-32-gpus.shardrack"));
        const QRect slot = f.canvas.rectOfUnit(1, 17);
        f.enter(f.hardware(Carried::Kind::ServerType, "dgx-h100"), slot.center());
        QSignalSpy tried(&f.document, &PlanDocument::whatIfChanged);
        for (int x = 0; x < 20; ++x)
            QVERIFY(f.move(slot.center() + QPoint(x, 0)));
        QCOMPARE(tried.count(), 1);
    }

    void aServerFromTheCatalogueFollowsTheHardware()
    {
        CanvasFixture f;
        QVERIFY(f.open("llama-3-8b-32-gpus.shardrack"));
        f.document.setCurrentOffer(3); // FSDP over 32
        const std::int64_t before = f.need(0);
        const QPoint at = f.canvas.rectOfUnit(1, 17).center();
        QVERIFY(f.enter(f.hardware(Carried::Kind::ServerType, "dgx-h100"), at));
        QVERIFY(f.move(at));
        QVERIFY(f.canvas.scene().change(0));
        QVERIFY(f.canvas.scene().change(0)->count() < 0); // 32 → 40 ranks share the state
        QVERIFY(f.drop(at));
        QCOMPARE(f.now().index.gpuCount(), 40);
        QVERIFY(f.need(0) < before);
        QCOMPARE(
            f.selection.server(), f.site().racks[1]->servers[2].id); // what arrived is selected
    }

    void aServerMovesToAnotherRackAndItsRanksWithIt()
    {
        CanvasFixture f;
        QVERIFY(f.open("llama-3-8b-32-gpus.shardrack"));
        const ServerId id = f.site().racks[0]->servers[0].id;
        const QPoint at = f.canvas.rectOfUnit(1, 17).center();
        QVERIFY(f.enter(server(id), f.canvas.rectOfServer(id).center()));
        f.move(f.canvas.rectOfServer(id).center()); // over itself nothing is tried
        QVERIFY(!f.document.whatIf());
        QVERIFY(f.move(at));
        QVERIFY(f.drop(at));
        QCOMPARE(f.site().racks[0]->servers.size(), std::size_t(1));
        QCOMPARE(f.site().racks[1]->servers.size(), std::size_t(3));
        QCOMPARE(f.now().layout.rankCount(), 32);
        QCOMPARE(f.selection.server(), id);
    }

    void aServerIsRefusedOnAnother()
    {
        CanvasFixture f;
        QVERIFY(f.open("llama-3-8b-32-gpus.shardrack"));
        const QPoint at = f.canvas.rectOf(f.gpu(9)).center();
        f.enter(f.hardware(Carried::Kind::ServerType, "dgx-h100"), at);
        QVERIFY(!f.move(at));
        QVERIFY2(f.canvas.popover().reason().contains(QLatin1String("occupied")),
            qPrintable(f.canvas.popover().reason()));
    }

    void aGpuMovesToFreeSpaceAndBack()
    {
        CanvasFixture f;
        QVERIFY(f.open("ts-24.shardrack"));
        const GpuRef last = f.gpu(3);
        QPoint at = f.canvas.rectOfUnit(0, 5).center();
        QVERIFY(f.enter(placedGpu(last), at));
        QVERIFY(f.move(at));
        QVERIFY(f.drop(at));
        QCOMPARE(f.site().racks[0]->servers.size(), std::size_t(2));
        QCOMPARE(f.site().racks[0]->servers[1].gpuCount(), 1);
        QCOMPARE(f.now().layout.rankCount(), 4);
        const ServerId first = f.site().racks[0]->servers[0].id;
        const GpuRef moved { f.site().racks[0]->servers[1].id, 0 };
        at = f.canvas.rectOfServer(first).topLeft() + QPoint(60, 8);
        QVERIFY(f.enter(placedGpu(moved), at));
        QVERIFY(f.move(at)); // a place is free now
        QVERIFY(f.drop(at));
        QCOMPARE(f.site().racks[0]->servers[0].gpuCount(), 4);
    }

    void aRackStandsBesideTheOthers()
    {
        CanvasFixture f;
        QVERIFY(f.open("ts-24.shardrack"));
        const Carried rack
            = f.hardware(Carried::Kind::RackType, Catalogue::builtIn().racks().front().id.c_str());
        const QPoint at = f.canvas.rectOfRack(0).center();
        QVERIFY(f.enter(rack, at));
        QVERIFY(f.move(at));
        QCOMPARE(f.canvas.scene().rackCount(), 2);
        QVERIFY(f.drop(at));
        QCOMPARE(f.site().racks.size(), std::size_t(2));
        QCOMPARE(f.selection.rack(), 1);
    }

    void aRankMovesToAnotherGpu()
    {
        CanvasFixture f;
        QVERIFY(f.open("ts-24.shardrack"));
        f.document.setCurrentOffer(1);
        const QPoint at = f.canvas.rectOf(f.gpu(1)).center();
        QVERIFY(f.enter(f.ranks(3, 3), at));
        QVERIFY(f.move(at));
        QCOMPARE(f.canvas.scene().change(1)->count(), 6 * kGiB);
        QVERIFY(f.canvas.scene().look(3).idle);
        QVERIFY(f.drop(at));
        QCOMPARE(f.need(1), 12 * kGiB); // needs of ranks on one GPU add up
        QVERIFY(f.now().layout.ranksOn(3).empty());
        QVERIFY(f.selection.contains(f.gpu(1)));
    }

    void ranksGoToTheirGpuOneAtATime()
    {
        CanvasFixture f;
        QVERIFY(f.open("ts-24.shardrack"));
        const QPoint at = f.canvas.rectOf(f.gpu(1)).center();
        f.enter(f.ranks(2, 3), at);
        QVERIFY(!f.move(at));
        QVERIFY(!f.canvas.popover().reason().isEmpty());
    }

    // The worked example: out of the group it is a replica of its own, and the others share by
    // three.
    void aRankDraggedOutOfItsGroupBecomesAReplica()
    {
        CanvasFixture f;
        QVERIFY(f.open("ts-24.shardrack"));
        f.document.setCurrentOffer(1);
        QVERIFY(overChip(f, f.ranks(3, 3), QStringLiteral("No group"), false));
        QCOMPARE(f.canvas.scene().look(3).need, Bytes(24 * kGiB)); // before the drop
        QCOMPARE(f.canvas.scene().look(0).need, Bytes(8 * kGiB));
        QVERIFY(overChip(f, f.ranks(3, 3), QStringLiteral("No group"), true));
        QCOMPARE(f.need(3), 24 * kGiB);
        for (int other : { 0, 1, 2 })
            QCOMPARE(f.need(other), 8 * kGiB);
        QVERIFY(f.now().findings.capacity == Capacity::Over);
        // and back
        QVERIFY(overChip(f, f.ranks(3, 3), QStringLiteral("S · "), true));
        QCOMPARE(f.need(0), 6 * kGiB);
    }

    void removeRankLeavesTheGpuIdle()
    {
        CanvasFixture f;
        QVERIFY(f.open("ts-24.shardrack"));
        f.document.setCurrentOffer(1);
        QVERIFY(overChip(f, f.ranks(3, 3), QStringLiteral("Remove rank"), true));
        QCOMPARE(f.now().layout.rankCount(), 3);
        QCOMPARE(f.now().findings.devicesIdle, std::int64_t(1));
        QCOMPARE(f.need(0), 8 * kGiB);
    }

    void ranksFormAGroupOfTheirOwn()
    {
        CanvasFixture f;
        QVERIFY(f.open("ts-24.shardrack")); // Offer R: four replicas
        QVERIFY(overChip(f, f.ranks(0, 1), QStringLiteral("New group"), true));
        QCOMPARE(f.need(0), 12 * kGiB);
        QCOMPARE(f.need(1), 12 * kGiB);
        QCOMPARE(f.need(2), 24 * kGiB);
    }

    void hardwareIsNotForTheStrip()
    {
        CanvasFixture f;
        QVERIFY(f.open("ts-24.shardrack"));
        QVERIFY(!overChip(f, f.hardware(Carried::Kind::GpuType, "generic-16gib"),
            QStringLiteral("No group"), true));
        QVERIFY(!f.canvas.carry().active());
    }

    void whatIsForeignGoesToTheWindow()
    {
        CanvasFixture f;
        QVERIFY(f.open("ts-24.shardrack"));
        QMimeData files;
        files.setUrls({ QUrl::fromLocalFile(QStringLiteral("/tmp/config.json")) });
        QDragEnterEvent event(QPoint(50, 50), Qt::CopyAction, &files, Qt::LeftButton, {});
        QCoreApplication::sendEvent(f.canvas.viewport(), &event);
        QVERIFY(!event.isAccepted());
    }

    void aDragOfAnOlderPlanIsIgnored()
    {
        CanvasFixture f;
        QVERIFY(f.open("ts-24.shardrack"));
        const std::unique_ptr<QMimeData> old(toMime(placedGpu(f.gpu(3)), f.document));
        QVERIFY(!perform(f.document, edit::RemoveGpu { 0, f.gpu(3) }));
        f.document.flush();
        QDragEnterEvent event(QPoint(50, 50), Qt::MoveAction, old.get(), Qt::LeftButton, {});
        QCoreApplication::sendEvent(f.canvas.viewport(), &event);
        QVERIFY(!event.isAccepted());
        QVERIFY(!f.canvas.carry().active());
    }

    void dropsWorkWhereAGpuIsOneCell()
    {
        CanvasFixture f;
        f.open(clusterPlan(60, 6, LayoutPreset::Ddp));
        QCOMPARE(f.canvas.level(), DetailLevel::GpuCell);
        const QPoint at = f.canvas.rectOfUnit(17, 31).center();
        QVERIFY(f.enter(f.hardware(Carried::Kind::ServerType, "dgx-h100"), at));
        QVERIFY(f.move(at));
        QCOMPARE(f.canvas.scene().gpuCount(), 60 * 6 * 8 + 8);
        QVERIFY(f.drop(at));
        QCOMPARE(f.site().racks[17]->servers.size(), std::size_t(7));
    }
};

QTEST_MAIN(TestCanvasDrag)
#include "test_canvas_drag.moc"
