#pragma once

#include "canvas/carry_session.h"
#include "document/selection.h"

#include <QWidget>

#include <vector>

class QHBoxLayout;
class QLabel;
class QToolButton;

namespace shardrack {

/// The ranks of the selected GPUs in the offer as it is.
RankSet selectedRanks(const PlanDocument& document, const Selection& selection);

bool anyRankSelected(const PlanDocument& document, const Selection& selection);
/// Puts the ranks of the selected GPUs there, as a drop would.
std::optional<Error> putSelectedRanks(
    PlanDocument& document, const Selection& selection, const DropTarget& target);

/// The shard groups as chips: places to drop ranks on, and buttons that act on the selected ranks.
/// With many groups it shows those of the selection and says how many there are.
class GroupStrip : public QWidget {
    Q_OBJECT
public:
    GroupStrip(
        PlanDocument& document, Selection& selection, CarrySession& session, QWidget* parent);

    void refresh();
    /// A chip: its place and the words on it.
    struct Chip {
        DropTarget target;
        QString text;
    };
    const std::vector<Chip>& chips() const { return m_chips; }
    /// The groups worth offering for the selection, then "no group", "new group", "remove rank".
    static std::vector<Chip> chipsFor(
        const PlanDocument& document, const Selection& selection, int mostGroups);

signals:
    /// Told by a chip: why nothing happened, or nothing.
    void statusMessage(const QString& text);

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragMoveEvent(QDragMoveEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void rebuild();
    void hideWhatDoesNotFit();
    void markTarget();
    int chipAt(const QPoint& point) const;

    PlanDocument& m_document;
    Selection& m_selection;
    CarrySession& m_session;
    QHBoxLayout* m_row = nullptr;
    QLabel* m_label = nullptr;
    int m_groups = 0; ///< in the layout
    std::vector<Chip> m_chips;
    std::vector<QToolButton*> m_buttons;
};

} // namespace shardrack
