// The pages of the lesson: what they are made of.
#include "lessons/lesson_panel.h"

#include "lessons/choice_row.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

namespace shardrack {

void LessonPanel::buildTitle(QVBoxLayout* column)
{
    auto* lines = new QVBoxLayout;
    lines->setContentsMargins(16, 14, 16, 14);
    lines->setSpacing(10);
    const int minutes = m_session.lesson().minutes;
    LessonLabel* takes = label(LessonLabel::Tone::Secondary);
    takes->setObjectName(QStringLiteral("lessonTakes"));
    takes->setPlainText((minutes == 1 ? tr("Takes about %1 minute, in %2 steps.")
                                      : tr("Takes about %1 minutes, in %2 steps."))
                            .arg(minutes)
                            .arg(m_session.stepCount()));
    LessonLabel* about = label();
    say(about, m_session.lesson().about);
    lines->addWidget(about);
    lines->addWidget(takes);
    LessonLabel* how = label(LessonLabel::Tone::Secondary);
    how->setPlainText(
        tr("First you predict, then you do it in the window beside this, then the window answers. "
           "It is a copy: nothing here touches a plan of yours."));
    lines->addWidget(how);
    auto* row = new QHBoxLayout;
    const bool going = m_session.reached() > 0;
    m_start = button("lessonStart",
        going ? tr("&Continue with step %1").arg(m_session.reached() + 1) : tr("S&tart"));
    connect(m_start, &QPushButton::clicked, &m_session, &LessonSession::start);
    row->addWidget(m_start);
    if (going) {
        QPushButton* over = button("lessonStartOver", tr("Start over"));
        connect(over, &QPushButton::clicked, &m_session, &LessonSession::startOver);
        row->addWidget(over);
    }
    row->addStretch(1);
    lines->addLayout(row);
    if (m_session.done()) {
        LessonLabel* done = label(LessonLabel::Tone::Secondary);
        done->setPlainText(tr("You finished this lesson before."));
        lines->addWidget(done);
    }
    column->addLayout(lines);
}

void LessonPanel::buildStep(QVBoxLayout* column)
{
    const LessonStep& step = m_session.current();
    auto* lines = new QVBoxLayout;
    lines->setContentsMargins(16, 12, 16, 12);
    lines->setSpacing(4);
    LessonLabel* title = label(LessonLabel::Tone::Heading);
    title->setObjectName(QStringLiteral("stepTitle"));
    say(title, step.title);
    lines->addWidget(title);
    if (!step.text.empty()) {
        m_stepText = label();
        m_stepText->setObjectName(QStringLiteral("stepText"));
        lines->addWidget(m_stepText);
    }
    column->addLayout(lines);
    if (step.predict)
        buildPrediction(column);
    if (!step.tasks.empty())
        buildTasks(column);
    if (step.reveal)
        buildReveal(column);
}

void LessonPanel::buildPrediction(QVBoxLayout* column)
{
    m_predictBlock = new LessonBlock(1, tr("Predict"));
    QVBoxLayout* body = m_predictBlock->body();
    m_question = label();
    m_question->setObjectName(QStringLiteral("question"));
    body->addWidget(m_question);
    const int count = static_cast<int>(m_session.current().predict->choices.size());
    for (int i = 0; i < count; ++i) {
        auto* row = new ChoiceRow(m_predictBlock);
        row->setObjectName(QStringLiteral("choice%1").arg(i));
        row->setChecked(m_session.chosen() == i);
        connect(row, &ChoiceRow::clicked, &m_session, [this, i] { m_session.choose(i); });
        body->addWidget(row);
        m_choices.push_back(row);
    }
    m_lock = button("lock", tr("Loc&k in my prediction"));
    connect(m_lock, &QPushButton::clicked, this, &LessonPanel::lock);
    body->addWidget(m_lock, 0, Qt::AlignLeft);
    column->addWidget(m_predictBlock);
}

void LessonPanel::buildTasks(QVBoxLayout* column)
{
    m_taskBlock = new LessonBlock(m_predictBlock ? 2 : 1, tr("Do it in the window"));
    QVBoxLayout* body = m_taskBlock->body();
    m_tasksClosed = label(LessonLabel::Tone::Faint);
    m_tasksClosed->setPlainText(tr("Opens when your prediction is locked in."));
    body->addWidget(m_tasksClosed);
    for (const LessonTask& task : m_session.current().tasks)
        addTask(body, task);
    m_hint = label(LessonLabel::Tone::Secondary);
    m_hint->setObjectName(QStringLiteral("hint"));
    m_hint->hide();
    body->addWidget(m_hint);
    auto* row = new QHBoxLayout;
    row->setSpacing(6);
    m_showWhere = button("showWhere", tr("Show me &where"));
    m_showWhere->setCheckable(true);
    m_undo = button("undoMine", tr("&Undo my changes"));
    m_hintButton = button("hintButton", tr("H&int"));
    for (QPushButton* each : { m_showWhere, m_undo, m_hintButton })
        row->addWidget(each);
    row->addStretch(1);
    body->addLayout(row);
    connect(m_showWhere, &QPushButton::clicked, this, &LessonPanel::showWhere);
    connect(m_undo, &QPushButton::clicked, &m_session, &LessonSession::undoMine);
    connect(m_hintButton, &QPushButton::clicked, this, &LessonPanel::showHint);
    column->addWidget(m_taskBlock);
}

void LessonPanel::addTask(QVBoxLayout* body, const LessonTask& task)
{
    TaskRow row {};
    row.mark = new StepMark(0);
    row.text = label();
    row.mouse = label(LessonLabel::Tone::Secondary);
    row.keys = label(LessonLabel::Tone::Secondary);
    row.reply = label(LessonLabel::Tone::Reply);
    row.reply->setObjectName(QStringLiteral("taskReply%1").arg(m_tasks.size()));
    say(row.text, task.text);
    say(row.mouse, task.mouse);
    say(row.keys, task.keys);
    auto* line = new QHBoxLayout;
    line->setSpacing(8);
    line->addWidget(row.mark, 0, Qt::AlignTop);
    auto* texts = new QVBoxLayout;
    texts->setSpacing(3);
    for (LessonLabel* each : { row.text, row.mouse, row.keys, row.reply })
        texts->addWidget(each);
    line->addLayout(texts, 1);
    body->addLayout(line);
    m_tasks.push_back(row);
}

void LessonPanel::buildReveal(QVBoxLayout* column)
{
    const int number = 1 + (m_predictBlock ? 1 : 0) + (m_taskBlock ? 1 : 0);
    m_revealBlock = new LessonBlock(
        number, m_predictBlock ? tr("Compare with your prediction") : tr("What the window says"));
    QVBoxLayout* body = m_revealBlock->body();
    m_verdict = label(LessonLabel::Tone::Heading);
    m_verdict->setObjectName(QStringLiteral("verdictOnPrediction"));
    m_reply = label();
    m_reply->setObjectName(QStringLiteral("reply"));
    m_reveal = label();
    m_reveal->setObjectName(QStringLiteral("reveal"));
    for (LessonLabel* each : { m_verdict, m_reply, m_reveal })
        body->addWidget(each);
    m_revealWhere = button("revealWhere", tr("Show me &where"));
    m_revealWhere->setCheckable(true);
    connect(m_revealWhere, &QPushButton::clicked, this, &LessonPanel::showWhere);
    body->addWidget(m_revealWhere, 0, Qt::AlignLeft);
    column->addWidget(m_revealBlock);
}

void LessonPanel::buildEnd(QVBoxLayout* column)
{
    auto* lines = new QVBoxLayout;
    lines->setContentsMargins(16, 14, 16, 14);
    lines->setSpacing(10);
    LessonLabel* end = label();
    end->setObjectName(QStringLiteral("lessonEnd"));
    say(end, m_session.lesson().end);
    lines->addWidget(end);
    const std::string& next = m_session.lesson().next;
    auto* row = new QHBoxLayout;
    if (!next.empty())
        if (const Result<Lesson> following = findLesson(QString::fromStdString(next))) {
            QPushButton* go = button("lessonFollowing",
                tr("Next lesson: %1").arg(QString::fromStdString(following->title)));
            connect(go, &QPushButton::clicked, this,
                [this, next] { emit lessonRequested(QString::fromStdString(next)); });
            lines->addWidget(go);
        }
    QPushButton* over = button("lessonStartOver", tr("Start over"));
    connect(over, &QPushButton::clicked, &m_session, &LessonSession::startOver);
    row->addWidget(over);
    row->addStretch(1);
    lines->addLayout(row);
    column->addLayout(lines);
}

} // namespace shardrack
