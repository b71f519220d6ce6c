#include "docks/measurement_form.h"

#include "commands/edit_command.h"
#include "docks/evidence_summary.h"
#include "docks/workload_fields.h"
#include "editors/integer_edit.h"
#include "editors/size_edit.h"
#include "models/evidence_text.h"
#include "models/findings_text.h"
#include "models/number_text.h"
#include "plan/basis.h"
#include "plan/plan_json_gpus.h"
#include "style/view_style.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace shardrack {

namespace {

constexpr std::int64_t kMostSteps = std::int64_t(1) << 40;
constexpr MemoryScope kScopes[]
    = { MemoryScope::Device, MemoryScope::Reserved, MemoryScope::Allocated };

QString scopeTitle(MemoryScope scope)
{
    switch (scope) {
    case MemoryScope::Device:
        return MeasurementForm::tr("Device memory in use");
    case MemoryScope::Reserved:
        return MeasurementForm::tr("Reserved by the allocator");
    case MemoryScope::Allocated:
        break;
    }
    return MeasurementForm::tr("Allocated (tensors)");
}

QString scopeMeaning(MemoryScope scope)
{
    switch (scope) {
    case MemoryScope::Device:
        return MeasurementForm::tr(
            "All that is in use on the device, as nvidia-smi shows it: libraries and other "
            "processes are in it.");
    case MemoryScope::Reserved:
        return MeasurementForm::tr("What the framework's allocators took from the device, of all "
                                   "ranks on it; libraries and other processes are not in it.");
    case MemoryScope::Allocated:
        break;
    }
    return MeasurementForm::tr(
        "Tensors only: neither what the allocator keeps unused nor what lies "
        "outside it is in it.");
}

QLineEdit* textField(const char* name)
{
    auto* edit = new QLineEdit;
    edit->setObjectName(QLatin1StringView(name));
    edit->setPlaceholderText(BasisMark::tr("not given"));
    return edit;
}

} // namespace

