#include "evidence/coverage.h"

#include "account/account.h"

#include <QElapsedTimer>
#include <QTest>

#include <deque>

using namespace shardrack;

namespace {

QString q(const std::string& text) { return QString::fromStdString(text); }

/// Servers of one GPU each with these usable sizes in GiB; negative: not confirmed.
Site siteOf(const std::vector<int>& usable)
{
    auto rack = std::make_shared<Rack>();
    rack->name = "A";
    rack->units = 42;
    for (std::size_t i = 0; i < usable.size(); ++i) {
        Server server;
        server.id = ServerId(i + 1);
        server.name = "A" + std::to_string(i + 1);
        server.unit = int(i + 1);
        server.gpuSlots = 1;
        server.gpus = { GpuRun {
            "generic-16gib", 1, Bytes(std::abs(usable[i]) * kGiB), usable[i] >= 0, nullptr } };
        rack->servers.push_back(server);
    }
    Site site;
    site.racks.push_back(rack);
    return site;
}

/// 6 GiB of state and 1 GiB of each other term; `outside` 0: what lies outside the allocator is not
/// established.
Workload workload(int outside = 1)
{
    Workload workload;
    workload.basis = Workload::StateBasis::Stipulated;
    workload.stipulated.total = Bytes(6 * kGiB);
    workload.terms = { Bytes(kGiB), Bytes(kGiB), Bytes(kGiB), Bytes(kGiB), {} };
    if (outside > 0)
        workload.terms.outside = Bytes(outside * kGiB);
    return workload;
}

/// Ranks on these GPUs (numbers of servers from 0), in this order; empty: one on each.
Layout placed(const QString& gpus)
{
    Layout layout;
    if (gpus.isEmpty())
        return layout;
    Placement placement;
    for (const QString& gpu : gpus.split(u' ', Qt::SkipEmptyParts))
        placement.push_back({ { { ServerId(gpu.toInt() + 1), 0 } }, {} });
    layout.placement = std::make_shared<const Placement>(placement);
    return layout;
}

Account accountOf(const Site& site, const Layout& layout, const Workload& given)
{
    const SiteIndex index(site, Catalogue::builtIn());
    return account(given, ResolvedLayout(layout, index), index).value();
}

/// Evidence from short texts, one a measurement, separated by ";": GPU numbers, then any of
/// allocated, reserved, device, a peak in GiB ("16+1": and a byte), average, oom, init, N steps,
/// and stale (recorded for another state).
struct Recorded {
    explicit Recorded(const QString& texts)
    {
        for (const QString& text : texts.split(u';', Qt::SkipEmptyParts))
            add(text.split(u' ', Qt::SkipEmptyParts));
    }
    void add(QStringList words)
    {
        Measurement& measurement = measurements.emplace_back();
        AppliedMeasurement applied;
        applied.measurement = &measurement;
        measurement.devices = words.takeFirst().toStdString();
        applied.gpus = RankSet::parse(measurement.devices).value();
        for (qsizetype i = 0; i < words.size(); ++i) {
            const QString& word = words[i];
            if (const auto scope = memoryScope(word.toStdString())) {
                measurement.scope = *scope;
            } else if (const auto phase = runPhase(word.toStdString())) {
                measurement.phases.set(*phase);
            } else if (word == u"average") {
                measurement.average = true;
            } else if (word == u"oom") {
                measurement.outOfMemory = true;
            } else if (word == u"stale") {
                applied.excluded = "was recorded for another state of this offer";
                applied.otherState = true;
            } else if (i + 1 < words.size() && words[i + 1] == u"steps") {
                measurement.completeSteps = word.toInt();
                ++i;
            } else {
                const QStringList parts = word.split(u'+');
                measurement.peak
                    = Bytes(parts[0].toInt() * kGiB + (parts.size() > 1 ? parts[1].toInt() : 0));
            }
        }
        evidence.measurements.push_back(applied);
    }
    std::deque<Measurement> measurements; ///< where they stay
    Evidence evidence;
};

} // namespace

/// The rules of demonstrated fit.
class TestCoverage : public QObject {
    Q_OBJECT
private slots:
    void words();
    void rules_data();
    void rules();
    void neverDemonstrated();
    void highestReading_data();
    void highestReading();
    void verdictOfEachReading();
    void estimates();
    void manyDevices();
};

