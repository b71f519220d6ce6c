// Selecting, hovering and zooming.

#include "canvas_fixture.h"

#include <QAccessible>
#include <QScrollBar>
#include <QSignalSpy>
#include <QWheelEvent>

using namespace shardrack;

class TestCanvasMouse : public QObject {
    Q_OBJECT

    static void click(CanvasFixture& f, QPoint at, Qt::KeyboardModifiers modifiers = {})
    {
        QTest::mouseClick(f.canvas.viewport(), Qt::LeftButton, modifiers, at);
    }
    static QPoint body(CanvasFixture& f, int gpu)
    {
        const QRect rect = f.canvas.rectOf(f.gpu(gpu));
        return rect.center() + QPoint(0, rect.height() / 4);
    }
    static void wheel(CanvasFixture& f, int notches, QPoint at)
    {
        QWheelEvent event(at, f.canvas.viewport()->mapToGlobal(at), {}, QPoint(0, 120 * notches),
            Qt::NoButton, Qt::ControlModifier, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(f.canvas.viewport(), &event);
    }

private slots:
    void clicksSelect()
    {
        CanvasFixture f;
        QVERIFY(f.open("llama-3-8b-32-gpus.shardrack"));
        click(f, body(f, 2));
        QCOMPARE(f.selection.gpus(), std::vector<GpuRef> { f.gpu(2) });
        click(f, body(f, 5), Qt::ControlModifier);
        QCOMPARE(f.selection.gpus().size(), std::size_t(2));
        click(f, body(f, 5), Qt::ControlModifier);
        QCOMPARE(f.selection.gpus().size(), std::size_t(1));
        click(f, body(f, 2));
        click(f, body(f, 6), Qt::ShiftModifier);
        QCOMPARE(f.selection.gpus().size(), std::size_t(5));
        click(f, body(f, 4)); // of a selection: this one alone
        QCOMPARE(f.selection.gpus(), std::vector<GpuRef> { f.gpu(4) });
        const QRect server = f.canvas.rectOfServer(f.gpu(8).server);
        click(f, server.topLeft() + QPoint(60, 10));
        QCOMPARE(f.selection.server(), f.gpu(8).server);
        click(f, f.canvas.rectOfRack(1).topLeft() + QPoint(40, 12));
        QCOMPARE(f.selection.rack(), 1);
        QCOMPARE(f.selection.gpus().size(), std::size_t(16));
        click(f, f.canvas.rectOfUnit(0, 20).center());
        QVERIFY(f.selection.empty());
    }

    void aMarqueeSelectsWhatItTouches()
    {
        CanvasFixture f;
        QVERIFY(f.open("llama-3-8b-32-gpus.shardrack"));
        QWidget* view = f.canvas.viewport();
        const QPoint from = f.canvas.rectOfUnit(0, 20).topLeft() + QPoint(30, 4);
        const QPoint to = f.canvas.rectOf(f.gpu(10)).center();
        QTest::mousePress(view, Qt::LeftButton, {}, from);
        QTest::mouseMove(view, (from + to) / 2);
        QTest::mouseMove(view, to);
        QTest::mouseRelease(view, Qt::LeftButton, {}, to);
        const std::vector<GpuRef> expected { f.gpu(8), f.gpu(9), f.gpu(10) };
        QCOMPARE(f.selection.gpus(), expected);
    }

    void doubleClickOnAGroupSelectsItsMembers()
    {
        CanvasFixture f;
        QVERIFY(f.open("ts-24.shardrack"));
        f.document.setCurrentOffer(1);
        const CanvasLayout& layout = f.canvas.canvasLayout();
        const QPoint at = layout.groupLabelRect(0, 0, 2).center().toPoint();
        QTest::mouseDClick(f.canvas.viewport(), Qt::LeftButton, {}, at);
        QCOMPARE(f.selection.gpus().size(), std::size_t(4));
        f.document.setCurrentOffer(0);
        QTest::mouseDClick(f.canvas.viewport(), Qt::LeftButton, {}, at);
        QCOMPARE(f.selection.gpus(), std::vector<GpuRef> { f.gpu(2) }); // a replica alone
    }

    void hoverIsShared()
    {
        CanvasFixture f;
        QVERIFY(f.open("ts-24.shardrack"));
        QSignalSpy hovered(&f.selection, &Selection::hoverChanged);
        const QPoint at = body(f, 1);
        QMouseEvent move(QEvent::MouseMove, at, f.canvas.viewport()->mapToGlobal(at), Qt::NoButton,
            Qt::NoButton, {});
        QCoreApplication::sendEvent(f.canvas.viewport(), &move);
        QVERIFY(f.selection.hovered() == f.gpu(1));
        QVERIFY(f.selection.gpus().empty()); // and nothing is selected
        QVERIFY(hovered.count() >= 1);
    }

    void zoomKeepsWhatIsUnderThePointer()
    {
        CanvasFixture f;
        QVERIFY(f.open("llama-3-8b-32-gpus.shardrack"));
        const double before = f.canvas.zoom();
        const QPoint at = f.canvas.rectOf(f.gpu(11)).center();
        QSignalSpy zoomed(&f.canvas, &RackCanvas::zoomChanged);
        wheel(f, 1, at);
        QVERIFY(f.canvas.zoom() > before);
        QCOMPARE(zoomed.count(), 1);
        QVERIFY(f.canvas.rectOf(f.gpu(11)).adjusted(-30, -30, 30, 30).contains(at));
    }

    void levelsChangeWithHysteresis()
    {
        CanvasFixture f;
        QVERIFY(f.open("ts-24.shardrack"));
        QCOMPARE(f.canvas.level(), DetailLevel::Card);
        QSignalSpy level(&f.canvas, &RackCanvas::detailLevelChanged);
        f.canvas.setZoom(130.0 / kGpuWidthAt100);
        QCOMPARE(f.canvas.level(), DetailLevel::Card); // within 10 %
        f.canvas.setZoom(120.0 / kGpuWidthAt100);
        QCOMPARE(f.canvas.level(), DetailLevel::Cell);
        f.canvas.setZoom(150.0 / kGpuWidthAt100);
        QCOMPARE(f.canvas.level(), DetailLevel::Cell);
        f.canvas.setZoom(160.0 / kGpuWidthAt100);
        QCOMPARE(f.canvas.level(), DetailLevel::Card);
        QCOMPARE(level.count(), 2);
        f.canvas.zoomTo100();
        QCOMPARE(f.canvas.zoom(), 1.0);
    }

    void theZoomSuitsTheSize_data()
    {
        QTest::addColumn<int>("racks");
        QTest::addColumn<int>("servers");
        QTest::addColumn<int>("level");
        QTest::newRow("8 GPUs: cards") << 1 << 1 << int(DetailLevel::Card);
        QTest::newRow("32 GPUs: cells") << 2 << 2 << int(DetailLevel::Cell);
        QTest::newRow("16,384 GPUs: one cell each") << 256 << 8 << int(DetailLevel::GpuCell);
        QTest::newRow("131,072 GPUs: servers") << 2048 << 8 << int(DetailLevel::ServerCell);
    }

    void theZoomSuitsTheSize()
    {
        QFETCH(int, racks);
        QFETCH(int, servers);
        QFETCH(int, level);
        CanvasFixture f;
        f.open(clusterPlan(racks, servers, LayoutPreset::Ddp));
        QCOMPARE(int(f.canvas.level()), level);
        if (racks > 2) { // all of it is visible
            QCOMPARE(f.canvas.verticalScrollBar()->maximum(), 0);
            QCOMPARE(f.canvas.horizontalScrollBar()->maximum(), 0);
        }
    }

    void doubleClickEntersARack()
    {
        CanvasFixture f;
        f.open(clusterPlan(256, 8, LayoutPreset::Ddp));
        QTest::mouseDClick(
            f.canvas.viewport(), Qt::LeftButton, {}, f.canvas.rectOfRack(40).center());
        QCOMPARE(f.canvas.level(), DetailLevel::Cell);
        QVERIFY(f.canvas.viewport()->rect().intersects(f.canvas.rectOfRack(40)));
    }

    void middleButtonPans()
    {
        CanvasFixture f;
        QVERIFY(f.open("llama-3-8b-32-gpus.shardrack"));
        f.canvas.setZoom(1);
        f.canvas.verticalScrollBar()->setValue(100);
        QWidget* view = f.canvas.viewport();
        QTest::mousePress(view, Qt::MiddleButton, {}, QPoint(300, 200));
        QTest::mouseMove(view, QPoint(300, 160));
        QTest::mouseRelease(view, Qt::MiddleButton, {}, QPoint(300, 160));
        QCOMPARE(f.canvas.verticalScrollBar()->value(), 140);
    }

    void racksInFocusAreReadAloud()
    {
        CanvasFixture f;
        QVERIFY(f.open("ts-24.shardrack"));
        QAccessibleInterface* racks = QAccessible::queryAccessibleInterface(&f.canvas);
        QVERIFY(racks);
        QCOMPARE(racks->childCount(), 4);
        QAccessibleInterface* gpu = racks->child(3);
        QVERIFY(gpu);
        QCOMPARE(gpu->text(QAccessible::Name), QStringLiteral("GPU A1·3"));
        QCOMPARE(gpu->text(QAccessible::Value),
            QStringLiteral("GPU A1·3, rank 3, at least 24.00 of 16.00 GiB, over capacity"));
        f.selection.selectGpu(f.gpu(3));
        QVERIFY(gpu->state().selected);
        QVERIFY(racks->text(QAccessible::Value).contains(QLatin1String("rank 3")));
        QCOMPARE(racks->indexOfChild(gpu), 3);
        QVERIFY(!gpu->rect().isEmpty());

        CanvasFixture large;
        large.open(clusterPlan(64, 8, LayoutPreset::Ddp));
        large.selection.selectGpu(large.gpu(64 * 5 + 1));
        QAccessibleInterface* many = QAccessible::queryAccessibleInterface(&large.canvas);
        QCOMPARE(many->childCount(), 64); // of one rack, never all
        QCOMPARE(many->child(1)->text(QAccessible::Name), QStringLiteral("GPU R6-1·1"));
    }
};

QTEST_MAIN(TestCanvasMouse)
#include "test_canvas_mouse.moc"
