#pragma once

#include "compare/compare_choice.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QLabel;
class QListWidget;
class QPushButton;

namespace shardrack {

/// Which offers are compared, in which order, and against which one. Rows are dragged, or moved
/// with the buttons and Alt with the arrows.
class CompareChooser : public QDialog {
    Q_OBJECT
public:
    CompareChooser(const Plan& plan, const ComparisonChoice& choice, QWidget* parent = nullptr);

    ComparisonChoice choice() const;
    /// Why the choice cannot be compared; empty when it can.
    QString problem() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void addOffer(const Plan& plan, std::size_t offer, bool chosen);
    void move(int by);
    void check();
    void fillBaseline();

    QListWidget* m_list;
    QComboBox* m_baseline;
    QCheckBox* m_byHeadroom;
    QLabel* m_problem;
    QPushButton* m_up;
    QPushButton* m_down;
    QPushButton* m_accept;
};

} // namespace shardrack
