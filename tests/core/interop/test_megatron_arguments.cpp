#include "interop/megatron_arguments.h"

#include <QTest>

using namespace shardrack;

namespace {

ImportedRun read(const char* text)
{
    return readMegatronArguments(readArgumentList(text).value()).value();
}

std::string refusal(const char* text)
{
    const auto list = readArgumentList(text);
    if (!list)
        return list.error().text();
    const auto read = readMegatronArguments(*list);
    return read ? std::string() : read.error().text();
}

constexpr const char* kBase
    = "--num-layers 12 --hidden-size 512 --num-attention-heads 8 --seq-length 1024 "
      "--micro-batch-size 4 --bf16 ";

bool has(const std::vector<ImportedLine>& lines, const char* name)
{
    return std::any_of(
        lines.begin(), lines.end(), [name](const ImportedLine& line) { return line.name == name; });
}

} // namespace

class TestMegatronArguments : public QObject {
    Q_OBJECT
private slots:
    void shellAndYamlSayTheSame();
    void variablesAndComments();
    void theListsTellWhatBecameOfEach();
    void defaults();
    void nonsenseGetsWords_data();
    void nonsenseGetsWords();
};

void TestMegatronArguments::shellAndYamlSayTheSame()
{
    const ImportedRun shell
        = read("torchrun pretrain_gpt.py --num-layers 12 --hidden-size=512 \\\n"
               "  --num-attention-heads 8 --seq-length 1024 --micro-batch-size 4\n"
               "  --bf16 --tensor-model-parallel-size 2 --sequence-parallel\n");
    const ImportedRun yaml
        = read("MODEL_ARGS:\n  --num-layers: 12 # layers\n  --hidden-size: 512\n"
               "  --num-attention-heads: 8\n  --seq-length: 1024\n  --micro-batch-size: 4\n"
               "  --bf16: true\n  --tensor-model-parallel-size: \"2\"\n"
               "  --sequence-parallel: true\nTEST_TYPE: regular\n");
    QVERIFY(shell.model && yaml.model);
    QCOMPARE(shell.model->described, yaml.model->described);
    QVERIFY(shell.recipe == yaml.recipe);
    QCOMPARE(shell.layout.tensor, 2);
    QVERIFY(shell.layout == yaml.layout);
    // Exact count: 12 layers of 12 h² + 13 h, embedding 50,257 h, positions 1,024 h, final norm 2
    // h.
    QCOMPARE(countParameters(*shell.model)->total,
        std::int64_t(12) * (12 * 512 * 512 + 13 * 512) + (50257 + 1024 + 2) * 512);
}

void TestMegatronArguments::variablesAndComments()
{
    const ImportedRun arguments
        = read("TP=4\nNUM_LAYERS=24 # layers\n# --num-layers 99\n"
               "CUBLAS_WORKSPACE_CONFIG=:4096:8\n"
               "--num-layers ${NUM_LAYERS} --hidden-size ${H:-1024} --num-attention-heads 16 "
               "--seq-length 512 --micro-batch-size 1 --tensor-model-parallel-size $TP");
    QCOMPARE(arguments.model->layers, 24);
    QCOMPARE(arguments.model->hidden, 1024);
    QCOMPARE(arguments.layout.tensor, 4);
    QCOMPARE(arguments.recipe.megatron.get(Switch::CublasWorkspace),
        std::optional<std::int64_t>(32 * kMiB));
}

void TestMegatronArguments::theListsTellWhatBecameOfEach()
{
    const ImportedRun arguments = read(
        (std::string(kBase) + "--lr 1e-4 --num-experts 8 --no-such-thing 3 --swiglu").c_str());
    QVERIFY(has(arguments.understood, "swiglu"));
    QVERIFY(has(arguments.ignored, "lr"));
    QVERIFY(has(arguments.ignored, "no-such-thing"));
    QVERIFY(has(arguments.unsupported, "num-experts"));
    QVERIFY(has(arguments.defaulted, "vocab-size"));
    QVERIFY(has(arguments.missing, "num-experts")); // without them it would be another model
    QVERIFY(!arguments.model);
    QVERIFY(workloadOf(arguments).recipe.framework.empty());
    const ImportedRun gated = read((std::string(kBase) + "--swiglu").c_str());
    QCOMPARE(gated.model->ffn, 64 * (8 * 512 / 3 / 64));
    QCOMPARE(workloadOf(gated).recipe.framework, std::string("megatron"));
    const ImportedRun bare = read("--hidden-size 512 --bf16");
    QVERIFY(has(bare.missing, "num-layers"));
    QVERIFY(!bare.model);
}

void TestMegatronArguments::defaults()
{
    const ImportedRun arguments = read(kBase);
    QCOMPARE(arguments.model->ffn, 4 * 512);
    QVERIFY(arguments.model->tied);
    QVERIFY(arguments.model->attentionBias);
    QVERIFY(!arguments.recipe.megatron.get(Switch::HiddenDropout));
    QVERIFY(has(arguments.defaulted, "hidden-dropout"));
    QCOMPARE(arguments.recipe.recompute, std::string("none"));
}

void TestMegatronArguments::nonsenseGetsWords_data()
{
    QTest::addColumn<QString>("more");
    QTest::addColumn<QString>("words");
    QTest::newRow("zero") << "--tensor-model-parallel-size 0"
                          << "tensor-model-parallel-size";
    QTest::newRow("huge") << "--ffn-hidden-size 99999999999999999999"
                          << "ffn-hidden-size";
    QTest::newRow("word") << "--pipeline-model-parallel-size two"
                          << "whole number";
    QTest::newRow("both precisions") << "--fp16"
                                     << "stands beside --fp16";
    QTest::newRow("dropout") << "--hidden-dropout 1.5"
                             << "from 0 to below 1";
    QTest::newRow("backend") << "--attention-backend best"
                             << "attention-backend";
    QTest::newRow("heads") << "--num-attention-heads 7"
                           << "do not divide";
    QTest::newRow("groups") << "--group-query-attention --num-query-groups 3"
                            << "divisor of 8 heads";
    QTest::newRow("recompute") << "--recompute-granularity some"
                               << "full or selective";
    QTest::newRow("modules") << "--recompute-modules attn"
                             << "core_attn";
    QTest::newRow("chunks")
        << "--num-layers-per-virtual-pipeline-stage 5 --pipeline-model-parallel-size 2"
        << "divisor";
}

void TestMegatronArguments::nonsenseGetsWords()
{
    QFETCH(QString, more);
    QFETCH(QString, words);
    const std::string text = refusal((kBase + more.toStdString()).c_str());
    QVERIFY2(QString::fromStdString(text).contains(words), text.c_str());
    QVERIFY(!refusal("no arguments at all").empty());
    QVERIFY(!refusal("\xff\xfe--bf16").empty());
}

QTEST_APPLESS_MAIN(TestMegatronArguments)
#include "test_megatron_arguments.moc"
