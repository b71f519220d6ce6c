#include "window/main_window.h"

#include "canvas/rack_canvas.h"
#include "commands/drop.h"
#include "commands/edit_command.h"
#include "compare/compare_view.h"
#include "docks/catalogue_panel.h"
#include "docks/evidence_panel.h"
#include "docks/findings_panel.h"
#include "docks/inspector_panel.h"
#include "docks/memory_panel.h"
#include "docks/workload_panel.h"
#include "style/view_style.h"
#include "window/dock_title.h"
#include "window/findings_strip.h"
#include "window/glossary_guide.h"
#include "window/offer_tabs.h"
#include "window/size_question.h"
#include "window/unsaved_bar.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QMessageBox>
#include <QScreen>
#include <QSplitter>
#include <QStyleHints>
#include <QToolButton>
#include <QVBoxLayout>

namespace shardrack {

namespace {

constexpr int kStateVersion = 1;

SaveChoice askInABox(QWidget* parent, const QString& title)
{
    const auto answer = QMessageBox::question(parent, QObject::tr("Unsaved changes"),
        QObject::tr("“%1” has changes that are not saved.").arg(title),
        QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Save);
    return answer == QMessageBox::Save   ? SaveChoice::Save
        : answer == QMessageBox::Discard ? SaveChoice::Discard
                                         : SaveChoice::Cancel;
}

} // namespace

MainWindow::MainWindow(Settings& settings, QWidget* parent)
    : QMainWindow(parent)
    , m_settings(settings)
{
    setObjectName(QStringLiteral("mainWindow"));
    setAcceptDrops(true);
    setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    askToSave = [this](const QString& title) { return askInABox(this, title); };
    askForFile = [this](bool saving, const QString& suggestion) {
        const QString filter = tr(
            "Shardrack plans (*.shardrack);;Model descriptions (*.json);;Megatron-LM arguments "
            "(*.sh *.yaml *.yml *.txt *.args);;All files (*)");
        return saving ? QFileDialog::getSaveFileName(
                   this, tr("Save plan"), suggestion, tr("Shardrack plans (*.shardrack)"))
                      : QFileDialog::getOpenFileName(this, tr("Open plan"), suggestion, filter);
    };
    buildViews();
    buildActions();
    buildMenus();
    buildToolBar();
    buildStatusBar();
    connectViews();
    resize(1600, 1000);
    restoreGeometry(m_settings.windowGeometry());
    keepOnScreen();
    restoreWindowState(m_settings.windowState());
    restyle();
    refreshTitle();
    refreshStatus();
    refreshActions();
    m_canvas->setFocus();
}

MainWindow::~MainWindow()
{
    // The views are children and die after m_document: they must not hear of its end.
    m_document.disconnect();
    m_document.undoStack().disconnect(this);
    m_selection.disconnect();
    for (QWidget* child : findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
        delete child;
}

QByteArray MainWindow::saveWindowState() const { return saveState(kStateVersion); }

void MainWindow::restoreWindowState(const QByteArray& state) { restoreState(state, kStateVersion); }

void MainWindow::keepOnScreen()
{
    const QScreen* place = screen() ? screen() : QApplication::primaryScreen();
    if (!place || isMaximized() || isFullScreen())
        return;
    // Room for the title bar and borders, whose size is only known once the window is shown.
    const QRect room = place->availableGeometry().adjusted(0, 0, -2, -36);
    if (width() > room.width() || height() > room.height())
        resize(size().boundedTo(room.size()).expandedTo(minimumSizeHint()));
    if (!place->availableGeometry().contains(geometry().center()))
        move(place->availableGeometry().topLeft());
}

void MainWindow::buildViews()
{
    auto* central = new QWidget(this);
    auto* column = new QVBoxLayout(central);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);

    m_messageBar = new QWidget(central);
    m_messageBar->setObjectName(QStringLiteral("messageBar"));
    m_messageBar->setAutoFillBackground(true);
    auto* messageRow = new QHBoxLayout(m_messageBar);
    messageRow->setContentsMargins(12, 6, 6, 6);
    m_message = new QLabel(m_messageBar);
    m_message->setTextFormat(Qt::PlainText);
    m_message->setWordWrap(true);
    m_message->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto* dismiss = new QToolButton(m_messageBar);
    dismiss->setAutoRaise(true);
    dismiss->setText(tr("Dismiss"));
    connect(dismiss, &QToolButton::clicked, this, &MainWindow::clearMessage);
    messageRow->addWidget(m_message, 1);
    messageRow->addWidget(dismiss);
    m_messageBar->hide();
    column->addWidget(m_messageBar);

    m_unsavedBar = new UnsavedBar(central);
    connect(m_unsavedBar, &UnsavedBar::restoreWanted, this, &MainWindow::restoreUnsaved);
    connect(m_unsavedBar, &UnsavedBar::discardWanted, this, [this] {
        UnsavedCopy::remove(m_unsavedBar->plans().front());
        m_unsavedBar->next();
    });
    column->addWidget(m_unsavedBar);
    m_unsavedCopy = new UnsavedCopy(m_document, m_settings.unsavedFolder(), this);
    connect(m_unsavedCopy, &UnsavedCopy::failed, this, [this](const QString& why) {
        showError(tr("No copy of what is not saved can be kept against a crash: %1.").arg(why));
    });

    m_exampleNote = new QLabel(central);
    m_exampleNote->setObjectName(QStringLiteral("exampleNote"));
    m_exampleNote->setWordWrap(true);
    m_exampleNote->setContentsMargins(14, 5, 14, 5);
    m_exampleNote->setAutoFillBackground(true);
    m_exampleNote->hide();

    m_strip = new FindingsStrip(m_document, central);
    column->addWidget(m_strip);
    column->addWidget(m_exampleNote);

    auto* splitter = new QSplitter(Qt::Vertical, central);
    splitter->setObjectName(QStringLiteral("centre"));
    splitter->setChildrenCollapsible(false);
    m_canvas = new RackCanvas(m_document, m_selection, splitter);
    m_memory = new MemoryPanel(m_document, m_selection, splitter);
    splitter->addWidget(m_canvas);
    splitter->addWidget(m_memory);
    splitter->setStretchFactor(0, 50);
    splitter->setStretchFactor(1, 50);
    splitter->setSizes({ 450, 400 });
    column->addWidget(splitter, 1);
    m_compare = new CompareView(m_document, m_settings, central);
    m_compare->hide();
    column->addWidget(m_compare, 1);
    setCentralWidget(central);

    m_workload = new WorkloadPanel(m_document, this);
    m_catalogue = new CataloguePanel(m_document, this);
    m_inspector = new InspectorPanel(m_document, m_selection, this);
    m_findings = new FindingsPanel(m_document, this);
    m_evidence = new EvidencePanel(m_document, m_selection, this);
    const auto dock
        = [this](const QString& title, const char* name, QWidget* panel, Qt::DockWidgetArea area) {
              auto* widget = new QDockWidget(title, this);
              widget->setObjectName(QLatin1String(name));
              widget->setWidget(panel);
              widget->setTitleBarWidget(new DockTitle(widget));
              addDockWidget(area, widget);
              m_docks.push_back(widget);
              return widget;
          };
    auto* workload = dock(tr("Workload"), "workloadDock", m_workload, Qt::LeftDockWidgetArea);
    auto* catalogue = dock(tr("Catalogue"), "catalogueDock", m_catalogue, Qt::LeftDockWidgetArea);
    auto* inspector = dock(tr("Inspector"), "inspectorDock", m_inspector, Qt::RightDockWidgetArea);
    auto* findings = dock(tr("Findings"), "findingsDock", m_findings, Qt::RightDockWidgetArea);
    auto* evidence = dock(tr("Evidence"), "evidenceDock", m_evidence, Qt::RightDockWidgetArea);
    tabifyDockWidget(findings, evidence);
    evidence->hide();
    const int left = qRound(metrics::kLeftDock * uiScale());
    const int right = qRound(metrics::kRightDock * uiScale());
    resizeDocks({ workload, catalogue }, { left, left }, Qt::Horizontal);
    resizeDocks({ inspector, findings }, { right, right }, Qt::Horizontal);
    resizeDocks({ workload, catalogue }, { 460, 420 }, Qt::Vertical);
    resizeDocks({ inspector, findings }, { 480, 400 }, Qt::Vertical);
}

void MainWindow::connectViews()
{
    const auto refresh = [this] {
        refreshTitle();
        refreshStatus();
        refreshActions();
    };
    connect(&m_document, &PlanDocument::changed, this, refresh);
    connect(&m_document, &PlanDocument::resetDone, this, refresh);
    connect(&m_document, &PlanDocument::currentOfferChanged, this, refresh);
    connect(&m_document, &PlanDocument::fileStateChanged, this, &MainWindow::refreshTitle);
    connect(&m_document, &PlanDocument::whatIfChanged, this, &MainWindow::refreshStatus);
    connect(&m_document.undoStack(), &QUndoStack::indexChanged, this, &MainWindow::refreshStatus);
    connect(&m_selection, &Selection::changed, this, &MainWindow::refreshStatus);
    connect(&m_selection, &Selection::changed, this, &MainWindow::refreshActions);
    const auto prune = [this] {
        if (const auto current = m_document.current())
            m_selection.prune(current->assessment->index, current->get().site);
        else
            m_selection.clear();
    };
    connect(&m_document, &PlanDocument::changed, this, prune);
    connect(&m_document, &PlanDocument::currentOfferChanged, &m_selection, &Selection::clear);
    connect(&m_document, &PlanDocument::resetDone, &m_selection, &Selection::clear);

    connect(m_canvas, &RackCanvas::statusMessage, this, [this](const QString& text) {
        m_canvasState = text;
        refreshStatus();
    });
    connect(m_canvas, &RackCanvas::usableRequested, this, &MainWindow::editUsable);
    connect(m_canvas, &RackCanvas::openExampleRequested, this, [this] {
        if (mayDiscard())
            openExample(QStringLiteral("ts-24"));
    });
    connect(m_canvas, &RackCanvas::openPlanRequested, this, &MainWindow::openWithDialog);
    connect(m_catalogue, &CataloguePanel::pickedUp, m_canvas, [this](const Carried& carried) {
        m_canvas->setFocus();
        m_canvas->pickUp(carried);
    });
    connect(m_canvas, &RackCanvas::catalogueItemRequested, this, [this] {
        if (const auto carried = m_catalogue->current())
            m_canvas->pickUp(*carried);
        else
            showError(
                tr("No rack, server or GPU is chosen in the catalogue: go there with F6, choose a "
                   "row with the arrows, and press Insert."));
    });
    connect(m_workload, &WorkloadPanel::importModelRequested, this,
        [this] { findChild<QAction*>(QStringLiteral("importModel"))->trigger(); });
    connect(m_strip, &FindingsStrip::showMostLoaded, this, &MainWindow::selectMostLoaded);
    connect(m_findings, &FindingsPanel::linkActivated, this, &MainWindow::followLink);
    connect(m_tabs, &OfferTabs::refused, this, &MainWindow::showError);
    connectCompare();
    connect(m_inspector, &InspectorPanel::subtitleChanged, this, [this](const QString& text) {
        static_cast<DockTitle*>(m_docks[2]->titleBarWidget())->setSubtitle(text);
    });
    static_cast<DockTitle*>(m_docks[2]->titleBarWidget())->setSubtitle(m_inspector->subtitle());
    connect(m_findings, &FindingsPanel::subtitleChanged, this, [this](const QString& text) {
        static_cast<DockTitle*>(m_docks[3]->titleBarWidget())->setSubtitle(text);
    });
    static_cast<DockTitle*>(m_docks[3]->titleBarWidget())->setSubtitle(m_findings->subtitle());
    connect(&m_settings, &Settings::themeChanged, this, &MainWindow::applyTheme);
    m_guide = new GlossaryGuide(this);
    connect(m_guide, &GlossaryGuide::wordRequested, this, &MainWindow::showGlossary);
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (!mayDiscard()) {
        event->ignore();
        return;
    }
    if (!m_copyOf.isEmpty()) {
        event->accept(); // its docks are arranged for the lesson
        return;
    }
    // Docks that only the comparison hides are there again next time.
    m_settings.setWindow(saveGeometry(), comparing() ? m_stateBeforeCompare : saveWindowState());
    event->accept();
}

void MainWindow::changeEvent(QEvent* event)
{
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        restyle();
}

void MainWindow::applyTheme(Settings::Theme theme)
{
    // The palette the program started with tells what the system wants.
    static const QPalette system = QApplication::palette();
    const bool systemIsDark = system.color(QPalette::Window).lightness()
        < system.color(QPalette::WindowText).lightness();
    const bool dark
        = theme == Settings::Theme::Dark || (theme == Settings::Theme::System && systemIsDark);
    QApplication::setPalette((dark ? Theme::dark() : Theme::light()).palette());
}

void MainWindow::restyle()
{
    const Theme& theme = themeOf(this);
    if (!m_exampleNote || m_exampleNote->palette().color(QPalette::Window) == theme.flagTint)
        return refreshIcons();
    QPalette note = palette();
    note.setColor(QPalette::Window, theme.flagTint);
    note.setColor(QPalette::WindowText, theme.text);
    m_exampleNote->setPalette(note);
    m_unsavedBar->setPalette(note);
    QPalette message = palette();
    message.setColor(QPalette::Window, theme.overTint);
    message.setColor(QPalette::WindowText, theme.text);
    m_messageBar->setPalette(message);
    refreshIcons();
    refreshCompareActions();
}

void MainWindow::showError(const QString& text)
{
    m_message->setText(text);
    m_messageBar->show();
}

void MainWindow::showRemark(const QString& text) { showError(text); }

void MainWindow::clearMessage() { m_messageBar->hide(); }

void MainWindow::editUsable(const std::vector<GpuRef>& gpus)
{
    const auto current = m_document.current();
    if (!current || gpus.empty())
        return;
    const std::int32_t first = current->assessment->index.ordinal(gpus.front());
    if (first < 0)
        return;
    const UsableAllocation usable = current->assessment->index.kind(first).usable;
    SizeQuestion question(tr("Usable allocation"),
        gpus.size() == 1
            ? tr("What can the job have on this GPU? Given by a person, it counts as confirmed.")
            : tr("What can the job have on each of %1 GPUs? Given by a person, it counts as "
                 "confirmed.")
                  .arg(groupedNumber(static_cast<std::int64_t>(gpus.size()))),
        usable.bytes, this);
    question.setEmptyMeaning(tr("Leave empty to go back to the catalogue's figure."));
    if (question.exec() != QDialog::Accepted)
        return;
    if (const auto error
        = perform(m_document, edit::SetUsable { current->offer, gpus, question.value(), true }))
        showError(QString::fromStdString(error->text()));
}

void MainWindow::editMargin()
{
    const RequiredMargin margin = m_document.plan()->margin;
    SizeQuestion question(tr("Required margin"),
        tr("How much must stay free on every device, and who says so?"), margin.bytes, this);
    question.setEmptyMeaning(tr("Leave empty while nobody has stated one."));
    question.addText(
        tr("Basis"), QString::fromStdString(margin.basis), tr("policy, experience, measurement"));
    if (question.exec() != QDialog::Accepted)
        return;
    RequiredMargin changed = margin;
    changed.bytes = question.value();
    changed.basis = changed.bytes ? question.text().toStdString() : std::string();
    if (const auto error = perform(m_document, edit::SetMargin { changed }))
        showError(QString::fromStdString(error->text()));
}

void MainWindow::selectMostLoaded()
{
    const auto current = m_document.current();
    if (!current || current->assessment->findings.mostLoadedClass < 0)
        return;
    setComparing(false);
    const Assessment& assessment = *current->assessment;
    m_selection.selectGpu(assessment.index.ref(assessment.findings.mostLoadedGpu));
    m_canvas->setFocus();
}

void MainWindow::followLink(const QString& action)
{
    const auto current = m_document.current();
    if (!current)
        return;
    if (action == QLatin1String("show-on-canvas")) {
        selectMostLoaded();
    } else if (action == QLatin1String("state-usable")) {
        std::vector<GpuRef> gpus;
        const SiteIndex& index = current->assessment->index;
        for (std::int32_t gpu = 0; gpu < index.gpuCount(); ++gpu)
            if (index.kind(gpu).usable.provenance == Provenance::NotEstablished)
                gpus.push_back(index.ref(gpu));
        editUsable(gpus);
    } else {
        showPlace(action);
    }
}

} // namespace shardrack
