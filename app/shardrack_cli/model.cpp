#include "input.h"
#include "output.h"
#include "verb.h"

#include "workload/model_report.h"

#include <nlohmann/json.hpp>

#include <filesystem>

namespace shardrack::cli {

namespace {

/// What a model is called by the name of its description: the file's, or its folder's where the
/// file has the name that all such files have.
std::string modelName(const std::string& path)
{
    const std::filesystem::path file(path);
    const std::string stem = file.stem().string();
    const std::string folder = file.parent_path().filename().string();
    return stem == "config" && !folder.empty() && folder.front() != '.' ? folder : stem;
}

ExitStatus model(const Arguments& arguments)
{
    const std::string& path = onlyFile(arguments);
    const std::string text = readInput(path);
    const ModelReading reading
        = from(path, readModelConfig(std::string_view(text), modelName(path)));
    const ParameterCount count = from(path, countParameters(reading.architecture));
    if (arguments.json)
        printJson(modelJson(reading, count));
    else
        printText(modelText(reading, count));
    return Done;
}

} // namespace

const Verb kModel { "model", "FILE", "exact parameter counts of a model's config.json",
    "Reads the description of a model as Hugging Face repositories carry it (config.json) and "
    "prints\n"
    "its parameters, in all and by group, and those that one token uses. Tied weights are counted\n"
    "once. A family that cannot be counted exactly is refused by name.\n",
    model };

} // namespace shardrack::cli
