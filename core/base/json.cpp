#include "base/json.h"

#include "base/size_text.h"
#include "base/utf8.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>

namespace shardrack {
namespace {

std::string dumped(const Json& json)
{
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// The value as a message shows it.
std::string shown(const Json& json)
{
    if (json.is_object())
        return "an object";
    if (json.is_array())
        return "a list";
    return shortened(dumped(json));
}

std::string wholeNumbers(std::int64_t minimum, std::int64_t maximum)
{
    if (minimum == maximum)
        return grouped(minimum);
    const bool unlimited = maximum == std::numeric_limits<std::int64_t>::max();
    if (unlimited && minimum == std::numeric_limits<std::int64_t>::min())
        return "a whole number";
    if (unlimited)
        return "a whole number, " + grouped(minimum) + " or more";
    return "a whole number from " + grouped(minimum) + " to " + grouped(maximum);
}

/// The whole number that `json` holds, whichever way it is written; nullopt outside 64 bits.
std::optional<std::int64_t> wholeNumber(const Json& json)
{
    constexpr auto maximum = std::numeric_limits<std::int64_t>::max();
    if (json.is_number_unsigned()) {
        const auto number = json.get<std::uint64_t>();
        return number <= std::uint64_t(maximum) ? std::optional(std::int64_t(number))
                                                : std::nullopt;
    }
    if (json.is_number_integer())
        return json.get<std::int64_t>();
    if (!json.is_number_float())
        return std::nullopt;
    const auto real = json.get<double>();
    constexpr double limit = 9223372036854775808.0; // 2^63
    if (!(real >= -limit && real < limit))
        return std::nullopt;
    const auto number = static_cast<std::int64_t>(real);
    return static_cast<double>(number) == real ? std::optional(number) : std::nullopt;
}

} // namespace

std::string memberPath(const std::string& path, std::string_view key)
{
    const auto isPlain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
            || c == '_';
    };
    if (!key.empty() && key.size() <= 60 && std::all_of(key.begin(), key.end(), isPlain))
        return path + '.' + std::string(key);
    return path + '[' + shortened(dumped(Json(std::string(key)))) + ']';
}

std::string elementPath(const std::string& path, std::size_t index)
{
    return path + '[' + std::to_string(index) + ']';
}

void JsonView::fail(std::string what, std::string expected) const
{
    throw Failure({ m_path, std::move(what), std::move(expected) });
}

void JsonView::expectObject() const
{
    if (!m_json->is_object())
        fail("is " + shown(*m_json), "an object");
}

bool JsonView::has(const char* key) const { return find(key).has_value(); }

std::optional<JsonView> JsonView::find(const char* key) const
{
    expectObject();
    const auto member = m_json->find(key);
    if (member == m_json->end() || member->is_null())
        return std::nullopt;
    return JsonView(*member, memberPath(m_path, key));
}

JsonView JsonView::at(const char* key) const
{
    if (auto member = find(key))
        return *std::move(member);
    JsonView(*m_json, memberPath(m_path, key))
        .fail(m_json->contains(key) ? "is null" : "is missing", "a value");
}

std::vector<JsonView> JsonView::items() const
{
    if (!m_json->is_array())
        fail("is " + shown(*m_json), "a list");
    std::vector<JsonView> items;
    items.reserve(m_json->size());
    for (const Json& item : *m_json)
        items.emplace_back(item, elementPath(m_path, items.size()));
    return items;
}

bool JsonView::isString() const { return m_json->is_string(); }
bool JsonView::isObject() const { return m_json->is_object(); }
bool JsonView::isArray() const { return m_json->is_array(); }

std::string JsonView::string() const
{
    if (!m_json->is_string())
        fail("is " + shown(*m_json), "text in double quotes");
    return m_json->get<std::string>();
}

bool JsonView::boolean() const
{
    if (!m_json->is_boolean())
        fail("is " + shown(*m_json), "true or false");
    return m_json->get<bool>();
}

std::int64_t JsonView::integer(std::int64_t minimum, std::int64_t maximum) const
{
    const auto number = wholeNumber(*m_json);
    if (!number || *number < minimum || *number > maximum)
        fail("is " + shown(*m_json), wholeNumbers(minimum, maximum));
    return *number;
}

Bytes JsonView::bytes() const
{
    const auto number = wholeNumber(*m_json);
    if (!number || *number < 0)
        fail("is " + shown(*m_json), "a whole number of bytes, 0 or more and below 2^63");
    return Bytes(*number);
}

std::string optionalText(const JsonView& view, const char* key)
{
    const auto member = view.find(key);
    return member ? member->string() : std::string();
}

void putText(Json& json, const char* key, const std::string& text)
{
    if (!text.empty())
        json[key] = text;
}

Extra unknownMembers(const JsonView& view, std::initializer_list<const char*> known)
{
    view.expectObject();
    // Straight to the vector beneath: the keys differ, and the ordered map's own insertion searches
    // all members each time.
    Json unknown = Json::object();
    auto& members = unknown.get_ref<Json::object_t&>();
    for (const auto& [key, value] : view.json().get_ref<const Json::object_t&>())
        if (std::find(known.begin(), known.end(), key) == known.end())
            members.emplace_back(key, value);
    return unknown.empty() ? nullptr : std::make_shared<const Json>(std::move(unknown));
}

void appendExtra(Json& json, const Extra& extra)
{
    if (!extra)
        return;
    auto& members = json.get_ref<Json::object_t&>();
    const auto own = std::ptrdiff_t(members.size());
    for (const auto& [key, value] : extra->get_ref<const Json::object_t&>()) {
        const auto sameKey = [&name = key](const auto& member) { return member.first == name; };
        if (std::none_of(members.begin(), members.begin() + own, sameKey))
            members.emplace_back(key, value);
    }
}

bool sameExtra(const Extra& a, const Extra& b) { return a == b || (a && b && *a == *b); }

} // namespace shardrack
