// The timeline of a rank agrees with its account to the byte.

#include "plan/rank_timeline.h"

#include "plan_texts.h"

using namespace shardrack;

namespace {

std::string planOf(const std::string& model, const std::string& megatron, const std::string& recipe,
    const std::string& layout, const std::string& terms = "")
{
    return R"({"format": "shardrack-plan", "version": 1, "title": "t", "workload": {
  "model": {"preset": ")"
        + model + R"("}, )" + terms + R"(
  "recipe": {"framework": "megatron", "optimizer": "adamw", "recompute": "none", )"
        + recipe + R"(, "megatron": )" + megatron + R"(}},
 "offers": [{"name": "O", "site": {"racks": [{"name": "A", "servers": [{"name": "A{1..4}",
   "height": 8, "gpus": {"type": "h100-sxm5-80", "count": 8}}]}]}, "layout": )"
        + layout + "}]}";
}

} // namespace

class TestRankTimeline : public QObject {
    Q_OBJECT
private slots:
    void agreesWithTheAccount_data();
    void agreesWithTheAccount();
    void theFirstStepLacksWhatItsOptimizerCreates();
    void aStipulatedStateIsHeldAllTheTime();
    void aRankThatDoesNotExist();
};

void TestRankTimeline::agreesWithTheAccount_data()
{
    QTest::addColumn<QByteArray>("plan");
    const auto row = [](const char* name, const std::string& plan) {
        QTest::newRow(name) << QByteArray::fromStdString(plan);
    };
    const char* step = R"("micro_batch": 1, "sequence": 4096, "global_batch": 128)";
    row("replicas", planOf("llama-2-7b", "{}", step, R"({"preset": "ddp"})"));
    row("tensor and pipeline",
        planOf("llama-2-7b", R"({"distributed_optimizer": true, "sequence_parallel": true})", step,
            R"({"preset": "megatron", "tp": 2, "pp": 4})"));
    row("interleaved",
        planOf("llama-2-7b", R"({"distributed_optimizer": true, "virtual_stages": 2})", step,
            R"({"preset": "megatron", "pp": 4})"));
    row("local, fp16",
        planOf("llama-2-7b", R"({"implementation": "local", "precision": "fp16"})", step,
            R"({"preset": "megatron", "tp": 4})"));
    row("given activations",
        planOf("llama-2-7b", "{}", step, R"({"preset": "megatron", "tp": 8})",
            R"("terms": {"activations_bytes": 5368709120, "slack_bytes": 1073741824},)"));
    row("no framework", R"({"format": "shardrack-plan", "version": 1, "title": "t", "workload": {
  "model": {"preset": "llama-2-7b"}, "recipe": {"bytes_per_parameter": {"parameters": 2,
  "gradients": 2, "optimizer": 8, "master": 4}}, "terms": {"outside_bytes": 1073741824,
  "slack_bytes": 123456789}},
 "offers": [{"name": "O", "site": {"racks": [{"name": "A", "servers": [{"name": "A1",
   "height": 8, "gpus": {"type": "h100-sxm5-80", "count": 8}}]}]},
   "layout": {"preset": "fsdp"}}]})");
}

