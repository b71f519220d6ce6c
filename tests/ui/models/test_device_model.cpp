#include "../document/plans.h"
#include "commands/edit_command.h"
#include "mirror.h"
#include "models/device_model.h"

#include <QAbstractItemModelTester>
#include <QElapsedTimer>
#include <QSortFilterProxyModel>
#include <QTest>

using namespace shardrack;

namespace {

const std::vector<int> kRoles { Qt::DisplayRole, DeviceModel::SortRole, DeviceModel::CapacityRole };

/// `racks` racks of eight servers of eight GPUs.
Plan bigPlan(int racks)
{
    Plan plan = fourGpuPlan();
    Offer offer = *plan.offers[1];
    offer.site.racks.clear();
    ServerId id = 0;
    for (int rack = 0; rack < racks; ++rack) {
        std::vector<Server> servers;
        for (int unit = 1; unit <= 29; unit += 4) {
            ++id;
            servers.push_back(testServer(id, "N" + std::to_string(id), unit, 8, 8));
        }
        offer.site.racks.push_back(testRack("R" + std::to_string(rack), std::move(servers)));
    }
    plan.offers = { std::make_shared<const Offer>(offer) };
    return plan;
}

} // namespace

class TestDeviceModel : public QObject {
    Q_OBJECT
private slots:
    void rows();
    void idleAndUnconfirmed();
    void tellsWhatChanged();
    void whatIfLeavesItAlone();
    void sortsByNumber();
    void manyDevices();
};

void TestDeviceModel::rows()
{
    PlanDocument document;
    document.reset(fourGpuPlan(), {}, false);
    DeviceModel model(document);
    const QAbstractItemModelTester tester(&model);
    QCOMPARE(tableText(model).mid(0, 2),
        (QStringList {
            "A1·0 | 0 | at least 24.00 | 16.00, not confirmed | at most \u22128.00 | Over capacity",
            "A1·1 | 1 | at least 24.00 | 16.00, not confirmed | at most \u22128.00 | Over "
            "capacity" }));
    QCOMPARE(model.rowCount(), 4);
    QCOMPARE(model.gpu(3), (GpuRef { 1, 3 }));
    QCOMPARE(model.rowOf({ 1, 3 }), 3);
    QCOMPARE(model.rowOf({ 2, 0 }), -1);
    QCOMPARE(model.headerData(2, Qt::Horizontal).toString(), QString("Need, GiB"));
}

void TestDeviceModel::idleAndUnconfirmed()
{
    PlanDocument document;
    document.reset(fourGpuPlan(), {}, false);
    document.setCurrentOffer(1);
    const DeviceModel model(document);
    perform(document, edit::SetUsable { 1, { { 1, 0 } }, Bytes(15 * kGiB), true });
    perform(document, edit::RemoveRank { 1, RankSet::range(3, 3) });
    document.flush();
    QCOMPARE(tableText(model),
        (QStringList { "A1·0 | 0 | at least 8.00 | 15.00 | at most 7.00 | Open",
            "A1·1 | 1 | at least 8.00 | 16.00, not confirmed | at most 8.00 | Open",
            "A1·2 | 2 | at least 8.00 | 16.00, not confirmed | at most 8.00 | Open",
            "A1·3 |  |  | 16.00, not confirmed |  | no rank" }));
    QCOMPARE(model.index(3, 0).data(DeviceModel::CapacityRole).toInt(), -1);
    QVERIFY(model.index(3, 0).data(DeviceModel::IdleRole).toBool());
}

