#include "account/transformer_blocks.h"
#include "trace/profile.h"

#include <QTest>

using namespace shardrack;

namespace {

/// Adds up what a stretch of a block leaves behind.
struct Sum0 {
    void born(const Piece& piece) { sink.born(piece.category, piece.bytes); }
    void dies(const Piece& piece) { sink.dies(piece.category, piece.bytes); }
    ProfileSink sink;
    std::int64_t left() const { return total(sink.profile().change).count(); }
    std::int64_t most() const { return sink.profile().highest.count(); }
};

TransformerShape gpt(std::int64_t hidden, std::int64_t heads)
{
    TransformerShape shape;
    shape.layers = 2;
    shape.hidden = hidden;
    shape.heads = shape.kvHeads = heads;
    shape.headDim = hidden / heads;
    shape.ffn = 4 * hidden;
    shape.vocabulary = 51200;
    shape.positions = 2048;
    shape.queryBias = shape.outputBias = shape.mlpBias = true;
    return shape;
}

/// Korthikanti et al. keep dropout masks and unfused scores.
Kernels paperKernels(std::int64_t tensor, bool sequenceParallel)
{
    Kernels kernels;
    kernels.attention = Kernel::Unfused;
    kernels.attentionDropout = kernels.hiddenDropout = true;
    kernels.tensor = tensor;
    kernels.sequenceParallel = sequenceParallel;
    return kernels;
}

std::int64_t kept(const Block& block)
{
    Sum0 sum;
    block.forward(sum);
    return sum.left();
}

} // namespace

class TestOperators : public QObject {
    Q_OBJECT
private slots:
    void korthikantisTable_data();
    void korthikantisTable();
    void everyKindHasItsRule();
    void backwardFreesWhatForwardKept_data();
    void backwardFreesWhatForwardKept();
    void moreRecomputeKeepsLess_data();
    void moreRecomputeKeepsLess();
    void headNormsKeepNormedCopies();
    void parametersAreCounted();
};

void TestOperators::korthikantisTable_data()
{
    QTest::addColumn<qint64>("h");
    QTest::addColumn<qint64>("a");
    QTest::addColumn<qint64>("s");
    QTest::addColumn<qint64>("b");
    QTest::addColumn<qint64>("t");
    // arXiv:2205.05198, tables 2 and 3.
    QTest::newRow("22B") << qint64(6144) << qint64(64) << qint64(2048) << qint64(4) << qint64(8);
    QTest::newRow("175B") << qint64(12288) << qint64(96) << qint64(2048) << qint64(1) << qint64(8);
    QTest::newRow("530B") << qint64(20480) << qint64(128) << qint64(2048) << qint64(1) << qint64(8);
    QTest::newRow("1T") << qint64(25600) << qint64(160) << qint64(2048) << qint64(1) << qint64(8);
}

void TestOperators::korthikantisTable()
{
    QFETCH(qint64, h);
    QFETCH(qint64, a);
    QFETCH(qint64, s);
    QFETCH(qint64, b);
    QFETCH(qint64, t);
    const BatchShape batch { b, s, 1 };
    const auto layer = [&](std::int64_t tensor, bool parallel, bool selective) {
        SelectiveRecompute recompute;
        recompute.attention = selective;
        return layerBlock(gpt(h, a), paperKernels(tensor, parallel), batch, {}, recompute);
    };
    // The paper leaves out the two norms' statistics, 8 bytes a token each.
    const std::int64_t statistics = 2 * 8 * s * b;
    const std::int64_t sbh = s * b * h;
    const std::int64_t scores = 5 * a * s * s * b;
    QCOMPARE(kept(layer(1, false, false)) - statistics, 34 * sbh + scores);
    QCOMPARE(kept(layer(t, false, false)) - statistics, 10 * sbh + 24 * sbh / t + scores / t);
    QCOMPARE(kept(layer(t, true, false)) - statistics / t, 34 * sbh / t + scores / t);
    QCOMPARE(kept(layer(t, false, true)) - statistics, 10 * sbh + 24 * sbh / t);
    QCOMPARE(kept(layer(t, true, true)) - statistics / t, 34 * sbh / t);
    Sum0 full;
    layer(t, false, false).forwardKeepingNothing(true, full);
    QCOMPARE(full.left(), 2 * sbh);
}

void TestOperators::everyKindHasItsRule()
{
    for (std::size_t i = 0; i < kOperatorKinds; ++i) {
        const OperatorRule& one = operatorRules()[i];
        QCOMPARE(std::size_t(one.kind), i);
        QVERIFY(one.name && *one.name && one.keeps && *one.keeps && one.effect);
    }
}

