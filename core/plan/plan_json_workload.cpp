#include "plan/plan_json.h"
#include "plan/plan_json_extra.h"
#include "plan/plan_json_nearest.h"
#include "plan/plan_json_parts.h"

#include "base/utf8.h"
#include "workload/frameworks.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace shardrack {

namespace {

constexpr std::int64_t kMostBytesPerParameter = 1024;
constexpr std::int64_t kMostSequences = std::int64_t(1) << 40;

using Basis = Workload::StateBasis;
constexpr std::array<std::pair<Basis, const char*>, 3> kBases { {
    { Basis::NotGiven, "not given" },
    { Basis::Stipulated, "stipulated" },
    { Basis::Derived, "derived" },
} };

/// The basis that follows from what a workload holds.
Basis basisOf(const Workload& workload)
{
    if (workload.stipulated != StipulatedState {})
        return Basis::Stipulated;
    return workload.model ? Basis::Derived : Basis::NotGiven;
}

std::optional<Bytes> optionalBytes(const JsonView& view, const char* key)
{
    const auto member = view.find(key);
    return member ? std::optional<Bytes>(member->bytes()) : std::nullopt;
}

void putBytes(Json& json, const char* key, const std::optional<Bytes>& bytes)
{
    if (bytes)
        json[key] = bytes->count();
}

/// More than any model has; 16 bytes each still fit into 64 bits.
constexpr std::int64_t kMostParameters = 100'000'000'000'000'000;

ModelChoice modelFromJson(const JsonView& view, std::vector<std::string>& remarks)
{
    ModelChoice choice;
    const auto preset = view.find("preset");
    const auto config = view.find("config");
    const auto count = view.find("parameters");
    const auto dimensions = view.find("transformer");
    const int given = int(preset.has_value()) + int(config.has_value()) + int(count.has_value())
        + int(dimensions.has_value());
    if (given != 1)
        view.fail(given == 0
                ? "has none of \"preset\", \"config\", \"parameters\" and \"transformer\""
                : "has more than one of \"preset\", \"config\", \"parameters\" and \"transformer\"",
            "the name of a shipped model as \"preset\", a config.json as \"config\", a bare "
            "number of parameters as \"parameters\", or dimensions as \"transformer\"");
    if (dimensions) {
        choice.architecture
            = describedModel(transformerFromJson(*dimensions), optionalText(view, "name"));
        if (const auto total = countParameters(choice.architecture); !total)
            dimensions->fail(total.error().what, total.error().expected);
        return choice;
    }
    if (count) {
        choice.parametersGiven = count->integer(1, kMostParameters);
        choice.architecture.name = optionalText(view, "name");
        return choice;
    }
    if (preset) {
        choice.preset = preset->string();
        const auto known = modelPreset(choice.preset);
        if (!known)
            preset->fail("there is no shipped model \"" + shortened(choice.preset) + '"',
                "a shipped model, such as " + nearestNames(choice.preset, modelPresetNames()));
        choice.architecture = *known;
        return choice;
    }
    config->expectObject();
    const auto reading = readModelConfig(config->json(), optionalText(view, "name"));
    if (!reading) {
        Error error = reading.error();
        const bool isPath = !error.where.empty() && error.where.front() == '$';
        error.where = config->path() + (isPath ? error.where.substr(1) : "");
        throw Failure(std::move(error));
    }
    choice.architecture = reading->architecture;
    choice.config = std::make_shared<const Json>(config->json());
    for (const std::string& warning : reading->warnings)
        remarks.push_back(config->path() + ": " + warning);
    return choice;
}

BytesPerParameter bytesPerParameterFromJson(const JsonView& view)
{
    const auto get = [&](const char* key) {
        const auto member = view.find(key);
        return member ? member->integer(0, kMostBytesPerParameter) : 0;
    };
    return { get("parameters"), get("gradients"), get("optimizer"), get("master") };
}

const RecipePreset& recipePreset(const JsonView& view)
{
    const std::string id = view.string();
    const auto& presets = recipePresets();
    const auto found = std::find_if(presets.begin(), presets.end(),
        [&](const RecipePreset& preset) { return preset.id == id; });
    if (found != presets.end())
        return *found;
    std::vector<std::string> ids;
    for (const RecipePreset& preset : presets)
        ids.push_back(preset.id);
    view.fail("there is no recipe preset \"" + shortened(id) + '"',
        "a recipe preset, such as " + nearestNames(id, ids));
}

/// The switches of the recipe's framework, and of no other.
void readSwitches(const JsonView& view, Recipe& recipe)
{
    const Framework* chosen = framework(recipe.framework);
    for (const char* key : { "megatron", "pytorch" }) {
        const auto given = view.find(key);
        if (!given)
            continue;
        if (!chosen || std::string(chosen->table->key) != key)
            given->fail("stands beside framework \"" + shortened(recipe.framework) + '"',
                "a framework that has such switches: \"megatron\" for \"megatron\", such as "
                "\"torchtitan\" for \"pytorch\"");
        switchesOf(recipe, *chosen) = switchesFromJson(*given, *chosen->table);
    }
}

Recipe recipeFromJson(const JsonView& view)
{
    Recipe recipe;
    KeptMembers kept(view,
        { "preset", "framework", "framework_version", "bytes_per_parameter", "optimizer", "trained",
            "formats", "micro_batch", "accumulation", "global_batch", "sequence", "recompute",
            "offload", "savers", "megatron", "pytorch" });
    const auto preset = view.find("preset");
    const auto bytes = view.find("bytes_per_parameter");
    if (preset && bytes)
        view.fail("has both \"preset\" and \"bytes_per_parameter\"", "one of them");
    if (preset) {
        const RecipePreset& chosen = recipePreset(*preset);
        recipe.bytesPerParameter = chosen.bytes;
        recipe.optimizer = chosen.optimizer;
    }
    if (bytes) {
        recipe.bytesPerParameter = bytesPerParameterFromJson(*bytes);
        kept.keepInner(
            "bytes_per_parameter", *bytes, { "parameters", "gradients", "optimizer", "master" });
    }
    if (view.has("optimizer"))
        recipe.optimizer = optionalText(view, "optimizer");
    recipe.framework = optionalText(view, "framework");
    recipe.frameworkVersion = optionalText(view, "framework_version");
    recipe.trained = optionalText(view, "trained");
    recipe.formats = optionalText(view, "formats");
    recipe.offload = optionalText(view, "offload");
    recipe.savers = optionalText(view, "savers");
    const auto count = [&](const char* key) {
        const auto member = view.find(key);
        return member ? std::optional(member->integer(1, kMostSequences)) : std::nullopt;
    };
    recipe.microBatch = count("micro_batch");
    recipe.accumulation = count("accumulation");
    recipe.globalBatch = count("global_batch");
    recipe.sequence = count("sequence");
    if (const auto recompute = view.find("recompute")) {
        recipe.recompute = recompute->string();
        if (recipe.recompute != "none" && recipe.recompute != "full"
            && recipe.recompute != "selective")
            recompute->fail(
                "is \"" + shortened(recipe.recompute) + '"', "\"none\", \"full\" or \"selective\"");
    }
    readSwitches(view, recipe);
    recipe.extra = kept.extra();
    return recipe;
}

Json toJson(const Recipe& recipe)
{
    Json json = Json::object();
    putText(json, "framework", recipe.framework);
    putText(json, "framework_version", recipe.frameworkVersion);
    if (const auto& each = recipe.bytesPerParameter)
        json["bytes_per_parameter"]
            = { { "parameters", each->parameters }, { "gradients", each->gradients },
                  { "optimizer", each->optimizer }, { "master", each->master } };
    putText(json, "optimizer", recipe.optimizer);
    putText(json, "trained", recipe.trained);
    putText(json, "formats", recipe.formats);
    const auto put = [&](const char* key, const std::optional<std::int64_t>& count) {
        if (count)
            json[key] = *count;
    };
    put("micro_batch", recipe.microBatch);
    put("accumulation", recipe.accumulation);
    put("global_batch", recipe.globalBatch);
    put("sequence", recipe.sequence);
    putText(json, "recompute", recipe.recompute);
    putText(json, "offload", recipe.offload);
    putText(json, "savers", recipe.savers);
    if (const Framework* chosen = framework(recipe.framework))
        if (const SwitchValues& given = switchesOf(recipe, *chosen); !given.none())
            json[chosen->table->key] = toJson(given, *chosen->table);
    appendKept(json, recipe.extra, { "bytes_per_parameter" });
    return json;
}

Basis basisFromJson(const JsonView& view)
{
    const std::string text = view.string();
    for (const auto& [basis, name] : kBases)
        if (text == name)
            return basis;
    view.fail("is \"" + shortened(text) + '"', "\"stipulated\", \"derived\" or \"not given\"");
}

const char* basisText(Basis basis)
{
    return std::find_if(kBases.begin(), kBases.end(), [&](const auto& entry) {
        return entry.first == basis;
    })->second;
}

} // namespace

