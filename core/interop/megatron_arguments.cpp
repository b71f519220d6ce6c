#include "interop/megatron_arguments.h"

#include "account/constants.h"
#include "base/size_text.h"
#include "interop/import_reader.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

namespace shardrack {

namespace {

constexpr std::int64_t kMost = std::int64_t(1) << 40;

/// Arguments that change no memory of a device, or none that is computed: they are listed as such.
/// Names that end in * stand for all that begin so.
constexpr std::array kHarmless = { "overlap-grad-reduce", "overlap-param-gather*",
    "ddp-average-in-collective", "ddp-num-buckets", "ddp-bucket-size", "use-checkpoint-*",
    "no-ckpt-*", "ckpt-*", "async-save", "manual-gc*", "num-workers", "no-mmap-bin-files",
    "mmap-bin-files", "verify-integrity", "distributed-*", "use-mcore-models", "lr*", "min-lr",
    "weight-decay*", "clip-grad", "adam-*", "train-*", "eval-*", "log-*", "tensorboard-*", "save*",
    "load*", "data-*", "split", "vocab-file", "merge-file", "tokenizer-model", "seed", "exit-*",
    "decoupled-*", "fim-*", "calculate-per-token-loss", "apply-query-key-layer-scaling",
    "apply-layernorm-1p", "no-persist-layer-norm", "persist-layer-norm", "rotary-percent",
    "rotary-base", "init-method-std", "dataloader-*", "override-opt_param-scheduler",
    "rampup-batch-size", "step-batch-size-schedule", "timing-*", "master_*", "node_rank", "rdzv*",
    "loss-scale*", "initial-loss-scale", "attention-softmax-in-fp32", "no-load-*", "no-save-*",
    "hierarchical-context-parallel-sizes", "use-flash-attn", "no-bias-gelu-fusion",
    "no-bias-swiglu-fusion", "no-bias-dropout-fusion", "expert-tensor-parallel-size",
    "expert-model-parallel-size", "te-rng-tracker", "wandb-*", "profile*",
    "no-async-tensor-parallel-allreduce", "tp-comm-overlap", "bert-no-binary-head", "test-mode",
    "check-for-nan-in-loss-and-grad", "no-check-for-nan-in-loss-and-grad", "account-*", "mock-data",
    "use-tp-pp-dp-mapping", "export-te-mcore-model", "moe-*" };

/// Arguments that change memory in ways that are not computed yet.
constexpr std::array kUnsupported = { "num-experts", "fp8-format", "fp8-param-gather", "fp8",
    "fp4-format", "optimizer-cpu-offload", "use-megatron-fsdp", "use-torch-fsdp2", "mtp-num-layers",
    "cpu-offloading*", "fine-grained-activation-offloading", "export-kd-*", "hybrid-*",
    "is-hybrid-model", "mamba-*", "enable-cuda-graph", "cuda-graph-impl", "decoder-num-layers",
    "encoder-num-layers", "decoder-seq-length", "overlap-moe-expert-parallel-comm", "spec",
    "multi-token-prediction", "heterogeneous-layers-config-path" };

class Reader : public ImportReader {
public:
    Reader(const ArgumentList& list, const MegatronContext& context)
        : ImportReader("--")
        , m_list(list)
        , m_context(context)
    {
    }

    ImportedRun read()
    {
        m_out.recipe.framework = "megatron";
        m_out.layout.preset = LayoutPreset::Megatron;
        layout();
        precision();
        recipe();
        switches();
        model();
        environment();
        rest();
        return std::move(m_out);
    }

private:
    const std::string* find(std::string_view name) const override { return m_list.find(name); }
    void set(Switch which, std::int64_t value) { m_out.recipe.megatron.set(which, value); }

