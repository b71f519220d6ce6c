#include "base/json.h"
#include "resources/resources.h"
#include "workload/model.h"

#include <nlohmann/json.hpp>

namespace shardrack {

namespace {

/// The shipped models in the order of their file. Throws Failure when that file is damaged.
const std::vector<ModelArchitecture>& presets()
{
    static const std::vector<ModelArchitecture> list = [] {
        std::vector<ModelArchitecture> models;
        const Json json = parseJson(resourceText("models.json")).value();
        for (const auto& [name, config] : json.items())
            models.push_back(readModelConfig(config, name).value().architecture);
        return models;
    }();
    return list;
}

} // namespace

std::optional<ModelArchitecture> modelPreset(std::string_view name)
{
    for (const ModelArchitecture& model : presets())
        if (model.name == name)
            return model;
    return std::nullopt;
}

std::vector<std::string> modelPresetNames()
{
    std::vector<std::string> names;
    for (const ModelArchitecture& model : presets())
        names.push_back(model.name);
    return names;
}

} // namespace shardrack
