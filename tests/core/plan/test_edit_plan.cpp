#include "test_edit_plans.h"

using namespace editplans;

/// Edits of the plan itself and of its offers, and what holds of edits beside their direct effect:
/// degrees that follow the number of ranks, blocks that stay shared, ranks over several GPUs.
class TestEditPlan : public QObject {
    Q_OBJECT

private slots:
    void degrees_data();
    void degrees();
    void plan();
    void offers();
    void sharedBlocks();
    void splitReplica();
};

void TestEditPlan::degrees_data()
{
    QTest::addColumn<QString>("layout");
    QTest::addColumn<int>("servers"); // of two GPUs each; one is added
    QTest::addColumn<QString>("after");
    const auto row = [](const char* what, const char* layout, int servers, const char* after) {
        QTest::newRow(what) << QString::fromUtf8(layout) << servers << QString::fromUtf8(after);
    };
    row("HSDP", R"({"preset": "hsdp", "dp_replicate": 2, "dp_shard": 2})", 2, "hsdp 3×2");
    row("HSDP, one group", R"({"preset": "hsdp", "dp_replicate": 1, "dp_shard": 2})", 1,
        "hsdp 2×2");
    row("HSDP, does not divide", R"({"preset": "hsdp", "dp_replicate": 1, "dp_shard": 4})", 2,
        "hsdp 1×4");
    row("HSDP, replicas not given", R"({"preset": "hsdp", "dp_shard": 2})", 2, "hsdp -×2");
    row("FSDP", R"({"preset": "fsdp", "dp_shard": 4})", 2, "fsdp -×6");
    row("FSDP, one replica", R"({"preset": "fsdp", "dp_replicate": 1, "dp_shard": 4})", 2,
        "fsdp 1×6");
    row("FSDP of another size", R"({"preset": "fsdp", "dp_shard": 2})", 2, "fsdp -×2");
    row("DDP", R"({"preset": "ddp", "dp_replicate": 4})", 2, "ddp 6×-");
    row("DDP, one shard", R"({"preset": "ddp", "dp_replicate": 4, "dp_shard": 1})", 2, "ddp 6×1");
    row("ZeRO-1", R"({"preset": "zero1", "dp_shard": 4})", 2, "zero1 -×6");
    row("tensor parallel", R"({"preset": "megatron", "dp_replicate": 2, "tp": 2})", 2,
        "megatron 3×-");
    row("nothing given", R"({"preset": "fsdp"})", 2, "fsdp");
}

void TestEditPlan::degrees()
{
    QFETCH(QString, layout);
    QFETCH(int, servers);
    QFETCH(QString, after);
    const std::string count = std::to_string(servers);
    const Plan start = planFrom(
        R"({"format": "shardrack-plan", "version": 1, "title": "", "offers": [
        {"name": "O", "site": {"racks": [{"name": "A", "units": 42, "servers": [{"name": "A{1..)"
        + count
        + R"(}", "unit": 1, "height": 1, "gpus": {"type": "generic-16gib", "count": 2}}]}]}, "layout": )"
        + layout.toStdString() + "}]}");
    const std::string before = editplans::layout(*start.offers[0]);
    const Edit edit = edit::AddServer { 0, 0, server("", servers + 1, 1, 2, 2), NewRanks::Auto };
    const Applied added = shardrack::apply(start, edit).value();
    QCOMPARE(q(editplans::layout(*added.plan.offers[0])), after);
    checkApplied(start, edit, added);
    // And back by hand, not by undo.
    const Applied removed
        = shardrack::apply(added.plan, edit::RemoveServer { 0, ServerId(servers + 1) }).value();
    QCOMPARE(q(editplans::layout(*removed.plan.offers[0])), q(before));
}

void TestEditPlan::plan()
{
    const Plan start = ts24();
    const auto check = [&](const Edit& edit, const std::string& name, const std::string& changed) {
        const Applied applied = shardrack::apply(start, edit).value();
        QCOMPARE(q(applied.name), q(name));
        QCOMPARE(q(changes(applied.changes)), q(changed));
        checkApplied(start, edit, applied);
    };
    check(edit::SetTitle { "Four GPUs" }, "Set the plan's title to Four GPUs", "title");
    check(edit::SetTitle { "" }, "Remove the plan's title", "title");
    check(edit::SetTitle { "TS-24" }, "Set the plan's title to TS-24", "");
    check(edit::SetMargin { { Bytes(4 * kGiB), "policy", nullptr } },
        "Set required margin to 4 GiB", "margin");
    check(edit::SetMargin { { std::nullopt, "experience", nullptr } }, "Remove required margin",
        "margin");
    Workload workload = *start.workload;
    check(edit::SetWorkload { workload }, "Change common workload", "");
    workload.stipulated.total = Bytes(12 * kGiB);
    workload.recipe.microBatch = 2;
    check(edit::SetWorkload { workload }, "Change common workload", "workload");
}

