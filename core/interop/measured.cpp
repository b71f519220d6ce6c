#include "interop/measured.h"

#include "account/constants.h"
#include "account/megatron/rank_account.h"
#include "account/megatron/replay.h"
#include "interop/measured_parts.h"
#include "interop/megatron_arguments.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace shardrack {

namespace {

/// A board of the catalogue.
struct Board {
    const char* id;
    int architecture;
};

/// Which switches were not given, in words.
void listAssumptions(const MegatronRun& run, std::vector<std::string>& assumed)
{
    for (const SwitchInfo& info : megatronSwitches()) {
        const Setting& setting = run.settings.all[index(info.which)];
        if (setting.origin == Origin::Assumed)
            assumed.push_back(std::string(info.title) + ": " + valueText(info, setting.value)
                + (*setting.why != 0 ? std::string(" (") + setting.why + ")" : ""));
    }
}

struct Prediction {
    RankClass ranks;
    ReplayedMemory replayed;
};

/// What a stage needs, and what the allocator's rules make of its tensors.
Prediction predict(
    const Workload& workload, const MegatronRun& run, std::int64_t stage, std::int64_t shard)
{
    Prediction prediction { MegatronAccount(workload, run).rankClass(stage), {} };
    MegatronMemory memory(run);
    prediction.replayed = replay(run, memory.stage(stage), shard);
    return prediction;
}

// Megatron-LM's own test runs
// -----------------------------------------------------------------------

class CiRecord {
public:
    explicit CiRecord(const JsonView& view)
        : m_view(view)
        , m_case(view.at("case").string())
        , m_platform(view.at("platform").string())
    {
    }

    void rows(std::vector<MeasuredRow>& out)
    {
        std::array<MeasuredRow, 3> rows { row("rest", "resting_allocated_bytes",
                                              "static_allocated"),
            row("first_step", "first_step_max_allocated_bytes", "peak_allocated"),
            row("allocated", "max_allocated_bytes", "peak_allocated") };
        try {
            predictRows(rows);
        } catch (const Failure& failure) {
            for (MeasuredRow& row : rows)
                row.skipped = failure.error().text();
        }
        for (MeasuredRow& row : rows)
            out.push_back(std::move(row));
    }

private:
    MeasuredRow row(const char* metric, const char* key, const char* kind) const
    {
        MeasuredRow row;
        row.id = m_case + "@" + m_platform;
        row.family = "megatron_ci";
        row.kind = kind;
        row.metric = metric;
        row.unit = m_case;
        if (const auto value = m_view.find(key))
            row.measuredGib = value->json().get<double>() / kBytesPerGib;
        return row;
    }

    /// The platform names the GPU of the runner; where it does not, an A100 (the runners of the
    /// container's long-term branch).
    Board board(std::vector<std::string>& assumed) const
    {
        if (contains(m_platform, "gb200"))
            return { "gb200-186", 100 };
        if (contains(m_platform, "h100"))
            return { "h100-sxm5-80", 90 };
        if (!contains(m_platform, "a100"))
            assumed.push_back("GPU: A100 (the platform names none)");
        return { "a100-sxm4-80", 80 };
    }

