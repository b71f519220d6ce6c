#include "../document/plans.h"
#include "commands/drop.h"
#include "commands/edit_command.h"

#include <QMimeData>
#include <QTest>

using namespace shardrack;

namespace {

using Kind = Carried::Kind;
using Target = DropTarget::Kind;

Carried newHardware(Kind kind, const char* type)
{
    Carried carried;
    carried.kind = kind;
    carried.type = type;
    return carried;
}

Carried placedServer(ServerId id)
{
    Carried carried;
    carried.kind = Kind::Server;
    carried.server = id;
    return carried;
}

Carried placedGpu(GpuRef gpu)
{
    Carried carried;
    carried.kind = Kind::Gpu;
    carried.gpu = gpu;
    return carried;
}

Carried carriedRanks(int first, int last)
{
    Carried carried;
    carried.kind = Kind::Ranks;
    carried.ranks = RankSet::range(first, last);
    return carried;
}

DropTarget onto(Target kind)
{
    DropTarget target;
    target.kind = kind;
    return target;
}

DropTarget rackSpace(std::size_t rack, int unit)
{
    DropTarget target = onto(Target::RackSpace);
    target.rack = rack;
    target.unit = unit;
    return target;
}

DropTarget ontoServer(ServerId server)
{
    DropTarget target = onto(Target::Server);
    target.server = server;
    return target;
}

DropTarget ontoGpu(GpuRef gpu)
{
    DropTarget target = onto(Target::Gpu);
    target.gpu = gpu;
    return target;
}

DropTarget ontoGroup(Target kind, const char* group)
{
    DropTarget target = onto(kind);
    target.group = group;
    return target;
}

/// Two servers in rack A: A1 is full with four GPUs, A2 (units 5 to 8) has two GPUs in four slots.
Plan twoServerPlan(LayoutPreset preset)
{
    Plan plan = fourGpuPlan();
    Offer offer = *plan.offers[0];
    offer.site.racks = { testRack("A", { testServer(1, "A1", 1, 4), testServer(2, "A2", 5, 2) }) };
    offer.layout.preset = preset;
    plan.offers = { std::make_shared<const Offer>(offer) };
    return plan;
}

} // namespace

Q_DECLARE_METATYPE(shardrack::Carried)
Q_DECLARE_METATYPE(shardrack::DropTarget)

class TestDrop : public QObject {
    Q_OBJECT
private slots:
    void means_data();
    void means();
    void refused_data();
    void refused();
    void noOffer();
    void everyPairIsAnEditOrWords();
    void newRacksAreNamedByLetter();
    void newServerIsTheCataloguesServer();
    void newGroupsAreNamed();
    void ranksOfNewHardware_data();
    void ranksOfNewHardware();
    void mime_data();
    void mime();
    void foreignMime_data();
    void foreignMime();
    void staleMime();
    void texts();
};

void TestDrop::means_data()
{
    QTest::addColumn<Carried>("carried");
    QTest::addColumn<DropTarget>("target");
    QTest::addColumn<QString>("step");
    const auto row = [](const char* name, const Carried& carried, const DropTarget& target,
                         const char* step) { QTest::newRow(name) << carried << target << step; };
    row("rack beside the racks", newHardware(Kind::RackType, "rack-42u"), onto(Target::NewRack),
        "Add rack B");
    row("server type on free space", newHardware(Kind::ServerType, "pcie-4gpu-16gib"),
        rackSpace(0, 9), "Add server A3");
    row("GPU type on a free slot", newHardware(Kind::GpuType, "generic-16gib"), ontoServer(2),
        "Add GPU A2·2");
    row("GPU type beside a GPU", newHardware(Kind::GpuType, "generic-16gib"), ontoGpu({ 2, 0 }),
        "Add GPU A2·2");
    row("GPU type on free space", newHardware(Kind::GpuType, "generic-16gib"), rackSpace(0, 9),
        "Add server A3");
    row("server to another unit", placedServer(1), rackSpace(0, 20), "Move server A1");
    row("server over its own units", placedServer(2), rackSpace(0, 7), "Move server A2");
    row("GPU to another server", placedGpu({ 1, 3 }), ontoServer(2), "Move GPU A1·3 to server A2");
    row("GPU beside another GPU", placedGpu({ 1, 3 }), ontoGpu({ 2, 1 }),
        "Move GPU A1·3 to server A2");
    row("GPU to free space", placedGpu({ 1, 3 }), rackSpace(0, 9), "Move GPU A1·3 to rack A");
    row("rank to a GPU", carriedRanks(3, 3), ontoGpu({ 2, 0 }), "Move rank 3 to A2·0");
    row("ranks to a group", carriedRanks(0, 1), ontoGroup(Target::Group, "G"),
        "Put ranks 0–1 into new shard group G");
    row("ranks to a group of their own", carriedRanks(0, 1), onto(Target::NewGroup),
        "Put ranks 0–1 into new shard group S1");
    row("ranks to a named group of their own", carriedRanks(0, 1), ontoGroup(Target::NewGroup, "T"),
        "Put ranks 0–1 into new shard group T");
    row("ranks out of their groups", carriedRanks(3, 3), onto(Target::NoGroup),
        "Take rank 3 out of shard group S");
    row("rank out of the job", carriedRanks(5, 5), onto(Target::NoRank), "Remove rank 5");
    row("ranks out of the job", carriedRanks(1, 2), onto(Target::NoRank),
        "Remove ranks 1–2 (ranks 3–5 become 1–3)");
}

