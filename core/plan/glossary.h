#pragma once

#include "judge/findings.h"

#include <string>
#include <string_view>
#include <vector>

namespace shardrack {

/// A word of the subject as window, report and lessons use it.
struct GlossaryEntry {
    std::string word;
    std::string meaning; ///< one sentence or two
    std::vector<std::string> related; ///< words of other entries
    std::string note; ///< what is often mistaken about it; may be empty
    std::vector<std::string> also; ///< what else it is called in the window
};

/// All entries, read once from the program's resources, in the order of their file (by subject).
/// Throws Failure when that file is damaged.
std::vector<GlossaryEntry> const& glossary();
/// The entry of a word, or of what else it is called, in any letter case; null when there is none.
const GlossaryEntry* glossaryEntry(std::string_view word);

// What the window shows always has an entry.
const GlossaryEntry& glossaryEntry(Category category);
const GlossaryEntry& glossaryEntry(Capacity capacity);
const GlossaryEntry& glossaryEntry(Demonstrated demonstrated);
const GlossaryEntry& glossaryEntry(TrainingResult result);
const GlossaryEntry& glossaryEntry(Provenance provenance);
const GlossaryEntry& glossaryEntry(Sharing sharing);
const GlossaryEntry& glossaryEntry(Phase phase);
const GlossaryEntry& glossaryEntry(LayoutPreset preset);

/// Reads a glossary: every word once, every related word with an entry of its own.
Result<std::vector<GlossaryEntry>> readGlossary(std::string_view text);

} // namespace shardrack
