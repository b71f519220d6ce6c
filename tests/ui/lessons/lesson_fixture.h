#pragma once

#include "canvas/rack_canvas.h"
#include "lesson_windows.h"
#include "lessons/lesson_panel.h"
#include "lessons/place_marker.h"
#include "window/main_window.h"

#include <QAction>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>

namespace shardrack {

/// A person's window with TS-24 and a lesson in a window of its own beside it.
struct LessonFixture {
    explicit LessonFixture(const char* name)
        : settings(folder.filePath(QStringLiteral("settings.ini")))
        , person(settings)
        , lessons(settings)
        , id(QLatin1String(name))
    {
        person.askToSave = [this](const QString&) {
            ++asked;
            return SaveChoice::Discard;
        };
        person.applyTheme(Settings::Theme::Light);
        person.openExample(QStringLiteral("ts-24"));
        lessons.equip(person);
        person.show();
        own = person.document().plan();
        open();
    }
    void open()
    {
        person.findChild<QAction*>(QStringLiteral("lesson-") + id)->trigger();
        window = lessons.windowOf(id);
        if (!window)
            return;
        window->askToSave = [this](const QString&) {
            ++asked;
            return SaveChoice::Cancel;
        };
        window->resize(1600, 960);
        window->activateWindow();
        (void)QTest::qWaitForWindowExposed(window);
        panel = window->findChild<LessonPanel*>();
        session = window->findChild<LessonSession*>();
        settle();
    }
    void settle()
    {
        for (int turn = 0; turn < 2; ++turn) {
            if (window) // it may have been closed
                window->document().flush();
            QApplication::processEvents();
        }
    }
    template <class Child = QWidget> Child* child(const QString& name)
    {
        return panel->findChild<Child*>(name);
    }
    QString said(const char* name)
    {
        auto* label = child<QLabel>(QLatin1String(name));
        return label && label->isVisible() ? label->accessibleName() : QString();
    }
    std::int64_t gib(Fact fact)
    {
        const FactTable facts(window->document(), window->selection());
        return facts[fact].size ? facts[fact].size->count() / kGiB : -1;
    }
    std::int64_t count(Fact fact)
    {
        return FactTable(window->document(), window->selection())[fact].count.value_or(-1);
    }
    /// The person's plan is the very one it was.
    bool untouched() { return person.document().plan() == own && !person.isWindowModified(); }

    QTemporaryDir folder;
    Settings settings;
    MainWindow person;
    LessonWindows lessons;
    QString id;
    QPointer<MainWindow> window;
    LessonPanel* panel = nullptr;
    LessonSession* session = nullptr;
    std::shared_ptr<const Plan> own;
    int asked = 0;
};

} // namespace shardrack
