#pragma once

#include "docks/workload_fields.h"

namespace shardrack {

/// Batch, sequence and recomputation. Of global batch, micro-batch and accumulation one may follow
/// from the other two and the data-parallel ranks of the offer.
class BatchFields : public QObject {
    Q_OBJECT
public:
    BatchFields(FormGrid& form, PlanEditing& editing, QObject* parent);
    void refresh(const WorkloadView& view);
    std::vector<FormGrid::Row*> rows() const;
    /// "48 = 3 × 1 × 16": the arithmetic where it closes; else empty.
    QString arithmetic() const { return m_arithmetic; }

private:
    void chooseRecompute(int index);
    void showRecompute(const WorkloadView& view);

    PlanEditing& m_editing;
    IntegerEdit* m_global = nullptr;
    IntegerEdit* m_micro = nullptr;
    IntegerEdit* m_accumulation = nullptr;
    IntegerEdit* m_sequence = nullptr;
    ChoiceBox* m_recompute = nullptr;
    FormGrid::Row* m_globalRow = nullptr;
    FormGrid::Row* m_microRow = nullptr;
    FormGrid::Row* m_accumulationRow = nullptr;
    FormGrid::Row* m_sequenceRow = nullptr;
    FormGrid::Row* m_recomputeRow = nullptr;
    QString m_arithmetic;
};

} // namespace shardrack
