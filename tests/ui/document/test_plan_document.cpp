#include "commands/edit_command.h"
#include "disk_full.h"
#include "document/plan_document.h"
#include "plans.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

using namespace shardrack;

namespace {

QByteArray contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void write(const QString& path, const QByteArray& text)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(text), text.size());
}

edit::SetMargin margin(std::int64_t gib)
{
    RequiredMargin required;
    required.bytes = Bytes(gib * kGiB);
    return { required };
}

} // namespace

class TestPlanDocument : public QObject {
    Q_OBJECT
private slots:
    void startsEmpty();
    void changesOfOneTurnAreToldOnce();
    void undoneWithinOneTurnIsNotTold();
    void assessmentsAreKept();
    void aChangedBasisFollowsTheCommonWorkload();
    void whatIf();
    void refusedWhatIf();
    void performingEndsTheWhatIf();
    void signalsInOrder();
    void currentOfferFollows_data();
    void currentOfferFollows();
    void offerInFront();
    void undoIsLimited();
    void changingThePlanWhileToldStops();
    void savesAndLoads();
    void modified();
    void failingSaveKeepsTheFile_data();
    void failingSaveKeepsTheFile();
    void failingLoadChangesNothing_data();
    void failingLoadChangesNothing();
    void newerVersionIsReadOnly();
    void savingKeepsLinkAndPermissions();
};

void TestPlanDocument::startsEmpty()
{
    PlanDocument document;
    QVERIFY(document.plan()->offers.empty());
    QCOMPARE(document.currentOffer(), -1);
    QVERIFY(!document.current());
    QVERIFY(!document.shown());
    QVERIFY(!document.isModified());
    QVERIFY(document.path().isEmpty());
    QVERIFY(document.id() != PlanDocument().id());
}

/// What an offer of its own basis is told against is the common workload as it is now.
void TestPlanDocument::aChangedBasisFollowsTheCommonWorkload()
{
    PlanDocument document;
    document.reset(fourGpuPlan(), {}, false);
    Workload own = *document.plan()->workload;
    own.recipe.microBatch = 2;
    QVERIFY(!perform(document, edit::SetOfferWorkload { 0, own }));
    const auto told = [&] {
        std::string text;
        for (const Warning& warning : document.assessment(0)->findings.warnings)
            if (warning.topic == Warning::Topic::ChangedBasis)
                text += warning.text;
        return QString::fromStdString(text);
    };
    QVERIFY2(told().contains(QStringLiteral("not given → 2 sequences")), qPrintable(told()));
    Workload common = *document.plan()->workload;
    common.recipe.microBatch = 4;
    QVERIFY(!perform(document, edit::SetWorkload { common }));
    QVERIFY2(told().contains(QStringLiteral("4 sequences → 2 sequences")), qPrintable(told()));
}

void TestPlanDocument::changesOfOneTurnAreToldOnce()
{
    PlanDocument document;
    document.reset(fourGpuPlan(), {}, false);
    std::vector<ChangeSet> told;
    connect(&document, &PlanDocument::changed, this,
        [&](const ChangeSet& changes) { told.push_back(changes); });
    const quint64 revision = document.revision();
    QVERIFY(!perform(document, margin(1)));
    QVERIFY(!perform(document, edit::SetTitle { "Other" }));
    QVERIFY(!perform(document, edit::RemoveGpu { 1, { 1, 3 } }));
    QVERIFY(told.empty());
    QCOMPARE(document.revision(), revision + 3);
    QTRY_COMPARE(told.size(), std::size_t(1));
    QVERIFY(told[0].margin && told[0].title && !told[0].workload && !told[0].offerList);
    QCOMPARE(told[0].offers.size(), std::size_t(1));
    QCOMPARE(told[0].offers[0].offer, std::size_t(1));
    QVERIFY(told[0].offers[0].hardware);
    QCoreApplication::processEvents();
    QCOMPARE(told.size(), std::size_t(1));
}

