// Racks, servers and GPUs in a plan file: name patterns, limits, what the writer makes of them.

#include "plan_texts.h"

#include <QElapsedTimer>

using namespace shardrack;
using namespace plantexts;

namespace {

/// Servers of two units with one GPU each.
std::string server(const std::string& name, int unit = 0)
{
    return "{\"name\": \"" + name + "\", "
        + (unit > 0 ? "\"unit\": " + std::to_string(unit) + ", " : "")
        + R"("height": 2, "gpus": {"type": "generic-16gib", "count": 1}})";
}

std::string rack(const std::string& name, const std::string& servers, int units = 42)
{
    return "{\"name\": \"" + name + "\", \"units\": " + std::to_string(units) + ", \"servers\": ["
        + servers + "]}";
}

/// A site of equal racks, as a program that knows no patterns would hold it.
Site bigSite(int racks, int serversPerRack, int gpus, bool numberedThrough)
{
    Site site;
    ServerId id = 1;
    for (int r = 1; r <= racks; ++r) {
        Rack rack;
        rack.name = "R" + std::to_string(1000 + r);
        rack.units = 64;
        for (int s = 0; s < serversPerRack; ++s) {
            Server server;
            server.id = id;
            server.name = numberedThrough ? "node" + std::to_string(id)
                                          : rack.name + "-" + std::to_string(s + 1);
            ++id;
            server.unit = 1 + 8 * s;
            server.height = 8;
            server.gpuSlots = gpus;
            server.gpus.push_back({ "h100-sxm5-80", gpus, {}, true, {} });
            rack.servers.push_back(server);
        }
        site.racks.push_back(std::make_shared<const Rack>(rack));
    }
    return site;
}

} // namespace

class TestPlanJsonHardware : public QObject {
    Q_OBJECT

private slots:
    void names_data();
    void names();
    void placesOfServers();
    void defaultsFromTheCatalogue();
    void ids();
    void refusals_data();
    void refusals();
    void writtenForms_data();
    void writtenForms();
    void oneRack();
    void bigPlans_data();
    void bigPlans();
};

void TestPlanJsonHardware::names_data()
{
    QTest::addColumn<QString>("racks");
    QTest::addColumn<QStringList>("servers");
    const auto row = [](const char* name, const std::string& racks, const QStringList& servers) {
        QTest::newRow(name) << q(racks) << servers;
    };
    row("plain", rack("A", server("A1")), { "A1" });
    row("run", rack("A", server("A{1..4}")), { "A1", "A2", "A3", "A4" });
    row("text on both sides", rack("A", server("gpu{9..11}.local")),
        { "gpu9.local", "gpu10.local", "gpu11.local" });
    row("padded", rack("A", server("n{008..010}")), { "n008", "n009", "n010" });
    row("padded to the first only", rack("A", server("n{08..10}")), { "n08", "n09", "n10" });
    row("zero alone is not padded", rack("A", server("n{0..1}")), { "n0", "n1" });
    row("one of one", rack("A", server("A{7..7}")), { "A7" });
    row("rack's name", rack("A", server("{rack}1")), { "A1" });
    row("rack's name twice", rack("A", server("{rack}-{rack}")), { "A-A" });
    row("repeated rack", rack("R{1..2}", server("{rack}-{1..2}")),
        { "R1-1", "R1-2", "R2-1", "R2-2" });
    row("numbers that go on", rack("R{1..3}", server("n{1..2+2}")),
        { "n1", "n2", "n3", "n4", "n5", "n6" });
    row("numbers that go on, padded", rack("R{1..2}", server("n{01..02+2}")),
        { "n01", "n02", "n03", "n04" });
    row("numbers with a step", rack("R{1..2}", server("n{1..1+10}")), { "n1", "n11" });
    row("two kinds that share the numbers",
        rack("R{1..2}", server("n{1..2+3}") + "," + server("n{3..3+3}")),
        { "n1", "n2", "n3", "n4", "n5", "n6" });
    row("brace", rack("A", server("a{{b}")), { "a{b}" });
    row("brace and number", rack("A", server("{{{1..2}}")), { "{1}", "{2}" });
}

