#pragma once

#include "lessons/lesson_progress.h"

#include <QObject>

namespace shardrack {

/// Somebody following a lesson on a document that holds a copy of its plan. It looks at the
/// document and never edits it, except to undo what the person did. Steps that were passed are
/// remembered as they were read; the step in front is judged by what the plan is now, so undoing
/// opens a task again.
class LessonSession : public QObject {
    Q_OBJECT
public:
    /// Puts the lesson's plan into the document. `progress`: what progress() gave earlier; of
    /// another version of the lesson, or damaged, it counts as nothing.
    LessonSession(Lesson lesson, PlanDocument& document, Selection& selection,
        const QByteArray& progress = {}, QObject* parent = nullptr);

    enum class Page { Title, Step, End };
    const Lesson& lesson() const { return m_lesson; }
    Page page() const { return m_page; }
    int stepCount() const { return static_cast<int>(m_lesson.steps.size()); }
    /// The step shown; valid on Page::Step.
    int step() const { return m_step; }
    const LessonStep& current() const { return m_lesson.steps[static_cast<std::size_t>(m_step)]; }
    /// The step that was reached and not passed; stepCount() when all are.
    int reached() const { return m_reached; }
    /// Whether the shown step was passed before: it is shown as it was read then.
    bool passed() const { return m_step < m_reached; }
    /// Whether the lesson was finished, this time or earlier.
    bool done() const { return m_done; }
    /// How many edits stand: another number after one, or after an undo.
    int edits() const { return m_document.undoStack().index(); }

    /// From the title to the step that was reached.
    void start();
    void startOver();
    void back();
    bool mayGoBack() const { return m_page != Page::Title; }
    void next();
    bool mayGoNext() const;

    /// The prediction of the shown step: -1 while none is chosen.
    int chosen() const;
    bool locked() const;
    void choose(int choice);
    /// From here on the prediction stays, and the tasks are open.
    void lock();
    /// Whether tasks may be looked at: there is no prediction, or it is locked.
    bool tasksOpen() const;
    bool taskDone(int task) const;
    /// The first task that is not done; -1 when all are.
    int currentTask() const;
    /// The reply to what was done instead of a task; null when there is nothing to say.
    const LessonText* replyTo(int task) const;
    bool revealOpen() const;
    /// Which choice the window says is right; -1 when it is none of them. Once revealOpen().
    int rightChoice() const;

    /// Facts of the shown step: as they are (or were when it was passed), and as it began.
    const FactTable& now() const;
    const FactTable& before() const;

    /// Takes back what was done since the step began.
    void undoMine();
    bool mayUndoMine() const;

    /// What is worth keeping of it, as text.
    QByteArray progress() const;

signals:
    /// Something that is shown changed.
    void changed();
    /// What progress() gives changed.
    void progressChanged();

private:
    void look();
    void beginStep();
    void openPlan(const Plan& plan);
    bool restore(const QByteArray& progress);
    StepRecord& record() { return m_records[static_cast<std::size_t>(m_step)]; }
    const StepRecord& record() const { return m_records[static_cast<std::size_t>(m_step)]; }

    Lesson m_lesson;
    PlanDocument& m_document;
    Selection& m_selection;
    Page m_page = Page::Title;
    int m_step = 0;
    int m_reached = 0;
    bool m_done = false;
    std::vector<StepRecord> m_records;
    FactTable m_now;
    std::shared_ptr<const Plan> m_planAtBegin; ///< of the step that was reached
    int m_undoAtBegin = 0;
};

} // namespace shardrack
