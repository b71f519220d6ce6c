#include "test_edit_plans.h"

#include <random>
#include <set>

using namespace editplans;

namespace {

/// Edits of every kind with random contents; many make no sense, as a person's or a journal's
/// might.
class RandomEdits {
public:
    explicit RandomEdits(std::uint32_t seed)
        : m_random(seed)
    {
    }

    int below(int limit)
    {
        return static_cast<int>(m_random() % static_cast<std::uint32_t>(limit));
    }
    bool oneIn(int chances) { return below(chances) == 0; }

    Edit next(const Plan& plan)
    {
        const std::size_t offer = index(plan.offers.size());
        const Offer* there = offer < plan.offers.size() ? plan.offers[offer].get() : nullptr;
        const int racks = there ? static_cast<int>(there->site.racks.size()) : 0;
        const std::size_t rack = index(static_cast<std::size_t>(racks));
        switch (below(35)) {
        case 0:
            return edit::SetTitle { name() };
        case 1:
            return edit::SetMargin { { Bytes(below(5) * kGiB), "policy", nullptr } };
        case 2:
            return edit::SetWorkload { workload() };
        case 3:
            return addOffer(plan, there);
        case 4:
            // Rarely, or there would be nothing left to edit.
            if (oneIn(4))
                return edit::RemoveOffer { offer };
            return edit::MoveOffer { offer, index(plan.offers.size()) };
        case 5:
            return edit::RenameOffer { offer, name() };
        case 6:
            return edit::AddRack { offer, randomRack(), index(static_cast<std::size_t>(racks)),
                newRanks() };
        case 7:
            if (oneIn(4))
                return edit::RemoveRack { offer, rack };
            return edit::MoveRack { offer, rack, index(static_cast<std::size_t>(racks)) };
        case 8:
            return edit::RenameRack { offer, rack, name() };
        case 9:
        case 10:
            return edit::AddServer { offer, rack, randomServer(1 + below(12)), newRanks() };
        case 11:
            return edit::RemoveServer { offer, serverId(there) };
        case 12:
        case 13:
            return edit::MoveServer { offer, serverId(there), rack, 1 + below(14) };
        case 14:
            return edit::RenameServer { offer, serverId(there), name() };
        case 15:
        case 16:
            return edit::AddGpu { offer, serverId(there), type(), newRanks(), !oneIn(3) };
        case 17:
            return edit::RemoveGpu { offer, gpu(there) };
        case 18:
            return edit::MoveGpu { offer, gpu(there), serverId(there) };
        case 19:
            return edit::MoveGpuToRack { offer, gpu(there), rack, 1 + below(14) };
        case 20:
            return edit::SetUsable { offer, { gpu(there), gpu(there) },
                oneIn(3) ? std::nullopt : std::optional<Bytes>(Bytes((8 + below(8)) * kGiB)),
                !oneIn(3) };
        case 21:
            return edit::SetLayout { offer, randomLayout(there) };
        case 22:
            return edit::AddRank { offer, gpu(there) };
        case 23:
            return edit::RemoveRank { offer, ranks(there) };
        case 24:
            return edit::MoveRank { offer, ranks(there).front(), gpu(there) };
        case 25:
            return edit::JoinGroup { offer, ranks(there),
                std::string(1, static_cast<char>('S' + below(3))),
                PartSet { oneIn(2), oneIn(2), oneIn(2) } };
        case 26:
            return edit::LeaveGroups { offer, ranks(there) };
        default:
            return fact(offer, there);
        }
    }

private:
    /// What people say of an offer: its basis, evidence, price and so on.
    Edit fact(std::size_t offer, const Offer* there)
    {
        switch (below(8)) {
        case 0:
            if (oneIn(3))
                return edit::SetOfferWorkload { offer, {} };
            return edit::SetOfferWorkload { offer, workload() };
        case 1:
            return edit::MakeWorkloadCommon { offer };
        case 2:
            return edit::SetBasis { offer,
                { { "micro_batch", "", "", oneIn(2) ? "memory" : "", nullptr },
                    { oneIn(4) ? "" : "Data order", "shuffled", oneIn(2) ? "sorted" : "", "",
                        nullptr } } };
        case 3:
            return edit::SetAssumptions { offer,
                std::vector<std::string>(std::size_t(below(3)), name()) };
        case 4:
            return edit::SetInterconnect { offer, oneIn(2) ? "" : "NVLink" };
        case 5:
            if (oneIn(3))
                return edit::SetPrice { offer, {} };
            return edit::SetPrice { offer,
                Price { oneIn(5) ? "free" : "2.49", "USD", Price::Per(below(2)), "", nullptr } };
        case 6:
            return edit::SetMeasurements { offer, measurements(there) };
        default:
            return edit::SetOutcome { offer, outcome() };
        }
    }

