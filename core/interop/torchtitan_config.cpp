#include "interop/torchtitan_config.h"

#include "base/size_text.h"
#include "interop/import_reader.h"
#include "interop/torchtitan_models.h"
#include "workload/pytorch_switches.h"

#include <toml++/toml.h>

#include <array>
#include <map>
#include <sstream>

namespace shardrack {

namespace {

using S = TorchSwitch;

/// Tables and keys that change no memory of a device. Names that end in * stand for all that begin
/// so.
constexpr std::array kHarmless = { "job.*", "profiling.*", "metrics.*", "checkpoint.*",
    "lr_scheduler.*", "validation.*", "comm.*", "fault_tolerance.*", "debug.*", "optimizer.lr",
    "optimizer.eps", "optimizer.beta*", "optimizer.weight_decay", "model.tokenizer_path",
    "model.hf_assets_path", "model.print_after_conversion", "training.steps", "training.max_norm",
    "training.dataset*", "training.seed", "training.deterministic", "training.gc_*",
    "training.warmup_steps", "training.num_workers", "training.pin_memory",
    "training.persistent_workers", "training.prefetch_factor", "training.skip_nan_inf",
    "activation_checkpoint.per_op_sac_force_recompute_mm_shapes_by_fqns", "quantize.*", "float8.*",
    "mx.*", // count only where the model's converters name them
    "memory_estimation.*" };

/// Keys that change memory in ways that are not computed yet.
constexpr std::array kUnsupported = { "training.enable_cpu_offload",
    "parallelism.pipeline_parallel_split_points", "parallelism.module_fqns_per_model_part",
    "parallelism.pipeline_parallel_layers_per_stage",
    "parallelism.pipeline_parallel_first_stage_less_layers",
    "parallelism.pipeline_parallel_last_stage_less_layers",
    "parallelism.pipeline_parallel_schedule_csv", "experimental.pipeline_parallel_split_points",
    "parallelism.enable_compiled_autograd", "experimental.enable_compiled_autograd" };

/// A value as it would be written: words without quotes, lists with commas.
std::string textOf(const toml::node& node)
{
    if (const auto* text = node.as_string())
        return text->get();
    if (const auto* number = node.as_integer())
        return std::to_string(number->get());
    if (const auto* flag = node.as_boolean())
        return flag->get() ? "true" : "false";
    std::string words;
    if (const auto* list = node.as_array()) {
        for (const toml::node& each : *list)
            words += (words.empty() ? "" : ", ") + textOf(each);
        return words;
    }
    std::ostringstream out;
    node.visit([&out](const auto& value) { out << value; });
    return out.str();
}

/// The leaves of a table by their dotted keys.
void flatten(const toml::table& table, const std::string& path,
    std::map<std::string, std::string, std::less<>>& out)
{
    for (const auto& [key, node] : table) {
        const std::string name = path + std::string(key.str());
        if (const auto* inner = node.as_table())
            flatten(*inner, name + '.', out);
        else
            out.emplace(name, textOf(node));
    }
}

class Reader : public ImportReader {
public:
    explicit Reader(const toml::table& table)
        : ImportReader("")
    {
        flatten(table, "", m_values);
    }

    ImportedRun read(const std::string& name)
    {
        m_out.recipe.framework = "torchtitan";
        model(name);
        era();
        layout();
        formats();
        batch();
        optimizer();
        recompute();
        compilation();
        loss();
        narrowMaps();
        for (const auto& [key, value] : m_values)
            listRest(key, value, { kHarmless.data(), kHarmless.data() + kHarmless.size() },
                { kUnsupported.data(), kUnsupported.data() + kUnsupported.size() });
        return std::move(m_out);
    }

private:
    const std::string* find(std::string_view name) const override
    {
        const auto found = m_values.find(name);
        return found == m_values.end() ? nullptr : &found->second;
    }
    template <class Value> void set(S which, Value value)
    {
        m_out.recipe.pytorch.set(which, static_cast<std::int64_t>(value));
    }
    /// The first of several keys that the file has: keys moved from table to table.
    const char* present(std::initializer_list<const char*> names) const
    {
        for (const char* name : names)
            if (find(name))
                return name;
        return *names.begin();
    }
    void notComputed(const char* name, const std::string& why)
    {
        const std::string* value = find(name);
        m_out.unsupported.push_back({ name, value ? *value : "", why });
    }

