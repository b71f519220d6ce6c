#include "document/settings.h"

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace shardrack;

namespace {

QString makeFile(const QTemporaryDir& folder, const QString& name)
{
    QFile file(folder.filePath(name));
    return file.open(QIODevice::WriteOnly) ? file.fileName() : QString();
}

} // namespace

class TestSettings : public QObject {
    Q_OBJECT
private slots:
    void place();
    void defaults();
    void remembered();
    void nonsenseIsTheDefault();
    void recentFiles();
};

void TestSettings::place()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath("by environment.ini");
    qputenv("SHARDRACK_SETTINGS", path.toUtf8());
    QCOMPARE(Settings().fileName(), path);
    QCOMPARE(Settings(folder.filePath("given.ini")).fileName(), folder.filePath("given.ini"));
    qunsetenv("SHARDRACK_SETTINGS");
    QVERIFY(Settings().fileName().endsWith("shardrack/shardrack.ini"));
}

void TestSettings::defaults()
{
    const QTemporaryDir folder;
    const Settings settings(folder.filePath("a.ini"));
    QCOMPARE(settings.theme(), Settings::Theme::System);
    QVERIFY(settings.recentFiles().isEmpty());
    QVERIFY(settings.windowGeometry().isEmpty());
    QVERIFY(settings.ranksFollowHardware());
    QVERIFY(!settings.lastFolder().isEmpty());
}

void TestSettings::remembered()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath("a.ini");
    {
        Settings settings(path);
        QSignalSpy theme(&settings, &Settings::themeChanged);
        settings.setTheme(Settings::Theme::Dark);
        settings.setTheme(Settings::Theme::Dark);
        QCOMPARE(theme.count(), 1);
        settings.setWindow(QByteArray("\x01\x00\xff", 3), "state");
        settings.setLastFolder(folder.path());
        settings.setRanksFollowHardware(false);
    }
    const Settings settings(path);
    QCOMPARE(settings.theme(), Settings::Theme::Dark);
    QCOMPARE(settings.windowGeometry(), QByteArray("\x01\x00\xff", 3));
    QCOMPARE(settings.windowState(), QByteArray("state"));
    QCOMPARE(settings.lastFolder(), folder.path());
    QVERIFY(!settings.ranksFollowHardware());
}

void TestSettings::nonsenseIsTheDefault()
{
    const QTemporaryDir folder;
    QFile file(folder.filePath("a.ini"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("[appearance]\ntheme=Sepia\n[files]\nfolder=/does/not/exist\nrecent=\"\", /gone\n");
    file.close();
    const Settings settings(file.fileName());
    QCOMPARE(settings.theme(), Settings::Theme::System);
    QVERIFY(settings.lastFolder() != "/does/not/exist");
    QVERIFY(settings.recentFiles().isEmpty());
}

void TestSettings::recentFiles()
{
    const QTemporaryDir folder;
    Settings settings(folder.filePath("a.ini"));
    QSignalSpy changed(&settings, &Settings::recentFilesChanged);
    QStringList files;
    for (int i = 0; i < 12; ++i) {
        files.prepend(makeFile(folder, QString::number(i)));
        settings.addRecentFile(files.front());
    }
    QCOMPARE(settings.recentFiles(), files.mid(0, 10));
    QCOMPARE(changed.count(), 12);
    settings.addRecentFile(files[3]);
    QCOMPARE(settings.recentFiles().front(), files[3]);
    QCOMPARE(settings.recentFiles().size(), 10);
    settings.removeRecentFile(files[3]);
    QCOMPARE(settings.recentFiles().size(), 9);
    QVERIFY(QFile::remove(files[0]));
    QCOMPARE(settings.recentFiles().size(), 8);
    QDir::setCurrent(folder.path());
    settings.addRecentFile("7");
    QCOMPARE(settings.recentFiles().front(), QDir(folder.path()).absoluteFilePath("7"));
    settings.clearRecentFiles();
    QVERIFY(settings.recentFiles().isEmpty());
}

QTEST_GUILESS_MAIN(TestSettings)
#include "test_settings.moc"
