#include "test_edit_plans.h"

using namespace editplans;

/// The worked example under its edits: four GPUs of 16 GiB, 24 GiB of state, Offer R replicated,
/// Offer S sharded over four ranks.
class TestEditTs24 : public QObject {
    Q_OBJECT

    static std::string needs(const Plan& plan, std::size_t offer);
    static Applied done(const Plan& plan, const Edit& edit);

private slots:
    void start();
    void fifthGpu();
    void fifthGpuWithoutRank();
    void looseRank();
    void removedRank();
    void idleGpuUsedAgain();
    void confirmedUsable();
};

/// GiB that each GPU needs, in site order, and the verdict: "24 24 24 24 over"; "-" is a GPU
/// without a rank.
std::string TestEditTs24::needs(const Plan& plan, std::size_t offer)
{
    const auto assessment = assess(plan, offer);
    std::string text;
    for (const auto number : assessment->account.classOfGpu) {
        const DeviceClass& device = assessment->account.deviceClasses[number];
        text += device.idle() ? "-" : std::to_string(device.need.established.count() / kGiB);
        text += " ";
    }
    return text + id(assessment->findings.capacity);
}

Applied TestEditTs24::done(const Plan& plan, const Edit& edit)
{
    Applied applied = shardrack::apply(plan, edit).value();
    checkApplied(plan, edit, applied);
    return applied;
}

void TestEditTs24::start()
{
    const Plan plan = ts24();
    QCOMPARE(q(needs(plan, 0)), QStringLiteral("24 24 24 24 over"));
    QCOMPARE(q(needs(plan, 1)), QStringLiteral("6 6 6 6 open"));
}

void TestEditTs24::fifthGpu()
{
    const Plan plan = ts24();
    GpuRun gpu;
    gpu.type = "generic-16gib";
    gpu.count = 1;
    Server alone = oneGpuServer(gpu);
    alone.unit = 5;
    const Applied added = done(plan, edit::AddServer { 0, 0, alone, NewRanks::Auto });
    QCOMPARE(q(added.name), QStringLiteral("Add server A2"));
    QCOMPARE(q(needs(added.plan, 0)), QStringLiteral("24 24 24 24 24 over"));
    QCOMPARE(q(layout(*added.plan.offers[0])), QStringLiteral("ddp"));
    QCOMPARE(q(changes(added.changes)), QStringLiteral("0: rack 0"));
    QVERIFY(added.plan.offers[1] == plan.offers[1]);

    // The bars that were there before are the same to the byte.
    const auto before = assess(plan, 0);
    const auto after = assess(added.plan, 0);
    for (std::size_t gpu0 = 0; gpu0 < 4; ++gpu0) {
        const DeviceClass& old = before->account.deviceClasses[before->account.classOfGpu[gpu0]];
        const DeviceClass& now = after->account.deviceClasses[after->account.classOfGpu[gpu0]];
        QVERIFY(old.need == now.need);
        QVERIFY(old.usable == now.usable);
    }
    QCOMPARE(after->account.stateTotal.count(), 5 * 24 * kGiB);
    QCOMPARE(after->account.redundantTotal.count(), 4 * 24 * kGiB);
    QCOMPARE(after->account.installedTotal.count(), 5 * 16 * kGiB);

    // A full server takes none; in Offer S everybody's share shrinks: 24 / 5 GiB, 4 whole ones.
    const auto refused
        = shardrack::apply(plan, edit::AddGpu { 0, 1, "generic-16gib", NewRanks::Auto, true });
    QVERIFY(!refused.ok());
    QCOMPARE(q(refused.error().text()),
        QStringLiteral("Server A1 has no free GPU slot: 4 of 4 are used"));
    QCOMPARE(q(needs(done(plan, edit::AddServer { 1, 0, alone, NewRanks::Auto }).plan, 1)),
        QStringLiteral("4 4 4 4 4 open"));
}

