#include "layout/layout.h"
#include "layout/legality.h"

#include <QTest>

#include <algorithm>
#include <array>

using namespace shardrack;
Q_DECLARE_METATYPE(shardrack::Layout)

namespace {

Site siteOf(int servers, int gpusEach)
{
    auto rack = std::make_shared<Rack>();
    rack->name = "A";
    rack->units = 42;
    for (int i = 0; i < servers; ++i) {
        Server server;
        server.id = i + 1;
        server.name = "A" + std::to_string(i + 1);
        server.unit = 1 + i;
        server.gpuSlots = gpusEach;
        server.gpus = { GpuRun { "generic-16gib", gpusEach, Bytes(16 * kGiB), true, nullptr } };
        rack->servers.push_back(server);
    }
    Site site;
    site.racks.push_back(rack);
    return site;
}

Layout preset(LayoutPreset which, std::optional<std::int32_t> shard = {},
    std::optional<std::int32_t> replicate = {})
{
    Layout layout;
    layout.preset = which;
    layout.dpShard = shard;
    layout.dpReplicate = replicate;
    return layout;
}

std::string rules(const Legality& legality)
{
    std::string text;
    for (const BrokenRule& rule : legality.broken)
        text += rule.rule + " | " + rule.text + "\n";
    return text;
}

} // namespace

class TestLayout : public QObject {
    Q_OBJECT
private slots:
    void presetsDivideWhatTheySay_data();
    void presetsDivideWhatTheySay();
    void hsdpShardsInsideAServer();
    void hsdpByItsReplicas();
    void aDividedModelIsNamed();
    void groupsOfADividedModel_data();
    void groupsOfADividedModel();
    void lastGroupMayBeSmaller();
    void groupsByHand();
    void ranksByHand();
    void aRankOverSeveralGpus();
    void degreesThatDoNotDivide_data();
    void degreesThatDoNotDivide();
    void batch_data();
    void batch();
    void whatIsNotGivenBreaksNoRule();
    void unevenGroupsAreARemarkUntilAFrameworkIsChosen();
};

void TestLayout::presetsDivideWhatTheySay_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("parameters");
    QTest::addColumn<int>("gradients");
    QTest::addColumn<int>("optimizer");
    // DOMAIN section 5: what each strategy splits.
    QTest::newRow("ddp") << "ddp" << 1 << 1 << 1;
    QTest::newRow("zero1") << "zero1" << 1 << 1 << 8;
    QTest::newRow("zero2") << "zero2" << 1 << 8 << 8;
    QTest::newRow("fsdp") << "fsdp" << 8 << 8 << 8;
    QTest::newRow("hsdp") << "hsdp" << 4 << 4 << 4;
}

void TestLayout::presetsDivideWhatTheySay()
{
    QFETCH(QString, name);
    const Site site = siteOf(2, 4);
    const SiteIndex index(site, Catalogue::builtIn());
    const auto which = layoutPreset(name.toStdString());
    QVERIFY(which);
    QCOMPARE(QString::fromUtf8(id(*which)), name);
    const ResolvedLayout layout(preset(*which), index);
    QCOMPARE(layout.rankCount(), 8);
    for (std::int32_t rank = 0; rank < 8; ++rank) {
        const ResolvedLayout::Shares shares = layout.shares(rank);
        QTEST(shares.parameters.ranks, "parameters");
        QTEST(shares.gradients.ranks, "gradients");
        QTEST(shares.optimizer.ranks, "optimizer");
    }
}

void TestLayout::hsdpShardsInsideAServer()
{
    const Site site = siteOf(4, 8);
    const SiteIndex index(site, Catalogue::builtIn());
    const ResolvedLayout layout(preset(LayoutPreset::Hsdp), index);
    QCOMPARE(layout.groupCount(), 4);
    QCOMPARE(layout.group(3).ranks.text(), std::string("24-31"));
    QCOMPARE(layout.replicas(), 4);
    QCOMPARE(layout.shares(13).parameters.group, 1);
    QCOMPARE(layout.shares(13).parameters.position, 5);
    QCOMPARE(layoutPhrase(preset(LayoutPreset::Hsdp), layout), std::string("HSDP 4 × 8"));
}

