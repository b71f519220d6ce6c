#include "test_edit_plans.h"

using namespace editplans;

Q_DECLARE_METATYPE(shardrack::Plan)
Q_DECLARE_METATYPE(shardrack::Edit)

namespace {

const std::string unchangedHardware = "A: A1@1+4/4 4; A2@5+4/4 2=15 | B: B1@1+2/2 1";

const std::string byRule = "at 1.0 1.1 1.2 1.3 2.0 2.1 3.0";

Rack rackOf(const std::string& name, const std::vector<Server>& servers)
{
    Rack rack;
    rack.name = name;
    rack.servers = servers;
    return rack;
}

Layout layoutOf(LayoutPreset preset)
{
    Layout layout;
    layout.preset = preset;
    return layout;
}

} // namespace

/// Every edit on a plan of seven GPUs: its name, the hardware and layout after it, and the change
/// set, all worked out by hand.
class TestEdit : public QObject {
    Q_OBJECT

    struct Row {
        const char* what;
        std::string layout;
        Edit edit;
        std::string name;
        std::string hardwareAfter;
        std::string layoutAfter;
        std::string changes;
    };
    static std::vector<Row> hardwareRows();
    static std::vector<Row> gpuRows();
    static std::vector<Row> rankRows();
    static void addRows(const std::vector<Row>& rows);
    static void check();

private slots:
    void hardware_data() { addRows(hardwareRows()); }
    void hardware() { check(); }
    void gpus_data() { addRows(gpuRows()); }
    void gpus() { check(); }
    void ranks_data() { addRows(rankRows()); }
    void ranks() { check(); }
};

