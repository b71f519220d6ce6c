#pragma once

#include "document/plan_document.h"
#include "plan/shard_curves.h"

#include <QFutureWatcher>
#include <QTimer>
#include <QWidget>

class QBoxLayout;
class QLabel;
class QScrollArea;
class QStackedWidget;
class QToolButton;

namespace shardrack {

class ShardChart;
class TextTable;

/// The tab "Replicas against shards": what the shown offer's workload needs on each GPU when it
/// runs on more or fewer of them, as curves or as a table, and what that means in sentences. It
/// costs nothing while it is hidden; of many GPUs the curves are made aside, the old ones stay
/// until then, and the latest plan wins.
class ReplicasShards : public QWidget {
    Q_OBJECT
public:
    ReplicasShards(PlanDocument& document, QWidget* parent);

    /// What stands beside the tabs. The caller places it.
    QWidget* controls() const { return m_controls; }
    std::shared_ptr<const ShardCurves> curves() const { return m_curves; }
    int computations() const { return m_computations; } ///< for tests

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void makeControls();
    void refreshIfSeen();
    void refresh();
    void showTable(bool table);
    void fillTable();
    /// Curves or, in words, why there are none.
    struct Made {
        std::shared_ptr<const ShardCurves> curves;
        QString message;
    };
    static Made make(const ShownOffer& shown);
    void makeAside();
    void show(const ShownOffer& shown, const Made& made);
    QString nameOf(const ShownOffer& shown) const;

    PlanDocument& m_document;
    QWidget* m_controls = nullptr;
    QToolButton* m_asTable = nullptr;
    QToolButton* m_copy = nullptr;
    QStackedWidget* m_stack = nullptr;
    ShardChart* m_chart = nullptr;
    TextTable* m_table = nullptr;
    QLabel* m_message = nullptr;
    QBoxLayout* m_row = nullptr;
    QScrollArea* m_sentencesArea = nullptr;
    QLabel* m_sentences = nullptr;
    std::shared_ptr<const ShardCurves> m_curves;
    std::shared_ptr<const Assessment> m_assessment; ///< that m_curves is of
    QFutureWatcher<Made> m_watcher; ///< of the only computation that goes on aside
    std::optional<ShownOffer> m_making; ///< what it is about
    QTimer m_pause; ///< until nothing changes: a drag has the processor for itself
    bool m_stale = true;
    int m_computations = 0;
};

} // namespace shardrack
