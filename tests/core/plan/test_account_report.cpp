// The account of a plan as the command line prints it, as JSON and as text.

#include "plan_texts.h"

#include "plan/account_report.h"

using namespace shardrack;
using namespace plantexts;

namespace {

/// Every value that `expected` gives is in `actual`; lists have equal length. Other keys may be
/// there.
bool holds(const Json& actual, const Json& expected, const std::string& path, std::string& wrong)
{
    if (expected.is_object() && actual.is_object()) {
        for (const auto& item : expected.items()) {
            if (!actual.contains(item.key())) {
                wrong = path + "." + item.key() + " is missing";
                return false;
            }
            if (!holds(actual.at(item.key()), item.value(), path + "." + item.key(), wrong))
                return false;
        }
        return true;
    }
    if (expected.is_array() && actual.is_array() && expected.size() == actual.size()) {
        for (std::size_t i = 0; i < expected.size(); ++i)
            if (!holds(actual[i], expected[i], path + "[" + std::to_string(i) + "]", wrong))
                return false;
        return true;
    }
    if (expected == actual)
        return true;
    wrong = path + " is " + actual.dump() + ", expected " + expected.dump();
    return false;
}

void verifyHolds(const Json& actual, const char* expected)
{
    std::string wrong;
    QVERIFY2(holds(actual, Json::parse(expected), "$", wrong), wrong.c_str());
}

/// State of one rank at rest, padding excluded: what its terms of the persistent state add up to.
std::int64_t stateOfARank(const Json& rankClass)
{
    std::int64_t sum = 0;
    for (const Json& term : rankClass.at("terms")) {
        const std::string category = term.at("category");
        const bool state = category == "parameters" || category == "gradients"
            || category == "optimizer" || category == "state";
        if (state && term.at("name") != "padding")
            sum += term.at("bytes").get<std::int64_t>();
    }
    return sum;
}

Json llama()
{
    return accountJson(planFrom(sourceFile("resources/examples/llama-3-8b-32-gpus.shardrack")));
}

} // namespace

class TestAccountReport : public QObject {
    Q_OBJECT

private slots:
    void offerRIsTheContract();
    void offerS();
    void keysOfEveryOffer();
    void llamaState_data();
    void llamaState();
    void leastHeadroomIsMostLoaded();
    void hardwareWithoutRanks();
    void nothingGiven();
    void beyond64Bits();
    void brokenRules();
    void textOfTs24();
    void textFitsATerminal_data();
    void textFitsATerminal();
    void bigPlan();
    void worstOfThePlan();
};

void TestAccountReport::offerRIsTheContract()
{
    // 24 GiB = 25,769,803,776 B and 16 GiB = 17,179,869,184 B; four copies, 24 × 4 = 96 GiB, 72
    // redundant.
    const Json account = accountJson(planFrom(ts24()));
    QCOMPARE(
        account.at("plan").get<std::string>(), std::string("TS-24 four GPUs with 16 GiB each"));
    QCOMPARE(account.at("fictional").get<bool>(), true);
    verifyHolds(account.at("offers").at(0), R"({
       "name": "Offer R",
       "findings": {"capacity": "over", "demonstrated": "none", "result": "not evaluated"},
       "legal": true, "broken_rules": [],
       "most_loaded": {"device": "A1·0", "ranks": [0], "need_bytes": 25769803776, "need_is_at_least": true,
                       "usable_bytes": 17179869184, "usable_provenance": "not established",
                       "headroom_bytes": -8589934592, "headroom_is_at_most": true},
       "installed_bytes_total": 68719476736, "state_bytes_total": 103079215104, "redundant_bytes_total": 77309411328,
       "classes": [{"ranks": "0-3", "count": 4, "stage": 0, "need_bytes": 25769803776, "need_is_at_least": true, "peak_phase": "optimizer",
           "terms": [{"category": "state", "name": "Persistent state, undivided", "bytes": 25769803776, "provenance": "stipulated", "sharing": "replicated", "divided_by": [], "formula": "24 GiB ÷ 1"},
                     {"category": "gathered", "bytes": 0, "provenance": "derived", "sharing": "gathered", "divided_by": []},
                     {"category": "activations", "bytes": null, "provenance": "not established", "sharing": "local", "divided_by": [], "formula": null},
                     {"category": "temporary", "bytes": null, "provenance": "not established", "formula": null},
                     {"category": "slack", "bytes": null, "provenance": "not established", "formula": null},
                     {"category": "outside", "bytes": null, "provenance": "not established", "formula": null}]}],
       "devices": [{"devices": "A1·0-3", "count": 4, "ranks": "0-3", "need_bytes": 25769803776, "need_is_at_least": true, "usable_bytes": 17179869184, "headroom_bytes": -8589934592, "capacity": "over"}],
       "hosts": [{"server": "A1", "need_bytes": null, "installed_bytes": null}]})");
    const Json& gathered = account.at("offers").at(0).at("classes").at(0).at("terms").at(1);
    QVERIFY(gathered.at("formula").is_string());
    const Json& warnings = account.at("offers").at(0).at("warnings");
    QVERIFY(!warnings.empty());
    for (const Json& warning : warnings)
        for (const char* key : { "severity", "subject", "text", "fix" })
            QVERIFY(warning.at(key).is_string());
}

