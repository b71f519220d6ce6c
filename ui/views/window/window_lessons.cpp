// What lessons, the glossary and the page on accuracy need of the main window.
#include "window/main_window.h"

#include "document/unsaved_copy.h"
#include "window/accuracy_dialog.h"
#include "window/dock_title.h"
#include "window/glossary_dialog.h"
#include "window/glossary_guide.h"

#include <QAction>
#include <QDockWidget>
#include <QMenu>
#include <QStatusBar>

namespace shardrack {

QDockWidget* MainWindow::addPanel(
    const QString& title, const QString& subtitle, const char* name, QWidget* panel, int width)
{
    auto* dock = new QDockWidget(title, this);
    dock->setObjectName(QLatin1String(name));
    dock->setWidget(panel);
    auto* bar = new DockTitle(dock);
    bar->setSubtitle(subtitle);
    dock->setTitleBarWidget(bar);
    addDockWidget(Qt::RightDockWidgetArea, dock);
    m_docks.push_back(dock); // so that the keys that go from panel to panel reach it
    resizeDocks({ dock }, { width }, Qt::Horizontal);
    return dock;
}

void MainWindow::makeCopy(const QString& what)
{
    m_copyOf = what;
    m_unsavedCopy->stop();
    for (const char* name :
        { "new", "open", "importModel", "importArguments", "importTorchtitan", "importRuns" })
        findChild<QAction*>(QLatin1String(name))->setEnabled(false);
    for (const char* name : { "recentMenu", "examplesMenu", "importMenu" })
        findChild<QMenu*>(QLatin1String(name))->setEnabled(false);
    setAcceptDrops(false);
    refreshTitle();
}

void MainWindow::showGlossary(const QString& word)
{
    if (!m_glossary)
        m_glossary = new GlossaryDialog(this);
    m_glossary->open(word);
}

void MainWindow::showAccuracy()
{
    if (!m_accuracy)
        m_accuracy = new AccuracyDialog(this);
    const auto current = m_document.current();
    const Recipe& recipe = (current ? current->workload() : *m_document.plan()->workload).recipe;
    m_accuracy->open(recipe.framework, current && current->assessment->account.strategy);
}

void MainWindow::explainFocus()
{
    const QString word = m_guide->wordInFocus();
    if (word.isEmpty())
        statusBar()->showMessage(tr("This has no entry in the glossary of its own."), 5000);
    showGlossary(word);
}

} // namespace shardrack
