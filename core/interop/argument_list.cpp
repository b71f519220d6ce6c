#include "interop/argument_list.h"

#include "base/utf8.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>

namespace shardrack {

namespace {

constexpr std::size_t kMostBytes = std::size_t(1) << 20;
constexpr std::size_t kMostArguments = 4096;

bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && isSpace(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && isSpace(text.back()))
        text.remove_suffix(1);
    return text;
}

bool isName(std::string_view text)
{
    const auto letter
        = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) == 0
        && std::all_of(text.begin(), text.end(), letter);
}

bool isOption(std::string_view word)
{
    return word.size() > 2 && word[0] == '-' && word[1] == '-'
        && std::isalpha(static_cast<unsigned char>(word[2])) != 0;
}

const std::string* findLast(const std::vector<Argument>& list, std::string_view name)
{
    const auto found = std::find_if(list.rbegin(), list.rend(),
        [name](const Argument& argument) { return argument.name == name; });
    return found == list.rend() ? nullptr : &found->value;
}

/// $NAME, ${NAME} and ${NAME:-otherwise}, where the text sets NAME.
std::string substituted(const std::string& word, const ArgumentList& list)
{
    std::string out;
    for (std::size_t at = 0; at < word.size(); ++at) {
        if (word[at] != '$') {
            out += word[at];
            continue;
        }
        std::size_t end = at + 1;
        std::string name;
        std::string otherwise;
        if (end < word.size() && word[end] == '{') {
            const std::size_t close = word.find('}', end);
            if (close == std::string::npos)
                return out + word.substr(at);
            name = word.substr(end + 1, close - end - 1);
            if (const std::size_t usual = name.find(":-"); usual != std::string::npos) {
                otherwise = name.substr(usual + 2);
                name.resize(usual);
            }
            end = close + 1;
        } else {
            while (end < word.size()
                && (std::isalnum(static_cast<unsigned char>(word[end])) != 0 || word[end] == '_'))
                ++end;
            name = word.substr(at + 1, end - at - 1);
        }
        const std::string* known = list.variable(name);
        out += known ? *known : !otherwise.empty() ? otherwise : word.substr(at, end - at);
        at = end - 1;
    }
    return out;
}

/// Splits into words as a shell does, without doing anything that a shell does.
std::vector<std::string> shellWords(std::string_view text)
{
    std::vector<std::string> words;
    std::string word;
    bool open = false;
    char quote = 0;
    const auto finish = [&] {
        if (open)
            words.push_back(std::move(word));
        word.clear();
        open = false;
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quote != 0) {
            if (c == quote)
                quote = 0;
            else
                word += c;
        } else if (c == '\'' || c == '"') {
            quote = c;
            open = true;
        } else if (c == '\\' && i + 1 < text.size()) {
            if (text[++i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n')
                ++i;
            else if (text[i] != '\n') {
                word += text[i];
                open = true;
            }
        } else if (c == '#' && !open) {
            while (i < text.size() && text[i] != '\n')
                ++i;
        } else if (isSpace(c) || ((c == '(' || c == ')') && !open)) {
            finish();
        } else {
            word += c;
            open = true;
        }
    }
    finish();
    return words;
}

ArgumentList fromWords(const std::vector<std::string>& words)
{
    ArgumentList list;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        const std::size_t equals = word.find('=');
        if (!isOption(word)) {
            if (equals != std::string::npos && isName(std::string_view(word).substr(0, equals)))
                list.environment.push_back(
                    { word.substr(0, equals), substituted(word.substr(equals + 1), list) });
            continue;
        }
        if (equals != std::string::npos) {
            list.arguments.push_back(
                { word.substr(2, equals - 2), substituted(word.substr(equals + 1), list) });
            continue;
        }
        std::string value;
        while (i + 1 < words.size() && !isOption(words[i + 1])) {
            const std::size_t sets = words[i + 1].find('=');
            if (sets != std::string::npos && isName(std::string_view(words[i + 1]).substr(0, sets)))
                break;
            value += (value.empty() ? "" : " ") + substituted(words[++i], list);
        }
        list.arguments.push_back({ word.substr(2), value.empty() ? "true" : value });
    }
    return list;
}

std::string unquoted(std::string_view value)
{
    value = trimmed(value);
    if (value.size() >= 2 && (value.front() == '"' || value.front() == '\'')) {
        const std::size_t close = value.find(value.front(), 1);
        return std::string(value.substr(1, close == std::string_view::npos ? close : close - 1));
    }
    if (const std::size_t comment = value.find(" #"); comment != std::string_view::npos)
        value = trimmed(value.substr(0, comment));
    return std::string(value);
}

/// "key: value" lines; a key that begins with -- is an argument, one in capitals a variable.
ArgumentList fromLines(std::string_view text)
{
    ArgumentList list;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = trimmed(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.empty() || line.front() == '#')
            continue;
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos)
            continue;
        const std::string key = unquoted(line.substr(0, colon));
        const std::string value = unquoted(line.substr(colon + 1));
        if (isOption(key))
            list.arguments.push_back({ key.substr(2), value });
        else if (isName(key) && !value.empty())
            list.environment.push_back({ key, value });
    }
    return list;
}

/// Whether a line of the text says "--name: value".
bool isYaml(std::string_view text)
{
    for (std::size_t at = text.find("--"); at != std::string_view::npos;
         at = text.find("--", at + 2)) {
        std::size_t end = at + 2;
        while (end < text.size()
            && (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '-'
                || text[end] == '_'))
            ++end;
        if (end > at + 2 && end < text.size() && text[end] == ':')
            return true;
        if (end > at + 2 && end < text.size() && (text[end] == ' ' || text[end] == '='))
            return false;
    }
    return false;
}

Result<ArgumentList> checked(ArgumentList list)
{
    if (list.arguments.empty())
        return Error { "", "there is no argument in it", "--name value, or --name: value" };
    if (list.arguments.size() > kMostArguments)
        return Error { "", "there are more arguments than any run has",
            "at most " + std::to_string(kMostArguments) };
    return list;
}

} // namespace

const std::string* ArgumentList::find(std::string_view name) const
{
    return findLast(arguments, name);
}

const std::string* ArgumentList::variable(std::string_view name) const
{
    return findLast(environment, name);
}

Result<ArgumentList> readArgumentList(std::string_view text)
{
    if (text.size() > kMostBytes)
        return Error { "", "is too long for a list of arguments", "at most 1 MiB" };
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = utf8Length(text.substr(at));
        if (length == 0 || text[at] == '\0')
            return Error { "", "is no text", "UTF-8 text" };
        at += length;
    }
    return checked(isYaml(text) ? fromLines(text) : fromWords(shellWords(text)));
}

Result<ArgumentList> argumentsOf(const Json& object)
{
    if (!object.is_object())
        return Error { "", "is no object of arguments", "{\"--num-layers\": 12, …}" };
    ArgumentList list;
    for (const auto& [key, value] : object.items()) {
        std::string name = key;
        name.erase(0, name.find_first_not_of('-'));
        std::string text = value.is_string() ? value.get<std::string>() : value.dump();
        (isOption(key) ? list.arguments : list.environment).push_back({ name, std::move(text) });
    }
    return checked(std::move(list));
}

} // namespace shardrack
