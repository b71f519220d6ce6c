// Layouts in a plan file: degrees, groups by hand, ranks placed by hand.

#include "plan_texts.h"

#include <QElapsedTimer>

#include <random>

using namespace shardrack;
using namespace plantexts;

namespace {

/// Rack A with servers A1 to A4 of eight GPUs.
const std::string kRack = R"({"name": "A", "servers": [
    {"name": "A{1..4}", "gpus": {"type": "generic-16gib", "count": 8}}]})";

/// "0:A1·0 1:A1·1+A1·2": ranks with their GPUs.
QString placesText(const Offer& offer)
{
    const SiteIndex index(offer.site, Catalogue::builtIn());
    QStringList places;
    for (std::size_t rank = 0; rank < offer.layout.placement->size(); ++rank) {
        QStringList gpus;
        for (const GpuRef& gpu : (*offer.layout.placement)[rank].gpus)
            gpus.append(q(index.deviceName(offer.site, index.ordinal(gpu))));
        places.append(QString::number(rank) + ":" + gpus.join('+'));
    }
    return places.join(' ');
}

Json writtenLayout(const Plan& plan)
{
    return Json::parse(writePlan(plan)).at("offers").at(0).at("layout");
}

} // namespace

class TestPlanJsonLayout : public QObject {
    Q_OBJECT

private slots:
    void presets();
    void degrees();
    void groups_data();
    void groups();
    void placements_data();
    void placements();
    void namesThatLookLikeOthers();
    void refusals_data();
    void refusals();
    void groupsOfAPresetAreNotWritten();
    void goneGpusAreNotWritten();
    void bigPlacements_data();
    void bigPlacements();
    void bigGroups();
};

void TestPlanJsonLayout::presets()
{
    for (const char* name : { "ddp", "zero1", "zero2", "fsdp", "hsdp", "megatron", "custom" }) {
        const Plan plan = planFrom(offerText(kRack, "{\"preset\": \"" + std::string(name) + "\"}"));
        QCOMPARE(q(id(plan.offers[0]->layout.preset)), QString(name));
        verifyRoundTrip(plan);
    }
    QVERIFY(planFrom(offerText(kRack, "{}")).offers[0]->layout == Layout {});
}

void TestPlanJsonLayout::degrees()
{
    const Plan plan = planFrom(offerText(kRack,
        R"({"preset": "megatron", "dp_replicate": 2, "dp_shard": 2, "tp": 4, "cp": 1, "ep": 1,
            "pp": 2, "order": "tp-pp-dp", "ranks_follow_hardware": false})"));
    const Layout& layout = plan.offers[0]->layout;
    QCOMPARE(layout.tensor, 4);
    QCOMPARE(layout.pipeline, 2);
    QCOMPARE(layout.order, std::string("tp-pp-dp"));
    QVERIFY(!layout.ranksFollowHardware);
    QCOMPARE(q(writtenLayout(plan).dump()),
        QStringLiteral(R"({"preset":"megatron","dp_replicate":2,"dp_shard":2,"tp":4,"pp":2,)"
                       R"("order":"tp-pp-dp","ranks_follow_hardware":false})"));
    verifyRoundTrip(plan);
}

void TestPlanJsonLayout::groups_data()
{
    QTest::addColumn<QString>("groups");
    QTest::addColumn<QString>("read"); // name=ranks
    QTest::addColumn<QString>("written"); // name=ranks
    const auto row = [](const char* name, const char* groups, const char* read,
                         const char* written) { QTest::newRow(name) << groups << read << written; };
    row("one", R"({"name": "S", "ranks": "0-3", "distributes": ["state"]})", "S=0-3", "S=0-3");
    row("uneven", R"({"name": "S", "ranks": "0-3,8,12-15", "distributes": ["state"]})",
        "S=0-3,8,12-15", "S=0-3,8,12-15");
    row("no rank", R"({"name": "S", "ranks": "", "distributes": ["state"]})", "S=", "S=");
    row("run", R"({"name": "S{0..3}", "ranks": "0-7", "distributes": ["state"]})",
        "S0=0-7 S1=8-15 S2=16-23 S3=24-31", "S{0..3}=0-7");
    row("run of scattered ranks",
        R"({"name": "S{0..1}", "ranks": "0,2", "distributes": ["state"]})", "S0=0,2 S1=3,5",
        "S0=0,2 S1=3,5");
    row("several that make a run",
        R"({"name": "S0", "ranks": "0-1", "distributes": ["state"]},
           {"name": "S1", "ranks": "2-3", "distributes": ["parameters", "gradients", "optimizer"]})",
        "S0=0-1 S1=2-3", "S{0..1}=0-1");
    row("different parts",
        R"({"name": "S0", "ranks": "0-1", "distributes": ["parameters"]},
           {"name": "S1", "ranks": "0-3", "distributes": ["gradients", "optimizer"]})",
        "S0=0-1 S1=0-3", "S0=0-1 S1=0-3");
    row("brace in the name", R"({"name": "{{S}", "ranks": "0", "distributes": []})", "{S}=0",
        "{{S}=0");
}

