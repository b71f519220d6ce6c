#pragma once

#include "document/plan_document.h"

#include <QWidget>

namespace shardrack {

class FindingsList;
class FindingsModel;

/// The three findings, then warnings and notes of the offer that is shown; each may have one link.
class FindingsPanel : public QWidget {
    Q_OBJECT
public:
    explicit FindingsPanel(PlanDocument& document, QWidget* parent = nullptr);

    /// "Offer R", or "what if": for the title of the dock.
    QString subtitle() const;
    QSize sizeHint() const override;

signals:
    /// A link was followed: an action of FindingsModel, and the GPU that it is about ({0, 0}:
    /// none).
    void linkActivated(const QString& action, shardrack::GpuRef gpu);
    void subtitleChanged(const QString& subtitle);

private:
    FindingsModel* m_model;
    FindingsList* m_list;
};

} // namespace shardrack