/// "dp_replicate" alone says how large the groups are, too.
void TestLayout::hsdpByItsReplicas()
{
    const Site site = siteOf(4, 8);
    const SiteIndex index(site, Catalogue::builtIn());
    Layout two = preset(LayoutPreset::Hsdp);
    two.dpReplicate = 2;
    const ResolvedLayout layout(two, index);
    QCOMPARE(layout.groupCount(), 2);
    QCOMPARE(layout.group(1).ranks.text(), std::string("16-31"));
    QCOMPARE(layout.shardRanks(), 16);
    QCOMPARE(layoutPhrase(two, layout), std::string("HSDP 2 × 16"));
}

void TestLayout::aDividedModelIsNamed()
{
    const Site site = siteOf(4, 8);
    const SiteIndex index(site, Catalogue::builtIn());
    const auto phrase = [&](LayoutPreset which, std::int32_t tensor, std::int32_t context,
                            std::int32_t pipeline) {
        Layout layout = preset(which);
        layout.tensor = tensor;
        layout.context = context;
        layout.pipeline = pipeline;
        if (which == LayoutPreset::Hsdp)
            layout.dpReplicate = 2;
        return layoutPhrase(layout, ResolvedLayout(layout, index));
    };
    QCOMPARE(phrase(LayoutPreset::Fsdp, 8, 1, 1), std::string("TP 8 · FSDP 4"));
    QCOMPARE(phrase(LayoutPreset::Fsdp, 2, 2, 2), std::string("TP 2 · CP 2 · PP 2 · FSDP 8"));
    QCOMPARE(phrase(LayoutPreset::Hsdp, 4, 1, 1), std::string("TP 4 · HSDP 2 × 4"));
    QCOMPARE(phrase(LayoutPreset::Ddp, 1, 1, 4), std::string("PP 4 · 8 replicas"));
}

/// On 16 ranks; by default tensor is the innermost axis, then context, data and the pipeline.
void TestLayout::groupsOfADividedModel_data()
{
    QTest::addColumn<Layout>("layout");
    QTest::addColumn<QString>("groups");
    QTest::addColumn<int>("copies");
    const auto row = [](const char* name, LayoutPreset which, std::array<std::int32_t, 3> degrees,
                         std::optional<std::int32_t> shard, const char* order, const char* groups,
                         int copies) {
        Layout layout = preset(which, shard);
        layout.tensor = degrees[0];
        layout.context = degrees[1];
        layout.pipeline = degrees[2];
        layout.order = order;
        QTest::newRow(name) << layout << groups << copies;
    };
    using P = LayoutPreset;
    row("stages", P::Fsdp, { 1, 1, 2 }, {}, "", "S0 0-7 S1 8-15", 1);
    row("tensor and stages", P::Fsdp, { 2, 1, 2 }, {}, "",
        "S0 0,2,4,6 S1 1,3,5,7 S2 8,10,12,14 S3 9,11,13,15", 1);
    row("in groups of two", P::Hsdp, { 2, 1, 2 }, 2, "",
        "S0 0,2 S1 4,6 S2 1,3 S3 5,7 S4 8,10 S5 12,14 S6 9,11 S7 13,15", 2);
    row("data innermost", P::Fsdp, { 2, 1, 2 }, {}, "dp-tp-cp-ep-pp",
        "S0 0-3 S1 4-7 S2 8-11 S3 12-15", 1);
    row("context ranks divide, too", P::Hsdp, { 1, 2, 1 }, 4, "", "S0 0-7 S1 8-15", 2);
    row("context outside data", P::Hsdp, { 1, 2, 1 }, 4, "tp-dp-cp-ep-pp",
        "S0 0-3,8-11 S1 4-7,12-15", 2);
    row("only the optimizer", P::Zero1, { 2, 1, 1 }, {}, "",
        "S0 0,2,4,6,8,10,12,14 S1 1,3,5,7,9,11,13,15", 8);
    row("nothing", P::Ddp, { 2, 1, 2 }, {}, "", "", 4);
    row("degrees that do not divide", P::Fsdp, { 3, 1, 1 }, {}, "", "", 5);
}

void TestLayout::groupsOfADividedModel()
{
    QFETCH(Layout, layout);
    const Site site = siteOf(2, 8);
    const SiteIndex index(site, Catalogue::builtIn());
    const ResolvedLayout resolved(layout, index);
    QStringList found;
    for (const ShardGroup& group : resolved.groups())
        found << QString::fromStdString(group.name + " " + group.ranks.text());
    QTEST(found.join(' '), "groups");
    QTEST(int(resolved.replicas()), "copies");
    // What each rank says of itself is what the groups say.
    for (std::int32_t number = 0; number < resolved.groupCount(); ++number) {
        const ShardGroup group = resolved.group(number);
        QCOMPARE(resolved.groupName(number), group.name);
        std::vector<bool> positions(std::size_t(group.ranks.size()));
        for (std::int32_t rank = 0; rank < 16; ++rank)
            if (group.ranks.contains(rank)) {
                const ResolvedLayout::Share share = resolved.shares(rank).optimizer;
                QCOMPARE(share.group, number);
                QCOMPARE(std::int64_t(share.ranks), group.ranks.size());
                positions[std::size_t(share.position)] = true;
            }
        QVERIFY(std::find(positions.begin(), positions.end(), false) == positions.end());
    }
}

