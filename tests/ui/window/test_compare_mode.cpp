// The comparison in the main window: how it comes, goes, and what it leaves alone.

#include "window_fixture.h"

#include "compare/compare_view.h"
#include "compare/comparison_model.h"
#include "compare/comparison_table.h"

#include <QAction>
#include <QDockWidget>
#include <QHeaderView>
#include <QLineEdit>
#include <QTabBar>
#include <QToolButton>

using namespace shardrack;

namespace {

QStringList shownDocks(WindowFixture& fixture)
{
    QStringList names;
    for (QDockWidget* dock : fixture.window.findChildren<QDockWidget*>())
        if (dock->isVisible())
            names << dock->objectName();
    names.sort();
    return names;
}

} // namespace

class TestCompareMode : public QObject {
    Q_OBJECT

private slots:
    void buttonShowsAndLeaves();
    void docksComeBackAsTheyWere();
    void closedWhileComparing();
    void escapeAndShortcut();
    void opensAnOffer();
    void showsADevice();
    void tabsLeave();
    void needsTwoOffers();
    void canvasActionsRest();
    void renameKeyEditsTheCell();
};

void TestCompareMode::buttonShowsAndLeaves()
{
    WindowFixture fixture;
    auto* button = fixture.child<QToolButton>("compareButton");
    QVERIFY(button && button->isVisible() && button->isCheckable());
    QVERIFY(!fixture.window.comparing());
    button->click();
    fixture.settle();
    QVERIFY(fixture.window.comparing() && button->isChecked());
    QVERIFY(fixture.window.compareView().isVisible());
    QVERIFY(!fixture.window.canvas().isVisible());
    QVERIFY(!fixture.child<QWidget>("findingsStrip")->isVisible());
    QCOMPARE(shownDocks(fixture), QStringList());
    // The example is marked as such wherever it is shown.
    QVERIFY(fixture.child<QWidget>("exampleNote")->isVisible());
    button->click();
    fixture.settle();
    QVERIFY(!fixture.window.comparing() && !button->isChecked());
    QVERIFY(fixture.window.canvas().isVisible());
}

void TestCompareMode::docksComeBackAsTheyWere()
{
    WindowFixture fixture;
    fixture.child<QDockWidget>("catalogueDock")->close();
    fixture.settle();
    const QStringList before = shownDocks(fixture);
    QVERIFY(before.size() >= 3 && !before.contains("catalogueDock"));
    const int width = fixture.child<QDockWidget>("inspectorDock")->width();
    fixture.window.setComparing(true);
    fixture.settle();
    fixture.window.setComparing(false);
    fixture.settle();
    QCOMPARE(shownDocks(fixture), before);
    QCOMPARE(fixture.child<QDockWidget>("inspectorDock")->width(), width);
}

void TestCompareMode::closedWhileComparing()
{
    WindowFixture fixture;
    const QStringList before = shownDocks(fixture);
    fixture.window.setComparing(true);
    fixture.settle();
    fixture.window.close();
    MainWindow next(fixture.settings);
    next.resize(1600, 1000);
    next.show();
    QApplication::processEvents();
    QStringList names;
    for (QDockWidget* dock : next.findChildren<QDockWidget*>())
        if (dock->isVisible())
            names << dock->objectName();
    names.sort();
    QCOMPARE(names, before);
}

void TestCompareMode::escapeAndShortcut()
{
    WindowFixture fixture;
    auto* action = fixture.child<QAction>("compare");
    QCOMPARE(action->shortcut(), QKeySequence("Ctrl+Shift+C"));
    action->trigger();
    fixture.settle();
    QVERIFY(fixture.window.comparing());
    QTest::keyClick(&fixture.window.compareView().table(), Qt::Key_Escape);
    fixture.settle();
    QVERIFY(!fixture.window.comparing());
}

void TestCompareMode::opensAnOffer()
{
    WindowFixture fixture;
    fixture.window.setComparing(true);
    fixture.settle();
    QHeaderView& header = *fixture.window.compareView().table().horizontalHeader();
    QTest::mouseClick(
        header.viewport(), Qt::LeftButton, {}, QPoint(header.sectionViewportPosition(2) + 40, 15));
    fixture.settle();
    QVERIFY(!fixture.window.comparing());
    QCOMPARE(fixture.window.document().currentOffer(), 1);
}

void TestCompareMode::showsADevice()
{
    WindowFixture fixture;
    fixture.window.setComparing(true);
    fixture.settle();
    emit fixture.window.compareView().showDeviceRequested(1);
    fixture.settle();
    QVERIFY(!fixture.window.comparing());
    QCOMPARE(fixture.window.document().currentOffer(), 1);
    QCOMPARE(fixture.window.selection().gpus().size(), std::size_t(1));
}

void TestCompareMode::tabsLeave()
{
    WindowFixture fixture;
    fixture.window.setComparing(true);
    fixture.settle();
    auto* tabs = fixture.window.findChild<QTabBar*>();
    for (auto* each : fixture.window.findChildren<QTabBar*>())
        if (each->count() == 2 && each->tabText(0).startsWith("Offer R"))
            tabs = each;
    QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(0).center());
    fixture.settle();
    QVERIFY(!fixture.window.comparing());
}

void TestCompareMode::needsTwoOffers()
{
    WindowFixture fixture;
    auto* action = fixture.child<QAction>("compare");
    QVERIFY(action->isEnabled());
    fixture.child<QAction>("closeOffer")->trigger();
    fixture.settle();
    QVERIFY(!action->isEnabled());
    fixture.child<QAction>("undo")->trigger();
    fixture.settle();
    QVERIFY(action->isEnabled());
}

void TestCompareMode::canvasActionsRest()
{
    WindowFixture fixture;
    QVERIFY(fixture.child<QAction>("zoomIn")->isEnabled());
    fixture.window.setComparing(true);
    fixture.settle();
    for (const char* name : { "zoomIn", "fit", "selectAll", "addRack" })
        QVERIFY2(!fixture.child<QAction>(name)->isEnabled(), name);
    QVERIFY(fixture.child<QAction>("undo") && fixture.child<QAction>("addOffer")->isEnabled());
    fixture.window.setComparing(false);
    fixture.settle();
    for (const char* name : { "zoomIn", "fit", "selectAll", "addRack" })
        QVERIFY2(fixture.child<QAction>(name)->isEnabled(), name);
    // What needs a selection still does.
    QVERIFY(!fixture.child<QAction>("removeRanks")->isEnabled());
}

void TestCompareMode::renameKeyEditsTheCell()
{
    WindowFixture fixture;
    fixture.window.setComparing(true);
    fixture.settle();
    CompareView& view = fixture.window.compareView();
    const int line = view.model().lineOf(QStringLiteral("interconnect"));
    view.table().setFocus();
    view.table().setCurrentIndex(view.model().index(line, 1));
    QTest::keyClick(&view.table(), Qt::Key_F2);
    fixture.settle();
    auto* editor = view.table().viewport()->findChild<QLineEdit*>();
    QVERIFY(editor && editor->isVisible()); // and no tab is being renamed
    QVERIFY(!fixture.child<QWidget>("offerBar")->findChild<QLineEdit*>());
}

QTEST_MAIN(TestCompareMode)
#include "test_compare_mode.moc"