    void model(const std::string& name)
    {
        const std::string family = word("model.name", "the model's family");
        const std::string flavour = word("model.flavor", "its flavour");
        if (family.empty() || flavour.empty()) {
            m_out.missing.push_back({ family.empty() ? "model.name" : "model.flavor", "",
                "a model that torchtitan names: llama3 and 8B, say" });
            return;
        }
        const auto shape = torchtitanModel(family, flavour);
        if (!shape) {
            m_out.missing.push_back({ "model", family + " " + flavour,
                "of torchtitan's models, llama2, llama3 and the dense ones of qwen3 are known" });
            return;
        }
        m_out.model = describedModel(*shape, name + ": " + family + " " + flavour);
        if (flavour == "debugmodel")
            usual("model.flavor", "vocabulary of " + grouped(shape->vocabulary),
                "that of the test tokenizer");
    }

    /// A file says by its tables about when it was written.
    void era()
    {
        const char* month = "2024-06";
        const char* why = "data_parallel_degree stands in [training]";
        const auto holds = [this](const char* table) {
            const auto found = m_values.lower_bound(table);
            return found != m_values.end() && found->first.rfind(table, 0) == 0;
        };
        if (find("compile.components")) {
            month = "2025-08";
            why = "[compile] names components (pull request 1608)";
        } else if (holds("parallelism.")) {
            month = "2025-02";
            why = "there is a [parallelism]";
        } else if (find("training.data_parallel_shard_degree")) {
            month = "2024-10";
            why = "data_parallel_shard_degree stands in [training]";
        }
        std::int64_t number = 0;
        for (const TorchPreset& preset : torchPresets()) {
            if (std::string_view(preset.framework) != "torchtitan")
                continue;
            if (std::string_view(preset.era) == month)
                set(S::Era, number);
            ++number;
        }
        usual("version", std::string("of about ") + month, std::string("assumed: ") + why);
    }

    std::int32_t degreeOf(std::initializer_list<const char*> names, const char* text)
    {
        const char* name = present(names);
        return degree(name, number(name, text).value_or(1));
    }

    void layout()
    {
        Layout& layout = m_out.layout;
        layout.tensor
            = degreeOf({ "parallelism.tensor_parallel_degree", "training.tensor_parallel_degree" },
                "tensor degree");
        layout.context = degreeOf(
            { "parallelism.context_parallel_degree", "experimental.context_parallel_degree" },
            "context degree");
        layout.pipeline = degreeOf(
            { "parallelism.pipeline_parallel_degree", "experimental.pipeline_parallel_degree" },
            "pipeline stages");
        layout.expert = degreeOf({ "parallelism.expert_parallel_degree" }, "expert degree");
        const std::int32_t replicas = degreeOf({ "parallelism.data_parallel_replicate_degree",
                                                   "training.data_parallel_replicate_degree" },
            "replicas of the shard groups");
        const char* key = present({ "parallelism.data_parallel_shard_degree",
            "training.data_parallel_shard_degree", "training.data_parallel_degree" });
        const std::string* given = find(key);
        std::int64_t shards = -1;
        if (given && *given == "-1")
            understand(key, "-1", "all ranks that the other degrees leave");
        else if (given)
            shards = degree(key, number(key, "ranks of a shard group").value_or(1));
        else
            usual(key, "-1", "all ranks that the other degrees leave: torchtitan's default");
        if (shards == 1) {
            layout.preset = LayoutPreset::Ddp;
        } else {
            layout.preset = replicas > 1 ? LayoutPreset::Hsdp : LayoutPreset::Fsdp;
            if (replicas > 1)
                layout.dpReplicate = replicas;
            if (shards > 1)
                layout.dpShard = static_cast<std::int32_t>(shards);
        }
        if (flag(present({ "parallelism.enable_async_tensor_parallel",
                     "experimental.enable_async_tensor_parallel" }),
                "asynchronous tensor parallel"))
            set(S::AsyncTensor, 1);
        const std::string reshard
            = word("parallelism.fsdp_reshard_after_forward", "when gathered parameters are freed");
        if (reshard == "always" || reshard == "never")
            set(S::Reshard, reshard == "always" ? Reshard::Always : Reshard::Never);
        else if (!reshard.empty() && reshard != "default")
            fail("parallelism.fsdp_reshard_after_forward", reshard, "default, always or never");
        const char* exchange = present({ "parallelism.context_parallel_rotate_method",
            "experimental.context_parallel_rotate_method" });
        const std::string method = word(exchange, "how keys and values go round");
        if (method == "allgather" || method == "alltoall")
            set(S::ContextExchange,
                method == "allgather" ? ContextExchange::Gathered : ContextExchange::SentOn);
        else if (!method.empty())
            fail(exchange, method, "allgather or alltoall");
        schedule();
    }

