#include "workload/config_keys.h"

#include "base/utf8.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>

namespace shardrack {

namespace {

// Switches, token numbers, probabilities, generation defaults, positions computed by rotation and
// notes of tools: facts of PretrainedConfig and of the families' configuration classes in Hugging
// Face transformers (configuration_utils.py, models/*/configuration_*.py).
constexpr std::string_view kHarmless[] = { "_attn_implementation_autoset", "_commit_hash",
    "_flash_attn_2_enabled", "_name_or_path", "_num_labels", "activation_dropout",
    "activation_function", "architectures", "attention_dropout", "attention_probs_dropout_prob",
    "attn_implementation", "attn_pdrop", "auto_map", "bad_words_ids", "begin_suppress_tokens",
    "bos_token_id", "chunk_size_feed_forward", "classifier_dropout", "compression_config",
    "custom_pipelines", "decoder_start_token_id", "diversity_penalty", "do_sample", "dropout",
    "dtype", "dual_chunk_attention_config", "early_stopping", "embd_pdrop",
    "encoder_no_repeat_ngram_size", "eos_token_id", "exponential_decay_length_penalty",
    "finetuning_task", "forced_bos_token_id", "forced_eos_token_id", "gradient_checkpointing",
    "hidden_act", "hidden_dropout", "hidden_dropout_prob", "id2label", "init_std",
    "initializer_range", "is_decoder", "is_llama_config", "label2id", "layer_norm_eps",
    "layer_norm_epsilon", "layerdrop", "length_penalty", "max_length", "max_position_embeddings",
    "max_sequence_length", "max_window_layers", "min_length", "model_max_length", "model_type",
    "n_ctx", "n_special", "name_or_path", "neuron", "no_repeat_ngram_size", "num_beam_groups",
    "num_beams", "num_labels", "num_return_sequences", "original_max_position_embeddings",
    "output_attentions", "output_hidden_states", "output_past", "output_router_logits",
    "output_scores", "pad_token_id", "partial_rotary_factor", "predict_special_tokens", "prefix",
    "pretraining_tp", "problem_type", "quantization", "quantization_config",
    "remove_invalid_values", "reorder_and_upcast_attn", "repetition_penalty", "resid_pdrop",
    "return_dict", "return_dict_in_generate", "rms_norm_eps", "rope_interleaved", "rope_parameters",
    "rope_scaling", "rope_theta", "rotary_emb_base", "rotary_pct", "router_aux_loss_coef",
    "router_jitter_noise", "scale_attn_by_inverse_layer_idx", "scale_attn_weights",
    "selective_checkpoint_enabled", "sep_token_id", "sequence_parallel_enabled", "sliding_window",
    "summary_activation", "summary_first_dropout", "summary_proj_to_labels", "summary_type",
    "summary_use_proj", "suppress_tokens", "task_specific_params", "temperature", "tf_legacy_loss",
    "tie_encoder_decoder", "tokenizer_class", "top_k", "top_p", "torch_dtype", "torchscript",
    "transformers_version", "typical_p", "unk_token_id", "use_bfloat16", "use_cache",
    "use_flash_attn", "use_parallel_residual", "use_sliding_window" };

// Words that name a part of a model. A key with one of them, switched on, may add or remove
// tensors.
constexpr std::string_view kStructural[] = { "adapter", "adapters", "affine", "audio", "bias",
    "block", "blocks", "config", "conv", "cross", "decoder", "depth", "dim", "draft", "eagle",
    "embd", "embed", "embedding", "embeddings", "encoder", "expert", "experts", "ffn", "gate",
    "gated", "gating", "head", "heads", "hidden", "hybrid", "image", "inner", "intermediate",
    "interleave", "kv", "layer", "layernorm", "layers", "linear", "lora", "mamba", "medusa",
    "memory", "mla", "mlp", "mm", "modality", "moe", "mtp", "multimodal", "nextn", "norm", "padded",
    "pattern", "position", "positions", "proj", "projection", "projector", "pruned", "qk", "qkv",
    "rank", "resampler", "router", "share", "shared", "sink", "sinks", "speech", "ssm", "sparse",
    "tie", "tied", "topk", "tower", "video", "vision", "visual", "vit", "vocab", "width" };

template <class List> bool contains(const List& list, std::string_view word)
{
    return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

std::vector<std::string_view> words(std::string_view key)
{
    std::vector<std::string_view> list;
    for (std::size_t begin = 0; begin <= key.size();) {
        const std::size_t end = std::min(key.find('_', begin), key.size());
        list.push_back(key.substr(begin, end - begin));
        begin = end + 1;
    }
    return list;
}

bool switchedOff(const Json& value)
{
    if (value.is_boolean())
        return !value.get<bool>();
    if (value.is_number())
        return value.get<double>() == 0.0;
    if (value.is_string())
        return value.get_ref<const std::string&>().empty();
    return value.empty(); // null, [] and {}
}

enum class Effect { None, Unknown, Structural };

Effect effect(std::string_view key, const Json& value, bool biased)
{
    const std::vector<std::string_view> parts = words(key);
    const auto isStructural = [](std::string_view word) { return contains(kStructural, word); };
    if (std::none_of(parts.begin(), parts.end(), isStructural))
        return Effect::Unknown;
    // Where biases are the rule, a switch of biases changes the count when it is off.
    if (biased && contains(parts, "bias"))
        return value.is_null() || value == true ? Effect::None : Effect::Structural;
    return switchedOff(value) ? Effect::None : Effect::Structural;
}

void warnOfUnknown(const std::vector<std::string>& keys, std::vector<std::string>& warnings)
{
    constexpr std::size_t shown = 8;
    if (keys.empty())
        return;
    std::string list;
    for (std::size_t i = 0; i < std::min(keys.size(), shown); ++i)
        list += (i == 0 ? "" : ", ") + keys[i];
    if (keys.size() > shown)
        list += " and " + std::to_string(keys.size() - shown) + " more";
    warnings.push_back("Keys that are not known and not used: " + list + ".");
}

void warnOfQuantisation(const JsonView& config, std::vector<std::string>& warnings)
{
    for (const char* key : { "quantization_config", "compression_config", "quantization" }) {
        const auto quantisation = config.find(key);
        if (!quantisation)
            continue;
        std::string method = "format not named";
        if (quantisation->isObject())
            if (const auto name = quantisation->find("quant_method"))
                method = shortened(name->string());
        warnings.push_back("The checkpoint is quantised (" + method
            + "): the counts are those of the model itself; the stored tensors differ in number "
              "and size.");
        return;
    }
}

} // namespace

void inspectOtherKeys(const JsonView& config, const std::vector<std::string_view>& used,
    bool biased, std::vector<std::string>& warnings)
{
    std::vector<std::string> unknown;
    for (const auto& [key, value] : config.json().items()) {
        if (contains(used, key) || contains(kHarmless, key))
            continue;
        switch (effect(key, value, biased)) {
        case Effect::None:
            break;
        case Effect::Unknown:
            unknown.push_back(shortened(key));
            break;
        case Effect::Structural:
            JsonView(value, memberPath(config.path(), key))
                .fail("this key may change the number of parameters in a way that is not supported "
                      "yet",
                    "a description in which it is absent or has no effect");
        }
    }
    warnOfUnknown(unknown, warnings);
    warnOfQuantisation(config, warnings);
}

} // namespace shardrack
