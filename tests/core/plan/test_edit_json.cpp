#include "test_edit_plans.h"

using namespace editplans;

Q_DECLARE_METATYPE(shardrack::Edit)

/// Edits as lines of a journal.
class TestEditJson : public QObject {
    Q_OBJECT

private slots:
    void lines_data();
    void lines();
    void refused_data();
    void refused();
    void restore();
    void keptMembers();
    void everyKind();
};

void TestEditJson::lines_data()
{
    QTest::addColumn<Edit>("edit");
    QTest::addColumn<QString>("line");
    const auto row = [](const Edit& edit, const char* line) {
        QTest::newRow(parseJson(line).value().at("edit").get<std::string>().c_str())
            << edit << QString::fromUtf8(line);
    };
    Rack rack;
    rack.name = "B";
    rack.units = 10;
    rack.servers = { server("b", 1, 2, 1, 1) };
    RankSet some = RankSet::range(0, 3);
    some.insert(8);
    Layout layout;
    layout.preset = LayoutPreset::Custom;
    layout.ranksFollowHardware = false;
    layout.groups = { { "S", some, PartSet::all(), nullptr } };
    layout.placement = std::make_shared<const Placement>(Placement { { { { 1, 0 } }, {} },
        { { { 1, 1 } }, {} }, { { { 2, 0 } }, {} }, { { { 2, 1 }, { 2, 2 } }, { 1, 3 } } });

    row(edit::SetTitle { "TS-24" }, R"({"edit":"set title","title":"TS-24"})");
    row(edit::SetMargin { { Bytes(1), "policy", nullptr } },
        R"({"edit":"set margin","margin":{"basis":"policy","bytes":1}})");
    row(edit::SetWorkload {}, R"({"edit":"set workload","workload":{}})");
    Workload own;
    own.recipe.microBatch = 1;
    row(edit::SetOfferWorkload { 1, own },
        R"({"edit":"set offer workload","offer":1,"workload":{"recipe":{"micro_batch":1}}})");
    row(edit::MakeWorkloadCommon { 1 }, R"({"edit":"make workload common","offer":1})");
    row(edit::SetBasis { 1,
            { { "micro_batch", "", "", "it fits", nullptr },
                { "Data order", "shuffled", "sorted", "", nullptr } } },
        R"({"edit":"set basis","offer":1,"changed_basis":[{"field":"micro_batch","reason":"it fits"},)"
        R"({"field":"Data order","common":"shuffled","offer":"sorted"}]})");
    row(edit::SetAssumptions { 1, { "One.", "Two." } },
        R"({"edit":"set assumptions","offer":1,"assumptions":["One.","Two."]})");
    row(edit::SetInterconnect { 1, "NVLink" },
        R"({"edit":"set interconnect","offer":1,"interconnect":"NVLink"})");
    row(edit::SetPrice { 1, Price { "2.49", "USD", Price::Per::GpuHour, "list", nullptr } },
        R"({"edit":"set price","offer":1,"price":{"amount":"2.49","currency":"USD",)"
        R"("per":"gpu-hour","note":"list"}})");
    Measurement measured;
    measured.devices = "A1·0-3";
    measured.peak = Bytes(17);
    measured.phases.set(RunPhase::Init);
    measured.phases.set(RunPhase::Load);
    measured.completeSteps = 5;
    measured.basis = "00ff";
    Measurement overflow;
    overflow.scope = MemoryScope::Reserved;
    overflow.outOfMemory = true;
    row(edit::SetMeasurements { 1, { measured, overflow } },
        R"({"edit":"set measurements","offer":1,"measurements":[{"devices":"A1·0-3","scope":"device",)"
        R"("peak_bytes":17,"phases":["load","init"],"complete_steps":5,"basis":"00ff"},)"
        R"({"devices":"all","scope":"reserved","out_of_memory":true}]})");
    TrainingOutcome outcome;
    outcome.result = TrainingResult::Accepted;
    outcome.criterion = "loss ≤ 2.1";
    outcome.throughput = "11,400 tokens/s";
    row(edit::SetOutcome { 1, outcome },
        R"({"edit":"set training result","offer":1,"training_result":{"result":"accepted",)"
        R"("criterion":"loss ≤ 2.1","throughput":"11,400 tokens/s"}})");
    row(edit::RemoveOffer { 1 }, R"({"edit":"remove offer","offer":1})");
    row(edit::RenameOffer { 1, "R" }, R"({"edit":"rename offer","offer":1,"name":"R"})");
    row(edit::MoveOffer { 1, 0 }, R"({"edit":"move offer","offer":1,"to":0})");
    row(edit::AddRack { 0, rack, 2, NewRanks::No },
        R"({"edit":"add rack","offer":0,"rack":{"name":"B","units":10,"servers":[)"
        R"({"name":"b","unit":1,"height":2,"gpus":{"type":"generic-16gib","count":1}}]},"position":2,"ranks":"no"})");
    row(edit::RemoveRack { 0, 1 }, R"({"edit":"remove rack","offer":0,"rack":1})");
    row(edit::MoveRack { 0, 1, 2 }, R"({"edit":"move rack","offer":0,"rack":1,"to":2})");
    row(edit::RenameRack { 0, 1, "C" }, R"({"edit":"rename rack","offer":0,"rack":1,"name":"C"})");
    row(edit::AddServer { 0, 1, server("", 7, 4, 8, 2), NewRanks::Yes },
        R"({"edit":"add server","offer":0,"rack":1,"server":{"unit":7,"height":4,"slots":8,)"
        R"("gpus":{"type":"generic-16gib","count":2}},"ranks":"yes"})");
    row(edit::RemoveServer { 0, 3 }, R"({"edit":"remove server","offer":0,"server":3})");
    row(edit::MoveServer { 0, 3, 1, 5 },
        R"({"edit":"move server","offer":0,"server":3,"rack":1,"unit":5})");
    row(edit::RenameServer { 0, 3, "X" },
        R"({"edit":"rename server","offer":0,"server":3,"name":"X"})");
    row(edit::AddGpu { 0, 3, "generic-16gib", NewRanks::Auto, false },
        R"({"edit":"add gpu","offer":0,"server":3,"type":"generic-16gib","ranks":"auto","confirmed":false})");
    row(edit::RemoveGpu { 0, { 3, 1 } },
        R"({"edit":"remove gpu","offer":0,"gpu":{"server":3,"index":1}})");
    row(edit::MoveGpu { 0, { 3, 1 }, 2 },
        R"({"edit":"move gpu","offer":0,"gpu":{"server":3,"index":1},"server":2})");
    row(edit::MoveGpuToRack { 0, { 3, 1 }, 2, 9 },
        R"({"edit":"move gpu to rack","offer":0,"gpu":{"server":3,"index":1},"rack":2,"unit":9})");
    row(edit::SetUsable { 0, { { 1, 0 }, { 1, 1 }, { 2, 4 } }, Bytes(17), true },
        R"({"edit":"set usable","offer":0,"gpus":[{"server":1,"gpus":"0-1"},{"server":2,"gpus":"4"}],)"
        R"("usable_bytes":17,"confirmed":true})");
    row(edit::SetLayout { 0, layout },
        R"({"edit":"set layout","offer":0,"layout":{"preset":"custom","ranks_follow_hardware":false,)"
        R"("groups":[{"name":"S","ranks":"0-3,8","distributes":["state"]}],)"
        R"("placement":[[1,0,2],[2,0,1],{"gpus":[[2,1],[2,2]],"weights":[1,3]}]}})");
    row(edit::AddRank { 0, { 1, 2 } },
        R"({"edit":"add rank","offer":0,"gpu":{"server":1,"index":2}})");
    row(edit::RemoveRank { 0, some }, R"({"edit":"remove rank","offer":0,"ranks":"0-3,8"})");
    row(edit::MoveRank { 0, 4, { 1, 2 } },
        R"({"edit":"move rank","offer":0,"rank":4,"gpu":{"server":1,"index":2}})");
    row(edit::JoinGroup { 0, some, "S", PartSet { true, false, true } },
        R"({"edit":"join group","offer":0,"ranks":"0-3,8","group":"S",)"
        R"("distributes":{"parameters":true,"gradients":false,"optimizer":true}})");
    row(edit::LeaveGroups { 0, some }, R"({"edit":"leave groups","offer":0,"ranks":"0-3,8"})");
}

