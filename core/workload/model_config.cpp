#include "base/utf8.h"
#include "workload/config_keys.h"
#include "workload/model.h"
#include "workload/model_families.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace shardrack {

namespace {

std::string supportedTypes()
{
    std::string list;
    for (const ModelFamily& family : modelFamilies())
        list += (list.empty() ? "one of " : ", ") + std::string(family.type);
    return list;
}

/// Files that lie beside a config.json and are easily taken for it.
struct Neighbour {
    const char* key;
    const char* what;
};
constexpr Neighbour kNeighbours[] = {
    { "weight_map", "this is a checkpoint index: it lists tensors and files, not dimensions" },
    { "peft_type", "this is the description of an adapter, not of a model" },
    { "tokenizer_class", "this is the description of a tokenizer, not of a model" },
    { "zero_optimization", "this is a DeepSpeed configuration, not the description of a model" },
};

/// The entries of "architectures"; none when it is absent.
std::vector<JsonView> modelClasses(const JsonView& config)
{
    const auto classes = config.find("architectures");
    return classes ? classes->items() : std::vector<JsonView>();
}

[[noreturn]] void failWithoutType(const JsonView& config)
{
    const std::vector<JsonView> classes = modelClasses(config);
    if (!classes.empty())
        classes.front().fail("model class \"" + shortened(classes.front().string())
                + "\" without a model_type is not supported yet",
            "model_type " + supportedTypes());
    for (const Neighbour& neighbour : kNeighbours)
        if (config.has(neighbour.key))
            config.fail(neighbour.what, "the model's config.json with a model_type");
    config.fail("model_type is missing", supportedTypes());
}

const ModelFamily& familyOf(const JsonView& config)
{
    const auto type = config.find("model_type");
    if (!type)
        failWithoutType(config);
    const std::string name = type->string();
    for (const ModelFamily& family : modelFamilies())
        if (family.type == name)
            return family;
    type->fail("model type \"" + shortened(name) + "\" is not supported yet", supportedTypes());
}

void checkClass(const JsonView& view, const std::string& name, const ModelFamily& family)
{
    if (std::find(family.classes.begin(), family.classes.end(), name) == family.classes.end())
        view.fail("model class \"" + shortened(name) + "\" is not supported yet for model type \""
                + std::string(family.type) + "\"",
            std::string(family.classes.front()));
}

/// The class decides the head and whether known code builds the model.
void checkClasses(
    const JsonView& config, const ModelFamily& family, std::vector<std::string>& warnings)
{
    const std::vector<JsonView> items = modelClasses(config);
    for (const JsonView& item : items)
        checkClass(item, item.string(), family);
    if (items.empty())
        warnings.push_back(
            "No model class is named: counted as " + std::string(family.classes.front()) + ".");
    // Remote code: "modeling_yi.YiForCausalLM"; only a class whose tensors are known will do.
    const auto remote = config.find("auto_map");
    if (!remote)
        return;
    remote->expectObject();
    if (const auto model = remote->find("AutoModelForCausalLM")) {
        const std::string path = model->string();
        checkClass(*model, path.substr(path.rfind('.') + 1), family);
    }
}

} // namespace

Result<ModelReading> readModelConfig(const Json& json, const std::string& name)
{
    return attempt([&] {
        const JsonView config(json, "$");
        config.expectObject();
        const ModelFamily& family = familyOf(config);
        ModelReading reading;
        checkClasses(config, family, reading.warnings);

        ModelArchitecture& model = reading.architecture;
        model.name = name;
        model.family = family.type;
        const auto tied = config.find("tie_word_embeddings");
        model.tied = tied ? tied->boolean() : family.tied;
        family.read(config, model, reading.warnings);

        std::vector<std::string_view> used = family.keys;
        used.push_back("tie_word_embeddings");
        inspectOtherKeys(config, used, family.biased, reading.warnings);

        const Result<ParameterCount> count = countParameters(model);
        if (!count)
            config.fail(
                "in " + count.error().where + " " + count.error().what, count.error().expected);
        return reading;
    });
}

Result<ModelReading> readModelConfig(std::string_view text, const std::string& name)
{
    // Keys that do not matter here may hold huge numbers; a dimension's range is checked by its
    // reader.
    JsonLimits limits;
    limits.allowHugeIntegers = true;
    const Result<Json> json = parseJson(text, limits);
    if (!json)
        return json.error();
    return readModelConfig(*json, name);
}

} // namespace shardrack