std::vector<TestEdit::Row> TestEdit::hardwareRows()
{
    const std::string ddp = R"({"preset": "ddp"})";
    const std::string held = R"({"preset": "ddp", "ranks_follow_hardware": false})";
    const std::string hand
        = R"({"preset": "fsdp", "ranks_follow_hardware": false, "ranks": [{"ranks": "0-1", "gpus": "A2·0-1"}]})";
    const std::string handFollows
        = R"({"preset": "fsdp", "ranks": [{"ranks": "0-1", "gpus": "A2·0-1"}]})";
    const Server four = server("B1", 3, 4, 4, 2);
    const std::string withFour = unchangedHardware + "; B2@3+4/4 2";
    const edit::AddServer add { 0, 1, four, NewRanks::Auto };
    const edit::AddServer addYes { 0, 1, four, NewRanks::Yes };
    const edit::AddServer addNo { 0, 1, four, NewRanks::No };
    const edit::AddRack addRack { 0,
        rackOf("A", { server("A1", 3, 1, 1, 1), server("C1", 1, 2, 2, 2) }), 1, NewRanks::Auto };
    const std::string withRack
        = "A: A1@1+4/4 4; A2@5+4/4 2=15 | A2: C1@1+2/2 2; A3@3+1/1 1 | B: B1@1+2/2 1";
    return {
        { "server, ranks follow", ddp, add, "Add server B2", withFour, "ddp", "0: rack 1" },
        { "server, ranks follow, asked", ddp, addYes, "Add server B2", withFour, "ddp",
            "0: rack 1" },
        { "server, ranks follow, inverted", ddp, addNo, "Add server B2", withFour,
            "ddp held " + byRule, "0: layout rack 1" },
        { "server, held", held, add, "Add server B2", withFour, "ddp held " + byRule,
            "0: layout rack 1" },
        { "server, held, inverted", held, addYes, "Add server B2", withFour,
            "ddp held " + byRule + " 4.0 4.1", "0: layout rack 1" },
        { "server, by hand", hand, add, "Add server B2", withFour, "fsdp held at 2.0 2.1",
            "0: rack 1" },
        { "server, by hand, inverted", hand, addYes, "Add server B2", withFour,
            "fsdp held at 2.0 2.1 4.0 4.1", "0: layout rack 1" },
        { "server, by hand, not", hand, addNo, "Add server B2", withFour, "fsdp held at 2.0 2.1",
            "0: rack 1" },
        { "server, by hand and following", handFollows, add, "Add server B2", withFour,
            "fsdp at 2.0 2.1 4.0 4.1", "0: layout rack 1" },
        { "server, groups", twoGroups, add, "Add server B2", withFour,
            "custom held " + byRule + " {S 0-2} {T 4-6 o}", "0: layout rack 1" },
        { "server, groups, inverted", twoGroups, addYes, "Add server B2", withFour,
            "custom held " + byRule + " 4.0 4.1 {S 0-2} {T 4-6 o}", "0: layout rack 1" },
        { "server without a name", ddp,
            edit::AddServer { 0, 0, server("", 9, 1, 1, 1), NewRanks::Auto }, "Add server A3",
            "A: A1@1+4/4 4; A2@5+4/4 2=15; A3@9+1/1 1 | B: B1@1+2/2 1", "ddp", "0: rack 0" },
        { "server between others", ddp,
            edit::AddServer { 0, 0, server("X", 9, 2, 0, 0), NewRanks::Auto }, "Add server X",
            "A: A1@1+4/4 4; A2@5+4/4 2=15; X@9+2/0 | B: B1@1+2/2 1", "ddp", "0: rack 0" },

        { "rack", ddp, addRack, "Add rack A2", withRack, "ddp", "0: rack list" },
        { "rack, groups", twoGroups, addRack, "Add rack A2", withRack,
            "custom held " + byRule + " {S 0-2} {T 4-6 o}", "0: layout rack list" },
        { "rack away", ddp, edit::RemoveRack { 0, 0 }, "Remove rack A", "B: B1@1+2/2 1", "ddp",
            "0: rack list" },
        { "rack away, groups", twoGroups, edit::RemoveRack { 0, 0 }, "Remove rack A",
            "B: B1@1+2/2 1", "custom held at 3.0 {T 0 o}", "0: layout rack list" },
        { "rack to the front", ddp, edit::MoveRack { 0, 1, 0 }, "Move rack B",
            "B: B1@1+2/2 1 | A: A1@1+4/4 4; A2@5+4/4 2=15", "ddp", "0: rack list" },
        { "rack to the front, groups", twoGroups, edit::MoveRack { 0, 1, 0 }, "Move rack B",
            "B: B1@1+2/2 1 | A: A1@1+4/4 4; A2@5+4/4 2=15",
            "custom held " + byRule + " {S 0-2} {T 4-6 o}", "0: layout rack list" },
        { "rack renamed", ddp, edit::RenameRack { 0, 1, "C" }, "Rename rack B to C",
            "A: A1@1+4/4 4; A2@5+4/4 2=15 | C: B1@1+2/2 1", "ddp", "0: rack 1" },

        { "server away", ddp, edit::RemoveServer { 0, 1 }, "Remove server A1",
            "A: A2@5+4/4 2=15 | B: B1@1+2/2 1", "ddp", "0: rack 0" },
        { "server away, groups", twoGroups, edit::RemoveServer { 0, 2 }, "Remove server A2",
            "A: A1@1+4/4 4 | B: B1@1+2/2 1", "custom held at 1.0 1.1 1.2 1.3 3.0 {S 0-2} {T 4 o}",
            "0: layout rack 0" },
        { "server away, by hand", hand, edit::RemoveServer { 0, 2 }, "Remove server A2",
            "A: A1@1+4/4 4 | B: B1@1+2/2 1", "fsdp held at", "0: layout rack 0" },
        { "server away, by hand, no rank", hand, edit::RemoveServer { 0, 1 }, "Remove server A1",
            "A: A2@5+4/4 2=15 | B: B1@1+2/2 1", "fsdp held at 2.0 2.1", "0: rack 0" },
        { "server to another rack", ddp, edit::MoveServer { 0, 1, 1, 7 },
            "Move server A1 to rack B", "A: A2@5+4/4 2=15 | B: B1@1+2/2 1; A1@7+4/4 4", "ddp",
            "0: rack 0 rack 1" },
        { "server to another rack, groups", twoGroups, edit::MoveServer { 0, 1, 1, 7 },
            "Move server A1 to rack B", "A: A2@5+4/4 2=15 | B: B1@1+2/2 1; A1@7+4/4 4",
            "custom held " + byRule + " {S 0-2} {T 4-6 o}", "0: layout rack 0 rack 1" },
        { "server to another rack, by hand", hand, edit::MoveServer { 0, 2, 1, 3 },
            "Move server A2 to rack B", "A: A1@1+4/4 4 | B: B1@1+2/2 1; A2@3+4/4 2=15",
            "fsdp held at 2.0 2.1", "0: rack 0 rack 1" },
        { "server onto part of its own place", ddp, edit::MoveServer { 0, 2, 0, 7 },
            "Move server A2", "A: A1@1+4/4 4; A2@7+4/4 2=15 | B: B1@1+2/2 1", "ddp", "0: rack 0" },
        { "server renamed", ddp, edit::RenameServer { 0, 3, "gpu-1" }, "Rename server B1 to gpu-1",
            "A: A1@1+4/4 4; A2@5+4/4 2=15 | B: gpu-1@1+2/2 1", "ddp", "0: rack 1" },
    };
}

