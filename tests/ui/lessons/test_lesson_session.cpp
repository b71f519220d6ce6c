#include "lessons/lesson_session.h"

#include "plan/edit.h"

#include <QSignalSpy>
#include <QTest>

using namespace shardrack;

namespace {

/// A lesson followed on a document, without a window: edits come from the edits themselves.
struct Course {
    explicit Course(const char* name = "more-gpus", const QByteArray& progress = {})
        : lesson(findLesson(QLatin1String(name)).value())
        , session(lesson, document, selection, progress)
    {
    }
    void edit(const Edit& edit)
    {
        struct Command : QUndoCommand {
            PlanDocument& document;
            std::shared_ptr<const Plan> before, after;
            Command(PlanDocument& on, const Edit& edit)
                : document(on)
                , before(on.plan())
                , after(std::make_shared<const Plan>(shardrack::apply(*on.plan(), edit)->plan))
            {
            }
            void redo() override { document.replacePlan(after); }
            void undo() override { document.replacePlan(before); }
        };
        document.undoStack().push(new Command(document, edit));
        document.flush();
    }
    void addServer()
    {
        Server server = document.plan()->offers[0]->site.racks[0]->servers[0];
        server.name = "A2";
        server.unit = 5;
        edit(edit::AddServer { 0, 0, server });
    }
    void giveRanks(int count = 4)
    {
        const Server& server = document.plan()->offers[0]->site.racks[0]->servers[1];
        const ServerId id = server.id;
        for (int i = 0; i < count; ++i)
            edit(edit::AddRank { 0, { id, i } });
    }
    void passFirstStep()
    {
        session.start();
        session.choose(1);
        session.lock();
        selection.selectGpu({ document.plan()->offers[0]->site.racks[0]->servers[0].id, 0 });
        session.next();
    }
    PlanDocument document;
    Selection selection;
    Lesson lesson;
    LessonSession session;
};

} // namespace

class TestLessonSession : public QObject {
    Q_OBJECT
private slots:
    void predictionLocksBeforeTheTaskOpens();
    void aSelectionThatServedMayGo();
    void undoOpensATaskAgain();
    void undoMineTakesBackTheStep();
    void wrongWaysGetTheirReply();
    void theWindowSaysWhatIsRight();
    void passedStepsStayAsTheyWereRead();
    void progressIsKept();
    void progressOfAnotherVersionCountsAsNothing();
    void damagedProgressCountsAsNothing();
    void statesOfTheMenu();
};

void TestLessonSession::predictionLocksBeforeTheTaskOpens()
{
    Course course;
    LessonSession& session = course.session;
    QCOMPARE(session.page(), LessonSession::Page::Title);
    session.start();
    QVERIFY(!session.tasksOpen());
    QVERIFY(!session.mayGoNext());
    session.lock(); // nothing is chosen
    QVERIFY(!session.locked());
    session.choose(7); // there is no such choice
    QCOMPARE(session.chosen(), -1);
    session.choose(0);
    session.choose(2);
    QCOMPARE(session.chosen(), 2);
    QVERIFY(!session.tasksOpen());
    session.lock();
    QVERIFY(session.tasksOpen());
    QVERIFY(!session.revealOpen());
    session.choose(0);
    QCOMPARE(session.chosen(), 2);
    QVERIFY(!session.mayGoNext());
}

void TestLessonSession::aSelectionThatServedMayGo()
{
    Course course;
    course.passFirstStep();
    QCOMPARE(course.session.step(), 1);
    Course other;
    other.session.start();
    other.session.choose(0);
    other.session.lock();
    other.selection.selectGpu(
        { other.document.plan()->offers[0]->site.racks[0]->servers[0].id, 1 });
    QVERIFY(other.session.revealOpen());
    other.selection.clear();
    QVERIFY(other.session.revealOpen());
}

