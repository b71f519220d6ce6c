#pragma once

#include "document/plan_document.h"

#include <QWidget>

#include <memory>
#include <optional>

namespace shardrack {

class BatchFields;
class FormGrid;
class LayoutFields;
class ModelFields;
class MoreTerms;
class NoteLabel;
class PlanEditing;
class StateFields;

/// The form of the common workload and of the current offer's layout. Each change is one undoable
/// edit; the fields follow the plan, and what is derived follows what-ifs too.
class WorkloadPanel : public QWidget {
    Q_OBJECT
public:
    explicit WorkloadPanel(PlanDocument& document, QWidget* parent = nullptr);
    ~WorkloadPanel() override;

    QSize sizeHint() const override;

signals:
    /// A person wants to read a model from a file.
    void importModelRequested();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void refreshIfSeen();
    void refresh();
    void arrange(bool stipulated);

    PlanDocument& m_document;
    PlanEditing* m_editing;
    std::unique_ptr<FormGrid> m_form;
    NoteLabel* m_ownWorkload = nullptr;
    NoteLabel* m_hint = nullptr;
    StateFields* m_state = nullptr;
    ModelFields* m_model = nullptr;
    LayoutFields* m_layout = nullptr;
    BatchFields* m_batch = nullptr;
    MoreTerms* m_terms = nullptr;
    std::optional<bool> m_arranged; ///< for a stipulated state
    bool m_stale = true;
};

} // namespace shardrack
