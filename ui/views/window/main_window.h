#pragma once

#include "document/plan_document.h"
#include "document/selection.h"
#include "document/settings.h"

#include <QMainWindow>

#include <functional>
#include <vector>

class QAction;
class QLabel;
class QToolButton;

namespace shardrack {

class CataloguePanel;
class DockTitle;
class FindField;
class FindingsPanel;
class FindingsStrip;
class InspectorPanel;
class MemoryPanel;
class OfferTabs;
class RackCanvas;
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

    /// Opens a plan; a failure is shown in the message bar and nothing changes.
    bool openPlan(const QString& path);
    /// The built-in example by its file name ("ts-24"), as a new plan.
    void openExample(const QString& name);
    /// Makes an offer's workload from a model description (config.json).
    bool importModel(const QString& path);
    void applyTheme(Settings::Theme theme);

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
    void fillRecentMenu();
    void showError(const QString& text);
    void showRemark(const QString& text);
    void clearMessage();
    void refreshTitle();
    void refreshStatus();
    void refreshActions();
    void refreshIcons();
    void restyle();
    void chooseTheme(Settings::Theme theme);
    void editUsable(const std::vector<GpuRef>& gpus);
    void editMargin();
    void editTitle();
    void selectMostLoaded();
    void followLink(const QString& action);
    void cyclePanels(bool forward);
    void showCommands();

    Settings& m_settings;
    PlanDocument m_document;
    Selection m_selection;
    RackCanvas* m_canvas = nullptr;
    OfferTabs* m_tabs = nullptr;
    FindingsStrip* m_strip = nullptr;
    MemoryPanel* m_memory = nullptr;
    WorkloadPanel* m_workload = nullptr;
    CataloguePanel* m_catalogue = nullptr;
    InspectorPanel* m_inspector = nullptr;
    FindingsPanel* m_findings = nullptr;
    std::vector<class QDockWidget*> m_docks;
    QToolButton* m_addOffer = nullptr;
    FindField* m_find = nullptr;
    QLabel* m_zoom = nullptr;
    QWidget* m_messageBar = nullptr;
    QLabel* m_message = nullptr;
    QLabel* m_exampleNote = nullptr;
    QLabel* m_units = nullptr;
    QLabel* m_undoText = nullptr;
    QLabel* m_state = nullptr;
    QLabel* m_counts = nullptr;
    QLabel* m_time = nullptr;
    std::vector<std::pair<QAction*, int>> m_icons; ///< actions and their Icon
    QMenu* m_recentMenu = nullptr;
    QString m_canvasState;
};

} // namespace shardrack