void TestPlanJsonLayout::groups()
{
    QFETCH(QString, groups);
    QFETCH(QString, read);
    QFETCH(QString, written);
    const Plan plan = planFrom(
        offerText(kRack, R"({"preset": "custom", "groups": [)" + groups.toStdString() + "]}"));
    QStringList found;
    for (const ShardGroup& group : plan.offers[0]->layout.groups)
        found.append(q(group.name + "=" + group.ranks.text()));
    QCOMPARE(found.join(' '), read);
    found.clear();
    const Json layout = writtenLayout(plan);
    for (const Json& group : layout.at("groups"))
        found.append(
            q(group.at("name").get<std::string>() + "=" + group.at("ranks").get<std::string>()));
    QCOMPARE(found.join(' '), written);
    verifyRoundTrip(plan);
}

void TestPlanJsonLayout::placements_data()
{
    QTest::addColumn<QString>("ranks");
    QTest::addColumn<QString>("read");
    QTest::addColumn<QString>("written"); // empty: as read from the file
    const auto row = [](const char* name, const char* ranks, const char* read,
                         const char* written) { QTest::newRow(name) << ranks << read << written; };
    row("none", "[]", "", "");
    row("in order", R"([{"ranks":"0-1","gpus":"A1·0-1"}])", "0:A1·0 1:A1·1", "");
    row("single", R"([{"ranks":"0","gpus":"A2·7"}])", "0:A2·7", "");
    row("a number for a rank", R"([{"ranks":0,"gpus":"A2·7"}])", "0:A2·7",
        R"([{"ranks":"0","gpus":"A2·7"}])");
    row("across servers", R"([{"ranks":"0-3","gpus":"A1·6..A2·1"}])", "0:A1·6 1:A1·7 2:A2·0 3:A2·1",
        "");
    row("backwards", R"([{"ranks":"0-2","gpus":"A2·1..A1·7"}])", "0:A2·1 1:A2·0 2:A1·7", "");
    row("one a server", R"([{"ranks":"0-3","gpus":"A1·0..A4·0/8"}])", "0:A1·0 1:A2·0 2:A3·0 3:A4·0",
        "");
    row("node by node", R"([{"ranks":"0-7","gpus":["A1·0..A4·0/8","A1·1..A4·1/8"]}])",
        "0:A1·0 1:A2·0 2:A3·0 3:A4·0 4:A1·1 5:A2·1 6:A3·1 7:A4·1", "");
    row("commas", R"([{"ranks":"0-2","gpus":"A1·3, A1·1,A2·0"}])", "0:A1·3 1:A1·1 2:A2·0",
        R"([{"ranks":"0-2","gpus":["A1·3","A1·1","A2·0"]}])");
    row("dots and colons", R"([{"ranks":"0-3","gpus":["A1.0-1","A2:0..A2:1"]}])",
        "0:A1·0 1:A1·1 2:A2·0 3:A2·1", R"([{"ranks":"0-3","gpus":["A1·0-1","A2·0-1"]}])");
    row("two GPUs a rank", R"([{"ranks":"0-1","gpus":"A1·0-3"}])", "0:A1·0+A1·1 1:A1·2+A1·3", "");
    row("two GPUs a rank, shares given", R"([{"ranks":"0-1","gpus":"A1·0-3","shares":[3,1]}])",
        "0:A1·0+A1·1 1:A1·2+A1·3", "");
    row("two ranks a GPU", R"([{"ranks":"0-3","gpus":"A1·0-1"}])", "0:A1·0 1:A1·0 2:A1·1 3:A1·1",
        "");
    row("ranks that come round again", R"([{"ranks":"0-5","gpus":["A1·0-2","A1·0-2"]}])",
        "0:A1·0 1:A1·1 2:A1·2 3:A1·0 4:A1·1 5:A1·2", "");
    row("no GPU", R"([{"ranks":"0","gpus":"A1·0"},{"ranks":"1","gpus":[]}])", "0:A1·0 1:", "");
    row("entries in any order", R"([{"ranks":"2","gpus":"A1·0"},{"ranks":"0-1","gpus":"A1·1-2"}])",
        "0:A1·1 1:A1·2 2:A1·0", R"([{"ranks":"0-2","gpus":["A1·1-2","A1·0"]}])");
    row("scattered ranks", R"([{"ranks":"0,2","gpus":"A1·0-1"},{"ranks":"1","gpus":"A2·0"}])",
        "0:A1·0 1:A2·0 2:A1·1", R"([{"ranks":"0-2","gpus":["A1·0","A2·0","A1·1"]}])");
    row("a remark alone", R"([{"ranks":"0","gpus":"A1·0"},{"ranks":"0","owner":"me"}])", "0:A1·0",
        "");
}

