#include "dock_fixture.h"
#include "docks/account_view.h"
#include "docks/catalogue_panel.h"
#include "docks/findings_list.h"
#include "docks/findings_panel.h"
#include "docks/inspector_panel.h"
#include "models/account_model.h"
#include "models/catalogue_model.h"
#include "models/findings_model.h"

#include <QClipboard>
#include <QHeaderView>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTreeView>

using namespace shardrack;

/// Catalogue, inspector and findings.
class TestDockLists : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qRegisterMetaType<Carried>(); }

    void catalogueFiltersAndPicksUp()
    {
        DockFixture fixture("ts-24");
        CataloguePanel panel(fixture.document);
        panel.resize(262, 420);
        panel.show();
        auto* tree = panel.findChild<QTreeView*>();
        auto* filter = panel.findChild<QLineEdit*>();
        QVERIFY(tree->uniformRowHeights());
        QVERIFY(!panel.current());
        const int groups = tree->model()->rowCount();
        QCOMPARE(groups, 3);
        QSignalSpy picked(&panel, &CataloguePanel::pickedUp);

        QTest::keyClicks(filter, QStringLiteral("pcie-4GPU 16gib"));
        QCOMPARE(tree->model()->rowCount(), 1); // servers only
        QCOMPARE(tree->model()->rowCount(tree->model()->index(0, 0)), 1);
        QTest::keyClick(filter, Qt::Key_Down);
        const auto carried = panel.current();
        QVERIFY(carried);
        QCOMPARE(carried->kind, Carried::Kind::ServerType);
        QCOMPARE(carried->type, std::string("pcie-4gpu-16gib"));
        QTest::keyClick(tree, Qt::Key_Insert);
        QCOMPARE(picked.size(), 1);
        QTest::keyClick(tree, Qt::Key_Return);
        QCOMPARE(picked.size(), 2);
        QCOMPARE(picked.at(1).at(0).value<Carried>(), *carried);

        filter->clear();
        QCOMPARE(tree->model()->rowCount(), groups);
        const QModelIndex racks = tree->model()->index(0, 0);
        tree->setCurrentIndex(racks);
        QVERIFY(!panel.current());
        QTest::keyClick(tree, Qt::Key_Return);
        QVERIFY(!tree->isExpanded(racks));
        QCOMPARE(picked.size(), 2);
    }

    void inspectorFollowsTheSelection()
    {
        DockFixture fixture("ts-24");
        InspectorPanel panel(fixture.document, fixture.selection);
        panel.resize(352, 480);
        panel.show();
        QSignalSpy subtitle(&panel, &InspectorPanel::subtitleChanged);
        fixture.selection.selectGpu({ 1, 2 });
        QCOMPARE(subtitle.size(), 1);
        QCOMPARE(panel.subtitle(), QStringLiteral("rank 2 on A1·2"));
        QVERIFY(panel.findChild<AccountView*>()->horizontalHeader()->isHidden());
    }

    void inspectorShowsWhatIfColumns()
    {
        DockFixture fixture("ts-24");
        fixture.document.setCurrentOffer(1);
        InspectorPanel panel(fixture.document, fixture.selection);
        panel.resize(352, 480);
        panel.show();
        auto* view = panel.findChild<AccountView*>();
        QVERIFY(view->isColumnHidden(AccountModel::WhatIfColumn));
        fixture.tryAnotherServer(); // 24 ÷ 4 becomes 24 ÷ 8
        QVERIFY(!view->isColumnHidden(AccountModel::WhatIfColumn));
        QVERIFY(!view->isColumnHidden(AccountModel::ChangeColumn));
        QVERIFY(view->horizontalHeader()->isVisible());
        const QModelIndex state = view->model()->index(1, AccountModel::NameColumn);
        QCOMPARE(state.siblingAtColumn(AccountModel::NowColumn).data().toString(),
            QStringLiteral("6.00"));
        QCOMPARE(state.siblingAtColumn(AccountModel::WhatIfColumn).data().toString(),
            QStringLiteral("3.00"));
        QCOMPARE(state.siblingAtColumn(AccountModel::ChangeColumn).data().toString(),
            QStringLiteral("\u22123.00"));
        fixture.document.clearTry();
        fixture.document.flush();
        QVERIFY(view->isColumnHidden(AccountModel::WhatIfColumn));
    }

    void inspectorCopiesRows()
    {
        DockFixture fixture("ts-24");
        InspectorPanel panel(fixture.document, fixture.selection);
        panel.resize(352, 480);
        panel.show();
        panel.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&panel));
        auto* view = panel.findChild<AccountView*>();
        view->setFocus();
        view->selectRow(1);
        QTest::keyClick(view, Qt::Key_C, Qt::ControlModifier);
        const QString text = QGuiApplication::clipboard()->text();
        QVERIFY2(text.startsWith(QLatin1String("Persistent state, undivided\t24.00\t24 GiB")),
            qPrintable(text));
        view->clearSelection();
        QVERIFY(view->selectedText().split(u'\n').size() == view->model()->rowCount());
        // Rows are tall enough for what is in them.
        for (int row = 0; row < view->model()->rowCount(); ++row)
            QVERIFY(view->rowHeight(row) >= 16);
        QTest::keyClick(view, Qt::Key_End, Qt::ControlModifier);
        QCOMPARE(view->currentIndex().row(), view->model()->rowCount() - 1);
    }

    void findingsLinks()
    {
        DockFixture fixture("ts-24");
        FindingsPanel panel(fixture.document);
        panel.resize(352, 700);
        panel.show();
        QSignalSpy links(&panel, &FindingsPanel::linkActivated);
        auto* list = panel.findChild<FindingsList*>();
        QCOMPARE(panel.subtitle(), QStringLiteral("Offer R"));
        list->setCurrentIndex(list->model()->index(0, 0));
        QTest::keyClick(list, Qt::Key_Return);
        QCOMPARE(links.size(), 1);
        QCOMPARE(links.at(0).at(0).toString(), QLatin1String(FindingsModel::kShowOnCanvas));
        QCOMPARE(links.at(0).at(1).value<GpuRef>(), (GpuRef { 1, 0 }));
        // Demonstrated fit leads to its evidence.
        list->setCurrentIndex(list->model()->index(1, 0));
        QTest::keyClick(list, Qt::Key_Return);
        QCOMPARE(links.size(), 2);
        QCOMPARE(links.at(1).at(0).toString(), QLatin1String(FindingsModel::kAddMeasurement));

        // With the mouse: only on the words of the link.
        const QRect row = list->visualRect(list->model()->index(0, 0));
        int hits = 0;
        QPoint hit;
        for (int y = row.top(); y < row.bottom(); y += 4)
            for (int x = row.left(); x < row.right(); x += 6)
                if (static_cast<FindingsDelegate*>(list->itemDelegate())
                        ->onLink(list->model()->index(0, 0), QPointF(x, y))) {
                    ++hits;
                    hit = QPoint(x, y);
                }
        QVERIFY(hits > 0);
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, hit);
        QCOMPARE(links.size(), 3);
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, row.topLeft() + QPoint(12, 8));
        QCOMPARE(links.size(), 3);
    }

    void findingsGrowWithTheirText()
    {
        DockFixture fixture("ts-24");
        FindingsPanel panel(fixture.document);
        panel.resize(352, 700);
        panel.show();
        QCoreApplication::processEvents();
        auto* list = panel.findChild<FindingsList*>();
        const int wide = list->visualRect(list->model()->index(0, 0)).height();
        panel.resize(200, 700);
        QCoreApplication::processEvents();
        QTRY_VERIFY(list->visualRect(list->model()->index(0, 0)).height() > wide);
        QCOMPARE(list->visualRect(list->model()->index(0, 0)).width(), list->viewport()->width());
    }
};

QTEST_MAIN(TestDockLists)
#include "test_dock_lists.moc"
