// What torch's blocks keep. Expected figures: the tables of Korthikanti et al. and of the losses,
// and arithmetic by hand beside each.
#include "account/pytorch/loss.h"
#include "torch_runs.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <map>
#include <string>

using namespace shardrack;

namespace {

/// The size of each piece that is born, by its name.
struct Largest {
    void born(const Piece& piece)
    {
        std::int64_t& known = bytes[piece.name];
        known = std::max(known, piece.bytes.count());
    }
    void dies(const Piece&) { }
    std::map<std::string, std::int64_t> bytes;
};

} // namespace

class TestPyTorchBlocks : public QObject {
    Q_OBJECT
private slots:
    void lossTable_data();
    void lossTable();
    void contextRanksExchangeKeysAndValues();
    void layersKeepWhatTheirTableSays_data();
    void layersKeepWhatTheirTableSays();
    void parallelLayersKeepNoMiddle();
    void headNormsKeepTheirInputs();
    void korthikantisTable();
};

void TestPyTorchBlocks::lossTable_data()
{
    QTest::addColumn<int>("path");
    QTest::addColumn<int>("forward");
    QTest::addColumn<int>("peak");
    const auto row = [](const char* name, LossPath path, int forward, int peak) {
        QTest::newRow(name) << int(path) << forward << peak;
    };
    // Bytes a logit: at the end of forward, and at the most.
    row("eager, dropped", LossPath::Eager, 10, 12);
    row("eager, kept", LossPath::EagerKept, 10, 16);
    row("Hugging Face, kept", LossPath::HuggingFaceKept, 12, 16);
    row("Hugging Face", LossPath::HuggingFace, 12, 12);
    row("Hugging Face, 2025", LossPath::HuggingFaceShared, 10, 14);
    row("Fabric", LossPath::Fabric, 8, 8);
    row("chunks", LossPath::Chunked, 2, 4);
    row("compiled, fp32", LossPath::CompiledFp32, 8, 12);
    row("compiled", LossPath::Compiled, 2, 6);
    row("fused", LossPath::FusedKernel, 2, 4);
}

void TestPyTorchBlocks::lossTable()
{
    QFETCH(int, path);
    QFETCH(int, forward);
    QFETCH(int, peak);
    // Logits are so many that nothing else counts.
    TransformerShape shape = llama(1, 64, 1, 1, 64);
    TorchRun run = runOf(
        "torchtitan", "2024-06", shape, { is(S::Loss, path), is(S::Parameters, Format::Bf16) });
    run.microBatch = 1;
    run.sequence = 1024;
    const TorchBlocks blocks(run);
    const double logits = 1024.0 * double(shape.vocabulary);
    Left sum;
    blocks.head.forward(sum);
    const double end = double(sum.sink.profile().highest.count()) / logits;
    blocks.head.backward(sum);
    blocks.head.releaseGradients(sum);
    const double most = double(sum.sink.profile().highest.count()) / logits;
    QVERIFY2(std::abs(end - forward) < 0.2, qPrintable(QString::number(end)));
    QVERIFY2(std::abs(most - peak) < 0.2, qPrintable(QString::number(most)));
    // It ends with the gradient of the input that it was given.
    sum.dies(blocks.head.gradientPiece());
    sum.born(blocks.head.inputPiece());
    QCOMPARE(sum.left(), 0);
}

