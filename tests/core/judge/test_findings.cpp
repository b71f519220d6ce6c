#include "judge/findings.h"

#include <QTest>

using namespace shardrack;

namespace {

/// Servers of one GPU each with these usable sizes in GiB; negative: not confirmed.
Site siteOf(const std::vector<int>& usable)
{
    auto rack = std::make_shared<Rack>();
    rack->name = "A";
    rack->units = 42;
    for (std::size_t i = 0; i < usable.size(); ++i) {
        Server server;
        server.id = ServerId(i + 1);
        server.name = "A" + std::to_string(i + 1);
        server.unit = int(i + 1);
        server.gpuSlots = 1;
        server.gpus = { GpuRun {
            "generic-16gib", 1, Bytes(std::abs(usable[i]) * kGiB), usable[i] >= 0, nullptr } };
        rack->servers.push_back(server);
    }
    Site site;
    site.racks.push_back(rack);
    return site;
}

struct Judgement {
    Account account;
    Findings findings;
};

Judgement judged(const Workload& workload, const Layout& layout, const Site& site,
    const RequiredMargin& margin = {})
{
    const SiteIndex index(site, Catalogue::builtIn());
    const ResolvedLayout resolved(layout, index);
    Judgement result;
    result.account = account(workload, resolved, index).value();
    result.findings = judge(result.account, workload, layout, resolved, site, index, margin);
    return result;
}

Workload given(int state, std::optional<int> each = {}, int slack = 0)
{
    Workload workload;
    workload.basis = Workload::StateBasis::Stipulated;
    workload.stipulated.total = Bytes(state * kGiB);
    if (each)
        workload.terms = { Bytes(*each * kGiB), Bytes(*each * kGiB), Bytes(*each * kGiB),
            Bytes(slack * kGiB), Bytes(*each * kGiB) };
    return workload;
}

Layout ddp() { return {}; }

Layout fsdp()
{
    Layout layout;
    layout.preset = LayoutPreset::Fsdp;
    return layout;
}

std::string all(const Findings& findings)
{
    std::string text;
    for (const Warning& warning : findings.warnings)
        text += warning.subject + ": " + warning.text + " " + warning.fix + "\n";
    return text;
}

} // namespace

class TestFindings : public QObject {
    Q_OBJECT
private slots:
    void verdicts_data();
    void verdicts();
    void replicasOfTs24();
    void shardsOfTs24();
    void mostLoadedIsLeastHeadroomNotMostBytes();
    void verdictAndHeadlineMayBeDifferentDevices();
    void hardwareWithoutARankIsInNoFinding();
    void suggestionsHoldWhatTheySay();
    void weightsOnlyDoesNotAnswerFit();
    void nothingPlacedIsOpen();
};

void TestFindings::verdicts_data()
{
    QTest::addColumn<int>("state");
    QTest::addColumn<int>("each");
    QTest::addColumn<int>("slack");
    QTest::addColumn<int>("usable");
    QTest::addColumn<int>("margin");
    QTest::addColumn<QString>("expected");
    // DOMAIN section 2. `each` counts four times: gathered, activations, temporary, outside.
    QTest::newRow("over, open terms or not") << 24 << -1 << 0 << 16 << 0 << "over";
    QTest::newRow("open terms") << 6 << -1 << 0 << 16 << 0 << "open";
    QTest::newRow("open terms, tiny state") << 0 << -1 << 0 << 80 << 0 << "open";
    QTest::newRow("not confirmed") << 6 << 1 << 1 << -16 << 0 << "open";
    QTest::newRow("not confirmed, over") << 24 << 1 << 1 << -16 << 0 << "over";
    QTest::newRow("fits") << 6 << 1 << 1 << 16 << 0 << "fit";
    QTest::newRow("exactly full") << 11 << 1 << 1 << 16 << 0 << "fit";
    QTest::newRow("one too many") << 13 << 1 << 0 << 16 << 0 << "over";
    QTest::newRow("slack makes it tight, never over") << 12 << 1 << 1 << 16 << 0 << "tight";
    QTest::newRow("margin makes it tight") << 8 << 1 << 1 << 16 << 4 << "tight";
    QTest::newRow("margin kept") << 7 << 1 << 1 << 16 << 4 << "fit";
}

void TestFindings::verdicts()
{
    QFETCH(int, state);
    QFETCH(int, each);
    QFETCH(int, slack);
    QFETCH(int, usable);
    QFETCH(int, margin);
    QFETCH(QString, expected);
    RequiredMargin required;
    if (margin > 0)
        required = { Bytes(margin * kGiB), "policy", nullptr };
    const Workload workload
        = given(state, each < 0 ? std::optional<int>() : std::optional<int>(each), slack);
    const Judgement got = judged(workload, ddp(), siteOf({ usable }), required);
    QCOMPARE(QString::fromUtf8(id(got.findings.capacity)), expected);
}

