#include "lessons/lesson_panel.h"

#include "lessons/choice_row.h"
#include "lessons/lesson_style.h"
#include "lessons/place_marker.h"

#include <QAbstractButton>
#include <QEvent>
#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollArea>
#include <QTimer>
#include <QVBoxLayout>

namespace shardrack {

using State = StepMark::State;

LessonPanel::LessonPanel(LessonSession& session, QWidget* window, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_marker(new PlaceMarker(window))
{
    setObjectName(QStringLiteral("lessonPanel"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    buildHeader(column);
    m_scroll = new QScrollArea(this);
    m_scroll->setObjectName(QStringLiteral("lessonScroll"));
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(true);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    column->addWidget(m_scroll, 1);
    buildFooter(column);
    connect(&session, &LessonSession::changed, this, &LessonPanel::refresh);
    refresh();
    restyle();
}

QSize LessonPanel::sizeHint() const { return { qRound(metrics::kLessonDock * uiScale()), 800 }; }

LessonLabel* LessonPanel::label(LessonLabel::Tone tone)
{
    auto* label = new LessonLabel(tone);
    connect(label, &LessonLabel::wordRequested, this, &LessonPanel::wordRequested);
    return label;
}

void LessonPanel::say(LessonLabel* label, const LessonText& text) const
{
    label->setText(text, m_session.now(), m_session.before());
}

QPushButton* LessonPanel::button(const char* name, const QString& text)
{
    auto* button = new QPushButton(text);
    button->setObjectName(QLatin1String(name));
    button->setAutoDefault(true); // Enter presses what has the focus
    return button;
}

void LessonPanel::buildHeader(QVBoxLayout* column)
{
    auto* header = new QWidget(this);
    header->setObjectName(QStringLiteral("lessonHeader"));
    header->setAutoFillBackground(true);
    header->setBackgroundRole(QPalette::Base);
    auto* lines = new QVBoxLayout(header);
    lines->setContentsMargins(16, 10, 16, 12);
    lines->setSpacing(3);
    m_where = new QLabel(header);
    m_title = new QLabel(header);
    m_title->setObjectName(QStringLiteral("lessonTitle"));
    m_title->setWordWrap(true);
    m_steps = new StepsBar(header);
    lines->addWidget(m_where);
    lines->addWidget(m_title);
    lines->addSpacing(5);
    lines->addWidget(m_steps);
    column->addWidget(header);
}

void LessonPanel::buildFooter(QVBoxLayout* column)
{
    auto* footer = new QHBoxLayout;
    footer->setContentsMargins(16, 8, 16, 8);
    m_back = button("lessonBack", tr("&Back"));
    m_next = button("lessonNext", tr("&Next"));
    auto* copy = new QLabel(
        tr("works on a copy of %1").arg(QString::fromStdString(m_session.lesson().planName)), this);
    copy->setObjectName(QStringLiteral("lessonCopy"));
    copy->setAlignment(Qt::AlignCenter);
    copy->setFont(lessonStyle(this).font(type::kSecondary));
    footer->addWidget(m_back);
    footer->addWidget(copy, 1);
    footer->addWidget(m_next);
    column->addLayout(footer);
    connect(m_back, &QPushButton::clicked, &m_session, &LessonSession::back);
    connect(m_next, &QPushButton::clicked, this, [this] {
        if (m_session.page() == LessonSession::Page::End)
            emit closeRequested();
        else
            m_session.next();
    });
}

// Pages -----------------------------------------------------------------------------------------

void LessonPanel::rebuild()
{
    m_page = m_session.page();
    m_step = m_session.step();
    m_stepText = m_question = m_tasksClosed = m_hint = m_verdict = m_reply = m_reveal = nullptr;
    m_predictBlock = m_taskBlock = m_revealBlock = nullptr;
    m_start = m_lock = m_showWhere = m_undo = m_hintButton = m_revealWhere = nullptr;
    m_choices.clear();
    m_tasks.clear();
    m_hintFor = m_shownTask = -1;
    m_wasOpen = m_page == LessonSession::Page::Step && m_session.revealOpen();
    m_marker->clear();

    const bool hadFocus = isAncestorOf(focusWidget());
    auto* page = new QWidget;
    page->setAutoFillBackground(true);
    page->setBackgroundRole(QPalette::Base);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    switch (m_page) {
    case LessonSession::Page::Title:
        buildTitle(column);
        break;
    case LessonSession::Page::Step:
        buildStep(column);
        break;
    case LessonSession::Page::End:
        buildEnd(column);
        break;
    }
    column->addStretch(1);
    // What asked for the new page is one of its children: it dies when it is done with that.
    if (QWidget* old = m_scroll->takeWidget())
        old->deleteLater();
    m_scroll->setWidget(page);
    m_focusFirst = hadFocus;
    orderKeys(page);
}

void LessonPanel::orderKeys(QWidget* page)
{
    QWidget* before = m_scroll;
    for (QWidget* child : page->findChildren<QWidget*>())
        if (child->focusPolicy() & Qt::TabFocus) {
            setTabOrder(before, child);
            before = child;
        }
    setTabOrder(before, m_back);
    setTabOrder(m_back, m_next);
}

QWidget* LessonPanel::firstOf(const QWidget* page) const
{
    for (QWidget* child : page->findChildren<QWidget*>())
        if ((child->focusPolicy() & Qt::TabFocus) && child->isEnabled() && !child->isHidden()
            && (qobject_cast<QAbstractButton*>(child)))
            return child;
    return m_next->isEnabled() ? m_next : nullptr;
}

// What they show --------------------------------------------------------------------------------

void LessonPanel::refresh()
{
    const QWidget* had = isAncestorOf(focusWidget()) ? focusWidget() : nullptr;
    if (m_page != m_session.page() || m_step != m_session.step() || !m_scroll->widget()
        || (m_page == LessonSession::Page::Title))
        rebuild();
    refreshHeader();
    if (m_page != LessonSession::Page::Step) {
        takeFocus();
        return;
    }
    if (m_stepText)
        m_stepText->setText(m_session.current().text, m_session.before(), m_session.before());
    refreshPrediction();
    refreshTasks();
    refreshReveal();
    if (m_focusFirst)
        takeFocus();
    else
        restoreFocus(had);
}

/// A new page is begun where there is something to do.
void LessonPanel::takeFocus()
{
    QWidget* first = firstOf(m_scroll->widget());
    setFocusProxy(first ? first : m_next);
    if (m_focusFirst && first)
        first->setFocus();
    m_focusFirst = false;
}

void LessonPanel::restoreFocus(const QWidget* had)
{
    const auto serves = [](const QWidget* widget) {
        return widget && widget->isEnabled() && widget->isVisible();
    };
    // A widget that hides gives the keyboard to whatever follows it, which may be another panel's.
    if (!had || !isVisible() || (serves(had) && isAncestorOf(focusWidget())))
        return;
    for (QPushButton* next : { m_showWhere, m_undo, m_hintButton, m_next, m_back })
        if (serves(next)) {
            next->setFocus();
            return;
        }
}

void LessonPanel::refreshHeader()
{
    const bool step = m_page == LessonSession::Page::Step;
    const bool end = m_page == LessonSession::Page::End;
    m_where->setText(step ? tr("Step %1 of %2").arg(m_step + 1).arg(m_session.stepCount())
            : end         ? tr("Done: all %1 steps").arg(m_session.stepCount())
                          : tr("Lesson"));
    m_title->setText(QString::fromStdString(m_session.lesson().title));
    m_steps->setSteps(m_session.stepCount(), m_session.reached(), step ? m_step : -1);
    m_back->setEnabled(m_session.mayGoBack());
    m_next->setEnabled(end || m_session.mayGoNext());
    m_next->setVisible(m_page != LessonSession::Page::Title); // its page has a button of its own
    m_back->setVisible(m_page != LessonSession::Page::Title);
    m_next->setText(end ? tr("&Close lesson") : tr("&Next"));
}

void LessonPanel::refreshPrediction()
{
    if (!m_predictBlock)
        return;
    const LessonPrediction& predict = *m_session.current().predict;
    const bool locked = m_session.tasksOpen();
    // As the step began: what is done later must not change what was asked.
    m_question->setText(predict.question, m_session.before(), m_session.before());
    for (std::size_t i = 0; i < m_choices.size(); ++i) {
        const LessonText& text = predict.choices[i].text;
        const FactTable& before = m_session.before();
        m_choices[i]->setTexts(
            text.html(before, before, *lessonStyle(this).theme), text.plain(before, before));
        m_choices[i]->setLocked(locked);
        m_choices[i]->setChecked(m_session.chosen() == static_cast<int>(i));
    }
    m_lock->setVisible(!locked);
    m_lock->setEnabled(m_session.chosen() >= 0);
    // Right or wrong only where the window has answered.
    const bool answered = locked && m_session.chosen() >= 0 && m_session.revealOpen();
    const bool right = answered && m_session.chosen() == m_session.rightChoice();
    m_predictBlock->setChip(!locked ? QString()
            : right                 ? tr("right")
            : answered              ? tr("wrong")
                                    : tr("locked in"));
    m_predictBlock->setState(!locked ? State::Current
            : right                  ? State::Done
            : answered               ? State::Wrong
                                     : State::Waiting);
}

void LessonPanel::refreshTasks()
{
    if (!m_taskBlock)
        return;
    const bool open = m_session.tasksOpen();
    const int current = open ? m_session.currentTask() : -1;
    const bool done = open && current < 0;
    m_taskBlock->setState(done ? State::Done : open ? State::Current : State::Waiting);
    m_tasksClosed->setVisible(!open);
    const std::vector<LessonTask>& tasks = m_session.current().tasks;
    for (std::size_t i = 0; i < m_tasks.size(); ++i) {
        const auto number = static_cast<int>(i);
        const bool isCurrent = number == current;
        TaskRow& row = m_tasks[i];
        const bool finished = open && m_session.taskDone(number);
        row.mark->setVisible(open);
        row.mark->setState(finished ? State::Done : isCurrent ? State::Current : State::Waiting);
        row.text->setVisible(open);
        row.text->setTone(isCurrent ? LessonLabel::Tone::Heading
                : finished          ? LessonLabel::Tone::Main
                                    : LessonLabel::Tone::Faint);
        row.mouse->setVisible(isCurrent);
        row.keys->setVisible(isCurrent);
        const LessonText* reply = isCurrent ? m_session.replyTo(number) : nullptr;
        if (reply)
            say(row.reply, *reply);
        row.reply->setVisible(reply != nullptr);
    }
    const bool acting = current >= 0;
    const LessonTask* task = acting ? &tasks[static_cast<std::size_t>(current)] : nullptr;
    m_showWhere->setVisible(task && !task->show.empty());
    m_hintButton->setVisible(task && !task->hint.empty() && m_hintFor != current);
    m_hint->setVisible(task && m_hintFor == current);
    m_undo->setVisible(open && !m_session.passed());
    m_undo->setEnabled(m_session.mayUndoMine());
    if (current != m_shownTask || m_session.edits() != m_shownEdits) { // what was outlined served
        m_shownTask = current;
        m_shownEdits = m_session.edits();
        m_marker->clear();
        m_showWhere->setChecked(false);
        if (m_revealWhere)
            m_revealWhere->setChecked(false);
    }
}

QString LessonPanel::verdictOnPrediction() const
{
    const LessonPrediction& predict = *m_session.current().predict;
    const int right = m_session.rightChoice();
    if (m_session.chosen() < 0)
        return {};
    if (m_session.chosen() == right)
        return tr("Your prediction was right.");
    return predict.fact ? tr("Your prediction was wrong: the window reads %1.")
                              .arg(m_session.now().text(*predict.fact))
                        : tr("Your prediction was wrong.");
}

void LessonPanel::refreshReveal()
{
    if (!m_revealBlock)
        return;
    const bool open = m_session.revealOpen();
    m_revealBlock->setState(
        open ? (m_session.passed() ? State::Done : State::Current) : State::Waiting);
    if (!open) {
        m_verdict->setTone(LessonLabel::Tone::Faint);
        m_verdict->setPlainText(m_taskBlock
                ? tr("Opens by itself when the tasks are done, and reads the figures from this "
                     "window.")
                : tr("Opens when your prediction is locked in."));
        m_verdict->show();
        for (QWidget* each : { static_cast<QWidget*>(m_reply), static_cast<QWidget*>(m_reveal),
                 static_cast<QWidget*>(m_revealWhere) })
            each->hide();
        m_wasOpen = false;
        return;
    }
    const LessonStep& step = m_session.current();
    const QString verdict = step.predict ? verdictOnPrediction() : QString();
    m_verdict->setTone(LessonLabel::Tone::Heading);
    m_verdict->setPlainText(verdict);
    m_verdict->setVisible(!verdict.isEmpty());
    const LessonText* reply = step.predict && m_session.chosen() >= 0
        ? &step.predict->choices[static_cast<std::size_t>(m_session.chosen())].reply
        : nullptr;
    if (reply)
        say(m_reply, *reply);
    m_reply->setVisible(reply && !reply->empty());
    say(m_reveal, step.reveal->text);
    m_reveal->show();
    m_revealWhere->setVisible(!step.reveal->show.empty() && !m_session.passed());
    if (m_wasOpen)
        return;
    m_wasOpen = true;
    // It may be below the edge; only after the layout is known.
    QTimer::singleShot(0, m_revealBlock, [this, block = m_revealBlock] {
        m_scroll->widget()->layout()->activate();
        m_scroll->ensureWidgetVisible(block, 0, 0);
    });
}

// What they do ----------------------------------------------------------------------------------

void LessonPanel::lock()
{
    m_session.lock();
    // The button that had the focus is gone.
    if (m_showWhere && m_showWhere->isVisible())
        m_showWhere->setFocus();
    else if (m_next->isEnabled())
        m_next->setFocus();
}

void LessonPanel::showWhere()
{
    auto* asked = qobject_cast<QPushButton*>(sender());
    if (!asked || !asked->isChecked()) {
        m_marker->clear();
        return;
    }
    if (asked == m_revealWhere)
        m_marker->show(m_session.current().reveal->show);
    else if (m_session.currentTask() >= 0)
        m_marker->show(
            m_session.current().tasks[static_cast<std::size_t>(m_session.currentTask())].show);
}

void LessonPanel::showHint()
{
    const QWidget* had = focusWidget();
    m_hintFor = m_session.currentTask();
    if (m_hintFor < 0)
        return;
    say(m_hint, m_session.current().tasks[static_cast<std::size_t>(m_hintFor)].hint);
    refreshTasks();
    restoreFocus(had);
}

void LessonPanel::restyle()
{
    const PaintStyle style = lessonStyle(this);
    m_where->setFont(style.font(type::kSecondary));
    m_title->setFont(style.font(type::kLessonTitle, type::kSemibold));
}

void LessonPanel::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_scroll && m_scroll->widget()) {
        rebuild();
        refresh();
    }
}

} // namespace shardrack
