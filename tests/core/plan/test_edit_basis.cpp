#include "test_edit_plans.h"

#include "plan/basis.h"

using namespace editplans;

/// Edits of what people say of an offer: its own workload and why, evidence, result, price.
class TestEditBasis : public QObject {
    Q_OBJECT

private slots:
    void facts();
    void ownWorkload();
    void namesOfFields_data();
    void namesOfFields();
    void makeCommon();
    void idleReasonsGo();
    void evidenceIsStamped();
    void evidenceOfACopy();
};

namespace {

Measurement reading(const std::string& devices = "all")
{
    Measurement measurement;
    measurement.devices = devices;
    measurement.peak = Bytes(12 * kGiB);
    measurement.phases.set(RunPhase::Init);
    measurement.completeSteps = 2;
    return measurement;
}

Workload withMicroBatch(const Plan& plan, std::int64_t microBatch)
{
    Workload workload = *plan.workload;
    workload.recipe.microBatch = microBatch;
    return workload;
}

} // namespace

void TestEditBasis::facts()
{
    const Plan start = ts24();
    const auto check
        = [&](const Plan& plan, const Edit& edit, const char* name, const char* changed) {
              const Applied applied = shardrack::apply(plan, edit).value();
              [&] {
                  QCOMPARE(q(applied.name), QString::fromUtf8(name));
                  QCOMPARE(q(changes(applied.changes)), QString::fromUtf8(changed));
                  checkApplied(plan, edit, applied);
              }();
              return applied.plan;
          };
    const Plan one = check(start, edit::SetMeasurements { 1, { reading() } },
        "Add measurement of Offer S", "1: facts");
    const Plan two = check(one,
        edit::SetMeasurements { 1, { one.offers[1]->measurements[0], reading("A1·0-2") } },
        "Add measurement of Offer S", "1: facts");
    check(two, edit::SetMeasurements { 1, { reading(), reading("A1·3") } },
        "Change measurement of Offer S", "1: facts");
    check(two, edit::SetMeasurements { 1, {} }, "Remove measurement of Offer S", "1: facts");

    TrainingOutcome outcome;
    outcome.result = TrainingResult::Accepted;
    outcome.criterion = "validation loss ≤ 2.10";
    const Plan judged = check(
        start, edit::SetOutcome { 0, outcome }, "Record training result of Offer R", "0: facts");
    QCOMPARE(assess(judged, 0)->findings.result, TrainingResult::Accepted);
    QCOMPARE(assess(judged, 1)->findings.result, TrainingResult::NotEvaluated);
    check(judged, edit::SetOutcome { 0, {} }, "Remove training result of Offer R", "0: facts");

    const Plan priced = check(start,
        edit::SetPrice { 0, Price { "2.49", "USD", Price::Per::GpuHour, "", nullptr } },
        "Set price of Offer R to 2.49 USD a GPU-hour", "0: facts");
    check(priced, edit::SetPrice { 0, Price { "120000", "EUR", Price::Per::Offer, "", nullptr } },
        "Set price of Offer R to 120,000 EUR for the offer", "0: facts");
    check(priced, edit::SetPrice { 0, {} }, "Remove price of Offer R", "0: facts");
    const Plan linked = check(start, edit::SetInterconnect { 0, "NVLink, 900 GB/s" },
        "Set interconnect of Offer R to NVLink, 900 GB/s", "0: facts");
    check(linked, edit::SetInterconnect { 0, "" }, "Remove interconnect of Offer R", "0: facts");
    check(start, edit::SetBasis { 0, { { "Data order", "shuffled", "sorted", "", nullptr } } },
        "Explain the basis of Offer R", "0: facts");
    // The two values of a field follow from the workloads.
    const Result<Applied> refused = shardrack::apply(
        start, edit::SetBasis { 0, { { "micro_batch", "1", "2", "", nullptr } } });
    QVERIFY(!refused.ok());
    QVERIFY2(q(refused.error().what).contains("follow from the workloads"),
        refused.error().what.c_str());
    // No fact, and nothing is computed from it: the offer is told of as changed by its block.
    const Edit assumptions = edit::SetAssumptions { 0, { "No offload." } };
    const Applied assumed = shardrack::apply(start, assumptions).value();
    QCOMPARE(q(assumed.name), QStringLiteral("Set assumptions of Offer R"));
    QVERIFY(assumed.changes.any());
    checkApplied(start, assumptions, assumed);
}

