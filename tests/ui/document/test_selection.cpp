#include "document/selection.h"
#include "plans.h"

#include <QSignalSpy>
#include <QTest>

using namespace shardrack;

namespace {
using Gpus = std::vector<GpuRef>;
}

class TestSelection : public QObject {
    Q_OBJECT
private slots:
    void select();
    void serversAndRacks();
    void hover();
    void prune();
};

void TestSelection::select()
{
    Selection selection;
    QSignalSpy changed(&selection, &Selection::changed);
    QVERIFY(selection.empty());
    selection.selectGpu({ 1, 2 });
    QCOMPARE(selection.gpus(), (Gpus { { 1, 2 } }));
    selection.selectGpu({ 1, 2 });
    QCOMPARE(changed.count(), 1);
    selection.toggleGpu({ 1, 0 });
    QCOMPARE(selection.gpus(), (Gpus { { 1, 0 }, { 1, 2 } }));
    QCOMPARE(selection.focus(), (GpuRef { 1, 0 }));
    QVERIFY(selection.contains({ 1, 2 }) && !selection.contains({ 1, 1 }));
    selection.toggleGpu({ 1, 2 });
    QCOMPARE(selection.gpus(), (Gpus { { 1, 0 } }));
    selection.selectGpus({ { 2, 1 }, { 1, 0 }, { 2, 1 } }, { 2, 1 });
    QCOMPARE(selection.gpus(), (Gpus { { 1, 0 }, { 2, 1 } }));
    QCOMPARE(changed.count(), 4);
    selection.clear();
    selection.clear();
    QVERIFY(selection.empty());
    QCOMPARE(changed.count(), 5);
}

void TestSelection::serversAndRacks()
{
    Selection selection;
    selection.selectServer(7, {});
    QVERIFY(!selection.empty());
    QCOMPARE(selection.server(), 7);
    selection.selectRack(2, { { 9, 0 }, { 9, 1 } });
    QCOMPARE(selection.server(), 0);
    QCOMPARE(selection.rack(), 2);
    QCOMPARE(selection.focus(), (GpuRef { 9, 0 }));
    selection.toggleGpu({ 9, 1 });
    QCOMPARE(selection.rack(), -1);
    QCOMPARE(selection.gpus(), (Gpus { { 9, 0 } }));
}

void TestSelection::hover()
{
    Selection selection;
    QSignalSpy changed(&selection, &Selection::changed);
    QSignalSpy hovered(&selection, &Selection::hoverChanged);
    selection.setHovered({ 1, 1 });
    selection.setHovered({ 1, 1 });
    QCOMPARE(hovered.count(), 1);
    QCOMPARE(changed.count(), 0);
}

void TestSelection::prune()
{
    Site site;
    site.racks.push_back(testRack("A", { testServer(1, "A1", 1, 2) }));
    const SiteIndex index(site, Catalogue::builtIn());
    Selection selection;
    selection.selectGpus({ { 1, 0 }, { 1, 1 }, { 1, 2 }, { 2, 0 } }, { 2, 0 });
    selection.setHovered({ 2, 0 });
    QSignalSpy changed(&selection, &Selection::changed);
    selection.prune(index, site);
    QCOMPARE(selection.gpus(), (Gpus { { 1, 0 }, { 1, 1 } }));
    QCOMPARE(selection.focus(), (GpuRef { 1, 0 }));
    QCOMPARE(selection.hovered(), GpuRef {});
    QCOMPARE(changed.count(), 1);
    selection.prune(index, site);
    QCOMPARE(changed.count(), 1);
    selection.selectServer(5, {});
    selection.prune(index, site);
    QVERIFY(selection.empty());
    selection.selectServer(1, { { 1, 0 } });
    selection.prune(index, site);
    QCOMPARE(selection.server(), 1);
    selection.selectRack(1, {});
    selection.prune(index, site);
    QVERIFY(selection.empty());
}

QTEST_GUILESS_MAIN(TestSelection)
#include "test_selection.moc"
