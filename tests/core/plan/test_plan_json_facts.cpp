// What a plan file says of offers beside hardware and layout: basis, price, evidence, result.

#include "plan/basis.h"
#include "plan_texts.h"

using namespace shardrack;
using namespace plantexts;

class TestPlanJsonFacts : public QObject {
    Q_OBJECT

private slots:
    void readsEveryField();
    void defaults();
    void evidenceWithoutABasisIsStamped();
    void valuesOfFieldsFollowFromTheWorkloads();
    void roundTrip_data();
    void roundTrip();
    void refusals_data();
    void refusals();
};

namespace {

std::string offerWith(const std::string& members)
{
    return planText(
        R"("offers": [{"name": "O", "site": {"racks": [)" + oneServer(4) + "]}, " + members + "}]");
}

} // namespace

void TestPlanJsonFacts::readsEveryField()
{
    const Plan plan = planFrom(everyField());
    const Workload& workload = *plan.workload;
    QCOMPARE(workload.revision, std::string("2024-04-18"));
    QCOMPARE(workload.requirement, std::string("validation loss ≤ 2.10 in 30 days"));
    QCOMPARE(workload.recipe.frameworkVersion, std::string("0.2.0"));
    QCOMPARE(workload.recipe.trained, std::string("all"));
    QCOMPARE(workload.recipe.formats, std::string("bf16 computation, fp32 reduction"));
    QCOMPARE(workload.recipe.offload, std::string("none"));
    QCOMPARE(workload.recipe.savers, std::string("fused loss"));

    const Offer& offer = *plan.offers.at(0);
    QCOMPARE(offer.basis.size(), std::size_t(2));
    QCOMPARE(offer.basis[0].field, std::string("micro_batch"));
    QCOMPARE(offer.basis[0].reason, std::string("it fits"));
    QCOMPARE(offer.basis[1].field, std::string("Data order"));
    QCOMPARE(offer.basis[1].common, std::string("shuffled"));
    QCOMPARE(offer.basis[1].offer, std::string("sorted by length"));
    QCOMPARE(offer.interconnect, std::string("NVLink 900 GB/s, 400 Gb/s between servers"));
    QCOMPARE(offer.price->amount, std::string("2.49"));
    QCOMPARE(offer.price->currency, std::string("USD"));
    QVERIFY(offer.price->per == Price::Per::GpuHour);
    QCOMPARE(offer.price->note, std::string("list price"));
    QCOMPARE(text(*offer.price), std::string("2.49 USD a GPU-hour"));

    QCOMPARE(offer.measurements.size(), std::size_t(2));
    const Measurement& peak = offer.measurements[0];
    QCOMPARE(peak.devices, std::string("R1-S1·0..R1-S2·7"));
    QVERIFY(peak.scope == MemoryScope::Reserved);
    QCOMPARE(peak.peak->count(), 68719476736);
    QVERIFY(peak.average);
    QVERIFY(!peak.outOfMemory);
    RunPhases phases;
    for (const RunPhase phase : { RunPhase::Load, RunPhase::Init, RunPhase::Forward,
             RunPhase::Backward, RunPhase::Optimizer, RunPhase::Save, RunPhase::Evaluate })
        phases.set(phase);
    QVERIFY(peak.phases == phases);
    QCOMPARE(peak.completeSteps, std::int64_t(20));
    QCOMPARE(peak.software, std::string("PyTorch 2.6.0"));
    QCOMPARE(peak.conditions, std::string("expandable segments"));
    QCOMPARE(peak.source, std::string("the supplier"));
    QCOMPARE(peak.basis, std::string("0123456789abcdef"));
    const Measurement& overflow = offer.measurements[1];
    QVERIFY(overflow.outOfMemory);
    QVERIFY(!overflow.peak);
    QVERIFY(overflow.scope == MemoryScope::Device);
    QCOMPARE(overflow.basis, offerFingerprint(plan, 0));

    const TrainingOutcome& outcome = *offer.outcome;
    QVERIFY(outcome.result == TrainingResult::Rejected);
    QCOMPARE(outcome.criterion, std::string("validation loss ≤ 2.10"));
    QCOMPARE(outcome.value, std::string("2.31"));
    QCOMPARE(outcome.throughput, std::string("11,400 tokens/s a GPU"));
    QCOMPARE(outcome.software, std::string("PyTorch 2.6.0"));
    QCOMPARE(outcome.interconnect, std::string("NVLink"));
    QCOMPARE(outcome.note, std::string("one seed"));
    verifyRoundTrip(plan);
}

