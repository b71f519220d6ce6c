#pragma once

#include "lessons/lesson_blocks.h"
#include "lessons/lesson_session.h"

#include <QWidget>

class QAbstractButton;
class QLabel;
class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace shardrack {

class ChoiceRow;
class PlaceMarker;

/// The lesson beside the live window: predict, do, compare. It shows a session and nothing else;
/// the window is only outlined.
class LessonPanel : public QWidget {
    Q_OBJECT
public:
    /// `window`: where places are shown.
    LessonPanel(LessonSession& session, QWidget* window, QWidget* parent = nullptr);

    QSize sizeHint() const override;
    const PlaceMarker& marker() const { return *m_marker; }

signals:
    /// A word of the glossary was asked for.
    void wordRequested(const QString& word);
    void closeRequested();
    /// The lesson that follows.
    void lessonRequested(const QString& name);

protected:
    void changeEvent(QEvent* event) override;

private:
    struct TaskRow {
        StepMark* mark;
        LessonLabel* text;
        LessonLabel* mouse;
        LessonLabel* keys;
        LessonLabel* reply;
    };
    void buildHeader(QVBoxLayout* column);
    void buildFooter(QVBoxLayout* column);
    void rebuild();
    /// The keyboard goes through the page, then to the buttons below it.
    void orderKeys(QWidget* page);
    /// What of the page is to be done first; null: nothing.
    QWidget* firstOf(const QWidget* page) const;
    void buildTitle(QVBoxLayout* column);
    void buildStep(QVBoxLayout* column);
    void buildPrediction(QVBoxLayout* column);
    void buildTasks(QVBoxLayout* column);
    void addTask(QVBoxLayout* body, const LessonTask& task);
    void buildReveal(QVBoxLayout* column);
    void buildEnd(QVBoxLayout* column);
    LessonLabel* label(LessonLabel::Tone tone = LessonLabel::Tone::Main);
    QPushButton* button(const char* name, const QString& text);
    /// A text of the lesson with the facts of the shown step.
    void say(LessonLabel* label, const LessonText& text) const;

    void refresh();
    void refreshHeader();
    void refreshPrediction();
    void refreshTasks();
    void refreshReveal();
    /// Where the keyboard goes when what it was on is gone or does nothing any more.
    void restoreFocus(const QWidget* had);
    void takeFocus();
    void restyle();
    QString verdictOnPrediction() const;
    void showWhere();
    void showHint();
    void lock();

    LessonSession& m_session;
    PlaceMarker* m_marker;
    QLabel* m_where; ///< "Step 2 of 5"
    QLabel* m_title;
    StepsBar* m_steps;
    QScrollArea* m_scroll;
    QPushButton* m_back;
    QPushButton* m_next;

    // Of the page shown; null where it has none.
    LessonSession::Page m_page = LessonSession::Page::End;
    int m_step = -1;
    LessonLabel* m_stepText = nullptr;
    LessonBlock* m_predictBlock = nullptr;
    LessonLabel* m_question = nullptr;
    std::vector<ChoiceRow*> m_choices;
    QPushButton* m_start = nullptr; ///< on the title page
    QPushButton* m_lock = nullptr;
    LessonBlock* m_taskBlock = nullptr;
    LessonLabel* m_tasksClosed = nullptr;
    std::vector<TaskRow> m_tasks;
    LessonLabel* m_hint = nullptr;
    QPushButton* m_showWhere = nullptr;
    QPushButton* m_undo = nullptr;
    QPushButton* m_hintButton = nullptr;
    LessonBlock* m_revealBlock = nullptr;
    LessonLabel* m_verdict = nullptr;
    LessonLabel* m_reply = nullptr;
    LessonLabel* m_reveal = nullptr;
    QPushButton* m_revealWhere = nullptr;
    bool m_wasOpen = false;
    bool m_focusFirst = false; ///< the page is new, and the one before had the keyboard
    int m_hintFor = -1;
    int m_shownTask = -1;
    int m_shownEdits = 0;
};

} // namespace shardrack
