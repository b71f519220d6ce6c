// shardrack-cli: the planning engine without a window. Only argument parsing and composition.

#include "output.h"
#include "verb.h"

#include <algorithm>
#include <array>
#include <exception>
#include <iostream>

namespace {

using namespace shardrack;
using namespace shardrack::cli;

const std::array<const Verb*, 4> kVerbs { &kAccount, &kCompare, &kModel, &kValidate };

std::string usage()
{
    std::string text
        = "Usage: shardrack-cli VERB [--json] FILE\n"
          "       shardrack-cli VERB --help\n"
          "\nPlans training on many GPUs: memory accounts, comparisons and parameter counts.\n"
          "A FILE of - is standard input.\n"
          "\nVerbs:\n";
    for (const Verb* verb : kVerbs) {
        std::string name(verb->name);
        name.resize(10, ' ');
        text += "  " + name + std::string(verb->summary) + "\n";
    }
    text += "\nOptions:\n"
            "  --json    the result as JSON\n"
            "  --help    this text, or the verb's\n"
            "  --version the program's version\n"
            "\nExit status: 0 done, 1 done and a device is over capacity (account, compare), 2 bad "
            "input.\n";
    return text;
}

std::string usage(const Verb& verb)
{
    std::string options = " [--json] ";
    for (const Option& option : verb.options) {
        options += "[" + std::string(option.name);
        if (!option.value.empty())
            options += " " + std::string(option.value);
        options += "] ";
    }
    return "Usage: shardrack-cli " + std::string(verb.name) + options + std::string(verb.operands)
        + "\n\nPrints " + std::string(verb.summary) + ".\n\n" + std::string(verb.help);
}

const Verb& findVerb(const std::string& name)
{
    const auto found = std::find_if(
        kVerbs.begin(), kVerbs.end(), [&](const Verb* verb) { return verb->name == name; });
    if (found != kVerbs.end())
        return **found;
    std::string names;
    for (const Verb* verb : kVerbs)
        names += (names.empty() ? "" : ", ") + std::string(verb->name);
    throw Failure({ name, "there is no such verb", "one of " + names });
}

ExitStatus run(const std::vector<std::string>& words)
{
    if (words.empty())
        throw Failure(
            { "", "no verb is given", "shardrack-cli VERB FILE; see shardrack-cli --help" });
    const std::string& first = words.front();
    if (first == "--help" || first == "-h") {
        printText(usage());
        return Done;
    }
    if (first == "--version") {
        printText("shardrack-cli " SHARDRACK_VERSION "\n");
        return Done;
    }
    const Verb& verb = findVerb(first);
    const Arguments arguments
        = parseArguments({ words.begin() + 1, words.end() }, verb.options).value();
    if (arguments.help) {
        printText(usage(verb));
        return Done;
    }
    return verb.run(arguments);
}

} // namespace

int main(int argc, char** argv)
{
    try {
        const ExitStatus status = run({ argv + std::min(argc, 1), argv + argc });
        finishOutput();
        return status;
    } catch (const std::exception& problem) {
        std::cerr << "shardrack-cli: " << problem.what() << '\n';
        return BadInput;
    }
}