void TestRankTimeline::agreesWithTheAccount()
{
    QFETCH(QByteArray, plan);
    const Plan read = readPlan(plan.toStdString()).value().plan;
    const auto assessment = assess(read, 0);
    QVERIFY(!assessment->error);
    const Account& account = assessment->account;
    for (const RankClass& ranks : account.rankClasses) {
        for (const std::size_t most : { std::size_t(100), kMostMoments }) {
            const RankTimeline timeline
                = rankTimeline(read.workloadOf(0), *assessment, ranks.ranks.front(), most).value();
            QCOMPARE(timeline.need().count(), ranks.need.established.count());
            const std::size_t peak = timeline.timeline.peak;
            QCOMPARE(timeline.held(peak).count(), ranks.need.established.count());
            QCOMPARE(timeline.timeline.moments[peak].phase, ranks.peakPhase);
            for (const Category category : kCategories)
                if (category < Category::Slack)
                    QCOMPARE(timeline.timeline.moments[peak].held[index(category)].count(),
                        ranks.atPeak[index(category)].established.count());
            // Nothing is held that is above the peak, and nothing that is reserved is given back.
            Bytes before;
            for (std::size_t i = 0; i < timeline.timeline.moments.size(); ++i) {
                QVERIFY(timeline.held(i) <= timeline.need());
                QVERIFY(timeline.reserved(i) >= before);
                QVERIFY(timeline.reserved(i) >= timeline.tensors(i));
                before = timeline.reserved(i);
            }
            // The phases' largest moments are the account's.
            for (const Peak& phase : ranks.phases) {
                const auto largest = timeline.timeline.largest[std::size_t(phase.phase)];
                QVERIFY(largest.has_value());
                if (ranks.terms.end()
                    == std::find_if(ranks.terms.begin(), ranks.terms.end(), [](const Term& term) {
                           return term.category < Category::Slack && !isState(term.category)
                               && term.amount.provenance() == Provenance::Stipulated;
                       }))
                    QVERIFY(timeline.timeline.moments[*largest].held == phase.held);
            }
            Bytes sum;
            for (const HeldTensors& held : heldAt(timeline, peak))
                sum += held.bytes();
            QCOMPARE(sum.count(), timeline.tensors(peak).count());
        }
    }
}

void TestRankTimeline::theFirstStepLacksWhatItsOptimizerCreates()
{
    // Adam's two moments of 4 bytes appear in the first optimizer step: 8 bytes a parameter,
    // divided by nothing. Llama-2-7B has 6,738,415,616 parameters (arXiv:2307.09288).
    const Plan plan = readPlan(
        planOf("llama-2-7b", "{}", R"("micro_batch": 1, "sequence": 4096, "global_batch": 32)",
            R"({"preset": "ddp"})"))
                          .value()
                          .plan;
    const RankTimeline timeline = rankTimeline(plan.workloadOf(0), *assess(plan, 0), 0).value();
    const auto& moments = timeline.timeline.moments;
    const Bytes optimizerBefore
        = moments[*timeline.timeline.firstLoss].held[index(Category::Optimizer)];
    const Bytes optimizerAfter
        = moments[*timeline.timeline.steadyLoss].held[index(Category::Optimizer)];
    QCOMPARE((optimizerAfter - optimizerBefore).count(), 8 * 6'738'415'616);
    QVERIFY(timeline.tensors(*timeline.timeline.firstLoss)
        < timeline.tensors(*timeline.timeline.steadyLoss));
}

void TestRankTimeline::aStipulatedStateIsHeldAllTheTime()
{
    const Plan plan = readPlan(R"({"format": "shardrack-plan", "version": 1, "title": "t",
 "workload": {"state": {"stipulated": {"total_bytes": 25769803776}}},
 "offers": [{"name": "O", "site": {"racks": [{"name": "A", "servers": [{"name": "A1",
   "height": 8, "gpus": {"type": "h100-sxm5-80", "count": 4}}]}]},
   "layout": {"preset": "fsdp"}}]})")
                          .value()
                          .plan;
    const RankTimeline timeline = rankTimeline(plan.workloadOf(0), *assess(plan, 0), 3).value();
    QVERIFY(!timeline.workingSetDerived());
    // 24 GiB ÷ 4.
    QCOMPARE(timeline.need().count(), 6 * kGiB);
    QCOMPARE(timeline.tensors(*timeline.timeline.quiet).count(), 6 * kGiB);
    QCOMPARE(timeline.tensors(*timeline.timeline.built).count(), 6 * kGiB);
}

void TestRankTimeline::aRankThatDoesNotExist()
{
    const Plan plan = emptyPlan();
    QVERIFY(!rankTimeline(*plan.workload, Assessment {}, 0));
}

QTEST_GUILESS_MAIN(TestRankTimeline)
#include "test_rank_timeline.moc"