MeasurementForm::MeasurementForm(PlanDocument& document, Selection& selection, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_selection(selection)
{
    setObjectName(QStringLiteral("measurementForm"));
    setAccessibleName(tr("One measurement"));
    m_title = new QLabel(this);
    m_title->setFont(styleOf(this).font(type::kBase, type::kSemibold));
    m_title->setContentsMargins(10, 8, 10, 0);
    auto* fields = new QWidget(this);
    m_grid = std::make_unique<FormGrid>(fields);
    buildFields();
    m_grid->arrange(m_grid->rows());

    m_preview = new EvidenceSummary(this);
    m_preview->setObjectName(QStringLiteral("measurementPreview"));
    m_refusal = new NoteLabel(this);
    m_refusal->setContentsMargins(10, 0, 10, 0);
    m_accept = new QPushButton(this);
    m_accept->setObjectName(QStringLiteral("measurementAccept"));
    auto* cancel = new QPushButton(tr("Cancel"), this);
    cancel->setObjectName(QStringLiteral("measurementCancel"));
    auto* buttons = new QHBoxLayout;
    buttons->setContentsMargins(10, 2, 10, 10);
    buttons->addWidget(m_accept);
    buttons->addWidget(cancel);
    buttons->addStretch(1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(m_title);
    column->addWidget(fields);
    column->addWidget(m_preview);
    column->addWidget(m_refusal);
    column->addLayout(buttons);

    connect(m_accept, &QPushButton::clicked, this, &MeasurementForm::accept);
    connect(cancel, &QPushButton::clicked, this, &MeasurementForm::close);
    connect(&document, &PlanDocument::changed, this, &MeasurementForm::follow);
    connect(&document, &PlanDocument::currentOfferChanged, this, &MeasurementForm::follow);
    connect(&document, &PlanDocument::resetDone, this, &MeasurementForm::close);
    const auto followSelection
        = [this] { m_fromSelection->setEnabled(!m_selection.gpus().empty()); };
    connect(&selection, &Selection::changed, this, followSelection);
    followSelection();
    hide();
}

MeasurementForm::~MeasurementForm()
{
    // A field that loses the focus because it dies has nothing more to tell.
    for (NumberEdit* field : findChildren<NumberEdit*>())
        field->blockSignals(true);
}

void MeasurementForm::buildFields()
{
    m_devicesRow = &m_grid->add(tr("Devices"), buildDevices());
    m_peak = new SizeEdit;
    m_peak->setObjectName(QStringLiteral("measurementPeak"));
    m_peak->setPlaceholder(BasisMark::tr("not given"));
    m_peakRow = &m_grid->add(tr("Peak"), m_peak);
    m_average = new QCheckBox(tr("An average over these devices"));
    m_average->setObjectName(QStringLiteral("measurementAverage"));
    m_grid->add({}, m_average);
    m_average->setAccessibleName(m_average->text());
    m_outOfMemory = new QCheckBox(tr("The run ran out of memory"));
    m_outOfMemory->setObjectName(QStringLiteral("measurementOutOfMemory"));
    m_grid->add({}, m_outOfMemory);
    m_outOfMemory->setAccessibleName(m_outOfMemory->text());
    for (FormGrid::Row* tall :
        { &m_grid->add(tr("Memory"), buildScopes()), &m_grid->add(tr("Covers"), buildPhases()) }) {
        tall->label->setAlignment(Qt::AlignRight | Qt::AlignTop);
        tall->label->setContentsMargins(0, 4, 0, 0);
    }
    m_steps = new IntegerEdit;
    m_steps->setObjectName(QStringLiteral("measurementSteps"));
    m_steps->setRange(0, kMostSteps);
    m_steps->setPlaceholder(QStringLiteral("0"));
    m_stepsRow = &m_grid->add(tr("Complete steps"), m_steps);
    m_stepsRow->setPlainNote(
        tr("Forward, backward and optimizer, all covered. The first step lacks state that the "
           "second holds."));
    m_software = textField("measurementSoftware");
    m_conditions = textField("measurementConditions");
    m_source = textField("measurementSource");
    m_grid->add(tr("Software"), m_software);
    m_grid->add(tr("Conditions"), m_conditions);
    m_grid->add(tr("Source"), m_source);

    tellProblems(m_peak, *m_peakRow);
    tellProblems(m_steps, *m_stepsRow);
    for (QLineEdit* edit : std::initializer_list<QLineEdit*> {
             m_devices, m_peak, m_steps, m_software, m_conditions, m_source }) {
        connect(edit, &QLineEdit::textChanged, this, &MeasurementForm::edited);
        connect(edit, &QLineEdit::returnPressed, this, &MeasurementForm::accept);
    }
    for (QCheckBox* box : { m_average, m_outOfMemory })
        connect(box, &QCheckBox::toggled, this, &MeasurementForm::edited);
}

QWidget* MeasurementForm::buildDevices()
{
    auto* group = new QWidget;
    m_devices = new QLineEdit(group);
    m_devices->setObjectName(QStringLiteral("measurementDevices"));
    m_devices->setAccessibleName(tr("Measured devices"));
    m_devices->setPlaceholderText(tr("all, or A1·0-3"));
    const auto button = [group](const char* name, const QString& text, const QString& tip) {
        auto* made = new QToolButton(group);
        made->setObjectName(QLatin1StringView(name));
        made->setText(text);
        made->setToolTip(tip);
        made->setAccessibleName(tip);
        made->setFocusPolicy(Qt::StrongFocus);
        return made;
    };
    m_all = button("measurementAll", tr("All"), tr("Every device with a rank"));
    m_fromSelection
        = button("measurementSelection", tr("Selected"), tr("The devices that are selected"));
    auto* line = new QHBoxLayout(group);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(4);
    line->addWidget(m_devices, 1);
    line->addWidget(m_all);
    line->addWidget(m_fromSelection);
    group->setFocusProxy(m_devices);
    connect(m_all, &QToolButton::clicked, this, [this] { m_devices->setText(tr("all")); });
    connect(m_fromSelection, &QToolButton::clicked, this, &MeasurementForm::useSelection);
    return group;
}

QWidget* MeasurementForm::buildScopes()
{
    auto* group = new QWidget;
    auto* column = new QVBoxLayout(group);
    column->setContentsMargins(0, 2, 0, 0);
    column->setSpacing(1);
    for (const MemoryScope scope : kScopes) {
        auto*& radio = m_scopes[static_cast<std::size_t>(scope)];
        radio = new QRadioButton(scopeTitle(scope), group);
        radio->setObjectName(QStringLiteral("measurementScope-") + QLatin1StringView(id(scope)));
        radio->setAccessibleDescription(scopeMeaning(scope));
        auto* note = new NoteLabel(group);
        note->setNote(scopeMeaning(scope));
        note->setContentsMargins(metrics::kIcon + 6, 0, 0, 3);
        column->addWidget(radio);
        column->addWidget(note);
        connect(radio, &QRadioButton::toggled, this, &MeasurementForm::edited);
    }
    group->setFocusProxy(m_scopes[static_cast<std::size_t>(MemoryScope::Device)]);
    return group;
}

QWidget* MeasurementForm::buildPhases()
{
    auto* group = new QWidget;
    auto* grid = new QGridLayout(group);
    grid->setContentsMargins(0, 2, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(2);
    for (int i = 0; i < kRunPhaseCount; ++i) {
        const auto phase = static_cast<RunPhase>(i);
        m_phases[i] = new QCheckBox(phaseTitle(phase), group);
        m_phases[i]->setObjectName(
            QStringLiteral("measurementPhase-") + QLatin1StringView(id(phase)));
        grid->addWidget(m_phases[i], i / 2, i % 2);
        connect(m_phases[i], &QCheckBox::toggled, this, &MeasurementForm::edited);
    }
    group->setFocusProxy(m_phases[0]);
    return group;
}

void MeasurementForm::openNew() { open({}, {}); }

void MeasurementForm::openFor(std::size_t index)
{
    const auto current = m_document.current();
    if (current && index < current->get().measurements.size())
        open(index, current->get().measurements[index]);
}

void MeasurementForm::open(std::optional<std::size_t> index, const Measurement& measurement)
{
    const auto current = m_document.current();
    if (!current)
        return;
    m_offer = current->get().name;
    m_index = index;
    m_original = measurement;
    m_open = true;
    fill(measurement);
    follow();
    emit openChanged();
    m_devices->setFocus(Qt::OtherFocusReason);
    m_devices->selectAll();
}

void MeasurementForm::close()
{
    m_open = false;
    m_index.reset();
    hide();
    emit openChanged();
}

void MeasurementForm::fill(const Measurement& measurement)
{
    m_filling = true;
    m_devices->setText(
        measurement.devices == "all" ? tr("all") : QString::fromStdString(measurement.devices));
    m_peak->setModified(false);
    m_peak->setValue(measurement.peak);
    m_outOfMemory->setChecked(measurement.outOfMemory);
    m_average->setChecked(measurement.average);
    m_scopes[static_cast<std::size_t>(measurement.scope)]->setChecked(true);
    for (int i = 0; i < kRunPhaseCount; ++i)
        m_phases[i]->setChecked(measurement.phases.has(static_cast<RunPhase>(i)));
    m_steps->setModified(false);
    m_steps->setValue(measurement.completeSteps > 0
            ? std::optional<std::int64_t>(measurement.completeSteps)
            : std::nullopt);
    m_software->setText(QString::fromStdString(measurement.software));
    m_conditions->setText(QString::fromStdString(measurement.conditions));
    m_source->setText(QString::fromStdString(measurement.source));
    m_devicesRow->setProblem({});
    m_peakRow->setProblem({});
    m_stepsRow->setProblem({});
    m_refusal->setNote({});
    m_filling = false;
}

/// The plan or the offer in front changed.
void MeasurementForm::follow()
{
    const auto current = m_document.current();
    const bool here = m_open && current && current->get().name == m_offer;
    setVisible(here);
    if (!here)
        return;
    const auto& all = current->get().measurements;
    if (m_index && (*m_index >= all.size() || !(all[*m_index] == m_original))) {
        // It moved, changed elsewhere or went away: what was typed is not lost.
        const auto found = std::find(all.begin(), all.end(), m_original);
        if (found != all.end())
            m_index = static_cast<std::size_t>(found - all.begin());
        else if (*m_index < all.size() && all[*m_index].devices == m_original.devices)
            m_original = all[*m_index];
        else
            m_index.reset();
    }
    m_title->setText(m_index ? tr("Change a measurement") : tr("A new measurement"));
    m_accept->setText(m_index ? tr("Save measurement") : tr("Add measurement"));
    preview();
}

void MeasurementForm::edited()
{
    if (m_filling)
        return;
    if (devicesProblem().isEmpty())
        m_devicesRow->setProblem({});
    if (peakProblem().isEmpty())
        m_peakRow->setProblem({});
    m_refusal->setNote({});
    preview();
}

void MeasurementForm::useSelection()
{
    const auto current = m_document.current();
    if (!current)
        return;
    const SiteIndex& index = current->assessment->index;
    GpuNames::Ordinals gpus;
    for (const GpuRef gpu : m_selection.gpus())
        if (const std::int32_t ordinal = index.ordinal(gpu); ordinal >= 0)
            gpus.push_back(ordinal);
    std::sort(gpus.begin(), gpus.end());
    GpuNames names(current->get().site, index);
    QStringList items;
    for (const std::string& item : names.items(gpus))
        items += QString::fromStdString(item);
    m_devices->setText(items.join(QStringLiteral(", ")));
}

QString MeasurementForm::devicesProblem() const
{
    const QString text = m_devices->text().trimmed();
    if (text.isEmpty())
        return tr("Name the measured devices, or write “all”.");
    if (text == tr("all"))
        return {};
    const auto current = m_document.current();
    if (!current)
        return {};
    const auto gpus = measuredDevices(text.toStdString(), current->get().site,
        current->assessment->index, current->assessment->account);
    if (gpus.ok())
        return {};
    return tr("%1; expected %2.")
        .arg(QString::fromStdString(gpus.error().what),
            QString::fromStdString(gpus.error().expected));
}

QString MeasurementForm::peakProblem() const
{
    if (const QString problem = m_peak->problem(); !problem.isEmpty())
        return problem;
    const std::optional<Bytes> peak = m_peak->typedValue();
    if (!peak && !m_outOfMemory->isChecked())
        return tr("The peak is needed, unless the run ran out of memory.");
    if (peak == Bytes(0))
        return tr("A peak is more than 0: a run holds something.");
    return {};
}

std::optional<Measurement> MeasurementForm::typed(bool tell)
{
    const QString devices = devicesProblem();
    const QString peak = peakProblem();
    const QString steps = m_steps->problem();
    if (tell) {
        m_devicesRow->setProblem(devices);
        m_peakRow->setProblem(peak);
        m_stepsRow->setProblem(steps);
        QLineEdit* wrong = nullptr;
        if (!steps.isEmpty())
            wrong = m_steps;
        if (!peak.isEmpty())
            wrong = m_peak;
        if (!devices.isEmpty())
            wrong = m_devices;
        if (wrong)
            wrong->setFocus(Qt::OtherFocusReason);
    }
    if (!devices.isEmpty() || !peak.isEmpty() || !steps.isEmpty())
        return std::nullopt;
    Measurement measurement = m_index ? m_original : Measurement {};
    const auto text = [](const QLineEdit* edit) { return edit->text().trimmed().toStdString(); };
    measurement.devices = m_devices->text().trimmed() == tr("all") ? "all" : text(m_devices);
    measurement.peak = m_peak->typedValue();
    measurement.outOfMemory = m_outOfMemory->isChecked();
    measurement.average = m_average->isChecked();
    for (const MemoryScope scope : kScopes)
        if (m_scopes[static_cast<std::size_t>(scope)]->isChecked())
            measurement.scope = scope;
    for (int i = 0; i < kRunPhaseCount; ++i)
        measurement.phases.set(static_cast<RunPhase>(i), m_phases[i]->isChecked());
    measurement.completeSteps = m_steps->typedValue().value_or(0);
    measurement.software = text(m_software);
    measurement.conditions = text(m_conditions);
    measurement.source = text(m_source);
    return measurement;
}

std::vector<Measurement> MeasurementForm::withTyped(const Measurement& measurement) const
{
    std::vector<Measurement> all = m_document.current()->get().measurements;
    if (m_index)
        all[*m_index] = measurement;
    else
        all.push_back(measurement);
    return all;
}

void MeasurementForm::preview()
{
    const auto current = m_document.current();
    const auto measurement = typed(false);
    if (!current || !measurement) {
        m_preview->show({}, {}, tr("With this: not complete yet"), {});
        return;
    }
    const Demonstration shown = demonstrationWith(*current, withTyped(*measurement));
    const ReadingVerdict& own = shown.readings[m_index.value_or(shown.readings.size() - 1)];
    Findings findings;
    findings.demonstrated = shown.value;
    findings.demonstration = shown;
    QStringList lines { againstEstimateText(*measurement, own, current->assessment->account) };
    const QString why = QString::fromStdString(own.shortfall);
    if (!QString::fromStdString(shown.rule).contains(why))
        lines.prepend(why);
    m_preview->show(shown.value, tr("With this:"), demonstratedTitle(findings),
        QString::fromStdString(shown.rule), lines);
}

void MeasurementForm::accept()
{
    const auto current = m_document.current();
    const auto measurement = typed(true);
    if (!current || !measurement)
        return;
    const auto error
        = perform(m_document, edit::SetMeasurements { current->offer, withTyped(*measurement) });
    if (error)
        m_refusal->setNote(QString::fromStdString(error->text()), NoteLabel::Tone::Problem);
    else
        close();
}

void MeasurementForm::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        close();
    else
        QWidget::keyPressEvent(event);
}

} // namespace shardrack
