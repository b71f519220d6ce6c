// Replicas against shards: flat, falling, and the floor that no sharding lowers.

#include "plan/shard_curves.h"

#include "plan_texts.h"

using namespace shardrack;
using plantexts::ts24;

namespace {

ShardCurves curvesOf(const std::string& text, std::size_t offer = 0)
{
    const Plan plan = readPlan(text).value().plan;
    return shardCurves(plan, offer, *assess(plan, offer)).value();
}

std::int64_t needAt(const ShardCurves& curves, LayoutPreset preset, std::int32_t gpus)
{
    for (const ShardPoint& point : curves.curve(preset)->points)
        if (point.gpus == gpus)
            return point.need.established.count();
    return -1;
}

/// A million parameters, 2 + 2 + 8 + 4 bytes each; 1,000,000 bytes of everything else in all.
const char* const kMillion = R"({"format": "shardrack-plan", "version": 1, "title": "t",
 "workload": {"model": {"parameters": 1048576},
  "recipe": {"bytes_per_parameter": {"parameters": 2, "gradients": 2, "optimizer": 8, "master": 4}},
  "terms": {"gathered_bytes": 100000, "activations_bytes": 600000, "temporary_bytes": 200000,
   "slack_bytes": 50000, "outside_bytes": 50000}},
 "offers": [{"name": "O", "site": {"racks": [{"name": "A", "servers": [
   {"name": "A{1..3}", "height": 8, "gpus": {"type": "h100-sxm5-80", "count": 8}}]}]},
   "layout": {"preset": "fsdp"}}]})";

} // namespace

class TestShardCurves : public QObject {
    Q_OBJECT
private slots:
    void aStipulatedTotal()
    {
        // DOMAIN.md section 3: 24 GiB whole on every replica, 24 ÷ n with shards.
        const ShardCurves curves = curvesOf(ts24());
        QCOMPARE(curves.gpus.front(), 1);
        QVERIFY(curves.gpus.back() >= 16); // four times the offer's four
        QCOMPARE(curves.curves.size(), std::size_t(3));
        for (const std::int32_t gpus : curves.gpus) {
            QCOMPARE(needAt(curves, LayoutPreset::Ddp, gpus), 24 * kGiB);
            QCOMPARE(needAt(curves, LayoutPreset::Fsdp, gpus), 24 * kGiB / gpus);
            // Four GPUs in a server: no further than a quarter.
            QCOMPARE(needAt(curves, LayoutPreset::Hsdp, gpus), 24 * kGiB / std::min(gpus, 4));
        }
        QVERIFY(curves.curve(LayoutPreset::Ddp)->points.front().need.atLeast);
        QVERIFY(curves.leftOut.find("ZeRO-1 and ZeRO-2") != std::string::npos);
        QCOMPARE(curves.replicaState.count(), 24 * kGiB);
        QVERIFY(curves.floor.atLeast);
        QCOMPARE(curves.floor.established.count(), 0);
        // 24 GiB ÷ 2 = 12 is within 16; 24 is not.
        QCOMPARE(curves.curve(LayoutPreset::Fsdp)->withinFrom, std::optional(2));
        QVERIFY(!curves.curve(LayoutPreset::Ddp)->withinFrom);
        QCOMPARE(curves.ownGpus, 4);
        QCOMPARE(curves.ownNeed.established.count(), 24 * kGiB);
        QVERIFY(curves.boundSentence.find("24 GiB − 24 GiB ÷ 64 = 23.63 GiB") != std::string::npos);
        QVERIFY(curves.floorSentence.find("activations") != std::string::npos);
        QVERIFY(curves.floorSentence.find("lower bound") != std::string::npos);
    }