std::vector<TestEdit::Row> TestEdit::gpuRows()
{
    const std::string ddp = R"({"preset": "ddp"})";
    const std::string hand = R"({"preset": "fsdp", "ranks_follow_hardware": false,
        "ranks": [{"ranks": "0-1", "gpus": "A2·0-1"}, {"ranks": "2", "gpus": "A1·3"}]})";
    const auto usable
        = [](std::vector<GpuRef> gpus, std::optional<int> gib, bool confirmed = true) {
              return edit::SetUsable { 0, std::move(gpus),
                  gib ? std::optional<Bytes>(Bytes(*gib * kGiB)) : std::nullopt, confirmed };
          };
    return {
        { "GPU", ddp, edit::AddGpu { 0, 2, "generic-16gib", NewRanks::Auto, true }, "Add GPU A2·2",
            "A: A1@1+4/4 4; A2@5+4/4 2=15 1 | B: B1@1+2/2 1", "ddp", "0: rack 0" },
        { "GPU like the one before", ddp,
            edit::AddGpu { 0, 3, "generic-16gib", NewRanks::Auto, true }, "Add GPU B1·1",
            "A: A1@1+4/4 4; A2@5+4/4 2=15 | B: B1@1+2/2 2", "ddp", "0: rack 1" },
        { "GPU not confirmed", ddp, edit::AddGpu { 0, 3, "generic-16gib", NewRanks::Auto, false },
            "Add GPU B1·1", "A: A1@1+4/4 4; A2@5+4/4 2=15 | B: B1@1+2/2 1 1?", "ddp", "0: rack 1" },
        { "GPU of another type", ddp, edit::AddGpu { 0, 3, "h100-sxm5-80", NewRanks::Auto, true },
            "Add GPU B1·1", "A: A1@1+4/4 4; A2@5+4/4 2=15 | B: B1@1+2/2 1 1×h100-sxm5-80", "ddp",
            "0: rack 1" },
        { "GPU without a rank", ddp, edit::AddGpu { 0, 3, "generic-16gib", NewRanks::No, true },
            "Add GPU B1·1", "A: A1@1+4/4 4; A2@5+4/4 2=15 | B: B1@1+2/2 2", "ddp held " + byRule,
            "0: layout rack 1" },
        { "GPU by hand, with a rank", hand,
            edit::AddGpu { 0, 3, "generic-16gib", NewRanks::Yes, true }, "Add GPU B1·1",
            "A: A1@1+4/4 4; A2@5+4/4 2=15 | B: B1@1+2/2 2", "fsdp held at 2.0 2.1 1.3 3.1",
            "0: layout rack 1" },

        { "GPU away", ddp, edit::RemoveGpu { 0, { 1, 1 } }, "Remove GPU A1·1",
            "A: A1@1+4/4 3; A2@5+4/4 2=15 | B: B1@1+2/2 1", "ddp", "0: rack 0" },
        { "last GPU away", ddp, edit::RemoveGpu { 0, { 3, 0 } }, "Remove GPU B1·0",
            "A: A1@1+4/4 4; A2@5+4/4 2=15 | B: B1@1+2/2", "ddp", "0: rack 1" },
        { "GPU away, groups", twoGroups, edit::RemoveGpu { 0, { 1, 1 } }, "Remove GPU A1·1",
            "A: A1@1+4/4 3; A2@5+4/4 2=15 | B: B1@1+2/2 1",
            "custom held at 1.0 1.1 1.2 2.0 2.1 3.0 {S 0-1} {T 3-5 o}", "0: layout rack 0" },
        { "GPU away, by hand", hand, edit::RemoveGpu { 0, { 2, 0 } }, "Remove GPU A2·0",
            "A: A1@1+4/4 4; A2@5+4/4 1=15 | B: B1@1+2/2 1", "fsdp held at 2.0 1.3",
            "0: layout rack 0" },

        { "GPU to another server", ddp, edit::MoveGpu { 0, { 1, 0 }, 2 },
            "Move GPU A1·0 to server A2", "A: A1@1+4/4 3; A2@5+4/4 2=15 1 | B: B1@1+2/2 1", "ddp",
            "0: rack 0" },
        { "GPU to another server, groups", twoGroups, edit::MoveGpu { 0, { 1, 0 }, 3 },
            "Move GPU A1·0 to server B1", "A: A1@1+4/4 3; A2@5+4/4 2=15 | B: B1@1+2/2 2",
            "custom held at 3.1 1.0 1.1 1.2 2.0 2.1 3.0 {S 0-2} {T 4-6 o}",
            "0: layout rack 0 rack 1" },
        { "GPU to another server, by hand", hand, edit::MoveGpu { 0, { 2, 0 }, 3 },
            "Move GPU A2·0 to server B1", "A: A1@1+4/4 4; A2@5+4/4 1=15 | B: B1@1+2/2 1 1=15",
            "fsdp held at 3.1 2.0 1.3", "0: layout rack 0 rack 1" },
        { "GPU to the rack", ddp, edit::MoveGpuToRack { 0, { 2, 1 }, 1, 4 },
            "Move GPU A2·1 to rack B",
            "A: A1@1+4/4 4; A2@5+4/4 1=15 | B: B1@1+2/2 1; B2@4+1/1 1=15", "ddp",
            "0: rack 0 rack 1" },
        { "GPU to the rack, by hand", hand, edit::MoveGpuToRack { 0, { 2, 0 }, 0, 42 },
            "Move GPU A2·0 to rack A",
            "A: A1@1+4/4 4; A2@5+4/4 1=15; A3@42+1/1 1=15 | B: B1@1+2/2 1",
            "fsdp held at 4.0 2.0 1.3", "0: layout rack 0" },

        { "usable of one", ddp, usable({ { 1, 1 } }, 14), "Set usable memory of A1·1 to 14 GiB",
            "A: A1@1+4/4 1 1=14 2; A2@5+4/4 2=15 | B: B1@1+2/2 1", "ddp", "0: rack 0" },
        { "usable as the neighbour's", ddp, usable({ { 2, 0 }, { 2, 1 } }, 14, false),
            "Set usable memory of 2 GPUs of A2 to 14 GiB, not confirmed",
            "A: A1@1+4/4 4; A2@5+4/4 2=14? | B: B1@1+2/2 1", "ddp", "0: rack 0" },
        { "usable of several servers", ddp, usable({ { 3, 0 }, { 1, 3 }, { 1, 2 }, { 3, 0 } }, 14),
            "Set usable memory of 3 GPUs to 14 GiB",
            "A: A1@1+4/4 2 2=14; A2@5+4/4 2=15 | B: B1@1+2/2 1=14", "ddp", "0: rack 0 rack 1" },
        { "usable of the catalogue", ddp, usable({ { 2, 0 } }, std::nullopt),
            "Use the catalogue's usable memory for A2·0",
            "A: A1@1+4/4 4; A2@5+4/4 1 1=15 | B: B1@1+2/2 1", "ddp", "0: rack 0" },
        { "usable in doubt", ddp, usable({ { 3, 0 } }, std::nullopt, false),
            "Mark usable memory of B1·0 as not confirmed",
            "A: A1@1+4/4 4; A2@5+4/4 2=15 | B: B1@1+2/2 1?", "ddp", "0: rack 1" },
        { "usable as it is", ddp, usable({ { 2, 0 } }, 15), "Set usable memory of A2·0 to 15 GiB",
            unchangedHardware, "ddp", "" },
    };
}