void TestPlanJsonHardware::names()
{
    QFETCH(QString, racks);
    QFETCH(QStringList, servers);
    const Plan plan = planFrom(offerText(racks.toStdString()));
    QCOMPARE(serverNames(plan.offers[0]->site), servers);
    verifyRoundTrip(plan);
}

void TestPlanJsonHardware::placesOfServers()
{
    // Without a unit a server stands below the one before it; the list is kept by unit.
    const Plan plan = planFrom(offerText(
        rack("A", server("low", 20) + "," + server("below") + "," + server("x{1..2}", 1))));
    const Rack& read = *plan.offers[0]->site.racks[0];
    QStringList found;
    for (const Server& each : read.servers)
        found.append(q(each.name + "@" + std::to_string(each.unit)));
    QCOMPARE(found, QStringList({ "x1@1", "x2@3", "low@20", "below@22" }));
    QCOMPARE(read.servers[0].id, 1);
    QCOMPARE(read.servers[3].id, 4);
}

void TestPlanJsonHardware::defaultsFromTheCatalogue()
{
    // A DGX H100 is 8 units high and takes 8 GPUs (catalogue, from NVIDIA's data sheet).
    const Plan plan = planFrom(offerText(
        R"({"name": "A", "type": "eia-48u-750x1200", "servers": [{"name": "A1", "type": "dgx-h100"}]},
           {"name": "B", "servers": [{"name": "B1"}]})"));
    const Site& site = plan.offers[0]->site;
    QCOMPARE(site.racks[0]->units, 48);
    const Server& known = site.racks[0]->servers[0];
    QCOMPARE(known.height, 8);
    QCOMPARE(known.gpuSlots, 8);
    QCOMPARE(known.gpuCount(), 0);
    QCOMPARE(site.racks[1]->units, 42);
    QCOMPARE(site.racks[1]->servers[0].height, 1);
    QCOMPARE(site.racks[1]->servers[0].gpuSlots, 0);
    verifyRoundTrip(plan);
}

void TestPlanJsonHardware::ids()
{
    const Plan plan = planFrom(
        offerText(rack("R{1..2}", server("{rack}-{1..2}")) + "," + rack("S", server("S"))));
    ServerId expected = 1;
    for (const auto& each : plan.offers[0]->site.racks)
        for (const Server& made : each->servers)
            QCOMPARE(made.id, expected++);
    QCOMPARE(nextServerId(*plan.offers[0]), 6);
}

void TestPlanJsonHardware::refusals_data()
{
    QTest::addColumn<QString>("racks");
    QTest::addColumn<QString>("where");
    QTest::addColumn<QString>("says");
    const auto row
        = [](const char* name, const std::string& racks, const char* where, const char* says) {
              QTest::newRow(name) << q(racks) << "$.offers[0].site.racks" + QString(where) << says;
          };
    const std::string gpu = R"("gpus": {"type": "generic-16gib", "count": )";
    row("no name", "{}", "[0].name", "missing");
    row("empty name", rack("", ""), "[0].name", "empty");
    row("open brace", rack("A{1..2", ""), "[0].name", "not closed");
    row("backwards", rack("A{2..1}", ""), "[0].name", "backwards");
    row("unknown pattern", rack("A{1...2}", ""), "[0].name", "{1...2}");
    row("words in a range", rack("A{a..b}", ""), "[0].name", "{a..b}");
    row("too many digits", rack("A{1..9999999999}", ""), "[0].name", "9999999999");
    row("two numbers", rack("A{1..2}{1..2}", ""), "[0].name", "second running number");
    row("rack in a rack", rack("{rack}", ""), "[0].name", "{rack}");
    row("same server twice", rack("A", server("x") + "," + server("x")), "[0]", "\"x\"");
    row("same server in a repeated rack", rack("R{1..2}", server("x")), "[0]", "{rack}");
    row("same rack twice", rack("A", "") + "," + rack("A", ""), "[1].name", "second rack");
    row("rack too full", rack("A", server("A{1..4}"), 6), "[0].servers[0]", "units 1 to 8");
    row("below the rack", rack("A", server("A1", 42)), "[0].servers[0]", "units 42 to 43");
    row("overlap", rack("A", server("a", 3) + "," + server("b", 4)), "[0].servers[1]",
        "unit 4 is taken by $.offers[0].site.racks[0].servers[0]");
    row("overlap with a run", rack("A", server("a{1..3}", 1) + "," + server("b", 5)),
        "[0].servers[1]", "unit 5");
    row("unit 0", rack("A", R"({"name": "a", "unit": 0})"), "[0].servers[0].unit", "from 1");
    row("height 0", rack("A", R"({"name": "a", "height": 0})"), "[0].servers[0].height", "from 1");
    row("units", rack("A", "", 1001), "[0].units", "1,000");
    row("slots below GPUs", rack("A", R"({"name": "a", "slots": 1, )" + gpu + "2}}"),
        "[0].servers[0].slots", "from 2");
    row("no GPUs", rack("A", R"({"name": "a", )" + gpu + "0}}"), "[0].servers[0].gpus.count",
        "from 1");
    row("GPU without a type", rack("A", R"({"name": "a", "gpus": {}})"), "[0].servers[0].gpus.type",
        "missing");
    row("unknown GPU", rack("A", R"({"name": "a", "gpus": [{"type": "h100-sxm5-8"}]})"),
        "[0].servers[0].gpus[0].type", "\"h100-sxm5-80\"");
    row("unknown server", rack("A", R"({"name": "a", "type": "dgx-h1000"})"), "[0].servers[0].type",
        "height");
    row("unknown rack", R"({"name": "A", "type": "my rack"})", "[0].type", "units");
    row("too many GPUs in a server", rack("A", R"({"name": "a", )" + gpu + "1048577}}"),
        "[0].servers[0].gpus.count", "1,048,576");
    row("too many GPUs in runs",
        rack("A", R"({"name": "a", "gpus": [{"type": "generic-16gib", "count": 1048576},
            {"type": "generic-16gib", "count": 1}]})"),
        "[0].servers[0].gpus[1]", "1,048,577");
    row("too many GPUs in racks", rack("R{1..1024}", R"({"name": "{rack}", )" + gpu + "1025}}"),
        "[0]", "1,049,600");
    row("too many GPUs in all",
        rack("R{1..1024}", R"({"name": "{rack}", )" + gpu + "1024}}") + ","
            + rack("A", server("a")),
        "[1]", "1,048,577");
    row("a billion racks", rack("R{0..999999999}", ""), "[0]", "524,288");
    row("a billion servers", rack("R{0..999999}", R"({"name": "{rack}-{1..42}"})"), "[0]",
        "524,288");
    row("long names by the million", rack("R{0..99999}" + std::string(1000, 'x'), ""), "[0]",
        "64 MiB");
}

