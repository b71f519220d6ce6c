#include "account/account.h"
#include "account/device_state.h"
#include "base/size_text.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <random>

using namespace shardrack;

namespace {

/// `gpus` GPUs of 16 GiB each in servers of eight.
Site siteOf(int gpus)
{
    auto rack = std::make_shared<Rack>();
    rack->name = "A";
    rack->units = 100'000;
    for (int placed = 0, number = 1; placed < gpus; placed += 8, ++number) {
        Server server;
        server.id = number;
        server.name = "A" + std::to_string(number);
        server.unit = number;
        server.gpuSlots = 8;
        server.gpus = { GpuRun {
            "generic-16gib", std::min(8, gpus - placed), Bytes(16 * kGiB), true, nullptr } };
        rack->servers.push_back(server);
    }
    Site site;
    site.racks.push_back(rack);
    return site;
}

Workload stipulated(Bytes total)
{
    Workload workload;
    workload.basis = Workload::StateBasis::Stipulated;
    workload.stipulated.total = total;
    return workload;
}

Workload derived(std::int64_t parameters, BytesPerParameter bytes)
{
    Workload workload;
    workload.basis = Workload::StateBasis::Derived;
    workload.model.emplace();
    workload.model->parametersGiven = parameters;
    workload.recipe.bytesPerParameter = bytes;
    return workload;
}

constexpr BytesPerParameter kMixedAdam { 2, 2, 8, 4 };
constexpr BytesPerParameter kFp32Adam { 4, 4, 8, 0 };

struct Computed {
    Site site;
    SiteIndex index;
    ResolvedLayout layout;
    Account account;
};

Computed compute(const Workload& workload, const Layout& layout, int gpus)
{
    Computed result;
    result.site = siteOf(gpus);
    result.index = SiteIndex(result.site, Catalogue::builtIn());
    result.layout = ResolvedLayout(layout, result.index);
    result.account = account(workload, result.layout, result.index).value();
    return result;
}

Layout preset(LayoutPreset which, std::optional<std::int32_t> shard = {})
{
    Layout layout;
    layout.preset = which;
    layout.dpShard = shard;
    return layout;
}

const Term* find(const RankClass& ranks, Category category, const char* name = nullptr)
{
    for (const Term& term : ranks.terms)
        if (term.category == category && (!name || term.name == name))
            return &term;
    return nullptr;
}

std::int64_t stateBytes(const RankClass& ranks) { return ranks.state.count(); }

} // namespace

class TestAccount : public QObject {
    Q_OBJECT
private slots:
    void stateOfOneReplica_data();
    void stateOfOneReplica();
    void zeroTableOne_data();
    void zeroTableOne();
    void replicasHoldCompleteCopies();
    void anotherReplicaChangesNothingForTheFirst();
    void shardsHoldTheirQuotient();
    void aRankInNoGroupIsAReplica();
    void sharesAddUpToTheWhole();
    void paddingFillsEqualShares();
    void coLocatedRanksAddTheirNeeds();
    void aRankOverSeveralGpusIsSplitAsGiven();
    void whatNobodyGaveIsNotEstablished();
    void givenTermsReplaceOpenOnes();
    void batchDoesNotChangeTheState();
    void momentsAppearInTheFirstOptimizerStep();
    void traceAndAccountAgree();
    void moreShardsNeverRaiseTheState();
    void undividedStateIsDividedOnlyAsAWhole();
    void tensorParallelStateIsNotEstablished();
    void overflowIsAnError();
    void formulasShowTheirValues_data();
    void formulasShowTheirValues();
};