    void predictRows(std::array<MeasuredRow, 3>& rows) const
    {
        std::vector<std::string> assumed;
        const Board gpu = board(assumed);
        const std::string model = m_case.substr(0, m_case.find('/'));
        if (model != "gpt" && model != "bert")
            throw Failure({ "", "models of the kind \"" + model + "\" are not computed yet", "" });
        const ArgumentList list = argumentsOf(m_view.at("model_args").json()).value();
        const ImportedRun arguments
            = readMegatronArguments(list, { model == "bert", m_case }).value();
        if (!arguments.unsupported.empty())
            throw Failure({ "--" + arguments.unsupported.front().name,
                arguments.unsupported.front().text, "" });
        if (!arguments.model)
            throw Failure({ "",
                arguments.missing.empty() ? "the model is not given"
                                          : "--" + arguments.missing.front().name + " is not given",
                "" });
        for (const ImportedLine& line : arguments.defaulted)
            if (contains(line.text, "assumed"))
                assumed.push_back(line.name + ": " + line.value);

        const Workload workload = workloadOf(arguments);
        MegatronRun run = runOf(arguments, gpu);
        const bool worldKnown = !contains(m_view.at("test_type").string(), "release");
        if (!worldKnown)
            inferWorld(workload, run, rows, assumed);
        else if (m_worldAssumed)
            assumed.push_back("GPUs: " + std::to_string(world(gpu)));
        listAssumptions(run, assumed);
        const std::int64_t last = run.degrees.pipeline - 1;
        const Prediction prediction = predict(workload, run, last, run.optimizerRanks() - 1);
        const std::array<Bytes, 3> bytes { prediction.replayed.rest,
            prediction.replayed.firstStepAllocated, prediction.replayed.allocated };
        const std::string verdict = verdictOf(prediction.ranks, gpu.id);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            rows[i].predictedGib = gib(bytes[i]);
            rows[i].assumed = assumed;
            rows[i].verdict = verdict;
            rows[i].rank
                = run.degrees.data * run.degrees.context * run.degrees.tensor * run.degrees.pipeline
                - 1;
        }
        tryOtherwise(run, last, rows);
        if (!worldKnown) {
            rows[0].predictedGib.reset();
            rows[0].skipped = "used to infer the number of GPUs";
        }
    }

    static constexpr bool m_worldAssumed = true;

    /// Names the assumption whose other value would bring the row's largest figure nearer.
    static void tryOtherwise(
        const MegatronRun& run, std::int64_t stage, std::array<MeasuredRow, 3>& rows)
    {
        MeasuredRow& row = rows[2];
        const auto error = row.errorPercent();
        if (!error || std::abs(*error) < 1)
            return;
        static const std::int64_t wide = constant("cublas-workspace-deterministic").value;
        static const std::int64_t dummySince = constant("te-dummy-since").value;
        double best = std::abs(*error) / 2; // less than half of it has to be left
        const auto attemptWith = [&](Switch which, std::int64_t value, const char* what) {
            const Setting& setting = run.settings.all[index(which)];
            if (setting.origin == Origin::Given || setting.value == value)
                return;
            MegatronRun other = run;
            other.settings.all[index(which)].value = value;
            MegatronMemory memory(other);
            const Bytes bytes
                = replay(other, memory.stage(stage), other.optimizerRanks() - 1).allocated;
            const double left = (gib(bytes) / *row.measuredGib - 1) * 100;
            if (std::abs(left) >= best)
                return;
            best = std::abs(left);
            std::array<char, 32> number {};
            std::snprintf(number.data(), number.size(), "%+.2f", left);
            row.otherwise = std::string(what) + ": " + number.data() + " %";
        };
        attemptWith(Switch::Attention, std::int64_t(AttentionKernel::Unfused),
            "unfused attention, as in containers whose flash-attn has no deterministic backward");
        attemptWith(Switch::TransformerEngine, dummySince - 1,
            "Transformer Engine before 2.3, which caches no dummy gradients");
        attemptWith(Switch::CublasWorkspace, wide,
            "CUBLAS_WORKSPACE_CONFIG=:4096:8 set by the environment");
    }

    /// Eight GPUs, or the four of one GB200 node where the case is "_1node".
    std::int64_t world(const Board& gpu) const
    {
        return gpu.architecture == 100 && contains(m_case, "_1node") ? 4 : 8;
    }

    MegatronRun runOf(const ImportedRun& arguments, const Board& gpu) const
    {
        MegatronRun run;
        run.shape = transformerShape(*arguments.model).value();
        run.architecture = gpu.architecture;
        run.settings = resolveSwitches(arguments.recipe.megatron, gpu.architecture);
        const Layout& layout = arguments.layout;
        const std::int64_t lines = std::int64_t(layout.tensor) * layout.context * layout.pipeline;
        run.degrees = { layout.tensor, layout.context, layout.pipeline,
            std::max<std::int64_t>(1, world(gpu) / lines) };
        if (!arguments.recipe.microBatch || !arguments.recipe.sequence)
            throw Failure({ "", "micro-batch or sequence is not given", "" });
        run.microBatch = *arguments.recipe.microBatch;
        run.sequence = *arguments.recipe.sequence;
        const std::int64_t global
            = arguments.recipe.globalBatch.value_or(run.microBatch * run.degrees.data);
        run.microBatches = std::max<std::int64_t>(1, global / (run.microBatch * run.degrees.data));
        run.recompute = arguments.recipe.recompute;
        return run;
    }

