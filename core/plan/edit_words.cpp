#include "plan/edit_words.h"

#include "base/result.h"
#include "base/size_text.h"

namespace shardrack {

void refuse(std::string why) { throw Failure({ "", std::move(why), "" }); }

std::string span(std::int64_t first, std::int64_t last)
{
    return first == last ? std::to_string(first)
                         : std::to_string(first) + "–" + std::to_string(last);
}

std::string rankWords(const RankSet& ranks)
{
    std::string text = ranks.size() == 1 ? "rank " : "ranks ";
    bool first = true;
    for (const RankSet::Interval& interval : ranks.intervals()) {
        if (!first)
            text += ", ";
        first = false;
        text += span(interval.first, interval.last);
    }
    return text;
}

std::string counted(std::int64_t count, const std::string& noun)
{
    return grouped(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string sentence(std::string text)
{
    if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
        text.front() = static_cast<char>(text.front() - 'a' + 'A');
    return text;
}

std::string gpuWords(const Server& server, int index)
{
    return server.name + "·" + std::to_string(index);
}

void requireName(const std::string& name, const std::string& what)
{
    if (name.find_first_not_of(" \t\r\n") == std::string::npos)
        refuse(what + " needs a name");
}

} // namespace shardrack