void TestEditPlan::offers()
{
    const Plan start = ts24();
    const auto check = [&](const Edit& edit, const std::string& name, const std::string& order) {
        const Applied applied = shardrack::apply(start, edit).value();
        QCOMPARE(q(applied.name), q(name));
        QCOMPARE(q(changes(applied.changes)), QStringLiteral("offers"));
        std::string names;
        for (const auto& offer : applied.plan.offers)
            names += (names.empty() ? "" : ", ") + offer->name;
        QCOMPARE(q(names), q(order));
        checkApplied(start, edit, applied);
    };
    Offer copy = *start.offers[1];
    copy.name = "Offer T";
    check(edit::AddOffer { copy, 0 }, "Add offer Offer T", "Offer T, Offer R, Offer S");
    check(edit::AddOffer { copy, 2 }, "Add offer Offer T", "Offer R, Offer S, Offer T");
    check(edit::AddOffer { emptyOffer("E"), 1 }, "Add offer E", "Offer R, E, Offer S");
    check(edit::RemoveOffer { 0 }, "Remove offer Offer R", "Offer S");
    check(
        edit::RenameOffer { 1, "Sharded" }, "Rename offer Offer S to Sharded", "Offer R, Sharded");
    check(edit::MoveOffer { 1, 0 }, "Move offer Offer S", "Offer S, Offer R");

    // A plan may have no offers.
    const Plan one = shardrack::apply(start, edit::RemoveOffer { 0 }).value().plan;
    const Applied none = shardrack::apply(one, edit::RemoveOffer { 0 }).value();
    QVERIFY(none.plan.offers.empty());
    checkApplied(one, edit::RemoveOffer { 0 }, none);

    // An offer that was edited keeps its servers' numbers on the way through a journal.
    const Plan edited = shardrack::apply(
        shardrack::apply(sevenGpus(twoGroups), edit::RemoveServer { 0, 1 }).value().plan,
        edit::AddServer { 0, 0, server("X", 20, 1, 2, 2), NewRanks::Yes })
                            .value()
                            .plan;
    QCOMPARE(q(layout(*edited.offers[0])),
        QStringLiteral("custom held at 2.0 2.1 3.0 4.0 4.1 {T 0-2 o}"));
    Offer another = *edited.offers[0];
    another.name = "P";
    const Edit add = edit::AddOffer { another, 1 };
    checkApplied(edited, add, shardrack::apply(edited, add).value());
}

/// Blocks that an edit does not concern are the same objects afterwards.
void TestEditPlan::sharedBlocks()
{
    const Plan start = ts24();
    const Applied one = shardrack::apply(
        start, edit::AddServer { 0, 0, server("A2", 5, 1, 1, 1), NewRanks::Auto })
                            .value();
    QVERIFY(one.plan.offers[1] == start.offers[1]);
    QVERIFY(one.plan.workload == start.workload);

    const Plan seven = sevenGpus(twoGroups);
    const Applied two = shardrack::apply(seven, edit::MoveRank { 0, 0, { 3, 0 } }).value();
    QVERIFY(two.plan.offers[0]->site.racks == seven.offers[0]->site.racks);
    const Applied three = shardrack::apply(two.plan, edit::RenameRack { 0, 1, "C" }).value();
    QVERIFY(three.plan.offers[0]->site.racks[0] == seven.offers[0]->site.racks[0]);
    QVERIFY(three.plan.offers[0]->layout.placement == two.plan.offers[0]->layout.placement);

    // Over several edits: only what differs in the end.
    QCOMPARE(q(changes(difference(seven, three.plan))), QStringLiteral("0: layout rack 1"));
    const Plan renamed = shardrack::apply(three.plan, edit::RenameOffer { 0, "N" }).value().plan;
    QCOMPARE(q(changes(difference(seven, renamed))), QStringLiteral("offers 0: layout rack 1"));
    QVERIFY(!difference(seven, seven).any());
}

/// A rank over several GPUs leaves with any of them and takes its shares along otherwise.
void TestEditPlan::splitReplica()
{
    const Plan start = sevenGpus(R"({"preset": "ddp", "ranks_follow_hardware": false, "ranks": [
        {"ranks": "0", "gpus": "A1·0-1", "shares": [1, 2]}, {"ranks": "1", "gpus": "A1·2-3"}]})");
    const Edit move = edit::MoveGpu { 0, { 1, 0 }, 3 };
    const Applied moved = shardrack::apply(start, move).value();
    QCOMPARE(q(layout(*moved.plan.offers[0])), QStringLiteral("ddp held at 3.1+1.0 1.1+1.2"));
    QCOMPARE(moved.plan.offers[0]->layout.placement->at(0).weights,
        (std::vector<std::int64_t> { 1, 2 }));
    checkApplied(start, move, moved);
    const Edit remove = edit::RemoveGpu { 0, { 1, 3 } };
    const Applied removed = shardrack::apply(start, remove).value();
    QCOMPARE(q(layout(*removed.plan.offers[0])), QStringLiteral("ddp held at 1.0+1.1"));
    checkApplied(start, remove, removed);
    const Edit gather = edit::MoveRank { 0, 0, { 2, 0 } };
    const Applied gathered = shardrack::apply(start, gather).value();
    QCOMPARE(q(layout(*gathered.plan.offers[0])), QStringLiteral("ddp held at 2.0 1.2+1.3"));
    QVERIFY(gathered.plan.offers[0]->layout.placement->at(0).weights.empty());
    checkApplied(start, gather, gathered);

    // Setting a layout keeps what it is given, shares included.
    Layout layout = start.offers[0]->layout;
    layout.preset = LayoutPreset::Zero1;
    const Edit set = edit::SetLayout { 0, layout };
    const Applied done = shardrack::apply(start, set).value();
    QVERIFY(done.plan.offers[0]->layout.placement == start.offers[0]->layout.placement);
    checkApplied(start, set, done);
}

QTEST_GUILESS_MAIN(TestEditPlan)
#include "test_edit_plan.moc"
