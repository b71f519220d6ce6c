#include "interop/measured_torch.h"

#include "account/pytorch/rank_account.h"
#include "account/pytorch/replay.h"
#include "base/utf8.h"
#include "interop/litgpt_recipes.h"
#include "interop/published_source.h"
#include "workload/frameworks.h"
#include "workload/model.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>

namespace shardrack {

namespace {

using S = TorchSwitch;

bool contains(std::string_view text, std::string_view part)
{
    return text.find(part) != std::string_view::npos;
}

[[noreturn]] void notComputed(const std::string& what)
{
    throw Failure({ "", what + " is not computed yet", "" });
}

/// More than any job has; what is beyond is a slip of the keys.
constexpr std::int64_t kMost = std::int64_t(1) << 40;

/// A member as text, a number or a flag; what is absent or null is empty, `otherwise`, false.
std::string textOf(const JsonView& view, const char* key)
{
    const auto member = view.find(key);
    if (!member || !member->json().is_string())
        return {};
    return member->json().get<std::string>();
}
std::int64_t countOf(const JsonView& view, const char* key, std::int64_t otherwise)
{
    const auto member = view.find(key);
    return member ? member->integer(0, kMost) : otherwise;
}
/// A number without which nothing can be said.
std::int64_t required(const JsonView& view, const char* key, std::int64_t most = kMost)
{
    return view.at(key).integer(1, most);
}
bool flagOf(const JsonView& view, const char* key)
{
    const auto member = view.find(key);
    if (!member)
        return false;
    const Json& json = member->json();
    return json.is_boolean() ? json.get<bool>() : json.is_string() || json.is_object();
}

// The model
// --------------------------------------------------------------------------------------------

TransformerShape shapeOf(const JsonView& model, std::int64_t sequence)
{
    const std::string arch = textOf(model, "arch");
    if (flagOf(model, "moe") || flagOf(model, "mla"))
        notComputed("a mixture of experts, or latent attention,");
    if (arch.empty())
        throw Failure({ "", "the model's kind (arch) is not given", "" });
    constexpr std::int64_t kMostLayers = 4096;
    TransformerShape shape;
    shape.layers = required(model, "layers", kMostLayers);
    shape.hidden = required(model, "hidden");
    shape.heads = required(model, "heads");
    shape.kvHeads = required(model, "kv_heads");
    if (shape.heads % shape.kvHeads != 0)
        model.at("kv_heads")
            .fail("does not divide the heads", "a divisor of " + std::to_string(shape.heads));
    shape.headDim = countOf(model, "head_dim", shape.hidden / shape.heads);
    shape.ffn = required(model, "ffn");
    shape.vocabulary = required(model, "vocab");
    shape.tied = flagOf(model, "tied_embeddings");
    using Activation = TransformerShape::Activation;
    const auto is = [&](const char* part) { return contains(arch, part); };
    if (is("llama") || is("gemma") || is("qwen") || is("mistral")) {
        shape.rotary = shape.gated = shape.rmsNorm = true;
        shape.activation = Activation::Silu;
        return shape;
    }
    shape.queryBias = shape.outputBias = shape.mlpBias = true;
    if (is("neox") || is("phi") || is("pythia")) {
        shape.rotary = shape.parallelResidual = true;
        shape.sharedNorm = is("phi");
    } else if (is("bert")) {
        shape.encoder = true;
        shape.positions = 512;
    } else if (is("mpt") || is("gpt2"))
        shape.positions = sequence;
    else
        notComputed("a model of the kind \"" + arch + "\"");
    return shape;
}

// The recipe
// -------------------------------------------------------------------------------------------

Format formatOf(const JsonView& view)
{
    const std::string name = view.string();
    if (name != "fp32" && name != "bf16" && name != "fp16")
        view.fail("is \"" + name + '"', "fp32, bf16 or fp16");
    return name == "fp32" ? Format::Fp32 : name == "fp16" ? Format::Fp16 : Format::Bf16;
}

class Reader {
public:
    explicit Reader(const JsonView& record)
        : m_record(record)
        , m_recipe(record.at("recipe"))
        , m_layout(record.at("layout"))
    {
        refuseWhatIsNotBuilt();
        findFramework();
        readNarrowComputation();
        readFormats();
        readOptimizer();
        readComputation();
        readLoss();
        readSchedule();
        build();
    }
    PublishedRun take() { return std::move(m_out); }

private:
    template <class Value> void set(S which, Value value)
    {
        m_switches.set(which, static_cast<std::int64_t>(value));
    }
    void assume(std::string text) { m_out.assumed.push_back(std::move(text)); }

