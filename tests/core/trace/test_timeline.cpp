#include "trace/timeline.h"

#include <QTest>

#include <random>

using namespace shardrack;

namespace {

/// A random tree of births, deaths and loops, nested up to three deep; nothing dies unborn.
void fill(StepTrace& trace, std::mt19937& random, int depth, int mostPasses)
{
    static const Category categories[]
        = { Category::Parameters, Category::Gradients, Category::Activations, Category::Temporary };
    const int steps = 1 + int(random() % 6);
    for (int step = 0; step < steps; ++step) {
        const unsigned choice = random() % 8;
        if (choice < 2 && depth < 3) {
            trace.beginLoop(std::int64_t(random() % unsigned(mostPasses)));
            fill(trace, random, depth + 1, mostPasses);
            trace.endLoop();
        } else if (choice == 2) {
            trace.phase(static_cast<Phase>(random() % 10));
        } else {
            const auto tensor
                = trace.declare(categories[random() % 4], Bytes(1 + std::int64_t(random() % 1000)));
            trace.born(tensor);
            if (random() % 2 == 0)
                trace.dies(tensor);
        }
    }
}

StepTrace randomTrace(std::mt19937& random, int mostPasses)
{
    StepTrace trace;
    trace.phase(Phase::Init);
    fill(trace, random, 0, mostPasses);
    return trace;
}

CategoryBytes bytesOfContents(const StepTrace& trace, const std::vector<std::int64_t>& counts)
{
    CategoryBytes held {};
    for (std::uint32_t tensor = 0; tensor < counts.size(); ++tensor)
        held[index(trace.tensor(tensor).category)] += trace.tensor(tensor).bytes * counts[tensor];
    return held;
}

/// 3 layers keep 10 each in forward and use 4 while they compute; backward frees them.
StepTrace smallStep()
{
    StepTrace trace;
    const auto weights = trace.declare(Category::Parameters, Bytes(100));
    const auto kept = trace.declare(Category::Activations, Bytes(10));
    const auto scratch = trace.declare(Category::Temporary, Bytes(4));
    const auto moments = trace.declare(Category::Optimizer, Bytes(200));
    trace.phase(Phase::Init);
    trace.born(weights);
    for (const bool first : { true, false }) {
        trace.phase(first ? Phase::FirstForward : Phase::Forward);
        trace.beginLoop(3);
        trace.born(kept);
        trace.born(scratch);
        trace.dies(scratch);
        trace.endLoop();
        trace.phase(first ? Phase::FirstBackward : Phase::Backward);
        trace.beginLoop(3);
        trace.dies(kept);
        trace.endLoop();
        trace.phase(first ? Phase::FirstOptimizer : Phase::Optimizer);
        if (first)
            trace.born(moments);
    }
    return trace;
}

} // namespace

class TestTimeline : public QObject {
    Q_OBJECT
private slots:
    void momentsOfASmallStep();
    void contentsOfASmallStep();
    void longLoopsAreReducedFromOutsideIn();
    void theMaximumIsThePeak();
    void contentsAddUp();
    void theLastMomentIsTheEnd();
    void anEmptyTrace();
};

void TestTimeline::momentsOfASmallStep()
{
    const Timeline timeline = timelineOf(smallStep());
    // Init: start, weights. Each forward: start, 3 × (born, born, dies). Each backward: start,
    // 3 deaths. Optimizers: start and the moments; start.
    QCOMPARE(timeline.moments.size(), std::size_t(2 + 10 + 4 + 2 + 10 + 4 + 1));
    QVERIFY(timeline.reduced.empty());
    QCOMPARE(timeline.stretches.size(), std::size_t(7));
    // 100 + 200 + 3 × 10 + 4 in the third layer of the steady forward, whose start is moment 18.
    QCOMPARE(timeline.peak, std::size_t(18 + 8));
    QCOMPARE(timeline.moments[timeline.peak].total.count(), 334);
    QCOMPARE(timeline.steadyPeak, std::optional(timeline.peak));
    // The first step lacks the moments, which its optimizer creates: 100 + 30 + 4; but then holds
    // 100 + 200.
    QCOMPARE(
        timeline.moments[*timeline.largest[std::size_t(Phase::FirstForward)]].total.count(), 134);
    QCOMPARE(timeline.moments[*timeline.firstPeak].total.count(), 300);
    QCOMPARE(timeline.moments[*timeline.firstLoss].total.count(), 130);
    QCOMPARE(timeline.moments[*timeline.steadyLoss].total.count(), 330);
    QCOMPARE(timeline.moments[*timeline.built].total.count(), 100);
    QCOMPARE(timeline.moments[*timeline.firstQuiet].total.count(), 300);
    QCOMPARE(timeline.moments[*timeline.quiet].total.count(), 300);
    QCOMPARE(*timeline.quiet, timeline.moments.size() - 1);
    QVERIFY(timeline.inFirstStep(5));
    QVERIFY(timeline.inSteadyStep(timeline.peak));
    QVERIFY(!timeline.inFirstStep(1));
}