    void schedule()
    {
        const char* key = present({ "parallelism.pipeline_parallel_schedule",
            "experimental.pipeline_parallel_schedule" });
        const std::string schedule = word(key, "order of the micro-batches");
        if (m_out.layout.pipeline < 2 || schedule.empty())
            return;
        if (schedule == "Interleaved1F1B" || schedule == "interleaved_1f1b") {
            set(S::Chunks, 2);
            usual("stages a pipeline rank", "2", "torchtitan's default for this schedule");
        } else if (schedule != "1F1B" && schedule != "1f1b") {
            notComputed(key, "only 1F1B and interleaved 1F1B are computed yet");
        }
    }

    Format format(const char* key, const char* text, Format otherwise)
    {
        const std::string name = word(key, text);
        if (name.empty())
            return otherwise;
        if (name != "float32" && name != "bfloat16" && name != "float16")
            fail(key, name, "float32, bfloat16 or float16");
        return name == "float32" ? Format::Fp32 : name == "float16" ? Format::Fp16 : Format::Bf16;
    }

    void formats()
    {
        const Format held = format("training.dtype", "format of the parameters", Format::Fp32);
        if (find("training.dtype"))
            set(S::Parameters, held);
        const Format computed
            = format("training.mixed_precision_param", "format of the computation", Format::Bf16);
        if (find("training.mixed_precision_param"))
            set(S::Computation, computed);
        const Format reduced
            = format("training.mixed_precision_reduce", "format of the reduction", Format::Fp32);
        if (find("training.mixed_precision_reduce"))
            set(S::Reduction, reduced);
        if (m_out.layout.preset == LayoutPreset::Ddp && computed != held) {
            set(S::Autocast, 1);
            usual("autocast", "on", "without shards, torchtitan computes under autocast");
        }
    }

    void batch()
    {
        Recipe& recipe = m_out.recipe;
        const char* key = present({ "training.local_batch_size", "training.batch_size" });
        std::int64_t local = number(key, "sequences of one rank").value_or(0);
        if (local == 0) {
            local = 8;
            usual(key, "8", "torchtitan's default");
        }
        recipe.sequence = number("training.seq_len", "tokens of a sequence");
        if (!recipe.sequence) {
            recipe.sequence = 2048;
            usual("training.seq_len", "2048", "torchtitan's default");
        }
        const std::int64_t stages = m_out.layout.pipeline;
        recipe.microBatch = local;
        std::int64_t steps = 1;
        if (stages > 1) { // the local batch goes through the pipeline in pieces
            const char* pieces = present({ "parallelism.pipeline_parallel_microbatches",
                "experimental.pipeline_parallel_microbatches" });
            if (const auto count = number(pieces, "micro-batches of a local batch"))
                steps = *count;
            else if (const auto size = number("parallelism.pipeline_parallel_microbatch_size",
                         "sequences of a micro-batch"))
                steps = local / std::min(*size, local);
            else if (find("experimental.pipeline_parallel_degree")) {
                steps = stages;
                usual(pieces, std::to_string(stages), "one a stage: torchtitan's default of 2024");
            } else {
                steps = local;
                usual("parallelism.pipeline_parallel_microbatch_size", "1",
                    "torchtitan's default from 2025 on");
            }
            recipe.microBatch = std::max<std::int64_t>(1, local / steps);
        } else {
            (void)number(
                "parallelism.pipeline_parallel_microbatch_size", "of no effect without a pipeline");
        }
        const char* whole = "training.global_batch_size";
        const std::string* global = find(whole);
        if (global && *global == "-1")
            understand(whole, "-1", "local batches of all ranks");
        else if (const auto sequences = number(whole, "sequences of one step"))
            recipe.globalBatch = *sequences;
        const std::int64_t accumulated
            = number("training.gradient_accumulation_steps", "local batches of one step")
                  .value_or(1);
        if (!recipe.globalBatch)
            recipe.accumulation = steps * accumulated;
    }

