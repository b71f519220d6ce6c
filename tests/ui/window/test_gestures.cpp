// Drags with the mouse through a real X server: QDrag does nothing on the offscreen platform.
#include "window_fixture.h"

#include "canvas/group_strip.h"

#include <QTimer>
#include <QToolButton>
#include <QWindow>

using namespace shardrack;

namespace {

/// Presses, moves in steps and releases, driven by a timer because QDrag runs a loop of its own.
class MouseDrag : public QObject {
public:
    MouseDrag(QWidget* from, QPoint start, QWidget* to, QPoint end)
        : m_window(from->window()->windowHandle())
        , m_start(from->mapTo(from->window(), start))
        , m_end(to->mapTo(to->window(), end))
    {
    }
    /// Looks at the window while the button is still held over the target.
    std::function<void()> beforeRelease;
    bool escape = false;

    void run()
    {
        QTest::mousePress(m_window, Qt::LeftButton, {}, m_start);
        // A timer does not fire while its own slot runs, and the move that starts the drag returns
        // only after the drop: every step has a timer of its own.
        for (int step = 1; step <= kSteps + 10; ++step)
            QTimer::singleShot(25 * step, this, [this, step] { take(step); });
        QTRY_VERIFY_WITH_TIMEOUT(m_done, 15'000);
    }

private:
    void take(int step)
    {
        if (step <= kSteps) {
            QTest::mouseMove(m_window, m_start + (m_end - m_start) * step / kSteps);
        } else if (step == kSteps + 4) {
            if (beforeRelease)
                beforeRelease();
        } else if (step == kSteps + 6 && escape) {
            QTest::keyClick(m_window, Qt::Key_Escape);
        } else if (step == kSteps + (escape ? 8 : 6)) {
            QTest::mouseRelease(m_window, Qt::LeftButton, {}, m_end);
        } else if (step == kSteps + 10) {
            m_done = true;
        }
    }
    static constexpr int kSteps = 12;
    QWindow* m_window;
    QPoint m_start;
    QPoint m_end;
    bool m_done = false;
};

} // namespace

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