    std::vector<Measurement> measurements(const Offer* there)
    {
        std::vector<Measurement> made = there ? there->measurements : std::vector<Measurement> {};
        if (!made.empty() && oneIn(3)) {
            made.erase(made.begin() + below(static_cast<int>(made.size())));
            return made;
        }
        Measurement& each = made.emplace_back();
        each.devices = oneIn(2) ? "all" : name() + "·0-" + std::to_string(below(4));
        each.scope = MemoryScope(below(3));
        if (!oneIn(5))
            each.peak = Bytes((1 + below(20)) * kGiB);
        each.average = oneIn(4);
        each.outOfMemory = oneIn(6);
        each.phases.set(RunPhase(below(kRunPhaseCount)));
        each.phases.set(RunPhase::Init, !oneIn(3));
        each.completeSteps = below(4);
        if (made.size() > 3)
            made.erase(made.begin());
        return made;
    }

    std::optional<TrainingOutcome> outcome()
    {
        if (oneIn(4))
            return {};
        TrainingOutcome made;
        made.result = TrainingResult(below(3));
        made.criterion = oneIn(4) ? "" : "loss";
        made.value = name();
        return made;
    }

    std::size_t index(std::size_t count)
    {
        return static_cast<std::size_t>(below(static_cast<int>(count) + 1));
    }
    NewRanks newRanks() { return static_cast<NewRanks>(below(3)); }
    std::string name()
    {
        return std::string(1, static_cast<char>('A' + below(6))) + (oneIn(2) ? "1" : "");
    }
    std::string type() { return oneIn(2) ? "generic-16gib" : "h100-sxm5-80"; }

    ServerId serverId(const Offer* offer) { return 1 + below(offer ? nextServerId(*offer) : 3); }
    GpuRef gpu(const Offer* offer) { return { serverId(offer), below(4) }; }

    RankSet ranks(const Offer* offer)
    {
        int count = 4;
        if (offer)
            count = offer->layout.placement
                ? static_cast<int>(offer->layout.placement->size())
                : SiteIndex(offer->site, Catalogue::builtIn()).gpuCount();
        RankSet set;
        for (int i = 1 + below(3); i > 0; --i)
            set.insert(below(count + 1));
        return set;
    }

    Server randomServer(int unit)
    {
        const int places = 1 + below(4);
        Server made = server(
            oneIn(2) ? "" : name(), unit, 1 + below(3), places, below(places + 1), type().c_str());
        for (GpuRun& run : made.gpus)
            run.confirmed = !oneIn(3);
        return made;
    }

    Rack randomRack()
    {
        Rack rack;
        rack.name = name();
        rack.units = 6 + below(8);
        for (int i = below(3); i > 0; --i) {
            rack.servers.push_back(randomServer(1 + below(12)));
            rack.servers.back().name = "N" + std::to_string(i);
        }
        return rack;
    }

    Workload workload()
    {
        Workload workload;
        workload.basis = Workload::StateBasis::Stipulated;
        workload.stipulated.total = Bytes((1 + below(40)) * kGiB);
        if (oneIn(2))
            workload.recipe.microBatch = 1 + below(4);
        return workload;
    }