    void refuseWhatIsNotBuilt() const
    {
        const std::string trainable = textOf(m_recipe, "trainable");
        if (trainable.empty())
            throw Failure({ "", "what is trained is not given", "" });
        if (trainable != "full")
            notComputed("training of " + trainable.substr(0, trainable.find_first_of(" -(")));
        if (flagOf(m_recipe, "cpu_offload") || flagOf(m_layout, "cpu_offload"))
            notComputed("offload of parameters or optimizer state");
        const bool fsdp = contains(textOf(m_layout, "fsdp"), "sdp");
        if (countOf(m_layout, "zero_stage", 0) > 0 && !fsdp)
            notComputed("ZeRO by another framework than torch");
        if (flagOf(m_recipe, "master_weights"))
            notComputed("a master copy beside 16-bit parameters");
        const std::string compile = textOf(m_recipe, "compile");
        if (!compile.empty())
            notComputed("compilation by " + compile);
    }
    void findFramework()
    {
        const std::string source = textOf(m_record, "source");
        m_out.framework = frameworkOf(source);
        if (m_out.framework.empty())
            throw Failure({ "",
                source.empty() ? "the source, which tells the framework, is not given"
                               : "of the framework of \"" + shortened(source)
                        + "\" no strategy is computed yet",
                "" });
        m_month = monthOf(source, m_out.framework);
        m_era = eraOf(m_out.framework, m_month);
        set(S::Era, m_era);
        if (m_month.empty())
            assume("version: the newest that is known");
    }
    /// torchtitan's linear maps in float8 keep and allocate what those in bf16 do (within 0.4 GiB
    /// of 47: its pull request 808).
    void readNarrowComputation()
    {
        const std::string quant = textOf(m_recipe, "quant");
        if (quant.empty() && !flagOf(m_recipe, "fp8"))
            return;
        if (m_out.framework != "torchtitan" || !(quant.empty() || quant.rfind("float8", 0) == 0))
            notComputed("computation in 8 bits or fewer");
        assume("maps in float8: as in bf16");
    }
    void readFormats()
    {
        const Format parameters = formatOf(m_recipe.at("param_dtype"));
        const auto compute = m_recipe.find("compute_dtype");
        const Format computation = compute ? formatOf(*compute) : parameters;
        if (!compute && parameters == Format::Fp32)
            assume("computation: in fp32, as parameters are held");
        set(S::Parameters, parameters);
        set(S::Computation, computation);
        if (const auto reduce = m_recipe.find("reduce_dtype"))
            set(S::Reduction, formatOf(*reduce));
        const bool sharded = contains(textOf(m_layout, "fsdp"), "sdp");
        set(S::Autocast, !sharded && computation != parameters ? 1 : 0);
    }
    void readOptimizer()
    {
        const std::string name = textOf(m_recipe, "optimizer");
        if (contains(name, "paged"))
            notComputed("a paged optimizer");
        if (contains(name, "8bit") || contains(name, "8-bit")) {
            set(S::Moments, MomentFormat::EightBit);
            // bitsandbytes steps by a kernel for each tensor, torchao by tensor code.
            set(S::OptimizerLoop,
                contains(name, "bnb") ? OptimizerLoop::Fused : OptimizerLoop::TensorCode);
        } else if (contains(name, "foreach")) {
            set(S::OptimizerLoop, OptimizerLoop::Foreach);
        } else if (contains(name, "fused")) {
            set(S::OptimizerLoop, OptimizerLoop::Fused);
        }
        if (contains(name, "adafactor"))
            m_optimizer = TorchOptimizer::Adafactor;
        else if (contains(name, "adam"))
            m_optimizer = TorchOptimizer::Adam;
        else if (const auto known = torchOptimizer(name))
            m_optimizer = *known;
        else
            notComputed("the optimizer " + name);
        if (flagOf(m_recipe, "optimizer_in_backward"))
            set(S::OptimizerInBackward, 1);
    }
    void readComputation()
    {
        const bool compiled = flagOf(m_recipe, "compile");
        // torchtitan's first preset compiled the model as a whole.
        const bool whole = m_out.framework == "torchtitan" && m_era == 0;
        if (compiled)
            set(S::Compile, whole ? Compile::Model : Compile::Blocks);
        const std::string attention = textOf(m_recipe, "attention");
        set(S::Attention,
            contains(attention, "eager") ? TorchAttention::Eager : TorchAttention::Sdpa);
        const std::string recompute = textOf(m_recipe, "activation_checkpointing");
        if (recompute != "none" && recompute != "full" && recompute.rfind("selective", 0) != 0)
            throw Failure({ "", "what is recomputed is not given", "" });
        m_recompute = recompute.substr(0, recompute.find('-'));
        if (contains(recompute, "layer"))
            set(S::SelectiveBy, SelectiveBy::Layers);
        if (flagOf(m_recipe, "async_tp"))
            set(S::AsyncTensor, 1);
        if (flagOf(m_recipe, "activation_offload"))
            set(S::ActivationOffload, 1);
        if (m_recipe.has("expandable_segments"))
            set(S::Expandable, flagOf(m_recipe, "expandable_segments") ? 1 : 0);
        if (textOf(m_layout, "fsdp_strategy") == "SHARD_GRAD_OP"
            || (m_layout.has("reshard_after_forward")
                && !flagOf(m_layout, "reshard_after_forward")))
            set(S::Reshard, Reshard::Never);
    }
    void readSchedule()
    {
        if (!contains(textOf(m_layout, "pp_schedule"), "interleaved"))
            return;
        const std::int64_t chunks = countOf(m_layout, "vpp", 2);
        set(S::Chunks, chunks);
        if (!m_layout.has("vpp"))
            assume("stages a pipeline rank: two, as by default");
    }
    void readLoss()
    {
        if (flagOf(m_recipe, "chunked_loss"))
            set(S::Loss, LossPath::Chunked);
        else if (m_out.framework == "torchtune")
            set(S::Loss, flagOf(m_recipe, "compile") ? LossPath::CompiledFp32 : LossPath::Eager);
    }
    /// The GPUs of the run: those of the record, unless the recipe that it names uses fewer.
    /// litgpt recomputes blocks under FSDP alone, so not on one device.
    std::int64_t gpusThatRan()
    {
        const std::int64_t machine = required(m_layout, "gpus");
        if (!m_litgpt || m_litgpt->devices == 0 || m_litgpt->devices >= machine)
            return machine;
        assume("GPUs: " + std::to_string(m_litgpt->devices) + " of the machine's "
            + std::to_string(machine) + ", as in the recipe it names");
        if (m_litgpt->devices == 1)
            m_recompute = "none";
        return m_litgpt->devices;
    }
    void build()
    {
        TorchRun& run = m_out.run;
        run.microBatch = countOf(m_recipe, "micro_batch", 0);
        run.sequence = countOf(m_recipe, "seq_len", 0);
        if (run.microBatch < 1 || run.sequence < 1)
            throw Failure({ "", "micro-batch or sequence is not given", "" });
        run.shape = shapeOf(m_record.at("model"), run.sequence);
        const JsonView gpu = m_record.at("gpu");
        const std::string board = textOf(gpu, "name");
        run.architecture = contains(board, "H100") || contains(board, "H200") ? 90
            : contains(board, "B200") || contains(board, "Blackwell")         ? 100
                                                                              : 80;
        const std::string fsdp = textOf(m_layout, "fsdp");
        m_litgpt = litgptRecipe(textOf(m_record, "source"), textOf(m_record.at("model"), "name"),
            contains(fsdp, "sdp"));
        const std::int64_t gpus = gpusThatRan();
        const auto degree = [&](const char* key) {
            return m_layout.has(key) ? required(m_layout, key, 1 << 20) : 1;
        };
        run.degrees.tensor = degree("tp");
        run.degrees.context = degree("cp");
        run.degrees.pipeline = degree("pp");
        const std::int64_t line = run.degrees.tensor * run.degrees.pipeline;
        if (gpus % line != 0 || gpus / line % run.degrees.context != 0)
            m_layout.fail("has " + std::to_string(gpus) + " GPUs for tp "
                    + std::to_string(run.degrees.tensor) + ", pp "
                    + std::to_string(run.degrees.pipeline) + ", cp "
                    + std::to_string(run.degrees.context),
                "degrees that divide the GPUs");
        const std::int64_t ranks = gpus / line;
        const bool sharded = contains(fsdp, "sdp") && gpus > 1;
        if (contains(fsdp, "fsdp1") || contains(fsdp, "hsdp"))
            set(S::Fsdp, FsdpVersion::One);
        const std::int64_t group
            = countOf(m_layout, "hsdp_shard", countOf(m_layout, "fsdp_shard_group", ranks));
        run.degrees.shards = sharded ? std::min(group, ranks) : 1;
        run.degrees.replicas = ranks / run.degrees.shards;
        run.settings = resolveTorch(m_out.framework, m_switches, run.architecture);
        run.sharding = sharded ? run.settings.as<FsdpVersion>(S::Fsdp) == FsdpVersion::One
                ? TorchSharding::Fsdp1
                : TorchSharding::Fsdp2
            : ranks > 1        ? TorchSharding::Replicas
                               : TorchSharding::None;
        run.optimizer = m_optimizer;
        run.recompute = m_recompute;
        findMicroSteps(ranks);
        settleTorch(run);
        for (const SwitchInfo& info : torchTable(m_out.framework)->switches)
            if (const Setting& setting = run.settings.all[info.which];
                setting.origin == Origin::Assumed && *setting.why != 0)
                assume(std::string(info.title) + ": " + valueText(info, setting.value) + " ("
                    + setting.why + ")");
    }
    /// Micro-steps of an optimizer step: one, unless a global batch is given, or is the one of the
    /// recipe that the record names.
    void findMicroSteps(std::int64_t ranks)
    {
        TorchRun& run = m_out.run;
        std::int64_t global = countOf(m_recipe, "global_batch", 0);
        const std::int64_t local = countOf(m_recipe, "local_batch", 0);
        if (local > 0) { // cut into the pipeline's micro-batches
            // By default one for each stage, which was one for each rank (torchtitan's PR 781).
            const bool ofRanks = m_month < "2025-01";
            run.microSteps
                = std::max<std::int64_t>(1, run.degrees.pipeline) * (ofRanks ? 1 : run.chunks());
            run.microBatch = std::max<std::int64_t>(1, local / run.microSteps);
            assume(std::string("micro-batches: one for each pipeline ")
                + (ofRanks ? "rank" : "stage") + ", as by default");
            return;
        }
        if (global == 0 && m_litgpt) {
            global = m_litgpt->globalBatch;
            assume("global batch: " + std::to_string(global) + ", as in the recipe it names");
        }
        if (global == 0)
            assume("accumulation: none, as nothing else is said");
        const std::int64_t data = std::max<std::int64_t>(1, ranks / run.degrees.context);
        run.microSteps = std::max<std::int64_t>(1, global / (run.microBatch * data));
    }