void TestAccountReport::offerS()
{
    // 24 ÷ 4 = 6 GiB = 6,442,450,944 B; 16 − 6 = 10 GiB = 10,737,418,240 B.
    const Json account = accountJson(planFrom(ts24()));
    verifyHolds(account.at("offers").at(1), R"({
       "name": "Offer S", "findings": {"capacity": "open", "demonstrated": "none", "result": "not evaluated"},
       "legal": true,
       "most_loaded": {"device": "A1·0", "ranks": [0], "need_bytes": 6442450944, "need_is_at_least": true,
                       "usable_bytes": 17179869184, "usable_provenance": "not established",
                       "headroom_bytes": 10737418240, "headroom_is_at_most": true},
       "installed_bytes_total": 68719476736, "state_bytes_total": 25769803776, "redundant_bytes_total": 0,
       "classes": [{"ranks": "0-3", "count": 4, "need_bytes": 6442450944, "need_is_at_least": true,
           "terms": [{"category": "state", "bytes": 6442450944, "provenance": "stipulated", "sharing": "sharded", "formula": "24 GiB ÷ 4"},
                     {"category": "gathered", "bytes": null, "provenance": "not established", "formula": null},
                     {"category": "activations", "bytes": null}, {"category": "temporary", "bytes": null},
                     {"category": "slack", "bytes": null}, {"category": "outside", "bytes": null}]}],
       "devices": [{"devices": "A1·0-3", "count": 4, "ranks": "0-3", "need_bytes": 6442450944, "headroom_bytes": 10737418240, "capacity": "open"}]})");
    QCOMPARE(
        account.at("offers").at(1).at("classes").at(0).at("terms").at(0).at("divided_by").size(),
        std::size_t(1));
}

void TestAccountReport::keysOfEveryOffer()
{
    for (const std::string& text : { ts24(), everyField(), offerText("") }) {
        const Json account = accountJson(planFrom(text));
        for (const Json& offer : account.at("offers")) {
            for (const char* key : { "name", "findings", "legal", "broken_rules", "most_loaded",
                     "installed_bytes_total", "state_bytes_total", "redundant_bytes_total",
                     "classes", "devices", "hosts", "warnings" })
                QVERIFY2(offer.contains(key), key);
            for (const Json& each : offer.at("classes"))
                for (const char* key : { "ranks", "count", "stage", "need_bytes",
                         "need_is_at_least", "peak_phase", "terms" })
                    QVERIFY2(each.contains(key), key);
        }
    }
}

void TestAccountReport::llamaState_data()
{
    // 8,030,261,248 parameters × 16 B; × (4 + 12 ÷ 32); × (2 + 14 ÷ 32); × 16 ÷ 32; × 16 ÷ 8.
    QTest::addColumn<int>("offer");
    QTest::addColumn<qint64>("bytes");
    QTest::addColumn<QString>("capacity");
    QTest::newRow("DDP") << 0 << qint64(128484179968) << "over";
    QTest::newRow("ZeRO-1") << 1 << qint64(35132392960) << "open";
    QTest::newRow("ZeRO-2") << 2 << qint64(19573761792) << "open";
    QTest::newRow("FSDP") << 3 << qint64(4015130624) << "open";
    QTest::newRow("HSDP 4×8") << 4 << qint64(16060522496) << "open";
}

void TestAccountReport::llamaState()
{
    QFETCH(int, offer);
    QFETCH(qint64, bytes);
    QFETCH(QString, capacity);
    const Json account = llama();
    const Json& answer = account.at("offers").at(std::size_t(offer));
    QCOMPARE(q(answer.at("name")), QString(QTest::currentDataTag()));
    QCOMPARE(answer.at("classes").size(), std::size_t(1));
    QCOMPARE(q(answer.at("classes").at(0).at("ranks")), QStringLiteral("0-31"));
    QCOMPARE(qint64(stateOfARank(answer.at("classes").at(0))), bytes);
    QCOMPARE(qint64(answer.at("state_bytes_total")), bytes * 32);
    QCOMPARE(qint64(answer.at("redundant_bytes_total")), bytes * 32 - 128484179968);
    QCOMPARE(q(answer.at("findings").at("capacity")), capacity);
    QVERIFY(answer.at("legal").get<bool>());
    // The catalogue's figure for this board: 81,080 MiB visible to a process.
    QCOMPARE(qint64(answer.at("most_loaded").at("usable_bytes")), qint64(81080) << 20);
    QCOMPARE(q(answer.at("most_loaded").at("usable_provenance")), QStringLiteral("derived"));
}

