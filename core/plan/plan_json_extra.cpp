#include "plan/plan_json_extra.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace shardrack {

KeptMembers::KeptMembers(const JsonView& view, std::initializer_list<const char*> known)
{
    if (const Extra own = unknownMembers(view, known))
        m_json = std::make_shared<Json>(*own);
}

void KeptMembers::keepInner(
    const char* key, const JsonView& inner, std::initializer_list<const char*> known)
{
    if (const Extra members = unknownMembers(inner, known))
        keep(key, *members);
}

void KeptMembers::keep(const char* key, Json value)
{
    if (!m_json)
        m_json = std::make_shared<Json>(Json::object());
    (*m_json)[key] = std::move(value);
}

Extra KeptMembers::extra() const { return m_json; }

void appendKept(Json& json, const Extra& extra, std::initializer_list<const char*> onlyWith)
{
    if (!extra)
        return;
    for (const auto& [key, value] : extra->items()) {
        const auto own = json.find(key);
        if (own == json.end()) {
            if (std::find(onlyWith.begin(), onlyWith.end(), key) == onlyWith.end())
                json[key] = value;
        } else if (own->is_object() && value.is_object()) {
            for (const auto& [innerKey, innerValue] : value.items())
                if (!own->contains(innerKey))
                    (*own)[innerKey] = innerValue;
        } else if (own->is_array() && value.is_array()) {
            own->insert(own->end(), value.begin(), value.end());
        }
    }
}

} // namespace shardrack