void TestEditBasis::ownWorkload()
{
    const Plan start = ts24();
    const Edit own = edit::SetOfferWorkload { 1, withMicroBatch(start, 1) };
    const Applied changed = shardrack::apply(start, own).value();
    QCOMPARE(q(changed.name), QStringLiteral("Set micro-batch to 1 for Offer S alone"));
    QCOMPARE(q(changes(changed.changes)), QStringLiteral("1: workload"));
    checkApplied(start, own, changed);
    QVERIFY(hasChangedBasis(changed.plan, 1));
    QVERIFY(!hasChangedBasis(changed.plan, 0));
    const auto found = changedBasis(changed.plan, 1);
    QCOMPARE(found.size(), std::size_t(1));
    QCOMPARE(q(text(found[0])),
        QStringLiteral("Micro-batch: not given → 1 sequence (reason not given)"));

    const Edit why = edit::SetBasis { 1, { { "micro_batch", "", "", "to fit", nullptr } } };
    const Plan explained = shardrack::apply(changed.plan, why).value().plan;
    QCOMPARE(q(text(changedBasis(explained, 1)[0])),
        QStringLiteral("Micro-batch: not given → 1 sequence (to fit)"));

    const Edit back = edit::SetOfferWorkload { 1, {} };
    const Applied common = shardrack::apply(explained, back).value();
    QCOMPARE(q(common.name), QStringLiteral("Put Offer S back on the common basis"));
    QVERIFY(common.plan == start);
    checkApplied(explained, back, common);
    // The common workload as its own is none.
    const Applied same
        = shardrack::apply(changed.plan, edit::SetOfferWorkload { 1, *start.workload }).value();
    QVERIFY(same.plan == start);
}

void TestEditBasis::namesOfFields_data()
{
    QTest::addColumn<int>("field");
    QTest::addColumn<QString>("name");
    const char* const names[] = { "Set global batch to 4,096", "Set micro-batch to 4,096",
        "Set accumulation to 4,096", "Set sequence to 4,096", "Set recompute to full",
        "Set framework to full", "Set framework version to full", "Set trained parameters to full",
        "Set number formats to full", "Set state placement to full",
        "Set other memory savers to full", "Set model revision to full",
        "Set quality and performance asked to full", "Set optimizer to full",
        "Set activations to 12 GiB", "Set allocator slack to 12 GiB" };
    for (std::size_t i = 0; i < std::size(names); ++i)
        QTest::newRow(names[i]) << int(i) << QString::fromUtf8(names[i]);
}

void TestEditBasis::namesOfFields()
{
    QFETCH(int, field);
    QFETCH(QString, name);
    const Plan start = ts24();
    Workload workload = *start.workload;
    Recipe& recipe = workload.recipe;
    std::optional<std::int64_t>* const counts[]
        = { &recipe.globalBatch, &recipe.microBatch, &recipe.accumulation, &recipe.sequence };
    std::string* const words[] = { &recipe.recompute, &recipe.framework, &recipe.frameworkVersion,
        &recipe.trained, &recipe.formats, &recipe.offload, &recipe.savers, &workload.revision,
        &workload.requirement, &recipe.optimizer };
    std::optional<Bytes>* const sizes[] = { &workload.terms.activations, &workload.terms.slack };
    const auto at = std::size_t(field);
    if (at < 4)
        *counts[at] = 4096;
    else if (at < 14)
        *words[at - 4] = "full";
    else
        *sizes[at - 14] = Bytes(12 * kGiB);
    const Edit edit = edit::SetWorkload { workload };
    const Applied applied = shardrack::apply(start, edit).value();
    QCOMPARE(q(applied.name), name);
    checkApplied(start, edit, applied);
    const Edit alone = edit::SetOfferWorkload { 0, workload };
    QCOMPARE(q(shardrack::apply(start, alone).value().name), name + " for Offer R alone");
    // Taken away again.
    const Applied removed
        = shardrack::apply(applied.plan, edit::SetWorkload { *start.workload }).value();
    QVERIFY2(removed.name.rfind("Remove ", 0) == 0, removed.name.c_str());
}

