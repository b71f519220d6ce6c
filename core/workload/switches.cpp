#include "workload/switches.h"

#include "base/size_text.h"
#include "base/utf8.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace shardrack {

const char* name(Origin origin)
{
    static constexpr std::array<const char*, 6> names { "given", "framework default", "GPU default",
        "derived", "assumed", "preset" };
    return names[static_cast<std::size_t>(origin)];
}

namespace {

using Kind = SwitchInfo::Kind;
constexpr std::int64_t kMillion = 1'000'000;

std::optional<std::int64_t> versionNumber(std::string_view text)
{
    const std::size_t dot = text.find('.');
    if (dot == std::string_view::npos)
        return std::nullopt;
    const auto number = [](std::string_view digits) -> std::optional<std::int64_t> {
        std::int64_t value = 0;
        if (digits.empty() || digits.size() > 3)
            return std::nullopt;
        for (const char digit : digits) {
            if (digit < '0' || digit > '9')
                return std::nullopt;
            value = value * 10 + (digit - '0');
        }
        return value;
    };
    std::string_view minor = text.substr(dot + 1);
    minor = minor.substr(0, minor.find('.'));
    const auto major = number(text.substr(0, dot));
    const auto small = number(minor);
    if (!major || !small)
        return std::nullopt;
    return *major * 1000 + *small;
}

std::string listed(const SwitchInfo& info)
{
    std::string names;
    for (const char* choice : info.choices)
        names += (names.empty() ? "\"" : ", \"") + std::string(choice) + '"';
    return names;
}

std::int64_t choiceFromJson(const JsonView& view, const SwitchInfo& info)
{
    const std::string text = view.string();
    for (std::size_t i = 0; i < info.choices.size(); ++i)
        if (text == info.choices[i])
            return static_cast<std::int64_t>(i);
    view.fail("is \"" + shortened(text) + '"', "one of " + listed(info));
}

std::int64_t fractionFromJson(const JsonView& view, const SwitchInfo& info)
{
    const Json& json = view.json();
    if (json.is_number()) {
        const double value = json.get<double>();
        if (value >= 0 && value < 1)
            return std::llround(value * double(kMillion));
    }
    view.fail("is " + shortened(json.dump()),
        std::string("a number from 0 to below 1 for ") + info.title);
}

std::int64_t valueFromJson(const JsonView& view, const SwitchInfo& info, SwitchValues& all)
{
    switch (info.kind) {
    case Kind::Flag:
        return view.boolean() ? 1 : 0;
    case Kind::Choice:
        return choiceFromJson(view, info);
    case Kind::Set: {
        std::int64_t bits = 0;
        for (const JsonView& item : view.items())
            bits |= std::int64_t(1) << choiceFromJson(item, info);
        return bits;
    }
    case Kind::Count:
        return view.integer(info.least, info.most);
    case Kind::Fraction:
        return fractionFromJson(view, info);
    case Kind::Version: {
        const std::string text = view.string();
        if (const auto version = versionNumber(text))
            return *version;
        view.fail("is \"" + shortened(text) + '"', "a version such as \"2.11\"");
    }
    case Kind::Text:
        break;
    }
    all.words = view.string();
    return 1;
}

/// Whether a choice of another framework's list is one of this.
bool hasChoice(const SwitchInfo& info, std::int64_t value)
{
    return value >= 0 && static_cast<std::size_t>(value) < info.choices.size();
}

std::string fractionText(std::int64_t millionths)
{
    std::string digits = std::to_string(kMillion + millionths).substr(1);
    digits.erase(digits.find_last_not_of('0') + 1);
    return digits.empty() ? "0" : "0." + digits;
}

} // namespace

bool SwitchValues::none() const
{
    return std::none_of(
        given.begin(), given.end(), [](const auto& value) { return value.has_value(); });
}

SwitchValues switchesFromJson(const JsonView& view, const SwitchTable& table)
{
    view.expectObject();
    SwitchValues switches;
    for (const auto& [key, value] : view.json().items()) {
        const auto known = std::find_if(table.switches.begin(), table.switches.end(),
            [&name = key](const SwitchInfo& info) { return name == info.key; });
        const JsonView member(value, memberPath(view.path(), key));
        if (known == table.switches.end())
            member.fail("is no switch that is known",
                std::string("a switch of docs/plan-format.md, such as \"")
                    + table.switches.front().key + "\" or \"attention\"");
        if (!value.is_null())
            switches.set(known->which, valueFromJson(member, *known, switches));
    }
    return switches;
}

Json toJson(const SwitchValues& switches, const SwitchTable& table)
{
    Json json = Json::object();
    for (const SwitchInfo& info : table.switches) {
        const auto value = switches.get(info.which);
        if (!value || (info.kind == Kind::Choice && !hasChoice(info, *value)))
            continue;
        Json& member = json[info.key];
        switch (info.kind) {
        case Kind::Flag:
            member = *value != 0;
            break;
        case Kind::Set:
            member = Json::array();
            for (std::size_t i = 0; i < info.choices.size(); ++i)
                if (*value >> i & 1)
                    member.push_back(info.choices[i]);
            break;
        case Kind::Count:
            member = *value;
            break;
        case Kind::Fraction:
            member = double(*value) / double(kMillion);
            break;
        case Kind::Choice:
        case Kind::Version:
        case Kind::Text:
            member = valueText(info, *value, switches.words);
            break;
        }
    }
    return json;
}

std::string valueText(const SwitchInfo& info, std::int64_t value, const std::string& text)
{
    switch (info.kind) {
    case Kind::Flag:
        return value != 0 ? "on" : "off";
    case Kind::Choice:
        return hasChoice(info, value) ? info.choices[static_cast<std::size_t>(value)]
                                      : std::to_string(value);
    case Kind::Set: {
        std::string names;
        for (std::size_t i = 0; i < info.choices.size(); ++i)
            if (value >> i & 1)
                names += (names.empty() ? "" : ", ") + std::string(info.choices[i]);
        return names.empty() ? "none" : names;
    }
    case Kind::Count: {
        const std::string_view key = info.key;
        const bool bytes = key.size() > 6 && key.substr(key.size() - 6) == "_bytes";
        return grouped(value) + (bytes ? " B" : "");
    }
    case Kind::Fraction:
        return fractionText(value);
    case Kind::Version:
        return std::to_string(value / 1000) + '.' + std::to_string(value % 1000);
    case Kind::Text:
        break;
    }
    return text;
}

std::string givenText(const SwitchValues& switches, const SwitchTable& table)
{
    std::string text;
    for (const SwitchInfo& info : table.switches)
        if (const auto value = switches.get(info.which))
            text += (text.empty() ? "" : "; ") + std::string(info.title) + ": "
                + valueText(info, *value, switches.words);
    return text;
}

} // namespace shardrack