    Edit addOffer(const Plan& plan, const Offer* like)
    {
        Offer offer = like ? *like : emptyOffer("E");
        offer.name = name();
        return edit::AddOffer { offer, index(plan.offers.size()) };
    }

    Layout randomLayout(const Offer* offer)
    {
        Layout layout = offer ? offer->layout : Layout {};
        layout.preset = static_cast<LayoutPreset>(below(7));
        layout.dpShard = oneIn(2) ? std::nullopt : std::optional<std::int32_t>(1 + below(4));
        layout.dpReplicate = oneIn(2) ? std::nullopt : std::optional<std::int32_t>(1 + below(4));
        layout.ranksFollowHardware = !oneIn(3);
        if (layout.ranksFollowHardware)
            layout.placement.reset();
        return layout;
    }

    std::mt19937 m_random;
};

/// What is true of every plan that edits make from a sound one; empty when all of it is.
std::string unsound(const Plan& plan)
{
    std::set<std::string> offerNames;
    for (const auto& offer : plan.offers) {
        for (const Measurement& each : offer->measurements)
            if (each.basis.empty())
                return "evidence that says no state of " + offer->name;
        if (offer->workload && *offer->workload == *plan.workload)
            return offer->name + " has a workload of its own that is the common one";
        if (!offerNames.insert(offer->name).second)
            return "two offers named " + offer->name;
        const SiteIndex index(offer->site, Catalogue::builtIn());
        std::set<std::string> names;
        std::set<ServerId> ids;
        for (const auto& rack : offer->site.racks) {
            if (!names.insert("rack " + rack->name).second)
                return "two racks named " + rack->name;
            int next = 1;
            for (const Server& each : rack->servers) {
                if (!names.insert(each.name).second || !ids.insert(each.id).second || each.id < 1)
                    return "a second server " + each.name + " number " + std::to_string(each.id);
                if (each.unit < next || each.unit + each.height - 1 > rack->units)
                    return "server " + each.name + " overlaps or leaves the rack";
                next = each.unit + each.height;
                if (each.gpuCount() > each.gpuSlots)
                    return "server " + each.name + " has too many GPUs";
                for (std::size_t run = 0; run < each.gpus.size(); ++run) {
                    if (each.gpus[run].count < 1)
                        return "an empty run in " + each.name;
                    GpuRun alike = each.gpus[run];
                    if (run > 0 && (alike.count = each.gpus[run - 1].count) > 0
                        && alike == each.gpus[run - 1])
                        return "equal neighbouring runs in " + each.name;
                }
            }
        }
        const Layout& layout = offer->layout;
        if (layout.placement)
            for (const RankPlace& place : *layout.placement)
                for (const GpuRef& gpu : place.gpus)
                    if (index.ordinal(gpu) < 0)
                        return "a rank on a GPU that is gone";
        const std::int32_t ranks = ResolvedLayout(layout, index).rankCount();
        for (const ShardGroup& group : layout.groups)
            if (group.ranks.empty() || group.ranks.back() >= ranks)
                return "group " + group.name + " has ranks " + group.ranks.text();
        if (layout.preset != LayoutPreset::Custom && !layout.groups.empty())
            return "groups by hand with a preset";
    }
    return {};
}

/// Whether a change set tells the truth: what it does not name is shared.
bool complete(const ChangeSet& changes, const Plan& before, const Plan& after)
{
    if (changes.offerList)
        return true;
    for (std::size_t i = 0; i < after.offers.size(); ++i) {
        const Offer& a = *before.offers[i];
        const Offer& b = *after.offers[i];
        const ChangeSet::OfferChange* change = nullptr;
        for (const auto& each : changes.offers)
            if (each.offer == i)
                change = &each;
        if (!change) {
            if (!(a == b))
                return false;
            continue;
        }
        if (!change->layout && !(a.layout == b.layout))
            return false;
        if (!change->facts && !(a.measurements == b.measurements && a.outcome == b.outcome))
            return false;
        if (change->rackList)
            continue;
        for (std::size_t rack = 0; rack < b.site.racks.size(); ++rack) {
            const bool named = std::count(change->racks.begin(), change->racks.end(), rack) > 0;
            if (!named && !(*a.site.racks[rack] == *b.site.racks[rack]))
                return false;
        }
    }
    return true;
}

QString accountOf(const Plan& plan) { return q(accountJson(plan).dump()); }

} // namespace

