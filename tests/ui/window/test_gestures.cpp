// Drags with the mouse through a real X server: QDrag does nothing on the offscreen platform.
#include "mouse_drag.h"
#include "window_fixture.h"

#include "canvas/group_strip.h"

#include <QToolButton>

using namespace shardrack;

class TestGestures : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void aGpuFromTheCatalogueAddsAReplica();
    void escapeRestores();
    void aRankDraggedOutOfTheShardsIsAReplica();
};

void TestGestures::initTestCase()
{
    if (QGuiApplication::platformName() != QLatin1String("xcb"))
        QSKIP("needs an X server; run by the test command under xvfb-run");
}

void TestGestures::aGpuFromTheCatalogueAddsAReplica()
{
    WindowFixture on;
    auto* panel = on.window.findChild<CataloguePanel*>();
    auto* tree = panel->findChild<QTreeView*>();
    QModelIndex row;
    for (int i = 0; i < 200; ++i) {
        const auto current = panel->current();
        if (current && current->kind == Carried::Kind::GpuType
            && current->type == "generic-16gib") {
            row = tree->currentIndex();
            break;
        }
        QTest::keyClick(tree, Qt::Key_Down);
    }
    QVERIFY(row.isValid());
    tree->scrollTo(row);
    QApplication::processEvents();
    RackCanvas& canvas = on.window.canvas();
    const QRect space = canvas.rectOfUnit(0, 6);
    QVERIFY(!space.isEmpty());
    MouseDrag drag(
        tree->viewport(), tree->visualRect(row).center(), canvas.viewport(), space.center());
    int triedRanks = 0;
    drag.beforeRelease = [&] {
        if (const auto tried = on.window.document().whatIf())
            triedRanks = tried->assessment->layout.rankCount();
    };
    drag.run();
    on.settle();
    QCOMPARE(triedRanks, 5);
    QCOMPARE(on.assessment().layout.rankCount(), 5);
    for (int rank = 0; rank < 5; ++rank)
        QCOMPARE(on.needOfRank(rank), 24 * kGiB);
}

void TestGestures::escapeRestores()
{
    WindowFixture on;
    RackCanvas& canvas = on.window.canvas();
    const auto before = on.window.document().plan();
    const QRect server = canvas.rectOfServer(on.offer().site.racks[0]->servers[0].id);
    const QRect space = canvas.rectOfUnit(0, 6);
    MouseDrag drag(canvas.viewport(), QPoint(server.left() + 60, server.top() + 10),
        canvas.viewport(), space.center());
    drag.escape = true;
    drag.run();
    on.settle();
    QCOMPARE(on.window.document().plan(), before);
    QVERIFY(!on.window.document().whatIf());
}

void TestGestures::aRankDraggedOutOfTheShardsIsAReplica()
{
    WindowFixture on;
    on.showOffer("Offer S");
    RackCanvas& canvas = on.window.canvas();
    on.window.selection().selectGpu(on.gpuOfRank(3));
    on.settle();
    GroupStrip& strip = canvas.groupStrip();
    QToolButton* target = nullptr;
    const QList<QToolButton*> buttons = strip.findChildren<QToolButton*>();
    for (std::size_t i = 0; i < strip.chips().size(); ++i)
        if (strip.chips()[i].target.kind == DropTarget::Kind::NoGroup)
            target = buttons.at(int(i));
    QVERIFY(target);
    // The rank's grip is at the left end of the card's header.
    const QRect card = canvas.rectOf(on.gpuOfRank(3));
    QVERIFY(!card.isEmpty());
    MouseDrag drag(
        canvas.viewport(), card.topLeft() + QPoint(22, 16), target, target->rect().center());
    drag.run();
    on.settle();
    QCOMPARE(on.needOfRank(3), 24 * kGiB);
    for (int rank = 0; rank < 3; ++rank)
        QCOMPARE(on.needOfRank(rank), 8 * kGiB);
}

QTEST_MAIN(TestGestures)
#include "test_gestures.moc"