void TestDeviceModel::tellsWhatChanged()
{
    PlanDocument document;
    document.reset(fourGpuPlan(), {}, false);
    DeviceModel model(document);
    const QAbstractItemModelTester tester(&model);
    Mirror mirror(model, kRoles);
    const auto told = [&] {
        document.flush();
        const QString text = QStringLiteral("%1 in, %2 out, %3 changed")
                                 .arg(mirror.inserted)
                                 .arg(mirror.removed)
                                 .arg(mirror.changed);
        const QString difference = mirror.difference();
        mirror.forget();
        return difference.isEmpty() ? text : difference;
    };
    // A fifth replica changes no other row but for the names' column.
    perform(document, edit::AddServer { 0, 0, testServer(0, "", 5, 1) });
    QCOMPARE(told(), QString("1 in, 0 out, 5 changed"));
    // One device of five.
    perform(document, edit::SetUsable { 0, { { 1, 2 } }, Bytes(30 * kGiB), true });
    QCOMPARE(told(), QString("0 in, 0 out, 6 changed"));
    // Nothing that this table shows.
    perform(document, edit::SetTitle { "x" });
    perform(document, edit::RenameOffer { 1, "Offer X" });
    QCOMPARE(told(), QString("0 in, 0 out, 0 changed"));
    // Between the others: names and ranks behind it move.
    perform(document, edit::MoveServer { 0, 1, 0, 20 });
    told();
    perform(document, edit::RemoveServer { 0, 2 });
    QVERIFY(told().startsWith("0 in, 1 out"));
    document.undoStack().undo();
    QVERIFY(told().startsWith("1 in, 0 out"));
    // Another offer is another table.
    document.setCurrentOffer(1);
    QCOMPARE(mirror.resets, 1);
    QCOMPARE(told(), QString("0 in, 0 out, 0 changed"));
}

void TestDeviceModel::whatIfLeavesItAlone()
{
    PlanDocument document;
    document.reset(fourGpuPlan(), {}, false);
    const DeviceModel model(document);
    const Mirror mirror(model, kRoles);
    QVERIFY(!document.tryEdit(edit::RemoveServer { 0, 1 }));
    QCOMPARE(model.rowCount(), 4);
    QCOMPARE(mirror.changes + mirror.removed + mirror.resets, 0);
}

void TestDeviceModel::sortsByNumber()
{
    PlanDocument document;
    document.reset(fourGpuPlan(), {}, false);
    perform(document, edit::SetUsable { 0, { { 1, 1 } }, Bytes(9 * kGiB), true });
    perform(document, edit::RemoveRank { 0, RankSet::range(3, 3) });
    document.flush();
    DeviceModel model(document);
    QSortFilterProxyModel sorted;
    sorted.setSortRole(DeviceModel::SortRole);
    sorted.setSourceModel(&model);
    const auto order = [&](int column) {
        sorted.sort(column);
        QStringList names;
        for (int row = 0; row < sorted.rowCount(); ++row)
            names += sorted.index(row, 0).data().toString();
        return names.join(' ');
    };
    QCOMPARE(order(DeviceModel::HeadroomColumn), QString("A1·1 A1·0 A1·2 A1·3"));
    QCOMPARE(order(DeviceModel::UsableColumn), QString("A1·1 A1·0 A1·2 A1·3"));
    QCOMPARE(order(DeviceModel::DeviceColumn), QString("A1·0 A1·1 A1·2 A1·3"));
}

void TestDeviceModel::manyDevices()
{
    PlanDocument document;
    document.reset(bigPlan(2048), {}, false);
    DeviceModel model(document);
    QCOMPARE(model.rowCount(), 131072);
    int signalCount = 0;
    connect(&model, &QAbstractItemModel::dataChanged, this, [&] { ++signalCount; });
    // Every second GPU: as many ranges as a view could not take one by one.
    std::vector<GpuRef> gpus;
    for (ServerId server = 1; server <= 16384; ++server)
        for (int gpu = 0; gpu < 8; gpu += 2)
            gpus.push_back({ server, gpu });
    QVERIFY(!perform(document, edit::SetUsable { 0, gpus, Bytes(15 * kGiB), true }));
    document.flush();
    QVERIFY2(signalCount <= 3, qPrintable(QString::number(signalCount)));
    QCOMPARE(model.index(131070, DeviceModel::UsableColumn).data().toString(), QString("15.00"));
    QElapsedTimer timer;
    timer.start();
    for (int row = 0; row < model.rowCount(); ++row)
        model.index(row, DeviceModel::HeadroomColumn).data(DeviceModel::SortRole);
    qInfo("131,072 sort values in %lld ms", static_cast<long long>(timer.elapsed()));
}

QTEST_GUILESS_MAIN(TestDeviceModel)
#include "test_device_model.moc"
