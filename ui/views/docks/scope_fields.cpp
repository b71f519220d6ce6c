#include "docks/scope_fields.h"

#include "editors/segment_button.h"

#include <QHBoxLayout>

namespace shardrack {

ScopeFields::ScopeFields(FormGrid& form, PlanEditing& editing, QObject* parent)
    : QObject(parent)
    , m_editing(editing)
{
    auto* pair = new QWidget;
    pair->setObjectName(QStringLiteral("workloadScope"));
    m_all = new SegmentButton(tr("All offers"), pair);
    m_all->setObjectName(QStringLiteral("askAllOffers"));
    m_all->setToolTip(tr("The common workload: the one question that all offers answer"));
    m_this = new SegmentButton(tr("This offer"), pair);
    m_this->setObjectName(QStringLiteral("askThisOffer"));
    m_this->setToolTip(
        tr("A workload of this offer alone: it is then on a changed basis and not ranked"));
    auto* line = new QHBoxLayout(pair);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(0);
    line->addWidget(m_all);
    line->addWidget(m_this);
    connect(m_all, &QPushButton::clicked, this, [this] { choose(false); });
    connect(m_this, &QPushButton::clicked, this, [this] { choose(true); });
    m_row = &form.add(tr("Asked of"), pair);
    pair->setFocusProxy(m_all);
}

void ScopeFields::choose(bool alone)
{
    m_alone = alone;
    m_editing.beginStep();
    m_editing.setForOfferAlone(alone);
    emit m_editing.refreshWanted();
}

void ScopeFields::follow(const std::optional<ShownOffer>& now)
{
    m_hadOwn = now && now->get().workload;
    m_alone = m_hadOwn;
    m_editing.setForOfferAlone(m_alone);
}

void ScopeFields::refresh(const WorkloadView& view)
{
    const bool own = view.now && view.now->get().workload;
    // An own workload that came by an edit elsewhere is shown. One that went (undo, back to common)
    // leaves the choice as it is: what is typed next must not reach all offers unasked.
    if (own && !m_hadOwn)
        m_alone = true;
    m_hadOwn = own;
    m_editing.setForOfferAlone(m_alone);
    m_all->setChecked(!m_alone);
    m_this->setChecked(m_alone);
    m_this->setEnabled(view.now.has_value());
    if (!view.now)
        m_row->setPlainNote({});
    else if (m_alone && !own)
        m_row->setPlainNote(tr("What is changed now is changed for %1 alone.")
                                .arg(QString::fromStdString(view.now->get().name)));
    else if (!m_alone && own)
        m_row->setPlainNote(tr("%1 has a workload of its own, which this does not change.")
                                .arg(QString::fromStdString(view.now->get().name)));
    else if (m_alone)
        m_row->setPlainNote(tr("%1 answers a question of its own, and is not ranked.")
                                .arg(QString::fromStdString(view.now->get().name)));
    else // a line in every state, so that nothing moves under the pointer
        m_row->setPlainNote(tr("What is changed here is asked of every offer."));
}

} // namespace shardrack
