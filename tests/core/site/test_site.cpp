#include "site/site.h"

#include <nlohmann/json.hpp>

#include <QtTest>

#include <random>

using namespace shardrack;

namespace {

Server server(ServerId id, int unit, int height, std::vector<GpuRun> gpus = {})
{
    Server made;
    made.id = id;
    made.name = std::to_string(id);
    made.unit = unit;
    made.height = height;
    made.gpus = std::move(gpus);
    return made;
}

GpuRun run(const char* type, int count)
{
    GpuRun made;
    made.type = type;
    made.count = count;
    return made;
}

Extra extra(const char* text) { return std::make_shared<const Json>(Json::parse(text)); }

} // namespace

class TestSite : public QObject {
    Q_OBJECT
private slots:
    void countsGpus();
    void findsUnits_data();
    void findsUnits();
    void findsFreeUnits_data();
    void findsFreeUnits();
    void agreesWithATable();
    void comparesByValue();
};

void TestSite::countsGpus()
{
    const Server mixed = server(1, 1, 4, { run("a", 3), run("b", 1) });
    QCOMPARE(mixed.gpuCount(), 4);
    QCOMPARE(mixed.gpuAt(0)->type, std::string("a"));
    QCOMPARE(mixed.gpuAt(2)->type, std::string("a"));
    QCOMPARE(mixed.gpuAt(3)->type, std::string("b"));
    QVERIFY(!mixed.gpuAt(4));
    QVERIFY(!mixed.gpuAt(-1));
    QCOMPARE(server(2, 1, 1).gpuCount(), 0);
    QVERIFY(!server(2, 1, 1).gpuAt(0));
}

void TestSite::findsUnits_data()
{
    QTest::addColumn<int>("unit");
    QTest::addColumn<int>("id");
    for (const auto& [unit, id] : { std::pair(0, 0), { 1, 1 }, { 4, 1 }, { 5, 0 }, { 8, 2 },
             { 9, 2 }, { 10, 0 }, { 43, 0 }, { -1, 0 } })
        QTest::addRow("unit %d", unit) << unit << id;
}

void TestSite::findsUnits()
{
    QFETCH(const int, unit);
    QFETCH(const int, id);
    Rack rack;
    rack.servers = { server(1, 1, 4), server(2, 8, 2) };
    const Server* found = rack.serverAt(unit);
    QCOMPARE(found ? found->id : 0, id);
}

void TestSite::findsFreeUnits_data()
{
    QTest::addColumn<int>("height");
    QTest::addColumn<int>("from");
    QTest::addColumn<int>("first");
    // A rack of 12 units with servers on 1-4 and 8-9.
    QTest::newRow("gap") << 3 << 1 << 5;
    QTest::newRow("too high for the gap") << 4 << 1 << 0;
    QTest::newRow("at the end") << 3 << 6 << 10;
    QTest::newRow("one unit") << 1 << 1 << 5;
    QTest::newRow("inside a server") << 1 << 9 << 10;
    QTest::newRow("inside the gap") << 2 << 6 << 6;
    QTest::newRow("inside the gap, too high") << 3 << 7 << 10;
    QTest::newRow("the last unit") << 1 << 12 << 12;
    QTest::newRow("beyond the rack") << 1 << 13 << 0;
    QTest::newRow("before the rack") << 1 << -5 << 5;
    QTest::newRow("higher than the rack") << 13 << 1 << 0;
    QTest::newRow("nothing") << 0 << 1 << 0;
    QTest::newRow("huge") << std::numeric_limits<int>::max() << 1 << 0;
    QTest::newRow("far beyond") << 1 << std::numeric_limits<int>::max() << 0;
}

void TestSite::findsFreeUnits()
{
    QFETCH(const int, height);
    QFETCH(const int, from);
    Rack rack;
    rack.units = 12;
    rack.servers = { server(1, 1, 4), server(2, 8, 2) };
    QTEST(rack.firstFree(height, from), "first");
}

void TestSite::agreesWithATable()
{
    std::mt19937 random(1);
    for (int round = 0; round < 300; ++round) {
        Rack rack;
        rack.units = 1 + int(random() % 20);
        std::vector<ServerId> table(std::size_t(rack.units) + 1, 0);
        ServerId id = 0;
        for (int unit = 1; unit <= rack.units;) {
            const int height = 1 + int(random() % 4);
            if (random() % 2 == 0 && unit + height - 1 <= rack.units) {
                rack.servers.push_back(server(++id, unit, height));
                std::fill_n(table.begin() + unit, height, id);
                unit += height;
            } else {
                ++unit;
            }
        }
        for (int height = 1; height <= 5; ++height) {
            int lowest = 0;
            for (int unit = rack.units; unit >= 1; --unit) {
                const ServerId except = ServerId(random() % 6);
                const auto free = [&](ServerId passed) {
                    for (int u = unit; u < unit + height; ++u)
                        if (u > rack.units
                            || (table[std::size_t(u)] != 0 && table[std::size_t(u)] != passed))
                            return false;
                    return true;
                };
                QCOMPARE(rack.isFree(unit, height), free(0));
                QCOMPARE(rack.isFree(unit, height, except), free(except));
                if (free(0))
                    lowest = unit;
                QCOMPARE(rack.firstFree(height, unit), lowest);
            }
        }
    }
}

void TestSite::comparesByValue()
{
    const auto made = [] {
        Rack rack;
        rack.name = "A";
        rack.servers = { server(1, 1, 4, { run("a", 4) }) };
        rack.servers[0].gpus[0].extra = extra("{\"note\": 1}");
        Site site;
        site.racks = { std::make_shared<const Rack>(rack) };
        return site;
    };
    const auto changed = [&made](auto change) {
        Site site = made();
        Rack rack = *site.racks[0];
        change(rack);
        site.racks[0] = std::make_shared<const Rack>(rack);
        return site;
    };
    QVERIFY(made() == made());
    QVERIFY(changed([](Rack&) {}) == made());
    QVERIFY(!(changed([](Rack& rack) { rack.name = "B"; }) == made()));
    QVERIFY(!(changed([](Rack& rack) { rack.units = 24; }) == made()));
    QVERIFY(!(changed([](Rack& rack) { rack.type = "x"; }) == made()));
    QVERIFY(!(changed([](Rack& rack) { rack.extra = extra("{}"); }) == made()));
    QVERIFY(!(changed([](Rack& rack) { rack.servers[0].unit = 2; }) == made()));
    QVERIFY(!(changed([](Rack& rack) { rack.servers[0].id = 2; }) == made()));
    QVERIFY(!(changed([](Rack& rack) { rack.servers[0].gpuSlots = 8; }) == made()));
    QVERIFY(!(changed([](Rack& rack) { rack.servers[0].gpus[0].count = 3; }) == made()));
    QVERIFY(!(changed([](Rack& rack) { rack.servers[0].gpus[0].usable = Bytes(1); }) == made()));
    QVERIFY(!(changed([](Rack& rack) { rack.servers[0].gpus[0].confirmed = false; }) == made()));
    QVERIFY(!(changed([](Rack& rack) { rack.servers[0].gpus[0].extra = extra("{\"note\": 2}"); })
        == made()));
    QVERIFY(!(Site() == made()));
    Site more = made();
    more.extra = extra("{\"x\": 1}");
    QVERIFY(!(more == made()));
}

QTEST_GUILESS_MAIN(TestSite)
#include "test_site.moc"
