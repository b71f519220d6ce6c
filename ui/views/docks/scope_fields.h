#pragma once

#include "docks/workload_fields.h"

#include <QObject>

class QPushButton;

namespace shardrack {

/// Whom the workload in the panel is asked of: all offers (the common workload), or the offer in
/// front alone, which is then on a changed basis.
class ScopeFields : public QObject {
    Q_OBJECT
public:
    ScopeFields(FormGrid& form, PlanEditing& editing, QObject* parent = nullptr);

    std::vector<FormGrid::Row*> rows() const { return { m_row }; }
    /// The offer's own workload is shown and changed.
    bool alone() const { return m_alone; }
    /// Another offer came to the front, or the plan is another one: its own workload is shown where
    /// it has one.
    void follow(const std::optional<ShownOffer>& now);
    void refresh(const WorkloadView& view);

private:
    void choose(bool alone);

    PlanEditing& m_editing;
    QPushButton* m_all;
    QPushButton* m_this;
    FormGrid::Row* m_row = nullptr;
    bool m_alone = false;
    bool m_hadOwn = false;
};

} // namespace shardrack
