#pragma once

#include "document/plan_document.h"
#include "document/selection.h"
#include "document/settings.h"

#include <QMainWindow>

#include <functional>
#include <vector>

class QAction;
class QDockWidget;
class QLabel;
class QMenu;
class QToolButton;

namespace shardrack {

class AccuracyDialog;
class CataloguePanel;
class CompareView;
class DockTitle;
class EvidencePanel;
class FindField;
class FindingsPanel;
class FindingsStrip;
class GlossaryDialog;
class GlossaryGuide;
class InspectorPanel;
class MemoryPanel;
class OfferTabs;
class RackCanvas;
class UnsavedBar;
class UnsavedCopy;
class WorkloadPanel;

/// What a person is asked when a plan with changes is about to go away. Tests answer in their
/// place.
enum class SaveChoice { Save, Discard, Cancel };

/// The window: it composes the views over one document and one selection, and owns the actions.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(Settings& settings, QWidget* parent = nullptr);
    ~MainWindow() override;

    PlanDocument& document() { return m_document; }
    Selection& selection() { return m_selection; }
    RackCanvas& canvas() { return *m_canvas; }

    /// Opens a plan, or imports what another program's file says, by the file's ending; false: it
    /// could not be read, and the message bar says why.
    bool openFile(const QString& path);
    static bool isPlanFile(const QString& path);
    /// Opens a plan; a failure is shown in the message bar and nothing changes.
    bool openPlan(const QString& path);
    /// The built-in example by its file name ("ts-24"), as a new plan.
    void openExample(const QString& name);
    /// Makes the workload's model of a model description (config.json); a list of measured runs
    /// opens beside what is predicted for them.
    bool importModel(const QString& path);
    /// Shows what a list of Megatron-LM arguments was taken for; a person may make an offer of it.
    bool importSettings(const QString& path);
    bool showMeasuredRuns(const QString& file, const Json& json);
    void applyTheme(Settings::Theme theme);
    /// Whether the offers stand side by side in the place of canvas and docks.
    bool comparing() const;
    void setComparing(bool compare);
    CompareView& compareView() { return *m_compare; }

    /// From here on the plan is a copy to try things on: the title says what of ("lesson copy"),
    /// nothing else can be opened in its place, and it goes away without a question.
    void makeCopy(const QString& what);
    /// A further panel at the right; it belongs to the window.
    QDockWidget* addPanel(
        const QString& title, const QString& subtitle, const char* name, QWidget* panel, int width);
    /// The menu of lessons: for whoever has some to fill. It shows up with its first entry.
    QMenu& lessonsMenu() { return *m_lessonsMenu; }
    /// The button of the toolbar that opens that menu comes up.
    void showLessons();
    /// Offers what programs that ended without asking had not saved, if anything.
    void offerUnsaved();
    /// In the message bar, until it is dismissed.
    void showError(const QString& text);
    /// What the program was held against, for the offer in front.
    void showAccuracy();
    /// The glossary beside the window, at a word.
    void showGlossary(const QString& word = {});

    /// Seams for tests: how the unsaved-changes question and file dialogs are answered.
    std::function<SaveChoice(const QString& title)> askToSave;
    std::function<QString(bool saving, const QString& suggestion)> askForFile;

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void buildViews();
    void buildActions();
    void buildMenus();
    void buildToolBar();
    void buildStatusBar();
    void connectViews();
    void connectCompare();
    QAction* add(const char* name, const QString& text, const QKeySequence& shortcut,
        const std::function<void()>& run);

    bool mayDiscard();
    /// The window fits on its screen, whatever size it had elsewhere.
    void keepOnScreen();
    QString planTitle() const;
    bool save();
    bool saveAs();
    void newPlan();
    void openWithDialog();
    void restoreUnsaved();
    void fillRecentMenu();
    void explainFocus();
    void showRemark(const QString& text);
    void clearMessage();
    void refreshTitle();
    void refreshStatus();
    void refreshActions();
    void refreshCompareActions();
    QByteArray saveWindowState() const;
    void restoreWindowState(const QByteArray& state);
    void refreshIcons();
    void restyle();
    void chooseTheme(Settings::Theme theme);
    void editUsable(const std::vector<GpuRef>& gpus);
    void editMargin();
    void editTitle();
    void exportReport();
    void selectMostLoaded();
    void followLink(const QString& action);
    /// Goes where a link of the findings leads; an action of FindingsModel.
    void showPlace(const QString& action);
    void showField(const char* name, const char* fold = nullptr);
    class QDockWidget* raisedDock(const char* name);
    void buildEvidenceActions();
    void buildEvidenceMenu();
    void cyclePanels(bool forward);
    void showCommands();

    Settings& m_settings;
    PlanDocument m_document;
    Selection m_selection;
    RackCanvas* m_canvas = nullptr;
    OfferTabs* m_tabs = nullptr;
    FindingsStrip* m_strip = nullptr;
    MemoryPanel* m_memory = nullptr;
    CompareView* m_compare = nullptr;
    QByteArray m_stateBeforeCompare; ///< of the docks; empty while nothing is compared
    WorkloadPanel* m_workload = nullptr;
    CataloguePanel* m_catalogue = nullptr;
    InspectorPanel* m_inspector = nullptr;
    FindingsPanel* m_findings = nullptr;
    EvidencePanel* m_evidence = nullptr;
    std::vector<class QDockWidget*> m_docks;
    QToolButton* m_addOffer = nullptr;
    FindField* m_find = nullptr;
    QLabel* m_zoom = nullptr;
    QWidget* m_messageBar = nullptr;
    QLabel* m_message = nullptr;
    UnsavedBar* m_unsavedBar = nullptr;
    UnsavedCopy* m_unsavedCopy = nullptr;
    QLabel* m_exampleNote = nullptr;
    QLabel* m_units = nullptr;
    QLabel* m_undoText = nullptr;
    QLabel* m_state = nullptr;
    QLabel* m_counts = nullptr;
    QLabel* m_time = nullptr;
    std::vector<std::pair<QAction*, int>> m_icons; ///< actions and their Icon
    QMenu* m_recentMenu = nullptr;
    QMenu* m_lessonsMenu = nullptr;
    QString m_copyOf; ///< what the plan is a copy of; empty: it is the person's own
    AccuracyDialog* m_accuracy = nullptr; ///< made when it is first wanted
    GlossaryDialog* m_glossary = nullptr; ///< made when it is first wanted
    GlossaryGuide* m_guide = nullptr;
    QString m_canvasState;
};

} // namespace shardrack
