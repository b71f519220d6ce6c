#pragma once

#include "docks/form_grid.h"
#include "document/plan_document.h"

#include <QWidget>

#include <memory>
#include <optional>

namespace shardrack {

class AskedFields;
class BasisBox;
class BatchFields;
class FrameworkFields;
class LayoutFields;
class ModelFields;
class MoreTerms;
class PlanEditing;
class ScopeFields;
class StateFields;
struct WorkloadView;

/// The form of the common workload, or of one offer's own, and of the current offer's layout. Each
/// change is one undoable edit; the fields follow the plan, and what is derived follows what-ifs
/// too.
class WorkloadPanel : public QWidget {
    Q_OBJECT
public:
    explicit WorkloadPanel(PlanDocument& document, QWidget* parent = nullptr);
    ~WorkloadPanel() override;

    QSize sizeHint() const override;

    /// The workload in the panel: the common one, or the offer's own.
    Workload workload() const;
    /// Changes it as the fields do; returns why that was refused, empty when it was not.
    QString changeWorkload(const Workload& workload);

signals:
    /// A person wants to read a model from a file.
    void importModelRequested();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void refreshIfSeen();
    void refresh();
    void showWorkload(const WorkloadView& view);
    void arrange(bool stipulated);

    PlanDocument& m_document;
    PlanEditing* m_editing;
    std::unique_ptr<FormGrid> m_form;
    ScopeFields* m_scope = nullptr;
    BasisBox* m_basis = nullptr;
    FormGrid::Row* m_basisRow = nullptr;
    FormGrid::Row* m_hintRow = nullptr;
    NoteLabel* m_hint = nullptr;
    StateFields* m_state = nullptr;
    ModelFields* m_model = nullptr;
    LayoutFields* m_layout = nullptr;
    BatchFields* m_batch = nullptr;
    MoreTerms* m_terms = nullptr;
    FrameworkFields* m_framework = nullptr;
    AskedFields* m_asked = nullptr;
    std::optional<bool> m_arranged; ///< for a stipulated state
    bool m_stale = true;
};

} // namespace shardrack
