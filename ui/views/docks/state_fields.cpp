#include "docks/state_fields.h"

#include "base/size_text.h"
#include "editors/segment_button.h"

#include <QCheckBox>
#include <QHBoxLayout>

namespace shardrack {

namespace {

using Part = std::optional<Bytes> StipulatedState::*;
constexpr Part kParts[]
    = { &StipulatedState::parameters, &StipulatedState::gradients, &StipulatedState::optimizer };

bool anyPart(const StipulatedState& state)
{
    return state.parameters || state.gradients || state.optimizer;
}

} // namespace

StateFields::StateFields(FormGrid& form, PlanEditing& editing, QObject* parent)
    : QObject(parent)
    , m_editing(editing)
{
    auto* pair = new QWidget;
    pair->setObjectName(QStringLiteral("stateBasis"));
    m_stipulated = new SegmentButton(tr("Stipulated"), pair);
    m_derived = new SegmentButton(tr("Derived"), pair);
    m_stipulated->setToolTip(tr("The size of the state is given by a person"));
    m_derived->setToolTip(tr("The size of the state follows from model and optimizer"));
    auto* line = new QHBoxLayout(pair);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(0);
    for (SegmentButton* button : { m_stipulated, m_derived }) {
        line->addWidget(button);
        const auto basis = button == m_derived ? Workload::StateBasis::Derived
                                               : Workload::StateBasis::Stipulated;
        connect(button, &QPushButton::clicked, this, [this, basis] { setBasis(basis); });
        editing.watch(button);
    }
    m_basisRow = &form.add(tr("State is"), pair);
    pair->setFocusProxy(m_stipulated);

    m_total = addSize(form, editing, m_totalRow, tr("Persistent"),
        [](Workload& workload, std::optional<Bytes> value) { workload.stipulated.total = value; });
    m_total->setObjectName(QStringLiteral("persistent"));
    m_apart = new QCheckBox(tr("Parts apart"));
    m_apart->setObjectName(QStringLiteral("partsApart"));
    m_apart->setToolTip(tr("Give parameters, gradients and optimizer state apart"));
    m_apartRow = &form.add({}, m_apart);
    m_apart->setAccessibleName(m_apart->text());
    editing.watch(m_apart);
    connect(m_apart, &QCheckBox::clicked, this, &StateFields::setApart);
    const QString labels[] = { tr("Parameters"), tr("Gradients"), tr("Optimizer") };
    const char* const names[] = { "stateParameters", "stateGradients", "stateOptimizer" };
    for (std::size_t i = 0; i < std::size(kParts); ++i) {
        m_parts[i] = addSize(form, editing, m_partRows[i], labels[i],
            [part = kParts[i]](Workload& workload, std::optional<Bytes> value) {
                workload.stipulated.total.reset();
                workload.stipulated.*part = value;
            });
        m_parts[i]->setObjectName(QLatin1String(names[i]));
    }
}

std::vector<FormGrid::Row*> StateFields::rows() const
{
    return { m_basisRow, m_totalRow, m_apartRow, m_partRows[0], m_partRows[1], m_partRows[2] };
}

void StateFields::setBasis(Workload::StateBasis basis)
{
    m_editing.beginStep();
    const QString refused
        = m_editing.changeWorkload([basis](Workload& workload) { workload.basis = basis; });
    m_basisRow->setProblem(refused);
    m_stipulated->setChecked(basis == Workload::StateBasis::Stipulated);
    m_derived->setChecked(basis == Workload::StateBasis::Derived);
}

void StateFields::setApart(bool apart)
{
    m_wantsParts = apart;
    m_editing.beginStep();
    const QString refused = m_editing.changeWorkload([&](Workload& workload) {
        StipulatedState& state = workload.stipulated;
        if (apart) {
            if (anyPart(state))
                state.total.reset();
        } else if (!state.total && anyPart(state)) {
            // Parts of which one is not given have no sum.
            if (state.parameters && state.gradients && state.optimizer)
                state.total = *state.parameters + *state.gradients + *state.optimizer;
            else
                state = {};
        }
    });
    m_apartRow->setProblem(refused);
    emit m_editing.refreshWanted();
}

void StateFields::refresh(const WorkloadView& view)
{
    const StipulatedState& state = view.workload.stipulated;
    m_stipulated->setChecked(view.stipulated());
    m_derived->setChecked(view.derived());
    m_basisRow->setEnabled(view.editable);
    if (view.workload.basis == Workload::StateBasis::NotGiven)
        m_basisRow->basis->setBasis(Icon::NotEstablished);
    else
        m_basisRow->basis->setBasis({});

    const bool apart = m_wantsParts || (!state.total && anyPart(state));
    m_apart->setChecked(apart);
    m_totalRow->setVisible(!view.derived() && !apart);
    m_apartRow->setVisible(!view.derived());
    m_apartRow->setEnabled(view.editable && view.stipulated());
    m_total->setValue(state.total);
    m_totalRow->setGiven(state.total.has_value());
    m_totalRow->setEnabled(view.editable && view.stipulated());
    for (std::size_t i = 0; i < std::size(kParts); ++i) {
        const std::optional<Bytes>& part = state.*kParts[i];
        m_parts[i]->setValue(part);
        m_partRows[i]->setVisible(!view.derived() && apart);
        m_partRows[i]->setGiven(part.has_value());
        m_partRows[i]->setEnabled(view.editable && view.stipulated());
    }
    m_apartRow->setPlainNote(apart && state.total
            ? tr("The total of %1 counts until a part is given.")
                  .arg(QString::fromStdString(exactText(*state.total)))
            : QString());
}

} // namespace shardrack