    const JsonView& m_record;
    JsonView m_recipe;
    JsonView m_layout;
    SwitchValues m_switches;
    std::string m_month; ///< "2024-12"; empty: not known
    std::int64_t m_era = 0;
    TorchOptimizer m_optimizer = TorchOptimizer::Adam;
    std::string m_recompute;
    std::optional<LitgptRecipe> m_litgpt;
    PublishedRun m_out;
};

} // namespace

PublishedRun publishedRun(const JsonView& record) { return Reader(record).take(); }

PublishedPrediction predictPublished(const PublishedRun& published)
{
    // The heaviest rank is what is published.
    Workload workload;
    TorchAccount account(workload, published.run);
    PublishedPrediction prediction;
    for (std::int64_t stage = 0; stage < published.run.degrees.pipeline; ++stage) {
        const TorchMemory memory(published.run, 0, stage);
        const TorchReplay replayed = replay(published.run, memory.stage());
        RankClass ranks = account.rankClass(stage);
        if (stage == 0 || ranks.need.established > prediction.ranks.need.established)
            prediction.ranks = std::move(ranks);
        prediction.allocated = std::max(prediction.allocated, replayed.allocated);
        prediction.reserved = std::max(prediction.reserved, replayed.reserved);
    }
    prediction.active = prediction.allocated;
    return prediction;
}

} // namespace shardrack
