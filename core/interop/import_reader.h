#pragma once

#include "interop/imported_run.h"

#include <set>
#include <string>
#include <string_view>

namespace shardrack {

/// What readers of other programs' settings have in common: values are asked for by name, each
/// that was asked for is listed with what it was taken for, and the rest is told apart at the end.
class ImportReader {
public:
    ImportReader(const ImportReader&) = delete;
    ImportReader& operator=(const ImportReader&) = delete;

protected:
    /// `prefix` stands before a name in messages: "--".
    explicit ImportReader(std::string prefix)
        : m_prefix(std::move(prefix))
    {
    }
    virtual ~ImportReader() = default;

    /// The value of a setting as text, "true" and "false" for a flag; null: not given.
    virtual const std::string* find(std::string_view name) const = 0;

    /// Throws Failure at the setting.
    [[noreturn]] void fail(
        const std::string& name, const std::string& value, const std::string& expected) const;
    void understand(const std::string& name, const std::string& value, std::string text);
    void usual(const std::string& name, const std::string& value, std::string text);

    /// A flag of this name is given and not "false".
    bool flag(const char* name, const char* text);
    std::optional<std::int64_t> number(const char* name, const char* text, std::int64_t least = 1);
    /// Empty where it is not given.
    std::string word(const char* name, const char* text);
    /// Lists the setting as missing and returns 0 where it is not given.
    std::int64_t required(const char* name, const char* text);
    /// A number as a degree of parallelism.
    std::int32_t degree(const char* name, std::int64_t value) const;

    /// Names of which an entry that ends in * stands for all that begin so.
    struct Names {
        const char* const* begin;
        const char* const* end;
        bool hold(std::string_view name) const;
    };
    /// Lists a setting that nothing asked for.
    void listRest(const std::string& name, const std::string& value, const Names& harmless,
        const Names& unsupported);

    ImportedRun m_out;

private:
    std::string m_prefix;
    std::set<std::string, std::less<>> m_used;
};

} // namespace shardrack
