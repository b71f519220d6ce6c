#include "docks/plan_editing.h"

#include "commands/edit_command.h"

#include <QEvent>
#include <QWidget>

#include <algorithm>

namespace shardrack {

PlanEditing::PlanEditing(PlanDocument& document, QObject* parent)
    : QObject(parent)
    , m_document(document)
    , m_gesture(newGesture())
{
}

QString PlanEditing::changeWorkload(const std::function<void(Workload&)>& change)
{
    const auto plan = m_document.plan();
    const auto offer = static_cast<std::size_t>(std::max(0, m_document.currentOffer()));
    const bool alone = m_alone && offer < plan->offers.size();
    Workload workload = alone ? plan->workloadOf(offer) : *plan->workload;
    if (const auto changed = attempt([&] { return change(workload), true; }); !changed)
        return QString::fromStdString(changed.error().text());
    if (alone)
        return make(edit::SetOfferWorkload { offer, std::move(workload) });
    return make(edit::SetWorkload { std::move(workload) });
}

QString PlanEditing::changeLayout(const std::function<void(Layout&)>& change)
{
    const int offer = m_document.currentOffer();
    if (offer < 0)
        return {};
    const auto number = static_cast<std::size_t>(offer);
    Layout layout = m_document.plan()->offers[number]->layout;
    change(layout);
    return make(edit::SetLayout { number, std::move(layout) });
}

QString PlanEditing::make(const Edit& edit)
{
    if (m_filling)
        return {};
    const auto error = perform(m_document, edit, m_gesture);
    return error ? QString::fromStdString(error->text()) : QString();
}

void PlanEditing::watch(QWidget* field) { field->installEventFilter(this); }

void PlanEditing::beginStep() { m_gesture = newGesture(); }

bool PlanEditing::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::FocusIn)
        beginStep();
    return QObject::eventFilter(watched, event);
}

} // namespace shardrack
