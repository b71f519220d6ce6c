// The main window's actions, menus, toolbar and status bar.
#include "window/main_window.h"

#include "canvas/rack_canvas.h"
#include "commands/edit_command.h"
#include "compare/compare_view.h"
#include "docks/catalogue_panel.h"
#include "docks/workload_panel.h"
#include "plan/basis.h"
#include "style/view_style.h"
#include "window/about.h"
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

QAction* actionNamed(const QObject* window, const char* name)
{
    return window->findChild<QAction*>(QLatin1String(name), Qt::FindDirectChildrenOnly);
}

/// A set of edits that all offers of a kind share: choosing a layout by menu.
constexpr LayoutPreset kMenuPresets[] = { LayoutPreset::Ddp, LayoutPreset::Zero1,
    LayoutPreset::Zero2, LayoutPreset::Fsdp, LayoutPreset::Hsdp };

} // namespace

QAction* MainWindow::add(const char* name, const QString& text, const QKeySequence& shortcut,
    const std::function<void()>& run)
{
    auto* action = new QAction(text, this);
    action->setObjectName(QLatin1String(name));
    action->setShortcut(shortcut);
    connect(action, &QAction::triggered, this, [run] { run(); });
    addAction(action);
    return action;
}

void MainWindow::buildActions()
{
    m_tabs = new OfferTabs(m_document, this);
    const auto icon = [this](QAction* action, Icon which) {
        m_icons.emplace_back(action, static_cast<int>(which));
    };
    icon(add("new", tr("&New plan"), QKeySequence::New, [this] { newPlan(); }), Icon::New);
    icon(add("open", tr("&Open…"), QKeySequence::Open, [this] { openWithDialog(); }), Icon::Open);
    icon(add("save", tr("&Save"), QKeySequence::Save, [this] { save(); }), Icon::Save);
    add("saveAs", tr("Save &as…"), QKeySequence(tr("Ctrl+Shift+S")), [this] { saveAs(); });
    add("importModel", tr("&Model description…"), {}, [this] {
        const QString path = askForFile(false, m_settings.lastFolder());
        if (!path.isEmpty())
            importModel(path);
    });
    add("importArguments", tr("Megatron-LM &arguments…"), {}, [this] {
        const QString path = askForFile(false, m_settings.lastFolder());
        if (!path.isEmpty())
            importArguments(path);
    });
    icon(add("exportReport", tr("&Export report…"), QKeySequence(tr("Ctrl+Shift+E")),
             [this] { exportReport(); }),
        Icon::ExportReport);
    add("quit", tr("&Quit"), QKeySequence::Quit, [this] { close(); });

    QAction* undo = m_document.undoStack().createUndoAction(this, tr("&Undo:"));
    QAction* redo = m_document.undoStack().createRedoAction(this, tr("&Redo:"));
    undo->setObjectName(QStringLiteral("undo"));
    redo->setObjectName(QStringLiteral("redo"));
    undo->setShortcut(QKeySequence::Undo);
    redo->setShortcuts({ QKeySequence(tr("Ctrl+Shift+Z")), QKeySequence(tr("Ctrl+Y")) });
    addActions({ undo, redo });
    icon(undo, Icon::Undo);
    icon(redo, Icon::Redo);

    // Plain keys belong to the canvas, which handles them where it has the focus; shown here so
    // that they can be found.
    const auto canvasKey = [this](const char* name, const QString& text, const QString& key,
                               const std::function<void()>& run) {
        QAction* action = add(name, text, {}, run);
        action->setText(text + QLatin1Char('\t') + key);
        return action;
    };
    add("selectAll", tr("Select &all GPUs"), QKeySequence::SelectAll,
        [this] { m_canvas->selectAll(); });
    canvasKey("moveSelected", tr("&Move selected…"), tr("M"), [this] { m_canvas->moveSelected(); });
    canvasKey("removeSelected", tr("Remove selected &hardware"), tr("Del"),
        [this] { m_canvas->removeSelected(); });
    add("addRack", tr("Add &rack"), {}, [this] { m_canvas->addRack(); });
    canvasKey("placeCatalogue", tr("&Place the catalogue's item"), tr("Insert"), [this] {
        if (const auto carried = m_catalogue->current()) {
            m_canvas->setFocus();
            m_canvas->pickUp(*carried);
        }
    });
    add("usable", tr("Set &usable allocation…"), {}, [this] { m_canvas->requestUsable(); });
    add("margin", tr("Required mar&gin…"), {}, [this] { editMargin(); });
    add("title", tr("&Title of the plan…"), {}, [this] { editTitle(); });

    icon(canvasKey("assignRank", tr("&Assign rank…"), tr("R"), [this] { m_canvas->askForRank(); }),
        Icon::AssignRanks);
    icon(canvasKey("group", tr("Shard &group…"), tr("G"), [this] { m_canvas->chooseGroup(); }),
        Icon::Group);
    add("leaveGroups", tr("&Take ranks out of their groups"), {},
        [this] { m_canvas->leaveGroups(); });
    add("giveRanks", tr("Give idle GPUs a &rank"), {}, [this] { m_canvas->giveRanks(); });
    add("removeRanks", tr("Re&move ranks"), {}, [this] { m_canvas->removeRanks(); });

    auto* tools = new QActionGroup(this);
    const auto tool
        = [&](const char* name, const QString& text, RackCanvas::Tool which, Icon look) {
              QAction* action = add(name, text, {}, [this, which] { m_canvas->setTool(which); });
              action->setCheckable(true);
              tools->addAction(action);
              icon(action, look);
              return action;
          };
    tool("toolSelect", tr("&Select"), RackCanvas::Tool::Select, Icon::Select)->setChecked(true);
    tool("toolPan", tr("&Pan"), RackCanvas::Tool::Pan, Icon::Pan);
    icon(add("zoomOut", tr("Zoom &out"), QKeySequence::ZoomOut, [this] { m_canvas->zoomOut(); }),
        Icon::ZoomOut);
    icon(add("zoomIn", tr("Zoom &in"), QKeySequence::ZoomIn, [this] { m_canvas->zoomIn(); }),
        Icon::ZoomIn);
    add("zoom100", tr("&100 %"), QKeySequence(tr("Ctrl+0")), [this] { m_canvas->zoomTo100(); });
    icon(add("fit", tr("&Fit"), QKeySequence(tr("Ctrl+9")), [this] { m_canvas->zoomToFit(); }),
        Icon::Fit);
    add("reveal", tr("Show the se&lection"), {}, [this] { m_canvas->revealSelection(); });
    add("mostLoaded", tr("Show the &most loaded device"), QKeySequence(tr("Ctrl+L")),
        [this] { selectMostLoaded(); });
    add("nextPanel", tr("&Next panel"), QKeySequence(tr("F6")), [this] { cyclePanels(true); });
    add("previousPanel", tr("Pre&vious panel"), QKeySequence(tr("Shift+F6")),
        [this] { cyclePanels(false); });
    add("find", tr("Find rank, server or &command"), QKeySequence(tr("Ctrl+K")),
        [this] { showCommands(); });

    add("addOffer", tr("&Add a copy of this offer"), QKeySequence(tr("Ctrl+T")),
        [this] { m_tabs->addOffer(); });
    add("renameOffer", tr("&Rename…"), QKeySequence(tr("F2")), [this] { m_tabs->renameOffer(); });
    add("closeOffer", tr("&Close this offer"), QKeySequence(tr("Ctrl+W")),
        [this] { m_tabs->closeOffer(); });
    const auto step = [this](int by) {
        const int offers = static_cast<int>(m_document.plan()->offers.size());
        if (offers > 0)
            m_document.setCurrentOffer((m_document.currentOffer() + by + offers) % offers);
    };
    add("nextOffer", tr("&Next offer"), QKeySequence(tr("Ctrl+PgDown")), [step] { step(1); });
    add("previousOffer", tr("&Previous offer"), QKeySequence(tr("Ctrl+PgUp")),
        [step] { step(-1); });
    add("offerLeft", tr("Move offer &left"), QKeySequence(tr("Ctrl+Shift+PgUp")),
        [this] { m_tabs->moveOffer(-1); });
    add("offerRight", tr("Move offer r&ight"), QKeySequence(tr("Ctrl+Shift+PgDown")),
        [this] { m_tabs->moveOffer(1); });

    QAction* compare = add("compare", tr("C&ompare"), QKeySequence(tr("Ctrl+Shift+C")),
        [this] { setComparing(!comparing()); });
    compare->setCheckable(true);
    icon(compare, Icon::Compare);
    add("backToCommon", tr("Put back on the common &basis"), {},
        [this] { m_tabs->backToCommonBasis(); });
    add("makeCommon", tr("&Make its workload the common one"), {},
        [this] { m_tabs->makeWorkloadCommon(); });
    add("declareChange", tr("&Declare a change of basis…"), {}, [this] {
        if (m_document.currentOffer() >= 0)
            declareChange(m_document, this);
    });

    buildEvidenceActions();
    add("keys", tr("&Keyboard and mouse"), QKeySequence(tr("F1")), [this] { showKeys(this); });
    add("glossary", tr("&Glossary"), QKeySequence(tr("Ctrl+Shift+G")), [this] { showGlossary(); });
    add("whatIsThis", tr("&What is this?"), QKeySequence(tr("Shift+F1")),
        [this] { explainFocus(); });
    icon(add("lessons", tr("Less&ons"), {}, [this] { m_lessonsMenu->popup(QCursor::pos()); }),
        Icon::Lessons);
    actionNamed(this, "lessons")->setVisible(false);
    add("about", tr("&About Shardrack"), {}, [this] { showAbout(this); });
}

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
    QMenu* examples = file->addMenu(tr("&Examples"));
    const auto example = [&](const QString& text, const QString& name) {
        examples->addAction(text, this, [this, name] {
            if (mayDiscard())
                openExample(name);
        });
    };
    example(tr("&TS-24: four GPUs of 16 GiB, replicas or shards"), QStringLiteral("ts-24"));
    example(tr("&Llama-3-8B on 32 GPUs, five layouts"), QStringLiteral("llama-3-8b-32-gpus"));
    QMenu* import = file->addMenu(tr("&Import"));
    fill(import, { "importModel", "importArguments" });
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
    fill(help, { "keys", "glossary", "whatIsThis", "", "about" });
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

