// The window and what a program that died had not saved.

#include "../document/disk_full.h"
#include "window_fixture.h"

#include "commands/edit_command.h"
#include "document/plan_file.h"
#include "document/unsaved_copy.h"

#include <QDir>
#include <QLabel>
#include <QPushButton>

using namespace shardrack;

class TestUnsavedBar : public QObject {
    Q_OBJECT
private slots:
    // What another program left is offered; restored it is unsaved, and its file as it was.
    void whatACrashLeftIsOffered()
    {
        WindowFixture on;
        const QString path = on.folder.filePath(QStringLiteral("mine.shardrack"));
        const std::string before = on.window.document().plan()->title;
        PlanDocument crashed;
        crashed.reset(*on.window.document().plan(), {}, false);
        QVERIFY(!crashed.save(path));
        {
            // A copy whose program is gone: its lock is nobody's.
            UnsavedCopy copy(crashed, on.settings.unsavedFolder());
            edit::SetTitle renamed;
            renamed.title = "After the crash";
            QVERIFY(!perform(crashed, renamed));
            crashed.flush();
            copy.writeNow();
            const QDir folder(on.settings.unsavedFolder());
            const QStringList names = folder.entryList({ QStringLiteral("*.unsaved") });
            QCOMPARE(names.size(), 1);
            QVERIFY(QFile::copy(
                folder.filePath(names[0]), folder.filePath(QStringLiteral("left.unsaved"))));
        }
        auto* bar = on.child<QWidget>("unsavedBar");
        QVERIFY(!bar->isVisible());
        on.window.offerUnsaved();
        QVERIFY(bar->isVisible());
        const QString said = bar->findChild<QLabel*>()->text();
        QVERIFY2(said.contains(QLatin1String("After the crash"))
                && said.contains(QLatin1String("mine.shardrack")),
            qPrintable(said));
        QCOMPARE(bar->findChild<QLabel*>()->toolTip(), path);
        QTest::mouseClick(on.child<QPushButton>("restoreUnsaved"), Qt::LeftButton);
        on.settle();
        QVERIFY(!bar->isVisible());
        QCOMPARE(on.window.document().plan()->title, std::string("After the crash"));
        QCOMPARE(on.window.document().path(), path);
        QVERIFY(on.window.document().isModified());
        QVERIFY(on.window.isWindowModified());
        QCOMPARE(readPlanFile(path).value().plan.title, before);
        // Nothing is left to offer, and the plan is kept anew until it is saved.
        on.window.offerUnsaved();
        QVERIFY(!bar->isVisible());
        QCOMPARE(
            QDir(on.settings.unsavedFolder()).entryList({ QStringLiteral("*.unsaved") }).size(), 1);
        QVERIFY(!on.window.document().save(path));
        QCOMPARE(
            QDir(on.settings.unsavedFolder()).entryList({ QStringLiteral("*.unsaved") }).size(), 0);
    }

    // A file that somebody saved after the crash is not the restored plan's to save over.
    void aFileThatChangedIsNotSavedOver()
    {
        WindowFixture on;
        const QString path = on.folder.filePath(QStringLiteral("mine.shardrack"));
        QVERIFY(!on.window.document().save(path));
        PlanDocument crashed;
        crashed.restore(*on.window.document().plan(), path);
        UnsavedCopy copy(crashed, on.settings.unsavedFolder());
        QVERIFY(copy.writeNow());
        const QDir folder(on.settings.unsavedFolder());
        const QString left = folder.filePath(QStringLiteral("left.unsaved"));
        QVERIFY(QFile::copy(
            folder.filePath(folder.entryList({ QStringLiteral("*.unsaved") }).first()), left));
        QFile file(left);
        QVERIFY(file.open(QIODevice::ReadWrite));
        QVERIFY(file.setFileTime(
            QFileInfo(path).lastModified().addSecs(-60), QFileDevice::FileModificationTime));
        file.close();
        on.window.offerUnsaved();
        {
            // Nor is the copy given up that could not be written anew.
            const DiskFullAt full(0);
            QTest::mouseClick(on.child<QPushButton>("restoreUnsaved"), Qt::LeftButton);
        }
        QVERIFY(QFile::exists(left));
        on.settle();
        QVERIFY(on.window.document().isModified());
        QCOMPARE(on.window.document().path(), QString());
        QVERIFY(on.child<QWidget>("messageBar")->isVisible());
    }
};

QTEST_MAIN(TestUnsavedBar)
#include "test_unsaved_bar.moc"