void TestPlanJsonLayout::placements()
{
    QFETCH(QString, ranks);
    QFETCH(QString, read);
    QFETCH(QString, written);
    const Plan plan
        = planFrom(offerText(kRack, R"({"preset": "ddp", "ranks": )" + ranks.toStdString() + "}"));
    QVERIFY(plan.offers[0]->layout.placement);
    QCOMPARE(placesText(*plan.offers[0]), read);
    QCOMPARE(q(writtenLayout(plan).at("ranks").dump()), written.isEmpty() ? ranks : written);
    verifyRoundTrip(plan);
}

void TestPlanJsonLayout::namesThatLookLikeOthers()
{
    // Names that contain every mark of the notation, chosen so that items could be misread.
    const std::vector<std::string> names { "A", "A·0", "A·0..A", "B,A", "A·0,A", "x/2", "n.1",
        "n:1", "0-3", "A·0-1", "·", ".." };
    Offer offer = emptyOffer("O");
    Rack rack;
    rack.name = "R";
    for (std::size_t i = 0; i < names.size(); ++i) {
        Server server;
        server.id = ServerId(i) + 1;
        server.name = names[i];
        server.unit = int(i) + 1;
        server.gpuSlots = 2;
        server.gpus.push_back({ "generic-16gib", 2, {}, true, {} });
        rack.servers.push_back(server);
    }
    offer.site.racks.push_back(std::make_shared<const Rack>(rack));
    const auto gpus = int(names.size()) * 2;
    std::mt19937 random(24);
    for (int round = 0; round < 500; ++round) {
        Placement placement;
        const int step = 1 + int(random() % 4);
        int at = int(random() % unsigned(gpus));
        for (int rank = 0; rank < 12; ++rank) {
            at = random() % 4 == 0 ? int(random() % unsigned(gpus)) : (at + step) % gpus;
            placement.push_back({ { { at / 2 + 1, at % 2 } }, {} });
        }
        offer.layout.placement = std::make_shared<const Placement>(placement);
        Plan plan = emptyPlan();
        plan.offers.push_back(std::make_shared<const Offer>(offer));
        verifyRoundTrip(plan);
        if (QTest::currentTestFailed())
            return;
    }
}

