#include "test_edit_plans.h"

#include "plan/basis.h"

using namespace editplans;

/// Evidence of an offer as it stands: which devices it names, whether it is about this state, and
/// what the findings say of it.
class TestOfferEvidence : public QObject {
    Q_OBJECT

private slots:
    void devices_data();
    void devices();
    void whatMakesAnotherState_data();
    void whatMakesAnotherState();
    void findings_data();
    void findings();
    void warnings();
    void outcomeOfAnotherState();
    void manyReadingsAreSummedUp();
    void largeOffers();
};

namespace {

/// Two servers of four GPUs, everything given: 6 GiB a device, and 5 GiB of other terms.
Plan eight()
{
    return planFrom(R"({"format": "shardrack-plan", "version": 1, "title": "Eight",
        "workload": {"state": {"stipulated": {"total_bytes": 6442450944}}, "terms": {
            "gathered_bytes": 1073741824, "activations_bytes": 1073741824,
            "temporary_bytes": 1073741824, "slack_bytes": 1073741824, "outside_bytes": 1073741824}},
        "offers": [{"name": "O", "site": {"racks": [{"name": "A", "servers": [
            {"name": "A{1..2}", "height": 4, "gpus": {"type": "generic-16gib", "count": 4,
             "usable_bytes": 17179869184}}]}]}}]})");
}

Measurement reading(const std::string& devices = "all")
{
    Measurement measurement;
    measurement.devices = devices;
    measurement.peak = Bytes(12 * kGiB);
    measurement.phases.set(RunPhase::Init);
    measurement.completeSteps = 2;
    return measurement;
}

Plan with(const Plan& plan, std::vector<Measurement> measurements)
{
    return shardrack::apply(plan, edit::SetMeasurements { 0, std::move(measurements) })
        .value()
        .plan;
}

Plan changed(const Plan& plan, const Edit& edit)
{
    return shardrack::apply(plan, edit).value().plan;
}

} // namespace

void TestOfferEvidence::devices_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("expected"); // ordinals, or what is refused
    const auto row = [](const char* text, const char* expected) {
        QTest::newRow(text) << QString::fromUtf8(text) << QString::fromUtf8(expected);
    };
    row("all", "0-7");
    row("A1·0", "0");
    row("A1.0", "0");
    row("A2:3", "7");
    row("A1·0-3", "0-3");
    row("A1·2..A2·1", "2-5");
    row("A1·0..A2·3/4", "0,4");
    row("A1·0, A2·0 ,A2·3", "0,4,7");
    row("A1·1,A1·1", "1");
    row("", "\"\" names no GPU of the site");
    row("A3·0", "\"A3·0\" names no GPU of the site");
    row("A1·4", "\"A1·4\" names no GPU of the site");
    row("A1", "\"A1\" names no GPU of the site");
    row("A1·0,,A1·1", "\"\" names no GPU of the site");
    row("all, A1·0", "\"all\" names no GPU of the site");
}

void TestOfferEvidence::devices()
{
    QFETCH(QString, text);
    QFETCH(QString, expected);
    const Plan plan = eight();
    const auto now = assess(plan, 0);
    const auto gpus
        = measuredDevices(text.toStdString(), plan.offers[0]->site, now->index, now->account);
    QCOMPARE(gpus.ok() ? q(gpus->text()) : q(gpus.error().what), expected);
    if (!gpus.ok())
        QVERIFY(q(gpus.error().expected).contains("A1·0"));
}

/// What is run makes the state; what is said, estimated or allowed about it does not.
void TestOfferEvidence::whatMakesAnotherState_data()
{
    QTest::addColumn<bool>("another");
    for (const char* name :
        { "micro-batch", "sequence", "recompute", "framework version", "state", "optimizer",
            "a server more", "a GPU less", "a rank less", "another layout", "a renamed server" })
        QTest::newRow(name) << true;
    for (const char* name : { "title", "margin", "price", "interconnect", "assumptions",
             "another offer", "usable", "usable of one GPU", "usable not confirmed", "terms",
             "weights only", "requirement", "a second measurement", "a copy" })
        QTest::newRow(name) << false;
}

