// Where the main window's links lead, and its evidence.
#include "window/main_window.h"

#include "docks/evidence_panel.h"
#include "models/findings_model.h"
#include "paint/icons.h"
#include "window/dock_title.h"

#include <QAction>
#include <QDockWidget>
#include <QMenu>
#include <QMenuBar>
#include <QToolButton>

namespace shardrack {

QDockWidget* MainWindow::raisedDock(const char* name)
{
    setComparing(false);
    auto* dock = findChild<QDockWidget*>(QLatin1StringView(name));
    dock->show();
    dock->raise();
    return dock;
}

/// A field of the workload's form; with `fold`, the button that opens what it is in.
void MainWindow::showField(const char* name, const char* fold)
{
    QDockWidget* dock = raisedDock("workloadDock");
    auto* field = dock->findChild<QWidget*>(QLatin1StringView(name));
    auto* button = fold ? dock->findChild<QToolButton*>(QLatin1StringView(fold)) : nullptr;
    if (field && !field->isVisibleTo(dock) && button)
        button->click();
    if (field && field->isVisibleTo(dock) && field->isEnabled())
        field->setFocus(Qt::OtherFocusReason);
    else
        dock->widget()->setFocus(Qt::OtherFocusReason);
}

void MainWindow::showPlace(const QString& action)
{
    const auto is = [&](const char* which) { return action == QLatin1StringView(which); };
    if (is(FindingsModel::kShowLayout)) {
        showField("layout");
    } else if (is(FindingsModel::kShowWorkload)) {
        showField("stateBasis");
    } else if (is(FindingsModel::kStateTerms)) {
        showField("termGathered", "moreTerms");
    } else if (is(FindingsModel::kShowEvidence)) {
        raisedDock("evidenceDock");
        m_evidence->showVerdict();
    } else if (is(FindingsModel::kAddMeasurement)) {
        raisedDock("evidenceDock");
        m_evidence->addMeasurement();
    } else if (is(FindingsModel::kShowResult)) {
        raisedDock("evidenceDock");
        m_evidence->showResult();
    }
}

void MainWindow::buildEvidenceActions()
{
    auto* dock = findChild<QDockWidget*>(QStringLiteral("evidenceDock"));
    QAction* show = add("evidence", tr("&Evidence"), QKeySequence(tr("Ctrl+E")), [this, dock] {
        // A panel behind another one is not seen, and comes to the front.
        if (dock->isVisible() && !m_evidence->visibleRegion().isEmpty())
            dock->hide();
        else
            showPlace(QLatin1StringView(FindingsModel::kShowEvidence));
    });
    show->setCheckable(true);
    m_icons.emplace_back(show, static_cast<int>(Icon::Evidence));
    connect(dock, &QDockWidget::visibilityChanged, show, &QAction::setChecked);
    add("addMeasurement", tr("&Add a measurement…"), {},
        [this] { showPlace(QLatin1StringView(FindingsModel::kAddMeasurement)); });
    add("recordResult", tr("Record a training &result…"), {},
        [this] { showPlace(QLatin1StringView(FindingsModel::kShowResult)); });

    const auto title = [dock, this] {
        static_cast<DockTitle*>(dock->titleBarWidget())->setSubtitle(m_evidence->subtitle());
    };
    connect(m_evidence, &EvidencePanel::subtitleChanged, this, title);
    title();
}

void MainWindow::buildEvidenceMenu()
{
    QMenu* evidence = menuBar()->addMenu(tr("Evi&dence"));
    for (const char* name : { "evidence", "addMeasurement", "recordResult" })
        evidence->addAction(
            findChild<QAction*>(QLatin1StringView(name), Qt::FindDirectChildrenOnly));
}

} // namespace shardrack
