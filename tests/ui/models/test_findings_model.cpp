#include "../document/plans.h"
#include "commands/edit_command.h"
#include "mirror.h"
#include "models/findings_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace shardrack;

namespace {

QModelIndex rowTitled(const FindingsModel& model, const QString& start)
{
    for (int row = 0; row < model.rowCount(); ++row)
        if (model.index(row, 0).data().toString().startsWith(start))
            return model.index(row, 0);
    return {};
}

} // namespace

class TestFindingsModel : public QObject {
    Q_OBJECT
private slots:
    void threeFindingsFirst();
    void openNamesItsTerms();
    void theUnknownIsNoFigure();
    void linksDoSomething();
    void whatIfShowsBoth();
    void nothingToJudge();
    void overflow();
    void deciderIsNamed();
};

void TestFindingsModel::threeFindingsFirst()
{
    PlanDocument document;
    document.reset(fourGpuPlan(), {}, false);
    FindingsModel model(document);
    const QAbstractItemModelTester tester(&model);
    QCOMPARE(model.subject(), QString("Offer R"));
    const QStringList titles = tableText(model);
    QCOMPARE(titles.mid(0, 3),
        (QStringList { "Capacity estimate: Over capacity", "Demonstrated fit: None",
            "Training result: Not evaluated" }));
    QCOMPARE(model.index(0, 0).data(FindingsModel::TextRole).toString(),
        QString("All 4 devices are over. Most loaded: rank 0 on A1·0 needs at least 24.00 GiB, "
                "usable 16.00 GiB, not confirmed: over by at least 8.00 GiB."));
    for (int row = 3; row < model.rowCount(); ++row) {
        QCOMPARE(model.index(row, 0).data(FindingsModel::KindRole).toInt(),
            int(FindingRow::Kind::Warning));
        QVERIFY(!model.index(row, 0).data(FindingsModel::TextRole).toString().isEmpty());
        if (row > 3)
            QVERIFY(model.index(row - 1, 0).data(FindingsModel::ValueRole).toInt()
                <= model.index(row, 0).data(FindingsModel::ValueRole).toInt());
    }
}

void TestFindingsModel::openNamesItsTerms()
{
    PlanDocument document;
    document.reset(fourGpuPlan(), {}, false);
    document.setCurrentOffer(1);
    const FindingsModel model(document);
    QCOMPARE(model.index(0, 0).data().toString(), QString("Capacity estimate: Open"));
    const QString text = model.index(0, 0).data(FindingsModel::TextRole).toString();
    QVERIFY(text.contains("needs at least 6.00 GiB, usable 16.00 GiB, not confirmed."));
    for (const char* term : { "Gathered parameters", "Activations", "Temporary buffers",
             "Allocator slack", "Outside allocator" })
        QVERIFY2(text.contains(term), term);
    // What lies between need and usable is nobody's margin.
    for (int row = 0; row < model.rowCount(); ++row)
        QVERIFY(!model.index(row, 0).data(FindingsModel::TextRole).toString().contains("margin"));
}

/// "?" is no size, and "0.00" would be a claim.
void TestFindingsModel::theUnknownIsNoFigure()
{
    PlanDocument document;
    Plan plan = fourGpuPlan();
    plan.workload = std::make_shared<const Workload>();
    document.reset(plan, {}, false);
    const FindingsModel model(document);
    for (int row = 0; row < model.rowCount(); ++row) {
        const QString text = model.index(row, 0).data(FindingsModel::TextRole).toString();
        QVERIFY2(!text.contains("? GiB") && !text.contains("0.00 GiB"), qPrintable(text));
    }
    QVERIFY(model.index(0, 0)
                .data(FindingsModel::TextRole)
                .toString()
                .contains("needs what is not established, usable 16.00 GiB"));
}

void TestFindingsModel::linksDoSomething()
{
    PlanDocument document;
    document.reset(fourGpuPlan(), {}, false);
    document.setCurrentOffer(1);
    const FindingsModel model(document);
    const auto action = [&](const QString& title) {
        return rowTitled(model, title).data(FindingsModel::ActionRole).toString();
    };
    QCOMPARE(action("Capacity estimate"), QString(FindingsModel::kShowOnCanvas));
    QCOMPARE(action("Usable allocation not confirmed"), QString(FindingsModel::kStateUsable));
    QCOMPARE(action("Open terms"), QString(FindingsModel::kStateTerms));
    const QModelIndex usable = rowTitled(model, "Usable allocation not confirmed");
    QCOMPARE(model.gpu(usable), (GpuRef { 1, 0 }));
    QCOMPARE(usable.data(FindingsModel::GpuServerRole).toInt(), 1);
    for (int row = 0; row < model.rowCount(); ++row)
        QCOMPARE(model.index(row, 0).data(FindingsModel::LinkRole).toString().isEmpty(),
            model.index(row, 0).data(FindingsModel::ActionRole).toString().isEmpty());
}