std::vector<TestEdit::Row> TestEdit::rankRows()
{
    const std::string ddp = R"({"preset": "ddp"})";
    const std::string fsdp = R"({"preset": "fsdp"})";
    const std::string zero1 = R"({"preset": "zero1"})";
    const std::string hsdp = R"({"preset": "hsdp", "dp_shard": 3})";
    const std::string hand = R"({"preset": "fsdp", "ranks_follow_hardware": false,
        "ranks": [{"ranks": "0-1", "gpus": "A2·0-1"}, {"ranks": "2", "gpus": "A1·3"}]})";
    const auto range = [](int first, int last) { return RankSet::range(first, last); };
    RankSet scattered = range(0, 1);
    scattered.insert(3);
    Layout switchedOff = layoutOf(LayoutPreset::Ddp);
    switchedOff.ranksFollowHardware = false;
    const auto row = [](const char* what, const std::string& layout, Edit edit, const char* name,
                         const std::string& layoutAfter) {
        return Row { what, layout, std::move(edit), name, unchangedHardware, layoutAfter,
            "0: layout" };
    };
    return {
        row("rank on a used GPU", ddp, edit::AddRank { 0, { 1, 0 } }, "Add rank 7 on A1·0",
            "ddp held " + byRule + " 1.0"),
        row("rank on an idle GPU", hand, edit::AddRank { 0, { 3, 0 } }, "Add rank 3 on B1·0",
            "fsdp held at 2.0 2.1 1.3 3.0"),
        row("rank moved", fsdp, edit::MoveRank { 0, 6, { 1, 0 } }, "Move rank 6 to A1·0",
            "fsdp held at 1.0 1.1 1.2 1.3 2.0 2.1 1.0"),
        row("rank moved, groups stay", twoGroups, edit::MoveRank { 0, 3, { 3, 0 } },
            "Move rank 3 to B1·0", "custom held at 1.0 1.1 1.2 3.0 2.0 2.1 3.0 {S 0-2} {T 4-6 o}"),
        row("rank away", fsdp, edit::RemoveRank { 0, range(1, 1) },
            "Remove rank 1 (ranks 2–6 become 1–5)", "fsdp held at 1.0 1.2 1.3 2.0 2.1 3.0"),
        row("last rank but one away", fsdp, edit::RemoveRank { 0, range(5, 5) },
            "Remove rank 5 (rank 6 becomes 5)", "fsdp held at 1.0 1.1 1.2 1.3 2.0 3.0"),
        row("last rank away", fsdp, edit::RemoveRank { 0, range(6, 6) }, "Remove rank 6",
            "fsdp held at 1.0 1.1 1.2 1.3 2.0 2.1"),
        row("ranks away, groups", twoGroups, edit::RemoveRank { 0, range(2, 4) },
            "Remove ranks 2–4 (ranks 5–6 become 2–3)",
            "custom held at 1.0 1.1 2.1 3.0 {S 0-1} {T 2-3 o}"),
        row("scattered ranks away, groups", twoGroups, edit::RemoveRank { 0, scattered },
            "Remove ranks 0–1, 3 (higher ranks move down)",
            "custom held at 1.2 2.0 2.1 3.0 {S 0} {T 1-3 o}"),
        row("a whole group away", twoGroups, edit::RemoveRank { 0, range(0, 2) },
            "Remove ranks 0–2 (ranks 3–6 become 0–3)", "custom held at 1.3 2.0 2.1 3.0 {T 1-3 o}"),
        row("all ranks away", hand, edit::RemoveRank { 0, range(0, 2) }, "Remove ranks 0–2",
            "fsdp held at"),

        row("out of the only group", fsdp, edit::LeaveGroups { 0, range(3, 3) },
            "Take rank 3 out of shard group S", "custom held {S 0-2,4-6}"),
        row("out of an optimizer group", zero1, edit::LeaveGroups { 0, range(5, 6) },
            "Take ranks 5–6 out of shard group S", "custom held {S 0-4 o}"),
        row("out of two groups", hsdp, edit::LeaveGroups { 0, range(2, 3) },
            "Take ranks 2–3 out of 2 shard groups", "custom held {S0 0-1} {S1 4-5} {S2 6}"),
        row("all out, by hand", hand, edit::LeaveGroups { 0, range(0, 2) },
            "Take ranks 0–2 out of shard group S", "custom held at 2.0 2.1 1.3"),
        row("out, loose ones with them", twoGroups, edit::LeaveGroups { 0, range(2, 3) },
            "Take ranks 2–3 out of shard group S", "custom {S 0-1} {T 4-6 o}"),

        row("into a group", twoGroups, edit::JoinGroup { 0, range(3, 3), "S", PartSet::all() },
            "Put rank 3 into shard group S", "custom {S 0-3} {T 4-6 o}"),
        row("from one group to another", twoGroups,
            edit::JoinGroup { 0, range(2, 4), "T", PartSet::all() },
            "Put ranks 2–4 into shard group T", "custom {S 0-1} {T 2-6 o}"),
        row("a group follows its ranks", twoGroups,
            edit::JoinGroup { 0, range(4, 6), "S", PartSet::all() },
            "Put ranks 4–6 into shard group S", "custom {S 0-2,4-6}"),
        row("into a new group", twoGroups,
            edit::JoinGroup { 0, range(0, 3), "N", PartSet { true, true, false } },
            "Put ranks 0–3 into new shard group N", "custom {T 4-6 o} {N 0-3 pg}"),
        row("replicas into a new group", ddp,
            edit::JoinGroup { 0, range(0, 1), "N", PartSet::all() },
            "Put ranks 0–1 into new shard group N", "custom held {N 0-1}"),
        row("between groups by rule", hsdp,
            edit::JoinGroup { 0, range(6, 6), "S0", PartSet::all() },
            "Put rank 6 into shard group S0", "custom held {S0 0-2,6} {S1 3-5}"),

        row("preset", twoGroups, edit::SetLayout { 0, layoutOf(LayoutPreset::Hsdp) },
            "Set layout to HSDP: sharded in groups, replicated over them", "hsdp"),
        row("switch", ddp, edit::SetLayout { 0, switchedOff },
            "Do not let ranks follow the hardware", "ddp held"),
    };
}

