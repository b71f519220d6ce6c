#include "docks/plan_editing.h"

#include "commands/edit_command.h"

#include <QEvent>
#include <QWidget>

namespace shardrack {

PlanEditing::PlanEditing(PlanDocument& document, QObject* parent)
    : QObject(parent)
    , m_document(document)
    , m_gesture(newGesture())
{
}

QString PlanEditing::changeWorkload(const std::function<void(Workload&)>& change)
{
    Workload workload = *m_document.plan()->workload;
    if (const auto changed = attempt([&] { return change(workload), true; }); !changed)
        return QString::fromStdString(changed.error().text());
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
