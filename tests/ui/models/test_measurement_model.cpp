#include "../document/plans.h"
#include "commands/edit_command.h"
#include "mirror.h"
#include "models/evidence_text.h"
#include "models/findings_model.h"
#include "models/findings_text.h"
#include "models/measurement_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace shardrack;

namespace {

using Standing = MeasurementRow::Standing;

/// Four GPUs of 16 GiB, confirmed; 6 GiB a rank and 1 GiB of each other term: 9 GiB of tensors, 10
/// reserved, 11 in all.
Plan givenPlan()
{
    Plan plan = fourGpuPlan();
    Workload workload = *plan.workload;
    workload.terms = { Bytes(kGiB), Bytes(kGiB), Bytes(kGiB), Bytes(kGiB), Bytes(kGiB) };
    plan.workload = std::make_shared<const Workload>(workload);
    Offer offer = *plan.offers[1];
    Server server = testServer(1, "A1", 1, 4);
    server.gpus[0].confirmed = true;
    offer.site.racks = { testRack("A", { server }) };
    plan.offers[1] = std::make_shared<const Offer>(offer);
    return plan;
}

Measurement reading(const char* devices = "all", int gib = 12)
{
    Measurement measurement;
    measurement.devices = devices;
    measurement.peak = Bytes(gib * kGiB);
    measurement.phases.set(RunPhase::Init);
    measurement.completeSteps = 2;
    return measurement;
}

struct Fixture {
    Fixture()
    {
        document.reset(givenPlan(), {}, false);
        document.setCurrentOffer(1);
        document.flush();
    }
    void set(const std::vector<Measurement>& measurements)
    {
        make(edit::SetMeasurements { 1, measurements });
    }
    void make(const Edit& edit)
    {
        if (const auto error = perform(document, edit))
            qFatal("%s", error->text().c_str());
        document.flush();
    }
    PlanDocument document;
};

QString cell(const MeasurementModel& model, int row, int role)
{
    return model.index(row, 0).data(role).toString();
}

Standing standing(const MeasurementModel& model, int row)
{
    return Standing(model.index(row, 0).data(MeasurementModel::StandingRole).toInt());
}

} // namespace

class TestMeasurementModel : public QObject {
    Q_OBJECT
private slots:
    void rows();
    void standings();
    void againstTheEstimate_data();
    void againstTheEstimate();
    void openEstimates();
    void followsTheOffer();
    void tellsPrecisely();
    void findingsSayTheRule();
    void links();
    void whatIfOfMeasurements();
    void trainingWords();
};

void TestMeasurementModel::rows()
{
    Fixture on;
    MeasurementModel model(on.document);
    const QAbstractItemModelTester tester(&model);
    QCOMPARE(model.rowCount(), 0);
    Measurement first = reading("A1·0-1");
    first.phases.set(RunPhase::Load);
    first.completeSteps = 1200;
    first.software = "PyTorch 2.6";
    first.source = "supplier";
    Measurement second = reading();
    second.average = true;
    second.scope = MemoryScope::Allocated;
    second.phases = {};
    second.completeSteps = 1;
    Measurement third;
    third.outOfMemory = true;
    on.set({ first, second, third });
    QCOMPARE(model.rowCount(), 3);
    QCOMPARE(cell(model, 0, Qt::DisplayRole), QString("A1·0-1: 12.00 GiB"));
    QCOMPARE(cell(model, 0, MeasurementModel::MemoryRole), QString("device memory in use"));
    QCOMPARE(cell(model, 0, MeasurementModel::CoversRole),
        QString("load, initialization; 1,200 complete steps"));
    QCOMPARE(cell(model, 0, MeasurementModel::AboutRole), QString("PyTorch 2.6; supplier"));
    QCOMPARE(cell(model, 0, MeasurementModel::VerdictRole), QString("Counts for 2 devices."));
    QCOMPARE(cell(model, 1, Qt::DisplayRole), QString("all devices: average 12.00 GiB"));
    QCOMPARE(cell(model, 1, MeasurementModel::CoversRole), QString("1 complete step"));
    QVERIFY(cell(model, 1, MeasurementModel::VerdictRole)
                .startsWith("Does not count. The reading of all devices is an average"));
    QCOMPARE(cell(model, 2, Qt::DisplayRole), QString("all devices: out of memory"));
    QVERIFY(cell(model, 2, MeasurementModel::AgainstRole).isEmpty());
    // Everything that is drawn can be heard.
    const QString heard = cell(model, 0, Qt::AccessibleTextRole);
    for (const int role : { MeasurementModel::DevicesRole, MeasurementModel::PeakRole,
             MeasurementModel::MemoryRole, MeasurementModel::CoversRole,
             MeasurementModel::AgainstRole, MeasurementModel::VerdictRole })
        QVERIFY2(heard.contains(cell(model, 0, role)), qPrintable(heard));
}