void TestEdit::addRows(const std::vector<Row>& rows)
{
    QTest::addColumn<Plan>("start");
    QTest::addColumn<Edit>("edit");
    for (const char* column : { "name", "hardware", "layout", "changes" })
        QTest::addColumn<QString>(column);
    for (const Row& row : rows)
        QTest::newRow(row.what) << sevenGpus(row.layout) << row.edit << q(row.name)
                                << q(row.hardwareAfter) << q(row.layoutAfter) << q(row.changes);
}

void TestEdit::check()
{
    QFETCH(Plan, start);
    QFETCH(Edit, edit);
    QFETCH(QString, name);
    QFETCH(QString, hardware);
    QFETCH(QString, layout);
    QFETCH(QString, changes);
    const Result<Applied> applied = shardrack::apply(start, edit);
    QVERIFY2(applied.ok(), applied.ok() ? "" : applied.error().text().c_str());
    QCOMPARE(q(applied->name), name);
    QCOMPARE(q(editplans::hardware(*applied->plan.offers[0])), hardware);
    QCOMPARE(q(editplans::layout(*applied->plan.offers[0])), layout);
    QCOMPARE(q(editplans::changes(applied->changes)), changes);
    checkApplied(start, edit, *applied);
}

QTEST_GUILESS_MAIN(TestEdit)
#include "test_edit.moc"
