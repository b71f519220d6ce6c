// All that the mouse can do, by keyboard: the same edits.

#include "canvas_fixture.h"

#include "canvas/group_strip.h"
#include "canvas/rank_entry.h"
#include "canvas/what_if_popover.h"

#include <QLineEdit>
#include <QMenu>
#include <QSignalSpy>
#include <QToolButton>

using namespace shardrack;

class TestCanvasKeys : public QObject {
    Q_OBJECT

    static void press(CanvasFixture& f, int key, Qt::KeyboardModifiers modifiers = {})
    {
        QTest::keyClick(&f.canvas, static_cast<Qt::Key>(key), modifiers);
        QCoreApplication::processEvents();
    }
    static void type(CanvasFixture& f, const QString& text)
    {
        press(f, Qt::Key_R);
        QTest::keyClicks(&f.canvas.rankEntry().field(), text);
    }

private slots:
    /// Fit shows every rack, from whatever zoom, and goes on to when the canvas is resized.
    void fitShowsEverything()
    {
        CanvasFixture f({ 985, 430 });
        f.open(clusterPlan(4, 4, LayoutPreset::Fsdp));
        const auto all = [&] {
            const QSizeF size = f.canvas.canvasLayout().size();
            return size.width() <= f.canvas.viewport()->width()
                && size.height() <= f.canvas.viewport()->height();
        };
        QVERIFY(all()); // by default as well, where cells have no room
        for (const double from : { 1.0, 0.05 }) {
            f.canvas.setZoom(from);
            QVERIFY(from < 1 || !all());
            press(f, Qt::Key_F);
            QVERIFY(all());
            const double zoom = f.canvas.zoom();
            f.canvas.resize(700, 300);
            QCoreApplication::processEvents();
            QVERIFY(all());
            f.canvas.resize(985, 430);
            QCoreApplication::processEvents();
            QVERIFY(all());
            QCOMPARE(f.canvas.zoom(), zoom);
        }
    }

    void arrowsMoveTheFocus()
    {
        CanvasFixture f;
        QVERIFY(f.open("llama-3-8b-32-gpus.shardrack"));
        press(f, Qt::Key_Right);
        QVERIFY(f.selection.focus() == f.gpu(0));
        press(f, Qt::Key_Right);
        QVERIFY(f.selection.focus() == f.gpu(1));
        press(f, Qt::Key_Down);
        QVERIFY(f.selection.focus() == f.gpu(9)); // the server below
        press(f, Qt::Key_Up);
        press(f, Qt::Key_Left);
        QVERIFY(f.selection.focus() == f.gpu(0));
        press(f, Qt::Key_Left);
        QVERIFY(f.selection.focus() == f.gpu(0)); // nothing beyond
        f.selection.selectGpu(f.gpu(7));
        press(f, Qt::Key_Right);
        QVERIFY(f.selection.focus() == f.gpu(16)); // the rack beside
    }

    void backspaceGoesOutAndEnterIn()
    {
        CanvasFixture f;
        QVERIFY(f.open("llama-3-8b-32-gpus.shardrack"));
        f.selection.selectGpu(f.gpu(9));
        press(f, Qt::Key_Backspace);
        QCOMPARE(f.selection.server(), f.gpu(9).server);
        QCOMPARE(f.selection.gpus().size(), std::size_t(8));
        press(f, Qt::Key_Up);
        QCOMPARE(f.selection.server(), f.gpu(0).server);
        press(f, Qt::Key_Backspace);
        QCOMPARE(f.selection.rack(), 0);
        press(f, Qt::Key_Right);
        QCOMPARE(f.selection.rack(), 1);
        press(f, Qt::Key_Return);
        QCOMPARE(f.selection.server(), f.gpu(16).server);
        press(f, Qt::Key_Return);
        QVERIFY(f.selection.focus() == f.gpu(16));
        QCOMPARE(f.selection.gpus().size(), std::size_t(1));
    }

    void shiftAndArrowsSelectARectangle()
    {
        CanvasFixture f;
        QVERIFY(f.open("llama-3-8b-32-gpus.shardrack"));
        f.selection.selectGpu(f.gpu(1));
        press(f, Qt::Key_Right, Qt::ShiftModifier);
        press(f, Qt::Key_Right, Qt::ShiftModifier);
        press(f, Qt::Key_Down, Qt::ShiftModifier);
        const std::vector<GpuRef> expected { f.gpu(1), f.gpu(2), f.gpu(3), f.gpu(9), f.gpu(10),
            f.gpu(11) };
        QCOMPARE(f.selection.gpus(), expected);
        press(f, Qt::Key_Up, Qt::ShiftModifier);
        QCOMPARE(f.selection.gpus().size(), std::size_t(3)); // it shrinks as well
    }