void TestEditJson::lines()
{
    QFETCH(Edit, edit);
    QFETCH(QString, line);
    QCOMPARE(q(toJson(edit).dump()), line);
    const Result<Edit> read = throughJournal(edit);
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().text().c_str());
    QCOMPARE(read->index(), edit.index());
    QCOMPARE(q(toJson(*read).dump()), line);
}

void TestEditJson::refused_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("where");
    const auto row = [](const char* line, const char* where) {
        QTest::newRow(line) << QString::fromUtf8(line) << QString::fromUtf8(where);
    };
    row(R"([])", "$");
    row(R"({})", "$.edit");
    row(R"({"edit": 3})", "$.edit");
    row(R"({"edit": "move serfer"})", "$.edit");
    row(R"({"edit": "move server", "offer": 0, "server": 1, "rack": 0})", "$.unit");
    row(R"({"edit": "move server", "offer": -1, "server": 1, "rack": 0, "unit": 1})", "$.offer");
    row(R"({"edit": "move server", "offer": 0, "server": 4294967296, "rack": 0, "unit": 1})",
        "$.server");
    row(R"({"edit": "move server", "offer": 0, "server": 1, "rack": 0, "unit": "1"})", "$.unit");
    row(R"({"edit": "remove rank", "offer": 0, "ranks": "3-1"})", "$.ranks");
    row(R"({"edit": "remove rank", "offer": 0, "ranks": "0-1048576"})", "$.ranks");
    row(R"({"edit": "remove gpu", "offer": 0, "gpu": {"server": 1}})", "$.gpu.index");
    row(R"({"edit": "remove gpu", "offer": 0, "gpu": {"server": 1, "index": -1}})", "$.gpu.index");
    row(R"({"edit": "add gpu", "offer": 0, "server": 1, "type": "x", "ranks": "maybe", "confirmed": true})",
        "$.ranks");
    row(R"({"edit": "set layout", "offer": 0, "layout": {"preset": "fsdp", "placement": [[1, 0]]}})",
        "$.layout.placement[0]");
    row(R"({"edit": "set layout", "offer": 0, "layout": {"preset": "fsdp", "placement": [[1, 0, 0]]}})",
        "$.layout.placement[0][2]");
    row(R"({"edit": "set layout", "offer": 0, "layout": {"preset": "fsdq"}})", "$.layout.preset");
    row(R"({"edit": "add server", "offer": 0, "rack": 0, "server": 3, "ranks": "auto"})",
        "$.server");
    row(R"({"edit": "set measurements", "offer": 0, "measurements": [{"scope": "device"}]})",
        "$.measurements[0]");
    row(R"({"edit": "set training result", "offer": 0, "training_result": {"result": "accepted"}})",
        "$.training_result");
    row(R"({"edit": "set price", "offer": 0, "price": {"amount": "cheap"}})", "$.price.amount");
    row(R"({"edit": "set basis", "offer": 0, "changed_basis": [{"field": ""}]})",
        "$.changed_basis[0].field");
    row(R"({"edit": "restore", "name": "", "plan": {"file": {}, "server_ids": []}})",
        "$.plan.file");
    row(R"({"edit": "restore", "name": "", "plan": {"file": {"format": "shardrack-plan", "version": 1,
        "title": "", "offers": []}, "server_ids": [[]]}})",
        "$.plan.server_ids");
    row(R"({"edit": "restore", "name": "", "plan": {"file": {"format": "shardrack-plan", "version": 1,
        "title": "", "offers": [{"name": "O"}]}, "server_ids": [[[1, 1]]]}})",
        "$.plan.server_ids[0]");
}

