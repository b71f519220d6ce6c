// Both lessons by keyboard alone: every step is a key that goes to whatever has the focus.
#include "lesson_fixture.h"

#include "docks/catalogue_panel.h"
#include "window/glossary_dialog.h"

#include <QDialog>
#include <QDockWidget>
#include <QLineEdit>
#include <QListWidget>
#include <QTimer>

using namespace shardrack;

namespace {

/// Hands on a keyboard.
struct Keys {
    LessonFixture& on;

    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {})
    {
        QWidget* to = QApplication::activePopupWidget();
        if (!to)
            to = QApplication::focusWidget();
        QTest::keyClick(to ? to : on.window.data(), key, modifiers);
        if (modifiers & Qt::AltModifier) // a button shows for a moment that it is pressed
            QTest::qWait(150);
        on.settle();
    }
    static bool inside(const QWidget* panel)
    {
        const QWidget* focus = QApplication::focusWidget();
        return focus && (focus == panel || panel->isAncestorOf(focus));
    }
    bool to(const QWidget* panel)
    {
        for (int i = 0; i < 12 && !inside(panel); ++i)
            press(Qt::Key_F6);
        return inside(panel);
    }
    /// By Tab, within the lesson.
    bool toChild(const QString& name)
    {
        if (!to(on.panel))
            return false;
        for (int i = 0; i < 60; ++i) {
            const QWidget* focus = QApplication::focusWidget();
            if (focus && focus->objectName() == name)
                return true;
            press(Qt::Key_Tab);
        }
        return false;
    }
    bool predict(int choice)
    {
        // Tab goes to the choices, arrows go from one to the next.
        if (!toChild(QStringLiteral("choice0")))
            return false;
        for (int i = 0; i < choice; ++i)
            press(Qt::Key_Down);
        press(Qt::Key_Space);
        press(Qt::Key_K, Qt::AltModifier);
        return on.session->locked() && on.session->chosen() == choice;
    }
    bool next()
    {
        const int step = on.session->step();
        press(Qt::Key_N, Qt::AltModifier);
        return on.session->page() != LessonSession::Page::Step || on.session->step() == step + 1;
    }
    /// Enter, as the lesson opens.
    bool start()
    {
        press(Qt::Key_Return);
        return on.session->page() == LessonSession::Page::Step;
    }
    /// The entry of a menu by its mnemonics.
    void menu(Qt::Key title, Qt::Key entry)
    {
        press(title, Qt::AltModifier);
        press(entry);
    }
    /// The entry of a menu by arrows.
    bool menuByArrows(Qt::Key title, const QString& entry)
    {
        press(title, Qt::AltModifier);
        for (int i = 0; i < 30; ++i) {
            auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            if (!menu)
                return false;
            if (menu->activeAction() && menu->activeAction()->text().contains(entry)) {
                press(Qt::Key_Return);
                return true;
            }
            press(Qt::Key_Down);
        }
        return false;
    }
};

} // namespace

class TestLessonKeyboard : public QObject {
    Q_OBJECT
private slots:
    void placesOfShippedLessonsExist();
    void moreGpus();
    void ranksByNumber();
    void shards();
    void aCopyIsACopy();
    void brokenLessonsAreRefusedInTheWindow();
    void wordsLeadToTheGlossary();
    void nothingShownIsWithoutAName();
};

void TestLessonKeyboard::placesOfShippedLessonsExist()
{
    LessonFixture on("more-gpus");
    for (const std::string& name : lessonNames()) {
        const auto problem
            = PlaceMarker::problem(on.window, findLesson(QString::fromStdString(name)).value());
        QVERIFY2(!problem, problem ? problem->text().c_str() : "");
    }
}