void TestPlanJsonHardware::refusals()
{
    QFETCH(QString, racks);
    QFETCH(QString, where);
    QFETCH(QString, says);
    const auto reading = readPlan(offerText(racks.toStdString()));
    QVERIFY(!reading.ok());
    QCOMPARE(q(reading.error().where), where);
    QVERIFY2(q(reading.error().text()).contains(says), reading.error().text().c_str());
    QVERIFY(reading.error().text().size() < 1000);
}

void TestPlanJsonHardware::writtenForms_data()
{
    // Racks as read, and the names of racks and servers as written.
    QTest::addColumn<QString>("racks");
    QTest::addColumn<QStringList>("written");
    const auto row = [](const char* name, const std::string& racks, const QStringList& written) {
        QTest::newRow(name) << q(racks) << written;
    };
    row("consecutive names", rack("A", server("A1") + "," + server("A2") + "," + server("A3")),
        { "A", "A{1..3}" });
    row("a gap in the names", rack("A", server("A1") + "," + server("A3")), { "A", "A1", "A3" });
    row("a gap in the units", rack("A", server("A1", 1) + "," + server("A2", 5)),
        { "A", "A1", "A2" });
    row("names grow wider", rack("A", server("A9") + "," + server("A10")), { "A", "A{9..10}" });
    row("padding that ends", rack("A", server("A09") + "," + server("A10")), { "A", "A{09..10}" });
    row("padding that differs", rack("A", server("A1") + "," + server("A02")),
        { "A", "A1", "A02" });
    row("another build", rack("A", server("A1") + R"(, {"name": "A2", "height": 2})"),
        { "A", "A1", "A2" });
    row("racks by name", rack("R1", server("R1-a")) + "," + rack("R2", server("R2-a")),
        { "R{1..2}", "{rack}-a" });
    row("racks by number", rack("R1", server("n1")) + "," + rack("R2", server("n2")),
        { "R{1..2}", "n{1..1+1}" });
    row("servers named like their racks", rack("R1", server("R1")) + "," + rack("R2", server("R2")),
        { "R{1..2}", "{rack}" });
    row("racks with a foreign server", rack("R1", server("n1")) + "," + rack("R2", server("m2")),
        { "R1", "n1", "R2", "m2" });
    row("third rack breaks the row",
        rack("R1", server("n1")) + "," + rack("R2", server("n3")) + "," + rack("R3", server("n4")),
        { "R{1..2}", "n{1..1+2}", "R3", "n4" });
    row("rack's number inside the server's",
        rack("1", server("11") + "," + server("12")) + ","
            + rack("2", server("21") + "," + server("22")),
        { "{1..2}", "{11..12+10}" });
    row("other units", rack("R1", server("a1"), 42) + "," + rack("R2", server("a2"), 48),
        { "R1", "a1", "R2", "a2" });
    row("empty racks", rack("R1", "") + "," + rack("R2", ""), { "R{1..2}" });
    row("braces", rack("A{{1..2}", server("{{rack}")), { "A{{1..2}", "{{rack}" });
}

