#pragma once

#include "base/json.h"

#include <initializer_list>

namespace shardrack {

/// Members that a reader did not use, of an object and of those objects inside it that are read
/// into plain values with no place of their own: the inner ones are kept under the inner object's
/// key.
class KeptMembers {
public:
    KeptMembers(const JsonView& view, std::initializer_list<const char*> known);
    /// The unknown members of the member `key` of the object.
    void keepInner(
        const char* key, const JsonView& inner, std::initializer_list<const char*> known);
    /// `value` as the member `key`.
    void keep(const char* key, Json value);
    Extra extra() const;

private:
    std::shared_ptr<Json> m_json;
};

/// Gives kept members back to `json`: inner objects get theirs, lists get theirs at the end. Those
/// of `onlyWith` are given back only while `json` has that member: alone they would read as
/// something that nobody said.
void appendKept(Json& json, const Extra& extra, std::initializer_list<const char*> onlyWith = {});

} // namespace shardrack