void TestOfferEvidence::whatMakesAnotherState()
{
    QFETCH(bool, another);
    const Plan plan = with(eight(), { reading() });
    QCOMPARE(assess(plan, 0)->findings.demonstrated, Demonstrated::Demonstrated);
    const std::string name = QTest::currentDataTag();
    Workload workload = *plan.workload;
    Layout layout;
    layout.preset = LayoutPreset::Zero1;
    Offer copy = *plan.offers[0];
    copy.name = "P";
    Plan after = plan;
    std::size_t offer = 0;
    const auto asked = [&](auto change) {
        change(workload);
        after = changed(plan, edit::SetWorkload { workload });
    };
    if (name == "micro-batch")
        asked([](Workload& each) { each.recipe.microBatch = 2; });
    else if (name == "sequence")
        asked([](Workload& each) { each.recipe.sequence = 8192; });
    else if (name == "recompute")
        asked([](Workload& each) { each.recipe.recompute = "full"; });
    else if (name == "framework version")
        asked([](Workload& each) { each.recipe.frameworkVersion = "2.6"; });
    else if (name == "state")
        asked([](Workload& each) { each.stipulated.total = Bytes(1); });
    else if (name == "optimizer")
        asked([](Workload& each) { each.recipe.optimizer = "sgd"; });
    else if (name == "a server more")
        after = changed(plan, edit::AddServer { 0, 0, server("", 20, 4, 4, 4), NewRanks::Auto });
    else if (name == "a GPU less")
        after = changed(plan, edit::RemoveGpu { 0, { 1, 3 } });
    else if (name == "a rank less")
        after = changed(plan, edit::RemoveRank { 0, RankSet::range(7, 7) });
    else if (name == "another layout")
        after = changed(plan, edit::SetLayout { 0, layout });
    else if (name == "a renamed server")
        after = changed(plan, edit::RenameServer { 0, 1, "X" });
    else if (name == "title")
        after = changed(plan, edit::SetTitle { "Nine" });
    else if (name == "margin")
        after = changed(plan, edit::SetMargin { { Bytes(kGiB), "policy", nullptr } });
    else if (name == "price")
        after = changed(
            plan, edit::SetPrice { 0, Price { "2", "USD", Price::Per::Offer, "", nullptr } });
    else if (name == "interconnect")
        after = changed(plan, edit::SetInterconnect { 0, "NVLink" });
    else if (name == "assumptions")
        after = changed(plan, edit::SetAssumptions { 0, { "One." } });
    else if (name == "another offer")
        after = changed(plan, edit::AddOffer { emptyOffer("P"), 1 });
    else if (name == "usable")
        after = changed(plan,
            edit::SetUsable { 0,
                { { 1, 0 }, { 1, 1 }, { 1, 2 }, { 1, 3 }, { 2, 0 }, { 2, 1 }, { 2, 2 }, { 2, 3 } },
                Bytes(13 * kGiB), true });
    else if (name == "usable of one GPU")
        after = changed(plan, edit::SetUsable { 0, { { 1, 1 } }, Bytes(14 * kGiB), true });
    else if (name == "usable not confirmed")
        after = changed(plan, edit::SetUsable { 0, { { 1, 1 } }, Bytes(16 * kGiB), false });
    else if (name == "terms")
        asked([](Workload& each) { each.terms.activations = Bytes(2 * kGiB); });
    else if (name == "weights only")
        asked([](Workload& each) { each.weightsOnly = Bytes(kGiB); });
    else if (name == "requirement")
        asked([](Workload& each) { each.requirement = "loss"; });
    else if (name == "a second measurement")
        after = with(plan, { plan.offers[0]->measurements[0], reading("A1·0") });
    else if (name == "a copy")
        after = changed(plan, edit::AddOffer { copy, 0 });
    else
        QFAIL("no such row");
    QCOMPARE(offerFingerprint(after, offer) != offerFingerprint(plan, 0), another);
    const Demonstration shown = assess(after, offer)->findings.demonstration;
    QCOMPARE(shown.readings.at(0).otherState, another);
    if (another) {
        QVERIFY(shown.value == Demonstrated::None);
        QVERIFY2(
            q(shown.rule).contains("recorded for another state of this offer"), shown.rule.c_str());
    } else {
        QVERIFY(shown.value
            == (name == "usable not confirmed" ? Demonstrated::Partial
                                               : Demonstrated::Demonstrated));
    }
    // Undone, the evidence is about the offer as it stands again.
    QCOMPARE(assess(plan, 0)->findings.demonstrated, Demonstrated::Demonstrated);
}

