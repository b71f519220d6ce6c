#include "verb.h"

#include <algorithm>

namespace shardrack::cli {

namespace {

std::string expected(std::span<const Option> options)
{
    std::string names = "--json";
    for (const Option& option : options)
        names += ", " + std::string(option.name);
    return names + " or --help";
}

} // namespace

bool Arguments::has(std::string_view option) const
{
    return std::any_of(
        options.begin(), options.end(), [&](const auto& given) { return given.first == option; });
}

std::vector<std::string> Arguments::values(std::string_view option) const
{
    std::vector<std::string> found;
    for (const auto& [name, value] : options)
        if (name == option)
            found.push_back(value);
    return found;
}

Result<Arguments> parseArguments(
    const std::vector<std::string>& words, std::span<const Option> options)
{
    Arguments arguments;
    bool reading = true;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        if (!reading || word == "-" || word.empty() || word.front() != '-') {
            arguments.files.push_back(word);
        } else if (word == "--") {
            reading = false;
        } else if (word == "--json") {
            arguments.json = true;
        } else if (word == "--help" || word == "-h") {
            arguments.help = true;
        } else {
            const std::size_t equals = std::min(word.find('='), word.size());
            const std::string name = word.substr(0, equals);
            const auto option = std::find_if(options.begin(), options.end(),
                [&](const Option& candidate) { return candidate.name == name; });
            if (option == options.end() || (option->value.empty() && equals < word.size()))
                return Error { word, "there is no such option", expected(options) };
            if (option->value.empty())
                arguments.options.emplace_back(name, "");
            else if (equals < word.size())
                arguments.options.emplace_back(name, word.substr(equals + 1));
            else if (i + 1 < words.size())
                arguments.options.emplace_back(name, words[++i]);
            else
                return Error { word, "nothing follows it", std::string(option->value) };
        }
    }
    return arguments;
}

const std::string& onlyFile(const Arguments& arguments)
{
    const auto& files = arguments.files;
    if (files.empty())
        throw Failure({ "", "no file is named", "a path, or - for standard input" });
    if (files.size() > 1)
        throw Failure({ files[1], "a second file", "one file" });
    return files.front();
}

} // namespace shardrack::cli
