#include "plan/glossary.h"

#include "base/json.h"
#include "plan/plan_json_nearest.h"
#include "resources/resources.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace shardrack {

namespace {

constexpr int kVersion = 1;

using ByName = std::map<std::string, std::size_t, std::less<>>;

/// Letters of the ASCII range only: the words have no others.
std::string lowered(std::string_view word)
{
    std::string lower(word);
    std::transform(lower.begin(), lower.end(), lower.begin(),
        [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return lower;
}

std::vector<std::string> strings(const JsonView& entry, const char* key)
{
    std::vector<std::string> list;
    if (const auto member = entry.find(key))
        for (const JsonView& item : member->items())
            list.push_back(item.string());
    return list;
}

void addName(ByName& names, const JsonView& place, const std::string& name, std::size_t entry)
{
    if (name.empty() || !names.emplace(lowered(name), entry).second)
        place.fail("is \"" + name + "\"", "a name that no other entry has");
}

void requireRelated(const std::vector<GlossaryEntry>& entries, const JsonView& list)
{
    std::vector<std::string> words;
    words.reserve(entries.size());
    for (const GlossaryEntry& entry : entries)
        words.push_back(entry.word);
    for (const JsonView& entry : list.items()) {
        const auto related = entry.find("related");
        if (!related)
            continue;
        for (const JsonView& word : related->items())
            if (std::find(words.begin(), words.end(), word.string()) == words.end())
                word.fail("is \"" + word.string() + "\", which has no entry",
                    "a word such as " + nearestNames(word.string(), words));
    }
}

const ByName& names()
{
    static const ByName byName = [] {
        ByName all;
        const std::vector<GlossaryEntry>& entries = glossary();
        for (std::size_t i = 0; i < entries.size(); ++i) {
            all.emplace(lowered(entries[i].word), i);
            for (const std::string& name : entries[i].also)
                all.emplace(lowered(name), i);
        }
        return all;
    }();
    return byName;
}

const GlossaryEntry& required(const char* word)
{
    const GlossaryEntry* entry = glossaryEntry(word);
    if (!entry)
        throw Failure({ "glossary.json", std::string("has no entry for \"") + word + '"', {} });
    return *entry;
}

} // namespace

Result<std::vector<GlossaryEntry>> readGlossary(std::string_view text)
{
    return attempt([&] {
        const Json json = parseJson(text).value();
        const JsonView root(json, "$");
        if (root.at("format").string() != "shardrack-glossary")
            root.at("format").fail("names another format", "\"shardrack-glossary\"");
        (void)root.at("version").integer(kVersion, kVersion);
        std::vector<GlossaryEntry> entries;
        ByName known;
        const JsonView list = root.at("entries");
        for (const JsonView& view : list.items()) {
            GlossaryEntry entry { view.at("word").string(), view.at("meaning").string(),
                strings(view, "related"), {}, strings(view, "also") };
            if (const auto note = view.find("note"))
                entry.note = note->string();
            addName(known, view.at("word"), entry.word, entries.size());
            for (const std::string& name : entry.also)
                addName(known, view.at("also"), name, entries.size());
            entries.push_back(std::move(entry));
        }
        requireRelated(entries, list);
        return entries;
    });
}

std::vector<GlossaryEntry> const& glossary()
{
    static const std::vector<GlossaryEntry> entries
        = readGlossary(resourceText("glossary.json")).value();
    return entries;
}

const GlossaryEntry* glossaryEntry(std::string_view word)
{
    const auto found = names().find(lowered(word));
    return found == names().end() ? nullptr : &glossary()[found->second];
}

const GlossaryEntry& glossaryEntry(Category category) { return required(title(category)); }
const GlossaryEntry& glossaryEntry(Capacity capacity) { return required(title(capacity)); }
const GlossaryEntry& glossaryEntry(Demonstrated demonstrated)
{
    return required(title(demonstrated));
}
const GlossaryEntry& glossaryEntry(TrainingResult result) { return required(title(result)); }
const GlossaryEntry& glossaryEntry(Provenance provenance) { return required(name(provenance)); }
const GlossaryEntry& glossaryEntry(LayoutPreset preset) { return required(title(preset)); }

const GlossaryEntry& glossaryEntry(Sharing sharing)
{
    return required(sharing == Sharing::Gathered ? "gathered working set" : name(sharing));
}

const GlossaryEntry& glossaryEntry(Phase phase)
{
    return required(phase == Phase::Optimizer ? "optimizer step" : name(phase));
}

} // namespace shardrack