void TestEditJson::refused()
{
    QFETCH(QString, line);
    QFETCH(QString, where);
    const Json json = parseJson(line.toStdString()).value();
    const Result<Edit> read = editFromJson(JsonView(json, "$"));
    QVERIFY(!read.ok());
    QCOMPARE(q(read.error().where), where);
    QVERIFY(!read.error().what.empty());
}

/// An earlier plan on the way through a journal: the same value, its servers' numbers included,
/// although a plan file numbers servers anew.
void TestEditJson::restore()
{
    Plan plan = sevenGpus(R"({"preset": "fsdp", "ranks_follow_hardware": false,
        "ranks": [{"ranks": "0-1", "gpus": "A2·0-1"}, {"ranks": "2", "gpus": "B1·0"}]})");
    const std::vector<Edit> edits { edit::RemoveServer { 0, 1 },
        edit::AddServer { 0, 0, server("A0", 1, 1, 2, 2), NewRanks::Yes },
        edit::MoveServer { 0, 3, 0, 40 }, edit::AddOffer { *ts24().offers[0], 0 } };
    for (const Edit& edit : edits)
        plan = shardrack::apply(plan, edit).value().plan;
    QCOMPARE(q(layout(*plan.offers[1])), QStringLiteral("fsdp held at 2.0 2.1 3.0 4.0 4.1"));
    QCOMPARE(q(hardware(*plan.offers[1])),
        QStringLiteral("A: A0@1+1/2 2; A2@5+4/4 2=15; B1@40+2/2 1 | B:"));

    const Edit restored = throughJournal(edit::Restore { plan, "Move server B1" }).value();
    QVERIFY(std::get<edit::Restore>(restored).plan == plan);
    const Applied applied = shardrack::apply(ts24(), restored).value();
    QVERIFY(applied.plan == plan);
    QCOMPARE(q(applied.name), QStringLiteral("Move server B1"));
    checkApplied(ts24(), restored, applied);
}