    void layout()
    {
        Layout& layout = m_out.layout;
        const auto read = [&](const char* name, const char* text) {
            return degree(name, number(name, text).value_or(1));
        };
        layout.tensor = read("tensor-model-parallel-size", "tensor degree");
        layout.pipeline = read("pipeline-model-parallel-size", "pipeline stages");
        layout.context = read("context-parallel-size", "context degree");
        layout.expert = 1; // experts are not computed yet, and a dense model has none
        if (m_list.find("use-tp-pp-dp-mapping")
            && flag("use-tp-pp-dp-mapping", "order of the ranks"))
            layout.order = "tp-cp-ep-pp-dp";
        const auto perNode = number(
            m_list.find("nproc_per_node") ? "nproc_per_node" : "nproc-per-node", "GPUs a node");
        const auto nodes = number("nnodes", "nodes");
        if (perNode)
            m_out.gpus = *perNode * nodes.value_or(1);
    }

    void precision()
    {
        const bool bf16 = flag("bf16", "bf16 weights and activations");
        const bool fp16 = flag("fp16", "fp16 weights and activations");
        if (bf16 && fp16)
            throw Failure({ "--bf16", "stands beside --fp16", "one of them" });
        set(Switch::Precision,
            std::int64_t(bf16 ? Precision::Bf16
                    : fp16    ? Precision::Fp16
                              : Precision::Fp32));
        if (!bf16 && !fp16)
            usual("precision", "fp32", "neither --bf16 nor --fp16 is given");
        if (flag("grad-reduce-in-bf16", "16-bit gradient buffer"))
            set(Switch::GradientBuffer, std::int64_t(GradientBuffer::SixteenBit));
        else if (fp16 && flag("accumulate-allreduce-grads-in-fp32", "fp32 gradient buffer"))
            set(Switch::GradientBuffer, std::int64_t(GradientBuffer::Fp32));
        else
            (void)flag("accumulate-allreduce-grads-in-fp32", "fp32 gradient buffer");
        const auto width = [&](const char* name, Switch which) {
            const std::string text = word(name, "width of a part of the optimizer state");
            if (!text.empty())
                set(which,
                    text == "fp32"                         ? 4
                        : text == "bf16" || text == "fp16" ? 2
                        : text == "fp8"                    ? 1
                                        : (fail(name, text, "fp32, bf16, fp16 or fp8"), 0));
        };
        width("main-params-dtype", Switch::MasterBytes);
        width("exp-avg-dtype", Switch::FirstMomentBytes);
        width("exp-avg-sq-dtype", Switch::SecondMomentBytes);
        const std::string gradients = word("main-grads-dtype", "format of the gradient buffer");
        if (!gradients.empty())
            set(Switch::GradientBuffer,
                std::int64_t(
                    gradients == "fp32" ? GradientBuffer::Fp32 : GradientBuffer::SixteenBit));
    }

    void recipe()
    {
        Recipe& recipe = m_out.recipe;
        recipe.microBatch = required("micro-batch-size", "sequences of one rank and micro-step");
        if (*recipe.microBatch == 0)
            recipe.microBatch.reset();
        recipe.globalBatch = number("global-batch-size", "sequences of one step");
        if (!recipe.globalBatch)
            usual("global-batch-size", "micro-batch × data-parallel ranks",
                "the training script's default");
        const std::int64_t sequence = required("seq-length", "tokens of a sequence");
        if (sequence > 0)
            recipe.sequence = sequence;
        recipe.optimizer = word("optimizer", "the optimizer");
        if (recipe.optimizer.empty()) {
            recipe.optimizer = "adam";
            usual("optimizer", "adam", "the training script's default");
        }
        if (recipe.optimizer != "adam")
            m_out.unsupported.push_back(
                { "optimizer", recipe.optimizer, "only Adam's state is computed" });
        recipe.recompute = "none";
        const std::string granularity = word("recompute-granularity", "recompute");
        if (granularity == "full" || granularity == "selective")
            recipe.recompute = granularity;
        else if (!granularity.empty())
            fail("recompute-granularity", granularity, "full or selective");
        if (flag("recompute-activations", "selective recompute"))
            recipe.recompute = "selective";
        const std::string method
            = word("recompute-method", "how full recompute divides the layers");
        if (!method.empty() && method != "uniform" && method != "block")
            fail("recompute-method", method, "uniform or block");
        if (!method.empty())
            set(Switch::RecomputeMethod,
                std::int64_t(
                    method == "block" ? RecomputeMethod::Block : RecomputeMethod::Uniform));
        if (const auto layers = number("recompute-num-layers", "layers of a unit or a chunk", 0))
            set(Switch::RecomputeLayers, *layers);
        modules();
    }

