// The main window's actions and what follows from the document's state.
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
    add("importRuns", tr("Measured &runs…"), {}, [this] {
        const QString path = askForFile(false, m_settings.lastFolder());
        if (!path.isEmpty())
            importModel(path); // which tells them apart
    });
    for (const auto& [name, text] : { std::pair("importArguments", tr("Megatron-LM &arguments…")),
             std::pair("importTorchtitan", tr("&torchtitan configuration…")) })
        add(name, text, {}, [this] {
            const QString path = askForFile(false, m_settings.lastFolder());
            if (!path.isEmpty())
                importSettings(path); // which tells them apart
        });
    icon(add("exportReport", tr("&Export report…"), QKeySequence(tr("Ctrl+Shift+E")),
             [this] { exportReport(); }),
        Icon::ExportReport);
    add("quit", tr("&Quit"), QKeySequence::Quit, [this] { close(); });

    QAction* undo = m_document.undoStack().createUndoAction(this, tr("&Undo:"));
    QAction* redo = m_document.undoStack().createRedoAction(this, tr("&Redo:"));
    undo->setObjectName(QStringLiteral("undo"));
    redo->setObjectName(QStringLiteral("redo"));
    // "Undo: move", and plain "Undo" where there is nothing to name.
    const auto nameless = [this](QAction* action, const QString& name,
                              void (QUndoStack::*changed)(const QString&)) {
        const auto show = [action, name](const QString& text) {
            if (text.isEmpty())
                action->setText(name);
        };
        connect(&m_document.undoStack(), changed, action, show);
        show({});
    };
    nameless(undo, tr("&Undo"), &QUndoStack::undoTextChanged);
    nameless(redo, tr("&Redo"), &QUndoStack::redoTextChanged);
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
    add("addRack", tr("Add rac&k"), {}, [this] { m_canvas->addRack(); });
    canvasKey("placeCatalogue", tr("&Place the catalogue's item"), tr("Insert"), [this] {
        if (const auto carried = m_catalogue->current()) {
            m_canvas->setFocus();
            m_canvas->pickUp(*carried);
        }
    });
    add("usable", tr("Set usable a&llocation…"), {}, [this] { m_canvas->requestUsable(); });
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
    add("accuracy", tr("&How accurate is this?"), {}, [this] { showAccuracy(); });
    add("glossary", tr("&Glossary"), QKeySequence(tr("Ctrl+Shift+G")), [this] { showGlossary(); });
    add("whatIsThis", tr("&What is this?"), QKeySequence(tr("Shift+F1")),
        [this] { explainFocus(); });
    icon(add("lessons", tr("Less&ons"), {}, [this] { m_lessonsMenu->popup(QCursor::pos()); }),
        Icon::Lessons);
    actionNamed(this, "lessons")->setVisible(false);
    add("about", tr("&About Shardrack"), {}, [this] { showAbout(this); });
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
    const auto* dock = qobject_cast<QDockWidget*>(target->parentWidget());
    const QString name = dock ? dock->windowTitle() : target->accessibleName();
    if (QWidget* main = target->focusProxy(); main && main->isVisible() && main->isEnabled())
        target = main;
    else if (target->focusPolicy() == Qt::NoFocus)
        for (QWidget* child : target->findChildren<QWidget*>())
            if (child->focusPolicy() != Qt::NoFocus && child->isVisible() && child->isEnabled()) {
                target = child;
                break;
            }
    target->setFocus(Qt::TabFocusReason);
    constexpr int kMilliseconds = 3000;
    if (!name.isEmpty())
        statusBar()->showMessage(tr("Keyboard: %1").arg(name), kMilliseconds);
}

void MainWindow::showCommands()
{
    m_find->setFocus(Qt::ShortcutFocusReason);
    m_find->selectAll();
}

} // namespace shardrack