void TestCoverage::words()
{
    for (const MemoryScope scope :
        { MemoryScope::Allocated, MemoryScope::Reserved, MemoryScope::Device })
        QVERIFY(memoryScope(id(scope)) == scope);
    QVERIFY(!memoryScope("free"));
    for (int i = 0; i < kRunPhaseCount; ++i)
        QVERIFY(runPhase(id(RunPhase(i))) == RunPhase(i));
    QVERIFY(!runPhase("training"));
    for (const TrainingResult result :
        { TrainingResult::NotEvaluated, TrainingResult::Accepted, TrainingResult::Rejected })
        QVERIFY(trainingResult(id(result)) == result);
    QVERIFY(!trainingResult("good"));
    RunPhases phases;
    phases.set(RunPhase::Init);
    phases.set(RunPhase::Save);
    phases.set(RunPhase::Init, false);
    QVERIFY(!phases.has(RunPhase::Init));
    QVERIFY(phases.has(RunPhase::Save));
}

/// DOMAIN section 2: none; partial (some devices, or no initialization, or no complete step, or a
/// tensor-only view); demonstrated (every participating device, initialization and representative
/// complete steps, reconciled with the usable allocation); contradicted (a run ran out of memory).
/// A device counts only with initialization and at least two complete steps.
void TestCoverage::rules_data()
{
    QTest::addColumn<QVector<int>>("usable");
    QTest::addColumn<QString>("ranks");
    QTest::addColumn<int>("outside");
    QTest::addColumn<QString>("measured");
    QTest::addColumn<QString>("expected"); // value, covered of participating
    QTest::addColumn<QString>("rule"); // a part of it
    const QVector<int> four { 16, 16, 16, 16 };
    const auto on = [](const char* name, const QVector<int>& usable, const char* ranks, int outside,
                        const char* measured, const char* expected, const char* rule) {
        QTest::newRow(name) << usable << QString::fromUtf8(ranks) << outside
                            << QString::fromUtf8(measured) << QString::fromUtf8(expected)
                            << QString::fromUtf8(rule);
    };
    const auto row = [&](const char* name, const char* measured, const char* expected,
                         const char* rule) { on(name, four, "", 1, measured, expected, rule); };

    row("nothing", "", "none 0/4", "No run was measured.");
    row("all there is to show", "0-3 device 12 init 2 steps", "demonstrated 4/4",
        "Every device with a rank was measured over initialization and complete steps");
    row("more steps than needed", "0-3 device 12 init 500 steps", "demonstrated 4/4", "");

    row("an average", "0-3 device 12 init 5 steps average", "partial 0/4", "is an average");
    row("an average and some peaks",
        "0-3 device 12 init 5 steps average; 0-2 device 12 init 5 steps", "partial 3/4",
        "3 of 4 devices");
    row("some devices", "0-1 device 12 init 5 steps", "partial 2/4",
        "2 of 4 devices with a rank have a peak of their own.");
    row("all but one", "0-2 device 12 init 5 steps", "partial 3/4", "3 of 4 devices");
    row("tensors only", "0-3 allocated 9 init 5 steps", "partial 0/4", "counts tensors only");
    row("no initialization", "0-3 device 12 5 steps", "partial 0/4",
        "does not cover initialization");
    row("other phases are no initialization",
        "0-3 device 12 load forward backward optimizer save evaluate 5 steps", "partial 0/4",
        "does not cover initialization");
    row("no complete step", "0-3 device 12 init", "partial 0/4", "covers no complete step");
    row("phases are no complete step", "0-3 device 12 init forward backward optimizer",
        "partial 0/4", "covers no complete step");
    row("one step", "0-3 device 12 init 1 steps", "partial 0/4", "covers one complete step");
    row("two steps", "0-3 device 12 init 2 steps", "demonstrated 4/4", "");
    row("initialization and steps in two readings", "0-3 device 12 init; 0-3 device 12 5 steps",
        "partial 0/4", "");

    row("reserved, outside established", "0-3 reserved 10 init 2 steps", "demonstrated 4/4", "");
    on("reserved, outside open", four, "", 0, "0-3 reserved 10 init 2 steps", "partial 0/4",
        "what lies outside the allocator is not established");
    on("device, outside open", four, "", 0, "0-3 device 12 init 2 steps", "demonstrated 4/4", "");
    row("reserved and outside just fit", "0-3 reserved 15 init 2 steps", "demonstrated 4/4", "");
    row("reserved and outside do not fit", "0-3 reserved 15+1 init 2 steps", "partial 0/4",
        "with the 1.00 GiB outside the allocator it would be above the usable 16.00 GiB");

    on("usable not confirmed", { -16, -16, -16, -16 }, "", 1, "0-3 device 12 init 2 steps",
        "partial 0/4", "the usable allocation is not confirmed");
    on("one usable not confirmed", { 16, 16, -16, 16 }, "", 1, "0-3 device 12 init 2 steps",
        "partial 3/4", "the usable allocation is not confirmed");

    row("out of memory", "0-3 oom", "contradicted 0/4", "A run ran out of memory on 0-3.");
    row("out of memory on one", "2 oom", "contradicted 0/4", "A run ran out of memory on 2.");
    row("out of memory with a low peak", "0-3 device 12 init 2 steps oom", "contradicted 0/4",
        "ran out of memory");
    row("out of memory beside a full demonstration", "0-3 device 12 init 2 steps; 3 oom",
        "contradicted 4/4", "A run ran out of memory on 3.");
    row("the first contradiction decides", "1 oom; 2 device 17 init 2 steps", "contradicted 0/4",
        "A run ran out of memory on 1.");
    row("out of memory in another state", "0-3 oom stale", "none 0/4", "another state");
    row("out of memory in another state, shown since", "0-3 oom stale; 0-3 device 12 init 2 steps",
        "demonstrated 4/4", "");

    row("exactly usable", "0-3 device 16 init 2 steps", "demonstrated 4/4", "");
    row("a byte above usable", "0-3 device 16+1 init 2 steps", "contradicted 0/4",
        "is above the usable 16.00 GiB");
    row("tensors above usable", "0-3 allocated 17", "contradicted 0/4",
        "The reading of 0-3, 17.00 GiB (allocated (tensors)), is above the usable 16.00 GiB.");
    row("reserved above usable", "0-3 reserved 17", "contradicted 0/4", "is above the usable");
    on("above one usable of several", { 80, 80, 16, 80 }, "", 1, "0-3 device 40 init 2 steps",
        "contradicted 3/4", "is above the usable 16.00 GiB");
    on("above usable that nobody confirmed", { -16, -16, -16, -16 }, "", 1, "0-3 device 17",
        "contradicted 0/4", "which nobody confirmed");
    on("an average above the smaller usable shows nothing", { 80, 80, 16, 80 }, "", 1,
        "0-3 device 40 init 2 steps average", "partial 0/4", "is an average");
    row("an average above every usable", "0-3 device 17 average", "contradicted 0/4",
        "The average of 0-3, 17.00 GiB");
    row("above usable in another state", "0-3 device 17 stale", "none 0/4", "another state");

    row("another state", "0-3 device 12 init 2 steps stale", "none 0/4",
        "The reading of 0-3 was recorded for another state of this offer.");
    row("half of it another state", "0-1 device 12 init 2 steps stale; 2-3 device 12 init 2 steps",
        "partial 2/4", "2 of 4 devices");

    row("two halves", "0-1 device 12 init 2 steps; 2-3 device 13 init 3 steps", "demonstrated 4/4",
        "");
    row("one by one, in any order",
        "3 device 12 init 2 steps; 0 device 12 init 2 steps; 2 device 12 init 2 steps; "
        "1 device 12 init 2 steps",
        "demonstrated 4/4", "");
    row("halves that overlap and leave one",
        "0-1 device 12 init 2 steps; 1-2 device 12 init 2 steps", "partial 3/4", "3 of 4 devices");
    row("a short reading of one device", "0-2 device 12 init 5 steps; 3 device 11 init 1 steps",
        "partial 3/4", "The reading of 3 covers one complete step");
    row("mixed scopes", "0-1 device 12 init 2 steps; 2-3 reserved 10 init 2 steps",
        "demonstrated 4/4", "");
    row("tensors first, device memory later", "0-3 allocated 9; 0-3 device 12 init 2 steps",
        "demonstrated 4/4", "");

    on("two ranks on each of two devices", { 80, 80 }, "0 0 1 1", 1, "0-1 device 40 init 2 steps",
        "demonstrated 2/2", "");
    on("two ranks on one of two devices", { 80, 80 }, "0 0 1", 1, "0 device 40 init 2 steps",
        "partial 1/2", "1 of 2 devices");
    on("idle devices do not take part", four, "0 1", 1, "0-1 device 12 init 2 steps",
        "demonstrated 2/2", "");
    on("idle devices and one that is not measured", four, "0 1", 1, "1-3 device 12 init 2 steps",
        "partial 1/2", "1 of 2 devices");
    on("only idle devices measured", four, "0 1", 1, "2-3 device 12 init 2 steps", "none 0/2",
        "The reading of 2-3 is about no device with a rank.");
    on("out of memory on an idle device", four, "0 1", 1, "3 oom", "none 0/2",
        "is about no device with a rank");
    on("above usable on an idle device", four, "0 1", 1, "1-3 device 12 init 2 steps; 3 device 17",
        "partial 1/2", "");
    on("no device", {}, "", 1, "", "none 0/0", "No run was measured.");
}

