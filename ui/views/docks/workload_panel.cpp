#include "docks/workload_panel.h"

#include "docks/asked_fields.h"
#include "docks/basis_box.h"
#include "docks/batch_fields.h"
#include "docks/framework_fields.h"
#include "docks/layout_fields.h"
#include "docks/model_fields.h"
#include "docks/more_terms.h"
#include "docks/scope_fields.h"
#include "docks/state_fields.h"
#include "editors/number_edit.h"
#include "paint/paint_style.h"

#include <QScrollArea>
#include <QVBoxLayout>

namespace shardrack {

WorkloadPanel::WorkloadPanel(PlanDocument& document, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_editing(new PlanEditing(document, this))
{
    setObjectName(QStringLiteral("workloadPanel"));
    auto* scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(scroll);

    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* fields = new QWidget(content);
    m_form = std::make_unique<FormGrid>(fields);
    m_scope = new ScopeFields(*m_form, *m_editing, this);
    m_basis = new BasisBox(*m_editing, fields);
    m_basisRow = &m_form->addWide(m_basis);
    m_state = new StateFields(*m_form, *m_editing, this);
    m_model = new ModelFields(*m_form, *m_editing, this);
    m_layout = new LayoutFields(*m_form, *m_editing, this);
    m_batch = new BatchFields(*m_form, *m_editing, this);
    m_framework = new FrameworkFields(*m_form, *m_editing, this);
    m_terms = new MoreTerms(*m_form, *m_editing, this);
    m_asked = new AskedFields(*m_form, *m_editing, this);
    m_hint = new NoteLabel(fields);
    m_hintRow = &m_form->addWide(m_hint);
    column->addWidget(fields);
    column->addStretch(1);
    arrange(false);
    scroll->setWidget(content);

    connect(
        m_model, &ModelFields::importModelRequested, this, &WorkloadPanel::importModelRequested);
    connect(m_editing, &PlanEditing::refreshWanted, this, &WorkloadPanel::refresh);
    connect(&document, &PlanDocument::changed, this, &WorkloadPanel::refreshIfSeen);
    connect(&document, &PlanDocument::currentOfferChanged, this, [this] {
        m_scope->follow(m_document.current());
        refreshIfSeen();
    });
    connect(&document, &PlanDocument::whatIfChanged, this, &WorkloadPanel::refreshIfSeen);
    connect(&document, &PlanDocument::resetDone, this, [this] {
        m_state->forget();
        m_model->forget();
        m_terms->forget();
        m_asked->forget();
        m_framework->forget();
        m_scope->follow(m_document.current());
        refreshIfSeen();
    });
    m_scope->follow(document.current());
    refresh();
}

WorkloadPanel::~WorkloadPanel()
{
    // A field that loses the focus because it dies has nothing more to tell.
    for (NumberEdit* field : findChildren<NumberEdit*>())
        field->blockSignals(true);
}

QSize WorkloadPanel::sizeHint() const { return { qRound(metrics::kLeftDock * uiScale()), 460 }; }

Workload WorkloadPanel::workload() const
{
    const std::optional<ShownOffer> now = m_document.current();
    return m_scope->alone() && now ? now->workload() : *m_document.plan()->workload;
}

QString WorkloadPanel::changeWorkload(const Workload& workload)
{
    m_editing->beginStep();
    return m_editing->changeWorkload([&](Workload& changed) { changed = workload; });
}

void WorkloadPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_stale)
        refresh();
}

void WorkloadPanel::refreshIfSeen()
{
    if (isVisible())
        refresh();
    else
        m_stale = true;
}

/// Where a total is given, how it is kept stands beside it; a derived state comes from the model.
void WorkloadPanel::arrange(bool stipulated)
{
    if (m_arranged == stipulated)
        return;
    m_arranged = stipulated;
    std::vector<FormGrid::Row*> order;
    const auto append = [&order](const std::vector<FormGrid::Row*>& rows) {
        order.insert(order.end(), rows.begin(), rows.end());
    };
    append(m_scope->rows());
    order.push_back(m_basisRow);
    append(m_state->rows());
    append(stipulated ? m_layout->rows() : m_model->rows());
    append(stipulated ? m_model->rows() : m_layout->rows());
    append(m_batch->rows());
    append(m_framework->rows());
    append(m_terms->rows());
    append(m_asked->rows());
    order.push_back(m_hintRow);
    m_form->arrange(order);
}

void WorkloadPanel::refresh()
{
    m_stale = false;
    const std::shared_ptr<const Plan> plan = m_document.plan();
    const std::optional<ShownOffer> now = m_document.current();
    const auto view = [&] {
        return WorkloadView { m_scope->alone() && now ? now->workload() : *plan->workload, true,
            now, m_document.whatIf() };
    };
    m_scope->refresh(view());
    showWorkload(view());
}

void WorkloadPanel::showWorkload(const WorkloadView& view)
{

    m_editing->setFilling(true);
    m_basis->refresh();
    arrange(view.stipulated());
    m_state->refresh(view);
    m_model->refresh(view);
    m_layout->refresh(view);
    m_batch->refresh(view);
    m_framework->refresh(view);
    m_terms->refresh(view);
    m_asked->refresh(view);
    const QString hint = tr("Terms that are not given stay open. They are drawn as “?”, never as "
                            "zero.");
    m_hint->setNote(m_batch->arithmetic().isEmpty() ? hint : m_batch->arithmetic() + u'\n' + hint);
    m_editing->setFilling(false);
}

} // namespace shardrack
