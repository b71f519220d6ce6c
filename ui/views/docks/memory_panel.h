#pragma once

#include "document/plan_document.h"
#include "document/selection.h"

#include <QWidget>

class QHBoxLayout;
class QLabel;
class QScrollArea;
class QStackedWidget;
class QTabBar;
class QToolButton;

namespace shardrack {

class ChoiceBox;
class DeviceTable;
class MemoryChart;
class ReplicasShards;
class StepTimeline;
class TermsList;

/// The charts below the canvas, a tab each: memory by GPU, as bars or as a table, the step of one
/// rank over its moments, and replicas against shards over numbers of GPUs.
class MemoryPanel : public QWidget {
    Q_OBJECT
public:
    MemoryPanel(PlanDocument& document, Selection& selection, QWidget* parent = nullptr);

    /// The tabs, in order.
    enum class Tab { Memory, Timeline, Shards };
    void showTab(Tab tab);
    Tab tab() const;

    QSize sizeHint() const override { return { 900, 420 }; }
    QSize minimumSizeHint() const override { return { 260, 180 }; }

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    QWidget* makeHeader();
    void chooseOrder(int index);
    void showTable(bool table);
    void changeTab(int index);
    void fitHeader();
    void refresh();
    void showTerms();
    void restyle();

    PlanDocument& m_document;
    Selection& m_selection;
    QTabBar* m_tabs = nullptr;
    QHBoxLayout* m_header = nullptr;
    QWidget* m_memoryControls = nullptr;
    QStackedWidget* m_pages = nullptr; ///< one a tab
    StepTimeline* m_timeline = nullptr;
    ReplicasShards* m_shards = nullptr;
    QWidget* m_tryLegend = nullptr;
    QToolButton* m_asTable = nullptr;
    ChoiceBox* m_order = nullptr;
    QStackedWidget* m_stack = nullptr;
    MemoryChart* m_chart = nullptr;
    TermsList* m_terms = nullptr;
    QScrollArea* m_termsArea = nullptr;
    DeviceTable* m_table = nullptr;
};

} // namespace shardrack
