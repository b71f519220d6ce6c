#pragma once

#include "document/plan_document.h"
#include "document/selection.h"

#include <QWidget>

namespace shardrack {

class AccountModel;
class AccountView;

/// The account of the selected GPU: every term with its arithmetic and basis, their sum against
/// what is usable; beside a what-if also what it would be and the change.
class InspectorPanel : public QWidget {
    Q_OBJECT
public:
    InspectorPanel(PlanDocument& document, Selection& selection, QWidget* parent = nullptr);

    /// "rank 0 on A1·0": what is shown, for the title of the dock.
    QString subtitle() const;
    QSize sizeHint() const override;

signals:
    void subtitleChanged(const QString& subtitle);

private:
    AccountModel* m_model;
    AccountView* m_view;
};

} // namespace shardrack