Workload readWorkload(const JsonView& view, std::vector<std::string>& remarks)
{
    Workload workload;
    KeptMembers kept(view,
        { "basis", "state", "model", "revision", "recipe", "requirement", "terms",
            "weights_only_bytes" });
    if (const auto state = view.find("state")) {
        KeptMembers keptState(*state, { "stipulated" });
        if (const auto given = state->find("stipulated")) {
            workload.stipulated = { optionalBytes(*given, "total_bytes"),
                optionalBytes(*given, "parameters_bytes"), optionalBytes(*given, "gradients_bytes"),
                optionalBytes(*given, "optimizer_bytes") };
            keptState.keepInner("stipulated", *given,
                { "total_bytes", "parameters_bytes", "gradients_bytes", "optimizer_bytes" });
        }
        workload.stateExtra = keptState.extra();
    }
    if (const auto model = view.find("model")) {
        workload.model = modelFromJson(*model, remarks);
        kept.keepInner(
            "model", *model, { "preset", "config", "name", "parameters", "transformer" });
    }
    workload.revision = optionalText(view, "revision");
    workload.requirement = optionalText(view, "requirement");
    if (const auto recipe = view.find("recipe"))
        workload.recipe = recipeFromJson(*recipe);
    if (const auto terms = view.find("terms")) {
        workload.terms = { optionalBytes(*terms, "gathered_bytes"),
            optionalBytes(*terms, "activations_bytes"), optionalBytes(*terms, "temporary_bytes"),
            optionalBytes(*terms, "slack_bytes"), optionalBytes(*terms, "outside_bytes") };
        kept.keepInner("terms", *terms,
            { "gathered_bytes", "activations_bytes", "temporary_bytes", "slack_bytes",
                "outside_bytes" });
    }
    workload.weightsOnly = optionalBytes(view, "weights_only_bytes");
    const auto basis = view.find("basis");
    workload.basis = basis ? basisFromJson(*basis) : basisOf(workload);
    workload.extra = kept.extra();
    return workload;
}