void TestPlanJsonLayout::refusals_data()
{
    QTest::addColumn<QString>("layout");
    QTest::addColumn<QString>("where");
    QTest::addColumn<QString>("says");
    const auto row
        = [](const char* name, const QString& layout, const char* where, const char* says) {
              QTest::newRow(name) << "{" + layout + "}"
                                  << "$.offers[0].layout" + QString(where) << says;
          };
    row("preset", R"("preset": "zero3")", ".preset", "\"fsdp\"");
    row("degree 0", R"("tp": 0)", ".tp", "from 1");
    row("degree beyond all GPUs", R"("dp_shard": 1048577)", ".dp_shard", "1,048,576");
    row("degrees beyond all GPUs", R"("tp": 1048576, "pp": 2)", ".pp", "2,097,152");
    row("order", R"("order": "tp-xp")", ".order", "tp-xp");
    row("order twice", R"("order": "tp-tp")", ".order", "at most once");
    row("order empty", R"("order": "")", ".order", "innermost");
    const QString custom = R"("preset": "custom", "groups": [)";
    row("groups of a preset",
        R"("preset": "fsdp", "groups": [{"name": "S", "ranks": "0-3", "distributes": ["state"]}])",
        ".groups", "\"fsdp\"");
    row("groups of no preset",
        R"("groups": [{"name": "S", "ranks": "0-3", "distributes": ["state"]}])", ".groups",
        "\"ddp\"");
    row("group without parts", custom + R"({"name": "S", "ranks": "0-3"}])",
        ".groups[0].distributes", "missing");
    row("unknown part", custom + R"({"name": "S", "ranks": "0-3", "distributes": ["weights"]}])",
        ".groups[0].distributes[0]", "weights");
    row("rank beyond the job",
        custom + R"({"name": "S", "ranks": "0-32", "distributes": ["state"]}])", ".groups[0].ranks",
        "0 to 31");
    row("run beyond the job",
        custom + R"({"name": "S{0..4}", "ranks": "0-7", "distributes": ["state"]}])",
        ".groups[0].ranks", "rank 39");
    row("an endless run",
        custom + R"({"name": "S{0..999999999}", "ranks": "0-7", "distributes": []}])",
        ".groups[0].ranks", "0 to 31");
    row("an empty run", custom + R"({"name": "S{0..9}", "ranks": "", "distributes": []}])",
        ".groups[0].ranks", "empty");
    row("rank in two groups", custom + R"({"name": "S", "ranks": "0-3", "distributes": ["state"]},
                    {"name": "T", "ranks": "3-5", "distributes": ["optimizer"]}])",
        ".groups[1].ranks", "rank 3");
    row("two groups of one name", custom + R"({"name": "S", "ranks": "0", "distributes": ["state"]},
                    {"name": "S", "ranks": "1", "distributes": ["state"]}])",
        ".groups[1].name", "second group");
    row("not ranks", custom + R"({"name": "S", "ranks": "all", "distributes": ["state"]}])",
        ".groups[0].ranks", "all");
    row("rank placed beyond the placement",
        R"("ranks": [{"ranks": "0-1", "gpus": "A1·0-1"}], )" + custom
            + R"({"name": "S", "ranks": "2", "distributes": ["state"]}])",
        ".groups[0].ranks", "0 to 1");
    row("no such server", R"("ranks": [{"ranks": "0", "gpus": "B1·0"}])", ".ranks[0].gpus",
        "\"A1·0\"");
    row("no such GPU", R"("ranks": [{"ranks": "0", "gpus": "A1·8"}])", ".ranks[0].gpus", "A1·8");
    row("no such GPU in a list", R"("ranks": [{"ranks": "0-1", "gpus": ["A1·0", "A1"]}])",
        ".ranks[0].gpus[1]", "\"A1\"");
    row("dealt unevenly", R"("ranks": [{"ranks": "0-2", "gpus": "A1·0-1"}])", ".ranks[0].gpus",
        "2 GPUs for 3 ranks");
    row("missing rank", R"("ranks": [{"ranks": "1", "gpus": "A1·0"}])", ".ranks", "rank 0");
    row("rank twice",
        R"("ranks": [{"ranks": "0", "gpus": "A1·0"}, {"ranks": "0", "gpus": "A1·1"}])",
        ".ranks[1].ranks", "second time");
    row("no rank", R"("ranks": [{"ranks": "", "gpus": []}])", ".ranks[0].ranks", "no rank");
    row("no GPUs", R"("ranks": [{"ranks": "0"}])", ".ranks[0].gpus", "missing");
    row("too many ranks", R"("ranks": [{"ranks": "0-1048576", "gpus": []}])", ".ranks[0].ranks",
        "1048576");
    row("shares", R"("ranks": [{"ranks": "0", "gpus": "A1·0-1", "shares": [1]}])",
        ".ranks[0].shares", "1 shares for 2 GPUs");
    row("shares of nothing", R"("ranks": [{"ranks": "0", "gpus": "A1·0-1", "shares": [0, 0]}])",
        ".ranks[0].shares", "0");
}

void TestPlanJsonLayout::refusals()
{
    QFETCH(QString, layout);
    QFETCH(QString, where);
    QFETCH(QString, says);
    const auto reading = readPlan(offerText(kRack, layout.toStdString()));
    QVERIFY(!reading.ok());
    QCOMPARE(q(reading.error().where), where);
    QVERIFY2(q(reading.error().text()).contains(says), reading.error().text().c_str());
}