    /// The number of data-parallel ranks whose bytes at rest are nearest to the measured ones.
    static void inferWorld(const Workload&, MegatronRun& run,
        const std::array<MeasuredRow, 3>& rows, std::vector<std::string>& assumed)
    {
        if (!rows[0].measuredGib)
            throw Failure({ "", "neither GPUs nor bytes at rest are known", "" });
        double nearest = -1;
        std::int64_t found = 1;
        for (std::int64_t data = 1; data <= 1024; data *= 2) {
            run.degrees.data = data;
            MegatronMemory memory(run);
            const double rest = gib(total(memory.memory(memory.stages() - 1).rest));
            const double distance = std::abs(rest - *rows[0].measuredGib);
            if (nearest < 0 || distance < nearest) {
                nearest = distance;
                found = data;
            }
        }
        run.degrees.data = found;
        assumed.push_back(
            "data-parallel ranks: " + std::to_string(found) + ", inferred from the bytes at rest");
    }

    const JsonView& m_view;
    std::string m_case;
    std::string m_platform;
};

// Measured rows beside other estimators' tables
// -----------------------------------------------------

/// Llama-3 in the two forms that SimuMax's configurations have. Its 405B keeps the 16 key/value
/// heads of the first published checkpoint (models/llama3-405b_padding_128.json).
std::optional<TransformerShape> simumaxModel(
    const std::string& name, std::vector<std::string>& assumed)
{
    if (name.rfind("llama3-70b", 0) != 0 && name.rfind("llama3-405b", 0) != 0)
        return std::nullopt;
    const bool large = name.rfind("llama3-405b", 0) == 0;
    TransformerShape shape
        = transformerShape(*modelPreset(large ? "llama-3.1-405b" : "llama-3.1-70b")).value();
    if (large) {
        shape.kvHeads = 16;
        assumed.emplace_back("16 key/value heads, as in the first published checkpoint");
    }
    return shape;
}

std::int64_t degreeIn(const std::string& text, const std::string& axis)
{
    const std::size_t at = text.find(axis);
    if (at == std::string::npos)
        return 1;
    std::int64_t value = 0;
    for (std::size_t i = at + axis.size(); i < text.size() && text[i] >= '0' && text[i] <= '9'; ++i)
        value = value * 10 + (text[i] - '0');
    return std::max<std::int64_t>(1, value);
}

