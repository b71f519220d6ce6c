// Pipelines of torch: which layers and micro-batches a rank has, and what stays between the stages.
#include "account/pytorch/emit.h"
#include "torch_runs.h"

#include <QTest>

#include <algorithm>

using namespace shardrack;

namespace {

/// How many pieces of a name are alive, all loops unrolled.
struct Alive {
    explicit Alive(std::string piece)
        : name(std::move(piece))
    {
    }
    void phase(Phase) { }
    void born(const Piece& piece)
    {
        now += piece.name == name ? 1 : 0;
        most = std::max(most, now);
    }
    void dies(const Piece& piece)
    {
        now -= piece.name == name ? 1 : 0;
        least = std::min(least, most > 0 ? now : least);
    }
    template <class Body> void loop(std::int64_t count, Body&& body)
    {
        for (std::int64_t i = 0; i < count; ++i)
            body();
    }
    template <class Body> void segment(const StretchKey&, std::int64_t count, Body&& body)
    {
        loop(count, [&] { body(*this); });
    }
    std::string name;
    int now = 0;
    int most = 0;
    int least = 1 << 30;
};

/// 30 layers on four ranks, micro-batches of 512 tokens, FSDP 2.
TorchRun onFourRanks(std::int64_t microSteps, std::int64_t chunks, PipelineKeeps keeps)
{
    TorchRun run = runOf("torchtitan", "2024-10", llama(30, 1024, 8, 8, 4096),
        { is(S::Chunks, chunks), is(S::PipelineKeeps, keeps),
            is(S::StageSplit, StageSplit::WithTables) });
    run.sharding = TorchSharding::Fsdp2;
    run.degrees.pipeline = 4;
    run.degrees.shards = 2;
    run.sequence = 512;
    run.microSteps = microSteps;
    run.recompute = "full";
    return run;
}

std::int64_t atRest(const TorchRun& run, std::int64_t rank)
{
    const CategoryBytes rest = TorchMemory(run, 0, rank).peaks().rest;
    Bytes sum;
    for (const Bytes bytes : rest)
        sum += bytes;
    return sum.count();
}

} // namespace

class TestPyTorchPipeline : public QObject {
    Q_OBJECT
private slots:
    void stagesShareTheLayers();
    void chunksTakeTurns_data();
    void chunksTakeTurns();
    void everyMicroBatchHasItsBuffers();
    void eachVersionOfTorchKeepsItsOwn();
    void logitsOfAllMicroBatches();
};

/// 126 layers, embedding and head on 8 stages: 16 each.
void TestPyTorchPipeline::stagesShareTheLayers()
{
    QCOMPARE(
        layersOfStages(126, 8), (std::vector<std::int64_t> { 15, 16, 16, 16, 16, 16, 16, 15 }));
    // Before: 32 on 4 are 8 each; of 126 on 16 the 14 stages in the middle have 8.
    using Split = StageSplit;
    QCOMPARE(layersOfStages(32, 4, Split::LayersAlone), (std::vector<std::int64_t> { 8, 8, 8, 8 }));
    std::vector<std::int64_t> sixteen(16, 8);
    sixteen.front() = sixteen.back() = 7;
    QCOMPARE(layersOfStages(126, 16, Split::LayersAlone), sixteen);
    QCOMPARE(layersOfStages(7, 2, Split::LayersAlone), (std::vector<std::int64_t> { 3, 4 }));
    QCOMPARE(layersOfStages(32, 1), (std::vector<std::int64_t> { 32 }));
    // 34 on 4: 9, 9, 8, 8, less the embedding and the head.
    QCOMPARE(layersOfStages(32, 4), (std::vector<std::int64_t> { 8, 9, 8, 7 }));
    // An earlier stage has more micro-batches alive.
    TorchRun run = onFourRanks(8, 1, PipelineKeeps::Everything);
    run.sequence = 8192;
    run.recompute = "none";
    const auto activations = [&](std::int64_t stage) {
        return TorchMemory(run, 0, stage).peaks().peaks.peak.held[index(Category::Activations)];
    };
    QVERIFY(activations(0) > activations(1));
    QVERIFY(activations(1) > activations(2));
}

/// Interleaved 1F1B on p ranks with v chunks each (torch/distributed/pipelining/schedules.py,
/// ScheduleInterleaved1F1B; Narayanan et al., arXiv:2104.04473): rank r is 2(p - r - 1) + (v - 1)p
/// forwards ahead, and so holds one micro-batch more at the most.
void TestPyTorchPipeline::chunksTakeTurns_data()
{
    QTest::addColumn<int>("rank");
    QTest::addColumn<int>("microSteps");
    QTest::addColumn<int>("most");
    QTest::newRow("first rank") << 0 << 8 << 11; // 4 + 2 × 3, and one
    QTest::newRow("second rank") << 1 << 8 << 9;
    QTest::newRow("last rank") << 3 << 8 << 5;
    QTest::newRow("many rounds") << 0 << 64 << 11;
    QTest::newRow("a single round") << 0 << 4 << 8; // all of them
    QTest::newRow("fewer micro-batches than ranks") << 0 << 2 << 4;
}