void TestDrop::means()
{
    QFETCH(const Carried, carried);
    QFETCH(const DropTarget, target);
    QFETCH(const QString, step);
    PlanDocument document;
    document.reset(twoServerPlan(LayoutPreset::Fsdp), {}, false);
    const Result<Edit> edit = editForDrop(document, carried, target, false);
    QVERIFY2(edit.ok(), edit.ok() ? "" : edit.error().text().c_str());
    const auto error = perform(document, *edit);
    QVERIFY2(!error, error ? error->text().c_str() : "");
    QCOMPARE(document.undoStack().undoText(), step);
}

void TestDrop::refused_data()
{
    QTest::addColumn<Carried>("carried");
    QTest::addColumn<DropTarget>("target");
    QTest::addColumn<QString>("why");
    const auto row = [](const char* name, const Carried& carried, const DropTarget& target,
                         const char* why) { QTest::newRow(name) << carried << target << why; };
    const Carried rack = newHardware(Kind::RackType, "rack-42u");
    const Carried server = newHardware(Kind::ServerType, "pcie-4gpu-16gib");
    const Carried gpu = newHardware(Kind::GpuType, "generic-16gib");
    row("unknown rack type", newHardware(Kind::RackType, "x"), onto(Target::NewRack),
        "The catalogue has no such rack");
    row("unknown server type", newHardware(Kind::ServerType, "x"), rackSpace(0, 9),
        "The catalogue has no such server");
    row("unknown GPU type", newHardware(Kind::GpuType, "x"), ontoServer(2),
        "The catalogue has no such GPU");
    row("rack into a rack", rack, rackSpace(0, 9), "beside the other racks");
    row("rack onto a server", rack, ontoServer(1), "beside the other racks");
    row("server type beside racks", server, onto(Target::NewRack), "free rack space");
    row("server type on a server", server, ontoServer(1), "free rack space");
    row("server type on used units", server, rackSpace(0, 3),
        "Units 3–6 of rack A are occupied by A1 and A2");
    row("server type beyond the rack", server, rackSpace(0, 40), "does not fit at unit 40");
    row("server type in no rack", server, rackSpace(3, 1), "There is no rack number 4");
    row("GPU type on a full server", gpu, ontoServer(1),
        "A1 has no free slot: 4 of 4 used. Drop it on free rack space to make it a one-GPU "
        "server");
    row("GPU type beside a GPU of a full server", gpu, ontoGpu({ 1, 0 }),
        "A1 has no free slot: 4 of 4 used.");
    row("GPU type on no server", gpu, ontoServer(9), "does not exist any more");
    row("GPU type beside racks", gpu, onto(Target::NewRack), "into a server or onto free rack");
    row("GPU type on a used unit", gpu, rackSpace(0, 1), "Unit 1 of rack A is occupied by A1");
    row("server that is gone", placedServer(9), rackSpace(0, 9), "does not exist any more");
    row("server on a server", placedServer(1), ontoServer(2), "free rack space");
    row("server where it is", placedServer(1), rackSpace(0, 1), "already");
    row("server onto another", placedServer(1), rackSpace(0, 5), "occupied by A2");
    row("server beside racks", placedServer(1), onto(Target::NewRack), "free rack space");
    row("GPU to a full server", placedGpu({ 2, 0 }), ontoServer(1), "A1 has no free slot");
    row("GPU to its own server", placedGpu({ 1, 0 }), ontoServer(1), "in server A1 already");
    row("GPU to a server that is gone", placedGpu({ 1, 0 }), ontoServer(9),
        "does not exist any more");
    row("GPU that is gone", placedGpu({ 1, 7 }), ontoServer(2), "There is no GPU A1·7");
    row("GPU on a used unit", placedGpu({ 1, 0 }), rackSpace(0, 6), "occupied by A2");
    row("GPU beside racks", placedGpu({ 1, 0 }), onto(Target::NewRack),
        "into a server or onto free rack");
    row("no ranks", carriedRanks(1, 0), ontoGpu({ 2, 0 }), "No rank is selected");
    row("several ranks on a GPU", carriedRanks(0, 1), ontoGpu({ 2, 0 }), "one at a time");
    row("rank where it is", carriedRanks(0, 0), ontoGpu({ 1, 0 }), "already");
    row("rank on a GPU that is gone", carriedRanks(0, 0), ontoGpu({ 2, 3 }),
        "There is no GPU A2·3");
    row("rank that is gone", carriedRanks(9, 9), ontoGpu({ 2, 0 }), "There is no rank 9");
    row("rank on a server", carriedRanks(0, 0), ontoServer(2), "one of the server's GPUs");
    row("rank on rack space", carriedRanks(0, 0), rackSpace(0, 9), "runs on a GPU");
    row("rank beside racks", carriedRanks(0, 0), onto(Target::NewRack), "runs on a GPU");
    row("ranks in the group already", carriedRanks(0, 1), ontoGroup(Target::Group, "S"), "already");
    row("ranks to a group without a name", carriedRanks(0, 1), ontoGroup(Target::Group, ""),
        "needs a name");
    row("removing ranks that are gone", carriedRanks(4, 9), onto(Target::NoRank),
        "There is no rank 9");
}

