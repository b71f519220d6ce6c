// Both lessons by mouse alone, with a real drag: QDrag does nothing on the offscreen platform.
#include "../window/mouse_drag.h"
#include "lesson_fixture.h"

#include "docks/catalogue_panel.h"

#include <QMenuBar>
#include <QScrollArea>
#include <QTabBar>
#include <QToolButton>
#include <QTreeView>

using namespace shardrack;

namespace {

/// A hand on a mouse: events go to the window's surface, as they come from outside.
struct Mouse {
    LessonFixture& on;

    void click(QWidget* widget, const QPoint& at)
    {
        QWidget* window = widget->window();
        QTest::mouseClick(window->windowHandle(), Qt::LeftButton, {}, widget->mapTo(window, at));
        on.settle();
    }
    void click(QWidget* widget) { click(widget, widget->rect().center()); }
    /// A button or choice of the lesson, scrolled into view as a wheel would.
    bool inLesson(const QString& name)
    {
        auto* widget = on.child(name);
        if (!widget || !widget->isVisible() || !widget->isEnabled())
            return false;
        if (auto* scroll = on.child<QScrollArea>(QStringLiteral("lessonScroll"));
            scroll->widget()->isAncestorOf(widget)) {
            scroll->ensureWidgetVisible(widget, 0, 4);
            on.settle();
        }
        click(widget);
        return true;
    }
    bool predict(int choice)
    {
        return inLesson(QStringLiteral("choice%1").arg(choice)) && inLesson(QStringLiteral("lock"))
            && on.session->locked() && on.session->chosen() == choice;
    }
    bool next() { return inLesson(QStringLiteral("lessonNext")); }
    bool menu(const char* name, const char* entry)
    {
        auto* menu = on.window->findChild<QMenu*>(QLatin1String(name));
        click(on.window->menuBar(),
            on.window->menuBar()->actionGeometry(menu->menuAction()).center());
        if (!QTest::qWaitForWindowExposed(menu))
            return false;
        for (QAction* action : menu->actions())
            if (action->text().remove(QLatin1Char('&')).contains(QLatin1String(entry))) {
                click(menu, menu->actionGeometry(action).center());
                return true;
            }
        return false;
    }
    bool toolButton(const char* action)
    {
        for (QObject* holder :
            on.window->findChild<QAction*>(QLatin1String(action))->associatedObjects())
            if (auto* button = qobject_cast<QToolButton*>(holder)) {
                click(button);
                return true;
            }
        return false;
    }
};

} // namespace

class TestLessonMouse : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void moreGpus();
    void shards();
};

void TestLessonMouse::initTestCase()
{
    if (QGuiApplication::platformName() != QLatin1String("xcb"))
        QSKIP("needs an X server; run by the test command under xvfb-run");
}

void TestLessonMouse::moreGpus()
{
    LessonFixture on("more-gpus");
    QVERIFY(on.window);
    Mouse mouse { on };
    RackCanvas& canvas = on.window->canvas();
    QVERIFY(mouse.inLesson(QStringLiteral("lessonStart")));
    QVERIFY(!mouse.next());
    QVERIFY(mouse.predict(2)); // wrong: a fast link
    mouse.click(&canvas, canvas.placeRect(QStringLiteral("rank 0")).center());
    QVERIFY(on.said("verdictOnPrediction").contains(QLatin1String("wrong")));
    QVERIFY(mouse.next());

    QVERIFY(mouse.predict(2)); // wrong: 48
    QVERIFY(mouse.inLesson(QStringLiteral("showWhere")));
    QCOMPARE(on.panel->marker().rects().size(), std::size_t(2));
    // The outline lets everything through: drag from the one to the other.
    auto* catalogue = on.window->findChild<CataloguePanel*>();
    auto* tree = catalogue->findChild<QTreeView*>();
    const QRect row = catalogue->placeRect(QStringLiteral("pcie-4gpu-16gib"));
    QVERIFY(row.isValid());
    const QRect space = canvas.placeRect(QStringLiteral("free"));
    QVERIFY(space.isValid());
    MouseDrag drag(tree->viewport(), tree->viewport()->mapFrom(catalogue, row.center()), &canvas,
        space.center());
    int triedRanks = -1;
    drag.beforeRelease = [&] {
        if (const auto tried = on.window->document().whatIf())
            triedRanks = tried->assessment->layout.rankCount();
    };
    drag.run();
    on.settle();
    QCOMPARE(triedRanks, 4); // ranks do not follow the hardware here
    QCOMPARE(on.count(Fact::Gpus), std::int64_t(8));
    // What was dropped is selected already; by hand, it is the head of the new server.
    QCOMPARE(on.session->currentTask(), 2);
    const QRect server = canvas.placeRect(QStringLiteral("idle server"));
    mouse.click(&canvas, QPoint(server.left() + 60, server.top() + 70)); // one card of it
    QCOMPARE(on.count(Fact::SelectedGpusWithoutRank), std::int64_t(1));
    QCOMPARE(on.session->currentTask(), 1);
    mouse.click(&canvas, QPoint(server.left() + 60, server.top() + 10));
    QCOMPARE(on.count(Fact::SelectedGpusWithoutRank), std::int64_t(4));
    QVERIFY(mouse.menu("layoutMenu", "Give idle GPUs"));
    QCOMPARE(on.count(Fact::Ranks), std::int64_t(8));
    QVERIFY(on.said("verdictOnPrediction").contains(QLatin1String("at least 24.00 GiB")));
    // Undo opens the task again.
    QVERIFY(mouse.toolButton("undo"));
    QVERIFY(!on.session->revealOpen());
    QVERIFY(mouse.toolButton("redo"));
    QVERIFY(on.session->revealOpen());
    QVERIFY(mouse.next());

    QVERIFY(mouse.predict(0)); // wrong: nothing is redundant
    QVERIFY(on.said("verdictOnPrediction").contains(QLatin1String("168.00 GiB")));
    QVERIFY(mouse.next());

    QVERIFY(mouse.predict(2)); // wrong: layout does not change memory
    QVERIFY(mouse.menu("layoutMenu", "ZeRO-2"));
    QVERIFY(on.said("taskReply0").contains(QLatin1String("a part of the state only")));
    QVERIFY(mouse.inLesson(QStringLiteral("undoMine")));
    QVERIFY(mouse.menu("layoutMenu", "ZeRO-3"));
    QCOMPARE(on.gib(Fact::MostLoadedNeed), std::int64_t(3));
    QVERIFY(mouse.next());
    QCOMPARE(on.session->page(), LessonSession::Page::End);
    QVERIFY(on.untouched());
    // The lesson that follows takes the place of this one, which is done.
    QVERIFY(mouse.inLesson(QStringLiteral("lessonFollowing")));
    QVERIFY(on.lessons.windowOf(QStringLiteral("shards")));
    on.lessons.windowOf(QStringLiteral("shards"))->close();
    QTRY_VERIFY(!on.window);
    QCOMPARE(on.asked, 0);
}

