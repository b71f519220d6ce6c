#include "docks/outcome_form.h"

#include "commands/edit_command.h"
#include "editors/choice_box.h"
#include "models/number_text.h"
#include "plan/basis.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace shardrack {

namespace {

using Text = std::string TrainingOutcome::*;
constexpr Text kMembers[]
    = { &TrainingOutcome::criterion, &TrainingOutcome::value, &TrainingOutcome::throughput,
          &TrainingOutcome::software, &TrainingOutcome::interconnect, &TrainingOutcome::note };
constexpr TrainingResult kResults[]
    = { TrainingResult::NotEvaluated, TrainingResult::Accepted, TrainingResult::Rejected };

bool evaluated(const TrainingOutcome& outcome)
{
    return outcome.result != TrainingResult::NotEvaluated;
}

} // namespace

OutcomeForm::OutcomeForm(PlanDocument& document, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
{
    setObjectName(QStringLiteral("outcomeForm"));
    setAccessibleName(tr("Training result"));
    auto* fields = new QWidget(this);
    m_grid = std::make_unique<FormGrid>(fields);
    m_result = new ChoiceBox;
    m_result->setObjectName(QStringLiteral("outcomeResult"));
    for (const TrainingResult result : kResults)
        m_result->addItem(coreWord(title(result)));
    m_grid->add(tr("Result"), m_result);
    const QString labels[kTexts] = { tr("Criterion"), tr("Value reached"), tr("Throughput"),
        tr("Software"), tr("Interconnect"), tr("Note") };
    const char* const names[kTexts] = { "outcomeCriterion", "outcomeValue", "outcomeThroughput",
        "outcomeSoftware", "outcomeInterconnect", "outcomeNote" };
    const QString hints[kTexts] = { tr("such as validation loss ≤ 2.10"), tr("such as 2.08"),
        tr("with its unit: 11,400 tokens/s"), tr("framework and versions"),
        tr("what the devices were joined by"), {} };
    for (int i = 0; i < kTexts; ++i) {
        m_texts[i] = new QLineEdit;
        m_texts[i]->setObjectName(QLatin1StringView(names[i]));
        m_texts[i]->setPlaceholderText(hints[i]);
        FormGrid::Row& row = m_grid->add(labels[i], m_texts[i]);
        if (i == 0)
            m_criterionRow = &row;
        connect(m_texts[i], &QLineEdit::textChanged, this, &OutcomeForm::edited);
        connect(m_texts[i], &QLineEdit::returnPressed, this, &OutcomeForm::record);
    }
    m_grid->arrange(m_grid->rows());
    connect(m_result, &QComboBox::currentIndexChanged, this, &OutcomeForm::edited);

    m_note = new NoteLabel(this);
    m_record = new QPushButton(tr("Record"), this);
    m_record->setObjectName(QStringLiteral("outcomeRecord"));
    m_remove = new QPushButton(tr("Remove"), this);
    m_remove->setObjectName(QStringLiteral("outcomeRemove"));
    m_remove->setAccessibleName(tr("Remove training result"));
    m_applies = new QPushButton(tr("Still applies"), this);
    m_applies->setObjectName(QStringLiteral("outcomeStillApplies"));
    m_applies->setAccessibleName(tr("The training result still applies"));
    m_applies->setToolTip(tr("Confirm that the result is about the offer as it stands now"));
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_record);
    buttons->addWidget(m_remove);
    buttons->addWidget(m_applies);
    buttons->addStretch(1);
    auto* below = new QVBoxLayout;
    below->setContentsMargins(10, 0, 10, 10);
    below->setSpacing(6);
    below->addWidget(m_note);
    below->addLayout(buttons);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(fields);
    column->addLayout(below);

    connect(m_record, &QPushButton::clicked, this, &OutcomeForm::record);
    connect(m_remove, &QPushButton::clicked, this, [this] { change({}); });
    connect(m_applies, &QPushButton::clicked, this, [this] {
        const auto current = m_document.current();
        if (!current || !current->get().outcome)
            return;
        TrainingOutcome outcome = *current->get().outcome;
        outcome.basis.clear(); // the edit records it for the offer as it stands
        change(outcome);
    });
    connect(&document, &PlanDocument::changed, this, &OutcomeForm::follow);
    connect(&document, &PlanDocument::currentOfferChanged, this, &OutcomeForm::follow);
    connect(&document, &PlanDocument::resetDone, this, &OutcomeForm::forget);
    forget();
}

void OutcomeForm::focusResult() { m_result->setFocus(Qt::OtherFocusReason); }

void OutcomeForm::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    refreshButtons();
}