class TestEditRandom : public QObject {
    Q_OBJECT

private slots:
    void editsUndoRedo_data();
    void editsUndoRedo();
};

void TestEditRandom::editsUndoRedo_data()
{
    QTest::addColumn<quint32>("seed");
    for (const quint32 seed : { 1u, 24u, 20261130u })
        QTest::newRow(std::to_string(seed).c_str()) << seed;
}

/// 10,000 edits with undo and redo at random: every plan on the way is sound, can be saved and its
/// account is that of a fresh start; undone to the end, plan and account are the first ones again.
void TestEditRandom::editsUndoRedo()
{
    QFETCH(quint32, seed);
    RandomEdits edits(seed);
    const Plan start = ts24();
    const QString startAccount = accountOf(start);
    Plan plan = start;
    std::vector<Edit> undo;
    std::vector<Edit> redo;
    std::vector<int> appliedOf(std::variant_size_v<Edit>, 0);

    const auto step = [&](std::vector<Edit>& from, std::vector<Edit>& to) {
        const Applied applied = shardrack::apply(plan, from.back()).value();
        from.pop_back();
        to.push_back(applied.inverse);
        plan = applied.plan;
    };
    for (int done = 0; done < 10'000;) {
        const int kind = edits.below(10);
        if (kind < 3 && !undo.empty()) {
            step(undo, redo);
        } else if (kind < 5 && !redo.empty()) {
            step(redo, undo);
        } else {
            const Edit edit = edits.next(plan);
            const Result<Applied> applied = shardrack::apply(plan, edit);
            if (!applied.ok()) {
                QVERIFY(!applied.error().what.empty());
                continue;
            }
            ++appliedOf[edit.index()];
            QCOMPARE(applied->changes.any(), !(applied->plan == plan));
            QVERIFY(complete(applied->changes, plan, applied->plan));
            const std::string broken = unsound(applied->plan);
            QVERIFY2(broken.empty(), (applied->name + ": " + broken).c_str());
            if (done % 50 == 0)
                checkApplied(plan, edit, *applied);
            if (QTest::currentTestFailed()) {
                qWarning("after \"%s\"", applied->name.c_str());
                return;
            }
            undo.push_back(applied->inverse);
            redo.clear();
            plan = applied->plan;
        }
        ++done;
    }
    for (std::size_t kind = 0; kind + 1 < appliedOf.size(); ++kind)
        QVERIFY2(appliedOf[kind] > 0, ("no edit of kind " + std::to_string(kind)).c_str());

    while (!undo.empty())
        step(undo, redo);
    QVERIFY(plan == start);
    QCOMPARE(accountOf(plan), startAccount);
    QCOMPARE(accountOf(ts24()), startAccount);
    for (std::size_t offer = 0; offer < start.offers.size(); ++offer) {
        const auto now = assess(plan, offer);
        const auto fresh = assess(start, offer);
        QCOMPARE(now->account.classOfRank, fresh->account.classOfRank);
        QCOMPARE(now->account.classOfGpu, fresh->account.classOfGpu);
        QVERIFY(now->findings.warnings == fresh->findings.warnings);
    }
    const std::size_t steps = redo.size();
    for (std::size_t i = 0; i < steps; ++i)
        step(redo, undo);
    while (!undo.empty())
        step(undo, redo);
    QVERIFY(plan == start);
}

QTEST_GUILESS_MAIN(TestEditRandom)
#include "test_edit_random.moc"
