#include "workload/model_report.h"

#include "base/size_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace shardrack {

Json modelJson(const ModelReading& reading, const ParameterCount& count)
{
    Json groups = Json::object();
    for (const GroupCount& group : count.groups)
        groups[group.group] = group.parameters;
    Json json = Json::object();
    json["name"] = reading.architecture.name;
    json["family"] = reading.architecture.family;
    json["total_parameters"] = count.total;
    json["active_parameters"] = count.active;
    json["tied"] = reading.architecture.tied;
    json["groups"] = std::move(groups);
    json["warnings"] = reading.warnings;
    return json;
}

std::string modelText(const ModelReading& reading, const ParameterCount& count)
{
    const ModelArchitecture& model = reading.architecture;
    std::vector<std::pair<std::string, std::int64_t>> rows = { { "total", count.total } };
    if (count.active != count.total)
        rows.emplace_back("active for a token", count.active);
    for (const GroupCount& group : count.groups)
        rows.emplace_back("  " + group.group, group.parameters);

    std::size_t nameWidth = 0;
    for (const auto& [name, parameters] : rows)
        nameWidth = std::max(nameWidth, name.size());
    const std::size_t numberWidth = grouped(count.total).size(); // the largest of all
    std::string text = model.name + " (" + model.family + "), parameters\n";
    for (const auto& [name, parameters] : rows) {
        const std::string number = grouped(parameters);
        text += "  " + name
            + std::string(nameWidth - name.size() + numberWidth - number.size() + 2, ' ') + number
            + "\n";
    }
    text += model.tied ? "The head shares the embedding (counted once).\n"
                       : "The head has its own weights.\n";
    for (const std::string& warning : reading.warnings)
        text += "Warning: " + warning + "\n";
    return text;
}

} // namespace shardrack
