#include "docks/evidence_panel.h"

#include "commands/edit_command.h"
#include "docks/evidence_summary.h"
#include "docks/measurement_form.h"
#include "docks/measurement_list.h"
#include "docks/outcome_form.h"
#include "models/evidence_text.h"
#include "models/findings_text.h"
#include "models/measurement_model.h"
#include "style/view_style.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace shardrack {

namespace {

QPushButton* button(QWidget* parent, const char* name, const QString& text, const QString& tip)
{
    auto* made = new QPushButton(text, parent);
    made->setObjectName(QLatin1StringView(name));
    made->setToolTip(tip);
    made->setAccessibleName(tip);
    made->setAutoDefault(false);
    return made;
}

} // namespace

EvidencePanel::EvidencePanel(PlanDocument& document, Selection& selection, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_model(new MeasurementModel(document, this))
    , m_scroll(new QScrollArea(this))
{
    setObjectName(QStringLiteral("evidencePanel"));
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(true);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_scroll);

    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_summary = new EvidenceSummary(content);
    m_summary->setObjectName(QStringLiteral("evidenceSummary"));
    m_form = new MeasurementForm(document, selection, content);
    m_outcome = new OutcomeForm(document, content);
    column->addWidget(m_summary);
    column->addWidget(heading(tr("Measured peaks")));
    column->addWidget(buildMeasurements());
    column->addWidget(m_form);
    m_resultHeading = heading(tr("Training result"));
    column->addWidget(m_resultHeading);
    column->addWidget(m_outcome);
    column->addStretch(1);
    m_scroll->setWidget(content);
    setFocusProxy(m_add);

    connect(m_model, &MeasurementModel::updated, this, &EvidencePanel::refreshIfSeen);
    refresh();
}

QLabel* EvidencePanel::heading(const QString& text)
{
    auto* label = new QLabel(text, this);
    label->setFont(styleOf(this).font(type::kBase, type::kSemibold));
    label->setContentsMargins(10, 7, 10, 5);
    label->setBackgroundRole(QPalette::Window);
    label->setAutoFillBackground(true);
    return label;
}

QWidget* EvidencePanel::buildMeasurements()
{
    auto* group = new QWidget(this);
    m_list = new MeasurementList(group);
    m_list->setModel(m_model);
    m_none = new NoteLabel(group);
    m_none->setContentsMargins(10, 6, 10, 0);
    m_refusal = new NoteLabel(group);
    m_add = button(group, "measurementAdd", tr("Add…"), tr("Add a measurement"));
    m_change = button(group, "measurementChange", tr("Change…"), tr("Change the measurement"));
    m_remove = button(group, "measurementRemove", tr("Remove"), tr("Remove the measurement"));
    m_applies = button(group, "measurementStillApplies", tr("Still applies"),
        tr("Confirm that the measurement is about the offer as it stands now"));
    auto* buttons = new QHBoxLayout;
    buttons->setContentsMargins(10, 6, 10, 8);
    buttons->setSpacing(6);
    for (QPushButton* each : { m_add, m_change, m_remove })
        buttons->addWidget(each);
    buttons->addStretch(1);
    auto* confirm = new QHBoxLayout;
    confirm->setContentsMargins(10, 0, 10, 8);
    confirm->addWidget(m_applies);
    confirm->addStretch(1);
    auto* column = new QVBoxLayout(group);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_none);
    column->addWidget(m_list);
    column->addLayout(buttons);
    column->addLayout(confirm);
    column->addWidget(m_refusal);

    connect(m_add, &QPushButton::clicked, this, &EvidencePanel::addMeasurement);
    connect(
        m_change, &QPushButton::clicked, this, [this] { changeMeasurement(m_list->currentRow()); });
    connect(
        m_remove, &QPushButton::clicked, this, [this] { removeMeasurement(m_list->currentRow()); });
    connect(m_applies, &QPushButton::clicked, this, [this] { stillApplies(m_list->currentRow()); });
    connect(m_list, &MeasurementList::changeRequested, this, &EvidencePanel::changeMeasurement);
    connect(m_list, &MeasurementList::removeRequested, this, &EvidencePanel::removeMeasurement);
    connect(m_list, &MeasurementList::stillAppliesRequested, this, &EvidencePanel::stillApplies);
    connect(m_list, &MeasurementList::currentRowChanged, this, &EvidencePanel::refreshButtons);
    return group;
}

