#include "output.h"

#include <nlohmann/json.hpp>

#include <iostream>

namespace shardrack::cli {

void printText(std::string_view text) { std::cout << text; }

void printJson(const Json& json)
{
    std::cout << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

void printNote(std::string_view text) { std::cerr << "note: " << text << '\n'; }

void finishOutput()
{
    if (!std::cout.flush())
        throw Failure({ "standard output", "cannot be written", "room for the result" });
}

} // namespace shardrack::cli