void TestOperators::backwardFreesWhatForwardKept_data()
{
    QTest::addColumn<int>("kernel");
    QTest::addColumn<int>("loss");
    QTest::addColumn<bool>("parallel");
    QTest::addColumn<int>("drops");
    for (int kernel = 0; kernel < 3; ++kernel)
        for (int loss = 0; loss < 3; ++loss)
            for (const bool parallel : { false, true })
                for (int drops = 0; drops < 16; ++drops)
                    QTest::addRow("%d %d %d %d", kernel, loss, int(parallel), drops)
                        << kernel << loss << parallel << drops;
}

void TestOperators::backwardFreesWhatForwardKept()
{
    QFETCH(int, kernel);
    QFETCH(int, loss);
    QFETCH(bool, parallel);
    QFETCH(int, drops);
    Kernels kernels = paperKernels(2, parallel);
    kernels.attention = Kernel(kernel);
    kernels.loss = LossKind(loss);
    kernels.copiesFlashOutput = loss == 1;
    kernels.hiddenDropout = loss != 2;
    const SelectiveRecompute recompute { (drops & 1) != 0, (drops & 2) != 0, (drops & 4) != 0,
        (drops & 8) != 0 };
    for (const bool latent : { false, true })
        for (const bool fusedNorms : { false, true }) {
            TransformerShape shape = gpt(512, 8);
            shape.rotary = drops % 3 == 0;
            if (latent)
                shape.latent = { 192, 64, 16, 8, 16 };
            const BatchShape batch { 2, 256, 1 };
            const Block layer
                = layerBlock(shape, kernels, batch, { fusedNorms, !fusedNorms }, recompute);
            Sum0 all;
            layer.forward(all);
            QVERIFY(all.left() > 0);
            layer.backward(all); // the gradient of the output becomes that of the input
            QCOMPARE(all.left(), 0);
            Sum0 again;
            layer.forwardKeepingNothing(true, again);
            layer.forward(again);
            layer.backward(again);
            again.dies(layer.outputPiece());
            QCOMPARE(again.left(), 0);
            const Block head = headBlock(shape, kernels, batch, 1024, true);
            Sum0 loss0;
            head.forward(loss0);
            head.backward(loss0); // ends with a gradient, and without the input that it was given
            loss0.dies(head.gradientPiece());
            loss0.born(head.inputPiece());
            QCOMPARE(loss0.left(), 0);
        }
}

void TestOperators::moreRecomputeKeepsLess_data()
{
    QTest::addColumn<int>("kernel");
    QTest::newRow("flash") << 0;
    QTest::newRow("fused") << 1;
    QTest::newRow("unfused") << 2;
}

void TestOperators::moreRecomputeKeepsLess()
{
    QFETCH(int, kernel);
    Kernels kernels = paperKernels(4, true);
    kernels.attention = Kernel(kernel);
    const BatchShape batch { 2, 1024, 1 };
    const auto layer = [&](SelectiveRecompute recompute) {
        return layerBlock(gpt(1024, 16), kernels, batch, {}, recompute);
    };
    const std::int64_t none = kept(layer({}));
    const std::int64_t selective = kept(layer({ true, false, false, false }));
    const std::int64_t more = kept(layer({ true, false, false, true }));
    Sum0 full;
    layer({}).forwardKeepingNothing(true, full);
    QVERIFY(full.left() < more);
    QVERIFY(more < selective);
    QVERIFY(selective < none);
}

/// Norms of each query and key head: attention keeps the normed copies (2 bytes of 2h), the norms
/// their statistics (8 bytes of 2a heads) and their input, whose values attention keeps anyway.
void TestOperators::headNormsKeepNormedCopies()
{
    const BatchShape batch { 2, 1024, 1 };
    for (const std::int64_t tensor : { 1, 4 }) {
        Kernels kernels;
        kernels.tensor = tensor;
        TransformerShape shape = gpt(1024, 16);
        const std::int64_t without = kept(layerBlock(shape, kernels, batch, {}, {}));
        shape.queryKeyNorm = true;
        const std::int64_t with = kept(layerBlock(shape, kernels, batch, {}, {}));
        QCOMPARE(with - without, (4 * 1024 + 8 * 2 * 16) * batch.tokens() / tensor);
    }
}

void TestOperators::parametersAreCounted()
{
    // 64,109,568: memory-worked example of a 12-layer GPT with hidden size 512 and 50,304 rows.
    TransformerShape shape = gpt(512, 8);
    shape.positions = 1024;
    const BatchShape batch { 4, 1024, 1 };
    const Kernels kernels = paperKernels(1, false);
    const std::int64_t all = embeddingBlock(shape, kernels, batch, 50304).parameters()
        + 12 * layerBlock(shape, kernels, batch, {}, {}).parameters()
        + headBlock(shape, kernels, batch, 50304, false).parameters();
    QCOMPARE(all, 64'109'568);
}

QTEST_APPLESS_MAIN(TestOperators)
#include "test_operators.moc"