void TestLessonKeyboard::moreGpus()
{
    LessonFixture on("more-gpus");
    QVERIFY(on.window);
    Keys keys { on };
    QVERIFY2(on.said("lessonTakes").contains(QLatin1String("5 minutes")),
        qPrintable(on.said("lessonTakes")));
    QVERIFY(keys.start());

    // Wrong: memory of different devices is added up.
    QVERIFY(!keys.next());
    QVERIFY(keys.predict(0));
    QVERIFY(!on.child<QPushButton>(QStringLiteral("lessonNext"))->isEnabled());
    QVERIFY(keys.to(&on.window->canvas()));
    keys.press(Qt::Key_Right);
    QVERIFY(on.session->revealOpen());
    QVERIFY(on.said("verdictOnPrediction").contains(QLatin1String("wrong")));
    QVERIFY(on.said("reply").contains(QLatin1String("is not one allocation")));
    QVERIFY2(on.said("reveal").contains(QLatin1String("needs at least 24.00 GiB")),
        qPrintable(on.said("reveal")));
    QVERIFY(on.said("reveal").contains(QLatin1String("at least 8.00 GiB, on 4 of 4")));
    QVERIFY(keys.next());

    // Wrong: twice the GPUs, half the load.
    QVERIFY(keys.predict(0));
    keys.press(Qt::Key_W, Qt::AltModifier); // show me where
    QCOMPARE(on.panel->marker().rects().size(), std::size_t(2));
    QCOMPARE(on.panel->marker().tags(), (QStringList { "1", "2" })); // to be used in turn
    // A hint takes its button's place; the keyboard stays in the lesson.
    QVERIFY(keys.toChild(QStringLiteral("hintButton")));
    keys.press(Qt::Key_Space);
    QVERIFY(!on.said("hint").isEmpty());
    QVERIFY(Keys::inside(on.panel));
    // A wrong way first: offer S.
    keys.press(Qt::Key_PageDown, Qt::ControlModifier);
    QVERIFY(on.said("taskReply0").contains(QLatin1String("Offer S is in front")));
    keys.press(Qt::Key_PageUp, Qt::ControlModifier);
    QVERIFY(on.said("taskReply0").isEmpty());
    auto* catalogue = on.window->findChild<CataloguePanel*>();
    const auto carries = [&](const char* type) {
        const auto current = catalogue->current();
        return current && current->type == type;
    };
    QVERIFY(keys.to(catalogue));
    for (int i = 0; i < 40 && !carries("pcie-4gpu-16gib"); ++i)
        keys.press(Qt::Key_Down);
    QVERIFY(carries("pcie-4gpu-16gib"));
    keys.press(Qt::Key_Insert);
    keys.press(Qt::Key_Return);
    QCOMPARE(on.count(Fact::Gpus), std::int64_t(8));
    QCOMPARE(on.count(Fact::Ranks), std::int64_t(4));
    QVERIFY(!on.panel->marker().active()); // what was outlined served
    keys.press(Qt::Key_Escape);
    QCOMPARE(on.session->currentTask(), 1);
    keys.press(Qt::Key_Right);
    keys.press(Qt::Key_Down);
    for (int i = 0; i < 3; ++i)
        keys.press(Qt::Key_Right, Qt::ShiftModifier);
    QCOMPARE(on.count(Fact::SelectedGpusWithoutRank), std::int64_t(4));
    QCOMPARE(on.session->currentTask(), 2);
    keys.menu(Qt::Key_L, Qt::Key_R);
    QCOMPARE(on.count(Fact::Ranks), std::int64_t(8));
    QCOMPARE(on.window->document().undoStack().undoText(), QStringLiteral("Add 4 ranks"));
    QVERIFY(on.session->revealOpen());
    QVERIFY(on.said("verdictOnPrediction").contains(QLatin1String("reads at least 24.00 GiB")));
    QVERIFY(on.said("reveal").contains(QLatin1String("64.00 GiB, then 128.00 GiB")));
    // Undo opens the task again, redo closes it.
    keys.press(Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(!on.session->revealOpen());
    keys.press(Qt::Key_Y, Qt::ControlModifier);
    QVERIFY(on.session->revealOpen());
    QVERIFY(keys.next());

    // Wrong, and no task: the answer opens at once.
    QVERIFY(keys.predict(1));
    QVERIFY(on.said("verdictOnPrediction").contains(QLatin1String("168.00 GiB")));
    QVERIFY(on.said("reveal").contains(QLatin1String("192.00 GiB")));
    QVERIFY(keys.next());

    // Right; but first by a layout that divides a part only.
    QVERIFY(keys.predict(0));
    QVERIFY(keys.menuByArrows(Qt::Key_L, QStringLiteral("ZeRO-1")));
    QVERIFY(on.said("taskReply0").contains(QLatin1String("a part of the state only")));
    QVERIFY(!on.session->revealOpen());
    QVERIFY(keys.menuByArrows(Qt::Key_L, QStringLiteral("ZeRO-3")));
    QVERIFY(on.session->revealOpen());
    QCOMPARE(on.gib(Fact::MostLoadedNeed), std::int64_t(3));
    QVERIFY(on.said("verdictOnPrediction").contains(QLatin1String("right")));
    QVERIFY2(on.said("reveal").contains(QLatin1String("not established")),
        qPrintable(on.said("reveal")));
    QVERIFY(keys.next());
    QCOMPARE(on.session->page(), LessonSession::Page::End);
    QVERIFY(on.session->done());
    QVERIFY(on.untouched());
    // The menu of the person's window says so.
    emit on.person.lessonsMenu().aboutToShow();
    QVERIFY(on.person.findChild<QAction*>(QStringLiteral("lesson-more-gpus"))
                ->text()
                .endsWith(QLatin1String("done")));
}

/// Any route counts: R and the numbers of the new ranks, as well as the menu.
void TestLessonKeyboard::ranksByNumber()
{
    LessonFixture on("more-gpus");
    Keys keys { on };
    QVERIFY(keys.start());
    QVERIFY(keys.predict(1));
    QVERIFY(keys.to(&on.window->canvas()));
    keys.press(Qt::Key_Right);
    QVERIFY(keys.next());
    QVERIFY(keys.predict(1));
    auto* catalogue = on.window->findChild<CataloguePanel*>();
    QVERIFY(keys.to(catalogue));
    for (int i = 0;
         i < 40 && !(catalogue->current() && catalogue->current()->type == "pcie-4gpu-16gib"); ++i)
        keys.press(Qt::Key_Down);
    keys.press(Qt::Key_Insert);
    keys.press(Qt::Key_Return);
    QCOMPARE(on.count(Fact::SelectedGpusWithoutRank), std::int64_t(4));
    keys.press(Qt::Key_R);
    QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("5-8")); // 4 would be missing
    keys.press(Qt::Key_Return);
    QCOMPARE(on.count(Fact::Ranks), std::int64_t(4));
    keys.press(Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("4-7"));
    keys.press(Qt::Key_Return);
    QCOMPARE(on.count(Fact::Ranks), std::int64_t(8));
    QVERIFY(on.session->revealOpen());
    QVERIFY(on.said("verdictOnPrediction").contains(QLatin1String("right")));
}