/// Llama 3 405B on 8 tensor and 8 context ranks, 262,144 tokens: 32,768 and 16 heads of 128 on a
/// rank, keys repeated for every head: 128 MiB each of queries, keys and values. All ranks' keys
/// and values: 8 × 256 MiB. torch/distributed/tensor/experimental/_attention.py: four outputs in
/// fp32 while two are merged; in backward the queries' gradient in fp32, and the keys' and values'
/// four times: the step's, joined, sent and received.
void TestPyTorchBlocks::contextRanksExchangeKeysAndValues()
{
    const auto most = [](ContextExchange exchange, bool backward) {
        TorchRun run = runOf("torchtitan", "2024-10", llama(126, 16384, 128, 8, 53248),
            { is(S::ContextExchange, exchange) });
        run.sharding = TorchSharding::Fsdp2;
        run.degrees.tensor = 8;
        run.degrees.context = 8;
        run.microBatch = 1;
        run.sequence = 262144;
        const TorchBlocks blocks(run);
        Largest largest;
        if (backward)
            blocks.layer.backward(largest);
        else
            blocks.layer.forward(largest);
        return largest.bytes;
    };
    auto forward = most(ContextExchange::Gathered, false);
    QCOMPARE(forward["keys and values of other context ranks"], 2048 * kMiB);
    QCOMPARE(forward["outputs being merged in fp32"], 4 * 256 * kMiB);
    auto backward = most(ContextExchange::Gathered, true);
    QCOMPARE(backward["keys and values of other context ranks"], 2048 * kMiB);
    QCOMPARE(backward["query gradient summed in fp32"], 256 * kMiB);
    QCOMPARE(backward["gradients of keys and values in exchange"], 4 * 512 * kMiB);
    // One rank's at a time: its own, joined, and the next one's.
    QCOMPARE(most(ContextExchange::SentOn, false)["keys and values of other context ranks"],
        2 * 256 * kMiB);
}

void TestPyTorchBlocks::layersKeepWhatTheirTableSays_data()
{
    QTest::addColumn<bool>("gated");
    QTest::addColumn<int>("norm");
    QTest::addColumn<bool>("repeats");
    QTest::addColumn<bool>("compiled");
    QTest::addColumn<bool>("autocast");
    QTest::addColumn<bool>("copies");
    QTest::addColumn<qint64>("bytes");
    const qint64 h = 4096;
    const qint64 k = 1024;
    const qint64 f = 14336;
    const qint64 a = 32;
    const auto row = [](const char* name, bool gated, TorchNorm norm, bool repeats, bool compiled,
                         bool autocast, bool copies, qint64 bytes) {
        QTest::newRow(name) << gated << int(norm) << repeats << compiled << autocast << copies
                            << bytes;
    };
    // Bytes a token: h hidden, k key width, f MLP width, a heads.
    row("fused norms", true, TorchNorm::Kernel, false, false, false, false,
        12 * h + 4 * k + 8 * f + 4 * a + 8);
    row("norms in Python", true, TorchNorm::PythonFp32, true, false, false, false,
        16 * h + 8 * h + 8 * f + 4 * a + 8);
    row("compiled", true, TorchNorm::PythonFp32, true, true, false, false,
        16 * h + 6 * f + 4 * a + 8);
    row("compiled, grouped", true, TorchNorm::Kernel, false, true, false, false,
        12 * h + 4 * k + 6 * f + 4 * a + 8);
    // GPT-2: f = 4h.
    row("GPT", false, TorchNorm::Kernel, false, false, false, false, 32 * h + 4 * a + 16);
    row("GPT, copies around attention", false, TorchNorm::Kernel, false, false, false, true,
        34 * h + 4 * a + 16);
    row("GPT, autocast", false, TorchNorm::Kernel, false, false, true, false, 36 * h + 4 * a + 16);
}

void TestPyTorchBlocks::layersKeepWhatTheirTableSays()
{
    QFETCH(bool, gated);
    QFETCH(int, norm);
    QFETCH(bool, repeats);
    QFETCH(bool, compiled);
    QFETCH(bool, autocast);
    QFETCH(bool, copies);
    QFETCH(qint64, bytes);
    TransformerShape shape = llama(1, 4096, 32, gated ? 8 : 32, gated ? 14336 : 16384);
    if (!gated) {
        shape.rotary = shape.gated = shape.rmsNorm = false;
        shape.positions = 4096;
    }
    TorchRun run = runOf("pytorch-fsdp2", "2.x", shape,
        { is(S::Norm, norm), is(S::RepeatsKeys, repeats), is(S::Compile, compiled ? 1 : 0),
            is(S::Autocast, autocast), is(S::ReordersOutput, copies),
            is(S::Parameters, autocast ? Format::Fp32 : Format::Bf16) });
    run.microBatch = 2;
    run.sequence = 4096;
    const TorchBlocks blocks(run);
    Left sum;
    blocks.layer.forward(sum);
    // The output is the next layer's input, in place of the one that was given, whether or not
    // this layer keeps that. Under autocast matrices have copies in 16 bits.
    std::int64_t kept = sum.left();
    if (autocast)
        kept -= 2 * (4 * 4096LL * 4096 + 8 * 4096LL * 4096);
    QCOMPARE(kept, bytes * 8192);
}