    void optimizer()
    {
        std::string name = word("optimizer.name", "the optimizer");
        if (name.empty()) {
            name = "AdamW";
            usual("optimizer.name", name, "torchtitan's default");
        }
        if (name == "AdamW" || name == "Adam")
            m_out.recipe.optimizer = name == "Adam" ? "adam" : "adamw";
        else {
            m_out.recipe.optimizer = name;
            notComputed("optimizer.name", "only the state of Adam and AdamW is computed");
        }
        const std::string loop = word("optimizer.implementation", "how it steps");
        const std::array<std::pair<const char*, OptimizerLoop>, 3> loops {
            { { "fused", OptimizerLoop::Fused }, { "foreach", OptimizerLoop::Foreach },
                { "for-loop", OptimizerLoop::ForLoop } }
        };
        bool known = loop.empty();
        for (const auto& [word, value] : loops)
            if (loop == word) {
                set(S::OptimizerLoop, value);
                known = true;
            }
        if (!known)
            fail("optimizer.implementation", loop, "fused, foreach or for-loop");
        if (flag("optimizer.fused", "it steps by one kernel"))
            set(S::OptimizerLoop, OptimizerLoop::Fused);
        if (flag("optimizer.early_step_in_backward", "optimizer in backward"))
            set(S::OptimizerInBackward, 1);
    }

    void recompute()
    {
        const char* key = "activation_checkpoint.mode";
        std::string mode = word(key, "recompute");
        if (mode.empty()) {
            mode = "selective";
            usual(key, mode, "torchtitan's default");
        }
        if (mode == "memory_budget") {
            notComputed(key, "what a memory budget recomputes is the compiler's choice");
            mode = "none";
        }
        if (mode != "none" && mode != "full" && mode != "selective")
            fail(key, mode, "none, selective or full");
        m_out.recipe.recompute = mode;
        key = "activation_checkpoint.selective_ac_option";
        std::string option = word(
            key, mode == "selective" ? "what is recomputed" : "of no effect without selective");
        if (mode != "selective")
            return;
        if (option.empty()) {
            option = "2";
            usual(key, option, "torchtitan's default");
        }
        if (option == "op")
            return set(S::SelectiveBy, SelectiveBy::Operators);
        const auto every = parseInteger(option, 1, 1 << 20);
        if (!every)
            fail(key, option, "op, or a number from 1 to 1,048,576");
        set(S::SelectiveBy, SelectiveBy::Layers);
        set(S::EveryLayers, *every);
    }

    void compilation()
    {
        if (!flag(present({ "compile.enable", "training.compile" }), "torch.compile"))
            return;
        const std::string* parts = find("compile.components");
        if (parts)
            understand("compile.components", *parts, "what is compiled");
        if (!parts || parts->find("model") != std::string::npos)
            set(S::Compile, Compile::Blocks);
        else if (parts->find("loss") != std::string::npos && m_out.layout.tensor == 1)
            set(S::Loss, LossPath::Compiled);
    }

    void loss()
    {
        bool whole = flag("parallelism.disable_loss_parallel", "the loss is not divided");
        const char* key = "training.enable_loss_parallel";
        if (find(key))
            whole = !flag(key, "the loss is divided over tensor ranks");
        if (whole && m_out.layout.tensor > 1)
            set(S::Loss, LossPath::Eager);
    }

    /// Linear maps in 8 bits, where the file turns them on.
    void narrowMaps()
    {
        const std::string converters = word("model.converters", "what replaces modules");
        const bool older = find("float8.enable_float8_linear") != nullptr
            && flag("float8.enable_float8_linear", "linear maps in float8");
        if (converters.find("mx") != std::string::npos)
            notComputed("model.converters", "maps in MX formats are not computed yet");
        else if (older || converters.find("float8") != std::string::npos)
            float8();
    }

    void float8()
    {
        usual("float8", "as bf16", "assumed: maps in float8 keep what those in bf16 do");
        const char* gathers = present({ "float8.enable_fsdp_float8_all_gather",
            "quantize.linear.float8.enable_fsdp_float8_all_gather" });
        if (find(gathers) && flag(gathers, "parameters gathered in float8"))
            usual("parameters gathered in float8", "as bf16", "assumed, which is the most");
    }

    std::map<std::string, std::string, std::less<>> m_values;
};

} // namespace

Result<ImportedRun> readTorchtitanConfig(std::string_view text, const std::string& name)
{
    return attempt([&] {
        try {
            return Reader(toml::parse(text)).read(name);
        } catch (const toml::parse_error& error) {
            const auto at = error.source().begin;
            throw Failure({ "line " + grouped(at.line) + ", column " + grouped(at.column),
                std::string(error.description()), "TOML" });
        }
    });
}

} // namespace shardrack
