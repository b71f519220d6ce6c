#include "workload/model.h"

#include <nlohmann/json.hpp>

#include <QtTest>

using namespace shardrack;

namespace {

const char* const kPlain
    = R"({"architectures":["LlamaForCausalLM"],"model_type":"llama","num_hidden_layers":3,)"
      R"("hidden_size":8,"num_attention_heads":2,"num_key_value_heads":1,)"
      R"("intermediate_size":16,"vocab_size":10})";

/// The plain description with the members of `patch` put in; a null there removes the member.
std::string patched(const char* patch)
{
    Json json = Json::parse(kPlain);
    json.merge_patch(Json::parse(patch));
    return json.dump();
}

QString warnings(const ModelReading& reading)
{
    QStringList list;
    for (const std::string& warning : reading.warnings)
        list << QString::fromStdString(warning);
    return list.join(" ");
}

} // namespace

class TestModelConfig : public QObject {
    Q_OBJECT

private slots:
    void refused_data();
    void refused();
    void notJson_data();
    void notJson();
    void accepted_data();
    void accepted();
};

void TestModelConfig::refused_data()
{
    QTest::addColumn<std::string>("config");
    QTest::addColumn<QString>("where");
    QTest::addColumn<QString>("what");
    const auto row = [](const char* name, const std::string& config, const char* where,
                         const char* what) { QTest::newRow(name) << config << where << what; };
    row("no object", "[]", "$", "");
    row("no type", R"({"hidden_size":8})", "$", "model_type is missing");
    row("null type", R"({"model_type":null})", "$", "model_type is missing");
    row("type is a number", R"({"model_type":7})", "$.model_type", "7");
    row("other family", R"({"model_type":"t5","d_model":4096})", "$.model_type",
        "model type \"t5\" is not supported yet");
    row("class only", R"({"architectures":["OpenMoeForCausalLM"]})", "$.architectures[0]",
        "\"OpenMoeForCausalLM\" without a model_type is not supported yet");
    row("checkpoint index", R"({"metadata":{"total_size":16},"weight_map":{"a":"b"}})", "$",
        "checkpoint index");
    row("adapter", R"({"peft_type":"LORA","r":8})", "$", "adapter");
    row("tokenizer",
        R"({"tokenizer_class":"LLaMATokenizer","model_max_length":1000000000000000019884624838656})",
        "$", "tokenizer");
    row("DeepSpeed", R"({"zero_optimization":{"stage":3}})", "$", "DeepSpeed");

    row("missing layers", patched(R"({"num_hidden_layers":null})"), "$.num_hidden_layers",
        "is missing");
    row("null layers", R"({"model_type":"llama","num_hidden_layers":null})", "$.num_hidden_layers",
        "is missing");
    row("text for a number", patched(R"({"hidden_size":"8"})"), "$.hidden_size", "\"8\"");
    row("fraction", patched(R"({"hidden_size":8.5})"), "$.hidden_size", "8.5");
    row("list", patched(R"({"intermediate_size":[16,16,16]})"), "$.intermediate_size", "a list");
    row("boolean", patched(R"({"vocab_size":true})"), "$.vocab_size", "true");
    row("zero", patched(R"({"num_attention_heads":0})"), "$.num_attention_heads", "0");
    row("negative", patched(R"({"vocab_size":-10})"), "$.vocab_size", "-10");
    row("huge", patched(R"({"vocab_size":2147483648})"), "$.vocab_size", "2147483648");
    row("beyond 64 bits",
        std::string(R"({"model_type":"llama","num_hidden_layers":18446744073709551616})"),
        "$.num_hidden_layers", "is ");
    row("very many layers", patched(R"({"num_hidden_layers":65537})"), "$.num_hidden_layers",
        "65537");
    row("overflow",
        patched(
            R"({"hidden_size":2147483646,"intermediate_size":2147483647,"num_hidden_layers":65536})"),
        "$", "64-bit range");
    row("heads do not divide",
        patched(R"({"hidden_size":10,"num_attention_heads":3,"num_key_value_heads":3})"),
        "$.hidden_size", "10 cannot be divided by 3");
    row("groups do not divide", patched(R"({"num_attention_heads":4,"num_key_value_heads":3})"),
        "$.num_key_value_heads", "4 attention heads");
    row("more groups than heads", patched(R"({"num_key_value_heads":4})"), "$.num_key_value_heads",
        "2 attention heads");
    row("tie flag is text", patched(R"({"tie_word_embeddings":"no"})"), "$.tie_word_embeddings",
        "\"no\"");
    row("bias flag is a number", patched(R"({"attention_bias":0})"), "$.attention_bias", "0");

    row("other head", patched(R"({"architectures":["LlamaForSequenceClassification"]})"),
        "$.architectures[0]", "\"LlamaForSequenceClassification\" is not supported yet");
    row("classes are text", patched(R"({"architectures":"LlamaForCausalLM"})"), "$.architectures",
        "LlamaForCausalLM");
    row("remote code",
        patched(R"({"auto_map":{"AutoModelForCausalLM":"llama_moe.LlamaMoeForCausalLM"}})"),
        "$.auto_map.AutoModelForCausalLM", "LlamaMoeForCausalLM");
    row("experts in a llama", patched(R"({"num_local_experts":8})"), "$.num_local_experts",
        "not supported yet");
    row("experts by another name", patched(R"({"moe_intermediate_size":16})"),
        "$.moe_intermediate_size", "");
    row("nested text", patched(R"({"text_config":{"hidden_size":8}})"), "$.text_config", "");
    row("tower", patched(R"({"mm_vision_tower":"clip"})"), "$.mm_vision_tower", "");
    row("other vocabulary", patched(R"({"padded_vocab_size":16})"), "$.padded_vocab_size", "");
    row("unknown bias", patched(R"({"bias":true})"), "$.bias", "");
    row("query norms in a llama", patched(R"({"use_qk_norm":true})"), "$.use_qk_norm", "");
    row("pruned", patched(R"({"pruned_heads":{"0":[1]}})"), "$.pruned_heads", "");
    row("cross attention", patched(R"({"add_cross_attention":true})"), "$.add_cross_attention", "");
    row("layer types too few", patched(R"({"layer_types":["full_attention"]})"), "$.layer_types",
        "1 entries");
    row("linear attention",
        patched(R"({"layer_types":["full_attention","linear_attention","full_attention"]})"),
        "$.layer_types[1]", "linear_attention");
    row("mistral with biases",
        patched(R"({"model_type":"mistral","architectures":null,"attention_bias":true})"),
        "$.attention_bias", "");
    row("mistral without groups",
        patched(R"({"model_type":"mistral","architectures":null,"num_key_value_heads":null})"),
        "$.num_key_value_heads", "is missing");
    row("qwen3 without head_dim", patched(R"({"model_type":"qwen3","architectures":null})"),
        "$.head_dim", "is missing");
    row("internlm without bias", patched(R"({"model_type":"internlm","architectures":null})"),
        "$.bias", "is missing");
    row("mixtral without experts", patched(R"({"model_type":"mixtral","architectures":null})"),
        "$.num_local_experts", "is missing");
    row("more experts a token than experts",
        patched(
            R"({"model_type":"mixtral","architectures":null,"num_local_experts":2,"num_experts_per_tok":3})"),
        "$.num_experts_per_tok", "3");
    const std::string gpt2
        = R"({"model_type":"gpt2","n_layer":3,"n_embd":8,"n_head":2,"n_positions":6,"vocab_size":10)";
    row("gpt2 without biases", gpt2 + R"(,"bias":false})", "$.bias", "");
    row("gpt2 contradicts itself", gpt2 + R"(,"hidden_size":16})", "$.hidden_size", "n_embd");
    row("gpt2 heads do not divide",
        R"({"model_type":"gpt2","n_layer":3,"n_embd":10,"n_head":3,"n_positions":6,"vocab_size":10})",
        "$.n_embd", "10 cannot be divided by 3");
}

