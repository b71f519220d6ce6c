#include "workload/workload_fields.h"

#include "base/size_text.h"
#include "workload/frameworks.h"

#include <nlohmann/json.hpp>

namespace shardrack {

namespace {

using Basis = Workload::StateBasis;

/// Exact; where that is a long number of bytes, what it is about stands before it.
std::string sizeText(const std::optional<Bytes>& bytes)
{
    if (!bytes)
        return {};
    const std::string exact = exactText(*bytes);
    const bool inBytes = exact.size() > 2 && exact.compare(exact.size() - 2, 2, " B") == 0;
    return inBytes && *bytes >= Bytes(kMiB) ? gibText(*bytes) + " (" + exact + ")" : exact;
}

std::string countText(const std::optional<std::int64_t>& count, const char* one, const char* many)
{
    return count ? grouped(*count) + (*count == 1 ? one : many) : std::string();
}

std::string joined(const std::string& a, const std::string& b, const char* between)
{
    return a.empty() || b.empty() ? a + b : a + between + b;
}

std::string modelText(const Workload& workload)
{
    if (!workload.model)
        return {};
    const ModelChoice& model = *workload.model;
    std::string name = model.architecture.name.empty() ? model.preset : model.architecture.name;
    if (const auto count = model.parameters())
        name = joined(name, grouped(*count) + " parameters", ", ");
    return name;
}

std::string stateText(const Workload& workload)
{
    const StipulatedState& given = workload.stipulated;
    switch (workload.basis) {
    case Basis::NotGiven:
        return {};
    case Basis::Derived:
        return "derived from the model";
    case Basis::Stipulated:
        break;
    }
    if (given.total)
        return sizeText(given.total) + ", stipulated";
    std::string parts;
    const auto add = [&](const char* name, const std::optional<Bytes>& bytes) {
        if (bytes)
            parts = joined(parts, std::string(name) + " " + sizeText(bytes), ", ");
    };
    add("parameters", given.parameters);
    add("gradients", given.gradients);
    add("optimizer", given.optimizer);
    return parts.empty() ? parts : parts + ", stipulated";
}

std::string bytesText(const Workload& workload)
{
    const auto& each = workload.recipe.bytesPerParameter;
    if (!each)
        return {};
    return std::to_string(each->parameters) + " + " + std::to_string(each->gradients) + " + "
        + std::to_string(each->optimizer) + " + " + std::to_string(each->master)
        + " B (parameters, gradients, moments, master)";
}

/// "Layer implementation: te; …": the framework's switches that somebody gave.
std::string switchesText(const Workload& workload)
{
    const Framework* chosen = framework(workload.recipe.framework);
    return chosen ? givenText(switchesOf(workload.recipe, *chosen), *chosen->table)
                  : givenText(workload.recipe.megatron, megatronTable());
}

} // namespace

const std::vector<WorkloadField>& workloadFields()
{
    using W = const Workload&;
    static const std::vector<WorkloadField> fields = {
        { "model", "Model", modelText },
        { "revision", "Revision", [](W w) { return w.revision; } },
        { "state", "Persistent state", stateText },
        { "bytes_per_parameter", "Bytes a parameter", bytesText },
        { "formats", "Number formats", [](W w) { return w.recipe.formats; } },
        { "trained", "Trained parameters", [](W w) { return w.recipe.trained; } },
        { "optimizer", "Optimizer", [](W w) { return w.recipe.optimizer; } },
        { "micro_batch", "Micro-batch",
            [](W w) { return countText(w.recipe.microBatch, " sequence", " sequences"); } },
        { "accumulation", "Accumulation",
            [](W w) { return countText(w.recipe.accumulation, " micro-step", " micro-steps"); } },
        { "global_batch", "Global batch",
            [](W w) { return countText(w.recipe.globalBatch, " sequence", " sequences"); } },
        { "sequence", "Sequence",
            [](W w) { return countText(w.recipe.sequence, " token", " tokens"); } },
        { "recompute", "Recompute", [](W w) { return w.recipe.recompute; } },
        { "offload", "State placement and offload", [](W w) { return w.recipe.offload; } },
        { "savers", "Other memory savers", [](W w) { return w.recipe.savers; } },
        { "framework", "Framework", [](W w) { return w.recipe.framework; } },
        { "framework_version", "Framework version", [](W w) { return w.recipe.frameworkVersion; } },
        { "megatron", "Framework switches", switchesText },
        { "gathered", "Gathered parameters instead of derived",
            [](W w) { return sizeText(w.terms.gathered); } },
        { "activations", "Activations instead of derived",
            [](W w) { return sizeText(w.terms.activations); } },
        { "temporary", "Temporary buffers instead of derived",
            [](W w) { return sizeText(w.terms.temporary); } },
        { "slack", "Allocator slack instead of derived",
            [](W w) { return sizeText(w.terms.slack); } },
        { "outside", "Outside allocator instead of derived",
            [](W w) { return sizeText(w.terms.outside); } },
        { "requirement", "Quality and performance asked", [](W w) { return w.requirement; } },
    };
    return fields;
}

const WorkloadField* workloadField(const std::string& id)
{
    for (const WorkloadField& field : workloadFields())
        if (id == field.id)
            return &field;
    return nullptr;
}

std::vector<WorkloadDifference> differences(const Workload& before, const Workload& after)
{
    const auto given
        = [](const std::string& text) -> std::string { return text.empty() ? "not given" : text; };
    std::vector<WorkloadDifference> found;
    for (const WorkloadField& field : workloadFields()) {
        const std::string a = field.text(before);
        const std::string b = field.text(after);
        if (a != b)
            found.push_back({ &field, given(a), given(b) });
    }
    // Two descriptions of one name and size may still be different models.
    if (before.model && after.model && !(*before.model == *after.model)
        && modelText(before) == modelText(after))
        found.push_back({ workloadField("model"), modelText(before),
            modelText(after) + ", another description" });
    return found;
}

} // namespace shardrack
