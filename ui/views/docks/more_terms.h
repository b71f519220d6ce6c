#pragma once

#include "docks/workload_fields.h"

class QToolButton;

namespace shardrack {

/// Terms that a person gives instead of their derivation, and a weights-only size; folded away.
class MoreTerms : public QObject {
    Q_OBJECT
public:
    MoreTerms(FormGrid& form, PlanEditing& editing, QObject* parent);
    void refresh(const WorkloadView& view);
    /// Another plan is shown: unfolded when it gives any of the terms.
    void forget() { m_chosen = false; }
    std::vector<FormGrid::Row*> rows() const;

private:
    static constexpr int kTerms = 5;
    PlanEditing& m_editing;
    QToolButton* m_fold = nullptr;
    SizeEdit* m_terms[kTerms] = {};
    SizeEdit* m_weights = nullptr;
    FormGrid::Row* m_foldRow = nullptr;
    FormGrid::Row* m_termRows[kTerms] = {};
    FormGrid::Row* m_weightsRow = nullptr;
    bool m_open = false;
    bool m_chosen = false; ///< a person folded or unfolded
};

} // namespace shardrack