void TestPlanJsonLayout::groupsOfAPresetAreNotWritten()
{
    Plan plan = planFrom(offerText(kRack));
    Offer offer = *plan.offers[0];
    offer.layout.groups.push_back({ "S", RankSet::range(0, 3), PartSet::all(), {} });
    plan.offers[0] = std::make_shared<const Offer>(offer);
    QVERIFY(!writtenLayout(plan).contains("groups"));
    QVERIFY(readPlan(writePlan(plan)).ok());
}

void TestPlanJsonLayout::goneGpusAreNotWritten()
{
    Plan plan = planFrom(offerText(kRack));
    Offer offer = *plan.offers[0];
    offer.layout.placement = std::make_shared<const Placement>(
        Placement { { { { 77, 0 } }, {} }, { { { 1, 0 } }, {} } });
    plan.offers[0] = std::make_shared<const Offer>(offer);
    QCOMPARE(q(writtenLayout(plan).at("ranks").dump()),
        QStringLiteral(R"([{"ranks":"0","gpus":[]},{"ranks":"1","gpus":"A1·0"}])"));
    QVERIFY(readPlan(writePlan(plan)).ok());
}

void TestPlanJsonLayout::bigPlacements_data()
{
    QTest::addColumn<int>("kind");
    QTest::newRow("in site order") << 0;
    QTest::newRow("backwards") << 1;
    QTest::newRow("node by node") << 2;
    QTest::newRow("one rank a server") << 3;
    QTest::newRow("two ranks a GPU") << 4;
    QTest::newRow("without rank 1000") << 5;
}

void TestPlanJsonLayout::bigPlacements()
{
    QFETCH(int, kind);
    constexpr int servers = 16384;
    Plan plan = planFrom(offerText(R"({"name": "R{1..2048}", "units": 64, "servers": [
        {"name": "node{00001..00008+8}", "height": 8, "gpus": {"type": "h100-sxm5-80", "count": 8}}]})"));
    Placement placement;
    const auto onGpu = [](int gpu) { return RankPlace { { { gpu / 8 + 1, gpu % 8 } }, {} }; };
    for (int rank = 0; rank < servers * 8; ++rank) {
        if (kind == 0)
            placement.push_back(onGpu(rank));
        else if (kind == 1)
            placement.push_back(onGpu(servers * 8 - 1 - rank));
        else if (kind == 2)
            placement.push_back(onGpu(rank % servers * 8 + rank / servers));
        else if (kind == 3 && rank < servers) {
            RankPlace place;
            for (int gpu = 0; gpu < 8; ++gpu) {
                place.gpus.push_back({ rank + 1, gpu });
                place.weights.push_back(1);
            }
            placement.push_back(place);
        } else if (kind == 4)
            placement.push_back(onGpu(rank / 2));
        else if (kind == 5 && rank > 0)
            placement.push_back(onGpu(rank <= 1000 ? rank - 1 : rank));
    }
    Offer offer = *plan.offers[0];
    offer.layout.placement = std::make_shared<const Placement>(placement);
    plan.offers[0] = std::make_shared<const Offer>(offer);

    QElapsedTimer timer;
    timer.start();
    const std::string text = writePlan(plan);
    const qint64 wrote = timer.nsecsElapsed();
    QVERIFY2(text.size() < 2048, text.c_str());
    timer.start();
    const auto reading = readPlan(text);
    const qint64 read = timer.nsecsElapsed();
    QVERIFY(reading.ok());
    QVERIFY(reading->plan == plan);
    qInfo("%zu ranks: %zu bytes, written in %.1f ms, read in %.1f ms", placement.size(),
        text.size(), double(wrote) / 1e6, double(read) / 1e6);
}

void TestPlanJsonLayout::bigGroups()
{
    Plan plan = planFrom(offerText(R"({"name": "R{1..2048}", "units": 64, "servers": [
        {"name": "node{00001..00008+8}", "height": 8, "gpus": {"type": "h100-sxm5-80", "count": 8}}]})"));
    Offer offer = *plan.offers[0];
    offer.layout.preset = LayoutPreset::Custom;
    for (int group = 0; group < 16384; ++group)
        offer.layout.groups.push_back({ "S" + std::to_string(group),
            RankSet::range(group * 8, group * 8 + (group == 77 ? 6 : 7)), PartSet::all(), {} });
    plan.offers[0] = std::make_shared<const Offer>(offer);
    const std::string text = writePlan(plan);
    QVERIFY2(text.size() < 2048, text.c_str());
    QVERIFY(planFrom(text) == plan);
}

QTEST_GUILESS_MAIN(TestPlanJsonLayout)
#include "test_plan_json_layout.moc"