void TestFindings::replicasOfTs24()
{
    const Judgement got = judged(given(24), ddp(), siteOf({ -16, -16, -16, -16 }));
    QCOMPARE(got.findings.capacity, Capacity::Over);
    QCOMPARE(got.findings.devicesOver, std::int64_t(4));
    QCOMPARE(got.findings.mostLoadedGpu, 0);
    QCOMPARE(got.findings.demonstrated, Demonstrated::None);
    QCOMPARE(got.findings.result, TrainingResult::NotEvaluated);
    const std::string text = all(got.findings);
    for (const char* expected :
        { "rank 0 on A1·0 and 3 equal: Needs at least 24.00 GiB, usable 16.00 GiB (not "
          "confirmed): over by at least 8.00 GiB.",
            "72.00 GiB of 96.00 GiB", "64.00 GiB are installed, which is not one allocation",
            "over 2 or more ranks: 12.00 GiB each" })
        QVERIFY2(text.find(expected) != std::string::npos, text.c_str());
}

void TestFindings::shardsOfTs24()
{
    const Judgement got = judged(given(24), fsdp(), siteOf({ -16, -16, -16, -16 }));
    QCOMPARE(got.findings.capacity, Capacity::Open);
    QCOMPARE(got.findings.openTerms,
        (std::vector<std::string> { "Gathered parameters", "Activations", "Temporary buffers",
            "Allocator slack", "Outside allocator" }));
    const std::string text = all(got.findings);
    QVERIFY2(text.find("5 terms are not established") != std::string::npos, text.c_str());
    QVERIFY2(text.find("Usable allocation not confirmed") != std::string::npos, text.c_str());
    QVERIFY2(text.find("margin") == std::string::npos, text.c_str());
    QVERIFY2(text.find("copies") == std::string::npos, text.c_str());
}

void TestFindings::mostLoadedIsLeastHeadroomNotMostBytes()
{
    // 42 of 40 is worse than 60 of 80.
    Workload workload;
    workload.basis = Workload::StateBasis::Stipulated;
    workload.stipulated.total = Bytes(102 * kGiB);
    Layout layout;
    layout.placement
        = std::make_shared<Placement>(Placement { { { { 1, 0 }, { 2, 0 } }, { 60, 42 } } });
    const Judgement got = judged(workload, layout, siteOf({ 80, 40 }));
    QCOMPARE(got.findings.mostLoadedGpu, 1);
    QCOMPARE(got.account.deviceClasses[0].need.established.count(), 60 * kGiB);
    QCOMPARE(got.account.deviceClasses[1].headroom().count(), -2 * kGiB);
}

void TestFindings::verdictAndHeadlineMayBeDifferentDevices()
{
    // GPU 0: 15 of 16 and tight by slack alone; GPU 1: 15 of 40 but not confirmed, so open.
    const Judgement got = judged(given(11, 1, 0), ddp(), siteOf({ 16, -40 }));
    QCOMPARE(got.findings.capacity, Capacity::Open);
    QCOMPARE(got.findings.mostLoadedGpu, 0);
    QCOMPARE(got.findings.decidingGpu, 1);
}

void TestFindings::hardwareWithoutARankIsInNoFinding()
{
    Layout layout;
    layout.placement = std::make_shared<Placement>(Placement { { { { 2, 0 } }, {} } });
    const Judgement got = judged(given(20), layout, siteOf({ 16, 80 }));
    QCOMPARE(got.findings.capacity, Capacity::Open);
    QCOMPARE(got.findings.devicesJudged, std::int64_t(1));
    QCOMPARE(got.findings.devicesIdle, std::int64_t(1));
    QCOMPARE(got.account.installedTotal.count(), 32 * kGiB);
}

void TestFindings::suggestionsHoldWhatTheySay()
{
    for (int state = 17; state < 200; state += 13) {
        const Judgement over = judged(given(state), ddp(), siteOf({ 16 }));
        QCOMPARE(over.findings.capacity, Capacity::Over);
        const std::string fix = over.findings.warnings.front().fix;
        const std::string head = "Shard the whole state over ";
        QVERIFY2(fix.rfind(head, 0) == 0, fix.c_str());
        const int ranks = std::stoi(fix.substr(head.size()));
        const auto capacity = [&](int number) {
            return judged(given(state), fsdp(), siteOf(std::vector<int>(std::size_t(number), 16)))
                .findings.capacity;
        };
        QCOMPARE(capacity(ranks), Capacity::Open);
        QCOMPARE(capacity(ranks - 1), Capacity::Over);
    }
}

void TestFindings::weightsOnlyDoesNotAnswerFit()
{
    Workload workload;
    workload.weightsOnly = Bytes(15 * kGiB);
    const Judgement got = judged(workload, ddp(), siteOf({ 16 }));
    QCOMPARE(got.findings.capacity, Capacity::Open);
    QCOMPARE(got.account.deviceClasses[0].need.established.count(), 0);
    QVERIFY(all(got.findings).find("does not answer fit") != std::string::npos);
}

void TestFindings::nothingPlacedIsOpen()
{
    const Judgement got = judged(given(1), ddp(), Site {});
    QCOMPARE(got.findings.capacity, Capacity::Open);
    QCOMPARE(got.findings.mostLoadedGpu, -1);
    QVERIFY(got.findings.legality.legal());
}

QTEST_GUILESS_MAIN(TestFindings)
#include "test_findings.moc"
