#include "trace/step_trace.h"

#include <QTest>

#include <random>

using namespace shardrack;

class TestStepTrace : public QObject {
    Q_OBJECT
private slots:
    void peakNamesTheLargestMoment();
    void equalMomentsNameTheLatestOfASteadyStep();
    void aLoopThatGrowsPeaksInItsLastPass();
    void aLoopThatShrinksPeaksInItsFirstPass();
    void prefetchAcrossPasses();
    void reductionEqualsExpansion();
};

void TestStepTrace::peakNamesTheLargestMoment()
{
    StepTrace trace;
    const auto weights = trace.declare(Category::Parameters, Bytes(100));
    const auto gradients = trace.declare(Category::Gradients, Bytes(50));
    const auto moments = trace.declare(Category::Optimizer, Bytes(20));
    trace.phase(Phase::Init);
    trace.born(weights);
    trace.phase(Phase::Backward);
    trace.born(gradients);
    trace.dies(gradients);
    trace.phase(Phase::Optimizer);
    trace.born(moments);
    const PeakPair found = peaks(trace);
    QCOMPARE(found.peak.phase, Phase::Backward);
    QCOMPARE(total(found.peak.held).count(), 150);
    QCOMPARE(found.peak.held[index(Category::Gradients)].count(), 50);
    QCOMPARE(found.runnerUp.phase, Phase::Optimizer);
    QCOMPARE(total(found.runnerUp.held).count(), 120);
}

void TestStepTrace::equalMomentsNameTheLatestOfASteadyStep()
{
    StepTrace trace;
    trace.phase(Phase::Init);
    trace.born(trace.declare(Category::State, Bytes(7)));
    for (const Phase phase : { Phase::FirstForward, Phase::FirstBackward, Phase::FirstOptimizer,
             Phase::Forward, Phase::Backward, Phase::Optimizer, Phase::Save, Phase::Evaluate })
        trace.phase(phase);
    QCOMPARE(peaks(trace).peak.phase, Phase::Optimizer);
}

void TestStepTrace::aLoopThatGrowsPeaksInItsLastPass()
{
    // 32 layers keep 10 each in forward, and use 3 while they compute: 32 × 10 + 3 at the end.
    StepTrace trace;
    const auto kept = trace.declare(Category::Activations, Bytes(10));
    const auto scratch = trace.declare(Category::Temporary, Bytes(3));
    trace.phase(Phase::Forward);
    trace.beginLoop(32);
    trace.born(kept);
    trace.born(scratch);
    trace.dies(scratch);
    trace.endLoop();
    trace.phase(Phase::Backward);
    trace.beginLoop(32);
    trace.dies(kept);
    trace.endLoop();
    QCOMPARE(total(peaks(trace).peak.held).count(), 323);
    QCOMPARE(total(heldAtEnd(trace)).count(), 0);
}

void TestStepTrace::aLoopThatShrinksPeaksInItsFirstPass()
{
    StepTrace trace;
    const auto kept = trace.declare(Category::Activations, Bytes(10));
    const auto scratch = trace.declare(Category::Temporary, Bytes(4));
    trace.phase(Phase::Forward);
    trace.beginLoop(5);
    trace.born(kept);
    trace.endLoop();
    trace.phase(Phase::Backward);
    trace.beginLoop(5);
    trace.born(scratch);
    trace.dies(scratch);
    trace.dies(kept);
    trace.endLoop();
    const PeakPair found = peaks(trace);
    QCOMPARE(found.peak.phase, Phase::Backward);
    QCOMPARE(total(found.peak.held).count(), 54);
}

void TestStepTrace::prefetchAcrossPasses()
{
    // Unit i + 1 is gathered while unit i computes: two units at once, one left for the epilogue.
    StepTrace trace;
    const auto unit = trace.declare(Category::Gathered, Bytes(8));
    trace.phase(Phase::Forward);
    trace.born(unit);
    trace.beginLoop(11);
    trace.born(unit);
    trace.dies(unit);
    trace.endLoop();
    trace.dies(unit);
    QCOMPARE(total(peaks(trace).peak.held).count(), 16);
    QCOMPARE(total(heldAtEnd(trace)).count(), 0);
}

namespace {

/// A random tree of births, deaths and loops, nested up to three deep.
void fill(StepTrace& trace, std::mt19937& random, int depth)
{
    static const Category categories[]
        = { Category::Parameters, Category::Gradients, Category::Activations, Category::Temporary };
    const int steps = 1 + int(random() % 6);
    for (int step = 0; step < steps; ++step) {
        const unsigned choice = random() % 8;
        if (choice < 2 && depth < 3) {
            trace.beginLoop(std::int64_t(random() % 6));
            fill(trace, random, depth + 1);
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

} // namespace

void TestStepTrace::reductionEqualsExpansion()
{
    std::mt19937 random(20240817);
    for (int round = 0; round < 10'000; ++round) {
        StepTrace trace;
        trace.phase(Phase::Init);
        fill(trace, random, 0);
        const PeakPair quick = peaks(trace);
        const PeakPair slow = peaksByExpansion(trace);
        QCOMPARE(quick.peak.phase, slow.peak.phase);
        QVERIFY2(quick == slow, qPrintable(QString::number(round)));
    }
}

QTEST_GUILESS_MAIN(TestStepTrace)
#include "test_step_trace.moc"