void TestPlanDocument::undoneWithinOneTurnIsNotTold()
{
    PlanDocument document;
    document.reset(fourGpuPlan(), {}, false);
    QSignalSpy changed(&document, &PlanDocument::changed);
    perform(document, margin(1));
    document.undoStack().undo();
    document.flush();
    QCOMPARE(changed.count(), 0);
}

void TestPlanDocument::assessmentsAreKept()
{
    PlanDocument document;
    document.reset(fourGpuPlan(), {}, false);
    const auto r = document.assessment(0);
    const auto s = document.assessment(1);
    QCOMPARE(document.assessment(0), r);
    // 24 GiB of 16 on every GPU; 24 / 4 = 6.
    QCOMPARE(r->findings.capacity, Capacity::Over);
    QCOMPARE(s->account.deviceClasses[0].need.established, Bytes(6 * kGiB));

    perform(document, edit::RemoveGpu { 1, { 1, 3 } });
    QCOMPARE(document.assessment(0), r);
    QVERIFY(document.assessment(1) != s);
    document.undoStack().undo();
    QCOMPARE(document.assessment(1), s);
    perform(document, margin(2));
    QVERIFY(document.assessment(0) != r);
    document.undoStack().undo();
    QCOMPARE(document.assessment(0), r);

    // A long drag does not push out what the offers are shown with.
    for (int unit = 5; unit < 35; ++unit)
        QVERIFY(!document.tryEdit(edit::MoveServer { 0, 1, 0, unit }));
    QCOMPARE(document.assessment(0), r);
    QCOMPARE(document.assessment(1), s);
    QVERIFY(document.lastRecomputeMicroseconds() >= 0);
}

void TestPlanDocument::whatIf()
{
    PlanDocument document;
    document.reset(fourGpuPlan(), {}, false);
    document.setCurrentOffer(1);
    QSignalSpy changed(&document, &PlanDocument::whatIfChanged);
    QVERIFY(!document.whatIf());
    QVERIFY(!document.tryEdit(edit::RemoveRank { 1, RankSet::range(3, 3) }));
    QCOMPARE(changed.count(), 1);
    QVERIFY(document.whatIf());
    // 24 / 3 = 8 GiB on each of the three that are left; the plan itself did not change.
    QCOMPARE(
        document.whatIf()->assessment->account.rankClasses[0].need.established, Bytes(8 * kGiB));
    QCOMPARE(document.shown()->assessment, document.whatIf()->assessment);
    QCOMPARE(
        document.current()->assessment->account.rankClasses[0].need.established, Bytes(6 * kGiB));
    QVERIFY(!document.isModified());
    document.clearTry();
    QCOMPARE(changed.count(), 2);
    QVERIFY(!document.whatIf());
    document.clearTry();
    QCOMPARE(changed.count(), 2);

    QVERIFY(!document.tryEdit(edit::RemoveRank { 1, RankSet::range(3, 3) }));
    document.setCurrentOffer(0);
    QVERIFY(!document.whatIf());
    QCOMPARE(changed.count(), 4);
}

void TestPlanDocument::refusedWhatIf()
{
    PlanDocument document;
    document.reset(fourGpuPlan(), {}, false);
    QVERIFY(!document.tryEdit(margin(1)));
    QSignalSpy changed(&document, &PlanDocument::whatIfChanged);
    const auto error = document.tryEdit(edit::MoveServer { 0, 99, 0, 5 });
    QVERIFY(error);
    QVERIFY(QString::fromStdString(error->what).contains("99"));
    QVERIFY(!document.whatIf());
    QCOMPARE(changed.count(), 1);
}

void TestPlanDocument::performingEndsTheWhatIf()
{
    PlanDocument document;
    document.reset(fourGpuPlan(), {}, false);
    QVERIFY(!document.tryEdit(margin(1)));
    perform(document, margin(1));
    QVERIFY(!document.whatIf());
    QVERIFY(document.shown());
}