    void aDerivedStateHasAllFive()
    {
        const ShardCurves curves = curvesOf(kMillion);
        QCOMPARE(curves.curves.size(), std::size_t(5));
        QVERIFY(curves.leftOut.empty());
        const std::int64_t n = 1048576;
        // A replica gathers nothing only where nobody gave what is gathered: here it is given.
        const std::int64_t rest = 1'000'000;
        for (const std::int32_t gpus : curves.gpus) {
            if (n % gpus != 0)
                continue;
            QCOMPARE(needAt(curves, LayoutPreset::Ddp, gpus), 16 * n + rest);
            QCOMPARE(needAt(curves, LayoutPreset::Zero1, gpus), 4 * n + 12 * n / gpus + rest);
            QCOMPARE(needAt(curves, LayoutPreset::Zero2, gpus), 2 * n + 14 * n / gpus + rest);
            QCOMPARE(needAt(curves, LayoutPreset::Fsdp, gpus), 16 * n / gpus + rest);
            QCOMPARE(needAt(curves, LayoutPreset::Hsdp, gpus), 16 * n / std::min(gpus, 8) + rest);
        }
        QCOMPARE(curves.floor.established.count(), rest);
        QVERIFY(!curves.floor.atLeast);
        QVERIFY(curves.openTerms.empty());
        // 24 GPUs are a point of their own, and four times as many are reached.
        QVERIFY(std::count(curves.gpus.begin(), curves.gpus.end(), 24) == 1);
        QVERIFY(curves.gpus.back() >= 96);
        // The offer's own point lies on its curve.
        QCOMPARE(needAt(curves, LayoutPreset::Fsdp, 24), curves.ownNeed.established.count());
    }

    void curvesNeverRise()
    {
        for (const std::string& text : { ts24(), std::string(kMillion) })
            for (const ShardCurve& curve : curvesOf(text).curves)
                for (std::size_t i = 1; i < curve.points.size(); ++i)
                    if (curve.preset != LayoutPreset::Hsdp) // 24 is no multiple of every group
                        QVERIFY(curve.points[i].need.established
                            <= curve.points[i - 1].need.established);
    }