    void insertAsksForTheCataloguesItemAndPlacesIt()
    {
        CanvasFixture f;
        QVERIFY(f.open("ts-24.shardrack"));
        QSignalSpy asked(&f.canvas, &RackCanvas::catalogueItemRequested);
        press(f, Qt::Key_Insert);
        QCOMPARE(asked.count(), 1);
        f.canvas.pickUp(f.hardware(Carried::Kind::GpuType, "generic-16gib"));
        QVERIFY(f.document.whatIf()); // shown before it is placed
        QVERIFY(f.canvas.popover().isVisible());
        QCOMPARE(f.document.whatIf()->assessment->layout.rankCount(), 5);
        press(f, Qt::Key_A); // without ranks, as Alt does
        QCOMPARE(f.document.whatIf()->assessment->layout.rankCount(), 4);
        press(f, Qt::Key_A);
        press(f, Qt::Key_Return);
        QCOMPARE(f.now().index.gpuCount(), 5);
        QCOMPARE(f.now().layout.rankCount(), 5);
        QVERIFY(!f.canvas.carry().active());
    }

    void escapeGivesUp()
    {
        CanvasFixture f;
        QVERIFY(f.open("ts-24.shardrack"));
        const Plan before = *f.document.plan();
        f.canvas.pickUp(f.hardware(Carried::Kind::ServerType, "pcie-4gpu-16gib"));
        QVERIFY(f.document.whatIf());
        press(f, Qt::Key_Escape);
        QVERIFY(!f.document.whatIf());
        QVERIFY(*f.document.plan() == before);
    }

    void arrowsChooseThePlace()
    {
        CanvasFixture f;
        QVERIFY(f.open("llama-3-8b-32-gpus.shardrack"));
        f.selection.selectGpu(f.gpu(0));
        f.canvas.pickUp(f.hardware(Carried::Kind::ServerType, "dgx-h100"));
        QCOMPARE(f.canvas.carry().target().rack, std::size_t(0));
        QCOMPARE(f.canvas.carry().target().unit, 17);
        press(f, Qt::Key_Down);
        QCOMPARE(f.canvas.carry().target().unit, 25);
        press(f, Qt::Key_Right);
        QCOMPARE(f.canvas.carry().target().rack, std::size_t(1));
        press(f, Qt::Key_Return);
        QCOMPARE(f.site().racks[1]->servers.size(), std::size_t(3));
        QCOMPARE(f.site().racks[1]->servers[2].unit, 17);
    }

    void mMovesTheSelectedServerOrGpu()
    {
        CanvasFixture f;
        QVERIFY(f.open("llama-3-8b-32-gpus.shardrack"));
        f.selection.selectGpu(f.gpu(0));
        press(f, Qt::Key_Backspace); // its server
        press(f, Qt::Key_M);
        QVERIFY(f.canvas.carry().active());
        press(f, Qt::Key_Right);
        press(f, Qt::Key_Return);
        QCOMPARE(f.site().racks[0]->servers.size(), std::size_t(1));
        QCOMPARE(f.site().racks[1]->servers.size(), std::size_t(3));

        CanvasFixture g;
        QVERIFY(g.open("ts-24.shardrack"));
        g.selection.selectGpu(g.gpu(3));
        press(g, Qt::Key_M);
        press(g, Qt::Key_Return); // free rack space: a one-GPU server
        QCOMPARE(g.site().racks[0]->servers.size(), std::size_t(2));
        QCOMPARE(g.now().layout.rankCount(), 4);
    }

    void rMovesARankHere()
    {
        CanvasFixture f;
        QVERIFY(f.open("ts-24.shardrack"));
        f.document.setCurrentOffer(1);
        f.selection.selectGpu(f.gpu(1));
        type(f, QStringLiteral("3"));
        QVERIFY(f.document.whatIf()); // tried while it is typed
        QCOMPARE(f.canvas.scene().look(1).need, Bytes(12 * kGiB));
        QTest::keyClick(&f.canvas.rankEntry().field(), Qt::Key_Return);
        QCOMPARE(f.need(1), 12 * kGiB);
        QVERIFY(!f.canvas.rankEntry().isVisible());
    }