void TestOfferEvidence::findings_data()
{
    QTest::addColumn<QStringList>("devices");
    QTest::addColumn<QString>("expected");
    QTest::addColumn<QString>("rule");
    QTest::newRow("none") << QStringList {} << "none 0/8"
                          << "No run was measured.";
    QTest::newRow("all") << QStringList { "all" } << "demonstrated 8/8"
                         << "Every device with a rank was measured";
    QTest::newRow("by name") << QStringList { "A1·0-3", "A2·0-3" } << "demonstrated 8/8"
                             << "Every device with a rank was measured";
    QTest::newRow("one server") << QStringList { "A1·0-3" } << "partial 4/8"
                                << "4 of 8 devices with a rank have a peak of their own.";
    QTest::newRow("unknown") << QStringList { "B1·0" } << "none 0/8"
                             << "The reading of B1·0 does not count: \"B1·0\" names no GPU";
    QTest::newRow("unknown and known") << QStringList { "B1·0", "A2·0-3" } << "partial 4/8"
                                       << "4 of 8 devices";
}

void TestOfferEvidence::findings()
{
    QFETCH(QStringList, devices);
    QFETCH(QString, expected);
    QFETCH(QString, rule);
    std::vector<Measurement> measurements;
    for (const QString& each : devices)
        measurements.push_back(reading(each.toStdString()));
    const Plan plan = with(eight(), measurements);
    const Findings found = assess(plan, 0)->findings;
    QCOMPARE(QStringLiteral("%1 %2/%3")
                 .arg(QLatin1StringView(id(found.demonstrated)))
                 .arg(found.demonstration.covered)
                 .arg(found.demonstration.participating),
        expected);
    QVERIFY2(q(found.demonstration.rule).contains(rule), found.demonstration.rule.c_str());
    QCOMPARE(found.demonstrated, found.demonstration.value);
    QCOMPARE(found.demonstration.readings.size(), measurements.size());
    // Evidence changes no estimate: measured never overwrites derived.
    QCOMPARE(found.capacity, assess(eight(), 0)->findings.capacity);
}

