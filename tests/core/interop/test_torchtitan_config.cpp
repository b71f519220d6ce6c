#include "interop/torchtitan_config.h"

#include "workload/model.h"
#include "workload/pytorch_switches.h"

#include <nlohmann/json.hpp>

#include <QFile>
#include <QTest>

#include <algorithm>
#include <random>

using namespace shardrack;

namespace {

using S = TorchSwitch;

ImportedRun read(const std::string& text) { return readTorchtitanConfig(text, "file").value(); }

std::string refusal(const std::string& text)
{
    const auto run = readTorchtitanConfig(text, "file");
    return run ? std::string() : run.error().text();
}

bool has(const std::vector<ImportedLine>& lines, const std::string& name)
{
    return std::any_of(
        lines.begin(), lines.end(), [&](const ImportedLine& line) { return line.name == name; });
}

std::int64_t chosen(const ImportedRun& run, S which)
{
    return run.recipe.pytorch.get(which).value_or(-1);
}

/// A file as they are written in 2025: HSDP over tensor groups, eight layers recomputed of ten.
constexpr const char* kRecent = R"(
[model]
name = "llama3"
flavor = "8B"
converters = ["float8"]
[optimizer]
name = "AdamW"
lr = 3e-4
implementation = "foreach"
[training]
local_batch_size = 2
global_batch_size = 64
seq_len = 8_192
mixed_precision_param = "bfloat16"
[parallelism]
data_parallel_replicate_degree = 2
data_parallel_shard_degree = 8
tensor_parallel_degree = 4
context_parallel_degree = 2
enable_async_tensor_parallel = true
fsdp_reshard_after_forward = "never"
[activation_checkpoint]
mode = "selective"
selective_ac_option = "3"
[compile]
enable = true
components = ["model", "loss"]
[metrics]
log_freq = 10
)";

/// The tables as they were in 2024.
constexpr const char* kOlder = R"(
[model]
name = "llama2"
flavor = "7B"
[training]
batch_size = 8
seq_len = 2048
data_parallel_degree = -1
tensor_parallel_degree = 2
compile = false
enable_loss_parallel = false
[experimental]
pipeline_parallel_degree = 4
[activation_checkpoint]
mode = "full"
)";

} // namespace

class TestTorchtitanConfig : public QObject {
    Q_OBJECT

private slots:
    void aRecentFile();
    void anOlderFile();
    void withoutShardsItIsAutocast();
    void defaultsAreNamed();
    void whatIsNotComputedLeavesTheAccountOpen_data();
    void whatIsNotComputedLeavesTheAccountOpen();
    void nonsenseGetsWords_data();
    void nonsenseGetsWords();
    void damagedFilesAreReadOrRefused();
    void flavoursHaveTheirParameters_data();
    void flavoursHaveTheirParameters();
    void filesOfTheCorpus_data();
    void filesOfTheCorpus();
};

void TestTorchtitanConfig::aRecentFile()
{
    const ImportedRun run = read(kRecent);
    QVERIFY(run.model);
    QCOMPARE(run.recipe.framework, std::string("torchtitan"));
    QCOMPARE(run.recipe.microBatch, std::optional<std::int64_t>(2));
    QCOMPARE(run.recipe.globalBatch, std::optional<std::int64_t>(64));
    QCOMPARE(run.recipe.sequence, std::optional<std::int64_t>(8192));
    QCOMPARE(run.recipe.optimizer, std::string("adamw"));
    QCOMPARE(run.recipe.recompute, std::string("selective"));
    QCOMPARE(run.layout.preset, LayoutPreset::Hsdp);
    QCOMPARE(run.layout.dpReplicate, std::optional<std::int32_t>(2));
    QCOMPARE(run.layout.dpShard, std::optional<std::int32_t>(8));
    QCOMPARE(run.layout.tensor, 4);
    QCOMPARE(run.layout.context, 2);
    QCOMPARE(run.layout.pipeline, 1);
    QCOMPARE(chosen(run, S::Era), 4); // of 2025-08: its [compile] names components
    QCOMPARE(chosen(run, S::SelectiveBy), std::int64_t(SelectiveBy::Layers));
    QCOMPARE(chosen(run, S::EveryLayers), 3);
    QCOMPARE(chosen(run, S::Compile), std::int64_t(Compile::Blocks));
    QCOMPARE(chosen(run, S::OptimizerLoop), std::int64_t(OptimizerLoop::Foreach));
    QCOMPARE(chosen(run, S::AsyncTensor), 1);
    QCOMPARE(chosen(run, S::Reshard), std::int64_t(Reshard::Never));
    QVERIFY(has(run.defaulted, "float8")); // maps in float8 count as bf16, and that is told
    QVERIFY(has(run.ignored, "metrics.log_freq"));
    QVERIFY(has(run.understood, "training.seq_len"));
    QVERIFY(run.unsupported.empty() && run.missing.empty());
    QCOMPARE(workloadOf(run).recipe.framework, std::string("torchtitan"));
}