    void modules()
    {
        std::string text = word("recompute-modules", "what selective recompute drops");
        if (text.empty())
            return;
        std::int64_t bits = 0;
        const auto& choices = info(Switch::RecomputeModules).choices;
        for (char& c : text)
            if (c == ',' || c == '[' || c == ']' || c == '"' || c == '\'')
                c = ' ';
        for (std::size_t at = 0; at < text.size();) {
            at = std::min(text.find_first_not_of(' ', at), text.size());
            const std::size_t end = std::min(text.find(' ', at), text.size());
            const std::string name = text.substr(at, end - at);
            at = end;
            if (name.empty())
                continue;
            const auto found = std::find(choices.begin(), choices.end(), name);
            if (found == choices.end())
                fail("recompute-modules", name,
                    "core_attn, layernorm, mla_up_proj, mlp, moe_act, moe or shared_experts");
            bits |= std::int64_t(1) << (found - choices.begin());
        }
        set(Switch::RecomputeModules, bits);
    }

    void switches()
    {
        const auto on = [&](const char* name, Switch which, std::int64_t value, const char* text) {
            if (flag(name, text))
                set(which, value);
        };
        const auto count
            = [&](const char* name, Switch which, const char* text, std::int64_t least = 1) {
                  if (const auto value = number(name, text, least))
                      set(which, *value);
              };
        const auto choice = [&](const char* name, Switch which,
                                std::initializer_list<std::pair<const char*, std::int64_t>> values,
                                const char* text) {
            const std::string value = word(name, text);
            if (value.empty())
                return;
            for (const auto& [known, number] : values)
                if (value == known)
                    return set(which, number);
            fail(name, value, info(which).what);
        };
        choice("transformer-impl", Switch::Implementation,
            { { "transformer_engine", 0 }, { "local", 1 } }, "layer implementation");
        on("use-distributed-optimizer", Switch::DistributedOptimizer, 1, "optimizer state divided");
        count("num-distributed-optimizer-instances", Switch::OptimizerInstances,
            "groups that divide the optimizer");
        on("ddp-pad-buckets-for-high-nccl-busbw", Switch::PadBuckets, 1, "buckets padded");
        on("no-gradient-accumulation-fusion", Switch::GradientFusion, 0,
            "weight gradients not fused");
        on("deterministic-mode", Switch::Deterministic, 1, "deterministic kernels");
        choice("attention-backend", Switch::Attention,
            { { "auto", 0 }, { "flash", 1 }, { "fused", 2 }, { "unfused", 3 }, { "local", 3 } },
            "attention kernel");
        on("no-masked-softmax-fusion", Switch::MaskedSoftmaxFusion, 0, "fp32 softmax kept");
        dropout("attention-dropout", Switch::AttentionDropout);
        dropout("hidden-dropout", Switch::HiddenDropout);
        on("sequence-parallel", Switch::SequenceParallel, 1, "residual stream divided");
        count(
            "make-vocab-size-divisible-by", Switch::VocabularyDivisor, "padding of the vocabulary");
        if (flag("cross-entropy-loss-fusion", "cross entropy fused"))
            set(Switch::CrossEntropy, std::int64_t(CrossEntropyKind::Native));
        const std::string fusion = word("cross-entropy-fusion-impl", "which fused cross entropy");
        if (fusion == "te" && m_out.recipe.megatron.get(Switch::CrossEntropy))
            set(Switch::CrossEntropy, std::int64_t(CrossEntropyKind::TransformerEngine));
        else if (!fusion.empty() && fusion != "native" && fusion != "te")
            fail("cross-entropy-fusion-impl", fusion, "native or te");
        on("defer-embedding-wgrad-compute", Switch::DeferredHeadGradients, 1,
            "head gradients deferred");
        count("wgrad-deferral-limit", Switch::DeferralLimit, "micro-batches deferred", 0);
        on("no-create-attention-mask-in-dataloader", Switch::AttentionMask, 0, "no attention mask");
        on("no-rope-fusion", Switch::RopeFusion, 0, "rotary embedding not fused");
        on("distribute-saved-activations", Switch::DistributeSaved, 1, "checkpoints divided");
        count("microbatch-group-size-per-virtual-pipeline-stage", Switch::MicroBatchGroup,
            "micro-batches a group");
        count("decoder-first-pipeline-num-layers", Switch::FirstStageLayers,
            "layers of the first stage", 0);
        count("decoder-last-pipeline-num-layers", Switch::LastStageLayers,
            "layers of the last stage", 0);
        on("account-for-embedding-in-pipeline-split", Switch::CountEmbedding, 1,
            "embedding counts as a layer");
        on("account-for-loss-in-pipeline-split", Switch::CountLoss, 1, "loss counts as a layer");
        const std::string pipeline
            = word("pipeline-model-parallel-layout", "which chunk has which layers");
        if (!pipeline.empty()) {
            set(Switch::PipelineLayout, 1);
            m_out.recipe.megatron.words = pipeline;
        }
        // "a2a+p2p" exchanges all-to-all within small groups and point to point between them.
        choice("cp-comm-type", Switch::ContextCommunication,
            { { "p2p", 0 }, { "a2a", 1 }, { "a2a+p2p", 2 }, { "all_gather", 3 },
                { "allgather", 3 } },
            "context exchange");
        virtualStages();
    }