void TestPlanDocument::signalsInOrder()
{
    PlanDocument document;
    document.reset(fourGpuPlan(), {}, false);
    QStringList order;
    connect(&document, &PlanDocument::changed, this, [&] { order += "changed"; });
    connect(&document, &PlanDocument::currentOfferChanged, this,
        [&](int offer) { order += "offer " + QString::number(offer); });
    connect(&document, &PlanDocument::whatIfChanged, this, [&] { order += "what if"; });
    connect(&document, &PlanDocument::resetDone, this, [&] { order += "reset"; });
    QVERIFY(!document.tryEdit(margin(1)));
    QCOMPARE(order, QStringList { "what if" });
    order.clear();
    perform(document, edit::AddOffer { emptyOffer("Offer T"), 2 });
    document.flush();
    QCOMPARE(order, (QStringList { "changed", "offer 2", "what if" }));
    order.clear();
    document.reset(emptyPlan(), {}, false);
    QCoreApplication::processEvents();
    QCOMPARE(order, QStringList { "reset" });
    order.clear();
    // A pending change is told before anything that builds on it.
    perform(document, edit::AddOffer { emptyOffer("Offer T"), 0 });
    QVERIFY(!document.tryEdit(margin(1)));
    QCOMPARE(order, (QStringList { "changed", "offer 0", "what if" }));
}

void TestPlanDocument::currentOfferFollows_data()
{
    QTest::addColumn<int>("before");
    QTest::addColumn<QString>("what");
    QTest::addColumn<int>("after");
    QTest::newRow("an offer that arrives comes to the front") << 0 << "add 2" << 2;
    QTest::newRow("also before the current one") << 1 << "add 0" << 0;
    QTest::newRow("removing it leaves the next") << 0 << "remove 0" << 0;
    QTest::newRow("removing it at the end leaves the one before") << 1 << "remove 1" << 0;
    QTest::newRow("removing another follows it") << 1 << "remove 0" << 0;
    QTest::newRow("moving it follows it") << 0 << "move 0 1" << 1;
    QTest::newRow("moving another follows it") << 1 << "move 0 1" << 0;
    QTest::newRow("renaming keeps it") << 1 << "rename 1" << 1;
    QTest::newRow("changing it keeps it") << 1 << "change 1" << 1;
    QTest::newRow("removing all leaves none") << 1 << "remove all" << -1;
}

void TestPlanDocument::currentOfferFollows()
{
    QFETCH(const int, before);
    QFETCH(const QString, what);
    QFETCH(const int, after);
    PlanDocument document;
    document.reset(fourGpuPlan(), {}, false);
    document.setCurrentOffer(before);
    const QStringList words = what.split(' ');
    const std::size_t offer = words[1].toULongLong();
    if (words[0] == "add")
        QVERIFY(!perform(document, edit::AddOffer { emptyOffer("Offer T"), offer }));
    else if (what == "remove all") {
        QVERIFY(!perform(document, edit::RemoveOffer { 0 }));
        QVERIFY(!perform(document, edit::RemoveOffer { 0 }));
    } else if (words[0] == "remove")
        QVERIFY(!perform(document, edit::RemoveOffer { offer }));
    else if (words[0] == "move")
        QVERIFY(!perform(document, edit::MoveOffer { offer, words[2].toULongLong() }));
    else if (words[0] == "rename")
        QVERIFY(!perform(document, edit::RenameOffer { offer, "Offer X" }));
    else
        QVERIFY(!perform(document, edit::RemoveGpu { offer, { 1, 0 } }));
    QCOMPARE(document.currentOffer(), after);
    QCOMPARE(document.current().has_value(), after >= 0);
    while (document.undoStack().canUndo())
        document.undoStack().undo();
    QVERIFY(document.currentOffer() >= 0);
}

void TestPlanDocument::offerInFront()
{
    PlanDocument document;
    document.reset(fourGpuPlan(), {}, false);
    QSignalSpy changed(&document, &PlanDocument::currentOfferChanged);
    document.setCurrentOffer(0);
    document.setCurrentOffer(7);
    document.setCurrentOffer(-1);
    QCOMPARE(changed.count(), 0);
    document.setCurrentOffer(1);
    QCOMPARE(changed.count(), 1);
    QCOMPARE(document.current()->get().name, std::string("Offer S"));
}