void TestTimeline::contentsOfASmallStep()
{
    const StepTrace trace = smallStep();
    const Timeline timeline = timelineOf(trace);
    // Weights, three kept activations, one scratch, the moments.
    QCOMPARE(
        contentsAt(trace, timeline, timeline.peak), (std::vector<std::int64_t> { 1, 3, 1, 1 }));
    QCOMPARE(contentsAt(trace, timeline, 0), (std::vector<std::int64_t> { 0, 0, 0, 0 }));
    QCOMPARE(contentsAt(trace, timeline, 1), (std::vector<std::int64_t> { 1, 0, 0, 0 }));
    QCOMPARE(
        contentsAt(trace, timeline, *timeline.quiet), (std::vector<std::int64_t> { 1, 0, 0, 1 }));
}

void TestTimeline::longLoopsAreReducedFromOutsideIn()
{
    // 1,000 micro-batches of 20 layers: 20,000 events a phase.
    StepTrace trace;
    const auto kept = trace.declare(Category::Activations, Bytes(10));
    const auto gradient = trace.declare(Category::Gradients, Bytes(1));
    trace.phase(Phase::Forward);
    trace.beginLoop(1000);
    trace.beginLoop(20);
    trace.born(kept);
    trace.endLoop();
    trace.beginLoop(20);
    trace.dies(kept);
    trace.endLoop();
    trace.born(gradient);
    trace.endLoop();
    const Timeline timeline = timelineOf(trace, 500);
    // The layers stay, of the micro-batches the first and the last: start, 2 × 41, and the mark.
    QCOMPARE(timeline.reduced, (std::vector<std::uint32_t> { 1 }));
    QCOMPARE(timeline.moments.size(), std::size_t(1 + 2 * 41 + 1));
    const Timeline::Moment& skipped = timeline.moments[1 + 41];
    QCOMPARE(skipped.kind, Timeline::Moment::Kind::Skipped);
    QCOMPARE(skipped.times, 998);
    QCOMPARE(skipped.total.count(), 999);
    // 999 gradients and 20 activations in the last micro-batch.
    QCOMPARE(timeline.moments[timeline.peak].total.count(), 999 + 200);
    QCOMPARE(contentsAt(trace, timeline, timeline.peak), (std::vector<std::int64_t> { 20, 999 }));
    // Where even that is too much, the layers too: a pass is 2 × (1 + mark + 1) events and the
    // gradient.
    QCOMPARE(timelineOf(trace, 20).moments.size(), std::size_t(1 + 2 * (2 * 3 + 1) + 1));
}

void TestTimeline::theMaximumIsThePeak()
{
    std::mt19937 random(20261130);
    for (int round = 0; round < 4000; ++round) {
        const StepTrace trace = randomTrace(random, round % 2 == 0 ? 6 : 40);
        const std::size_t most = std::size_t(round % 3 == 0 ? 20'000 : 5 + random() % 200);
        const Timeline timeline = timelineOf(trace, most);
        const Peak expected = peaks(trace).peak;
        const Timeline::Moment& peak = timeline.moments[timeline.peak];
        QCOMPARE(peak.phase, expected.phase);
        QVERIFY2(peak.held == expected.held, qPrintable(QString::number(round)));
        Bytes highest;
        for (const Timeline::Moment& moment : timeline.moments) {
            QCOMPARE(total(moment.held), moment.total);
            highest = std::max(highest, moment.total);
        }
        QCOMPARE(highest.count(), total(expected.held).count());
    }
}

void TestTimeline::contentsAddUp()
{
    std::mt19937 random(7);
    for (int round = 0; round < 300; ++round) {
        const StepTrace trace = randomTrace(random, 12);
        const Timeline timeline = timelineOf(trace, std::size_t(5 + random() % 100));
        for (std::size_t moment = 0; moment < timeline.moments.size();
             moment += 1 + timeline.moments.size() / 50)
            QVERIFY(bytesOfContents(trace, contentsAt(trace, timeline, moment))
                == timeline.moments[moment].held);
        // At the largest moment of each phase as contents() counts them.
        for (std::size_t phase = 0; phase < timeline.largest.size(); ++phase)
            if (timeline.largest[phase])
                QVERIFY(bytesOfContents(trace, contents(trace, Phase(phase)))
                    == timeline.moments[*timeline.largest[phase]].held);
    }
}

void TestTimeline::theLastMomentIsTheEnd()
{
    std::mt19937 random(11);
    for (int round = 0; round < 300; ++round) {
        const StepTrace trace = randomTrace(random, 9);
        for (const std::size_t most : { std::size_t(3), std::size_t(50), kMostMoments })
            QVERIFY(timelineOf(trace, most).moments.back().held == heldAtEnd(trace));
    }
}

void TestTimeline::anEmptyTrace()
{
    const Timeline timeline = timelineOf(StepTrace {});
    QVERIFY(timeline.empty());
    QVERIFY(!timeline.quiet);
    QVERIFY(contentsAt(StepTrace {}, timeline, 0).empty());
}

QTEST_GUILESS_MAIN(TestTimeline)
#include "test_timeline.moc"
