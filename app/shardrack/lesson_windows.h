#pragma once

#include "base/result.h"

#include <QObject>
#include <QPointer>

#include <map>
#include <optional>

class QMenu;

namespace shardrack {

class MainWindow;
class Settings;
struct Lesson;

/// Puts lessons and windows together: every window gets the menu of lessons, and a lesson gets a
/// window of its own, on a copy of its plan, so that the person's plan is never touched.
class LessonWindows : public QObject {
    Q_OBJECT
public:
    explicit LessonWindows(Settings& settings, QObject* parent = nullptr);
    ~LessonWindows() override;

    /// Fills the menu of lessons of a window.
    void equip(MainWindow& window);
    /// A lesson (by name, or the path of its file) in a window of its own; one that is open comes
    /// to the front. An Error says what is wrong with it.
    std::optional<Error> open(const QString& nameOrPath);
    /// Makes `window`, which shows nothing of the person's yet, the window of a lesson.
    std::optional<Error> run(MainWindow& window, const QString& nameOrPath);
    /// The open window of a lesson by its name, or null.
    MainWindow* windowOf(const QString& lesson) const;

private:
    void fillMenu(QMenu* menu, MainWindow& window);
    void follow(MainWindow& window, Lesson lesson);

    Settings& m_settings;
    std::map<QString, QPointer<MainWindow>> m_open;
};

} // namespace shardrack