TrainingOutcome OutcomeForm::start() const
{
    const auto current = m_document.current();
    if (!current)
        return {};
    if (current->get().outcome)
        return *current->get().outcome;
    // What the plan says of software and interconnect is attached unless a person says otherwise.
    TrainingOutcome known;
    const Recipe& recipe = current->workload().recipe;
    known.software = recipe.framework;
    if (!recipe.frameworkVersion.empty())
        known.software += (known.software.empty() ? "" : " ") + recipe.frameworkVersion;
    known.interconnect = current->get().interconnect;
    return known;
}

/// Another document: nothing that was typed belongs to it.
void OutcomeForm::forget()
{
    m_drafts.clear();
    const auto current = m_document.current();
    m_offer = current ? current->get().name : std::string();
    m_start = start();
    fill(m_start);
}

void OutcomeForm::keepDraft()
{
    const TrainingOutcome now = typed();
    if (now == m_start)
        m_drafts.erase(m_offer);
    else
        m_drafts[m_offer] = now;
}

void OutcomeForm::follow()
{
    const auto current = m_document.current();
    const std::string name = current ? current->get().name : std::string();
    const TrainingOutcome before = m_start;
    if (name != m_offer) {
        keepDraft();
        m_offer = name;
        m_start = start();
        const auto draft = m_drafts.find(name);
        fill(draft == m_drafts.end() ? m_start : draft->second);
        return;
    }
    const bool typing = !(typed() == before);
    m_start = start();
    // What is being typed stays, unless the record itself changed.
    if (!typing || (current && current->get().outcome && !(m_start == before)))
        fill(m_start);
    refreshButtons();
}

void OutcomeForm::fill(const TrainingOutcome& outcome)
{
    m_filling = true;
    m_result->setCurrentIndex(static_cast<int>(outcome.result));
    for (int i = 0; i < kTexts; ++i)
        m_texts[i]->setText(QString::fromStdString(outcome.*kMembers[i]));
    m_criterionRow->setProblem({});
    m_filling = false;
    refreshButtons();
}

TrainingOutcome OutcomeForm::typed() const
{
    TrainingOutcome outcome = m_start;
    outcome.result = static_cast<TrainingResult>(m_result->currentIndex());
    for (int i = 0; i < kTexts; ++i)
        outcome.*kMembers[i] = m_texts[i]->text().trimmed().toStdString();
    return outcome;
}

void OutcomeForm::edited()
{
    if (m_filling)
        return;
    const TrainingOutcome outcome = typed();
    if (!evaluated(outcome) || !outcome.criterion.empty())
        m_criterionRow->setProblem({});
    refreshButtons();
}

void OutcomeForm::refreshButtons()
{
    const auto current = m_document.current();
    const bool recorded = current && current->get().outcome;
    const bool stale = recorded
        && current->get().outcome->basis != offerFingerprint(*current->plan, current->offer);
    const bool changed = !(typed() == m_start);
    setEnabled(current.has_value());
    m_record->setEnabled(changed || (!recorded && evaluated(m_start)));
    m_record->setText(recorded ? tr("Save result") : tr("Record"));
    m_remove->setEnabled(recorded);
    m_applies->setVisible(stale);
    m_note->setNote(stale
            ? tr("Recorded for another state of this offer: it does not count. Confirm that it "
                 "still applies, or record the result of the offer as it stands.")
            : changed && recorded ? tr("Changed, and not saved yet.")
            : changed             ? tr("Not recorded yet.")
                                  : QString(),
        stale ? NoteLabel::Tone::Problem : NoteLabel::Tone::Plain);
}

void OutcomeForm::record()
{
    TrainingOutcome outcome = typed();
    const bool missing = evaluated(outcome) && outcome.criterion.empty();
    m_criterionRow->setProblem(missing
            ? tr("Name the quality and performance criterion that it was judged by.")
            : QString());
    if (missing) {
        m_texts[0]->setFocus(Qt::OtherFocusReason);
        return;
    }
    // A result that is given anew is about the offer as it stands.
    if (!(outcome == m_start))
        outcome.basis.clear();
    change(outcome);
}

void OutcomeForm::change(std::optional<TrainingOutcome> outcome)
{
    const auto current = m_document.current();
    if (!current)
        return;
    m_drafts.erase(m_offer);
    const auto error = perform(m_document, edit::SetOutcome { current->offer, std::move(outcome) });
    m_start = start();
    fill(m_start);
    if (error)
        m_note->setNote(QString::fromStdString(error->text()), NoteLabel::Tone::Problem);
}

} // namespace shardrack