void TestPlanJsonHardware::writtenForms()
{
    QFETCH(QString, racks);
    QFETCH(QStringList, written);
    const Plan plan = planFrom(offerText(racks.toStdString()));
    const Json site = Json::parse(writePlan(plan)).at("offers").at(0).at("site");
    QStringList names;
    for (const Json& each : site.at("racks")) {
        names.append(q(each.at("name")));
        if (each.contains("servers"))
            for (const Json& server : each.at("servers"))
                names.append(q(server.at("name")));
    }
    QCOMPARE(names, written);
    verifyRoundTrip(plan);
}

void TestPlanJsonHardware::oneRack()
{
    const Plan plan = planFrom(everyField());
    for (const auto& each : plan.offers[0]->site.racks) {
        const Json json = toJson(*each);
        QCOMPARE(json.value("servers", Json::array()).size(), each->servers.size());
        const Rack again = rackFromJson(JsonView(json, "$"), each->servers[0].id);
        QVERIFY(again == *each);
    }
    QVERIFY_THROWS_EXCEPTION(
        Failure, rackFromJson(JsonView(Json::parse(R"({"name": "R{1..2}"})"), "$"), 1));
}

void TestPlanJsonHardware::bigPlans_data()
{
    QTest::addColumn<bool>("numberedThrough");
    QTest::newRow("servers named after racks") << false;
    QTest::newRow("servers numbered through") << true;
}

void TestPlanJsonHardware::bigPlans()
{
    QFETCH(bool, numberedThrough);
    Plan plan = emptyPlan();
    Offer offer = emptyOffer("O");
    offer.site = bigSite(2048, 8, 8, numberedThrough);
    plan.offers.push_back(std::make_shared<const Offer>(offer));
    offer.name = "P";
    plan.offers.push_back(std::make_shared<const Offer>(offer));

    QElapsedTimer timer;
    timer.start();
    const std::string text = writePlan(plan);
    const qint64 wrote = timer.nsecsElapsed();
    QVERIFY2(text.size() < 16 * 1024, std::to_string(text.size()).c_str());
    timer.start();
    const auto reading = readPlan(text);
    const qint64 read = timer.nsecsElapsed();
    QVERIFY(reading.ok());
    QVERIFY(reading->plan == plan);
    QCOMPARE(SiteIndex(reading->plan.offers[1]->site, Catalogue::builtIn()).gpuCount(), 131072);
    qInfo("131,072 GPUs: %zu bytes, written in %.1f ms, read in %.1f ms", text.size(),
        double(wrote) / 1e6, double(read) / 1e6);
}

QTEST_GUILESS_MAIN(TestPlanJsonHardware)
#include "test_plan_json_hardware.moc"