    void dropout(const char* name, Switch which)
    {
        const std::string text = word(name, "dropout");
        if (text.empty())
            return usual(name, "0.1", "the training script's default");
        double value = -1;
        const char* const end = text.data() + text.size();
        const auto read = std::from_chars(text.data(), end, value);
        if (read.ec != std::errc() || read.ptr != end || !(value >= 0 && value < 1))
            fail(name, text, "a number from 0 to below 1");
        set(which, std::llround(value * 1e6));
    }

    void virtualStages()
    {
        const auto chunks = number("num-virtual-stages-per-pipeline-rank", "chunks a stage");
        const auto layers = number("num-layers-per-virtual-pipeline-stage", "layers of a chunk");
        if (chunks && layers)
            throw Failure({ "--num-virtual-stages-per-pipeline-rank",
                "stands beside --num-layers-per-virtual-pipeline-stage", "one of them" });
        if (chunks)
            set(Switch::VirtualStages, *chunks);
        if (!layers)
            return;
        const std::string* all = m_list.find("num-layers");
        const auto total
            = all ? parseInteger(*all, 1, kMost) : Result<std::int64_t>(std::int64_t(0));
        const std::int64_t stages = m_out.layout.pipeline;
        if (!total || *total == 0)
            return;
        std::int64_t counted = *total;
        for (const char* name :
            { "account-for-embedding-in-pipeline-split", "account-for-loss-in-pipeline-split" })
            counted += m_list.find(name) ? 1 : 0;
        if (counted % stages != 0 || counted / stages % *layers != 0)
            fail("num-layers-per-virtual-pipeline-stage", std::to_string(*layers),
                "a divisor of the " + std::to_string(counted) + " layers ÷ "
                    + std::to_string(stages) + " stages");
        set(Switch::VirtualStages, counted / stages / *layers);
    }

