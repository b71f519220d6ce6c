#pragma once

#include "document/unsaved_copy.h"

#include <QWidget>

class QLabel;

namespace shardrack {

/// Offers the plans that a program left when it ended without asking, one after the other.
class UnsavedBar : public QWidget {
    Q_OBJECT
public:
    explicit UnsavedBar(QWidget* parent = nullptr);

    /// Shows the bar while there is a plan to offer.
    void offer(std::vector<LeftPlan> plans);
    const std::vector<LeftPlan>& plans() const { return m_plans; }
    /// The plan in front was restored or given up; the next is offered.
    void next();

signals:
    void restoreWanted();
    void discardWanted();

private:
    void show();

    std::vector<LeftPlan> m_plans;
    QLabel* m_text;
};

} // namespace shardrack