void TestTorchtitanConfig::anOlderFile()
{
    const ImportedRun run = read(kOlder);
    QVERIFY(run.model);
    QCOMPARE(run.layout.preset, LayoutPreset::Fsdp);
    QVERIFY(!run.layout.dpShard);
    QCOMPARE(run.layout.tensor, 2);
    QCOMPARE(run.layout.pipeline, 4);
    QCOMPARE(run.recipe.microBatch, std::optional<std::int64_t>(2)); // 8 in one piece a stage
    QCOMPARE(run.recipe.accumulation, std::optional<std::int64_t>(4));
    QCOMPARE(run.recipe.recompute, std::string("full"));
    QCOMPARE(chosen(run, S::Era), 1); // of 2024-06
    QCOMPARE(chosen(run, S::Loss), std::int64_t(LossPath::Eager));
    QCOMPARE(chosen(run, S::Compile), -1);
}

void TestTorchtitanConfig::withoutShardsItIsAutocast()
{
    const ImportedRun run = read(R"(
[model]
name = "qwen3"
flavor = "0.6B"
[parallelism]
data_parallel_replicate_degree = 8
data_parallel_shard_degree = 1
)");
    QCOMPARE(run.layout.preset, LayoutPreset::Ddp);
    QCOMPARE(chosen(run, S::Autocast), 1);
}

void TestTorchtitanConfig::defaultsAreNamed()
{
    const ImportedRun run = read("[model]\nname = 'llama3'\nflavor = '70B'\n[parallelism]\n"
                                 "tensor_parallel_degree = 8\n");
    QCOMPARE(run.recipe.microBatch, std::optional<std::int64_t>(8));
    QCOMPARE(run.recipe.sequence, std::optional<std::int64_t>(2048));
    QCOMPARE(run.recipe.recompute, std::string("selective"));
    QCOMPARE(chosen(run, S::EveryLayers), 2);
    for (const char* name : { "training.local_batch_size", "training.seq_len", "optimizer.name",
             "activation_checkpoint.mode", "parallelism.data_parallel_shard_degree", "version" })
        QVERIFY2(has(run.defaulted, name), name);
}

void TestTorchtitanConfig::whatIsNotComputedLeavesTheAccountOpen_data()
{
    QTest::addColumn<QString>("more");
    QTest::addColumn<QString>("name");
    const auto row = [](const char* more, const char* name) {
        QTest::newRow(name) << QString::fromLatin1(more) << QString::fromLatin1(name);
    };
    row("[parallelism]\npipeline_parallel_degree = 2\n"
        "pipeline_parallel_schedule = 'InterleavedZeroBubble'\n",
        "parallelism.pipeline_parallel_schedule");
    row("[training]\nenable_cpu_offload = true\n", "training.enable_cpu_offload");
    row("[activation_checkpoint]\nmode = 'memory_budget'\n", "activation_checkpoint.mode");
    row("[optimizer]\nname = 'Muon'\n", "optimizer.name");
}

