// What a program that dies had not saved is there when the next one starts, and nothing else is.

#include "commands/edit_command.h"
#include "document/plan_document.h"
#include "document/unsaved_copy.h"

#include "disk_full.h"
#include "plan/plan_json.h"
#include "plans.h"

#include <QDir>

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <cstdio>

using namespace shardrack;

namespace {

constexpr const char* kEditAndWait = "--edit-and-wait";

void change(PlanDocument& document)
{
    if (perform(document, edit::SetTitle { document.plan()->title + ", changed" }))
        qFatal("the change was refused");
    document.flush();
}

/// A program with an unsaved edit, which somebody kills.
int editAndWait(const QString& folder)
{
    PlanDocument document;
    document.reset(fourGpuPlan(), QStringLiteral("/plans/four.shardrack"), false);
    UnsavedCopy copy(document, folder);
    change(document);
    copy.writeNow();
    std::puts("ready");
    std::fflush(stdout);
    return QCoreApplication::exec();
}

} // namespace

class TestUnsavedCopy : public QObject {
    Q_OBJECT
private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_document = std::make_unique<PlanDocument>();
        m_document->reset(fourGpuPlan(), {}, false);
        m_copy = std::make_unique<UnsavedCopy>(*m_document, unsaved());
    }
    void cleanup()
    {
        m_copy.reset();
        m_document.reset();
    }

    void aKilledProgramLeavesItsPlan()
    {
        QProcess program;
        program.start(
            QCoreApplication::applicationFilePath(), { QLatin1String(kEditAndWait), unsaved() });
        QVERIFY(program.waitForReadyRead(20'000));
        // While it runs its plan is nobody else's.
        QCOMPARE(UnsavedCopy::left(unsaved()).size(), std::size_t(0));
        QCOMPARE(files().size(), 1);
        program.kill();
        QVERIFY(program.waitForFinished());

        change(*m_document);
        const Plan edited = *m_document->plan();
        const std::vector<LeftPlan> left = UnsavedCopy::left(unsaved());
        QCOMPARE(left.size(), std::size_t(1));
        QCOMPARE(left[0].file, QStringLiteral("/plans/four.shardrack"));
        QCOMPARE(left[0].title, QString::fromStdString(edited.title));
        QCOMPARE(writePlan(UnsavedCopy::read(left[0]).value()), writePlan(edited));
        // It is held for the window that offers it.
        QCOMPARE(UnsavedCopy::left(unsaved()).size(), std::size_t(0));
        UnsavedCopy::remove(left[0]);
        QCOMPARE(files().size(), 0);
    }

    void aSavedPlanKeepsNone()
    {
        m_copy->writeNow();
        QCOMPARE(files().size(), 0); // nothing is unsaved
        change(*m_document);
        m_copy->writeNow();
        QCOMPARE(files().size(), 1);
        QVERIFY(!m_document->save(m_folder->filePath(QStringLiteral("a.shardrack"))));
        QCOMPARE(files().size(), 0);
        change(*m_document);
        m_document->undoStack().undo();
        m_document->flush();
        m_copy->writeNow();
        QCOMPARE(files().size(), 0);
    }

    void anotherPlanOrTheEndKeepsNone()
    {
        change(*m_document);
        m_copy->writeNow();
        m_document->reset(fourGpuPlan(), {}, false);
        QCOMPARE(files().size(), 0);
        change(*m_document);
        m_copy->writeNow();
        QCOMPARE(files().size(), 1);
        m_copy.reset();
        QCOMPARE(files().size(), 0);
    }

    void aLessonKeepsNone()
    {
        change(*m_document);
        m_copy->writeNow();
        m_copy->stop();
        QCOMPARE(files().size(), 0);
        change(*m_document);
        m_copy->writeNow();
        QCOMPARE(files().size(), 0);
    }

    void whatIsRestoredIsUnsaved()
    {
        m_document->restore(fourGpuPlan(), QStringLiteral("/plans/four.shardrack"));
        QVERIFY(m_document->isModified());
        m_copy->writeNow();
        QCOMPARE(files().size(), 1);
        QVERIFY(!m_document->save(m_folder->filePath(QStringLiteral("a.shardrack"))));
        QVERIFY(!m_document->isModified());
    }

    void itComesByItself()
    {
        change(*m_document);
        QCOMPARE(files().size(), 0);
        QTRY_COMPARE_WITH_TIMEOUT(files().size(), 1, UnsavedCopy::kSeconds * 4000);
    }

    void damagedCopiesAreToldAndNotLost()
    {
        QVERIFY(QDir().mkpath(unsaved()));
        for (const char* text : { "", "{", "[]", "{\"plan\": 3}", "{\"plan\": \"{}\"}" }) {
            const QString path = QDir(unsaved()).filePath(QStringLiteral("x.unsaved"));
            QFile file(path);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(text);
            file.close();
            const std::vector<LeftPlan> left = UnsavedCopy::left(unsaved());
            QCOMPARE(left.size(), std::size_t(1));
            QVERIFY(!UnsavedCopy::read(left[0]));
            QVERIFY(QFile::exists(path));
        }
    }

    void aFullDiskLeavesTheCopyBefore()
    {
        change(*m_document);
        QVERIFY(m_copy->writeNow());
        const QString path = QDir(unsaved()).filePath(files().first());
        const auto content = [&] {
            QFile file(path);
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        const QByteArray before = content();
        QVERIFY(before.size() > 200);
        change(*m_document);
        {
            const DiskFullAt full(100);
            QVERIFY(!m_copy->writeNow());
        }
        QCOMPARE(content(), before);
        QVERIFY(m_copy->writeNow());
        QVERIFY(content() != before);
    }

    void aFullDiskHidesNothing()
    {
        QVERIFY(QDir().mkpath(unsaved()));
        QFile file(QDir(unsaved()).filePath(QStringLiteral("x.unsaved")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{}");
        file.close();
        const DiskFullAt full(0);
        QCOMPARE(UnsavedCopy::left(unsaved()).size(), std::size_t(1));
    }

    void aFolderThatCannotBe()
    {
        QFile file(unsaved()); // a file in the folder's place
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.close();
        QStringList reasons;
        connect(m_copy.get(), &UnsavedCopy::failed, this,
            [&](const QString& reason) { reasons << reason; });
        change(*m_document);
        m_copy->writeNow();
        m_copy->writeNow();
        QCOMPARE(reasons.size(), 1);
        QVERIFY2(reasons[0].contains(unsaved()), qPrintable(reasons[0]));
    }

private:
    QString unsaved() const { return m_folder->filePath(QStringLiteral("unsaved")); }
    QStringList files() const
    {
        return QDir(unsaved()).entryList({ QStringLiteral("*.unsaved") }, QDir::Files);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<PlanDocument> m_document;
    std::unique_ptr<UnsavedCopy> m_copy;
};

int main(int argc, char** argv)
{
    QCoreApplication app(argc, argv);
    if (argc == 3 && QLatin1String(argv[1]) == QLatin1String(kEditAndWait))
        return editAndWait(QString::fromLocal8Bit(argv[2]));
    TestUnsavedCopy test;
    return QTest::qExec(&test, argc, argv);
}

#include "test_unsaved_copy.moc"