void TestPlanDocument::undoIsLimited()
{
    PlanDocument document;
    QCOMPARE(document.undoStack().undoLimit(), 500);
    for (int i = 1; i <= 600; ++i)
        perform(document, margin(i));
    QCOMPARE(document.undoStack().count(), 500);
}

void TestPlanDocument::changingThePlanWhileToldStops()
{
#ifdef QT_NO_DEBUG
    QSKIP("assertions are not compiled in");
#else
    const pid_t child = fork();
    if (child == 0) {
        std::signal(SIGABRT, SIG_DFL);
        qInstallMessageHandler([](QtMsgType, const QMessageLogContext&, const QString&) {});
        PlanDocument document;
        document.reset(fourGpuPlan(), {}, false);
        connect(&document, &PlanDocument::changed, &document,
            [&] { document.replacePlan(document.plan()); });
        perform(document, margin(1));
        document.flush();
        _exit(0);
    }
    int status = 0;
    QCOMPARE(waitpid(child, &status, 0), child);
    QVERIFY(WIFSIGNALED(status));
    QCOMPARE(WTERMSIG(status), SIGABRT);
#endif
}

void TestPlanDocument::savesAndLoads()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("plän.shardrack"));
    PlanDocument document;
    document.reset(fourGpuPlan(), {}, false);
    QVERIFY(!document.save(path));
    QCOMPARE(document.path(), path);

    PlanDocument other;
    QSignalSpy reset(&other, &PlanDocument::resetDone);
    QStringList remarks;
    const auto error = other.load(path, &remarks);
    QVERIFY2(!error, error ? error->text().c_str() : "");
    QCOMPARE(reset.count(), 1);
    QVERIFY(remarks.isEmpty());
    QVERIFY(*other.plan() == *document.plan());
    QCOMPARE(other.path(), path);
    QCOMPARE(other.currentOffer(), 0);
    QVERIFY(!other.isModified());
    QVERIFY(!other.readOnly());
}

void TestPlanDocument::modified()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath("a.shardrack");
    PlanDocument document;
    document.reset(fourGpuPlan(), {}, false);
    QSignalSpy state(&document, &PlanDocument::fileStateChanged);
    perform(document, margin(1));
    QVERIFY(document.isModified());
    QVERIFY(state.count() > 0);
    document.undoStack().undo();
    QVERIFY(!document.isModified());
    document.undoStack().redo();
    QVERIFY(!document.save(path));
    QVERIFY(!document.isModified());
    document.undoStack().undo();
    QVERIFY(document.isModified());
    document.reset(emptyPlan(), {}, false);
    QVERIFY(!document.isModified());
    QVERIFY(!document.undoStack().canUndo());
}

void TestPlanDocument::failingSaveKeepsTheFile_data()
{
    QTest::addColumn<QString>("place");
    QTest::addColumn<bool>("diskFull");
    QTest::newRow("no such folder") << "none/a.shardrack" << false;
    QTest::newRow("a folder in its place") << "folder" << false;
    QTest::newRow("disk full") << "a.shardrack" << true;
}

void TestPlanDocument::failingSaveKeepsTheFile()
{
    QFETCH(const QString, place);
    QFETCH(const bool, diskFull);
    const QTemporaryDir folder;
    QVERIFY(QDir(folder.path()).mkdir("folder"));
    const QString path = folder.filePath(place);
    PlanDocument document;
    document.reset(fourGpuPlan(), {}, false);
    QVERIFY(!document.save(folder.filePath("a.shardrack")));
    const QByteArray before = contents(folder.filePath("a.shardrack"));
    perform(document, margin(1));

    std::optional<Error> error;
    if (diskFull) {
        const DiskFullAt limit(10);
        error = document.save(path);
    } else {
        error = document.save(path);
    }
    QVERIFY(error);
    QCOMPARE(QString::fromStdString(error->where), path);
    QVERIFY(QString::fromStdString(error->what).contains("cannot be saved"));
    QVERIFY(document.isModified());
    QCOMPARE(document.path(), folder.filePath("a.shardrack"));
    QCOMPARE(contents(folder.filePath("a.shardrack")), before);
    QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot).size(), 2);
}

