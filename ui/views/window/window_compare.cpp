// The comparison of offers in the main window: it takes the place of canvas, charts and docks.
#include "canvas/rack_canvas.h"
#include "compare/compare_view.h"
#include "docks/inspector_panel.h"
#include "style/view_style.h"
#include "window/findings_strip.h"
#include "window/main_window.h"
#include "window/offer_tabs.h"

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QSplitter>
#include <QToolButton>

namespace shardrack {

namespace {

/// What acts on the canvas and would go on unseen.
constexpr const char* kOfTheCanvas[] = { "selectAll", "moveSelected", "removeSelected", "addRack",
    "placeCatalogue", "assignRank", "group", "leaveGroups", "giveRanks", "removeRanks",
    "toolSelect", "toolPan", "zoomOut", "zoomIn", "zoom100", "fit", "reveal" };
/// Lessons may ask for the comparison, and have to stay beside it.
constexpr const char* kStaysOpen = "lessonDock";

} // namespace

void MainWindow::connectCompare()
{
    connect(m_compare, &CompareView::leaveRequested, this, [this] { setComparing(false); });
    connect(m_compare, &CompareView::refused, this, &MainWindow::showError);
    const auto open = [this](int offer) {
        setComparing(false);
        m_document.setCurrentOffer(offer);
    };
    connect(m_compare, &CompareView::openRequested, this, open);
    connect(m_compare, &CompareView::showDeviceRequested, this, [this, open](int offer) {
        open(offer);
        m_document.flush(); // the selection of the offer before goes first
        selectMostLoaded();
    });
    connect(m_tabs, &QTabBar::tabBarClicked, this, [this](int tab) {
        if (tab >= 0)
            setComparing(false);
    });
}

bool MainWindow::comparing() const { return !m_compare->isHidden(); }

void MainWindow::setComparing(bool compare)
{
    auto* action = findChild<QAction*>(QStringLiteral("compare"));
    action->setChecked(compare);
    if (compare == comparing())
        return;
    m_document.clearTry();
    if (compare) {
        m_stateBeforeCompare = saveWindowState();
        for (QDockWidget* dock : m_docks)
            if (dock->objectName() != QLatin1String(kStaysOpen))
                dock->hide();
    }
    m_strip->setVisible(!compare);
    m_canvas->parentWidget()->setVisible(!compare);
    m_compare->setVisible(compare);
    if (!compare) {
        restoreWindowState(m_stateBeforeCompare);
        m_stateBeforeCompare.clear();
        for (const char* name : kOfTheCanvas)
            findChild<QAction*>(QLatin1String(name))->setEnabled(true);
    }
    refreshActions();
    refreshStatus();
    (compare ? static_cast<QWidget*>(m_compare) : m_canvas)->setFocus();
}

void MainWindow::refreshCompareActions()
{
    findChild<QAction*>(QStringLiteral("compare"))
        ->setEnabled(comparing() || m_document.plan()->offers.size() > 1);
    // The style's own pressed look hardly shows which way the button stands.
    auto* button = findChild<QToolButton*>(QStringLiteral("compareButton"));
    QPalette look = QApplication::palette(button);
    if (comparing()) {
        look.setColor(QPalette::Button, themeOf(this).accentTint);
        look.setColor(QPalette::ButtonText, themeOf(this).link);
    }
    button->setPalette(look);
    if (!comparing())
        return;
    for (const char* name : kOfTheCanvas)
        findChild<QAction*>(QLatin1String(name))->setEnabled(false);
}

} // namespace shardrack