void TestLessonKeyboard::shards()
{
    LessonFixture on("shards");
    QVERIFY(on.window);
    Keys keys { on };
    QVERIFY(keys.start());

    QVERIFY(keys.predict(2)); // wrong: training needs all of it
    keys.press(Qt::Key_PageDown, Qt::ControlModifier);
    QVERIFY(on.session->revealOpen());
    QVERIFY2(
        on.said("reveal").contains(QStringLiteral("24.00 GiB ÷ 4")), qPrintable(on.said("reveal")));
    QVERIFY(on.said("verdictOnPrediction").contains(QLatin1String("reads at least 6.00 GiB")));
    QVERIFY(keys.next());

    QVERIFY(on.said("question").contains(QLatin1String("at most 10.00 GiB")));
    QVERIFY(keys.predict(0)); // wrong: a margin
    QVERIFY(keys.to(&on.window->canvas()));
    keys.press(Qt::Key_A, Qt::ControlModifier);
    QCOMPARE(on.session->currentTask(), 1);
    // The question is modal: Enter goes to it once it is there.
    bool answered = false;
    QTimer::singleShot(200, [&] {
        QWidget* question = QApplication::activeModalWidget();
        answered = question != nullptr;
        if (question)
            QTest::keyClick(question, Qt::Key_Return);
    });
    QVERIFY(keys.menuByArrows(Qt::Key_E, QStringLiteral("usable")));
    QTRY_VERIFY(answered);
    on.window->activateWindow(); // without a window manager nobody else does
    on.settle();
    QVERIFY(on.session->revealOpen());
    QVERIFY2(
        on.said("reveal").contains(QLatin1String("still Open")), qPrintable(on.said("reveal")));
    QVERIFY(on.said("reveal").contains(QLatin1String("5 terms")));
    QVERIFY(on.said("reveal").contains(QLatin1String("10.00 GiB")));
    QVERIFY(keys.next());

    QVERIFY(keys.predict(1)); // wrong: open, as before
    auto* workload = on.window->findChild<QDockWidget*>(QStringLiteral("workloadDock"))->widget();
    QVERIFY(keys.to(workload));
    const auto tabTo = [&](const char* name) {
        for (int i = 0; i < 40; ++i) {
            if (QApplication::focusWidget()
                && QApplication::focusWidget()->objectName() == QLatin1String(name))
                return true;
            keys.press(Qt::Key_Tab);
        }
        return false;
    };
    QVERIFY(tabTo("moreTerms"));
    keys.press(Qt::Key_Space);
    QVERIFY(tabTo("termActivations"));
    // Not enough first.
    QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("9"));
    keys.press(Qt::Key_Return);
    QVERIFY2(on.said("taskReply0").contains(QLatin1String("at least 15.00 GiB of 16.00 GiB")),
        qPrintable(on.said("taskReply0")));
    keys.press(Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("11"));
    keys.press(Qt::Key_Return);
    QVERIFY(on.session->revealOpen());
    QVERIFY2(on.said("reveal").contains(QLatin1String("at least 17.00 GiB of 16.00 GiB")),
        qPrintable(on.said("reveal")));
    QVERIFY(keys.next());

    QVERIFY(keys.predict(0)); // wrong: their shares stay
    QVERIFY(keys.to(&on.window->canvas()));
    for (int i = 0; i < 40 && on.session->currentTask() == 0; ++i)
        keys.press(Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(on.session->currentTask(), 1);
    QCOMPARE(on.gib(Fact::MostLoadedNeed), std::int64_t(6));
    keys.press(Qt::Key_Escape);
    for (int i = 0; i < 4; ++i)
        keys.press(Qt::Key_Right);
    QCOMPARE(on.count(Fact::SelectedGpus), std::int64_t(1));
    // A wrong way: the rank leaves the job.
    keys.menu(Qt::Key_L, Qt::Key_M);
    QVERIFY2(on.said("taskReply1").contains(QLatin1String("left the job")),
        qPrintable(on.said("taskReply1")));
    keys.press(Qt::Key_Z, Qt::ControlModifier);
    keys.menu(Qt::Key_L, Qt::Key_T);
    QVERIFY(on.session->revealOpen());
    QCOMPARE(on.gib(Fact::MostLoadedNeed), std::int64_t(24));
    QCOMPARE(on.gib(Fact::LeastLoadedNeed), std::int64_t(8));
    QVERIFY(on.said("verdictOnPrediction").contains(QLatin1String("reads at least 8.00 GiB")));
    QVERIFY(keys.next());
    QCOMPARE(on.session->page(), LessonSession::Page::End);
    QVERIFY(on.untouched());
}