void TestDrop::refused()
{
    QFETCH(const Carried, carried);
    QFETCH(const DropTarget, target);
    QFETCH(const QString, why);
    PlanDocument document;
    document.reset(twoServerPlan(LayoutPreset::Fsdp), {}, false);
    const Result<Edit> edit = editForDrop(document, carried, target, false);
    std::optional<Error> error;
    if (edit.ok())
        error = document.tryEdit(*edit);
    else
        error = edit.error();
    QVERIFY(error);
    const QString message = QString::fromStdString(error->text());
    QVERIFY2(message.contains(why), qPrintable(message));
    QVERIFY(!document.whatIf());
}

void TestDrop::noOffer()
{
    const PlanDocument document;
    const Result<Edit> edit = editForDrop(
        document, newHardware(Kind::RackType, "rack-42u"), onto(Target::NewRack), false);
    QVERIFY(!edit.ok());
    QCOMPARE(edit.error().text(), std::string("There is no offer to place it in"));
}

void TestDrop::everyPairIsAnEditOrWords()
{
    PlanDocument document;
    document.reset(twoServerPlan(LayoutPreset::Ddp), {}, false);
    const std::vector<Carried> things { newHardware(Kind::RackType, "rack-42u"),
        newHardware(Kind::ServerType, "dgx-h100"), newHardware(Kind::GpuType, "h100-sxm5-80"),
        placedServer(2), placedGpu({ 2, 1 }), carriedRanks(2, 2), carriedRanks(0, 3) };
    std::vector<DropTarget> places;
    for (int kind = 0; kind <= static_cast<int>(Target::NoRank); ++kind) {
        DropTarget target = rackSpace(0, 30);
        target.kind = static_cast<Target>(kind);
        target.server = 1;
        target.gpu = { 1, 0 };
        target.group = "S";
        places.push_back(target);
    }
    for (const Carried& carried : things)
        for (const DropTarget& target : places)
            for (const bool alt : { false, true }) {
                const Result<Edit> edit = editForDrop(document, carried, target, alt);
                if (edit.ok())
                    document.tryEdit(*edit);
                else
                    QVERIFY(!edit.error().what.empty());
            }
}

