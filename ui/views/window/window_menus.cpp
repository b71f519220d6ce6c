// The main window's menus, toolbar and status bar.
#include "window/main_window.h"

#include "canvas/rack_canvas.h"
#include "commands/edit_command.h"
#include "compare/compare_view.h"
#include "docks/catalogue_panel.h"
#include "docks/workload_panel.h"
#include "plan/basis.h"
#include "style/view_style.h"
#include "window/about.h"
#include "window/action_named.h"
#include "window/declare_change.h"
#include "window/find_field.h"
#include "window/offer_tabs.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QDockWidget>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QLabel>
#include <QMenuBar>
#include <QStatusBar>
#include <QToolBar>
#include <QToolButton>

namespace shardrack {

namespace {

/// A set of edits that all offers of a kind share: choosing a layout by menu.
constexpr LayoutPreset kMenuPresets[] = { LayoutPreset::Ddp, LayoutPreset::Zero1,
    LayoutPreset::Zero2, LayoutPreset::Fsdp, LayoutPreset::Hsdp, LayoutPreset::Megatron };

} // namespace

void MainWindow::buildMenus()
{
    const auto fill = [this](QMenu* menu, std::initializer_list<const char*> names) {
        for (const char* name : names) {
            if (!*name)
                menu->addSeparator();
            else
                menu->addAction(actionNamed(this, name));
        }
    };
    QMenu* file = menuBar()->addMenu(tr("&File"));
    fill(file, { "new", "open" });
    m_recentMenu = file->addMenu(tr("Open &recent"));
    connect(m_recentMenu, &QMenu::aboutToShow, this, &MainWindow::fillRecentMenu);
    QMenu* examples = file->addMenu(tr("E&xamples"));
    const auto example = [&](const QString& text, const QString& name) {
        examples->addAction(text, this, [this, name] {
            if (mayDiscard())
                openExample(name);
        });
    };
    example(tr("&TS-24: four GPUs of 16 GiB, replicas or shards"), QStringLiteral("ts-24"));
    example(tr("&Llama-3-8B on 32 GPUs, five layouts"), QStringLiteral("llama-3-8b-32-gpus"));
    QMenu* import = file->addMenu(tr("&Import"));
    fill(import, { "importModel", "importArguments", "importTorchtitan", "importRuns" });
    fill(file, { "", "save", "saveAs", "", "exportReport", "", "quit" });

    QMenu* edit = menuBar()->addMenu(tr("&Edit"));
    fill(edit,
        { "undo", "redo", "", "selectAll", "", "addRack", "placeCatalogue", "moveSelected",
            "removeSelected", "", "usable", "margin", "title" });

    QMenu* view = menuBar()->addMenu(tr("&View"));
    fill(view, { "zoomIn", "zoomOut", "zoom100", "fit", "", "mostLoaded", "reveal", "find", "" });
    for (QDockWidget* dock : m_docks)
        view->addAction(dock->toggleViewAction());
    fill(view, { "nextPanel", "previousPanel", "" });
    QMenu* theme = view->addMenu(tr("&Theme"));
    auto* themes = new QActionGroup(this);
    const auto choice = [&](const QString& text, Settings::Theme which) {
        QAction* action = theme->addAction(text, this, [this, which] { chooseTheme(which); });
        action->setCheckable(true);
        action->setChecked(m_settings.theme() == which);
        themes->addAction(action);
    };
    choice(tr("As the &system"), Settings::Theme::System);
    choice(tr("&Light"), Settings::Theme::Light);
    choice(tr("&Dark"), Settings::Theme::Dark);

    QMenu* layout = menuBar()->addMenu(tr("&Layout"));
    for (const LayoutPreset preset : kMenuPresets)
        layout->addAction(
            QCoreApplication::translate("Layout", title(preset)), this, [this, preset] {
                const auto current = m_document.current();
                if (!current)
                    return;
                Layout changed = current->get().layout;
                changed.preset = preset;
                changed.groups.clear();
                changed.dpShard.reset();
                changed.dpReplicate.reset();
                if (const auto error
                    = perform(m_document, edit::SetLayout { current->offer, changed }))
                    showError(QString::fromStdString(error->text()));
            });
    layout->addSeparator();
    fill(layout, { "assignRank", "giveRanks", "removeRanks", "", "group", "leaveGroups" });

    QMenu* offers = menuBar()->addMenu(tr("&Offers"));
    fill(offers,
        { "addOffer", "renameOffer", "closeOffer", "", "declareChange", "backToCommon",
            "makeCommon", "", "compare", "", "nextOffer", "previousOffer", "offerLeft",
            "offerRight" });

    buildEvidenceMenu();
    m_lessonsMenu = menuBar()->addMenu(tr("Le&ssons"));
    m_lessonsMenu->menuAction()->setVisible(false);

    QMenu* help = menuBar()->addMenu(tr("&Help"));
    fill(help, { "keys", "glossary", "whatIsThis", "accuracy", "", "about" });
    const std::pair<QMenu*, const char*> names[] = { { file, "fileMenu" }, { edit, "editMenu" },
        { view, "viewMenu" }, { layout, "layoutMenu" }, { offers, "offersMenu" },
        { m_lessonsMenu, "lessonsMenu" }, { help, "helpMenu" }, { m_recentMenu, "recentMenu" },
        { examples, "examplesMenu" }, { import, "importMenu" } };
    for (const auto& [menu, name] : names)
        menu->setObjectName(QLatin1String(name));
}

void MainWindow::buildToolBar()
{
    QToolBar* bar = addToolBar(tr("Tools"));
    bar->setObjectName(QStringLiteral("toolBar"));
    bar->setMovable(false);
    bar->setIconSize({ metrics::kIcon, metrics::kIcon });
    bar->setToolButtonStyle(Qt::ToolButtonIconOnly);
    const auto put = [&](const char* name, bool withText = false) {
        QAction* action = actionNamed(this, name);
        bar->addAction(action);
        auto* button = qobject_cast<QToolButton*>(bar->widgetForAction(action));
        QString text = action->text().section(QLatin1Char('\t'), 0, 0);
        text.remove(QLatin1Char('&'));
        text.remove(QStringLiteral("…"));
        button->setAccessibleName(text);
        button->setToolTip(action->shortcut().isEmpty()
                ? text
                : tr("%1 (%2)").arg(text, action->shortcut().toString(QKeySequence::NativeText)));
        if (withText) {
            action->setIconText(text);
            button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        }
    };
    for (const char* name : { "new", "open", "save" })
        put(name);
    bar->addSeparator();
    put("undo");
    put("redo");
    bar->addSeparator();
    for (const char* name : { "toolSelect", "toolPan", "assignRank", "group" })
        put(name, true);
    bar->addSeparator();
    put("zoomOut");
    m_zoom = new QLabel(bar);
    m_zoom->setAlignment(Qt::AlignCenter);
    m_zoom->setMinimumWidth(46);
    bar->addWidget(m_zoom);
    put("zoomIn");
    put("fit", true);
    bar->addSeparator();
    put("evidence", true);
    put("lessons", true);
    auto* space = new QWidget(bar);
    space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(space);
    m_find = new FindField(m_document, m_selection, bar);
    m_find->setFixedWidth(270);
    QAction* glass = m_find->addAction(QIcon(), QLineEdit::LeadingPosition);
    m_icons.emplace_back(glass, static_cast<int>(Icon::Search));
    m_find->setPlaceholderText(tr("Find rank, server or command   Ctrl+K"));
    std::vector<QAction*> commands;
    for (QAction* action : findChildren<QAction*>(QString(), Qt::FindDirectChildrenOnly))
        if (!action->objectName().isEmpty() && action->objectName() != QLatin1String("find"))
            commands.push_back(action);
    m_find->setCommands(commands);
    connect(m_find, &FindField::found, this, [this] {
        setComparing(false);
        m_canvas->setFocus();
        m_canvas->revealSelection();
    });
    bar->addWidget(m_find);
    const auto showZoom
        = [this] { m_zoom->setText(tr("%1 %").arg(qRound(m_canvas->zoom() * 100))); };
    connect(m_canvas, &RackCanvas::zoomChanged, this, showZoom);
    showZoom();

    addToolBarBreak();
    QToolBar* offers = addToolBar(tr("Offers"));
    offers->setObjectName(QStringLiteral("offerBar"));
    offers->setMovable(false);
    auto* row = new QWidget(offers);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(4, 2, 4, 0);
    layout->setSpacing(2);
    layout->addWidget(m_tabs);
    m_addOffer = new QToolButton(row);
    m_addOffer->setAutoRaise(true);
    m_addOffer->setDefaultAction(actionNamed(this, "addOffer"));
    m_addOffer->setToolButtonStyle(Qt::ToolButtonIconOnly);
    m_addOffer->setAccessibleName(tr("Add a copy of this offer"));
    m_icons.emplace_back(actionNamed(this, "addOffer"), static_cast<int>(Icon::Add));
    layout->addWidget(m_addOffer);
    layout->addStretch(1);
    auto* compare = new QToolButton(row);
    compare->setObjectName(QStringLiteral("compareButton"));
    compare->setDefaultAction(actionNamed(this, "compare"));
    compare->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    compare->setAccessibleName(tr("Compare offers"));
    layout->addWidget(compare);
    auto* report = new QToolButton(row);
    report->setObjectName(QStringLiteral("exportReportButton"));
    report->setDefaultAction(actionNamed(this, "exportReport"));
    report->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    report->setAccessibleName(tr("Export report"));
    layout->addWidget(report);
    row->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    offers->addWidget(row);
}

void MainWindow::showLessons()
{
    m_lessonsMenu->menuAction()->setVisible(true);
    QAction* action = actionNamed(this, "lessons");
    action->setMenu(m_lessonsMenu);
    action->setVisible(true);
    for (QObject* holder : action->associatedObjects())
        if (auto* button = qobject_cast<QToolButton*>(holder))
            button->setPopupMode(QToolButton::InstantPopup);
}

void MainWindow::buildStatusBar()
{
    const auto label = [this](bool permanent) {
        auto* text = new QLabel(this);
        text->setContentsMargins(8, 0, 8, 0);
        text->setTextFormat(Qt::PlainText); // it shows names that people give
        if (permanent)
            statusBar()->addPermanentWidget(text);
        else
            statusBar()->addWidget(text);
        return text;
    };
    m_units = label(false);
    m_units->setText(tr("Units: GiB (2³⁰ bytes)"));
    m_undoText = label(false);
    m_state = label(true);
    m_counts = label(true);
    m_time = label(true);
    m_state->setObjectName(QStringLiteral("dragState"));
    statusBar()->setSizeGripEnabled(false);
}

void MainWindow::fillRecentMenu()
{
    m_recentMenu->clear();
    const QStringList files = m_settings.recentFiles();
    for (const QString& path : files)
        m_recentMenu
            ->addAction(QFileInfo(path).fileName(), this,
                [this, path] {
                    if (mayDiscard() && !openPlan(path))
                        m_settings.removeRecentFile(path);
                })
            ->setToolTip(path);
    if (files.isEmpty())
        m_recentMenu->addAction(tr("No plan was opened yet"))->setEnabled(false);
    m_recentMenu->addSeparator();
    m_recentMenu->addAction(tr("&Clear the list"), &m_settings, &Settings::clearRecentFiles)
        ->setEnabled(!files.isEmpty());
}

} // namespace shardrack