void TestLessonKeyboard::aCopyIsACopy()
{
    LessonFixture on("more-gpus");
    QVERIFY(on.window->windowTitle().contains(QLatin1String("(lesson copy)")));
    QVERIFY(on.child<QLabel>(QStringLiteral("lessonCopy"))
                ->text()
                .contains(QLatin1String("copy of TS-24")));
    // What an offer asks of it comes up, not a second window.
    MainWindow* first = on.window;
    on.open();
    QCOMPARE(on.window.data(), first);
    on.window->canvas().addRack();
    on.settle();
    QCOMPARE(on.count(Fact::Racks), std::int64_t(2));
    QVERIFY(on.untouched());
    const QString path = on.folder.filePath(QStringLiteral("kept.shardrack"));
    on.window->askForFile = [&](bool saving, const QString&) { return saving ? path : QString(); };
    on.window->findChild<QAction*>(QStringLiteral("save"))->trigger();
    QVERIFY(QFileInfo::exists(path));
    on.window->canvas().addRack();
    on.settle();
    for (const char* name : { "new", "open", "importModel" })
        QVERIFY(!on.window->findChild<QAction*>(QLatin1String(name))->isEnabled());
    const QByteArray geometry = on.settings.windowState();
    QVERIFY(on.window->close());
    QCOMPARE(on.asked, 0);
    QCOMPARE(on.settings.windowState(), geometry);
    QTRY_VERIFY(!on.window);
    // Opened again, it is where it was.
    on.open();
    QVERIFY(on.window);
    QCOMPARE(on.session->reached(), 0);
}