void MainWindow::refreshTitle()
{
    const std::shared_ptr<const Plan> plan = m_document.plan();
    QString title = planTitle();
    if (m_document.readOnly())
        title += tr(" (read only)");
    if (!m_copyOf.isEmpty())
        title += tr(" (%1)").arg(m_copyOf);
    setWindowTitle(title + QStringLiteral("[*] — Shardrack"));
    setWindowModified(m_document.isModified());
    setWindowFilePath(m_document.path());

    QStringList notes;
    if (!plan->note.empty())
        notes << QString::fromStdString(plan->note);
    else if (plan->fictional)
        notes << tr("This example is fictional.");
    if (const auto current = m_document.current())
        for (const std::string& assumption : current->get().assumptions)
            notes << QString::fromStdString(current->get().name + ": " + assumption);
    m_exampleNote->setText(notes.join(QLatin1Char(' ')));
    m_exampleNote->setVisible(!notes.isEmpty());
}

void MainWindow::refreshStatus()
{
    const QString undo = m_document.undoStack().undoText();
    m_undoText->setText(undo.isEmpty() ? tr("Nothing to undo") : tr("Undo: %1").arg(undo));
    const auto shown = m_document.shown();
    m_state->setText(m_canvasState);
    m_state->setVisible(!m_canvasState.isEmpty());
    if (!shown) {
        m_counts->clear();
        m_time->clear();
        return;
    }
    const auto current = m_document.current();
    const auto ranks = groupedNumber(shown->assessment->layout.rankCount());
    const auto gpus = groupedNumber(shown->assessment->index.gpuCount());
    const auto selected = static_cast<std::int64_t>(m_selection.gpus().size());
    m_counts->setText(m_document.whatIf()
            ? tr("%1 → %2 ranks").arg(groupedNumber(current->assessment->layout.rankCount()), ranks)
            : tr("%1 GPUs · %2 ranks · %3 selected").arg(gpus, ranks, groupedNumber(selected)));
    if (comparing())
        m_counts->setText(tr("Comparing %1").arg(m_compare->offerNames()));
    const double milliseconds = double(m_document.lastRecomputeMicroseconds()) / 1000.0;
    const QString time = milliseconds < 0.1
        ? tr("under 0.1")
        : QLocale().toString(milliseconds, 'f', milliseconds < 10 ? 1 : 0);
    m_time->setText(m_document.whatIf() ? tr("What-if in %1 ms").arg(time)
                                        : tr("Recomputed in %1 ms").arg(time));
}

