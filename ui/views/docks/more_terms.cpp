#include "docks/more_terms.h"

#include <QToolButton>

namespace shardrack {

namespace {

using Given = std::optional<Bytes> StipulatedTerms::*;
constexpr Given kGiven[] = { &StipulatedTerms::gathered, &StipulatedTerms::activations,
    &StipulatedTerms::temporary, &StipulatedTerms::slack, &StipulatedTerms::outside };

} // namespace

MoreTerms::MoreTerms(FormGrid& form, PlanEditing& editing, QObject* parent)
    : QObject(parent)
    , m_editing(editing)
{
    m_fold = new QToolButton;
    m_fold->setObjectName(QStringLiteral("moreTerms"));
    m_fold->setAutoRaise(true);
    m_fold->setFocusPolicy(Qt::StrongFocus);
    m_fold->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_fold->setToolTip(tr("Terms that are given for every rank instead of being derived"));
    m_foldRow = &form.addWide(m_fold);
    connect(m_fold, &QToolButton::clicked, this, [this] {
        m_chosen = true;
        m_open = !m_open;
        emit m_editing.refreshWanted();
    });

    const QString labels[]
        = { tr("Gathered"), tr("Activations"), tr("Temporary"), tr("Slack"), tr("Outside") };
    const QString names[] = { tr("Gathered parameters"), tr("Activations"), tr("Temporary buffers"),
        tr("Allocator slack"), tr("Outside the allocator") };
    const char* const ids[]
        = { "termGathered", "termActivations", "termTemporary", "termSlack", "termOutside" };
    for (std::size_t i = 0; i < kTerms; ++i) {
        m_terms[i] = addSize(form, editing, m_termRows[i], labels[i],
            [term = kGiven[i]](
                Workload& workload, std::optional<Bytes> value) { workload.terms.*term = value; });
        m_terms[i]->setObjectName(QLatin1String(ids[i]));
        m_terms[i]->setAccessibleName(names[i]);
        m_termRows[i]->label->setToolTip(names[i]);
    }
    m_weights = addSize(form, editing, m_weightsRow, tr("Weights only"),
        [](Workload& workload, std::optional<Bytes> value) { workload.weightsOnly = value; });
    m_weights->setObjectName(QStringLiteral("weightsOnly"));
    m_weightsRow->setPlainNote(tr("Does not answer fit: a checkpoint for inference."));
}

std::vector<FormGrid::Row*> MoreTerms::rows() const
{
    std::vector<FormGrid::Row*> all { m_foldRow };
    all.insert(all.end(), std::begin(m_termRows), std::end(m_termRows));
    all.push_back(m_weightsRow);
    return all;
}

void MoreTerms::refresh(const WorkloadView& view)
{
    int given = view.workload.weightsOnly ? 1 : 0;
    for (const Given term : kGiven)
        given += view.workload.terms.*term ? 1 : 0;
    if (!m_chosen)
        m_open = given > 0;
    m_fold->setArrowType(m_open ? Qt::DownArrow : Qt::RightArrow);
    m_fold->setAccessibleDescription(m_open ? tr("unfolded") : tr("folded"));
    m_fold->setText(given > 0 ? tr("More terms, %n given", nullptr, given) : tr("More terms"));

    for (std::size_t i = 0; i < kTerms; ++i) {
        const std::optional<Bytes>& value = view.workload.terms.*kGiven[i];
        m_terms[i]->setValue(value);
        m_termRows[i]->setVisible(m_open);
        m_termRows[i]->setGiven(value.has_value());
        m_termRows[i]->setEnabled(view.editable);
    }
    m_weights->setValue(view.workload.weightsOnly);
    m_weightsRow->setVisible(m_open);
    m_weightsRow->basis->setBasis(
        view.workload.weightsOnly ? std::optional(Icon::Stipulated) : std::nullopt);
    m_weightsRow->setEnabled(view.editable);
}

} // namespace shardrack