/// GPT-NeoX and phi. Bytes a token of hidden width h with a heads, MLP 4h, in 16 bits: the input
/// 2h, what each norm puts out 2h, rotated queries and keys 4h, values 2h, the attention's output
/// 2h, the MLP before and after its activation 16h; 4a of the attention and 8 of each norm. No sum
/// of input and attention, which a layer in sequence keeps for its second norm.
void TestPyTorchBlocks::parallelLayersKeepNoMiddle()
{
    for (const bool shared : { false, true }) {
        TransformerShape shape = llama(1, 2560, 32, 32, 4 * 2560);
        shape.gated = shape.rmsNorm = false;
        shape.parallelResidual = true;
        shape.sharedNorm = shared;
        TorchRun run = runOf("pytorch-fsdp2", "2.x", shape, { is(S::Parameters, Format::Bf16) });
        run.sequence = 2048;
        const TorchBlocks blocks(run);
        Left sum;
        blocks.layer.forward(sum);
        const std::int64_t norms = shared ? 1 : 2;
        QCOMPARE(sum.left(), ((26 + 2 * norms) * 2560 + 4 * 32 + 8 * norms) * 2048);
    }
}

/// Qwen 3: a norm of each query and key head keeps what the maps put out (2h and 2k bytes a token)
/// and 4 bytes a head; the rotated ones are kept as without.
void TestPyTorchBlocks::headNormsKeepTheirInputs()
{
    std::array<std::int64_t, 2> kept {};
    for (const bool norms : { false, true }) {
        TransformerShape shape = llama(1, 4096, 32, 8, 12288);
        shape.queryKeyNorm = norms;
        TorchRun run = runOf("pytorch-fsdp2", "2.x", shape, { is(S::Parameters, Format::Bf16) });
        run.sequence = 4096;
        const TorchBlocks blocks(run);
        Left sum;
        blocks.layer.forward(sum);
        kept[norms ? 1 : 0] = sum.left();
    }
    QCOMPARE(kept[1] - kept[0], (2 * 4096 + 2 * 1024 + 4 * (32 + 8)) * 4096LL);
}

/// Korthikanti et al. (arXiv:2205.05198), table 2: sbh(34 + 5as/h), and with t tensor ranks
/// sbh(10 + 24/t + 5as/(ht)).
void TestPyTorchBlocks::korthikantisTable()
{
    for (const std::int64_t tensor : { 1, 8 }) {
        TransformerShape shape = llama(1, 6144, 64, 64, 4 * 6144);
        shape.rotary = shape.gated = shape.rmsNorm = false;
        shape.positions = 2048;
        TorchRun run = runOf("pytorch-fsdp2", "2.x", shape,
            { is(S::Parameters, Format::Bf16), is(S::Attention, TorchAttention::Eager),
                is(S::AttentionDropout, 100'000), is(S::HiddenDropout, 100'000),
                is(S::SequenceParallel, 0) });
        run.degrees.tensor = tensor;
        run.microBatch = 4;
        run.sequence = 2048;
        const TorchBlocks blocks(run);
        Left sum;
        blocks.layer.forward(sum);
        const std::int64_t sbh = std::int64_t(2048) * 4 * 6144;
        const std::int64_t scores = 5 * 64 * std::int64_t(2048) * 2048 * 4;
        const std::int64_t statistics = 2 * 8 * 2048 * 4; // left out by the paper
        QCOMPARE(sum.left() - statistics, 10 * sbh + 24 * sbh / tensor + scores / tensor);
    }
}

QTEST_APPLESS_MAIN(TestPyTorchBlocks)
#include "test_pytorch_blocks.moc"