void TestCoverage::rules()
{
    QFETCH(QVector<int>, usable);
    QFETCH(QString, ranks);
    QFETCH(int, outside);
    QFETCH(QString, measured);
    QFETCH(QString, expected);
    QFETCH(QString, rule);
    const Account account
        = accountOf(siteOf({ usable.begin(), usable.end() }), placed(ranks), workload(outside));
    const Recorded recorded(measured);
    const Demonstration shown = demonstrate(account, recorded.evidence);
    QCOMPARE(QStringLiteral("%1 %2/%3")
                 .arg(QLatin1StringView(id(shown.value)))
                 .arg(shown.covered)
                 .arg(shown.participating),
        expected);
    QVERIFY2(q(shown.rule).contains(rule), shown.rule.c_str());
    QVERIFY(shown.covered <= shown.measured && shown.measured <= shown.participating);
    QVERIFY2(q(shown.rule).endsWith(u'.'), shown.rule.c_str());
}

/// Whatever else holds of a reading, each of these alone keeps it from demonstrating anything.
void TestCoverage::neverDemonstrated()
{
    const Account account = accountOf(siteOf({ 80, 80, 80, 80 }), placed({}), workload());
    const char* const faults[]
        = { "average", "some", "allocated", "no init", "no step", "one step", "stale" };
    for (unsigned mask = 1; mask < (1U << std::size(faults)); ++mask) {
        const auto has = [&](unsigned fault) { return (mask & (1U << fault)) != 0; };
        const QString text = QStringLiteral("%1 %2 12 %3 %4 %5 %6")
                                 .arg(has(1) ? "0-2" : "0-3", has(2) ? "allocated" : "device",
                                     has(0) ? "average" : "", has(3) ? "forward" : "init",
                                     has(4)       ? "0 steps"
                                         : has(5) ? "1 steps"
                                                  : "9 steps",
                                     has(6) ? "stale" : "");
        const Recorded recorded(text);
        const Demonstration shown = demonstrate(account, recorded.evidence);
        QVERIFY2(
            shown.value == (has(6) ? Demonstrated::None : Demonstrated::Partial), qPrintable(text));
        QVERIFY2(shown.covered < 4, qPrintable(text));
    }
}

