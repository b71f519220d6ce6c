#include "window_fixture.h"

#include "commands/edit_command.h"
#include "docks/evidence_panel.h"
#include "docks/findings_panel.h"
#include "models/findings_model.h"

#include <QAction>
#include <QDockWidget>
#include <QLineEdit>
#include <QMenuBar>
#include <QPushButton>
#include <QToolBar>
#include <QToolButton>

using namespace shardrack;

namespace {

struct Fixture : WindowFixture {
    Fixture()
        : dock(child<QDockWidget>("evidenceDock"))
    {
        window.activateWindow();
        (void)QTest::qWaitForWindowActive(&window);
    }
    bool inFront()
    {
        settle();
        return dock->isVisible() && !dock->widget()->visibleRegion().isEmpty();
    }
    /// Follows a link as the list of findings does.
    void follow(const char* action)
    {
        emit window.findChild<FindingsPanel*>()->linkActivated(QLatin1String(action), GpuRef {});
        settle();
    }
    QDockWidget* dock;
};

} // namespace

/// The evidence in the main window: its dock, actions, and the links that lead there.
class TestEvidenceDock : public QObject {
    Q_OBJECT
private slots:
    void hiddenAtFirst();
    void shortcutShowsAndHides();
    void toolBarAndMenu();
    void linksLeadThere();
    void linksLeadToTheWorkload_data();
    void linksLeadToTheWorkload();
    void stripNamesTheCoverage();
};

void TestEvidenceDock::hiddenAtFirst()
{
    Fixture on;
    QVERIFY(on.dock);
    QVERIFY(!on.dock->isVisible());
    QVERIFY(!on.child<QAction>("evidence")->isChecked());
    QVERIFY(on.child<QDockWidget>("findingsDock")->isVisible());
}

void TestEvidenceDock::shortcutShowsAndHides()
{
    Fixture on;
    QTest::keyClick(&on.window, Qt::Key_E, Qt::ControlModifier);
    QVERIFY(on.inFront());
    QVERIFY(on.child<QAction>("evidence")->isChecked());
    QVERIFY(on.child<QPushButton>("measurementAdd")->hasFocus());
    // Behind the findings it comes to the front, and does not go away.
    on.child<QDockWidget>("findingsDock")->raise();
    QVERIFY(!on.inFront());
    QVERIFY(!on.child<QAction>("evidence")->isChecked());
    QTest::keyClick(&on.window, Qt::Key_E, Qt::ControlModifier);
    QVERIFY(on.inFront());
    QTest::keyClick(&on.window, Qt::Key_E, Qt::ControlModifier);
    QVERIFY(!on.inFront());
    QVERIFY(!on.child<QAction>("evidence")->isChecked());
    QVERIFY(on.child<QDockWidget>("findingsDock")->isVisible());
}

void TestEvidenceDock::toolBarAndMenu()
{
    Fixture on;
    auto* action = on.child<QAction>("evidence");
    auto* button
        = qobject_cast<QToolButton*>(on.child<QToolBar>("toolBar")->widgetForAction(action));
    QVERIFY(button && button->isVisible());
    QTest::mouseClick(button, Qt::LeftButton);
    QVERIFY(on.inFront());
    bool inMenu = false;
    for (QAction* menu : on.window.menuBar()->actions())
        inMenu = inMenu
            || (menu->menu() && menu->menu()->actions().contains(action)
                && menu->menu()->actions().contains(on.child<QAction>("addMeasurement")));
    QVERIFY(inMenu);
    on.child<QAction>("recordResult")->trigger();
    on.settle();
    QVERIFY(on.child<QWidget>("outcomeResult")->hasFocus());
}

void TestEvidenceDock::linksLeadThere()
{
    Fixture on;
    on.follow(FindingsModel::kAddMeasurement);
    QVERIFY(on.inFront());
    QVERIFY(on.child<QLineEdit>("measurementDevices")->hasFocus());
    on.child<QDockWidget>("findingsDock")->raise();
    on.follow(FindingsModel::kShowResult);
    QVERIFY(on.inFront());
    QVERIFY(on.child<QWidget>("outcomeResult")->hasFocus());
    on.dock->hide();
    Measurement measurement;
    measurement.peak = Bytes(12 * kGiB);
    perform(on.window.document(), edit::SetMeasurements { 0, { measurement } });
    on.settle();
    on.follow(FindingsModel::kShowEvidence);
    QVERIFY(on.inFront());
    QVERIFY(on.child<QWidget>("measurements")->hasFocus());
}

void TestEvidenceDock::linksLeadToTheWorkload_data()
{
    QTest::addColumn<QString>("action");
    QTest::addColumn<QString>("field");
    QTest::newRow("workload") << FindingsModel::kShowWorkload << "stateBasis";
    QTest::newRow("layout") << FindingsModel::kShowLayout << "layout";
    QTest::newRow("terms") << FindingsModel::kStateTerms << "termGathered";
}

void TestEvidenceDock::linksLeadToTheWorkload()
{
    QFETCH(QString, action);
    QFETCH(QString, field);
    Fixture on;
    auto* dock = on.child<QDockWidget>("workloadDock");
    dock->hide();
    on.follow(action.toLatin1().constData());
    QVERIFY(dock->isVisible());
    const auto* target = on.child<QWidget>(field.toLatin1().constData());
    QVERIFY(target->isVisible());
    const QWidget* focus = QApplication::focusWidget();
    QVERIFY(focus && (focus == target || target->isAncestorOf(focus)));
}

void TestEvidenceDock::stripNamesTheCoverage()
{
    Fixture on;
    on.showOffer("Offer S");
    std::vector<GpuRef> gpus { { 1, 0 }, { 1, 1 }, { 1, 2 }, { 1, 3 } };
    perform(on.window.document(), edit::SetUsable { 1, gpus, Bytes(16 * kGiB), true });
    Measurement measurement;
    measurement.devices = "A1·0-1";
    measurement.peak = Bytes(12 * kGiB);
    measurement.phases.set(RunPhase::Init);
    measurement.completeSteps = 2;
    perform(on.window.document(), edit::SetMeasurements { 1, { measurement } });
    on.settle();
    const QString strip = on.child<QWidget>("findingsStrip")->accessibleDescription();
    QVERIFY2(strip.contains("Demonstrated fit: Partial coverage, 2 of 4."), qPrintable(strip));
}

QTEST_MAIN(TestEvidenceDock)
#include "test_evidence_dock.moc"