void TestTorchtitanConfig::whatIsNotComputedLeavesTheAccountOpen()
{
    QFETCH(QString, more);
    QFETCH(QString, name);
    const ImportedRun run = read("[model]\nname = 'llama3'\nflavor = '8B'\n" + more.toStdString());
    QVERIFY(has(run.unsupported, name.toStdString()));
    QVERIFY(workloadOf(run).recipe.framework.empty());
}

void TestTorchtitanConfig::nonsenseGetsWords_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* title, const char* text, const char* words) {
        QTest::newRow(title) << QString::fromUtf8(text) << QString::fromLatin1(words);
    };
    row("no TOML", "[model\nname = 1", "line 1, column 7");
    row("twice", "[model]\nname = 'a'\nname = 'b'", "line 3");
    row("degree", "[parallelism]\ntensor_parallel_degree = 0",
        "parallelism.tensor_parallel_degree: is \"0\"; expected a whole number from 1");
    row("word", "[training]\nseq_len = 'long'", "training.seq_len");
    row("fraction", "[training]\nseq_len = 20.5", "training.seq_len");
    row("huge", "[parallelism]\ndata_parallel_shard_degree = 99999999999", "a degree up to");
    row("shards", "[parallelism]\ndata_parallel_shard_degree = -2", "data_parallel_shard_degree");
    row("mode", "[activation_checkpoint]\nmode = 'some'", "none, selective or full");
    row("option", "[activation_checkpoint]\nmode = 'selective'\nselective_ac_option = 'mm'",
        "op, or a number");
    row("format", "[training]\ndtype = 'fp9'", "float32, bfloat16 or float16");
    row("loop", "[optimizer]\nimplementation = 'best'", "fused, foreach or for-loop");
    row("flag", "[compile]\nenable = 'perhaps'", "true or false");
    row("reshard", "[parallelism]\nfsdp_reshard_after_forward = 'often'",
        "default, always or never");
}

