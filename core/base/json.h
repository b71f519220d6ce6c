#pragma once

#include "base/bytes.h"
#include "base/result.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shardrack {

// Defensive JSON reading. nlohmann/json keeps the last duplicate key, turns 2^64 into a float and
// overflows the stack on deep nesting, so the text is checked in a streaming pass first.

/// Keeps key order, so that a saved file stays in the order its author wrote.
using Json = nlohmann::ordered_json;

struct JsonLimits {
    std::size_t maximumBytes = std::size_t(64) << 20;
    int maximumDepth = 64;
    bool allowHugeIntegers
        = false; ///< read integers beyond 64 bits as floats instead of refusing them
};

/// Parses strict JSON in one pass that checks everything before it is stored (a UTF-8 byte order
/// mark is skipped; UTF-16 is named and refused). Refuses, with line and column: syntax errors,
/// trailing text, duplicate keys, depth, size, integers outside
/// [-2^63, 2^63-1], invalid UTF-8.
Result<Json> parseJson(std::string_view text, const JsonLimits& limits = {});

/// `path` extended by a member: "$.offers" or, for odd keys, "$[\"a b\"]"; long keys are shortened.
std::string memberPath(const std::string& path, std::string_view key);
/// `path` extended by an index: "$.offers[0]".
std::string elementPath(const std::string& path, std::size_t index);

/// A place in a JSON document with its path; every getter checks type and range and throws Failure
/// naming path, value and expectation. It remembers nothing: unknown keys are found with
/// `unknownKeys`.
class JsonView {
public:
    JsonView(const Json& json, std::string path)
        : m_json(&json)
        , m_path(std::move(path))
    {
    }
    const Json& json() const { return *m_json; }
    const std::string& path() const { return m_path; }

    bool has(const char* key) const; ///< present and not null; *this must be an object
    JsonView at(const char* key) const; ///< required member
    std::optional<JsonView> find(const char* key) const; ///< absent or null: nullopt
    std::vector<JsonView> items() const; ///< elements of an array
    bool isString() const;
    bool isObject() const;
    bool isArray() const;

    std::string string() const;
    bool boolean() const;
    /// An integer in [minimum, maximum]; an integral float (5e8, 13731385408.0) is accepted.
    std::int64_t integer(std::int64_t minimum, std::int64_t maximum) const;
    Bytes bytes() const; ///< integer(0, 2^63-1)
    void expectObject() const;

    /// Failure at this path.
    [[noreturn]] void fail(std::string what, std::string expected) const;

private:
    const Json* m_json;
    std::string m_path;
};

/// The member's text; empty where it is absent or null.
std::string optionalText(const JsonView& view, const char* key);
/// Writes the member where the text is not empty.
void putText(Json& json, const char* key, const std::string& text);

/// Members of an object that a reader did not use, kept so that saving gives them back. Null: none.
using Extra = std::shared_ptr<const Json>;
/// The members of `view` whose keys are not in `known`.
Extra unknownMembers(const JsonView& view, std::initializer_list<const char*> known);
/// Appends the kept members to `json` (an object).
void appendExtra(Json& json, const Extra& extra);
/// Value equality (both null, or equal JSON).
bool sameExtra(const Extra& a, const Extra& b);

} // namespace shardrack
