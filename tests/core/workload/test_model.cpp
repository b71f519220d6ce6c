#include "workload/model.h"
#include "workload/model_report.h"

#include <nlohmann/json.hpp>

#include <QtTest>

#include <algorithm>

using namespace shardrack;

namespace {

ModelReading read(const std::string& config, const std::string& name = "model")
{
    return readModelConfig(std::string_view(config), name).value();
}

// A toy of each shape: hidden 8, 2 heads, 3 layers, 10 tokens.
const std::string kGpt2
    = R"("model_type":"gpt2","n_layer":3,"n_embd":8,"n_head":2,"n_positions":6,"vocab_size":10)";
const std::string kNeoX
    = R"("model_type":"gpt_neox","num_hidden_layers":3,"hidden_size":8,"num_attention_heads":2,"intermediate_size":32,"vocab_size":10)";
const std::string kOpt
    = R"("model_type":"opt","num_hidden_layers":3,"hidden_size":8,"num_attention_heads":2,"ffn_dim":32,"max_position_embeddings":6,"vocab_size":10)";
const std::string kShape
    = R"("num_hidden_layers":3,"hidden_size":8,"num_attention_heads":2,"num_key_value_heads":1,"intermediate_size":16,"vocab_size":10,"model_type":)";
const std::string kLlama = kShape + R"("llama")";
const std::string kQwen3 = kShape + R"("qwen3","head_dim":4)";
const std::string kMixtral = kShape + R"("mixtral","num_local_experts":4,"num_experts_per_tok":2)";

QString names(const std::vector<TensorShape>& list)
{
    QStringList words;
    for (const TensorShape& tensor : list)
        words << QString("%1 %2x%3x%4")
                     .arg(QString::fromStdString(tensor.name))
                     .arg(tensor.rows)
                     .arg(tensor.columns)
                     .arg(tensor.copies);
    return words.join(", ");
}

} // namespace

class TestModel : public QObject {
    Q_OBJECT

private slots:
    void toys_data();
    void toys();
    void published_data();
    void published();
    void shapesAsStored();
    void presetsExist();
    void overflowIsAnError();
    void reports();
};

void TestModel::toys_data()
{
    QTest::addColumn<std::string>("config");
    QTest::addColumn<qint64>("total");
    QTest::addColumn<qint64>("active");
    const auto row
        = [](const char* name, const std::string& config, qint64 total, qint64 active = 0) {
              QTest::newRow(name) << "{" + config + "}" << total << (active == 0 ? total : active);
          };
    // By hand. GPT-2: 80 + 48 + 3 (12·64 + 13·8) + 16.
    row("gpt2", kGpt2, 2760);
    row("gpt2 untied", kGpt2 + R"(,"tie_word_embeddings":false)", 2840);
    // MLP 16 wide instead of 32: a layer has 16·16 + 16 less in weights and biases.
    row("gpt2 n_inner", kGpt2 + R"(,"n_inner":16)", 2760 - 3 * 272);
    row("gpt2 n_inner null", kGpt2 + R"(,"n_inner":null)", 2760);
    row("gpt2 second names",
        R"("model_type":"gpt2","num_hidden_layers":3,"hidden_size":8,"num_attention_heads":2,"max_position_embeddings":6,"vocab_size":10)",
        2760);
    // NeoX: embedding and head 80 each.
    row("neox", kNeoX, 160 + 3 * 872 + 16);
    row("neox without attention biases", kNeoX + R"(,"attention_bias":false)", 2792 - 3 * 32);
    row("neox tied", kNeoX + R"(,"tie_word_embeddings":true)", 2792 - 80);
    // OPT: 80 + (6 + 2)·8 + 3·872 + 16.
    row("opt", kOpt, 2776);
    row("opt projected", kOpt + R"(,"word_embed_proj_dim":4)", 40 + 64 + 32 + 32 + 2616 + 16);
    row("opt projected, untied", kOpt + R"(,"word_embed_proj_dim":4,"tie_word_embeddings":false)",
        2840);
    row("opt norm after", kOpt + R"(,"do_layer_norm_before":false)", 2760);
    row("opt no final norm", kOpt + R"(,"_remove_final_layer_norm":true)", 2760);
    row("opt no biases", kOpt + R"(,"enable_bias":false)", 2776 - 3 * 72);
    row("opt no norm weights", kOpt + R"(,"layer_norm_elementwise_affine":false)", 2776 - 112);
    // Llama: 80 + 3 (192 + 384 + 16) + 8 + 80.
    row("llama", kLlama, 1944);
    row("llama tied", kLlama + R"(,"tie_word_embeddings":true)", 1864);
    row("llama attention biases", kLlama + R"(,"attention_bias":true)", 1944 + 3 * 24);
    row("llama mlp biases", kLlama + R"(,"mlp_bias":true)", 1944 + 3 * 40);
    row("llama head_dim", kLlama + R"(,"head_dim":6)", 1944 + 3 * 96);
    row("llama without groups",
        R"("model_type":"llama","num_hidden_layers":3,"hidden_size":8,"num_attention_heads":2,"intermediate_size":16,"vocab_size":10)",
        1944 + 3 * 64);
    row("llama integral float", kLlama + R"(,"head_dim":6.0)", 2232);
    row("granite", kShape + R"("granite","embedding_multiplier":12.0,"mlp_bias":true)", 2064);
    row("mistral", kShape + R"("mistral")", 1944);
    row("Yi", kShape + R"("Yi")", 1944);
    row("internlm", kShape + R"("internlm","bias":true)", 1944 + 3 * 24);
    row("qwen2", kShape + R"("qwen2")", 1944 + 3 * 16);
    row("qwen3", kQwen3, 1944 + 3 * 8);
    row("qwen3 biases", kQwen3 + R"(,"attention_bias":true)", 1968 + 3 * 24);
    // Mixtral: 168 + 3 (192 + 16 + 32 + 4·384); a token uses half of the experts.
    row("mixtral", kMixtral, 5496, 5496 - 2304);
}

