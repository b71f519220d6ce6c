#pragma once

#include "docks/workload_fields.h"

class QCheckBox;

namespace shardrack {

/// How the current offer keeps the state: the layout's preset, its shard groups, whether ranks
/// follow the hardware, and the rules that it breaks.
class LayoutFields : public QObject {
    Q_OBJECT
public:
    LayoutFields(FormGrid& form, PlanEditing& editing, QObject* parent);
    void refresh(const WorkloadView& view);
    std::vector<FormGrid::Row*> rows() const;

private:
    void choose(int index);
    void showPreset(const WorkloadView& view);
    void showShards(const WorkloadView& view);
    void showDegrees(const WorkloadView& view);

    PlanEditing& m_editing;
    ChoiceBox* m_preset = nullptr;
    IntegerEdit* m_shards = nullptr;
    QCheckBox* m_follow = nullptr;
    IntegerEdit* m_degrees[3] = {}; ///< tensor, context, pipeline
    FormGrid::Row* m_degreeRows[3] = {};
    FormGrid::Row* m_presetRow = nullptr;
    FormGrid::Row* m_shardsRow = nullptr;
    FormGrid::Row* m_followRow = nullptr;
    bool m_keepsDegrees = false; ///< of one layout for the next: a framework has them with each
};

} // namespace shardrack