void TestMeasurementModel::standings()
{
    Fixture on;
    MeasurementModel model(on.document);
    Measurement short1 = reading("A1·1");
    short1.completeSteps = 1;
    Measurement other = reading();
    other.basis = "0123456789abcdef";
    Measurement overflow = reading("A1·3", 14);
    overflow.outOfMemory = true;
    on.set({ reading("A1·0"), short1, other, overflow, reading("A1·2", 17), reading("B9·0") });
    QCOMPARE(standing(model, 0), Standing::Counts);
    QCOMPARE(cell(model, 0, MeasurementModel::VerdictRole), QString("Counts for 1 device."));
    QCOMPARE(standing(model, 1), Standing::DoesNotCount);
    QCOMPARE(standing(model, 2), Standing::OtherState);
    QVERIFY(cell(model, 2, MeasurementModel::VerdictRole).contains("another state of this offer"));
    QCOMPARE(standing(model, 3), Standing::Contradicts);
    QCOMPARE(cell(model, 3, MeasurementModel::PeakRole), QString("out of memory at 14.00 GiB"));
    QCOMPARE(cell(model, 3, MeasurementModel::VerdictRole),
        QString("Contradicts the fit. A run ran out of memory on A1·3."));
    QCOMPARE(standing(model, 4), Standing::Contradicts);
    QVERIFY(cell(model, 4, MeasurementModel::VerdictRole).contains("above the usable 16.00 GiB"));
    QCOMPARE(standing(model, 5), Standing::DoesNotCount);
    QVERIFY(cell(model, 5, MeasurementModel::VerdictRole).contains("names no GPU of the site"));

    // One of the devices has no confirmed usable allocation: it counts for the others.
    on.set({ reading() });
    QCOMPARE(standing(model, 0), Standing::Counts);
    on.make(edit::SetUsable { 1, { { 1, 2 } }, Bytes(16 * kGiB), false });
    QCOMPARE(standing(model, 0), Standing::CountsPartly);
    QVERIFY(
        cell(model, 0, MeasurementModel::VerdictRole).startsWith("Counts for 3 of 4 devices. "));
}

void TestMeasurementModel::againstTheEstimate_data()
{
    QTest::addColumn<int>("scope");
    QTest::addColumn<int>("gib");
    QTest::addColumn<QString>("expected");
    const auto row = [](MemoryScope scope, int gib, const char* expected) {
        QTest::newRow(expected) << int(scope) << gib << QString::fromUtf8(expected);
    };
    row(MemoryScope::Allocated, 10, "measured − estimated: +1.00 GiB (tensors 9.00)");
    row(MemoryScope::Reserved, 8,
        "measured − estimated: −2.00 GiB (need without what lies outside 10.00)");
    row(MemoryScope::Device, 11, "measured − estimated: 0 GiB (need 11.00)");
    row(MemoryScope::Device, 15, "measured − estimated: +4.00 GiB (need 11.00)");
}

void TestMeasurementModel::againstTheEstimate()
{
    QFETCH(int, scope);
    QFETCH(int, gib);
    QFETCH(QString, expected);
    Fixture on;
    MeasurementModel model(on.document);
    const Sum need = on.document.current()->assessment->account.deviceClasses[0].need;
    Measurement measurement = reading("A1·0-3", gib);
    measurement.scope = MemoryScope(scope);
    on.set({ measurement });
    QCOMPARE(cell(model, 0, MeasurementModel::AgainstRole), expected);
    // Measured never overwrites derived.
    QCOMPARE(on.document.current()->assessment->account.deviceClasses[0].need, need);
}

