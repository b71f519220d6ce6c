#include "plan/plan_json_print.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace shardrack {

namespace {

constexpr std::size_t kColumns = 100;
constexpr std::size_t kIndent = 2;

std::string scalar(const Json& json)
{
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Appends `json` on one line; gives up (false) beyond `room` bytes, leaving `out` unusable.
bool appendInline(std::string& out, const Json& json, std::size_t room)
{
    const std::size_t limit = out.size() + room;
    if (!json.is_structured()) {
        out += scalar(json);
        return out.size() <= limit;
    }
    const bool object = json.is_object();
    out += object ? '{' : '[';
    bool first = true;
    for (const auto& item : json.items()) {
        if (!first)
            out += ", ";
        first = false;
        if (object)
            out += scalar(Json(item.key())) + ": ";
        if (out.size() > limit || !appendInline(out, item.value(), limit - out.size()))
            return false;
    }
    out += object ? '}' : ']';
    return out.size() <= limit;
}

class Printer {
public:
    std::string text() && { return std::move(m_text) + '\n'; }

    void print(const Json& json, std::size_t depth)
    {
        if (!json.is_structured()) {
            m_text += scalar(json);
            return;
        }
        const std::size_t start = m_text.size();
        // The document itself is always spread, however small: it is read from top to bottom.
        const std::size_t used = column() + 1; // a comma may follow
        if (depth > 0 || json.empty()) {
            if (used < kColumns && appendInline(m_text, json, kColumns - used))
                return;
            m_text.resize(start);
        }
        const bool plain = json.is_array()
            && std::none_of(
                json.begin(), json.end(), [](const Json& item) { return item.is_structured(); });
        plain ? fill(json, depth + 1) : spread(json, depth + 1);
    }

private:
    std::size_t column() const
    {
        const std::size_t line = m_text.rfind('\n');
        return m_text.size() - (line == std::string::npos ? 0 : line + 1);
    }
    void newLine(std::size_t depth)
    {
        m_text += '\n';
        m_text.append(depth * kIndent, ' ');
    }

    void spread(const Json& json, std::size_t depth)
    {
        const bool object = json.is_object();
        m_text += object ? '{' : '[';
        bool first = true;
        for (const auto& item : json.items()) {
            if (!first)
                m_text += ',';
            first = false;
            newLine(depth);
            if (object)
                m_text += scalar(Json(item.key())) + ": ";
            print(item.value(), depth);
        }
        newLine(depth - 1);
        m_text += object ? '}' : ']';
    }

    void fill(const Json& list, std::size_t depth)
    {
        m_text += '[';
        newLine(depth);
        bool first = true;
        for (const Json& item : list) {
            const std::string text = scalar(item);
            if (!first) {
                m_text += ',';
                if (column() + 1 + text.size() + 1 > kColumns)
                    newLine(depth);
                else
                    m_text += ' ';
            }
            first = false;
            m_text += text;
        }
        newLine(depth - 1);
        m_text += ']';
    }

    std::string m_text;
};

} // namespace

std::string printJson(const Json& json)
{
    Printer printer;
    printer.print(json, 0);
    return std::move(printer).text();
}

} // namespace shardrack
