#include "export_report.h"
#include "lesson_windows.h"
#include "startup.h"

#include "window/main_window.h"

#include <QApplication>
#include <QFileInfo>
#include <QFontDatabase>
#include <QStyleFactory>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTimer>

#include <clocale>
#include <cstdio>

using namespace shardrack;

namespace {

constexpr int kBadInput = 2;

/// Pictures must look the same on every machine: a fixed font, and no settings of a person.
void standardise()
{
    if (QFontDatabase::families().contains(QStringLiteral("Noto Sans"))) {
        QFont font(QStringLiteral("Noto Sans"));
        font.setPixelSize(12);
        QApplication::setFont(font);
    }
}

/// Puts a lesson into the window; on failure the message goes to the terminal.
bool followLesson(LessonWindows& lessons, MainWindow& window, const QString& lesson)
{
    if (const auto error = lessons.run(window, lesson)) {
        std::fprintf(stderr, "shardrack: %s\n", error->text().c_str());
        return false;
    }
    return true;
}

/// Opens what the arguments name; on failure the message goes to the terminal.
bool open(MainWindow& window, const Startup& startup)
{
    if (startup.plan.isEmpty()) {
        window.openExample(QStringLiteral("ts-24"));
        return true;
    }
    if (const auto error = window.document().load(startup.plan)) {
        std::fprintf(stderr, "shardrack: %s\n", error->text().c_str());
        return false;
    }
    return true;
}

int takeScreenshot(MainWindow& window, const Startup& startup)
{
    window.resize(startup.size);
    window.document().setCurrentOffer(startup.offer);
    window.setComparing(startup.compare);
    if (auto* charts = window.findChild<QTabBar*>(QStringLiteral("chartTabs")))
        charts->setCurrentIndex(startup.chart);
    window.show();
    window.document().flush();
    for (int turn = 0; turn < 5; ++turn)
        QApplication::processEvents();
    window.resize(startup.size);
    QApplication::processEvents();
    const QString file = *startup.screenshot;
    if (window.grab().save(file, "PNG"))
        return 0;
    std::fprintf(stderr, "shardrack: %s: the picture could not be written\n", qPrintable(file));
    return kBadInput;
}

} // namespace

int main(int argc, char** argv)
{
    QStringList arguments;
    for (int i = 0; i < argc; ++i)
        arguments << QString::fromLocal8Bit(argv[i]);
    int status = 0;
    const std::optional<Startup> startup = readArguments(arguments, status);
    if (!startup)
        return status;
    if (startup->offscreen())
        qputenv("QT_QPA_PLATFORM", "offscreen");
    if (startup->exportPdf) { // text needs this much of an application, and no widgets
        QGuiApplication app(argc, argv);
        std::setlocale(LC_NUMERIC, "C");
        return exportReport(*startup);
    }

    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    QApplication app(argc, argv);
    // Numbers in files are never written in a person's locale.
    std::setlocale(LC_NUMERIC, "C");
    QApplication::setApplicationName(QStringLiteral("Shardrack"));
    QApplication::setApplicationDisplayName(QStringLiteral("Shardrack"));
    QApplication::setApplicationVersion(QStringLiteral(SHARDRACK_VERSION));
    QApplication::setOrganizationName(QStringLiteral("Shardrack"));
    QApplication::setDesktopFileName(QStringLiteral("org.shardrack.Shardrack"));

    std::optional<QTemporaryDir> scratch;
    QString settingsFile;
    if (startup->offscreen()) {
        standardise();
        scratch.emplace();
        settingsFile = scratch->filePath(QStringLiteral("settings.ini"));
    }
    Settings settings(settingsFile);
    MainWindow window(settings);
    const auto wanted = startup->offscreen() ? Settings::Theme::Light : settings.theme();
    window.applyTheme(startup->theme.value_or(wanted));
    LessonWindows lessons(settings);
    lessons.equip(window);
    if (!startup->lesson.isEmpty() && !followLesson(lessons, window, startup->lesson))
        return kBadInput;
    if (startup->offscreen()) {
        if (startup->lesson.isEmpty() && !open(window, *startup))
            return kBadInput;
        return takeScreenshot(window, *startup);
    }
    // Another program's file is imported into the window that is already there.
    const bool imports = !startup->plan.isEmpty() && !MainWindow::isPlanFile(startup->plan);
    if (startup->lesson.isEmpty()) {
        if (startup->plan.isEmpty() || imports)
            window.openExample(QStringLiteral("ts-24"));
        else
            window.openPlan(startup->plan);
    }
    window.show();
    if (startup->lesson.isEmpty())
        window.offerUnsaved();
    if (imports && startup->lesson.isEmpty())
        QTimer::singleShot(0, &window, [&] { window.openFile(startup->plan); });
    if (startup->exitAfterStartup)
        QTimer::singleShot(0, &app, [&app] {
            QApplication::processEvents();
            app.quit();
        });
    return QApplication::exec();
}
