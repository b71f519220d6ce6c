#include "site/site.h"

#include <QtTest>

using namespace shardrack;

namespace {

GpuRun run(const char* type, int count, std::optional<Bytes> usable = {}, bool confirmed = true)
{
    GpuRun made;
    made.type = type;
    made.count = count;
    made.usable = usable;
    made.confirmed = confirmed;
    return made;
}

Server server(ServerId id, const std::string& name, int unit, std::vector<GpuRun> gpus)
{
    Server made;
    made.id = id;
    made.name = name;
    made.unit = unit;
    made.gpus = std::move(gpus);
    return made;
}

Site site(const std::vector<std::vector<Server>>& racks)
{
    Site made;
    for (const auto& servers : racks) {
        Rack rack;
        rack.servers = servers;
        made.racks.push_back(std::make_shared<const Rack>(rack));
    }
    return made;
}

/// A1 (4 H100), A2 (none), A3 (2 generic, 1 with 10 GiB, 1 generic) | B1 (2 of an unknown type)
Site mixedSite()
{
    return site({ { server(7, "A1", 1, { run("h100-sxm5-80", 4) }), server(3, "A2", 9, {}),
                      server(5, "A3", 10,
                          { run("generic-16gib", 2), run("generic-16gib", 1, Bytes(10 * kGiB)),
                              run("generic-16gib", 1) }) },
        { server(1, "B1", 1, { run("home-made", 2) }) } });
}

} // namespace

class TestSiteIndex : public QObject {
    Q_OBJECT
private slots:
    void listsServersInOrder();
    void findsGpusBothWays();
    void sharesKinds();
    void knowsUsable_data();
    void knowsUsable();
    void namesDevices_data();
    void namesDevices();
    void holdsManyKinds();
    void isQuickAtScale();
};

void TestSiteIndex::listsServersInOrder()
{
    const SiteIndex index(mixedSite(), Catalogue::builtIn());
    QCOMPARE(index.gpuCount(), 10);
    QCOMPARE(index.servers().size(), std::size_t(4));
    const std::vector<std::array<std::int32_t, 5>> expected
        = { { 0, 0, 0, 4, 7 }, { 0, 1, 4, 0, 3 }, { 0, 2, 4, 4, 5 }, { 1, 0, 8, 2, 1 } };
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const auto& place = index.servers()[i];
        const std::array<std::int32_t, 5> found { place.rack, place.server, place.firstGpu,
            place.gpuCount, place.id };
        QVERIFY(found == expected[i]);
    }
    // The unknown type adds nothing: nobody knows what is installed.
    QCOMPARE(index.installedTotal(), Bytes(4 * 81559 * kMiB + 4 * 16 * kGiB));
    const SiteIndex empty(Site(), Catalogue::builtIn());
    QCOMPARE(empty.gpuCount(), 0);
    QCOMPARE(empty.ordinal({ 1, 0 }), -1);
}

void TestSiteIndex::findsGpusBothWays()
{
    const SiteIndex index(mixedSite(), Catalogue::builtIn());
    const std::vector<GpuRef> refs = { { 7, 0 }, { 7, 1 }, { 7, 2 }, { 7, 3 }, { 5, 0 }, { 5, 1 },
        { 5, 2 }, { 5, 3 }, { 1, 0 }, { 1, 1 } };
    for (std::int32_t i = 0; i < index.gpuCount(); ++i) {
        QVERIFY(index.ref(i) == refs[std::size_t(i)]);
        QCOMPARE(index.ordinal(refs[std::size_t(i)]), i);
    }
    QCOMPARE(index.serverOf(3), 0);
    QCOMPARE(index.serverOf(4), 2); // the empty A2 holds nothing
    QCOMPARE(index.serverOf(9), 3);
    for (const GpuRef gone :
        { GpuRef { 7, 4 }, { 7, -1 }, { 3, 0 }, { 2, 0 }, { 99, 0 }, { 0, 0 } })
        QCOMPARE(index.ordinal(gone), -1);
}

void TestSiteIndex::sharesKinds()
{
    const SiteIndex index(mixedSite(), Catalogue::builtIn());
    QCOMPARE(index.kinds().size(), std::size_t(4));
    QCOMPARE(index.kindIndex(0), index.kindIndex(3));
    QCOMPARE(index.kindIndex(4), index.kindIndex(7)); // the same kind on both sides of another
    QVERIFY(index.kindIndex(6) != index.kindIndex(4));
    QCOMPARE(index.kind(6).usable.bytes, Bytes(10 * kGiB));
    QVERIFY(index.kind(0).installedKnown);
    QVERIFY(!index.kind(9).installedKnown);
    QCOMPARE(index.kind(9).type, std::string("home-made"));
    // Stating the figure that stands in, not confirmed, changes nothing: one kind.
    const SiteIndex same(site({ { server(1, "A", 1,
                             { run("generic-16gib", 1, {}, false),
                                 run("generic-16gib", 1, Bytes(16 * kGiB), false) }) } }),
        Catalogue::builtIn());
    QCOMPARE(same.kinds().size(), std::size_t(1));
}