void TestLessonSession::undoOpensATaskAgain()
{
    Course course;
    course.passFirstStep();
    LessonSession& session = course.session;
    session.choose(0);
    session.lock();
    QCOMPARE(session.currentTask(), 0);
    course.addServer();
    QCOMPARE(session.currentTask(), 1);
    const ServerId id = course.document.plan()->offers[0]->site.racks[0]->servers[1].id;
    course.selection.selectServer(id, { { id, 0 }, { id, 1 }, { id, 2 }, { id, 3 } });
    QCOMPARE(session.currentTask(), 2);
    course.giveRanks();
    QCOMPARE(session.currentTask(), -1);
    QVERIFY(session.revealOpen());
    // The bar did not move: 24 GiB before and after, at 4 and at 8 ranks.
    QCOMPARE(*session.before()[Fact::MostLoadedNeed].size, Bytes(24 * kGiB));
    QCOMPARE(*session.now()[Fact::MostLoadedNeed].size, Bytes(24 * kGiB));
    QCOMPARE(*session.before()[Fact::Ranks].count, std::int64_t(4));
    QCOMPARE(*session.now()[Fact::Ranks].count, std::int64_t(8));
    QCOMPARE(*session.now()[Fact::InstalledTotal].size, Bytes(128 * kGiB));
    course.document.undoStack().undo();
    course.document.flush();
    QVERIFY(!session.revealOpen());
    QVERIFY(!session.mayGoNext());
    course.document.undoStack().redo();
    course.document.flush();
    QVERIFY(session.revealOpen());
}

void TestLessonSession::undoMineTakesBackTheStep()
{
    Course course;
    course.passFirstStep();
    LessonSession& session = course.session;
    session.choose(0);
    session.lock();
    QVERIFY(!session.mayUndoMine());
    const auto before = course.document.plan();
    course.addServer();
    course.giveRanks(2);
    QVERIFY(session.mayUndoMine());
    session.undoMine();
    course.document.flush();
    QCOMPARE(course.document.plan(), before);
    QVERIFY(!session.mayUndoMine());
    QCOMPARE(session.currentTask(), 0);
    QVERIFY(session.locked());
}

void TestLessonSession::wrongWaysGetTheirReply()
{
    Course course;
    course.passFirstStep();
    LessonSession& session = course.session;
    session.choose(0);
    session.lock();
    QVERIFY(!session.replyTo(0));
    course.document.setCurrentOffer(1);
    course.document.flush();
    QVERIFY(session.replyTo(0));
    QVERIFY(session.replyTo(0)
                ->plain(session.now(), session.before())
                .contains(QLatin1String("Offer S is in front")));
    course.document.setCurrentOffer(0);
    course.document.flush();
    Layout sharded = course.document.plan()->offers[0]->layout;
    sharded.preset = LayoutPreset::Fsdp;
    course.edit(edit::SetLayout { 0, sharded });
    QVERIFY(session.replyTo(0));
    QVERIFY(session.replyTo(0)
                ->plain(session.now(), session.before())
                .contains(QLatin1String("not replicas any more")));
    // With the state divided, ranks alone do not finish it.
    course.addServer();
    course.giveRanks();
    QVERIFY(!session.revealOpen());
    session.undoMine();
    course.document.flush();
    QVERIFY(!session.replyTo(0));
}

void TestLessonSession::theWindowSaysWhatIsRight()
{
    Course course;
    course.passFirstStep();
    LessonSession& session = course.session;
    session.choose(2); // 48 GiB
    session.lock();
    course.addServer();
    course.giveRanks();
    QVERIFY(session.revealOpen());
    QCOMPARE(session.rightChoice(), 1);
    QCOMPARE(*session.current().predict->choices[1].value, 24 * kGiB);
    session.next();
    // Eight copies of 24 GiB, all but one redundant: 7 × 24 = 168.
    session.choose(2);
    session.lock();
    QVERIFY(session.revealOpen());
    QCOMPARE(session.rightChoice(), 2);
    QCOMPARE(*session.now()[Fact::StateRedundant].size, Bytes(168 * kGiB));
    QCOMPARE(*session.now()[Fact::StateTotal].size, Bytes(192 * kGiB));
}