QSize EvidencePanel::sizeHint() const { return { qRound(metrics::kRightDock * uiScale()), 480 }; }

void EvidencePanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_stale)
        refresh();
}

void EvidencePanel::refreshIfSeen()
{
    const auto current = m_document.current();
    const QString subtitle = current ? QString::fromStdString(current->get().name) : QString();
    if (subtitle != m_subtitle) {
        m_subtitle = subtitle;
        emit subtitleChanged(m_subtitle);
    }
    if (isVisible())
        refresh();
    else
        m_stale = true;
}

void EvidencePanel::refresh()
{
    m_stale = false;
    const auto current = m_document.current();
    m_subtitle = current ? QString::fromStdString(current->get().name) : QString();
    m_refusal->setNote({});
    if (current) {
        const Findings& findings = current->assessment->findings;
        m_summary->show(findings.demonstrated, {}, demonstratedTitle(findings),
            demonstratedText(findings),
            { coverageText(findings.demonstration),
                highestText(findings.demonstration, *current) });
        m_none->setNote(current->get().measurements.empty()
                ? tr("No peak of a run is entered yet. An estimate stays an estimate until then.")
                : QString());
    } else {
        m_summary->show({}, {}, tr("No offer"), tr("Evidence belongs to an offer: add one first."));
        m_none->setNote({});
    }
    m_list->setVisible(m_model->rowCount() > 0);
    m_add->setEnabled(current.has_value());
    refreshButtons();
}

void EvidencePanel::refreshButtons()
{
    const int row = m_list->currentRow();
    const bool any = m_model->rowCount() > 0;
    m_change->setVisible(any);
    m_remove->setVisible(any);
    m_change->setEnabled(row >= 0);
    m_remove->setEnabled(row >= 0);
    bool stale = false;
    for (int i = 0; i < m_model->rowCount(); ++i)
        stale = stale || m_list->otherState(i);
    m_applies->setVisible(stale);
    m_applies->setEnabled(m_list->otherState(row));
}

/// Once it has its place: all of it, or what fits from its top.
void EvidencePanel::reveal(QWidget* part)
{
    QTimer::singleShot(0, this, [this, part] {
        const int room = m_scroll->viewport()->height();
        m_scroll->ensureVisible(0, part->y() + std::min(part->height(), room), 0, 0);
        m_scroll->ensureVisible(0, part->y(), 0, 0);
    });
}

void EvidencePanel::addMeasurement()
{
    if (!m_document.current())
        return;
    m_form->openNew();
    reveal(m_form);
}

void EvidencePanel::showResult()
{
    m_outcome->focusResult();
    reveal(m_outcome);
}

void EvidencePanel::showVerdict()
{
    m_scroll->ensureVisible(0, 0);
    if (m_model->rowCount() > 0)
        m_list->setFocus(Qt::OtherFocusReason);
    else
        m_add->setFocus(Qt::OtherFocusReason);
}

void EvidencePanel::changeMeasurement(int row)
{
    if (row < 0 || row >= m_model->rowCount())
        return;
    m_form->openFor(static_cast<std::size_t>(row));
    reveal(m_form);
}

template <class Change> void EvidencePanel::change(int row, Change change)
{
    const auto current = m_document.current();
    if (!current || row < 0 || row >= static_cast<int>(current->get().measurements.size()))
        return;
    std::vector<Measurement> all = current->get().measurements;
    change(all, static_cast<std::size_t>(row));
    const auto error
        = perform(m_document, edit::SetMeasurements { current->offer, std::move(all) });
    m_refusal->setNote(
        error ? QString::fromStdString(error->text()) : QString(), NoteLabel::Tone::Problem);
}

void EvidencePanel::removeMeasurement(int row)
{
    change(row, [](std::vector<Measurement>& all, std::size_t index) {
        all.erase(all.begin() + static_cast<std::ptrdiff_t>(index));
    });
}

void EvidencePanel::stillApplies(int row)
{
    if (!m_list->otherState(row))
        return;
    // The edit records evidence without a basis for the offer as it stands.
    change(row, [](std::vector<Measurement>& all, std::size_t index) { all[index].basis.clear(); });
}

} // namespace shardrack