void TestEditBasis::makeCommon()
{
    const Plan start = ts24();
    const Plan own = shardrack::apply(start, edit::SetOfferWorkload { 1, withMicroBatch(start, 2) })
                         .value()
                         .plan;
    const Edit make = edit::MakeWorkloadCommon { 1 };
    const Applied made = shardrack::apply(own, make).value();
    QCOMPARE(q(made.name), QStringLiteral("Make the workload of Offer S the common one"));
    checkApplied(own, make, made);
    QCOMPARE(*made.plan.workload->recipe.microBatch, std::int64_t(2));
    QVERIFY(!made.plan.offers[1]->workload);
    QVERIFY(!made.plan.offers[0]->workload);
    QVERIFY(!hasChangedBasis(made.plan, 1));
}

/// A reason for a field in which the offer does not differ any more says nothing.
void TestEditBasis::idleReasonsGo()
{
    Plan plan = ts24();
    plan = shardrack::apply(plan, edit::SetOfferWorkload { 1, withMicroBatch(plan, 2) })
               .value()
               .plan;
    plan = shardrack::apply(plan,
        edit::SetBasis { 1,
            { { "micro_batch", "", "", "to fit", nullptr },
                { "Data order", "shuffled", "sorted", "", nullptr } } })
               .value()
               .plan;
    const Edit follow = edit::SetWorkload { withMicroBatch(plan, 2) };
    const Applied followed = shardrack::apply(plan, follow).value();
    QVERIFY(!followed.plan.offers[1]->workload);
    QCOMPARE(followed.plan.offers[1]->basis.size(), std::size_t(1));
    QCOMPARE(followed.plan.offers[1]->basis[0].field, std::string("Data order"));
    QVERIFY(hasChangedBasis(followed.plan, 1)); // declared, whatever the fields say
    checkApplied(plan, follow, followed);
}

/// Evidence that says no state is recorded for the offer as it stands.
void TestEditBasis::evidenceIsStamped()
{
    const Plan start = ts24();
    Measurement other = reading();
    other.basis = "0123456789abcdef";
    const Plan plan
        = shardrack::apply(start, edit::SetMeasurements { 0, { reading(), other } }).value().plan;
    QCOMPARE(plan.offers[0]->measurements[0].basis, offerFingerprint(plan, 0));
    QCOMPARE(plan.offers[0]->measurements[1].basis, other.basis);
    TrainingOutcome outcome;
    outcome.result = TrainingResult::Rejected;
    outcome.criterion = "loss";
    const Plan judged = shardrack::apply(plan, edit::SetOutcome { 0, outcome }).value().plan;
    QCOMPARE(judged.offers[0]->outcome->basis, offerFingerprint(plan, 0));
}

/// A copy of an offer with evidence that says no state, through a journal too.
void TestEditBasis::evidenceOfACopy()
{
    const Plan start = ts24();
    Offer copy = *start.offers[1];
    copy.name = "Offer T";
    copy.measurements = { reading() };
    copy.outcome.emplace();
    const Edit add = edit::AddOffer { copy, 2 };
    const Applied added = shardrack::apply(start, add).value();
    QCOMPARE(q(added.plan.offers[2]->measurements[0].basis), q(offerFingerprint(start, 1)));
    QCOMPARE(added.plan.offers[2]->outcome->basis, offerFingerprint(start, 1));
    checkApplied(start, add, added);
}

QTEST_GUILESS_MAIN(TestEditBasis)
#include "test_edit_basis.moc"