void TestFindingsModel::whatIfShowsBoth()
{
    PlanDocument document;
    document.reset(fourGpuPlan(), {}, false);
    FindingsModel model(document);
    QSignalSpy subject(&model, &FindingsModel::subjectChanged);
    Mirror mirror(model, { Qt::DisplayRole, FindingsModel::TextRole, FindingsModel::ValueRole });
    Layout layout = document.plan()->offers[0]->layout;
    layout.preset = LayoutPreset::Fsdp;
    QVERIFY(!document.tryEdit(edit::SetLayout { 0, layout }));
    QCOMPARE(
        model.index(0, 0).data().toString(), QString("Capacity estimate: Over capacity → Open"));
    QCOMPARE(model.index(0, 0).data(FindingsModel::ValueRole).toInt(), int(Capacity::Open));
    QCOMPARE(model.index(0, 0).data(FindingsModel::ValueBeforeRole).toInt(), int(Capacity::Over));
    QCOMPARE(model.subject(), QString("what if"));
    QCOMPARE(mirror.difference(), QString());
    document.clearTry();
    QCOMPARE(model.index(0, 0).data().toString(), QString("Capacity estimate: Over capacity"));
    QCOMPARE(model.index(0, 0).data(FindingsModel::ValueBeforeRole).toInt(), -1);
    QCOMPARE(mirror.difference(), QString());
    QCOMPARE(mirror.resets, 0);
    QCOMPARE(subject.count(), 2);
}

void TestFindingsModel::nothingToJudge()
{
    PlanDocument document;
    FindingsModel model(document);
    const QAbstractItemModelTester tester(&model);
    QCOMPARE(model.rowCount(), 0);
    perform(document, edit::AddOffer { emptyOffer("Offer A"), 0 });
    document.flush();
    QCOMPARE(model.index(0, 0).data().toString(), QString("Capacity estimate: Nothing to judge"));
    QCOMPARE(model.index(0, 0).data(FindingsModel::TextRole).toString(),
        QString("No GPU has a rank yet."));
    QVERIFY(model.index(0, 0).data(FindingsModel::ActionRole).toString().isEmpty());
    document.undoStack().undo();
    document.flush();
    QCOMPARE(model.rowCount(), 0);
}

void TestFindingsModel::overflow()
{
    Plan plan = fourGpuPlan();
    Workload workload = *plan.workload;
    workload.stipulated.total = Bytes(std::numeric_limits<std::int64_t>::max());
    workload.terms.activations = Bytes(1);
    plan.workload = std::make_shared<const Workload>(workload);
    PlanDocument document;
    document.reset(plan, {}, false);
    const FindingsModel model(document);
    QCOMPARE(model.index(0, 0).data().toString(), QString("Capacity estimate: Not computed"));
    QVERIFY(model.index(0, 0).data(FindingsModel::TextRole).toString().contains("64-bit"));
}

void TestFindingsModel::deciderIsNamed()
{
    // A1·0 has less headroom and everything given: 24 of 25, a fit. A1·1 has more, 24 of 40, and
    // nobody confirmed it: the offer is open because of it.
    Plan plan = fourGpuPlan();
    Workload workload = *plan.workload;
    for (auto* term : { &workload.terms.gathered, &workload.terms.activations,
             &workload.terms.temporary, &workload.terms.slack, &workload.terms.outside })
        *term = Bytes(0);
    plan.workload = std::make_shared<const Workload>(workload);
    Server server = testServer(1, "A1", 1, 1);
    server.gpus[0].usable = Bytes(25 * kGiB);
    server.gpus[0].confirmed = true;
    server.gpus.push_back(server.gpus[0]);
    server.gpus[1].usable = Bytes(40 * kGiB);
    server.gpus[1].confirmed = false;
    Offer offer = *plan.offers[0];
    offer.site.racks = { testRack("A", { server }) };
    plan.offers = { std::make_shared<const Offer>(offer) };
    PlanDocument document;
    document.reset(plan, {}, false);
    const FindingsModel model(document);
    QCOMPARE(model.index(0, 0).data().toString(), QString("Capacity estimate: Open"));
    const QString text = model.index(0, 0).data(FindingsModel::TextRole).toString();
    QCOMPARE(text,
        QString("Most loaded: rank 0 on A1·0 needs 24.00 GiB, usable 25.00 GiB. The verdict comes "
                "from rank 1 on A1·1, which needs 24.00 GiB, usable 40.00 GiB, not confirmed."));
}

QTEST_GUILESS_MAIN(TestFindingsModel)
#include "test_findings_model.moc"