void MainWindow::refreshActions()
{
    const auto current = m_document.current();
    const bool offer = current.has_value();
    const bool gpus = !m_selection.gpus().empty();
    for (const char* name :
        { "usable", "assignRank", "group", "leaveGroups", "giveRanks", "removeRanks" })
        actionNamed(this, name)->setEnabled(offer && gpus);
    for (const char* name : { "moveSelected", "removeSelected", "reveal" })
        actionNamed(this, name)->setEnabled(offer && !m_selection.empty());
    for (const char* name :
        { "renameOffer", "closeOffer", "mostLoaded", "selectAll", "declareChange" })
        actionNamed(this, name)->setEnabled(offer);
    const int offers = static_cast<int>(m_document.plan()->offers.size());
    for (const char* name : { "nextOffer", "previousOffer" })
        actionNamed(this, name)->setEnabled(offers > 1);
    actionNamed(this, "backToCommon")
        ->setEnabled(offer && hasChangedBasis(*current->plan, current->offer));
    actionNamed(this, "makeCommon")->setEnabled(offer && current->get().workload);
    actionNamed(this, "offerLeft")->setEnabled(m_document.currentOffer() > 0);
    actionNamed(this, "offerRight")->setEnabled(offer && m_document.currentOffer() + 1 < offers);
    refreshCompareActions();
}

