#include "interop/measured_parts.h"
#include "interop/measured_torch.h"

#include "judge/findings.h"
#include "site/catalogue.h"

#include <nlohmann/json.hpp>

#include <cctype>
#include <cmath>

namespace shardrack {

/// Verdict of a device that holds one such rank.
std::string verdictOf(const RankClass& ranks, const UsableAllocation& usable)
{
    DeviceClass device;
    device.need = ranks.need;
    device.least = ranks.least.value_or(ranks.need.established);
    device.most = ranks.most.value_or(ranks.need.established);
    device.usable = usable;
    const Capacity capacity = capacityOf(device, {});
    return capacity == Capacity::Fit ? "fits" : id(capacity);
}

std::string verdictOf(const RankClass& ranks, const char* gpuType)
{
    const GpuType* type = Catalogue::builtIn().gpu(gpuType);
    if (!type)
        return "open";
    return verdictOf(ranks,
        UsableAllocation { type->usable,
            type->usableConfirmed ? Provenance::Derived : Provenance::NotEstablished });
}

MeasuredRow skippedRow(const JsonView& view, std::string why)
{
    MeasuredRow row;
    row.id = view.at("id").string();
    row.unit = row.id;
    row.family = familyOf(row.id);
    row.skipped = std::move(why);
    return row;
}

namespace {

Bytes bytesOfGib(double value) { return Bytes(std::llround(value * kBytesPerGib)); }

void predictRow(MeasuredRow& row, const JsonView& view)
{
    try {
        const PublishedRun published = publishedRun(view);
        const PublishedPrediction prediction = predictPublished(published);
        row.assumed = published.assumed;
        row.verdict = verdictOf(prediction.ranks,
            UsableAllocation { bytesOfGib(view.at("gpu").at("memory_gib").json().get<double>()),
                Provenance::Derived });
        const double mib = 1024 * 1024;
        double bytes = double(prediction.allocated.count());
        if (row.metric == "active")
            bytes = double(prediction.active.count());
        else if (row.metric == "reserved")
            bytes = double(prediction.reserved.count());
        else if (row.metric == "device") {
            const auto context = view.find("context_mib");
            bytes = double(prediction.reserved.count())
                + (context
                        ? context->json().get<double>() * mib
                        : double(
                            prediction.ranks.atPeak[index(Category::Outside)].established.count()));
        }
        row.predictedGib = bytes / kBytesPerGib;
    } catch (const Failure& failure) {
        row.skipped = failure.error().text();
    }
}

/// A row of torchtitan's tables among other estimators' figures, in the words of a published run.
Json titanRecord(const JsonView& view)
{
    const JsonView inputs = view.at("inputs");
    const auto text = [&](const char* key) {
        const auto member = inputs.find(key);
        return member && member->json().is_string() ? member->string() : std::string();
    };
    const auto number = [&](const char* key, std::int64_t otherwise) {
        const auto member = inputs.find(key);
        return member ? member->integer(1, 1 << 30) : otherwise;
    };
    std::string name = text("model");
    for (char& letter : name)
        letter = letter == ' ' ? '-' : static_cast<char>(std::tolower(letter));
    auto model = modelPreset(name);
    if (const std::size_t release = name.find(".1"); !model && release != std::string::npos)
        model = modelPreset(name.erase(release, 2)); // Llama 3.1 has the dimensions of Llama 3
    if (!model)
        throw Failure({ "", "a model \"" + name + "\" that is not shipped", "" });
    const TransformerShape shape = transformerShape(*model).value();
    const std::string technique = text("technique");
    const std::int64_t gpus = number("gpus", 1);
    const std::int64_t stages = number("pp", 1);
    const std::int64_t local = number("local_batch", 1); // of a pipeline cut into micro-batches
    return { { "source", view.at("source").string() },
        { "model",
            { { "name", name }, { "arch", "llama" }, { "layers", shape.layers },
                { "hidden", shape.hidden }, { "heads", shape.heads }, { "kv_heads", shape.kvHeads },
                { "ffn", shape.ffn }, { "vocab", shape.vocabulary },
                { "tied_embeddings", shape.tied } } },
        { "recipe",
            { { "param_dtype", "fp32" }, { "compute_dtype", "bf16" }, { "reduce_dtype", "fp32" },
                { "optimizer", "adamw" }, { "trainable", "full" },
                { "micro_batch", stages > 1 ? 1 : local },
                { "local_batch", stages > 1 ? local : 0 }, { "seq_len", number("seq", 8192) },
                { "activation_checkpointing", text("ac").empty() ? "selective" : text("ac") },
                { "attention", "sdpa-flash" }, { "compile", contains(technique, "compile") },
                { "fp8", contains(technique, "float8") } } },
        { "layout",
            { { "gpus", gpus }, { "tp", number("tp", 1) }, { "cp", number("cp", 1) },
                { "pp", stages }, { "pp_schedule", text("schedule") }, { "fsdp", "fsdp2" } } },
        { "gpu", { { "name", "H100-96GB" }, { "memory_gib", 95.0 } } } };
}

} // namespace

MeasuredRow publishedRow(const JsonView& view)
{
    MeasuredRow row = skippedRow(view, "");
    row.kind = view.at("kind").string();
    row.metric = row.kind == "peak_allocated" ? "allocated"
        : row.kind == "peak_reserved"         ? "reserved"
                                              : "device";
    if (const auto metric = view.find("metric"); metric && metric->string() == "active_bytes")
        row.metric = "active";
    if (const auto value = view.find("value_gib"))
        row.measuredGib = value->json().get<double>();
    row.verdict = "open";
    if (const auto suspect = view.find("suspect"))
        row.suspect = !suspect->json().is_null() && suspect->json() != false;
    const auto says = [](const JsonView& where, const char* key, const char* what) {
        const auto member = where.find(key);
        return member && member->json() == what;
    };
    const JsonView recipe = view.at("recipe");
    row.trusted = !row.suspect && says(view, "confidence", "complete")
        && says(view, "trust", "high") && !recipe.has("quant")
        && !(recipe.has("fp8") && recipe.at("fp8").json() != false);
    predictRow(row, view);
    return row;
}

MeasuredRow titanRow(const JsonView& view)
{
    MeasuredRow row = skippedRow(view, "");
    row.kind = "peak_reserved";
    row.metric = "reserved";
    row.measuredGib = view.at("expected").at("peak_memory_gib").json().get<double>();
    try {
        const Json record = titanRecord(view);
        predictRow(row, JsonView(record, "$"));
    } catch (const Failure& failure) {
        row.skipped = failure.error().text();
    }
    return row;
}

} // namespace shardrack
