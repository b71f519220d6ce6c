#include "workload/model_families.h"

#include "base/size_text.h"
#include "base/utf8.h"

namespace shardrack {

namespace {

// Bounds of sense: above every model and low enough that a product of two dimensions fits 63 bits.
constexpr std::int64_t kLargestDimension = (std::int64_t(1) << 31) - 1;
constexpr std::int64_t kMostLayers = 65536;

std::int64_t dimension(
    const JsonView& config, const char* key, std::int64_t largest = kLargestDimension)
{
    if (!config.has(key))
        JsonView(config.json(), memberPath(config.path(), key))
            .fail("is missing", "a whole number, 1 or more");
    return config.at(key).integer(1, largest);
}

std::int64_t dimensionOr(const JsonView& config, const char* key, std::int64_t otherwise)
{
    const auto view = config.find(key);
    return view ? view->integer(1, kLargestDimension) : otherwise;
}

bool flagOr(const JsonView& config, const char* key, bool otherwise)
{
    const auto view = config.find(key);
    return view ? view->boolean() : otherwise;
}

/// A dimension under its own key or the library's second name for it; both must agree.
std::int64_t dimensionNamed(const JsonView& config, const char* key, const char* alias,
    std::int64_t largest = kLargestDimension)
{
    if (!config.has(key) && config.has(alias))
        return dimension(config, alias, largest);
    const std::int64_t value = dimension(config, key, largest);
    if (config.has(alias) && dimension(config, alias, largest) != value)
        config.at(alias).fail(
            std::string("it contradicts ") + key + " (" + grouped(value) + ")", grouped(value));
    return value;
}

/// Width of a head where nothing but hidden size and heads says it. `remedy` is added to what was
/// expected.
std::int64_t evenHeadWidth(const JsonView& config, const char* hiddenKey,
    const ModelArchitecture& model, const char* remedy = "")
{
    if (model.hidden % model.heads != 0)
        config.at(hiddenKey).fail(grouped(model.hidden) + " cannot be divided by "
                + grouped(model.heads) + " attention heads",
            "a multiple of " + grouped(model.heads) + remedy);
    return model.hidden / model.heads;
}

void equalHeads(const JsonView& config, const char* hiddenKey, ModelArchitecture& model)
{
    model.headDim = evenHeadWidth(config, hiddenKey, model);
    model.kvHeads = model.heads;
    model.embeddingWidth = model.hidden;
}

void setBiases(ModelArchitecture& model, bool attention, bool mlp)
{
    model.attentionBias = attention;
    model.outputBias = attention;
    model.mlpBias = mlp;
}

/// The keys that all families but GPT-2 share.
void readSizes(const JsonView& config, ModelArchitecture& model)
{
    model.layers = dimension(config, "num_hidden_layers", kMostLayers);
    model.hidden = dimension(config, "hidden_size");
    model.heads = dimension(config, "num_attention_heads");
    model.vocabulary = dimension(config, "vocab_size");
}

void readGpt2(const JsonView& config, ModelArchitecture& model, std::vector<std::string>& warnings)
{
    model.shape = ModelShape::Gpt2;
    model.layers = dimensionNamed(config, "n_layer", "num_hidden_layers", kMostLayers);
    model.hidden = dimensionNamed(config, "n_embd", "hidden_size");
    model.heads = dimensionNamed(config, "n_head", "num_attention_heads");
    model.positions = dimensionNamed(config, "n_positions", "max_position_embeddings");
    model.vocabulary = dimension(config, "vocab_size");
    model.ffn = dimensionOr(config, "n_inner", 4 * model.hidden);
    equalHeads(config, config.has("n_embd") ? "n_embd" : "hidden_size", model);
    setBiases(model, true, true);
    if (const auto context = config.find("n_ctx"))
        if (context->integer(1, kLargestDimension) != model.positions)
            warnings.push_back(
                "n_ctx differs from n_positions; the position table has n_positions = "
                + grouped(model.positions) + " rows.");
}

void readGptNeoX(const JsonView& config, ModelArchitecture& model, std::vector<std::string>&)
{
    model.shape = ModelShape::GptNeoX;
    readSizes(config, model);
    model.ffn = dimension(config, "intermediate_size");
    equalHeads(config, "hidden_size", model);
    setBiases(model, flagOr(config, "attention_bias", true), true);
    model.parallelResidual = flagOr(config, "use_parallel_residual", true);
}

void readOpt(const JsonView& config, ModelArchitecture& model, std::vector<std::string>&)
{
    model.shape = ModelShape::Opt;
    readSizes(config, model);
    model.ffn = dimension(config, "ffn_dim");
    equalHeads(config, "hidden_size", model);
    // OPTLearnedPositionalEmbedding: the first two rows are an offset for padding.
    model.positions = dimension(config, "max_position_embeddings") + 2;
    model.embeddingWidth = dimensionOr(config, "word_embed_proj_dim", model.hidden);
    const bool bias = flagOr(config, "enable_bias", true);
    setBiases(model, bias, bias);
    model.normWeights = flagOr(config, "layer_norm_elementwise_affine", true);
    model.finalNorm = flagOr(config, "do_layer_norm_before", true)
        && !flagOr(config, "_remove_final_layer_norm", false);
}

void readHeads(const JsonView& config, ModelArchitecture& model, bool widthRequired)
{
    model.headDim = widthRequired || config.has("head_dim")
        ? dimension(config, "head_dim")
        : evenHeadWidth(config, "hidden_size", model, ", or head_dim beside it");
    if (model.heads % model.kvHeads != 0)
        config.at("num_key_value_heads")
            .fail(grouped(model.heads) + " attention heads cannot share " + grouped(model.kvHeads)
                    + " key/value heads evenly",
                "a divisor of " + grouped(model.heads));
}

/// Layers may differ in how they attend, never in their tensors.
void checkLayerTypes(const JsonView& config, const ModelArchitecture& model)
{
    const auto types = config.find("layer_types");
    if (!types)
        return;
    const std::vector<JsonView> items = types->items();
    if (static_cast<std::int64_t>(items.size()) != model.layers)
        types->fail("it has " + std::to_string(items.size()) + " entries for "
                + grouped(model.layers) + " layers",
            "one entry a layer");
    for (const JsonView& item : items) {
        const std::string type = item.string();
        if (type != "full_attention" && type != "sliding_attention" && type != "chunked_attention")
            item.fail("layer type \"" + shortened(type) + "\" is not supported yet",
                "full_attention, sliding_attention or chunked_attention");
    }
}

/// What the families of Llama's shape have in common.
void readLlamaLike(const JsonView& config, ModelArchitecture& model, bool kvHeadsRequired,
    bool headDimRequired = false)
{
    model.shape = ModelShape::Llama;
    readSizes(config, model);
    model.kvHeads = kvHeadsRequired ? dimension(config, "num_key_value_heads")
                                    : dimensionOr(config, "num_key_value_heads", model.heads);
    model.ffn = dimension(config, "intermediate_size");
    model.embeddingWidth = model.hidden;
    readHeads(config, model, headDimRequired);
    checkLayerTypes(config, model);
}

void readLlama(const JsonView& config, ModelArchitecture& model, std::vector<std::string>&)
{
    readLlamaLike(config, model, false);
    setBiases(model, flagOr(config, "attention_bias", false), flagOr(config, "mlp_bias", false));
}

void readPlainLlama(const JsonView& config, ModelArchitecture& model, std::vector<std::string>&)
{
    readLlamaLike(config, model, true);
}

void readInternLm(const JsonView& config, ModelArchitecture& model, std::vector<std::string>&)
{
    readLlamaLike(config, model, false);
    setBiases(model, config.at("bias").boolean(), false);
}

void readQwen2(const JsonView& config, ModelArchitecture& model, std::vector<std::string>& warnings)
{
    readLlamaLike(config, model, true);
    model.attentionBias = true; // whatever a key says; the output has none
    if (!flagOr(config, "attention_bias", true))
        warnings.push_back(
            "attention_bias is not used: queries, keys and values of qwen2 always have biases.");
}

void readQwen3(const JsonView& config, ModelArchitecture& model, std::vector<std::string>&)
{
    readLlamaLike(config, model, true, true);
    setBiases(model, flagOr(config, "attention_bias", false), false);
    model.queryKeyNorm = true;
}

void readMixtral(const JsonView& config, ModelArchitecture& model, std::vector<std::string>&)
{
    readLlamaLike(config, model, true);
    model.shape = ModelShape::Mixtral;
    model.experts = dimension(config, "num_local_experts");
    model.expertsPerToken = config.at("num_experts_per_tok").integer(1, model.experts);
}

/// The keys of every family of Llama's shape, and `more`.
std::vector<std::string_view> llamaKeys(std::vector<std::string_view> more = {})
{
    more.insert(more.end(),
        { "num_hidden_layers", "hidden_size", "num_attention_heads", "num_key_value_heads",
            "head_dim", "intermediate_size", "vocab_size", "layer_types" });
    return more;
}

} // namespace

// Defaults and tensors: the configuration and modelling classes of Hugging Face transformers; for
// Yi and InternLM the remote code published with 01-ai/Yi-6B and internlm/internlm-7b. Where a
// library default is a number fit for one size only (key/value heads of Mistral, Mixtral, Qwen),
// the key is required.
const std::vector<ModelFamily>& modelFamilies()
{
    static const std::vector<ModelFamily> families = {
        { "gpt2", { "GPT2LMHeadModel" },
            { "n_layer", "n_embd", "n_head", "n_positions", "n_inner", "vocab_size",
                "num_hidden_layers", "hidden_size", "num_attention_heads" },
            true, true, readGpt2 },
        { "gpt_neox", { "GPTNeoXForCausalLM" },
            { "num_hidden_layers", "hidden_size", "num_attention_heads", "intermediate_size",
                "vocab_size", "attention_bias", "use_parallel_residual" },
            false, true, readGptNeoX },
        { "opt", { "OPTForCausalLM" },
            { "num_hidden_layers", "hidden_size", "num_attention_heads", "ffn_dim", "vocab_size",
                "word_embed_proj_dim", "enable_bias", "layer_norm_elementwise_affine",
                "do_layer_norm_before", "_remove_final_layer_norm",
                // written by Galactica, read by nobody
                "learned_embeddings", "scale_embeddings" },
            true, true, readOpt },
        { "llama", { "LlamaForCausalLM", "LLaMAForCausalLM" },
            llamaKeys({ "attention_bias", "mlp_bias" }), false, false, readLlama },
        { "code_llama", { "LlamaForCausalLM" }, llamaKeys({ "attention_bias", "mlp_bias" }), false,
            false, readLlama },
        { "granite", { "GraniteForCausalLM" },
            llamaKeys({ "attention_bias", "mlp_bias", "attention_multiplier",
                "embedding_multiplier", "residual_multiplier", "logits_scaling" }),
            false, false, readLlama },
        { "mistral", { "MistralForCausalLM" }, llamaKeys(), false, false, readPlainLlama },
        { "Yi", { "YiForCausalLM", "LlamaForCausalLM" }, llamaKeys(), false, false,
            readPlainLlama },
        { "internlm", { "InternLMForCausalLM" }, llamaKeys({ "bias" }), false, false,
            readInternLm },
        { "qwen2", { "Qwen2ForCausalLM" }, llamaKeys({ "attention_bias" }), false, false,
            readQwen2 },
        { "qwen3", { "Qwen3ForCausalLM" }, llamaKeys({ "attention_bias" }), false, false,
            readQwen3 },
        { "mixtral", { "MixtralForCausalLM" },
            llamaKeys({ "num_local_experts", "num_experts_per_tok" }), false, false, readMixtral },
    };
    return families;
}

} // namespace shardrack