void TestPlanJsonFacts::defaults()
{
    const Plan plan = planFrom(offerWith(
        R"("measurements": [{"peak_bytes": 1}], "training_result": {}, "price": {"amount": "3"})"));
    const Measurement& measurement = plan.offers[0]->measurements.at(0);
    QCOMPARE(measurement.devices, std::string("all"));
    QVERIFY(measurement.scope == MemoryScope::Device);
    QVERIFY(!measurement.average && !measurement.outOfMemory);
    QVERIFY(measurement.phases == RunPhases {});
    QCOMPARE(measurement.completeSteps, std::int64_t(0));
    QVERIFY(plan.offers[0]->outcome->result == TrainingResult::NotEvaluated);
    QVERIFY(plan.offers[0]->price->per == Price::Per::GpuHour);
    const Plan none = planFrom(offerWith(
        R"("measurements": null, "training_result": null, "price": null, "changed_basis": [])"));
    QVERIFY(none.offers[0]->measurements.empty());
    QVERIFY(!none.offers[0]->outcome && !none.offers[0]->price);
    const std::string text = writePlan(none);
    for (const char* key : { "measurements", "training_result", "price", "changed_basis" })
        QVERIFY2(text.find(key) == std::string::npos, key);
}

void TestPlanJsonFacts::evidenceWithoutABasisIsStamped()
{
    const std::string members
        = R"("measurements": [{"peak_bytes": 1}, {"peak_bytes": 2, "basis": "00"}],
             "training_result": {"result": "accepted", "criterion": "loss"})";
    const Plan plan = planFrom(offerWith(members));
    const std::string now = offerFingerprint(plan, 0);
    QCOMPARE(now.size(), std::size_t(16));
    QCOMPARE(plan.offers[0]->measurements[0].basis, now);
    QCOMPARE(plan.offers[0]->measurements[1].basis, std::string("00"));
    QCOMPARE(plan.offers[0]->outcome->basis, now);
    // Saved, so that a program which changes the offer alone does not inherit the evidence.
    const Json saved = Json::parse(writePlan(plan)).at("offers").at(0);
    QCOMPARE(saved.at("measurements").at(0).at("basis").get<std::string>(), now);
    verifyRoundTrip(plan);
    // The common workload is a part of the state; an offer's own takes its place.
    const Plan other = planFrom(planText(R"("workload": {"recipe": {"micro_batch": 3}}, "offers": [
        {"name": "O", "site": {"racks": [)"
        + oneServer(4) + "]}, " + members + "}]"));
    QVERIFY(other.offers[0]->measurements[0].basis != now);
    const Plan own = planFrom(planText(R"("workload": {"recipe": {"micro_batch": 3}}, "offers": [
        {"name": "O", "workload": {}, "site": {"racks": [)"
        + oneServer(4) + "]}, " + members + "}]"));
    QCOMPARE(own.offers[0]->measurements[0].basis, now);
}

void TestPlanJsonFacts::valuesOfFieldsFollowFromTheWorkloads()
{
    // A file may repeat them; they are not kept, because they follow.
    const Plan plan = planFrom(offerWith(R"("workload": {"recipe": {"micro_batch": 1}},
        "changed_basis": [{"field": "micro_batch", "common": "7", "offer": "9", "reason": "r"}])"));
    QVERIFY(plan.offers[0]->basis[0].common.empty());
    QVERIFY(plan.offers[0]->basis[0].offer.empty());
    QCOMPARE(q(text(changedBasis(plan, 0).at(0))),
        QStringLiteral("Micro-batch: not given → 1 sequence (r)"));
}

void TestPlanJsonFacts::roundTrip_data()
{
    QTest::addColumn<QString>("members");
    const auto row = [](const char* members) { QTest::newRow(members) << QString(members); };
    row(R"("interconnect": "NVLink")");
    row(R"("price": {"amount": "120000", "currency": "EUR", "per": "offer"})");
    row(R"("changed_basis": [{"field": "words", "common": "a"}, {"field": "recompute"}])");
    row(R"("measurements": [{"out_of_memory": true, "x_more": [1]}])");
    row(R"("measurements": [{"devices": "A1·0, A1·2-3", "scope": "allocated", "peak_bytes": 3,
        "phases": ["save", "init"], "complete_steps": 1099511627776}])");
    row(R"("training_result": {"result": "not evaluated", "note": "planned", "x_more": {}})");
}

void TestPlanJsonFacts::roundTrip()
{
    QFETCH(QString, members);
    verifyRoundTrip(planFrom(offerWith(members.toStdString())));
}

void TestPlanJsonFacts::refusals_data()
{
    QTest::addColumn<QString>("members");
    QTest::addColumn<QString>("where");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* members, const char* where, const char* says) {
        QTest::newRow(members) << QString::fromUtf8(members)
                               << "$.offers[0]." + QString::fromUtf8(where)
                               << QString::fromUtf8(says);
    };
    row(R"("interconnect": 5)", "interconnect", "text");
    row(R"("price": {})", "price.amount", "missing");
    row(R"("price": {"amount": 2.49})", "price.amount", "text");
    row(R"("price": {"amount": "2,49"})", "price.amount", "digits with at most one");
    row(R"("price": {"amount": "1", "per": "year"})", "price.per", "gpu-hour");
    row(R"("changed_basis": {})", "changed_basis", "list");
    row(R"("changed_basis": [{}])", "changed_basis[0].field", "missing");
    row(R"("changed_basis": [{"field": ""}])", "changed_basis[0].field", "empty");
    row(R"("measurements": {})", "measurements", "list");
    row(R"("measurements": [{}])", "measurements[0]", "peak_bytes");
    row(R"("measurements": [{"average": true}])", "measurements[0]", "peak_bytes");
    row(R"("measurements": [{"peak_bytes": 0}])", "measurements[0].peak_bytes", "0");
    row(R"("measurements": [{"peak_bytes": -5}])", "measurements[0].peak_bytes", "-5");
    row(R"("measurements": [{"peak_bytes": "12 GiB"}])", "measurements[0].peak_bytes", "12 GiB");
    row(R"("measurements": [{"peak_bytes": 1, "scope": "free"}])", "measurements[0].scope",
        "\"allocated\", \"reserved\" or \"device\"");
    row(R"("measurements": [{"peak_bytes": 1, "devices": ""}])", "measurements[0].devices",
        "empty");
    row(R"("measurements": [{"peak_bytes": 1, "devices": [0]}])", "measurements[0].devices",
        "text");
    row(R"("measurements": [{"peak_bytes": 1, "phases": "init"}])", "measurements[0].phases",
        "list");
    row(R"("measurements": [{"peak_bytes": 1, "phases": ["init", "training"]}])",
        "measurements[0].phases[1]", "a phase: load, init");
    row(R"("measurements": [{"peak_bytes": 1, "complete_steps": -1}])",
        "measurements[0].complete_steps", "-1");
    row(R"("measurements": [{"peak_bytes": 1, "complete_steps": 1.5}])",
        "measurements[0].complete_steps", "1.5");
    row(R"("measurements": [{"peak_bytes": 1, "average": 1}])", "measurements[0].average",
        "true or false");
    row(R"("measurements": [{"peak_bytes": 1, "out_of_memory": "no"}])",
        "measurements[0].out_of_memory", "true or false");
    row(R"("training_result": {"result": "good"})", "training_result.result", "\"accepted\"");
    row(R"("training_result": {"result": "accepted"})", "training_result", "criterion");
    row(R"("training_result": {"result": "rejected", "criterion": ""})", "training_result",
        "criterion");
    row(R"("training_result": {"throughput": 11400})", "training_result.throughput", "text");
}

void TestPlanJsonFacts::refusals()
{
    QFETCH(QString, members);
    QFETCH(QString, where);
    QFETCH(QString, says);
    const auto reading = readPlan(offerWith(members.toStdString()));
    QVERIFY(!reading.ok());
    QCOMPARE(q(reading.error().where), where);
    QVERIFY2(q(reading.error().text()).contains(says), reading.error().text().c_str());
}

QTEST_GUILESS_MAIN(TestPlanJsonFacts)
#include "test_plan_json_facts.moc"
