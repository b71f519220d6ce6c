#include "plan/summary_words.h"

#include "plan/report_words.h"

#include "base/size_text.h"

#include <algorithm>

#include <array>

namespace shardrack {

std::string joinedWords(const std::vector<std::string>& words)
{
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i)
        text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
    return text;
}

std::string separated(const std::vector<std::string>& words, const char* between)
{
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : between) + word;
    return text;
}

std::string numberWord(std::int64_t number)
{
    static constexpr std::array<const char*, 13> words { "no", "one", "two", "three", "four",
        "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve" };
    return number >= 0 && number < std::int64_t(words.size())
        ? words[static_cast<std::size_t>(number)]
        : grouped(number);
}

std::string ordinalWord(std::int64_t number)
{
    static constexpr std::array<const char*, 13> words { "", "first", "second", "third", "fourth",
        "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth" };
    return number > 0 && number < std::int64_t(words.size())
        ? words[static_cast<std::size_t>(number)]
        : std::string();
}

std::string numbered(std::int64_t number, const char* one, const char* many)
{
    return numberWord(number) + ' ' + (number == 1 ? one : many);
}

std::string capitalised(std::string text)
{
    if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
        text.front() = static_cast<char>(text.front() - 'a' + 'A');
    return text;
}

std::string lowered(std::string text)
{
    const auto capital = [](char c) { return c >= 'A' && c <= 'Z'; };
    if (!text.empty() && capital(text.front()) && !(text.size() > 1 && capital(text[1])))
        text.front() = static_cast<char>(text.front() - 'A' + 'a');
    return text;
}

std::string shortGib(Bytes bytes) { return gibText(bytes, bytes.count() % kGiB == 0 ? 0 : 2); }

std::string termWords(const Term& term)
{
    return term.category == Category::State ? "persistent state" : lowered(term.name);
}

std::string openWords(const std::string& termName)
{
    if (termName == title(Category::Outside))
        return "memory outside the allocator";
    if (termName == title(Category::State))
        return "the persistent state";
    return lowered(termName);
}

bool GpuTypeCount::confirmed() const
{
    return std::all_of(kinds.begin(), kinds.end(), [](const SiteIndex::Kind* kind) {
        return kind->usable.provenance != Provenance::NotEstablished;
    });
}

std::string GpuTypeCount::usableWords() const
{
    if (kinds.size() == 1)
        return "usable " + usableText(kinds.front()->usable);
    const auto less = [](const SiteIndex::Kind* a, const SiteIndex::Kind* b) {
        return a->usable.bytes < b->usable.bytes;
    };
    const auto [least, most] = std::minmax_element(kinds.begin(), kinds.end(), less);
    return "usable " + gibNumber((*least)->usable.bytes) + " to " + gibText((*most)->usable.bytes)
        + (confirmed() ? "" : ", not confirmed for all");
}

std::string fabricWords(const Site& site)
{
    std::vector<std::string> inside;
    for (const auto& rack : site.racks)
        for (const Server& server : rack->servers)
            if (const ServerType* type = Catalogue::builtIn().server(server.type); type
                && !type->fabric.empty()
                && std::find(inside.begin(), inside.end(), type->fabric) == inside.end())
                inside.push_back(type->fabric);
    return inside.empty() ? std::string()
                          : "inside a server: " + joinedWords(inside) + " (catalogue)";
}

std::vector<GpuCount> gpuCounts(const SiteIndex& index)
{
    std::vector<GpuCount> counts(index.kinds().size());
    for (std::size_t i = 0; i < counts.size(); ++i)
        counts[i].kind = &index.kinds()[i];
    for (std::int32_t gpu = 0; gpu < index.gpuCount(); ++gpu)
        ++counts[static_cast<std::size_t>(index.kindIndex(gpu))].count;
    return counts;
}

std::vector<GpuTypeCount> gpuTypes(const SiteIndex& index)
{
    std::vector<GpuTypeCount> types;
    for (const GpuCount& each : gpuCounts(index)) {
        auto found = std::find_if(types.begin(), types.end(),
            [&](const GpuTypeCount& type) { return type.type == each.kind->type; });
        if (found == types.end())
            found = types.insert(types.end(), { each.kind->type, 0, {} });
        found->count += each.count;
        found->kinds.push_back(each.kind);
    }
    return types;
}

namespace {

std::string scopeText(const Measurement& measurement)
{
    std::vector<std::string> covered;
    for (int i = 0; i < kRunPhaseCount; ++i)
        if (const auto phase = static_cast<RunPhase>(i); measurement.phases.has(phase))
            covered.emplace_back(id(phase));
    if (measurement.completeSteps > 0)
        covered.push_back(grouped(measurement.completeSteps)
            + (measurement.completeSteps == 1 ? " complete step" : " complete steps"));
    return covered.empty() ? "phases not said" : "over " + joinedWords(covered);
}

} // namespace

std::string measurementText(const Measurement& measurement)
{
    std::string text = (measurement.devices == "all" ? std::string("every device with a rank")
                                                     : measurement.devices)
        + ": ";
    if (measurement.outOfMemory)
        text += measurement.peak ? "ran out of memory at " : "ran out of memory";
    if (measurement.peak)
        text += (measurement.average ? "on average " : "") + gibText(*measurement.peak) + ", "
            + title(measurement.scope);
    text += ", " + scopeText(measurement);
    for (const std::string* words :
        { &measurement.software, &measurement.conditions, &measurement.source })
        if (!words->empty())
            text += ", " + *words;
    return text;
}

} // namespace shardrack