void TestAccountReport::leastHeadroomIsMostLoaded()
{
    std::string text = sourceFile("resources/examples/llama-3-8b-32-gpus.shardrack");
    Json plan = Json::parse(text);
    Json& racks = plan["offers"][0]["site"]["racks"];
    const Json server = racks[0]["servers"][0];
    Json other = server;
    other["name"] = "small";
    other["unit"] = 20;
    other["gpus"]["usable_bytes"] = std::int64_t(40) << 30;
    racks.push_back(Json { { "name", "X" }, { "units", 42 } });
    racks.back()["servers"] = Json::array({ other });
    const Json account = accountJson(planFrom(plan.dump()));
    for (const Json& offer : account.at("offers")) {
        QCOMPARE(q(offer.at("most_loaded").at("device")), QStringLiteral("small·0"));
        QCOMPARE(q(offer.at("most_loaded").at("usable_provenance")), QStringLiteral("stipulated"));
        QVERIFY(offer.at("devices").size() >= 2);
    }
}

void TestAccountReport::hardwareWithoutRanks()
{
    const Json account = accountJson(planFrom(offerText(
        oneServer(4), R"({"preset": "ddp", "ranks": [{"ranks": "0-1", "gpus": "A1·2"}]})")));
    const Json& offer = account.at("offers").at(0);
    QCOMPARE(q(offer.at("idle_devices")), QStringLiteral("A1·0-1,3"));
    QCOMPARE(offer.at("devices").size(), std::size_t(1));
    QCOMPARE(q(offer.at("devices").at(0).at("devices")), QStringLiteral("A1·2"));
    QCOMPARE(q(offer.at("devices").at(0).at("ranks")), QStringLiteral("0-1"));
    QCOMPARE(offer.at("most_loaded").at("ranks").dump(), std::string("[0,1]"));
    QCOMPARE(qint64(offer.at("installed_bytes_total")), qint64(64) << 30);
}

void TestAccountReport::nothingGiven()
{
    const Json account = accountJson(planFrom(offerText("")));
    const Json& offer = account.at("offers").at(0);
    QVERIFY(offer.at("most_loaded").is_null());
    QVERIFY(offer.at("devices").empty());
    QCOMPARE(q(offer.at("findings").at("capacity")), QStringLiteral("open"));
    QVERIFY(accountText(planFrom(offerText(""))).find("No GPU has a rank.") != std::string::npos);
    QVERIFY(accountText(emptyPlan()).find("no offers") != std::string::npos);
    // A state that nobody gave is not zero.
    const Json open = accountJson(planFrom(offerText(oneServer(1)))).at("offers").at(0);
    QVERIFY(open.at("state_bytes_total").is_null());
    QVERIFY(open.at("redundant_bytes_total").is_null());
}

