#pragma once

#include "document/plan_document.h"
#include "document/selection.h"
#include "plan/rank_timeline.h"

#include <QWidget>

class QCheckBox;
class QLabel;
class QToolButton;

namespace shardrack {

class ChoiceBox;
class TimelineChart;
class TimelineSide;

/// The tab "Step timeline": one rank of the shown offer over its first steps, with what it holds at
/// the cursor. It costs nothing while it is hidden.
class StepTimeline : public QWidget {
    Q_OBJECT
public:
    StepTimeline(PlanDocument& document, Selection& selection, QWidget* parent);

    /// What stands beside the tabs: the choice of the rank and what is shown. The caller places it.
    QWidget* controls() const { return m_controls; }
    /// The rank that is shown; -1: none.
    std::int32_t rank() const { return m_shown ? m_shown->rank : -1; }
    std::shared_ptr<const RankTimeline> timeline() const { return m_shown; }
    /// How often a timeline was computed, for tests.
    int computations() const { return m_computations; }

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void makeControls();
    void refreshIfSeen();
    void refresh();
    void followSelection();
    /// The rank to show and why: "0, most loaded".
    std::int32_t wantedRank(const ShownOffer& shown, QString& why) const;
    void fillRanks(const ShownOffer& shown, const QString& followed);
    void say(const QString& message);
    void showSide();

    PlanDocument& m_document;
    Selection& m_selection;
    QWidget* m_controls = nullptr;
    ChoiceBox* m_ranks = nullptr;
    QCheckBox* m_slack = nullptr;
    QToolButton* m_sideShown = nullptr;
    TimelineChart* m_chart = nullptr;
    TimelineSide* m_side = nullptr;
    QLabel* m_message = nullptr; ///< instead of the chart
    QLabel* m_missing = nullptr; ///< below it: what cannot be shown
    std::shared_ptr<const RankTimeline> m_shown;
    std::shared_ptr<const Assessment> m_assessment; ///< that m_shown is of
    std::int32_t m_pinned = -1; ///< chosen in the list; -1: follows the selection
    bool m_sideChosen = false; ///< somebody decided whether the side is shown
    bool m_stale = true;
    int m_computations = 0;
};

} // namespace shardrack