void TestDrop::newRacksAreNamedByLetter()
{
    PlanDocument document;
    document.reset(emptyPlan(), {}, false);
    perform(document, edit::AddOffer { emptyOffer("Offer A"), 0 });
    const Carried rack = newHardware(Kind::RackType, "rack-24u");
    QStringList names;
    for (int i = 0; i < 28; ++i)
        QVERIFY(!perform(document, *editForDrop(document, rack, onto(Target::NewRack), false)));
    for (const auto& placed : document.plan()->offers[0]->site.racks)
        names += QString::fromStdString(placed->name);
    QCOMPARE(names.mid(0, 3), (QStringList { "A", "B", "C" }));
    QCOMPARE(names.mid(25), (QStringList { "Z", "AA", "AB" }));
    QCOMPARE(document.plan()->offers[0]->site.racks[0]->units, 24);
    QVERIFY(!perform(document, edit::RemoveRack { 0, 1 }));
    QVERIFY(!perform(document, *editForDrop(document, rack, onto(Target::NewRack), false)));
    QCOMPARE(document.plan()->offers[0]->site.racks.back()->name, std::string("B"));
}

void TestDrop::newServerIsTheCataloguesServer()
{
    PlanDocument document;
    document.reset(twoServerPlan(LayoutPreset::Ddp), {}, false);
    const auto drop = [&](Kind kind, const char* type, int unit) {
        const Result<Edit> edit
            = editForDrop(document, newHardware(kind, type), rackSpace(0, unit), false);
        QVERIFY(!perform(document, *edit));
    };
    drop(Kind::ServerType, "dgx-h100", 9);
    drop(Kind::ServerType, "pcie-4gpu-16gib", 17);
    drop(Kind::GpuType, "generic-16gib", 21);
    drop(Kind::GpuType, "h100-sxm5-80", 22);
    const std::vector<Server>& servers = document.plan()->offers[0]->site.racks[0]->servers;
    QCOMPARE(servers.size(), std::size_t(6));
    const Server& dgx = servers[2];
    QCOMPARE(dgx.name, std::string("A3"));
    QCOMPARE(dgx.height, 8);
    QCOMPARE(dgx.gpuSlots, 8);
    QCOMPARE(dgx.gpuCount(), 8);
    QCOMPARE(dgx.gpus[0].type, std::string("h100-sxm5-80"));
    QVERIFY(dgx.gpus[0].confirmed);
    // What a job can have on made-up hardware is for a person to say.
    QVERIFY(!servers[3].gpus[0].confirmed);
    const Server& single = servers[4];
    QCOMPARE(single.name, std::string("A5"));
    QCOMPARE(single.height, 1);
    QCOMPARE(single.gpuSlots, 1);
    QVERIFY(!single.gpus[0].confirmed);
    QVERIFY(servers[5].gpus[0].confirmed);
    // One rank a GPU follows the hardware: 6 + 8 + 4 + 1 + 1.
    QCOMPARE(document.current()->assessment->layout.rankCount(), 20);
}

void TestDrop::newGroupsAreNamed()
{
    PlanDocument document;
    document.reset(twoServerPlan(LayoutPreset::Ddp), {}, false);
    for (const char* name : { "S", "S1", "S2" }) {
        const int first = static_cast<int>(document.undoStack().count()) * 2;
        QVERIFY(!perform(document,
            *editForDrop(document, carriedRanks(first, first + 1), onto(Target::NewGroup), false)));
        QCOMPARE(document.plan()->offers[0]->layout.groups.back().name, std::string(name));
        QVERIFY(document.plan()->offers[0]->layout.groups.back().distributes.whole());
    }
}

void TestDrop::ranksOfNewHardware_data()
{
    QTest::addColumn<LayoutPreset>("preset");
    QTest::addColumn<bool>("follow");
    QTest::addColumn<bool>("alt");
    QTest::addColumn<int>("brought");
    QTest::newRow("preset follows") << LayoutPreset::Fsdp << true << false << 4;
    QTest::newRow("alt inverts") << LayoutPreset::Fsdp << true << true << 0;
    QTest::newRow("preset that does not follow") << LayoutPreset::Fsdp << false << false << 0;
    QTest::newRow("alt inverts that too") << LayoutPreset::Fsdp << false << true << 4;
    QTest::newRow("groups by hand") << LayoutPreset::Custom << true << false << 0;
}

void TestDrop::ranksOfNewHardware()
{
    QFETCH(const LayoutPreset, preset);
    QFETCH(const bool, follow);
    QFETCH(const bool, alt);
    QFETCH(const int, brought);
    Plan plan = twoServerPlan(preset);
    Offer offer = *plan.offers[0];
    offer.layout.ranksFollowHardware = follow;
    plan.offers = { std::make_shared<const Offer>(offer) };
    PlanDocument document;
    document.reset(plan, {}, false);
    const Carried server = newHardware(Kind::ServerType, "pcie-4gpu-16gib");
    QCOMPARE(ranksBrought(server, document, alt), brought);
    QCOMPARE(ranksBrought(newHardware(Kind::GpuType, "generic-16gib"), document, alt),
        brought > 0 ? 1 : 0);
    QCOMPARE(ranksBrought(placedServer(1), document, alt), 0);
    const int before = document.current()->assessment->layout.rankCount();
    QVERIFY(!perform(document, *editForDrop(document, server, rackSpace(0, 9), alt)));
    QCOMPARE(document.current()->assessment->layout.rankCount(), before + brought);
}