void TestAccountReport::beyond64Bits()
{
    const std::string text = planText(R"("workload": {"state": {"stipulated":
        {"total_bytes": 9223372036854775807}}}, "offers": [{"name": "O", "site": {"racks": [)"
        + oneServer(4) + "]}}]");
    // The job's total leaves the range, each device does not: the device is over, the total
    // unknown.
    const Plan whole = planFrom(text);
    QVERIFY(!assess(whole, 0)->error);
    QVERIFY(!missingAccount(whole));
    QVERIFY(anyOver(whole));
    const Json total = accountJson(whole).at("offers").at(0);
    QVERIFY(total.at("state_bytes_total").is_null());
    QVERIFY(total.at("redundant_bytes_total").is_null());
    QCOMPARE(total.at("most_loaded").at("need_bytes").get<qint64>(), qint64(INT64_MAX));

    // Two ranks on one GPU leave the range themselves: there is no account, and that is said.
    Plan plan = whole;
    Offer offer = *plan.offers.front();
    const ServerId server = offer.site.racks.front()->servers.front().id;
    offer.layout.placement = std::make_shared<const Placement>(
        Placement { { { { server, 0 } }, {} }, { { { server, 0 } }, {} } });
    plan.offers.front() = std::make_shared<const Offer>(offer);
    const auto assessment = assess(plan, 0);
    QVERIFY(assessment->error);
    QVERIFY(missingAccount(plan));
    QCOMPARE(q(missingAccount(plan)->where), QStringLiteral("$.offers[0]"));
    QCOMPARE(assessment->account.classOfRank.size(), std::size_t(2));
    QCOMPARE(assessment->account.classOfGpu.size(), std::size_t(4));
    QCOMPARE(assessment->account.deviceClasses.size(), std::size_t(1));
    QCOMPARE(assessment->findings.ofDeviceClass.size(), std::size_t(1));
    QVERIFY(assessment->findings.capacity == Capacity::Open);
    const Json json = accountJson(plan).at("offers").at(0);
    QVERIFY(json.at("state_bytes_total").is_null());
    QCOMPARE(q(json.at("warnings").at(0).at("severity")), QStringLiteral("error"));
    QVERIFY(q(accountText(plan)).contains("64-bit"));
}

void TestAccountReport::brokenRules()
{
    const Plan plan = planFrom(planText(
        R"("workload": {"recipe": {"micro_batch": 3, "global_batch": 10}}, "offers": [{"name": "O",
            "site": {"racks": [)"
        + oneServer(4) + "]}}]"));
    const Json offer = accountJson(plan).at("offers").at(0);
    QVERIFY(!offer.at("legal").get<bool>());
    QCOMPARE(offer.at("broken_rules").size(), std::size_t(1));
    QVERIFY(q(offer.at("broken_rules").at(0)).contains("global batch"));
    QVERIFY(q(accountText(plan)).contains("not legal"));
}

void TestAccountReport::textOfTs24()
{
    const QString text = q(accountText(planFrom(ts24())));
    for (const char* part : { "TS-24 four GPUs with 16 GiB each", "A fictional example",
             "Ordinary local optimizer state, no additional sharding or offload", "Over capacity",
             "96.00 GiB in 4 copies, of which 72.00 GiB are redundant",
             "64.00 GiB on 4 GPUs; their sum is not one allocation", "needs at least 24.00 GiB",
             "over by at least 8.00 GiB", "24 GiB ÷ 1", "24 GiB ÷ 4", "not established",
             "usable 16.00 GiB (not confirmed)", "Not evaluated", "Required margin    not stated" })
        QVERIFY2(text.contains(part), part);
    // 10 GiB is what the open terms have to fit into.
    bool room = false;
    for (const QString& line : text.split('\n')) {
        room = room || line.contains("10.00 GiB for everything that is not established");
        QVERIFY2(!(line.contains("margin", Qt::CaseInsensitive) && line.contains("10.00")),
            qPrintable(line));
    }
    QVERIFY(room);
}

void TestAccountReport::textFitsATerminal_data()
{
    QTest::addColumn<QString>("path");
    QTest::newRow("ts-24") << "resources/examples/ts-24.shardrack";
    QTest::newRow("llama") << "resources/examples/llama-3-8b-32-gpus.shardrack";
    QTest::newRow("every field") << "tests/data/plans/every-field.shardrack";
}

void TestAccountReport::textFitsATerminal()
{
    QFETCH(QString, path);
    const QString text = q(accountText(planFrom(sourceFile(path.toStdString()))));
    QVERIFY(text.endsWith('\n'));
    for (const QString& line : text.split('\n')) {
        QVERIFY2(line.size() <= 100, qPrintable(line));
        QVERIFY2(!line.endsWith(' '), qPrintable(line));
    }
}

void TestAccountReport::bigPlan()
{
    const Plan plan = planFrom(planText(
        R"("workload": {"model": {"preset": "llama-3.1-405b"}, "recipe": {"preset": "mixed-adam"}},
           "offers": [{"name": "O", "layout": {"preset": "fsdp"}, "site": {"racks": [{"name": "R{1..2048}",
           "units": 64, "servers": [{"name": "{rack}-{1..8}", "type": "dgx-h100",
           "gpus": {"type": "h100-sxm5-80", "count": 8}}]}]}}])"));
    const Json offer = accountJson(plan).at("offers").at(0);
    QCOMPARE(offer.at("hosts").size(), std::size_t(16384));
    std::int64_t ranks = 0;
    for (const Json& each : offer.at("classes"))
        ranks += each.at("count").get<std::int64_t>();
    QCOMPARE(ranks, std::int64_t(131072));
    // The text names what is equal once.
    QVERIFY(accountText(plan).size() < 10000);
}

void TestAccountReport::worstOfThePlan()
{
    QVERIFY(anyOver(planFrom(ts24())));
    QVERIFY(!anyOver(planFrom(offerText(oneServer(4)))));
    Plan plan = planFrom(ts24());
    plan.offers.erase(plan.offers.begin());
    QVERIFY(!anyOver(plan));
}

QTEST_GUILESS_MAIN(TestAccountReport)
#include "test_account_report.moc"