    void model()
    {
        TransformerShape shape;
        shape.layers = required("num-layers", "layers");
        shape.hidden = required("hidden-size", "hidden size");
        shape.heads = required("num-attention-heads", "attention heads");
        const bool sized = shape.layers > 0 && shape.hidden > 0 && shape.heads > 0;
        const bool groups = flag("group-query-attention", "grouped queries");
        const auto kvHeads = number("num-query-groups", "key/value heads");
        shape.kvHeads = groups ? kvHeads.value_or(1) : shape.heads;
        const auto channels = number("kv-channels", "width of a head");
        shape.gated = flag("swiglu", "gated MLP");
        if (shape.gated)
            shape.activation = TransformerShape::Activation::Silu;
        if (flag("squared-relu", "squared ReLU"))
            shape.activation = TransformerShape::Activation::SquaredRelu;
        const auto ffn = number("ffn-hidden-size", "width of the MLP");
        if (!ffn && sized)
            usual("ffn-hidden-size", grouped(usualFfn(shape)),
                shape.gated ? "64 × ⌊8 × hidden ÷ 3 ÷ 64⌋" : "4 × hidden");
        shape.ffn = ffn.value_or(usualFfn(shape));
        const bool noBias = flag("disable-bias-linear", "no biases");
        shape.queryBias = !noBias;
        shape.outputBias = shape.mlpBias = !noBias;
        if (flag("add-qkv-bias", "bias of queries, keys and values"))
            shape.queryBias = true;
        shape.queryKeyNorm = flag("qk-layernorm", "norms of queries and keys");
        const std::string normalization = word("normalization", "kind of norm");
        if (!normalization.empty() && normalization != "LayerNorm" && normalization != "RMSNorm")
            fail("normalization", normalization, "LayerNorm or RMSNorm");
        shape.rmsNorm = normalization == "RMSNorm";
        shape.tied = !flag("untie-embeddings-and-output-weights", "head with a table of its own");
        shape.encoder = m_context.encoder;
        positions(shape);
        latent(shape);
        vocabulary(shape);
        if (!sized)
            return;
        if (channels)
            shape.headDim = *channels;
        else if (shape.latent.used())
            shape.headDim = shape.latent.headDim + shape.latent.rotaryDim;
        else if (shape.hidden % shape.heads != 0)
            throw Failure({ "--num-attention-heads",
                grouped(shape.heads) + " heads do not divide a hidden size of "
                    + grouped(shape.hidden),
                "a divisor, or --kv-channels" });
        else
            shape.headDim = shape.hidden / shape.heads;
        if (shape.heads % shape.kvHeads != 0)
            fail("num-query-groups", std::to_string(shape.kvHeads),
                "a divisor of " + std::to_string(shape.heads) + " heads");
        if (const std::string* experts = find("num-experts"); experts && *experts != "0") {
            m_out.missing.push_back(
                { "num-experts", *experts, "models with experts are not computed yet" });
            return;
        }
        // The dimensions' own reader knows how large a model may be.
        const Json json = toJson(shape);
        (void)transformerFromJson(JsonView(json, "--"));
        m_out.model = describedModel(shape, m_context.modelName);
    }

    static std::int64_t usualFfn(const TransformerShape& shape)
    {
        return shape.gated ? 64 * (8 * shape.hidden / 3 / 64) : 4 * shape.hidden;
    }

    void positions(TransformerShape& shape)
    {
        const std::string kind = word("position-embedding-type", "position embedding");
        shape.rotary = kind == "rope" || kind == "mrope" || kind == "yarn"
            || flag("use-rotary-position-embeddings", "rotary positions");
        const bool none = kind == "none" || flag("no-position-embedding", "no learned positions");
        const auto most = number("max-position-embeddings", "rows of the position table");
        if (!shape.rotary && !none)
            shape.positions = most.value_or(m_out.recipe.sequence.value_or(0));
    }