void TestCoverage::highestReading_data()
{
    QTest::addColumn<QString>("measured");
    QTest::addColumn<QString>("expected"); // GiB, scope, first device
    QTest::newRow("none") << ""
                          << "-";
    QTest::newRow("one") << "1-2 device 12"
                         << "12 device 1";
    QTest::newRow("the higher") << "0 device 12; 2 device 13; 1 device 11"
                                << "13 device 2";
    QTest::newRow("equal: the first") << "2 device 12; 1 device 12"
                                      << "12 device 2";
    QTest::newRow("the wider memory, though less") << "0 allocated 14; 1 device 12"
                                                   << "12 device 1";
    QTest::newRow("reserved before allocated") << "0 reserved 11; 1 allocated 12"
                                               << "11 reserved 0";
    QTest::newRow("no average") << "0-3 device 15 average; 1 allocated 9"
                                << "9 allocated 1";
    QTest::newRow("of another state") << "0 device 15 stale"
                                      << "-";
    QTest::newRow("above usable") << "0-3 device 17; 1 device 12"
                                  << "17 device 0";
    QTest::newRow("before it ran out") << "3 device 15 oom"
                                       << "15 device 3";
}

void TestCoverage::highestReading()
{
    QFETCH(QString, measured);
    QFETCH(QString, expected);
    const Account account = accountOf(siteOf({ 16, 16, 16, 16 }), placed({}), workload());
    const Recorded recorded(measured);
    const Demonstration shown = demonstrate(account, recorded.evidence);
    QCOMPARE(shown.highest ? QStringLiteral("%1 %2 %3")
                                 .arg(shown.highest->count() / kGiB)
                                 .arg(QLatin1StringView(id(shown.highestScope)))
                                 .arg(shown.highestGpu)
                           : QStringLiteral("-"),
        expected);
}