void TestMeasurementModel::openEstimates()
{
    PlanDocument document;
    document.reset(fourGpuPlan(), {}, false);
    document.setCurrentOffer(1);
    MeasurementModel model(document);
    perform(document, edit::SetMeasurements { 1, { reading() } });
    document.flush();
    // 24 GiB over four ranks, everything else open: the difference can only be smaller.
    QCOMPARE(cell(model, 0, MeasurementModel::AgainstRole),
        QString("measured − estimated: at most +6.00 GiB (need at least 6.00)"));
    perform(document, edit::SetWorkload {});
    document.flush();
    Measurement again = document.plan()->offers[1]->measurements[0];
    again.basis.clear();
    perform(document, edit::SetMeasurements { 1, { again } });
    document.flush();
    QCOMPARE(cell(model, 0, MeasurementModel::AgainstRole),
        QString("measured − estimated: the estimate is not established"));
}

void TestMeasurementModel::followsTheOffer()
{
    Fixture on;
    MeasurementModel model(on.document);
    const QAbstractItemModelTester tester(&model);
    Mirror mirror(model, { Qt::DisplayRole, MeasurementModel::VerdictRole });
    QSignalSpy updated(&model, &MeasurementModel::updated);
    on.set({ reading("A1·0-1"), reading("A1·2-3") });
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(mirror.resets, 0);
    on.document.setCurrentOffer(0);
    on.document.flush();
    QCOMPARE(model.rowCount(), 0);
    on.document.setCurrentOffer(1);
    on.document.flush();
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(mirror.difference(), QString());
    on.document.undoStack().undo();
    on.document.flush();
    QCOMPARE(model.rowCount(), 0);
    QCOMPARE(mirror.difference(), QString());
    QVERIFY(updated.count() >= 4);
}

void TestMeasurementModel::tellsPrecisely()
{
    Fixture on;
    MeasurementModel model(on.document);
    on.set({ reading("A1·0"), reading("A1·1"), reading("A1·2") });
    Mirror mirror(
        model, { Qt::DisplayRole, MeasurementModel::VerdictRole, MeasurementModel::StandingRole });
    std::vector<Measurement> all = on.document.plan()->offers[1]->measurements;
    all.erase(all.begin() + 1);
    on.set(all);
    QCOMPARE(mirror.difference(), QString());
    QCOMPARE(mirror.removed, 1);
    QCOMPARE(mirror.resets, 0);
    mirror.forget();
    on.make(edit::RenameServer { 1, 1, "X" });
    QCOMPARE(mirror.difference(), QString());
    QCOMPARE(mirror.changed, 2); // both are about another state now
    QCOMPARE(standing(model, 0), Standing::OtherState);
}

void TestMeasurementModel::findingsSayTheRule()
{
    Fixture on;
    FindingsModel model(on.document);
    const auto title = [&](int row) { return model.index(row, 0).data().toString(); };
    const auto text
        = [&](int row) { return model.index(row, 0).data(FindingsModel::TextRole).toString(); };
    QCOMPARE(title(1), QString("Demonstrated fit: None"));
    QCOMPARE(text(1), QString("No run was measured."));
    on.set({ reading("A1·0-1") });
    QCOMPARE(title(1), QString("Demonstrated fit: Partial coverage, 2 of 4"));
    QCOMPARE(text(1), QString("2 of 4 devices with a rank have a peak of their own."));
    QCOMPARE(model.index(1, 0).data(FindingsModel::ValueRole).toInt(), int(Demonstrated::Partial));
    on.set({ reading() });
    QCOMPARE(title(1), QString("Demonstrated fit: Demonstrated"));
    QVERIFY(text(1).startsWith("Every device with a rank was measured"));
    on.set({ reading("A1·3", 17) });
    QCOMPARE(title(1), QString("Demonstrated fit: Contradicted"));
    QVERIFY(text(1).contains("17.00 GiB (device memory in use), is above the usable 16.00 GiB"));
    QCOMPARE(title(0), QString("Capacity estimate: Estimated fit")); // never merged

    // A change that is only tried says what becomes of the evidence.
    on.set({ reading() });
    Layout layout = on.document.plan()->offers[1]->layout;
    layout.preset = LayoutPreset::Zero1;
    QVERIFY(!on.document.tryEdit(edit::SetLayout { 1, layout }));
    QCOMPARE(title(1), QString("Demonstrated fit: Demonstrated → None"));
    QCOMPARE(model.index(1, 0).data(FindingsModel::ValueBeforeRole).toInt(),
        int(Demonstrated::Demonstrated));
    on.document.clearTry();
}

