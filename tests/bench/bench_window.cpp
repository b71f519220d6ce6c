// Prints how long the window takes from an edit, and from a step of a drag, to the painted frame,
// off screen; and from the start of the program to its first frame. A figure over its budget (16 ms
// a frame while dragging, 50 ms a commit) is for a person to look at; nothing here fails.
#include "large_plan.h"

#include "commands/edit_command.h"
#include "window/main_window.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QProcess>
#include <QTabBar>
#include <QTemporaryDir>

#include <algorithm>
#include <cstdio>
#include <vector>

using namespace shardrack;

namespace {

double median(std::vector<double> times)
{
    std::nth_element(times.begin(), times.begin() + std::ptrdiff_t(times.size() / 2), times.end());
    return times[times.size() / 2];
}

double since(const QElapsedTimer& timer) { return double(timer.nsecsElapsed()) / 1e6; }

/// Until nothing is left to paint.
void paint(MainWindow& window)
{
    window.document().flush();
    QApplication::processEvents();
}

/// With one of the charts in front: 0 bars, 1 step timeline, 2 replicas against shards.
void measure(Settings& settings, int gpus, int chart)
{
    MainWindow window(settings);
    window.resize(1600, 1000);
    window.document().reset(bench::largePlan(gpus), {}, false);
    window.show();
    window.findChild<QTabBar*>(QStringLiteral("chartTabs"))->setCurrentIndex(chart);
    for (int i = 0; i < 4; ++i)
        paint(window);
    const ServerId server = window.document().plan()->offers[0]->site.racks[0]->servers[0].id;
    const int rounds = gpus > 100'000 ? 11 : 25;
    std::vector<double> commits;
    std::vector<double> frames;
    for (int round = 0; round < rounds; ++round) {
        const edit::SetUsable edit { 0, { { server, 0 } }, Bytes((60 + round) * kGiB), true };
        QElapsedTimer timer;
        timer.start();
        perform(window.document(), edit);
        paint(window);
        commits.push_back(since(timer));
    }
    for (int round = 0; round < rounds; ++round) {
        const edit::SetUsable edit { 0, { { server, 1 } }, Bytes((40 + round) * kGiB), true };
        QElapsedTimer timer;
        timer.start();
        (void)window.document().tryEdit(edit);
        paint(window);
        frames.push_back(since(timer));
    }
    window.document().clearTry();
    paint(window);
    std::printf("%9d | %5d | %16.2f | %16.2f\n", gpus, chart, median(commits), median(frames));
    std::fflush(stdout);
}

void measureStart()
{
    const QString program = QApplication::applicationDirPath() + QStringLiteral("/shardrack");
    std::vector<double> times;
    for (int round = 0; round < 5; ++round) {
        QElapsedTimer timer;
        timer.start();
        if (QProcess::execute(program, { QStringLiteral("--exit-after-startup") }) != 0) {
            std::printf("start to first frame: %s could not be run\n", qPrintable(program));
            return;
        }
        times.push_back(since(timer));
    }
    std::printf("start to first painted frame and end of the program: %.0f ms\n", median(times));
}

} // namespace

int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QTemporaryDir folder;
    qputenv("SHARDRACK_SETTINGS", folder.filePath(QStringLiteral("settings.ini")).toLocal8Bit());
    QApplication app(argc, argv);
    Settings settings;
    std::printf("%9s | %5s | %16s | %16s\n", "GPUs", "chart", "edit→frame, ms", "drag→frame, ms");
    for (const int gpus : { 8, 1'024, 16'384, 131'072 })
        for (const int chart : { 0, 1, 2 })
            measure(settings, gpus, chart);
    measureStart();
    return 0;
}