/// What other programs wrote into a plan survives in the edits that carry it.
void TestEditJson::keptMembers()
{
    const Plan plan = planFrom(R"({"format": "shardrack-plan", "version": 1, "title": "", "mine": 1,
        "required_margin": {"bytes": 5, "mine": 2}, "workload": {"mine": 3},
        "offers": [{"name": "O", "mine": 4, "site": {"racks": [{"name": "A", "units": 9, "mine": 5,
            "servers": [{"name": "A1", "unit": 1, "height": 1, "mine": 6,
                "gpus": {"type": "generic-16gib", "count": 2, "mine": 7}}]}]},
            "layout": {"preset": "custom", "mine": 8, "groups": [{"name": "S", "ranks": "0-1",
                "distributes": ["state"], "mine": 9}],
                "ranks": [{"ranks": "0-1", "gpus": "A1·0-1", "mine": 10}]}}]})");
    Offer offer = *plan.offers[0];
    const Rack rack = *offer.site.racks[0];
    Layout layout = offer.layout;
    layout.order = "dp-tp";
    offer.name = "P";
    const std::vector<Edit> edits { edit::SetMargin { plan.margin },
        edit::SetWorkload { *plan.workload }, edit::AddOffer { offer, 0 },
        edit::AddRack { 0, rack, 1, NewRanks::Auto }, edit::SetLayout { 0, layout },
        edit::Restore { plan, "" } };
    for (const Edit& edit : edits) {
        const Applied applied = shardrack::apply(plan, edit).value();
        checkApplied(plan, edit, applied);
        // What a journal gives back has everything that the edit had.
        QCOMPARE(q(toJson(throughJournal(edit).value()).dump()), q(toJson(edit).dump()));
    }
    const std::string server
        = toJson(Edit(edit::AddServer { 0, 0, rack.servers[0], NewRanks::Auto })).dump();
    QVERIFY(server.find("\"mine\":6") != std::string::npos);
    QVERIFY(server.find("\"mine\":7") != std::string::npos);
    QVERIFY(toJson(edits[4]).dump().find("\"mine\":10") != std::string::npos);
}

/// Each kind of edit has a name of its own.
void TestEditJson::everyKind()
{
    const auto nameOf = [](const Edit& edit) { return toJson(edit).at("edit").get<std::string>(); };
    QStringList names;
    const auto add = [&]<std::size_t... I>(std::index_sequence<I...>)
    {
        (names.append(q(nameOf(Edit(std::in_place_index<I>)))), ...);
    };
    // Restore carries a plan, which is never without a workload.
    add(std::make_index_sequence<std::variant_size_v<Edit> - 1> {});
    names.append(q(nameOf(edit::Restore { emptyPlan(), "" })));
    QCOMPARE(names.size(), qsizetype(std::variant_size_v<Edit>));
    QCOMPARE(names.removeDuplicates(), 0);
}

QTEST_GUILESS_MAIN(TestEditJson)
#include "test_edit_json.moc"
