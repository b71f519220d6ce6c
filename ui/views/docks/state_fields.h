#pragma once

#include "docks/workload_fields.h"

class QCheckBox;

namespace shardrack {

class SegmentButton;

/// Whether the persistent state is stipulated or derived, and the stipulated sizes: one total, or
/// parameters, gradients and optimizer state apart.
class StateFields : public QObject {
    Q_OBJECT
public:
    StateFields(FormGrid& form, PlanEditing& editing, QObject* parent);
    void refresh(const WorkloadView& view);
    /// Another plan is shown: what a person chose to see is forgotten.
    void forget() { m_wantsParts = false; }
    std::vector<FormGrid::Row*> rows() const;

private:
    void setBasis(Workload::StateBasis basis);
    void setApart(bool apart);

    PlanEditing& m_editing;
    SegmentButton* m_stipulated;
    SegmentButton* m_derived;
    FormGrid::Row* m_basisRow = nullptr;
    FormGrid::Row* m_totalRow = nullptr;
    FormGrid::Row* m_apartRow = nullptr;
    FormGrid::Row* m_partRows[3] = {};
    SizeEdit* m_total = nullptr;
    SizeEdit* m_parts[3] = {};
    QCheckBox* m_apart = nullptr;
    bool m_wantsParts = false; ///< the parts are shown although the total still counts
};

} // namespace shardrack