void TestLessonSession::passedStepsStayAsTheyWereRead()
{
    Course course;
    course.passFirstStep();
    LessonSession& session = course.session;
    session.choose(1);
    session.lock();
    course.addServer();
    course.giveRanks();
    session.back();
    QCOMPARE(session.step(), 0);
    QVERIFY(session.passed());
    QVERIFY(session.revealOpen());
    QCOMPARE(*session.now()[Fact::Ranks].count, std::int64_t(4));
    session.choose(0);
    QCOMPARE(session.chosen(), 1);
    session.next();
    QCOMPARE(session.step(), 1);
    QCOMPARE(*session.before()[Fact::Ranks].count, std::int64_t(4));
    QCOMPARE(*session.now()[Fact::Ranks].count, std::int64_t(8));
    session.back();
    session.back();
    QCOMPARE(session.page(), LessonSession::Page::Title);
    session.next();
    QCOMPARE(session.step(), 1);
    QVERIFY(session.mayUndoMine());
}

void TestLessonSession::progressIsKept()
{
    QByteArray progress;
    {
        Course course;
        QSignalSpy told(&course.session, &LessonSession::progressChanged);
        course.passFirstStep();
        course.session.choose(0);
        course.session.lock();
        course.addServer();
        course.giveRanks();
        QVERIFY(told.count() >= 3);
        course.session.next();
        QCOMPARE(course.session.step(), 2);
        progress = course.session.progress();
    }
    Course again("more-gpus", progress);
    QCOMPARE(again.session.page(), LessonSession::Page::Title);
    QCOMPARE(again.session.reached(), 2);
    again.session.start();
    QCOMPARE(again.session.step(), 2);
    QCOMPARE(*again.session.now()[Fact::Ranks].count, std::int64_t(8));
    again.session.back();
    QVERIFY(again.session.passed());
    QCOMPARE(again.session.chosen(), 0);
    QCOMPARE(*again.session.before()[Fact::Ranks].count, std::int64_t(4));
    again.session.startOver();
    QCOMPARE(again.session.step(), 0);
    QCOMPARE(again.session.chosen(), -1);
    QCOMPARE(*again.session.now()[Fact::Ranks].count, std::int64_t(4));
}

void TestLessonSession::progressOfAnotherVersionCountsAsNothing()
{
    Course course;
    course.passFirstStep();
    QByteArray progress = course.session.progress();
    progress.replace(QByteArray::fromStdString(course.lesson.digest), QByteArray("old"));
    Course again("more-gpus", progress);
    QCOMPARE(again.session.reached(), 0);
}

void TestLessonSession::damagedProgressCountsAsNothing()
{
    Course course;
    course.passFirstStep();
    const QByteArray progress = course.session.progress();
    for (int length = 0; length < progress.size(); length += 37) {
        Course again("more-gpus", progress.left(length));
        QCOMPARE(again.session.reached(), 0);
        QVERIFY(again.document.current());
    }
    QByteArray beyond = progress;
    beyond.replace("\"step\":1", "\"step\":99");
    QVERIFY(beyond != progress);
    Course again("more-gpus", beyond);
    QCOMPARE(again.session.reached(), 0);
}

void TestLessonSession::statesOfTheMenu()
{
    Course course;
    QCOMPARE(stateOf(course.lesson, {}).kind, LessonState::Kind::NotStarted);
    course.passFirstStep();
    const LessonState started = stateOf(course.lesson, course.session.progress());
    QCOMPARE(started.kind, LessonState::Kind::Started);
    QCOMPARE(started.step, 1);
    LessonProgress all { 4, true, std::vector<StepRecord>(4), {} };
    QCOMPARE(
        stateOf(course.lesson, progressText(course.lesson, all)).kind, LessonState::Kind::Done);
    Course done("more-gpus", progressText(course.lesson, all));
    QVERIFY(done.session.done());
    QCOMPARE(done.session.reached(), 0);
}

QTEST_MAIN(TestLessonSession)
#include "test_lesson_session.moc"