void TestSiteIndex::knowsUsable_data()
{
    QTest::addColumn<QString>("type");
    QTest::addColumn<qint64>("given"); // -1: nothing given
    QTest::addColumn<bool>("confirmed");
    QTest::addColumn<qint64>("bytes");
    QTest::addColumn<QString>("provenance");
    const auto row = [](const char* name, const char* type, std::int64_t given, bool confirmed,
                         std::int64_t bytes, const char* provenance) {
        QTest::newRow(name) << type << qint64(given) << confirmed << qint64(bytes) << provenance;
    };
    const std::int64_t h100 = 81080 * kMiB;
    const std::int64_t given = 10 * kGiB;
    const std::int64_t standIn = Catalogue::builtIn().gpu("a100-sxm4-40")->usable.count();
    row("the catalogue's", "h100-sxm5-80", -1, true, h100, "derived");
    row("given", "h100-sxm5-80", given, true, given, "stipulated");
    row("given, not confirmed", "h100-sxm5-80", given, false, given, "not established");
    row("not confirmed", "generic-16gib", -1, false, 16 * kGiB, "not established");
    row("stand-in", "a100-pcie-40", -1, true, standIn, "not established");
    row("stand-in, given", "a100-pcie-40", given, true, given, "stipulated");
    row("unknown type", "home-made", -1, true, 0, "not established");
    row("unknown type, given", "home-made", given, true, given, "stipulated");
    row("unknown type, given, not confirmed", "home-made", given, false, given, "not established");
}

void TestSiteIndex::knowsUsable()
{
    QFETCH(const QString, type);
    QFETCH(const qint64, given);
    QFETCH(const bool, confirmed);
    QFETCH(const qint64, bytes);
    QFETCH(const QString, provenance);
    const auto usable = given < 0 ? std::nullopt : std::optional(Bytes(given));
    const std::string id = type.toStdString();
    const SiteIndex index(
        site({ { server(1, "A", 1, { run(id.c_str(), 1, usable, confirmed) }) } }),
        Catalogue::builtIn());
    QCOMPARE(qint64(index.kind(0).usable.bytes.count()), bytes);
    QCOMPARE(QString(name(index.kind(0).usable.provenance)), provenance);
}

void TestSiteIndex::namesDevices_data()
{
    QTest::addColumn<QList<int>>("ordinals");
    QTest::addColumn<QString>("names");
    const auto row = [](const char* name, const QList<int>& ordinals, const char* names) {
        QTest::newRow(name) << ordinals << QString::fromUtf8(names);
    };
    row("one", { 0 }, "A1\u00b70");
    row("one server", { 0, 1, 2, 3 }, "A1\u00b70-3");
    row("with a gap", { 4, 5, 7 }, "A3\u00b70-1,3");
    row("several servers", { 2, 3, 4, 9 }, "A1\u00b72-3,A3\u00b70,B1\u00b71");
    row("in any order, repeated", { 9, 1, 0, 9 }, "A1\u00b70-1,B1\u00b71");
    row("all", { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 }, "A1\u00b70-3,A3\u00b70-3,B1\u00b70-1");
    row("none", {}, "");
}

void TestSiteIndex::namesDevices()
{
    QFETCH(const QList<int>, ordinals);
    QFETCH(const QString, names);
    const Site mixed = mixedSite();
    const SiteIndex index(mixed, Catalogue::builtIn());
    const std::vector<std::int32_t> wanted(ordinals.begin(), ordinals.end());
    QCOMPARE(QString::fromStdString(deviceNames(mixed, index, wanted)), names);
    if (ordinals.size() == 1)
        QCOMPARE(QString::fromStdString(index.deviceName(mixed, wanted[0])), names);
}

void TestSiteIndex::holdsManyKinds()
{
    // More kinds than 16 bits count: every GPU with another figure.
    std::vector<Server> servers;
    std::vector<GpuRun> runs;
    for (int i = 0; i < 70'000; ++i)
        runs.push_back(run("generic-16gib", 1, Bytes(i)));
    servers.push_back(server(1, "A", 1, std::move(runs)));
    const SiteIndex index(site({ std::move(servers) }), Catalogue::builtIn());
    QCOMPARE(index.kinds().size(), std::size_t(70'000));
    QCOMPARE(index.kind(69'999).usable.bytes, Bytes(69'999));
}

void TestSiteIndex::isQuickAtScale()
{
    // 131,072 GPUs: 16,384 servers of 8, in racks of 4.
    Site large;
    for (ServerId id = 1; id <= 16'384;) {
        Rack rack;
        for (int i = 0; i < 4; ++i, ++id)
            rack.servers.push_back(
                server(id, std::to_string(id), 1 + 8 * i, { run("h100-sxm5-80", 8) }));
        large.racks.push_back(std::make_shared<const Rack>(std::move(rack)));
    }
    qint64 best = std::numeric_limits<qint64>::max();
    for (int repeat = 0; repeat < 10; ++repeat) {
        QElapsedTimer timer;
        timer.start();
        const SiteIndex index(large, Catalogue::builtIn());
        best = std::min(best, timer.nsecsElapsed());
        QCOMPARE(index.gpuCount(), 131'072);
        QCOMPARE(index.installedTotal(), Bytes(std::int64_t(131'072) * 81559 * kMiB));
    }
    qInfo("131,072 GPUs: %.2f ms", double(best) / 1e6);
    // Far above the usual 1 ms, so that a busy machine or a sanitizer does not fail it.
    QVERIFY(best < 100'000'000);
}

QTEST_GUILESS_MAIN(TestSiteIndex)
#include "test_site_index.moc"