void MainWindow::refreshIcons()
{
    const Theme& theme = themeOf(this);
    for (const auto& [action, icon] : m_icons)
        action->setIcon(makeIcon(static_cast<Icon>(icon), theme));
}

void MainWindow::chooseTheme(Settings::Theme theme) { m_settings.setTheme(theme); }

void MainWindow::editTitle()
{
    bool accepted = false;
    const QString title = QInputDialog::getText(this, tr("Title of the plan"), tr("Title"),
        QLineEdit::Normal, QString::fromStdString(m_document.plan()->title), &accepted);
    if (!accepted)
        return;
    if (const auto error = perform(m_document, edit::SetTitle { title.trimmed().toStdString() }))
        showError(QString::fromStdString(error->text()));
}

void MainWindow::cyclePanels(bool forward)
{
    std::vector<QWidget*> panels { comparing() ? static_cast<QWidget*>(m_compare) : m_canvas,
        centralWidget()->findChild<QWidget*>(QStringLiteral("memoryPanel")) };
    for (QDockWidget* dock : m_docks)
        if (dock->isVisible())
            panels.push_back(dock->widget());
    panels.push_back(m_tabs);
    panels.erase(std::remove_if(panels.begin(), panels.end(),
                     [](const QWidget* panel) { return !panel || !panel->isVisible(); }),
        panels.end());
    const QWidget* focus = QApplication::focusWidget();
    std::size_t at = panels.size() - 1;
    for (std::size_t i = 0; i < panels.size(); ++i)
        if (focus && (panels[i] == focus || panels[i]->isAncestorOf(focus)))
            at = i;
    const std::size_t next = (at + (forward ? 1 : panels.size() - 1)) % panels.size();
    QWidget* target = panels[next];
    if (target->focusPolicy() == Qt::NoFocus)
        for (QWidget* child : target->findChildren<QWidget*>())
            if (child->focusPolicy() != Qt::NoFocus && child->isVisible() && child->isEnabled()) {
                target = child;
                break;
            }
    target->setFocus(Qt::TabFocusReason);
}

void MainWindow::showCommands()
{
    m_find->setFocus(Qt::ShortcutFocusReason);
    m_find->selectAll();
}

} // namespace shardrack