void TestDrop::mime_data()
{
    QTest::addColumn<Carried>("carried");
    QTest::newRow("rack type") << newHardware(Kind::RackType, "rack-42u");
    QTest::newRow("server type") << newHardware(Kind::ServerType, "dgx-h100");
    QTest::newRow("GPU type") << newHardware(Kind::GpuType, "h100-sxm5-80");
    QTest::newRow("server") << placedServer(2);
    QTest::newRow("GPU") << placedGpu({ 2, 1 });
    Carried ranks = carriedRanks(0, 3);
    ranks.ranks.insert(17);
    QTest::newRow("ranks") << ranks;
}

void TestDrop::mime()
{
    QFETCH(const Carried, carried);
    PlanDocument document;
    document.reset(twoServerPlan(LayoutPreset::Ddp), {}, false);
    const std::unique_ptr<QMimeData> data(toMime(carried, document));
    QVERIFY(data->hasFormat(carriedMimeType()));
    QVERIFY(fromMime(*data, document) == carried);
    const PlanDocument other;
    QCOMPARE(fromMime(*data, other).has_value(), carried.isNew());
}

void TestDrop::foreignMime_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("no JSON") << QByteArray("]");
    QTest::newRow("no object") << QByteArray("[1]");
    QTest::newRow("no kind") << QByteArray("{}");
    QTest::newRow("unknown kind") << QByteArray(R"({"kind": "switch"})");
    QTest::newRow("no type") << QByteArray(R"({"kind": "gpu type"})");
    QTest::newRow("server without document") << QByteArray(R"({"kind": "server", "server": 1})");
    QTest::newRow("server is a word") << QByteArray(R"({"kind": "server", "server": "one"})");
    QTest::newRow("server too large") << QByteArray(R"({"kind": "server", "server": 1e300})");
    QTest::newRow("half a GPU") << QByteArray(R"({"kind": "gpu", "gpu": [1]})");
    QTest::newRow("broken ranks") << QByteArray(R"({"kind": "ranks", "ranks": "3-0"})");
    QTest::newRow("no ranks") << QByteArray(R"({"kind": "ranks"})");
}

void TestDrop::foreignMime()
{
    QFETCH(const QByteArray, text);
    PlanDocument document;
    document.reset(twoServerPlan(LayoutPreset::Ddp), {}, false);
    QMimeData data;
    QVERIFY(!fromMime(data, document));
    data.setData(carriedMimeType(), text);
    QVERIFY(!fromMime(data, document));
}

void TestDrop::staleMime()
{
    PlanDocument document;
    document.reset(twoServerPlan(LayoutPreset::Ddp), {}, false);
    const std::unique_ptr<QMimeData> server(toMime(placedServer(2), document));
    const std::unique_ptr<QMimeData> type(toMime(newHardware(Kind::GpuType, "l4")));
    perform(document, edit::RemoveServer { 0, 1 });
    QVERIFY(!fromMime(*server, document));
    QVERIFY(fromMime(*type, document));
}

void TestDrop::texts()
{
    PlanDocument document;
    document.reset(twoServerPlan(LayoutPreset::Ddp), {}, false);
    const auto check = [&](const Carried& carried, const char* text, int height) {
        QCOMPARE(carriedText(carried, document), QString(text));
        QCOMPARE(carriedHeight(carried, document), height);
    };
    check(newHardware(Kind::RackType, "rack-42u"), "Rack, 42 U", 0);
    check(newHardware(Kind::ServerType, "dgx-h100"), "8 × H100-80GB server", 8);
    check(newHardware(Kind::GpuType, "h100-sxm5-80"), "H100-80GB", 1);
    check(placedServer(2), "server A2", 4);
    check(placedGpu({ 2, 1 }), "GPU A2·1", 1);
    check(carriedRanks(3, 3), "rank 3", 0);
    check(carriedRanks(0, 3), "ranks 0–3", 0);
}

QTEST_GUILESS_MAIN(TestDrop)
#include "test_drop.moc"