void simumaxRows(const JsonView& view, std::vector<MeasuredRow>& out)
{
    const std::string name = view.at("id").string();
    const JsonView inputs = view.at("inputs");
    const std::string parallel = inputs.at("parallel").string();
    const std::string stack = inputs.at("stack").string();
    MegatronRun run;
    std::string skipped;
    std::vector<std::string> assumed { "sequence parallel: on (the tool's default)",
        "context exchange: all-to-all (the tool's default)",
        "no attention mask from the data loader", "no dropout",
        "cross entropy fused by Transformer Engine" };
    const std::int64_t gpus = inputs.at("gpus").integer(1, 1 << 20);
    const auto shape = simumaxModel(inputs.at("model").string(), assumed);
    MegatronSwitches switches;
    if (!shape) {
        skipped = "mixture of experts is not computed yet";
    } else {
        run.shape = *shape;
        run.shape.layers = inputs.at("layers").integer(1, 1 << 20);
        switches.set(Switch::DistributedOptimizer,
            contains(inputs.at("zero").string(), "distributed optimizer") ? 1 : 0);
        const std::size_t te = stack.find("TE ");
        if (te != std::string::npos)
            switches.set(Switch::TransformerEngine,
                degreeIn(stack, "TE ") * 1000 + degreeIn(stack.substr(te), "."));
        switches.set(Switch::AttentionDropout, 0);
        switches.set(Switch::HiddenDropout, 0);
        switches.set(Switch::SequenceParallel, 1);
        switches.set(Switch::AttentionMask, 0);
        switches.set(Switch::ContextCommunication, std::int64_t(ContextCommunication::AllToAll));
        if (inputs.at("ce_fusion").boolean())
            switches.set(Switch::CrossEntropy, std::int64_t(CrossEntropyKind::TransformerEngine));
        run.architecture = 100; // B200
        run.settings = resolveSwitches(switches, run.architecture);
        run.degrees
            = { degreeIn(parallel, "tp"), degreeIn(parallel, "cp"), degreeIn(parallel, "pp"), 1 };
        run.degrees.data = gpus / (run.degrees.tensor * run.degrees.context * run.degrees.pipeline);
        run.microBatch = inputs.at("micro_batch_size").integer(1, 1 << 20);
        run.microBatches = inputs.at("micro_batch_num").integer(1, 1 << 20);
        run.sequence = inputs.at("seq").integer(1, std::int64_t(1) << 30);
        run.recompute = inputs.at("recompute").string();
        listAssumptions(run, assumed);
    }
    std::vector<std::optional<Prediction>> stages(
        std::size_t(std::max<std::int64_t>(1, run.degrees.pipeline)));
    const JsonView ranks = view.at("expected").at("per_rank_max_alloc_and_reserved_mib");
    for (const auto& [key, value] : ranks.json().items()) {
        const std::int64_t rank = std::stoll(key);
        for (const bool reserved : { false, true }) {
            MeasuredRow row;
            row.id = name + "#" + key;
            row.unit = row.id;
            row.family = familyOf(name);
            row.kind = reserved ? "peak_reserved" : "peak_allocated";
            row.metric = reserved ? "reserved" : "allocated";
            row.rank = rank;
            row.measuredGib = value.at(reserved ? 1 : 0).get<double>() / 1024;
            row.assumed = assumed;
            row.skipped = skipped;
            if (skipped.empty()) {
                const std::int64_t stage = rank / (gpus / run.degrees.pipeline);
                auto& prediction = stages[std::size_t(stage)];
                Workload workload;
                if (!prediction)
                    prediction = predict(workload, run, stage, 0);
                // Reserved: tensors and the slack that the account shows.
                Bytes all = prediction->replayed.allocated;
                if (reserved)
                    all += prediction->ranks.atPeak[index(Category::Slack)].established;
                row.predictedGib = gib(all);
                row.verdict = verdictOf(prediction->ranks, "b200-sxm-180");
            }
            out.push_back(std::move(row));
        }
    }
}

} // namespace

std::optional<double> MeasuredRow::errorPercent() const
{
    if (!measuredGib || !predictedGib || *measuredGib <= 0)
        return std::nullopt;
    return (*predictedGib / *measuredGib - 1) * 100;
}

std::vector<MeasuredRow> predictMeasured(const Json& file)
{
    const JsonView root(file, "$");
    if (!root.isArray())
        root.fail("is no list of measured runs", "a JSON list");
    std::vector<MeasuredRow> rows;
    for (const JsonView& view : root.items()) {
        view.expectObject();
        if (view.has("case"))
            CiRecord(view).rows(rows);
        else if (view.has("kind"))
            rows.push_back(publishedRow(view));
        else if (!view.has("figure_origin"))
            view.fail(
                "is no measured run", "an object with \"case\", \"kind\" or \"figure_origin\"");
        else if (!contains(view.at("figure_origin").string(), "measured"))
            continue; // what another tool says, or a formula, is no measurement
        else if (view.at("tool").string().rfind("SimuMax", 0) == 0
            && view.at("inputs").has("parallel"))
            simumaxRows(view, rows);
        else if (view.at("tool").string().rfind("torchtitan", 0) == 0)
            rows.push_back(titanRow(view));
        else
            rows.push_back(skippedRow(view, "this framework's strategy is not computed yet"));
    }
    return rows;
}

} // namespace shardrack