Workload workloadFromJson(const JsonView& view)
{
    std::vector<std::string> remarks;
    return readWorkload(view, remarks);
}

Json toJson(const Workload& workload)
{
    Json json = Json::object();
    if (workload.basis != basisOf(workload))
        json["basis"] = basisText(workload.basis);

    Json stipulated = Json::object();
    putBytes(stipulated, "total_bytes", workload.stipulated.total);
    putBytes(stipulated, "parameters_bytes", workload.stipulated.parameters);
    putBytes(stipulated, "gradients_bytes", workload.stipulated.gradients);
    putBytes(stipulated, "optimizer_bytes", workload.stipulated.optimizer);
    Json state = Json::object();
    if (!stipulated.empty())
        state["stipulated"] = std::move(stipulated);
    appendKept(state, workload.stateExtra);
    if (!state.empty())
        json["state"] = std::move(state);

    if (const auto& model = workload.model) {
        Json& choice = json["model"] = Json::object();
        putText(choice, "preset", model->preset);
        if (model->parametersGiven) {
            putText(choice, "name", model->architecture.name);
            choice["parameters"] = *model->parametersGiven;
        } else if (model->architecture.described) {
            choice["transformer"] = toJson(*model->architecture.described);
            putText(choice, "name", model->architecture.name);
        } else if (model->preset.empty()) {
            choice["config"] = model->config ? *model->config : Json::object();
            putText(choice, "name", model->architecture.name);
        }
    }
    putText(json, "revision", workload.revision);
    if (Json recipe = toJson(workload.recipe); !recipe.empty())
        json["recipe"] = std::move(recipe);
    putText(json, "requirement", workload.requirement);

    Json terms = Json::object();
    putBytes(terms, "gathered_bytes", workload.terms.gathered);
    putBytes(terms, "activations_bytes", workload.terms.activations);
    putBytes(terms, "temporary_bytes", workload.terms.temporary);
    putBytes(terms, "slack_bytes", workload.terms.slack);
    putBytes(terms, "outside_bytes", workload.terms.outside);
    if (!terms.empty())
        json["terms"] = std::move(terms);
    putBytes(json, "weights_only_bytes", workload.weightsOnly);
    appendKept(json, workload.extra, { "model" });
    return json;
}

} // namespace shardrack