    void latent(TransformerShape& shape)
    {
        if (!flag("multi-latent-attention", "latent attention"))
            return;
        // Defaults of MLATransformerConfig.
        shape.latent.queryRank = number("q-lora-rank", "rank of the queries").value_or(0);
        shape.latent.keyValueRank = number("kv-lora-rank", "rank of keys and values").value_or(32);
        shape.latent.headDim = number("qk-head-dim", "width of queries and keys").value_or(128);
        shape.latent.rotaryDim = number("qk-pos-emb-head-dim", "rotary width").value_or(64);
        shape.latent.valueDim = number("v-head-dim", "width of values").value_or(128);
        shape.rotary = true;
        if (!m_list.find("position-embedding-type"))
            usual("position-embedding-type", "learned_absolute",
                "the position table stays beside the rotary part");
    }

    void vocabulary(TransformerShape& shape)
    {
        const std::string tokenizer = word("tokenizer-type", "tokenizer");
        if (const auto padded = number("padded-vocab-size", "vocabulary, padded"))
            shape.vocabulary = *padded;
        else if (const auto given = number("vocab-size", "vocabulary"))
            shape.vocabulary = *given;
        else {
            const char* id = m_context.encoder ? "vocabulary-bert-cased"
                : tokenizer == "GPTSentencePieceTokenizer" || tokenizer == "SentencePieceTokenizer"
                ? "vocabulary-sentencepiece-256k"
                : tokenizer == "Llama2Tokenizer"                       ? "vocabulary-llama-2"
                : tokenizer.empty() || tokenizer == "GPT2BPETokenizer" ? "vocabulary-gpt2-bpe"
                                                                       : nullptr;
            if (!id) {
                m_out.missing.push_back({ "vocab-size", "", "the vocabulary of the tokenizer" });
                shape.layers = 0; // without it there is no model
                m_out.model.reset();
                shape.vocabulary = 1;
                return;
            }
            shape.vocabulary = constant(id).value;
            usual("vocab-size", grouped(shape.vocabulary), "assumed: " + constant(id).mechanism);
        }
    }

    void environment()
    {
        if (const std::string* config = m_list.variable("CUBLAS_WORKSPACE_CONFIG")) {
            std::int64_t bytes = 0;
            std::string text = *config; // ":4096:8" is 8 blocks of 4,096 KiB
            std::int64_t size = 0;
            bool second = false;
            for (std::size_t at = 0; at <= text.size();) {
                const std::size_t end = std::min(text.find(':', at), text.size());
                const auto value = parseInteger(text.substr(at, end - at), 0, 1 << 20);
                if (value && second)
                    bytes += size * *value * 1024;
                else if (value)
                    size = *value;
                second = value ? !second : second;
                at = end + 1;
            }
            if (bytes > 0 && bytes < (std::int64_t(1) << 30)) {
                set(Switch::CublasWorkspace, bytes);
                m_out.understood.push_back(
                    { "CUBLAS_WORKSPACE_CONFIG", *config, "cuBLAS workspace" });
            }
        }
        const std::string* allowed = m_list.variable("NVTE_ALLOW_NONDETERMINISTIC_ALGO");
        if (allowed && *allowed == "0") {
            set(Switch::Deterministic, 1);
            m_out.understood.push_back(
                { "NVTE_ALLOW_NONDETERMINISTIC_ALGO", *allowed, "deterministic kernels" });
        }
    }

    void rest()
    {
        for (const Argument& argument : m_list.arguments)
            listRest(argument.name, argument.value,
                { kHarmless.data(), kHarmless.data() + kHarmless.size() },
                { kUnsupported.data(), kUnsupported.data() + kUnsupported.size() });
    }

    const ArgumentList& m_list;
    const MegatronContext& m_context;
};

} // namespace

Result<ImportedRun> readMegatronArguments(const ArgumentList& list, const MegatronContext& context)
{
    return attempt([&] { return Reader(list, context).read(); });
}

} // namespace shardrack