void TestPyTorchPipeline::chunksTakeTurns()
{
    QFETCH(int, rank);
    QFETCH(int, microSteps);
    QFETCH(int, most);
    const TorchRun run = onFourRanks(microSteps, 2, PipelineKeeps::Everything);
    const TorchMemory memory(run, 0, rank);
    // 32 with embedding and head on 8 stages: four each, of which the tables take one.
    QCOMPARE(memory.stage().layers, rank == 0 || rank == 3 ? 7 : 8);
    Alive alive("labels");
    emitTorch(memory.stage(), alive);
    QCOMPARE(alive.most, most);
    QCOMPARE(alive.now, 0);
}

/// A stage receives each micro-batch's input, and its output's gradient, into a buffer of its own
/// that stays (torch/distributed/pipelining/stage.py: _prepare_forward_infra and
/// _prepare_backward_infra); the first stage receives no input, the last no gradient.
void TestPyTorchPipeline::everyMicroBatchHasItsBuffers()
{
    constexpr std::int64_t kInput = 2 * 512 * 1024; // bf16
    for (std::int64_t rank = 0; rank < 4; ++rank) {
        const auto rest = [&](std::int64_t microSteps) {
            return atRest(onFourRanks(microSteps, 1, PipelineKeeps::Nothing), rank);
        };
        const std::int64_t kinds = rank == 0 || rank == 3 ? 1 : 2;
        QCOMPARE(rest(64) - rest(8), 56 * kinds * kInput);
    }
    // Of eight, the second of four ranks uses three at a time: it is two forwards ahead.
    const TorchMemory memory(onFourRanks(8, 1, PipelineKeeps::Nothing), 0, 1);
    Alive buffers("buffers for inputs");
    emitTorch(memory.stage(), buffers);
    QCOMPARE(buffers.most, 8);
    QCOMPARE(buffers.least, 8 - 3);
    QCOMPARE(buffers.now, 8);
}

/// Of 8 micro-batches: every stage's outputs until pull request 153383, the gradients that were
/// sent until 164329, the last stage's outputs unless return_outputs is off (165822).
void TestPyTorchPipeline::eachVersionOfTorchKeepsItsOwn()
{
    constexpr std::int64_t kInput = 2 * 512 * 1024;
    constexpr std::int64_t kLogits = 2 * 512 * 128256;
    const auto more = [&](std::int64_t rank, PipelineKeeps keeps, PipelineKeeps than) {
        return atRest(onFourRanks(8, 1, keeps), rank) - atRest(onFourRanks(8, 1, than), rank);
    };
    using K = PipelineKeeps;
    QCOMPARE(more(0, K::Everything, K::LogitsAndGradients), 8 * kInput);
    QCOMPARE(more(1, K::Everything, K::LogitsAndGradients), 8 * kInput);
    QCOMPARE(more(3, K::Everything, K::LogitsAndGradients), std::int64_t(0));
    QCOMPARE(more(0, K::LogitsAndGradients, K::Logits), std::int64_t(0));
    QCOMPARE(more(1, K::LogitsAndGradients, K::Logits), 8 * kInput);
    QCOMPARE(more(3, K::LogitsAndGradients, K::Logits), 8 * kInput);
    QCOMPARE(more(1, K::Logits, K::Nothing), std::int64_t(0));
    QCOMPARE(more(3, K::Logits, K::Nothing), 8 * kLogits);
    // Two chunks a rank: the last rank's first chunk sends its outputs on, and both send gradients.
    const auto chunked = [](PipelineKeeps keeps) { return atRest(onFourRanks(8, 2, keeps), 3); };
    QCOMPARE(chunked(K::Everything) - chunked(K::Nothing), 8 * (kInput + 2 * kInput + kLogits));
}

/// 16 micro-batches of 8,192 tokens and 151,936 words: 37 GiB, and as much again while they are put
/// together to be returned.
void TestPyTorchPipeline::logitsOfAllMicroBatches()
{
    TorchRun run = onFourRanks(16, 1, PipelineKeeps::Logits);
    run.sequence = 8192;
    run.shape.vocabulary = 151936;
    const TorchMemory memory(run, 0, 3);
    const TorchRepeated& kept = memory.stage().keptLogits;
    QCOMPARE(kept.count, std::int64_t(16));
    QCOMPARE((kept.piece.bytes * kept.count).count(), std::int64_t(39'829'110'784));
    QCOMPARE(memory.stage().mergedLogits.bytes, kept.piece.bytes * 16);
    QCOMPARE(memory.stage().keptOutputs.count, std::int64_t(0));
    Alive merged("outputs put together");
    emitTorch(memory.stage(), merged);
    QCOMPARE(merged.most, 1);
    QCOMPARE(merged.now, 0);
}

QTEST_APPLESS_MAIN(TestPyTorchPipeline)
#include "test_pytorch_pipeline.moc"
