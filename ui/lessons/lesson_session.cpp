#include "lessons/lesson_session.h"

#include <algorithm>

namespace shardrack {

LessonSession::LessonSession(Lesson lesson, PlanDocument& document, Selection& selection,
    const QByteArray& progress, QObject* parent)
    : QObject(parent)
    , m_lesson(std::move(lesson))
    , m_document(document)
    , m_selection(selection)
    , m_records(m_lesson.steps.size())
{
    if (!restore(progress))
        openPlan(m_lesson.plan);
    connect(&document, &PlanDocument::changed, this, &LessonSession::look);
    connect(&document, &PlanDocument::currentOfferChanged, this, &LessonSession::look);
    connect(&document, &PlanDocument::resetDone, this, &LessonSession::look);
    connect(&selection, &Selection::changed, this, &LessonSession::look);
}

void LessonSession::openPlan(const Plan& plan)
{
    m_document.reset(plan, {}, false);
    m_selection.clear();
    m_now = FactTable(m_document, m_selection);
    m_planAtBegin = m_document.plan();
    m_undoAtBegin = 0;
}

bool LessonSession::restore(const QByteArray& text)
{
    const std::optional<LessonProgress> kept = readProgress(m_lesson, text);
    if (!kept)
        return false;
    m_done = kept->done;
    if (kept->step >= stepCount() || !kept->plan)
        return false; // finished, or a plan too large to keep: from the beginning again
    m_reached = m_step = kept->step;
    m_records = kept->records;
    openPlan(*kept->plan);
    const auto& offers = m_document.plan()->offers;
    for (std::size_t i = 0; i < offers.size(); ++i)
        if (offers[i]->name == kept->offer)
            m_document.setCurrentOffer(static_cast<int>(i));
    return true;
}

void LessonSession::look()
{
    m_now = FactTable(m_document, m_selection);
    // Somebody went back behind the beginning: from there on it is the step's own again.
    m_undoAtBegin = std::min(m_undoAtBegin, m_document.undoStack().index());
    if (m_page == Page::Step && !passed() && tasksOpen() && !current().tasks.empty()) {
        const Condition& last = current().tasks.back().done;
        if (last.asksForSelectionOnly() && last.holds(m_now))
            record().selectionSeen = true;
    }
    emit changed();
}

/// What the tasks change is compared with the plan as it was when the step was first seen.
void LessonSession::beginStep()
{
    if (record().begun)
        return;
    m_planAtBegin = m_document.plan();
    m_undoAtBegin = m_document.undoStack().index();
    m_now = FactTable(m_document, m_selection);
    record().before = m_now;
    record().begun = true;
}

void LessonSession::start()
{
    m_page = m_reached < stepCount() ? Page::Step : Page::End;
    m_step = std::min(m_reached, stepCount() - 1);
    if (m_page == Page::Step)
        beginStep();
    emit changed();
    emit progressChanged();
}

void LessonSession::startOver()
{
    m_records.assign(m_lesson.steps.size(), {});
    m_reached = m_step = 0;
    openPlan(m_lesson.plan);
    start();
}

void LessonSession::back()
{
    if (m_page == Page::End) {
        m_page = Page::Step;
        m_step = stepCount() - 1;
    } else if (m_step > 0) {
        --m_step;
    } else {
        m_page = Page::Title;
    }
    emit changed();
}

void LessonSession::next()
{
    if (m_page == Page::Title) {
        start();
        return;
    }
    if (!mayGoNext())
        return;
    if (!passed()) {
        record().read = m_now;
        m_reached = m_step + 1;
        m_done = m_done || m_reached == stepCount();
    }
    if (m_step + 1 == stepCount()) {
        m_page = Page::End;
    } else {
        ++m_step;
        if (m_step == m_reached)
            beginStep();
    }
    emit changed();
    emit progressChanged();
}

bool LessonSession::mayGoNext() const
{
    switch (m_page) {
    case Page::Title:
        return true;
    case Page::End:
        return false;
    case Page::Step:
        break;
    }
    return passed() || (tasksOpen() && currentTask() < 0);
}

int LessonSession::chosen() const { return record().chosen; }

bool LessonSession::locked() const { return record().locked; }

void LessonSession::choose(int choice)
{
    const auto& predict = current().predict;
    if (m_page != Page::Step || !predict || locked() || passed() || choice < 0
        || choice >= static_cast<int>(predict->choices.size()) || choice == chosen())
        return;
    record().chosen = choice;
    emit changed();
}

void LessonSession::lock()
{
    if (m_page != Page::Step || locked() || chosen() < 0)
        return;
    record().locked = true;
    look();
    emit progressChanged();
}

bool LessonSession::tasksOpen() const { return !current().predict || locked() || passed(); }

bool LessonSession::taskDone(int task) const
{
    if (passed())
        return true;
    if (!tasksOpen())
        return false;
    // What is selected while one looks at the answer does not matter.
    if (record().selectionSeen)
        return true;
    // What comes later needs what came before: a selection may go once it served.
    const auto& tasks = current().tasks;
    return std::any_of(tasks.begin() + task, tasks.end(),
        [this](const LessonTask& later) { return later.done.holds(m_now); });
}

int LessonSession::currentTask() const
{
    for (int task = 0; task < static_cast<int>(current().tasks.size()); ++task)
        if (!taskDone(task))
            return task;
    return -1;
}

const LessonText* LessonSession::replyTo(int task) const
{
    if (!tasksOpen() || taskDone(task))
        return nullptr;
    for (const LessonTask::Reply& reply : current().tasks[static_cast<std::size_t>(task)].replies)
        if (reply.when.holds(m_now))
            return &reply.text;
    return nullptr;
}

bool LessonSession::revealOpen() const
{
    return current().reveal && tasksOpen() && currentTask() < 0;
}

int LessonSession::rightChoice() const
{
    const auto& predict = current().predict;
    if (!predict)
        return -1;
    for (std::size_t i = 0; i < predict->choices.size(); ++i) {
        const LessonChoice& choice = predict->choices[i];
        if (predict->fact ? choice.value && choice.value == numberOf(*predict->fact, now())
                          : choice.right)
            return static_cast<int>(i);
    }
    return -1;
}

const FactTable& LessonSession::now() const
{
    return m_page == Page::Step && passed() ? record().read : m_now;
}

const FactTable& LessonSession::before() const
{
    return m_page == Page::Step ? record().before : m_now;
}

bool LessonSession::mayUndoMine() const
{
    return m_page == Page::Step && !passed() && m_document.undoStack().index() > m_undoAtBegin;
}

void LessonSession::undoMine()
{
    if (mayUndoMine())
        m_document.undoStack().setIndex(m_undoAtBegin);
}

QByteArray LessonSession::progress() const
{
    const auto current = m_document.current();
    return progressText(m_lesson,
        { m_reached, m_done, m_records, *m_planAtBegin,
            current ? current->get().name : std::string() });
}

} // namespace shardrack