void TestMeasurementModel::links()
{
    Fixture on;
    FindingsModel model(on.document);
    const auto action = [&](const QString& start) {
        for (int row = 0; row < model.rowCount(); ++row)
            if (model.index(row, 0).data().toString().startsWith(start))
                return model.index(row, 0).data(FindingsModel::ActionRole).toString();
        return QString("no such row");
    };
    QCOMPARE(action("Demonstrated fit: None"), QString(FindingsModel::kAddMeasurement));
    QCOMPARE(action("Training result: Not evaluated"), QString(FindingsModel::kShowResult));
    on.set({ reading("A1·0") });
    QCOMPARE(action("Demonstrated fit: Partial coverage"), QString(FindingsModel::kShowEvidence));
    QCOMPARE(action("Demonstrated fit: partial"), QString(FindingsModel::kShowEvidence));
    TrainingOutcome outcome;
    outcome.result = TrainingResult::Rejected;
    outcome.criterion = "loss";
    on.make(edit::SetOutcome { 1, outcome });
    QCOMPARE(action("Training result: Rejected"), QString(FindingsModel::kShowResult));
    Workload workload = *on.document.plan()->workload;
    workload.recipe.microBatch = 1;
    on.make(edit::SetOfferWorkload { 1, workload });
    QCOMPARE(action("Changed basis"), QString(FindingsModel::kShowWorkload));
    QCOMPARE(action("Evidence that does not count"), QString(FindingsModel::kShowEvidence));
    QCOMPARE(action("Training result of another state"), QString(FindingsModel::kShowResult));
}

void TestMeasurementModel::whatIfOfMeasurements()
{
    Fixture on;
    const ShownOffer offer = *on.document.current();
    QCOMPARE(demonstrationWith(offer, {}).value, Demonstrated::None);
    QCOMPARE(demonstrationWith(offer, { reading() }).value, Demonstrated::Demonstrated);
    const Demonstration half = demonstrationWith(offer, { reading("A1·1-2", 13) });
    QCOMPARE(half.value, Demonstrated::Partial);
    QCOMPARE(coverageText(half), QString("2 of 4 devices count"));
    QCOMPARE(highestText(half, offer),
        QString("Highest reading: 13.00 GiB (device memory in use), A1·1"));
    Measurement tensors = reading("A1·0-2", 9);
    tensors.scope = MemoryScope::Allocated;
    const Demonstration view = demonstrationWith(offer, { tensors, reading("A1·0") });
    QCOMPARE(coverageText(view), QString("1 of 4 devices counts; 3 have a reading"));
    // Nothing was changed by asking.
    QVERIFY(on.document.plan()->offers[1]->measurements.empty());
    QVERIFY(on.document.undoStack().isClean());
}

void TestMeasurementModel::trainingWords()
{
    Fixture on;
    QCOMPARE(trainingText(*on.document.current()), QString("No loss curve or acceptance record."));
    TrainingOutcome outcome;
    outcome.result = TrainingResult::Accepted;
    outcome.criterion = "loss ≤ 2.1";
    outcome.value = "2.08";
    outcome.throughput = "11,400 tokens/s";
    outcome.interconnect = "NVLink";
    on.make(edit::SetOutcome { 1, outcome });
    QCOMPARE(trainingText(*on.document.current()),
        QString("By: loss ≤ 2.1. Reached: 2.08. Throughput: 11,400 tokens/s. Interconnect: "
                "NVLink."));
    on.make(edit::RenameServer { 1, 1, "X" });
    QCOMPARE(trainingText(*on.document.current()),
        QString("The recorded result is about another state of this offer."));
}

QTEST_GUILESS_MAIN(TestMeasurementModel)
#include "test_measurement_model.moc"
