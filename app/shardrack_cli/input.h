#pragma once

#include "base/json.h"
#include "base/result.h"

#include <cstddef>
#include <string>

namespace shardrack::cli {

/// The content of the file at `path`, or of standard input for "-". Failure naming the file when it
/// is missing, unreadable, a folder, or larger than `limit` bytes; never reads more than that.
std::string readInput(const std::string& path, std::size_t limit = JsonLimits().maximumBytes);

/// How messages call the file: its path, or "standard input".
std::string inputName(const std::string& path);

/// The value that a reader made of the file; its error is thrown as Failure that names the file
/// too.
template <class T> T from(const std::string& path, Result<T> result)
{
    if (result)
        return std::move(result).value();
    Error error = result.error();
    error.where = error.where.empty() ? inputName(path) : inputName(path) + ": " + error.where;
    throw Failure(std::move(error));
}

} // namespace shardrack::cli
