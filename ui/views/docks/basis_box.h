#pragma once

#include "docks/form_grid.h"
#include "docks/plan_editing.h"
#include "plan/basis.h"

#include <QFrame>

#include <vector>

class QLabel;
class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace shardrack {

/// What an offer on a changed basis changes, with the reason of each change to be filled in, and
/// the ways back. Hidden where the offer stands on the common basis.
class BasisBox : public QFrame {
    Q_OBJECT
public:
    explicit BasisBox(PlanEditing& editing, QWidget* parent = nullptr);
    void refresh();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Line {
        QLabel* text = nullptr;
        QLineEdit* reason = nullptr;
    };
    void makeLines(std::size_t count);
    void setReason(std::size_t line);
    void fold();

    PlanEditing& m_editing;
    QLabel* m_title;
    QVBoxLayout* m_list;
    QPushButton* m_makeCommon;
    QPushButton* m_back;
    QPushButton* m_more;
    NoteLabel* m_problem;
    bool m_all = false; ///< all changes are shown, however many
    std::vector<Line> m_lines;
    std::vector<BasisChange> m_changes;
};

} // namespace shardrack