void TestOfferEvidence::warnings()
{
    const auto find = [](const Plan& plan, Warning::Topic topic) {
        std::vector<Warning> found;
        const auto now = assess(plan, 0);
        for (const Warning& warning : now->findings.warnings)
            if (warning.topic == topic)
                found.push_back(warning);
        return found;
    };
    using Topic = Warning::Topic;
    using Severity = Warning::Severity;
    QVERIFY(find(eight(), Topic::Evidence).empty());
    QVERIFY(find(with(eight(), { reading() }), Topic::Evidence).empty());

    const auto partial = find(with(eight(), { reading("A1·0-3") }), Topic::Evidence);
    QCOMPARE(partial.size(), std::size_t(1));
    QVERIFY(partial[0].severity == Severity::Note);
    QVERIFY2(q(partial[0].fix).contains("at least 2 complete steps"), partial[0].fix.c_str());

    Measurement overflow = reading("A2·1");
    overflow.outOfMemory = true;
    const auto contradicted = find(with(eight(), { reading(), overflow }), Topic::Evidence);
    QCOMPARE(contradicted.size(), std::size_t(1));
    QVERIFY(contradicted[0].severity == Severity::Error);
    QCOMPARE(q(contradicted[0].text), QStringLiteral("A run ran out of memory on A2·1."));

    const auto unknown = find(with(eight(), { reading("B1·0") }), Topic::Evidence);
    QCOMPARE(unknown.size(), std::size_t(1));
    QCOMPARE(q(unknown[0].subject), QStringLiteral("Evidence that does not count"));

    TrainingOutcome outcome;
    outcome.result = TrainingResult::Rejected;
    outcome.criterion = "loss ≤ 2.1";
    outcome.value = "2.3";
    const auto rejected = find(changed(eight(), edit::SetOutcome { 0, outcome }), Topic::Result);
    QCOMPARE(rejected.size(), std::size_t(1));
    QVERIFY(rejected[0].severity == Severity::Warning);
    QCOMPARE(q(rejected[0].text), QStringLiteral("Rejected by: loss ≤ 2.1; reached 2.3."));
}

void TestOfferEvidence::outcomeOfAnotherState()
{
    TrainingOutcome outcome;
    outcome.result = TrainingResult::Accepted;
    outcome.criterion = "loss ≤ 2.1";
    const Plan plan = changed(eight(), edit::SetOutcome { 0, outcome });
    QCOMPARE(assess(plan, 0)->findings.result, TrainingResult::Accepted);
    const Plan after = changed(plan, edit::RemoveGpu { 0, { 1, 0 } });
    const Findings found = assess(after, 0)->findings;
    QCOMPARE(found.result, TrainingResult::NotEvaluated);
    const auto said = std::find_if(found.warnings.begin(), found.warnings.end(),
        [](const Warning& each) { return each.topic == Warning::Topic::Result; });
    QVERIFY(said != found.warnings.end());
    QVERIFY2(q(said->text).contains("another state"), said->text.c_str());
}

void TestOfferEvidence::manyReadingsAreSummedUp()
{
    std::vector<Measurement> measurements;
    for (int gpu = 0; gpu < 8; ++gpu) {
        measurements.push_back(
            reading("A" + std::to_string(1 + gpu / 4) + "·" + std::to_string(gpu % 4)));
        measurements.back().completeSteps = 1;
    }
    const Findings found = assess(with(eight(), measurements), 0)->findings;
    QCOMPARE(found.demonstration.shortfalls.size(), std::size_t(8));
    bool said = false;
    for (const Warning& warning : found.warnings)
        said = said || q(warning.text).contains("And 4 more.");
    QVERIFY(said);
}

/// A reading that names 16,384 devices covers them all.
void TestOfferEvidence::largeOffers()
{
    const Plan plan = with(planFrom(R"({"format": "shardrack-plan", "version": 1, "title": "",
        "workload": {"state": {"stipulated": {"total_bytes": 6442450944}}},
        "offers": [{"name": "O", "layout": {"preset": "fsdp"}, "site": {"racks": [{"name": "R{1..256}",
            "units": 64, "servers": [{"name": "{rack}-{1..8}", "type": "dgx-h100",
            "gpus": {"type": "h100-sxm5-80", "count": 8}}]}]}}]})"),
        { reading("R1-1·0..R256-8·7") });
    const auto now = assess(plan, 0);
    QCOMPARE(now->findings.demonstration.participating, std::int64_t(16384));
    QCOMPARE(now->findings.demonstration.covered, std::int64_t(16384));
    const Evidence evidence = evidenceOf(*plan.workload, *plan.offers[0], now->index, now->account);
    QVERIFY(demonstrate(now->account, evidence).value == Demonstrated::Demonstrated);
}

QTEST_GUILESS_MAIN(TestOfferEvidence)
#include "test_offer_evidence.moc"