void TestLayout::lastGroupMayBeSmaller()
{
    const Site site = siteOf(1, 7);
    const SiteIndex index(site, Catalogue::builtIn());
    const ResolvedLayout layout(preset(LayoutPreset::Hsdp, 4), index);
    QCOMPARE(layout.groupCount(), 2);
    QCOMPARE(layout.shares(3).parameters.ranks, 4);
    QCOMPARE(layout.shares(4).parameters.ranks, 3);
    QCOMPARE(layout.shares(6).parameters.position, 2);
    QVERIFY(!legality(preset(LayoutPreset::Hsdp, 4), layout, {}).legal());
}

void TestLayout::groupsByHand()
{
    const Site site = siteOf(1, 4);
    const SiteIndex index(site, Catalogue::builtIn());
    Layout custom = preset(LayoutPreset::Custom);
    custom.groups.push_back({ "S", RankSet::range(0, 2), PartSet::all(), nullptr });
    const ResolvedLayout layout(custom, index);
    QCOMPARE(layout.shares(1).optimizer, (ResolvedLayout::Share { 0, 3, 1 }));
    QCOMPARE(layout.shares(3).optimizer, ResolvedLayout::Share {});
    QCOMPARE(layout.replicas(), 2);
}

void TestLayout::ranksByHand()
{
    const Site site = siteOf(2, 2);
    const SiteIndex index(site, Catalogue::builtIn());
    Layout byHand = preset(LayoutPreset::Ddp);
    byHand.placement = std::make_shared<Placement>(
        Placement { { { { 2, 1 } }, {} }, { { { 1, 0 } }, {} }, { { { 2, 1 } }, {} } });
    const ResolvedLayout layout(byHand, index);
    QCOMPARE(layout.rankCount(), 3);
    QCOMPARE(layout.gpuOf(0), 3);
    QCOMPARE(layout.gpuOf(1), 0);
    QCOMPARE(layout.ranksOn(3), (std::vector<std::int32_t> { 0, 2 }));
    QVERIFY(layout.ranksOn(1).empty());
}

void TestLayout::aRankOverSeveralGpus()
{
    const Site site = siteOf(1, 4);
    const SiteIndex index(site, Catalogue::builtIn());
    Layout byHand = preset(LayoutPreset::Ddp);
    byHand.placement = std::make_shared<Placement>(
        Placement { { { { 1, 0 }, { 1, 1 } }, { 3, 1 } }, { { { 1, 2 }, { 1, 3 } }, {} } });
    const ResolvedLayout layout(byHand, index);
    const auto devices = layout.devicesOf(0);
    QCOMPARE(devices.size(), std::size_t(2));
    QCOMPARE(devices[1].weight, std::int64_t(1));
    QCOMPARE(devices[1].weights, std::int64_t(4));
    QCOMPARE(devices[1].before, std::int64_t(3));
    QCOMPARE(layout.devicesOf(1)[0].weights, std::int64_t(0));
}

void TestLayout::degreesThatDoNotDivide_data()
{
    QTest::addColumn<int>("tensor");
    QTest::addColumn<int>("pipeline");
    QTest::addColumn<int>("replicate");
    QTest::addColumn<int>("shard");
    QTest::addColumn<QString>("broken");
    QTest::newRow("fits") << 1 << 1 << 2 << 4 << "";
    QTest::newRow("product") << 1 << 1 << 2 << 8 << "2 × 8 = 16, and 8 ranks are placed";
    QTest::newRow("shard") << 1 << 1 << 0 << 3 << "8 ranks are not a multiple of 3";
    QTest::newRow("tensor") << 3 << 1 << 0 << 0 << "8 ranks are not a multiple of 3 × 1 × 1 = 3";
    QTest::newRow("model parallel") << 2 << 2 << 0 << 4 << "2 ranks are not a multiple of 4";
}