void TestEditTs24::fifthGpuWithoutRank()
{
    const Applied added
        = done(ts24(), edit::AddServer { 1, 0, server("", 5, 1, 1, 1), NewRanks::No });
    QCOMPARE(q(needs(added.plan, 1)), QStringLiteral("6 6 6 6 - open"));
    QCOMPARE(q(layout(*added.plan.offers[1])), QStringLiteral("fsdp held at 1.0 1.1 1.2 1.3"));
}

void TestEditTs24::looseRank()
{
    const Applied loose = done(ts24(), edit::LeaveGroups { 1, RankSet::range(3, 3) });
    QCOMPARE(q(loose.name), QStringLiteral("Take rank 3 out of shard group S"));
    QCOMPARE(q(layout(*loose.plan.offers[1])), QStringLiteral("custom held {S 0-2}"));
    QCOMPARE(q(needs(loose.plan, 1)), QStringLiteral("8 8 8 24 over"));
    QCOMPARE(q(changes(loose.changes)), QStringLiteral("1: layout"));

    const Applied back
        = done(loose.plan, edit::JoinGroup { 1, RankSet::range(3, 3), "S", PartSet::all() });
    QCOMPARE(q(layout(*back.plan.offers[1])), QStringLiteral("custom held {S 0-3}"));
    QCOMPARE(q(needs(back.plan, 1)), QStringLiteral("6 6 6 6 open"));
    const Applied undone = shardrack::apply(loose.plan, loose.inverse).value();
    QVERIFY(undone.plan == ts24());
}

void TestEditTs24::removedRank()
{
    const Applied last = done(ts24(), edit::RemoveRank { 1, RankSet::range(3, 3) });
    QCOMPARE(q(last.name), QStringLiteral("Remove rank 3"));
    QCOMPARE(q(layout(*last.plan.offers[1])), QStringLiteral("fsdp held at 1.0 1.1 1.2"));
    QCOMPARE(q(needs(last.plan, 1)), QStringLiteral("8 8 8 - open"));

    const Applied middle = done(ts24(), edit::RemoveRank { 1, RankSet::range(1, 1) });
    QCOMPARE(q(middle.name), QStringLiteral("Remove rank 1 (ranks 2–3 become 1–2)"));
    QCOMPARE(q(layout(*middle.plan.offers[1])), QStringLiteral("fsdp held at 1.0 1.2 1.3"));
    QCOMPARE(q(needs(middle.plan, 1)), QStringLiteral("8 - 8 8 open"));
}

void TestEditTs24::idleGpuUsedAgain()
{
    const Plan idle = done(ts24(), edit::RemoveRank { 1, RankSet::range(1, 1) }).plan;
    const Applied again = done(idle, edit::AddRank { 1, { 1, 1 } });
    QCOMPARE(q(again.name), QStringLiteral("Add rank 3 on A1·1"));
    QCOMPARE(q(needs(again.plan, 1)), QStringLiteral("6 6 6 6 open"));

    // Two ranks on a GPU: their needs add up.
    const Applied moved = done(ts24(), edit::MoveRank { 1, 3, { 1, 0 } });
    QCOMPARE(q(moved.name), QStringLiteral("Move rank 3 to A1·0"));
    QCOMPARE(q(needs(moved.plan, 1)), QStringLiteral("12 6 6 - open"));
}

void TestEditTs24::confirmedUsable()
{
    const Applied set
        = done(ts24(), edit::SetUsable { 0, { { 1, 0 } }, Bytes(15 * kGiB + kGiB / 2), true });
    QCOMPARE(q(set.name), QStringLiteral("Set usable memory of A1·0 to 15.5 GiB"));
    const SiteIndex index(set.plan.offers[0]->site, Catalogue::builtIn());
    QVERIFY(index.kind(0).usable
        == (UsableAllocation { Bytes(15 * kGiB + kGiB / 2), Provenance::Stipulated }));
    QVERIFY(index.kind(1).usable
        == (UsableAllocation { Bytes(16 * kGiB), Provenance::NotEstablished }));
}

QTEST_GUILESS_MAIN(TestEditTs24)
#include "test_edit_ts24.moc"