void TestModelConfig::refused()
{
    QFETCH(std::string, config);
    QFETCH(QString, where);
    QFETCH(QString, what);
    const auto reading = readModelConfig(std::string_view(config), "model");
    QVERIFY(!reading);
    QCOMPARE(QString::fromStdString(reading.error().where), where);
    QVERIFY2(
        QString::fromStdString(reading.error().what).contains(what), reading.error().what.c_str());
    QVERIFY(!reading.error().what.empty());
    QVERIFY2(!reading.error().expected.empty(), reading.error().what.c_str());
}

void TestModelConfig::notJson_data()
{
    QTest::addColumn<std::string>("text");
    QTest::newRow("empty") << std::string();
    QTest::newRow("cut off") << std::string(kPlain).substr(0, 60);
    QTest::newRow("placeholder") << std::string(R"({"hidden_size": CONFIG_HIDDEN_SIZE})");
    QTest::newRow("same key twice") << std::string(R"({"model_type":"llama","model_type":"gpt2"})");
    QTest::newRow("two documents") << std::string(kPlain) + kPlain;
    QTest::newRow("deep") << std::string(5000, '[');
}

void TestModelConfig::notJson()
{
    QFETCH(std::string, text);
    const auto reading = readModelConfig(std::string_view(text), "model");
    QVERIFY(!reading);
    QVERIFY2(
        reading.error().where.find("line ") != std::string::npos, reading.error().text().c_str());
}

void TestModelConfig::accepted_data()
{
    QTest::addColumn<std::string>("config");
    QTest::addColumn<QString>("warning");
    const auto row = [](const char* name, const char* patch, const char* warning) {
        QTest::newRow(name) << patched(patch) << warning;
    };
    row("as it is", "{}", "");
    row("no class", R"({"architectures":null})", "counted as LlamaForCausalLM");
    row("same class by remote code",
        R"({"auto_map":{"AutoModelForCausalLM":"modeling_flash_llama.LlamaForCausalLM"}})", "");
    row("structure switched off",
        R"({"num_local_experts":0,"bias":false,"mlp_only_layers":[],"pruned_heads":{}})", "");
    row("huge number where it does not matter", R"({"model_max_length":1e30})", "");
    row("unknown", R"({"mood":"good","colour":3})", "not used: mood, colour.");
    row("quantised", R"({"quantization_config":{"quant_method":"gptq","bits":4}})",
        "quantised (gptq)");
    row("attention alternates",
        R"({"layer_types":["full_attention","sliding_attention","full_attention"]})", "");
    row("rotary tables", R"({"rope_scaling":{"rope_type":"llama3","factor":8.0},"rope_theta":5e5})",
        "");
}

void TestModelConfig::accepted()
{
    QFETCH(std::string, config);
    QFETCH(QString, warning);
    const auto reading = readModelConfig(std::string_view(config), "model");
    QVERIFY2(reading.ok(), reading ? "" : reading.error().text().c_str());
    // 80 + 3 (192 + 384 + 16) + 8 + 80, whatever the other keys say.
    QCOMPARE(countParameters(reading->architecture).value().total, std::int64_t(1944));
    QCOMPARE(reading->warnings.empty(), warning.isEmpty());
    QVERIFY2(warnings(*reading).contains(warning), qPrintable(warnings(*reading)));
}

QTEST_GUILESS_MAIN(TestModelConfig)
#include "test_model_config.moc"