void TestCoverage::verdictOfEachReading()
{
    const Account account = accountOf(siteOf({ 16, 16, 16, -16 }), placed("0 1 3"), workload());
    const Recorded recorded("0-3 device 12 init 2 steps; 0-3 allocated 9; 2 device 1; 1 oom; "
                            "0 device 12 stale; 0 device 12 init 2 steps");
    const std::vector<ReadingVerdict> readings = demonstrate(account, recorded.evidence).readings;
    QCOMPARE(readings.size(), std::size_t(6));
    QCOMPARE(q(readings[0].gpus.text()), QString("0-1,3"));
    QCOMPARE(readings[0].counted, std::int64_t(2));
    QVERIFY(q(readings[0].shortfall).contains("not confirmed"));
    QCOMPARE(readings[1].counted, std::int64_t(0));
    QVERIFY(q(readings[1].shortfall).contains("tensors only"));
    QVERIFY(readings[2].gpus.empty());
    QVERIFY(q(readings[2].shortfall).contains("no device with a rank"));
    QVERIFY(readings[3].contradicts);
    QVERIFY(!readings[3].otherState);
    QVERIFY(readings[4].otherState);
    QCOMPARE(readings[4].counted, std::int64_t(0));
    QCOMPARE(readings[5].counted, std::int64_t(1));
    QVERIFY(readings[5].shortfall.empty());
}

/// 6 + 1 + 1 + 1 GiB of tensors, 1 of slack, 1 outside; a second rank on a device doubles all.
void TestCoverage::estimates()
{
    const Account one = accountOf(siteOf({ 80, 80, 80 }), placed("0 1 1"), workload());
    const auto gib = [&](MemoryScope scope, int first, int last) {
        const auto sum = estimateFor(scope, RankSet::range(first, last), one);
        return sum && !sum->atLeast ? sum->established.count() / kGiB : -1;
    };
    QCOMPARE(gib(MemoryScope::Allocated, 0, 0), 9);
    QCOMPARE(gib(MemoryScope::Reserved, 0, 0), 10);
    QCOMPARE(gib(MemoryScope::Device, 0, 0), 11);
    QCOMPARE(gib(MemoryScope::Allocated, 1, 1), 18);
    QCOMPARE(gib(MemoryScope::Reserved, 1, 1), 20);
    // A peak over several devices is compared with the largest estimate of them.
    QCOMPARE(gib(MemoryScope::Device, 0, 2), 22);
    QVERIFY(!estimateFor(MemoryScope::Device, RankSet::range(2, 2), one));

    const Account open = accountOf(siteOf({ 80 }), placed({}), workload(0));
    const RankSet first = RankSet::range(0, 0);
    QVERIFY(!estimateFor(MemoryScope::Reserved, first, open)->atLeast);
    QVERIFY(estimateFor(MemoryScope::Device, first, open)->atLeast);
    QCOMPARE(estimateFor(MemoryScope::Device, first, open)->established.count(), 10 * kGiB);
}

/// 16,384 devices are a few intervals: a millisecond or so, and no more than a frame where each
/// server has a measurement of its own.
void TestCoverage::manyDevices()
{
    Rack rack;
    rack.units = 64;
    for (int i = 0; i < 8; ++i) {
        Server server;
        server.unit = 1 + 8 * i;
        server.height = 8;
        server.gpuSlots = 8;
        server.gpus = { GpuRun { "h100-sxm5-80", 8, {}, true, nullptr } };
        rack.servers.push_back(server);
    }
    Site site;
    for (int i = 0; i < 256; ++i) {
        rack.name = "R" + std::to_string(i);
        for (int server = 0; server < 8; ++server) {
            rack.servers[std::size_t(server)].id = 1 + 8 * i + server;
            rack.servers[std::size_t(server)].name = rack.name + "-" + std::to_string(server);
        }
        site.racks.push_back(std::make_shared<const Rack>(rack));
    }
    const Account account = accountOf(site, placed({}), workload());
    const auto best = [&](const Recorded& recorded, std::int64_t covered) {
        qint64 least = std::numeric_limits<qint64>::max();
        for (int i = 0; i < 7; ++i) {
            QElapsedTimer timer;
            timer.start();
            const Demonstration shown = demonstrate(account, recorded.evidence);
            least = std::min(least, timer.nsecsElapsed());
            if (shown.covered != covered || shown.participating != 16384)
                return qint64(-1);
        }
        return least;
    };
    const qint64 one = best(Recorded("0-16383 device 60 init 2 steps"), 16384);
    QVERIFY(one >= 0);
    QVERIFY2(one < 3'000'000, qPrintable(QString::number(one)));
    QStringList each;
    for (int server = 0; server < 2048; ++server)
        each += QStringLiteral("%1-%2 device 60 init 2 steps").arg(8 * server).arg(8 * server + 7);
    const qint64 many = best(Recorded(each.join(u';')), 16384);
    QVERIFY(many >= 0);
    QVERIFY2(many < 16'000'000, qPrintable(QString::number(many)));
}

QTEST_GUILESS_MAIN(TestCoverage)
#include "test_coverage.moc"
