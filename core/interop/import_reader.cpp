#include "interop/import_reader.h"

#include "base/size_text.h"
#include "base/utf8.h"

#include <algorithm>

namespace shardrack {

namespace {

constexpr std::int64_t kMost = std::int64_t(1) << 40;

} // namespace

void ImportReader::fail(
    const std::string& name, const std::string& value, const std::string& expected) const
{
    throw Failure({ m_prefix + name, "is \"" + shortened(value) + '"', expected });
}

void ImportReader::understand(const std::string& name, const std::string& value, std::string text)
{
    m_used.insert(name);
    m_out.understood.push_back({ name, value, std::move(text) });
}

void ImportReader::usual(const std::string& name, const std::string& value, std::string text)
{
    m_out.defaulted.push_back({ name, value, std::move(text) });
}

bool ImportReader::flag(const char* name, const char* text)
{
    const std::string* value = find(name);
    if (!value)
        return false;
    const bool on = *value == "true" || *value == "True" || value->empty();
    if (!on && *value != "false" && *value != "False")
        fail(name, *value, m_prefix.empty() ? "true or false" : "a flag without a value");
    understand(name, on && !m_prefix.empty() ? "" : on ? "true" : "false", text);
    return on;
}

std::optional<std::int64_t> ImportReader::number(
    const char* name, const char* text, std::int64_t least)
{
    const std::string* value = find(name);
    if (!value)
        return std::nullopt;
    // Python writes 9_765_625.
    std::string digits = *value;
    digits.erase(std::remove(digits.begin(), digits.end(), '_'), digits.end());
    const auto parsed = parseInteger(digits, least, kMost);
    if (!parsed)
        fail(
            name, *value, "a whole number from " + std::to_string(least) + " to " + grouped(kMost));
    understand(name, *value, text);
    return *parsed;
}

std::string ImportReader::word(const char* name, const char* text)
{
    const std::string* value = find(name);
    if (!value)
        return {};
    understand(name, *value, text);
    return *value;
}

std::int64_t ImportReader::required(const char* name, const char* text)
{
    if (const auto value = number(name, text))
        return *value;
    m_out.missing.push_back({ name, "", text });
    return 0;
}

std::int32_t ImportReader::degree(const char* name, std::int64_t value) const
{
    if (value > (1 << 20))
        fail(name, std::to_string(value), "a degree up to 1,048,576");
    return static_cast<std::int32_t>(value);
}

bool ImportReader::Names::hold(std::string_view name) const
{
    return std::any_of(begin, end, [name](std::string_view entry) {
        return entry.back() == '*'
            ? name.substr(0, entry.size() - 1) == entry.substr(0, entry.size() - 1)
            : name == entry;
    });
}

void ImportReader::listRest(const std::string& name, const std::string& value,
    const Names& harmless, const Names& unsupported)
{
    if (m_used.count(name) != 0)
        return;
    const bool off = value == "false" || value == "False";
    if (!off && unsupported.hold(name))
        m_out.unsupported.push_back({ name, value, "its memory is not computed yet" });
    else
        m_out.ignored.push_back({ name, value,
            harmless.hold(name) ? "changes no memory that is computed"
                                : "not known; taken to change no memory" });
}

Workload workloadOf(const ImportedRun& run)
{
    Workload workload;
    workload.recipe = run.recipe;
    // A framework's figures would be those of another run: without one they are not established.
    if (!run.unsupported.empty())
        workload.recipe.framework.clear();
    if (!run.model)
        return workload;
    workload.basis = Workload::StateBasis::Derived;
    workload.model.emplace();
    workload.model->architecture = *run.model;
    return workload;
}

} // namespace shardrack