void TestModel::toys()
{
    QFETCH(std::string, config);
    QFETCH(qint64, total);
    QFETCH(qint64, active);
    const ModelReading reading = read(config);
    const ParameterCount count = countParameters(reading.architecture).value();
    QCOMPARE(count.total, total);
    QCOMPARE(count.active, active);
    qint64 sum = 0;
    for (const TensorShape& tensor : tensors(reading.architecture))
        sum += tensor.count();
    QCOMPARE(sum, total);
}

void TestModel::published_data()
{
    QTest::addColumn<QString>("dimensions");
    QTest::addColumn<qint64>("total");
    const auto llama
        = [](const char* name, const char* type, int layers, int hidden, int heads, int kvHeads,
              int ffn, int vocabulary, qint64 total, const char* more = "") {
              QTest::newRow(name) << QString(
                  R"({"model_type":"%1","num_hidden_layers":%2,"hidden_size":%3,)"
                  R"("num_attention_heads":%4,"num_key_value_heads":%5,)"
                  R"("intermediate_size":%6,"vocab_size":%7%8})")
                                         .arg(type)
                                         .arg(layers)
                                         .arg(hidden)
                                         .arg(heads)
                                         .arg(kvHeads)
                                         .arg(ffn)
                                         .arg(vocabulary)
                                         .arg(more)
                                  << total;
          };
    const auto neox
        = [](const char* name, int layers, int hidden, int heads, int vocabulary, qint64 total) {
              QTest::newRow(name) << QString(
                  R"({"model_type":"gpt_neox","num_hidden_layers":%1,"hidden_size":%2,)"
                  R"("num_attention_heads":%3,"intermediate_size":%4,"vocab_size":%5})")
                                         .arg(layers)
                                         .arg(hidden)
                                         .arg(heads)
                                         .arg(4 * hidden)
                                         .arg(vocabulary)
                                  << total;
          };
    // Parameter counts of the models' cards and of their safetensors indexes.
    llama("llama-2-13b", "llama", 40, 5120, 40, 40, 13824, 32000, 13'015'864'320);
    llama("llama-2-70b", "llama", 80, 8192, 64, 8, 28672, 32000, 68'976'648'192);
    llama("llama-3-8b", "llama", 32, 4096, 32, 8, 14336, 128256, 8'030'261'248);
    llama("llama-3.2-1b", "llama", 16, 2048, 32, 8, 8192, 128256, 1'235'814'400,
        R"(,"head_dim":64,"tie_word_embeddings":true)");
    llama("codellama-34b", "llama", 48, 8192, 64, 8, 22016, 32000, 33'743'970'304);
    llama("mistral-7b-v0.1", "mistral", 32, 4096, 32, 8, 14336, 32000, 7'241'732'096);
    llama("qwen2.5-7b", "qwen2", 28, 3584, 28, 4, 18944, 152064, 7'615'616'512);
    llama("granite-3.1-8b", "granite", 40, 4096, 32, 8, 12800, 49155, 8'170'848'256,
        R"(,"tie_word_embeddings":true)");
    // Black et al., GPT-NeoX-20B, arXiv:2204.06745, and the table of EleutherAI/pythia's README.
    neox("gpt-neox-20b", 44, 6144, 64, 50432, 20'554'567'680);
    neox("pythia-12b", 36, 5120, 40, 50688, 11'846'072'320);
    QTest::newRow("opt-125m")
        << R"({"model_type":"opt","num_hidden_layers":12,"hidden_size":768,"num_attention_heads":12,)"
           R"("ffn_dim":3072,"max_position_embeddings":2048,"vocab_size":50272})"
        << qint64(125'239'296);
}

void TestModel::published()
{
    QFETCH(QString, dimensions);
    QFETCH(qint64, total);
    QCOMPARE(countParameters(read(dimensions.toStdString()).architecture).value().total, total);
}

void TestModel::shapesAsStored()
{
    QCOMPARE(names(tensors(read("{" + kGpt2 + "}").architecture)),
        QString("embedding 10x8x1, positions 6x8x1, "
                "layers.*.attention_norm 8x1x3, layers.*.attention_norm.bias 8x1x3, "
                "layers.*.attention.query_key_value 8x24x3, "
                "layers.*.attention.query_key_value.bias 24x1x3, "
                "layers.*.attention.output 8x8x3, layers.*.attention.output.bias 8x1x3, "
                "layers.*.mlp_norm 8x1x3, layers.*.mlp_norm.bias 8x1x3, "
                "layers.*.mlp.up 8x32x3, layers.*.mlp.up.bias 32x1x3, "
                "layers.*.mlp.down 32x8x3, layers.*.mlp.down.bias 8x1x3, "
                "final_norm 8x1x1, final_norm.bias 8x1x1"));
    QCOMPARE(names(tensors(read("{" + kMixtral + "}").architecture)),
        QString("embedding 10x8x1, layers.*.attention_norm 8x1x3, layers.*.attention.query 8x8x3, "
                "layers.*.attention.key 4x8x3, layers.*.attention.value 4x8x3, "
                "layers.*.attention.output 8x8x3, layers.*.mlp_norm 8x1x3, layers.*.router 4x8x3, "
                "layers.*.experts.*.gate 16x8x12, layers.*.experts.*.up 16x8x12, "
                "layers.*.experts.*.down 8x16x12, final_norm 8x1x1, head 10x8x1"));
}

void TestModel::presetsExist()
{
    const std::vector<std::string> presets = modelPresetNames();
    QVERIFY(std::find(presets.begin(), presets.end(), "llama-3-8b") != presets.end());
    for (const std::string& name : presets) {
        const auto model = modelPreset(name);
        QVERIFY2(model && model->name == name, name.c_str());
        QVERIFY2(countParameters(*model).ok(), name.c_str());
    }
    QVERIFY(!modelPreset("no such model"));
    QVERIFY(!modelPreset(""));

    const std::pair<const char*, std::int64_t> totals[] = { { "gpt2", 124'439'808 },
        { "gpt2-xl", 1'557'611'200 }, { "opt-350m", 331'196'416 }, { "pythia-6.9b", 6'857'302'016 },
        { "llama-2-7b", 6'738'415'616 }, { "llama-3-8b", 8'030'261'248 },
        { "llama-3.1-70b", 70'553'706'496 }, { "llama-3.1-405b", 405'853'388'800 },
        { "mistral-7b-v0.3", 7'248'023'552 }, { "mixtral-8x7b", 46'702'792'704 },
        { "mixtral-8x22b", 140'620'634'112 }, { "qwen2.5-0.5b", 494'032'768 },
        { "qwen3-8b", 8'190'735'360 }, { "yi-1.5-34b", 34'388'917'248 } };
    for (const auto& [name, total] : totals)
        QCOMPARE(countParameters(modelPreset(name).value()).value().total, total);
    QCOMPARE(countParameters(modelPreset("mixtral-8x7b").value()).value().active,
        std::int64_t(12'879'925'248));
}

void TestModel::overflowIsAnError()
{
    ModelArchitecture model = modelPreset("llama-3-8b").value();
    model.ffn = std::int64_t(1) << 60;
    const auto count = countParameters(model);
    QVERIFY(!count);
    QVERIFY(count.error().where.find("mlp") != std::string::npos);
    QVERIFY(count.error().what.find("64-bit") != std::string::npos);
    QVERIFY(!count.error().expected.empty());
}

void TestModel::reports()
{
    const ModelReading reading
        = read("{" + kMixtral + R"(,"architectures":["MixtralForCausalLM"],"mood":1})", "toy");
    const ParameterCount count = countParameters(reading.architecture).value();
    QCOMPARE(QString::fromStdString(modelJson(reading, count).dump()),
        QString(
            R"({"name":"toy","family":"mixtral","total_parameters":5496,"active_parameters":3192,"tied":false,)"
            R"("groups":{"embedding":80,"attention":576,"experts":4608,"router":96,"norm":56,"head":80},)"
            R"("warnings":["Keys that are not known and not used: mood."]})"));
    QCOMPARE(QString::fromStdString(modelText(reading, count)),
        QString("toy (mixtral), parameters\n"
                "  total               5,496\n"
                "  active for a token  3,192\n"
                "    embedding            80\n"
                "    attention           576\n"
                "    experts           4,608\n"
                "    router               96\n"
                "    norm                 56\n"
                "    head                 80\n"
                "The head has its own weights.\n"
                "Warning: Keys that are not known and not used: mood.\n"));
}

QTEST_GUILESS_MAIN(TestModel)
#include "test_model.moc"