void TestLayout::degreesThatDoNotDivide()
{
    QFETCH(int, tensor);
    QFETCH(int, pipeline);
    QFETCH(int, replicate);
    QFETCH(int, shard);
    QFETCH(QString, broken);
    const Site site = siteOf(2, 4);
    const SiteIndex index(site, Catalogue::builtIn());
    Layout layout = preset(LayoutPreset::Hsdp);
    layout.tensor = tensor;
    layout.pipeline = pipeline;
    if (replicate > 0)
        layout.dpReplicate = replicate;
    if (shard > 0)
        layout.dpShard = shard;
    const QString found
        = QString::fromStdString(rules(legality(layout, ResolvedLayout(layout, index), {})));
    if (broken.isEmpty())
        QCOMPARE(found, QString());
    else
        QVERIFY2(found.contains(broken), qPrintable(found));
}

void TestLayout::batch_data()
{
    QTest::addColumn<int>("global");
    QTest::addColumn<int>("micro");
    QTest::addColumn<int>("accumulation");
    QTest::addColumn<int>("ranks");
    QTest::addColumn<int>("derivedGlobal");
    QTest::addColumn<int>("derivedMicro");
    QTest::addColumn<int>("derivedAccumulation");
    QTest::addColumn<bool>("broken");
    // 48 = 3 × 1 × 16, and 2 × 1 × 24 after a third server of eight.
    QTest::newRow("48 on 16") << 48 << 0 << 1 << 16 << 48 << 3 << 1 << false;
    QTest::newRow("48 on 24") << 48 << 0 << 1 << 24 << 48 << 2 << 1 << false;
    QTest::newRow("48 on 32") << 48 << 0 << 1 << 32 << 48 << 0 << 1 << true;
    QTest::newRow("accumulation") << 256 << 2 << 0 << 8 << 256 << 2 << 16 << false;
    QTest::newRow("global") << 0 << 2 << 4 << 8 << 64 << 2 << 4 << false;
    QTest::newRow("closes") << 64 << 2 << 4 << 8 << 64 << 2 << 4 << false;
    QTest::newRow("does not close") << 65 << 2 << 4 << 8 << 65 << 2 << 4 << true;
    QTest::newRow("nothing given") << 0 << 0 << 0 << 8 << 0 << 0 << 0 << false;
}

void TestLayout::batch()
{
    QFETCH(int, global);
    QFETCH(int, micro);
    QFETCH(int, accumulation);
    QFETCH(int, ranks);
    Recipe recipe;
    if (global)
        recipe.globalBatch = global;
    if (micro)
        recipe.microBatch = micro;
    if (accumulation)
        recipe.accumulation = accumulation;
    const BatchArithmetic found = batchArithmetic(recipe, ranks);
    QTEST(int(found.globalBatch.value_or(0)), "derivedGlobal");
    QTEST(int(found.microBatch.value_or(0)), "derivedMicro");
    QTEST(int(found.accumulation.value_or(0)), "derivedAccumulation");
    QTEST(found.broken, "broken");
}

void TestLayout::whatIsNotGivenBreaksNoRule()
{
    const Site site = siteOf(1, 5);
    const SiteIndex index(site, Catalogue::builtIn());
    for (const LayoutPreset which : { LayoutPreset::Ddp, LayoutPreset::Zero1, LayoutPreset::Zero2,
             LayoutPreset::Fsdp, LayoutPreset::Hsdp, LayoutPreset::Custom }) {
        const Layout layout = preset(which);
        QVERIFY(legality(layout, ResolvedLayout(layout, index), {}).legal());
    }
}

void TestLayout::unevenGroupsAreARemarkUntilAFrameworkIsChosen()
{
    const Site site = siteOf(1, 6);
    const SiteIndex index(site, Catalogue::builtIn());
    Layout custom = preset(LayoutPreset::Custom);
    custom.groups.push_back({ "S", RankSet::range(0, 2), PartSet::all(), nullptr });
    custom.groups.push_back({ "T", RankSet::range(3, 4), PartSet::all(), nullptr });
    Workload workload;
    const ResolvedLayout resolved(custom, index);
    const Legality free = legality(custom, resolved, workload);
    QVERIFY(free.legal());
    QCOMPARE(free.remarks.size(), std::size_t(2));
    workload.recipe.framework = "torchtitan";
    const Legality bound = legality(custom, resolved, workload);
    QCOMPARE(bound.broken.size(), std::size_t(2));
    QVERIFY(bound.broken[0].text.find("torchtitan refuses") != std::string::npos);
}

QTEST_GUILESS_MAIN(TestLayout)
#include "test_layout.moc"