    void rSaysWhatIsWrong_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("message");
        QTest::newRow("no such rank") << "9"
                                      << "rank 9";
        QTest::newRow("not a number") << "x"
                                      << "x";
        QTest::newRow("there already") << "1"
                                       << "already";
    }

    void rSaysWhatIsWrong()
    {
        QFETCH(QString, text);
        QFETCH(QString, message);
        CanvasFixture f;
        QVERIFY(f.open("ts-24.shardrack"));
        f.selection.selectGpu(f.gpu(1));
        type(f, text);
        QTest::keyClick(&f.canvas.rankEntry().field(), Qt::Key_Return);
        QVERIFY(f.canvas.rankEntry().isVisible());
        QVERIFY2(f.canvas.rankEntry().message().contains(message),
            qPrintable(f.canvas.rankEntry().message()));
        QTest::keyClick(&f.canvas.rankEntry().field(), Qt::Key_Escape);
        QVERIFY(!f.canvas.rankEntry().isVisible());
        QVERIFY(!f.document.whatIf());
        QCOMPARE(f.document.undoStack().count(), 0);
    }

    void aRangeFillsGpusInOrderAsOneStep()
    {
        CanvasFixture f;
        QVERIFY(f.open("llama-3-8b-32-gpus.shardrack"));
        f.selection.selectGpu(f.gpu(8));
        type(f, QStringLiteral("0-2"));
        QTest::keyClick(&f.canvas.rankEntry().field(), Qt::Key_Return);
        QCOMPARE(f.now().layout.gpuOf(0), 8);
        QCOMPARE(f.now().layout.gpuOf(2), 10);
        QCOMPARE(f.document.undoStack().count(), 1);
    }

    void theNextNumberMakesARank()
    {
        CanvasFixture f;
        QVERIFY(f.open("ts-24.shardrack"));
        f.selection.selectGpu(f.gpu(3));
        f.canvas.removeRanks();
        f.document.flush();
        QCOMPARE(f.now().layout.rankCount(), 3);
        type(f, QStringLiteral("3"));
        QTest::keyClick(&f.canvas.rankEntry().field(), Qt::Key_Return);
        QCOMPARE(f.now().layout.rankCount(), 4);
        QCOMPARE(f.now().layout.gpuOf(3), 3);
    }

    void gOffersTheGroups()
    {
        CanvasFixture f;
        QVERIFY(f.open("ts-24.shardrack"));
        f.document.setCurrentOffer(1);
        f.selection.selectGpu(f.gpu(3));
        press(f, Qt::Key_G);
        auto* menu = f.canvas.findChild<QMenu*>(QStringLiteral("groupMenu"));
        QVERIFY(menu);
        QAction* none = nullptr;
        for (QAction* action : menu->actions())
            if (action->text().startsWith(QLatin1String("No group")))
                none = action;
        QVERIFY(none);
        none->trigger();
        menu->close();
        QCOMPARE(f.need(3), 24 * kGiB);
        QCOMPARE(f.need(0), 8 * kGiB);
    }

    void chipsActOnTheSelectedRanks()
    {
        CanvasFixture f;
        QVERIFY(f.open("ts-24.shardrack"));
        f.document.setCurrentOffer(1);
        f.selection.selectGpu(f.gpu(3));
        for (QToolButton* button : f.canvas.groupStrip().findChildren<QToolButton*>())
            if (button->text() == QLatin1String("No group: own replica")) {
                QVERIFY(button->isEnabled());
                button->click();
                break;
            }
        f.document.flush();
        QCOMPARE(f.need(3), 24 * kGiB);
    }

    void deleteRemovesWhatIsSelected()
    {
        CanvasFixture f;
        QVERIFY(f.open("llama-3-8b-32-gpus.shardrack"));
        f.selection.selectGpus({ f.gpu(0), f.gpu(3) }, f.gpu(0));
        press(f, Qt::Key_Delete);
        QCOMPARE(f.now().index.gpuCount(), 30);
        QCOMPARE(f.document.undoStack().count(), 1); // one step
        f.selection.selectGpu(f.gpu(0));
        press(f, Qt::Key_Backspace);
        press(f, Qt::Key_Delete);
        QCOMPARE(f.now().index.gpuCount(), 24);
        QCOMPARE(f.selection.server(), 0); // what is gone is not selected
        f.selection.selectRack(0, {});
        press(f, Qt::Key_Delete);
        QCOMPARE(f.site().racks.size(), std::size_t(1));
        while (f.document.undoStack().canUndo())
            f.document.undoStack().undo();
        f.document.flush();
        QCOMPARE(f.now().index.gpuCount(), 32);
    }

    void commandsWithoutASelectionSaySo()
    {
        CanvasFixture f;
        QVERIFY(f.open("ts-24.shardrack"));
        QSignalSpy status(&f.canvas, &RackCanvas::statusMessage);
        for (const int key : { Qt::Key_M, Qt::Key_R, Qt::Key_G }) {
            press(f, key);
            QVERIFY(!status.takeLast().first().toString().isEmpty());
        }
    }

    void usableIsAskedFor()
    {
        CanvasFixture f;
        QVERIFY(f.open("ts-24.shardrack"));
        QSignalSpy asked(&f.canvas, &RackCanvas::usableRequested);
        f.selection.selectGpus({ f.gpu(0), f.gpu(2) }, f.gpu(0));
        f.canvas.requestUsable();
        QCOMPARE(asked.count(), 1);
        QCOMPARE(asked.first().first().value<std::vector<GpuRef>>().size(), std::size_t(2));
    }

    void whatIsSelectedElsewhereComesIntoView()
    {
        CanvasFixture f;
        f.open(clusterPlan(256, 8, LayoutPreset::Ddp));
        const Server& server = f.site().racks[199]->servers[2];
        QCOMPARE(QString::fromStdString(server.name), QStringLiteral("R200-3"));
        std::vector<GpuRef> gpus;
        for (int i = 0; i < 8; ++i)
            gpus.push_back({ server.id, i });
        f.selection.selectServer(server.id, gpus);
        f.canvas.revealSelection();
        QCoreApplication::processEvents();
        QCOMPARE(f.canvas.level(), DetailLevel::Cell);
        const QRect view = f.canvas.viewport()->rect();
        QVERIFY(view.contains(f.canvas.rectOfServer(server.id)));

        f.canvas.zoomToFit();
        f.selection.selectGpu({ f.site().racks[120]->servers[5].id, 3 });
        f.canvas.revealSelection();
        QCoreApplication::processEvents();
        QCOMPARE(f.canvas.level(), DetailLevel::Cell);
        QVERIFY(view.contains(f.canvas.rectOf(f.selection.focus())));
    }

    void theFocusIsMarkedWhereNothingIsSelected()
    {
        CanvasFixture f;
        QVERIFY(f.open("ts-24.shardrack"));
        f.canvas.activateWindow();
        f.canvas.setFocus();
        QTRY_VERIFY(f.canvas.hasFocus());
        const auto corner = [&] { return f.canvas.viewport()->grab().toImage().pixel(1, 1); };
        f.selection.clear();
        const QRgb marked = corner();
        f.selection.selectGpu(f.gpu(0));
        QVERIFY(corner() != marked);
    }

    // What is not established at all is no figure; what is in part is never less than "at least".
    void needsThatAreOpenSaySo()
    {
        GpuLook look;
        look.idle = false;
        look.atLeast = true;
        QCOMPARE(needFigure(look, 1), QStringLiteral("?"));
        look.need = Bytes(120 * kGiB - kGiB / 4);
        QCOMPARE(needFigure(look, 1), QStringLiteral("≥119.8"));
        QCOMPARE(needFigure(look, 0), QStringLiteral("≥120"));
        look.atLeast = false;
        QCOMPARE(needFigure(look, 0), QStringLiteral("120"));
        look.need = Bytes();
        QCOMPARE(needFigure(look, 2), QStringLiteral("0.00"));

        CanvasFixture f;
        Plan plan = clusterPlan(1, 1, LayoutPreset::Ddp);
        plan.workload = std::make_shared<const Workload>();
        f.open(plan);
        QVERIFY(f.canvas.scene().look(0).unknown());
        QVERIFY(gpuSentence(f.canvas.scene(), 0).contains(QLatin1String("need not established")));
        QVERIFY(!gpuToolTip(f.canvas.scene(), 0).contains(QLatin1String("need at least")));
    }

    void anEmptyPlanGetsItsFirstRack()
    {
        CanvasFixture f;
        f.open(emptyPlan());
        auto* button = f.canvas.findChild<QWidget*>(QStringLiteral("addRackButton"));
        QVERIFY(button && button->isVisible());
        f.canvas.addRack();
        f.document.flush();
        QCOMPARE(f.site().racks.size(), std::size_t(1));
        QVERIFY(!button->isVisible());
        f.document.undoStack().undo();
        f.document.flush();
        QVERIFY(button->isVisible());
    }
};

QTEST_MAIN(TestCanvasKeys)
#include "test_canvas_keys.moc"
