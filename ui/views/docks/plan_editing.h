#pragma once

#include "document/plan_document.h"

#include <QObject>

#include <functional>

namespace shardrack {

/// What the fields of a panel do to the plan: each change is one edit, and the changes made during
/// one visit to a field merge into one undo step.
class PlanEditing : public QObject {
    Q_OBJECT
public:
    explicit PlanEditing(PlanDocument& document, QObject* parent = nullptr);

    PlanDocument& document() { return m_document; }

    /// Whether changes of the workload are for the offer in front alone; else for all offers.
    void setForOfferAlone(bool alone) { m_alone = alone; }

    /// Changes the common workload, or the offer's own. Returns why that was refused; empty when it
    /// was not.
    QString changeWorkload(const std::function<void(Workload&)>& change);
    /// Changes the layout of the current offer.
    QString changeLayout(const std::function<void(Layout&)>& change);

    /// Makes any other edit a part of the current undo step; words as above.
    QString make(const Edit& edit);

    /// Visiting this field begins a new undo step.
    void watch(QWidget* field);
    /// The next change is an undo step of its own.
    void beginStep();

    /// While the fields are being filled from the plan nothing that they do is a change.
    void setFilling(bool filling) { m_filling = filling; }

signals:
    /// The fields are to be filled anew, though the plan may be as it was.
    void refreshWanted();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    PlanDocument& m_document;
    int m_gesture = 0;
    bool m_filling = false;
    bool m_alone = false;
};

} // namespace shardrack