void TestTorchtitanConfig::nonsenseGetsWords()
{
    QFETCH(QString, text);
    QFETCH(QString, words);
    const QString told = QString::fromStdString(refusal(text.toStdString()));
    QVERIFY2(told.contains(words), qPrintable(told));
    QVERIFY(!refusal("\xff\xfe").empty());
    QVERIFY(!refusal("a = " + std::string(100'000, '[')).empty());
    // A file that says nothing is no error: it is one whose model is missing.
    QVERIFY(has(read("").missing, "model.name"));
}

/// Cut at every byte, and with bytes changed at random: a run, or words; and a run gives a
/// workload.
void TestTorchtitanConfig::damagedFilesAreReadOrRefused()
{
    std::mt19937 random(5);
    const auto attempt = [](const std::string& text) {
        const auto run = readTorchtitanConfig(text, "file");
        if (!run)
            return !run.error().text().empty();
        (void)workloadOf(*run);
        return run->layout.tensor > 0 && run->recipe.microBatch.value_or(1) > 0;
    };
    for (const std::string whole : { kRecent, kOlder }) {
        for (std::size_t size = 0; size < whole.size(); ++size)
            QVERIFY(attempt(whole.substr(0, size)));
        for (int i = 0; i < 3000; ++i) {
            std::string text = whole;
            for (unsigned changes = random() % 4 + 1; changes > 0; --changes)
                text[random() % text.size()] = char(random() % 256);
            QVERIFY(attempt(text));
        }
    }
}

void TestTorchtitanConfig::flavoursHaveTheirParameters_data()
{
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("flavour");
    QTest::addColumn<qint64>("parameters");
    // The counts that their publishers give: Llama 2 and 3 model cards' checkpoints, Qwen3's.
    QTest::newRow("llama2 7B") << "llama2"
                               << "7B" << qint64(6'738'415'616);
    QTest::newRow("llama2 70B") << "llama2"
                                << "70B" << qint64(68'976'648'192);
    QTest::newRow("llama3 8B") << "llama3"
                               << "8B" << qint64(8'030'261'248);
    QTest::newRow("llama3 70B") << "llama3"
                                << "70B" << qint64(70'553'706'496);
    QTest::newRow("llama3 405B") << "llama3"
                                 << "405B" << qint64(405'853'388'800);
    QTest::newRow("qwen3 0.6B") << "qwen3"
                                << "0.6B" << qint64(596'049'920);
    QTest::newRow("qwen3 8B") << "qwen3"
                              << "8B" << qint64(8'190'735'360);
    QTest::newRow("qwen3 32B") << "qwen3"
                               << "32B" << qint64(32'762'123'264);
}

void TestTorchtitanConfig::flavoursHaveTheirParameters()
{
    QFETCH(QString, model);
    QFETCH(QString, flavour);
    QFETCH(qint64, parameters);
    const ImportedRun run = read("[model]\nname = '" + model.toStdString() + "'\nflavor = '"
        + flavour.toStdString() + "'\n");
    QVERIFY(run.model);
    QCOMPARE(qint64(countParameters(*run.model).value().total), parameters);
}

void TestTorchtitanConfig::filesOfTheCorpus_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("expected");
    QFile index(SHARDRACK_SOURCE_DIR "/../shared/data/corpus/recipes/index.json");
    if (!index.open(QIODevice::ReadOnly))
        QSKIP("no corpus beside the source tree");
    const Json listed = Json::parse(index.readAll().toStdString());
    for (const Json& each : listed.at("files"))
        if (each.at("kind") == "torchtitan")
            QTest::newRow(each.at("file").get<std::string>().c_str())
                << QString::fromStdString(each.at("file").get<std::string>())
                << QString::fromStdString(each.at("extract").dump());
}

void TestTorchtitanConfig::filesOfTheCorpus()
{
    QFETCH(QString, file);
    QFETCH(QString, expected);
    const Json wanted = Json::parse(expected.toStdString());
    QFile source(SHARDRACK_SOURCE_DIR "/../shared/data/corpus/" + file);
    QVERIFY(source.open(QIODevice::ReadOnly));
    const ImportedRun run = read(source.readAll().toStdString());
    const auto number = [&](const char* key, std::int64_t otherwise) {
        return wanted.contains(key) && wanted[key].is_number() ? wanted[key].get<std::int64_t>()
                                                               : otherwise;
    };
    const std::string family = wanted.value("model", "");
    const bool dense = family == "llama3" || family == "qwen3";
    QCOMPARE(run.model.has_value(), dense);
    QCOMPARE(!run.missing.empty(), !dense);
    QCOMPARE(*run.recipe.microBatch * (run.layout.pipeline > 1 ? *run.recipe.accumulation : 1),
        number("local_batch", 8));
    QCOMPARE(*run.recipe.sequence, number("seq_len", 2048));
    QCOMPARE(std::int64_t(run.layout.tensor), number("tp", 1));
    QCOMPARE(std::int64_t(run.layout.pipeline), number("pp", 1));
    QCOMPARE(std::int64_t(run.layout.context), number("cp", 1));
    QCOMPARE(std::int64_t(run.layout.dpShard.value_or(-1)), number("dp_shard", -1));
    QCOMPARE(run.layout.preset, LayoutPreset::Fsdp);
    QCOMPARE(run.recipe.recompute, wanted.at("recompute_mode").get<std::string>());
    if (run.recipe.recompute == "selective") {
        const std::string option = wanted.value("selective_ac_option", "2");
        if (option == "op")
            QCOMPARE(chosen(run, S::SelectiveBy), std::int64_t(SelectiveBy::Operators));
        else
            QCOMPARE(chosen(run, S::EveryLayers), std::stoll(option));
    }
    QCOMPARE(run.recipe.optimizer, std::string("adamw"));
    const bool compiled = wanted.contains("compile") && wanted["compile"].is_boolean()
        && wanted["compile"].get<bool>();
    // deepseek's compile only their loss.
    QCOMPARE(chosen(run, S::Compile) == std::int64_t(Compile::Blocks),
        compiled && family != "deepseek_v3");
}

QTEST_APPLESS_MAIN(TestTorchtitanConfig)
#include "test_torchtitan_config.moc"