void TestPlanDocument::failingLoadChangesNothing_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("says");
    QTest::newRow("no file") << QByteArray() << "cannot be opened";
    QTest::newRow("a folder") << QByteArray("folder") << "folder";
    QTest::newRow("too large") << QByteArray("large") << "too large";
    QTest::newRow("empty") << QByteArray("empty") << "";
    QTest::newRow("not JSON") << QByteArray("{\"format\":") << "";
    QTest::newRow("not a plan") << QByteArray("{\"format\":\"other\"}") << "format";
}

void TestPlanDocument::failingLoadChangesNothing()
{
    QFETCH(const QByteArray, text);
    QFETCH(const QString, says);
    const QTemporaryDir folder;
    const QString path = folder.filePath("b.shardrack");
    if (text == "folder") {
        QVERIFY(QDir().mkdir(path));
    } else if (text == "large") {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        QVERIFY(file.resize((qint64(64) << 20) + 1));
    } else if (!text.isEmpty()) {
        write(path, text == "empty" ? QByteArray() : text);
    }
    PlanDocument document;
    document.reset(fourGpuPlan(), "/x/before.shardrack", false);
    perform(document, margin(1));
    document.flush();
    const auto plan = document.plan();
    QSignalSpy reset(&document, &PlanDocument::resetDone);
    const auto error = document.load(path);
    QVERIFY(error);
    const QString message = QString::fromStdString(error->text());
    QVERIFY2(message.startsWith(path), qPrintable(message));
    QVERIFY2(message.contains(says), qPrintable(message));
    QCOMPARE(reset.count(), 0);
    QCOMPARE(document.plan(), plan);
    QCOMPARE(document.path(), QString("/x/before.shardrack"));
    QVERIFY(document.isModified());
    QVERIFY(document.undoStack().canUndo());
}

void TestPlanDocument::newerVersionIsReadOnly()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath("newer.shardrack");
    const QString link = folder.filePath("link.shardrack");
    const QByteArray text = R"({"format": "shardrack-plan", "version": 99, "title": "T",
        "workload": {}, "offers": []})";
    write(path, text);
    QVERIFY(QFile::link(path, link));
    PlanDocument document;
    QStringList remarks;
    const auto loaded = document.load(path, &remarks);
    QVERIFY2(!loaded, loaded ? loaded->text().c_str() : "");
    QVERIFY(document.readOnly());
    QVERIFY(remarks.join(' ').contains("99"));
    for (const QString& over : { path, link }) {
        const auto refused = document.save(over);
        QVERIFY(refused);
        QVERIFY(QString::fromStdString(refused->what).contains("newer version"));
        QVERIFY(!refused->expected.empty());
    }
    QCOMPARE(contents(path), text);
    QVERIFY(!document.save(folder.filePath("copy.shardrack")));
    QVERIFY(!document.readOnly());
}

void TestPlanDocument::savingKeepsLinkAndPermissions()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath("a.shardrack");
    const QString link = folder.filePath("link.shardrack");
    write(path, "old");
    QVERIFY(QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner));
    QVERIFY(QFile::link(path, link));
    PlanDocument document;
    document.reset(fourGpuPlan(), {}, false);
    QVERIFY(!document.save(link));
    QVERIFY(QFileInfo(link).isSymLink());
    QVERIFY(contents(path).contains("Four GPUs"));
    QVERIFY(!(QFile::permissions(path) & (QFile::ReadGroup | QFile::ReadOther)));
}

QTEST_GUILESS_MAIN(TestPlanDocument)
#include "test_plan_document.moc"