void TestLessonKeyboard::brokenLessonsAreRefusedInTheWindow()
{
    LessonFixture on("more-gpus");
    Result<Lesson> lesson = findLesson(QStringLiteral("more-gpus"));
    const QString path = on.folder.filePath(QStringLiteral("mine.json"));
    QFile source(QStringLiteral(SHARDRACK_SOURCE_DIR "/resources/lessons/more-gpus.json"));
    QVERIFY(source.open(QIODevice::ReadOnly));
    const QByteArray whole = source.readAll();
    const auto write = [&](const QByteArray& text) {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    };
    QByteArray text = whole;
    write(text.replace("\"layoutMenu\"", "\"layoutMenue\""));
    auto error = on.lessons.open(path);
    QVERIFY(error);
    QVERIFY2(QString::fromStdString(error->text()).contains(QLatin1String("$.steps[1].tasks[2]")),
        error->text().c_str());
    QVERIFY2(QString::fromStdString(error->text()).contains(QLatin1String("\"layoutMenu\"")),
        error->text().c_str());
    QVERIFY(!on.lessons.windowOf(QStringLiteral("mine")));
    write(whole);
    error = on.lessons.open(path);
    QVERIFY2(!error, error ? error->text().c_str() : "");
    QVERIFY(on.lessons.windowOf(QStringLiteral("mine")));
    on.lessons.windowOf(QStringLiteral("mine"))->close();
}

void TestLessonKeyboard::wordsLeadToTheGlossary()
{
    LessonFixture on("more-gpus");
    Keys keys { on };
    QVERIFY(keys.to(&on.window->canvas()));
    keys.press(Qt::Key_G, Qt::ControlModifier | Qt::ShiftModifier);
    auto* glossary = on.window->findChild<GlossaryDialog*>();
    QVERIFY(glossary && glossary->isVisible());
    glossary->close();
    // A link of the lesson's text.
    const QList<QLabel*> labels = on.panel->findChildren<QLabel*>();
    const auto linked = std::find_if(labels.begin(), labels.end(), [](const QLabel* label) {
        return label->isVisible() && label->text().contains(QLatin1String("word:replica"));
    });
    QVERIFY(linked != labels.end());
    emit(*linked)->linkActivated(QStringLiteral("word:replica"));
    QVERIFY(glossary->isVisible());
    QCOMPARE(glossary->word(), QStringLiteral("replica"));
    glossary->close();
    // What has the focus: a line of the inspector.
    auto* inspector = on.window->findChild<QDockWidget*>(QStringLiteral("inspectorDock"));
    inspector->show();
    on.window->activateWindow();
    on.settle();
    QVERIFY(keys.to(inspector->widget()));
    keys.press(Qt::Key_Home, Qt::ControlModifier);
    keys.press(Qt::Key_F1, Qt::ShiftModifier);
    QVERIFY(glossary->isVisible());
    QCOMPARE(glossary->word(), QStringLiteral("persistent training state"));
    // The filter finds other names, too.
    QTest::keyClicks(glossary->findChild<QLineEdit*>(), QStringLiteral("nccl"));
    QCOMPARE(glossary->word(), QStringLiteral("outside the allocator"));
    glossary->close();
}

void TestLessonKeyboard::nothingShownIsWithoutAName()
{
    LessonFixture on("shards");
    on.session->start();
    on.settle();
    for (const QAbstractButton* button : on.panel->findChildren<QAbstractButton*>())
        if (button->isVisible())
            QVERIFY2(!button->accessibleName().isEmpty() || !button->text().isEmpty(),
                qPrintable(button->objectName()));
}

QTEST_MAIN(TestLessonKeyboard)
#include "test_lesson_keyboard.moc"
