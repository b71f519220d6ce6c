#include "account/constants.h"

#include "base/json.h"
#include "resources/resources.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace shardrack {

namespace {

std::vector<Constant> read()
{
    const Json json = parseJson(resourceText("constants.json")).value();
    std::vector<Constant> all;
    for (const JsonView& view : JsonView(json, "$").at("constants").items()) {
        const auto number = [&](const char* key) { return view.at(key).bytes().count(); };
        const auto text = [&](const char* key) { return view.at(key).string(); };
        Constant constant { text("id"), number("value"), number("low"), number("high"),
            text("unit"), text("mechanism"), text("source"), text("version") };
        if (constant.low > constant.value || constant.value > constant.high)
            view.fail("its value is outside its range", "low ≤ value ≤ high");
        all.push_back(std::move(constant));
    }
    return all;
}

} // namespace

const std::vector<Constant>& constants()
{
    static const std::vector<Constant> all = read();
    return all;
}

const Constant& constant(std::string_view id)
{
    const auto& all = constants();
    const auto found = std::find_if(
        all.begin(), all.end(), [id](const Constant& constant) { return constant.id == id; });
    if (found == all.end())
        throw Failure({ "constants.json", "has no \"" + std::string(id) + '"', "" });
    return *found;
}

} // namespace shardrack
