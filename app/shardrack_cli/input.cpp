#include "input.h"

#include "base/size_text.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

namespace shardrack::cli {

namespace {

struct Close {
    void operator()(std::FILE* file) const
    {
        if (file != stdin)
            std::fclose(file);
    }
};

[[noreturn]] void failReading(const std::string& path, int error)
{
    throw Failure({ inputName(path), std::string("cannot be read: ") + std::strerror(error),
        "a readable file" });
}

} // namespace

std::string inputName(const std::string& path) { return path == "-" ? "standard input" : path; }

std::string readInput(const std::string& path, std::size_t limit)
{
    std::error_code ignored;
    if (path != "-" && std::filesystem::is_directory(path, ignored))
        throw Failure({ inputName(path), "is a folder", "a file" });
    const std::unique_ptr<std::FILE, Close> file(
        path == "-" ? stdin : std::fopen(path.c_str(), "rb"));
    if (!file)
        failReading(path, errno);

    std::string text;
    std::array<char, 65536> block;
    while (const std::size_t count = std::fread(block.data(), 1, block.size(), file.get())) {
        if (count > limit - text.size())
            throw Failure({ inputName(path), "is too large",
                "at most " + exactText(Bytes(static_cast<std::int64_t>(limit))) });
        text.append(block.data(), count);
    }
    if (std::ferror(file.get()))
        failReading(path, errno);
    return text;
}

} // namespace shardrack::cli