void TestLessonMouse::shards()
{
    LessonFixture on("shards");
    QVERIFY(on.window);
    Mouse mouse { on };
    RackCanvas& canvas = on.window->canvas();
    QVERIFY(mouse.inLesson(QStringLiteral("lessonStart")));
    QVERIFY(mouse.predict(1)); // wrong: it fills the GPU
    auto* tabs = on.window->findChild<QTabBar*>(QStringLiteral("offerTabs"));
    mouse.click(tabs, tabs->tabRect(1).center());
    QVERIFY(on.said("verdictOnPrediction").contains(QLatin1String("at least 6.00 GiB")));
    QVERIFY(mouse.next());

    QVERIFY(mouse.predict(1)); // wrong: a second job
    mouse.click(&canvas, canvas.placeRect(QStringLiteral("server")).center());
    QCOMPARE(on.session->currentTask(), 1);
    bool answered = false;
    QTimer::singleShot(600, [&] {
        QWidget* question = QApplication::activeModalWidget();
        if (!question)
            return;
        for (QPushButton* button : question->findChildren<QPushButton*>())
            if (button->text().contains(QLatin1String("OK"))) {
                answered = true;
                QTest::mouseClick(question->windowHandle(), Qt::LeftButton, {},
                    button->mapTo(question, button->rect().center()));
                return;
            }
    });
    QVERIFY(mouse.menu("editMenu", "usable"));
    QVERIFY(answered);
    QVERIFY(on.said("reveal").contains(QLatin1String("5 terms")));
    QVERIFY(mouse.next());

    QVERIFY(mouse.predict(2)); // wrong: tight
    auto* more = on.window->findChild<QToolButton*>(QStringLiteral("moreTerms"));
    auto* dock = on.window->findChild<QWidget*>(QStringLiteral("workloadPanel"));
    auto* scroll = dock->findChild<QScrollArea*>();
    scroll->ensureWidgetVisible(more);
    mouse.click(more);
    auto* field = on.window->findChild<QWidget*>(QStringLiteral("termActivations"));
    QVERIFY(field->isVisible());
    scroll->ensureWidgetVisible(field);
    on.settle();
    for (int i = 0; i < 40 && !on.session->revealOpen(); ++i)
        mouse.click(field, { field->width() - 9, field->height() / 4 });
    QCOMPARE(on.gib(Fact::Activations), std::int64_t(11)); // the first over 16 − 6
    QVERIFY(on.said("reveal").contains(QLatin1String("Over capacity")));
    QVERIFY(mouse.next());

    QVERIFY(mouse.predict(2)); // wrong: less to share
    for (int i = 0; i < 60 && on.session->currentTask() == 0; ++i)
        QVERIFY(mouse.toolButton("undo"));
    QCOMPARE(on.session->currentTask(), 1);
    mouse.click(&canvas, canvas.placeRect(QStringLiteral("rank 3")).center());
    QVERIFY(mouse.menu("layoutMenu", "Take ranks out"));
    QCOMPARE(on.gib(Fact::LeastLoadedNeed), std::int64_t(8));
    QCOMPARE(on.gib(Fact::MostLoadedNeed), std::int64_t(24));
    QVERIFY(mouse.next());
    QCOMPARE(on.session->page(), LessonSession::Page::End);
    QVERIFY(on.untouched());
}

QTEST_MAIN(TestLessonMouse)
#include "test_lesson_mouse.moc"
