#include "verb.h"

namespace shardrack::cli {

Result<Arguments> parseArguments(const std::vector<std::string>& words)
{
    Arguments arguments;
    bool options = true;
    for (const std::string& word : words) {
        if (!options || word == "-" || word.empty() || word.front() != '-')
            arguments.files.push_back(word);
        else if (word == "--")
            options = false;
        else if (word == "--json")
            arguments.json = true;
        else if (word == "--markdown")
            arguments.markdown = true;
        else if (word == "--help" || word == "-h")
            arguments.help = true;
        else
            return Error { word, "there is no such option", "--json or --help" };
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
