#include "input.h"
#include "output.h"
#include "verb.h"

#include "interop/measured.h"

#include <nlohmann/json.hpp>

#include <array>

namespace shardrack::cli {

namespace {

constexpr std::array<Option, 1> kOptions { { { "--markdown", "" } } };

ExitStatus validate(const Arguments& arguments)
{
    if (arguments.files.empty())
        throw Failure({ "", "no file is named", "files of measured runs" });
    std::vector<MeasuredRow> rows;
    for (const std::string& path : arguments.files) {
        JsonLimits limits;
        limits.allowHugeIntegers = true; // other people's files
        const Json file = from(path, parseJson(readInput(path), limits));
        for (MeasuredRow& row : from(path, attempt([&] { return predictMeasured(file); })))
            rows.push_back(std::move(row));
    }
    if (arguments.json)
        printJson(measuredJson(rows));
    else if (arguments.has("--markdown"))
        printText(measuredMarkdown(rows));
    else
        printText(measuredText(rows));
    return Done;
}

} // namespace

const Verb kValidate { "validate", "FILE…", "predictions beside the figures of measured runs",
    "Reads lists of measured runs: Megatron-LM's test runs, published runs, tables of other\n"
    "estimators with measured rows. Prints the errors by family and metric; with --json every "
    "row;\n"
    "with --markdown the text of docs/accuracy.md. A row that is not predicted says why.\n",
    validate, kOptions };

} // namespace shardrack::cli
