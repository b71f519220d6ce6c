#include "lesson_windows.h"

#include "document/settings.h"
#include "lessons/lesson_panel.h"
#include "lessons/place_marker.h"
#include "paint/paint_style.h"
#include "window/main_window.h"

#include <QApplication>
#include <QDockWidget>
#include <QMenu>
#include <QScreen>

namespace shardrack {

namespace {

QString stateText(const LessonState& state, std::size_t steps)
{
    switch (state.kind) {
    case LessonState::Kind::NotStarted:
        break;
    case LessonState::Kind::Started:
        return LessonWindows::tr("step %1 of %2").arg(state.step + 1).arg(steps);
    case LessonState::Kind::Done:
        return LessonWindows::tr("done");
    }
    return LessonWindows::tr("not started");
}

} // namespace

LessonWindows::LessonWindows(Settings& settings, QObject* parent)
    : QObject(parent)
    , m_settings(settings)
{
}

LessonWindows::~LessonWindows()
{
    // Windows that this made; those that it was given belong to others.
    for (auto& [name, window] : m_open)
        if (window && window->testAttribute(Qt::WA_DeleteOnClose))
            delete window.data();
}

void LessonWindows::equip(MainWindow& window)
{
    QMenu* menu = &window.lessonsMenu();
    fillMenu(menu, window);
    // Filled anew each time, so that it tells how far one is.
    connect(menu, &QMenu::aboutToShow, &window, [this, menu, &window] { fillMenu(menu, window); });
    window.showLessons();
}

void LessonWindows::fillMenu(QMenu* menu, MainWindow& window)
{
    menu->clear();
    for (const std::string& name : lessonNames()) {
        const QString id = QString::fromStdString(name);
        const Result<Lesson> lesson = findLesson(id);
        if (!lesson)
            continue;
        const LessonState state = stateOf(*lesson, m_settings.lessonProgress(id));
        QAction* action = menu->addAction(tr("%1\t%2").arg(QString::fromStdString(lesson->title),
                                              stateText(state, lesson->steps.size())),
            &window, [this, id, &window] {
                if (const auto error = open(id))
                    window.showError(QString::fromStdString(error->text()));
            });
        action->setObjectName(QStringLiteral("lesson-") + id);
    }
}

MainWindow* LessonWindows::windowOf(const QString& lesson) const
{
    const auto found = m_open.find(lesson);
    return found == m_open.end() ? nullptr : found->second.data();
}

std::optional<Error> LessonWindows::open(const QString& nameOrPath)
{
    Result<Lesson> lesson = findLesson(nameOrPath);
    if (!lesson)
        return lesson.error();
    if (MainWindow* window = windowOf(QString::fromStdString(lesson->name))) {
        window->show();
        window->raise();
        window->activateWindow();
        return std::nullopt;
    }
    auto* window = new MainWindow(m_settings);
    if (auto error = PlaceMarker::problem(window, *lesson)) {
        delete window;
        return error;
    }
    window->setAttribute(Qt::WA_DeleteOnClose);
    equip(*window);
    follow(*window, std::move(lesson).value());
    const QWidget* behind = QApplication::activeWindow();
    window->show();
    // A little aside, where the screen has room, so that one sees that it is another.
    constexpr int kAside = 32;
    const QRect there = window->frameGeometry().translated(kAside, kAside);
    if (behind && behind->pos() == window->pos()
        && window->screen()->availableGeometry().contains(there))
        window->move(there.topLeft());
    return std::nullopt;
}

std::optional<Error> LessonWindows::run(MainWindow& window, const QString& nameOrPath)
{
    Result<Lesson> lesson = findLesson(nameOrPath);
    if (!lesson)
        return lesson.error();
    if (auto error = PlaceMarker::problem(&window, *lesson))
        return error;
    follow(window, std::move(lesson).value());
    return std::nullopt;
}

void LessonWindows::follow(MainWindow& window, Lesson lesson)
{
    const QString name = QString::fromStdString(lesson.name);
    const QString subject = QString::fromStdString(lesson.subject);
    auto* session = new LessonSession(std::move(lesson), window.document(), window.selection(),
        m_settings.lessonProgress(name), &window);
    auto* panel = new LessonPanel(*session, &window, &window);
    // The lesson takes the place of what it explains; they come back by the View menu.
    for (const char* dock : { "inspectorDock", "findingsDock", "evidenceDock" })
        if (auto* widget = window.findChild<QDockWidget*>(QLatin1String(dock)))
            widget->hide();
    window.addPanel(
        tr("Lesson"), subject, "lessonDock", panel, qRound(metrics::kLessonDock * uiScale()));
    window.makeCopy(tr("lesson copy"));
    connect(session, &LessonSession::progressChanged, &window,
        [this, session, name] { m_settings.setLessonProgress(name, session->progress()); });
    connect(panel, &LessonPanel::wordRequested, &window, &MainWindow::showGlossary);
    connect(panel, &LessonPanel::closeRequested, &window, &MainWindow::close, Qt::QueuedConnection);
    connect(panel, &LessonPanel::lessonRequested, &window, [this, &window](const QString& next) {
        if (const auto error = open(next))
            window.showError(QString::fromStdString(error->text()));
        else // this lesson is done: the next one takes its place
            QMetaObject::invokeMethod(&window, &QWidget::close, Qt::QueuedConnection);
    });
    m_open[name] = &window;
    window.document().flush();
    // Once the window is shown: before that it gives the focus to whatever comes first in it.
    QMetaObject::invokeMethod(
        panel, [panel] { panel->setFocus(); }, Qt::QueuedConnection);
}

} // namespace shardrack