    void megatronHasTwo()
    {
        const ShardCurves curves = curvesOf(
            R"({"format": "shardrack-plan", "version": 1, "title": "t", "workload": {
  "model": {"preset": "llama-2-7b"}, "recipe": {"framework": "megatron", "micro_batch": 1,
  "sequence": 4096, "recompute": "none", "optimizer": "adamw"}},
 "offers": [{"name": "O", "site": {"racks": [{"name": "A", "servers": [{"name": "A1",
   "height": 8, "gpus": {"type": "h100-sxm5-80", "count": 8}}]}]},
   "layout": {"preset": "megatron", "tp": 2}}]})");
        QCOMPARE(curves.curves.size(), std::size_t(2));
        QCOMPARE(curves.gpus.front(), 2); // one copy takes two
        QVERIFY(curves.leftOut.find("Megatron-LM") != std::string::npos);
        const auto& replicas = curves.curve(LayoutPreset::Ddp)->points;
        const auto& divided = curves.curve(LayoutPreset::Zero1)->points;
        QVERIFY(!replicas.front().need.atLeast);
        // Eight GPUs without the distributed optimizer are the offer itself.
        for (const ShardPoint& point : replicas)
            if (point.gpus == 8)
                QCOMPARE(point.need.established.count(), curves.ownNeed.established.count());
        QVERIFY(divided.back().need.established < replicas.back().need.established);
        QVERIFY(curves.floor.established > Bytes(0));
    }

    void aFrameworksOtherTermsDiffer()
    {
        const char* const plan
            = R"({"format": "shardrack-plan", "version": 1, "title": "t", "workload": {
  "model": {"preset": "llama-3-8b"}, "recipe": {"framework": "torchtitan", "micro_batch": 1,
  "sequence": 4096, "recompute": "none", "optimizer": "adamw",
  "bytes_per_parameter": {"parameters": 4, "gradients": 4, "optimizer": 8, "master": 0}}},
 "offers": [{"name": "O", "site": {"racks": [{"name": "A", "servers": [{"name": "A1",
   "height": 8, "gpus": {"type": "h100-sxm5-80", "count": 8}}]}]},
   "layout": {"preset": "ddp"}}]})";
        const ShardCurves curves = curvesOf(plan);
        const auto says = [](const std::string& text, const char* part) {
            return text.find(part) != std::string::npos;
        };
        // Sharding saves more than the state here: a replica's activations are wider, too.
        const Bytes saved = curves.curve(LayoutPreset::Ddp)->points.back().need.established
            - curves.curve(LayoutPreset::Fsdp)->points.back().need.established;
        QVERIFY(saved > curves.replicaState);
        QVERIFY2(!says(curves.boundSentence, "nothing else"), curves.boundSentence.c_str());
        // torchtitan has no ZeRO-1: what else such a rank holds is open, so it is not within.
        QVERIFY(curves.curve(LayoutPreset::Zero1)->points.back().need.atLeast);
        const std::size_t open = curves.fitSentence.find("What is established is within");
        QVERIFY2(open != std::string::npos, curves.fitSentence.c_str());
        QVERIFY(says(curves.fitSentence.substr(0, open), "FSDP from"));
        QVERIFY(!says(curves.fitSentence.substr(0, open), "ZeRO"));
        QVERIFY(says(curves.fitSentence.substr(open), "ZeRO-1 from"));
        // No number of ranks is advised that the curves would contradict.
        const Plan read = readPlan(plan).value().plan;
        std::string advice;
        const auto assessment = assess(read, 0);
        for (const Warning& warning : assessment->findings.warnings)
            advice += warning.fix + "\n";
        QVERIFY2(says(advice, "Shard the state (FSDP)") && !says(advice, "or more ranks"),
            advice.c_str());
    }

    // The more replicas share a global batch, the fewer samples each computes: the curve of
    // replicas falls, and not by its state.
    void replicasOfOneBatch_data()
    {
        QTest::addColumn<QByteArray>("batch");
        QTest::addColumn<QByteArray>("says");
        // 64 sequences are 8 on each of 8 GPUs and 1 on each of 64.
        QTest::newRow("global batch") << QByteArray(R"("global_batch": 64, "accumulation": 1,)")
                                      << QByteArray("save no state: of the same global batch");
        QTest::newRow("micro-batch")
            << QByteArray(R"("micro_batch": 1,)") << QByteArray("save nothing");
    }
    void replicasOfOneBatch()
    {
        QFETCH(QByteArray, batch);
        QFETCH(QByteArray, says);
        const ShardCurves curves = curvesOf(
            R"({"format": "shardrack-plan", "version": 1, "title": "t", "workload": {
  "model": {"preset": "llama-3-8b"}, "recipe": {"framework": "torchtitan", )"
            + batch.toStdString() + R"(
  "sequence": 2048, "recompute": "none", "optimizer": "adamw",
  "bytes_per_parameter": {"parameters": 4, "gradients": 4, "optimizer": 8, "master": 0}}},
 "offers": [{"name": "O", "site": {"racks": [{"name": "A", "servers": [{"name": "A1",
   "height": 8, "gpus": {"type": "h100-sxm5-80", "count": 8}}]}]},
   "layout": {"preset": "ddp"}}]})");
        QVERIFY2(
            curves.boundSentence.find("More replicas " + says.toStdString()) != std::string::npos,
            curves.boundSentence.c_str());
    }

    void nothingToDraw()
    {
        Plan plan = emptyPlan();
        plan.offers.push_back(std::make_shared<const Offer>(emptyOffer("A")));
        const auto noGpu = shardCurves(plan, 0, *assess(plan, 0));
        QVERIFY(!noGpu);
        QVERIFY(noGpu.error().text().find("no GPU is placed") != std::string::npos);
        plan = readPlan(ts24()).value().plan;
        Workload nothing;
        plan.workload = std::make_shared<const Workload>(nothing);
        const auto noState = shardCurves(plan, 0, *assess(plan, 0));
        QVERIFY(!noState);
        QVERIFY(noState.error().text().find("state is not established") != std::string::npos);
    }

    // Without a strategy nothing says what tensor parallelism leaves on a GPU: a curve of whole
    // copies would be of another layout.
    void aDividedModelThatNothingComputes()
    {
        std::string text = kMillion;
        const std::string preset = R"("preset": "fsdp")";
        text.replace(text.find(preset), preset.size(), R"("preset": "fsdp", "tp": 8)");
        const Plan plan = readPlan(text).value().plan;
        const auto curves = shardCurves(plan, 0, *assess(plan, 0));
        QVERIFY(!curves);
        QVERIFY(curves.error().text().find("divides a copy of the model is not computed")
            != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestShardCurves)
#include "test_shard_curves.moc"