void TestAccount::stateOfOneReplica_data()
{
    QTest::addColumn<qint64>("parameters");
    QTest::addColumn<QList<int>>("bytes");
    QTest::addColumn<QString>("gb");
    QTest::addColumn<QString>("gib");
    // DOMAIN section 4.
    QTest::newRow("fp32 Adam, 1.3e9")
        << qint64(1'300'000'000) << QList<int> { 4, 4, 8, 0 } << "20.8 GB"
        << "19.4 GiB";
    QTest::newRow("its moments alone")
        << qint64(1'300'000'000) << QList<int> { 0, 0, 8, 0 } << "10.4 GB"
        << "9.7 GiB";
    QTest::newRow("mixed Adam, 7e9")
        << qint64(7'000'000'000) << QList<int> { 2, 2, 8, 4 } << "112.0 GB"
        << "104.3 GiB";
    QTest::newRow("momentum: one more buffer of parameter size")
        << qint64(1'000'000'000) << QList<int> { 4, 4, 4, 0 } << "12.0 GB"
        << "11.2 GiB";
}

void TestAccount::stateOfOneReplica()
{
    QFETCH(qint64, parameters);
    QFETCH(QList<int>, bytes);
    const Computed got = compute(derived(parameters, { bytes[0], bytes[1], bytes[2], bytes[3] }),
        preset(LayoutPreset::Ddp), 3);
    QCOMPARE(got.account.rankClasses.size(), std::size_t(1));
    const Bytes state = got.account.rankClasses.front().state;
    QTEST(QString::fromStdString(gbText(state, 1)), "gb");
    QTEST(QString::fromStdString(gibText(state, 1)), "gib");
    QVERIFY(got.account.rankClasses.front().need.atLeast);
}

void TestAccount::zeroTableOne_data()
{
    QTest::addColumn<qint64>("parameters");
    QTest::addColumn<int>("ranks");
    QTest::addColumn<QString>("partition");
    QTest::addColumn<double>("published");
    QTest::addColumn<double>("exact");
    QFile file(QStringLiteral(SHARDRACK_SOURCE_DIR "/../shared/data/golden/estimators.json"));
    if (!file.open(QIODevice::ReadOnly))
        QSKIP("the published tables are not on this machine");
    int entries = 0;
    for (const QJsonValue& value : QJsonDocument::fromJson(file.readAll()).array()) {
        const QString name = value["id"].toString();
        if (!name.startsWith(QLatin1String("zero_t1_")))
            continue;
        const QJsonValue inputs = value["inputs"];
        QTest::newRow(qPrintable(name))
            << qint64(inputs["params"].toDouble()) << inputs["dp"].toInt()
            << inputs["partition"].toString() << value["expected"]["model_states"].toDouble()
            << value["expected"]["exact_formula_value"].toDouble();
        ++entries;
    }
    QCOMPARE(entries, 54);
}

void TestAccount::zeroTableOne()
{
    QFETCH(qint64, parameters);
    QFETCH(int, ranks);
    QFETCH(QString, partition);
    QFETCH(double, published);
    QFETCH(double, exact);
    const LayoutPreset which = partition == QLatin1String("P_os") ? LayoutPreset::Zero1
        : partition == QLatin1String("P_os+g")                    ? LayoutPreset::Zero2
                                                                  : LayoutPreset::Fsdp;
    const Computed got = compute(derived(parameters, kMixedAdam), preset(which), ranks);
    const double gb = double(stateBytes(got.account.rankClasses.front())) / 1e9;
    // The paper prints three significant digits; the table's tolerance is one unit of the last
    // digit.
    QVERIFY2(std::abs(gb - exact) <= 1e-5 * exact, qPrintable(QString::number(gb)));
    const double unit = std::pow(10.0, std::floor(std::log10(published)) - 2);
    QVERIFY2(std::abs(gb - published) <= std::max(unit, 1e-2), qPrintable(QString::number(gb)));
}

void TestAccount::replicasHoldCompleteCopies()
{
    // TS-24, Offer R.
    const Computed got = compute(stipulated(Bytes(24 * kGiB)), preset(LayoutPreset::Ddp), 4);
    QCOMPARE(got.account.rankClasses.size(), std::size_t(1));
    const RankClass& ranks = got.account.rankClasses.front();
    QCOMPARE(ranks.ranks.text(), std::string("0-3"));
    QCOMPARE(ranks.need, (Sum { Bytes(24 * kGiB), true }));
    QCOMPARE(ranks.peakPhase, Phase::Optimizer);
    QCOMPARE(got.account.stateTotal.count(), 96 * kGiB);
    QCOMPARE(got.account.redundantTotal.count(), 72 * kGiB);
    QCOMPARE(got.account.installedTotal.count(), 64 * kGiB);
    const Term* gathered = find(ranks, Category::Gathered);
    QVERIFY(gathered);
    QCOMPARE(gathered->amount, Amount(Bytes(0), Provenance::Derived));
}

void TestAccount::anotherReplicaChangesNothingForTheFirst()
{
    const Workload workload = stipulated(Bytes(24 * kGiB));
    const Computed four = compute(workload, preset(LayoutPreset::Ddp), 4);
    const Computed five = compute(workload, preset(LayoutPreset::Ddp), 5);
    QCOMPARE(five.account.rankClasses.front().terms, four.account.rankClasses.front().terms);
    QCOMPARE(five.account.redundantTotal.count(), 96 * kGiB);
}

void TestAccount::shardsHoldTheirQuotient()
{
    // TS-24, Offer S.
    const Computed got = compute(stipulated(Bytes(24 * kGiB)), preset(LayoutPreset::Fsdp), 4);
    const RankClass& ranks = got.account.rankClasses.front();
    QCOMPARE(ranks.need, (Sum { Bytes(6 * kGiB), true }));
    QCOMPARE(got.account.redundantTotal.count(), 0);
    const Term* state = find(ranks, Category::State);
    QVERIFY(state);
    QCOMPARE(text(state->formula), std::string("24 GiB ÷ 4"));
    QCOMPARE(state->amount.provenance(), Provenance::Stipulated);
    int open = 0;
    for (const Term& term : ranks.terms)
        open += term.amount.established() ? 0 : 1;
    QCOMPARE(open, 5);
}

void TestAccount::aRankInNoGroupIsAReplica()
{
    Layout custom = preset(LayoutPreset::Custom);
    custom.groups.push_back({ "S", RankSet::range(0, 2), PartSet::all(), nullptr });
    const Computed got = compute(stipulated(Bytes(24 * kGiB)), custom, 4);
    QCOMPARE(got.account.rankClasses.size(), std::size_t(2));
    QCOMPARE(got.account.rankClasses[0].need.established.count(), 8 * kGiB);
    QCOMPARE(got.account.rankClasses[1].need.established.count(), 24 * kGiB);
    QCOMPARE(got.account.redundantTotal.count(), 24 * kGiB);
}

void TestAccount::sharesAddUpToTheWhole()
{
    std::mt19937_64 random(7);
    for (int round = 0; round < 300; ++round) {
        const int ranks = 1 + int(random() % 40);
        const auto size = std::int64_t(random() % 100'000'000'000);
        for (const Workload& workload :
            { stipulated(Bytes(size)), derived(size, kMixedAdam), derived(size % 50, kFp32Adam) }) {
            const Computed got = compute(workload, preset(LayoutPreset::Fsdp), ranks);
            Bytes sum;
            for (const RankClass& each : got.account.rankClasses)
                sum += each.state * each.ranks.size();
            QCOMPARE(sum.count(), oneCopy(workload)->count());
            QCOMPARE(got.account.stateTotal.count(), sum.count());
            Bytes onDevices;
            for (const DeviceClass& each : got.account.deviceClasses)
                onDevices += stateOf(got.account, each).established * each.gpus.size();
            QCOMPARE(onDevices.count(), sum.count());
            QCOMPARE(got.account.redundantTotal.count(), 0);
        }
    }
}

void TestAccount::paddingFillsEqualShares()
{
    // 10 elements over 4 ranks: ceil = 3, so 3 + 3 + 3 + 1 and two elements of padding on the last.
    const Computed got = compute(derived(10, kFp32Adam), preset(LayoutPreset::Fsdp), 4);
    QCOMPARE(got.account.rankClasses.size(), std::size_t(2));
    const RankClass& last = got.account.rankClasses[1];
    QCOMPARE(last.ranks.text(), std::string("3"));
    const Term* parameters = find(last, Category::Parameters, "Parameters");
    const Term* padding = find(last, Category::Parameters, "padding");
    QVERIFY(parameters && padding);
    QCOMPARE(parameters->amount.bytes()->count(), 4);
    QCOMPARE(padding->amount.bytes()->count(), 8);
    QCOMPARE(text(parameters->formula), std::string("(10 − 9) × 4 B"));
    QCOMPARE(text(padding->formula), std::string("(3 − 1) × 4 B"));
    QCOMPARE(last.need.established, got.account.rankClasses[0].need.established);
    // 2 elements over 5 ranks: three ranks hold nothing but padding.
    const Computed few = compute(derived(2, kFp32Adam), preset(LayoutPreset::Fsdp), 5);
    QCOMPARE(few.account.rankClasses.back().state.count(), 0);
    QCOMPARE(few.account.rankClasses.back().need.established.count(), 16);
}

void TestAccount::coLocatedRanksAddTheirNeeds()
{
    Layout byHand = preset(LayoutPreset::Ddp);
    byHand.placement = std::make_shared<Placement>(
        Placement { { { { 1, 0 } }, {} }, { { { 1, 0 } }, {} }, { { { 1, 1 } }, {} } });
    Workload workload = stipulated(Bytes(5 * kGiB));
    workload.terms.outside = Bytes(kGiB / 2);
    const Computed got = compute(workload, byHand, 3);
    QCOMPARE(got.account.deviceClasses.size(), std::size_t(3));
    QCOMPARE(got.account.deviceClasses[0].need.established.count(), 11 * kGiB);
    QCOMPARE(got.account.deviceClasses[1].need.established.count(), 11 * kGiB / 2);
    QVERIFY(got.account.deviceClasses[2].idle());
}

void TestAccount::aRankOverSeveralGpusIsSplitAsGiven()
{
    Layout byHand = preset(LayoutPreset::Ddp);
    byHand.placement
        = std::make_shared<Placement>(Placement { { { { 1, 0 }, { 1, 1 } }, { 2, 1 } } });
    const Workload workload = stipulated(Bytes(10));
    const Computed got = compute(workload, byHand, 2);
    QCOMPARE(got.account.deviceClasses[0].need.established.count(), 6);
    QCOMPARE(got.account.deviceClasses[1].need.established.count(), 4);
    QCOMPARE(got.account.stateTotal.count(), 10);

    byHand.placement = std::make_shared<Placement>(Placement { { { { 1, 0 }, { 1, 1 } }, {} } });
    const Computed open = compute(workload, byHand, 2);
    QCOMPARE(
        open.account.deviceClasses[0].atPeak[index(Category::State)], (Sum { Bytes(0), true }));
}

void TestAccount::whatNobodyGaveIsNotEstablished()
{
    const Computed got = compute(Workload {}, preset(LayoutPreset::Ddp), 2);
    const RankClass& ranks = got.account.rankClasses.front();
    QVERIFY(!find(ranks, Category::State)->amount.established());
    QCOMPARE(ranks.need, (Sum { Bytes(0), true }));
    QVERIFY(!got.account.stateEstablished);

    Workload noModel;
    noModel.basis = Workload::StateBasis::Derived;
    const Computed without = compute(noModel, preset(LayoutPreset::Ddp), 2);
    QCOMPARE(find(without.account.rankClasses.front(), Category::Parameters)->note,
        std::string("Needs a model."));
}

void TestAccount::givenTermsReplaceOpenOnes()
{
    // 6.00 + 1.10 + 3.40 + 0.90 + 0.60 + 0.70 = 12.70 GiB, in MiB steps to stay exact.
    Workload workload = stipulated(Bytes(24 * kGiB));
    workload.terms = { Bytes(1100 * kMiB), Bytes(3400 * kMiB), Bytes(900 * kMiB), Bytes(600 * kMiB),
        Bytes(700 * kMiB) };
    const Computed got = compute(workload, preset(LayoutPreset::Fsdp), 4);
    const DeviceClass& device = got.account.deviceClasses.front();
    QCOMPARE(device.need, (Sum { Bytes(6 * kGiB + 6700 * kMiB), false }));
    QCOMPARE(device.needWithoutSlack.established.count(), 6 * kGiB + 6100 * kMiB);
    QVERIFY(!device.headroomAtMost());
}

void TestAccount::batchDoesNotChangeTheState()
{
    // Batch 256 on one device, then 32 on each of eight: the state is the same.
    Workload one = derived(1'300'000'000, kFp32Adam);
    one.recipe.globalBatch = 256;
    one.recipe.microBatch = 256;
    Workload eight = one;
    eight.recipe.microBatch = 32;
    QCOMPARE(compute(eight, preset(LayoutPreset::Ddp), 8).account.rankClasses.front().state,
        compute(one, preset(LayoutPreset::Ddp), 1).account.rankClasses.front().state);
}

void TestAccount::momentsAppearInTheFirstOptimizerStep()
{
    const Computed got = compute(derived(1000, kMixedAdam), preset(LayoutPreset::Ddp), 1);
    const RankClass& ranks = got.account.rankClasses.front();
    QCOMPARE(ranks.need.established.count(), 16'000);
    QCOMPARE(ranks.peakPhase, Phase::Optimizer);
    const StepTrace trace = stepTrace(derived(1000, kMixedAdam), got.layout, 0).value();
    // After initialization: parameters and master copy. Between steps: everything but gradients.
    QCOMPARE(total(heldAtEnd(trace)).count(), 14'000);
    Bytes held;
    Bytes afterInit;
    for (const StepTrace::Node& node : trace.nodes()) {
        if (node.kind == StepTrace::Node::Kind::Phase
            && static_cast<Phase>(node.tensor) == Phase::FirstForward)
            afterInit = held;
        if (node.kind == StepTrace::Node::Kind::Born)
            held += trace.tensor(node.tensor).bytes;
        if (node.kind == StepTrace::Node::Kind::Dies)
            held -= trace.tensor(node.tensor).bytes;
    }
    QCOMPARE(afterInit.count(), 6'000);
}

void TestAccount::traceAndAccountAgree()
{
    std::mt19937 random(3);
    for (int round = 0; round < 200; ++round) {
        const Workload workload = derived(1 + std::int64_t(random() % 1'000'000),
            { int(random() % 5), int(random() % 5), int(random() % 9), int(random() % 5) });
        const auto which = static_cast<LayoutPreset>(random() % 5);
        const int gpus = 1 + int(random() % 20);
        const Computed got = compute(workload, preset(which), gpus);
        for (std::int32_t rank = 0; rank < gpus; ++rank) {
            const PeakPair pair = peaks(stepTrace(workload, got.layout, rank).value());
            const RankClass& ranks
                = got.account.rankClasses[got.account.classOfRank[std::size_t(rank)]];
            QVERIFY(ranks.ranks.contains(rank));
            QCOMPARE(pair.peak.phase, ranks.peakPhase);
            QCOMPARE(total(pair.peak.held), ranks.need.established);
            QCOMPARE(pair.runnerUp, ranks.runnerUp);
        }
    }
}

void TestAccount::moreShardsNeverRaiseTheState()
{
    const Workload workload = derived(123'456'789, kMixedAdam);
    for (const LayoutPreset which :
        { LayoutPreset::Zero1, LayoutPreset::Zero2, LayoutPreset::Fsdp }) {
        Bytes before = *oneCopy(workload);
        for (int ranks = 1; ranks <= 64; ++ranks) {
            const Bytes now = compute(workload, preset(which), ranks)
                                  .account.rankClasses.front()
                                  .need.established;
            QVERIFY(now <= before);
            before = now;
        }
    }
}

void TestAccount::undividedStateIsDividedOnlyAsAWhole()
{
    // Nobody said which part of a total is the optimizer's: what ZeRO-1 leaves of it is between
    // nothing of that part and all of it, so 24 GiB is no lower bound.
    for (const LayoutPreset which : { LayoutPreset::Zero1, LayoutPreset::Zero2 }) {
        const Computed got = compute(stipulated(Bytes(24 * kGiB)), preset(which), 4);
        QVERIFY(!got.account.stateEstablished);
        QCOMPARE(got.account.rankClasses.front().need.established.count(), 0);
        QVERIFY(got.account.rankClasses.front().need.atLeast);
    }
    // On one rank nothing is divided.
    const Computed alone = compute(stipulated(Bytes(24 * kGiB)), preset(LayoutPreset::Zero1), 1);
    QCOMPARE(alone.account.rankClasses.front().need.established.count(), 24 * kGiB);
    Workload parts;
    parts.basis = Workload::StateBasis::Stipulated;
    parts.stipulated.parameters = Bytes(4 * kGiB);
    parts.stipulated.gradients = Bytes(4 * kGiB);
    parts.stipulated.optimizer = Bytes(16 * kGiB);
    const Computed split = compute(parts, preset(LayoutPreset::Zero1), 4);
    QCOMPARE(split.account.rankClasses.front().need.established.count(), 12 * kGiB);
}

void TestAccount::tensorParallelStateIsNotEstablished()
{
    Layout layout = preset(LayoutPreset::Megatron);
    layout.tensor = 4;
    const Computed got = compute(derived(1000, kMixedAdam), layout, 8);
    QVERIFY(!find(got.account.rankClasses.front(), Category::Parameters)->amount.established());
    QVERIFY(!got.account.stateEstablished);
}

void TestAccount::overflowIsAnError()
{
    const Site site = siteOf(2);
    const SiteIndex index(site, Catalogue::builtIn());
    const ResolvedLayout layout(preset(LayoutPreset::Ddp), index);
    const auto huge = account(derived(std::int64_t(1) << 61, kMixedAdam), layout, index);
    QVERIFY(!huge.ok());
    QVERIFY(huge.error().what.find("64-bit") != std::string::npos);
    // The job's total alone leaves the range: what each device holds is still known.
    const auto total = account(stipulated(Bytes(INT64_MAX)), layout, index);
    QVERIFY(total.ok());
    QVERIFY(!total->stateEstablished);
    QCOMPARE(total->deviceClasses.front().need.established.count(), INT64_MAX);
}

void TestAccount::formulasShowTheirValues_data()
{
    QTest::addColumn<int>("ranks");
    QTest::addColumn<qint64>("parameters");
    QTest::addColumn<QString>("expected");
    QTest::newRow("whole") << 1 << qint64(8'030'261'248) << "8,030,261,248 × 2 B";
    QTest::newRow("divides") << 32 << qint64(8'030'261'248) << "8,030,261,248 × 2 B ÷ 32";
    QTest::newRow("rounds up") << 7 << qint64(8'030'261'248) << "⌈8,030,261,248 ÷ 7⌉ × 2 B";
}

void TestAccount::formulasShowTheirValues()
{
    QFETCH(int, ranks);
    QFETCH(qint64, parameters);
    const Computed got
        = compute(derived(parameters, kMixedAdam), preset(LayoutPreset::Fsdp), ranks);
    QTEST(QString::fromStdString(
              text(find(got.account.rankClasses.front(), Category::Parameters)->formula)),
        "expected");
}

QTEST_GUILESS_MAIN(TestAccount)
#include "test_account.moc"
