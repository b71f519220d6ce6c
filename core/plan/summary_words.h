#pragma once

#include "plan/plan.h"

#include <string>
#include <vector>

namespace shardrack {

// Words that summary and question sheet share.

/// "a, b and c".
std::string joinedWords(const std::vector<std::string>& words);
/// "a; b": with what stands between.
std::string separated(const std::vector<std::string>& words, const char* between);
/// "four" up to twelve, then "16,384".
std::string numberWord(std::int64_t number);
/// "fifth" up to twelfth; else empty.
std::string ordinalWord(std::int64_t number);
/// "four GPUs", "one GPU".
std::string numbered(std::int64_t number, const char* one, const char* many);
/// A capital first letter.
std::string capitalised(std::string text);
/// A small first letter, unless the word is an abbreviation.
std::string lowered(std::string text);
/// "24 GiB" where it is whole, else "14.96 GiB".
std::string shortGib(Bytes bytes);

/// A term's name inside a sentence: "optimizer state", "persistent state".
std::string termWords(const Term& term);
/// The name of an open term inside a sentence: "memory outside the allocator".
std::string openWords(const std::string& termName);

/// What the catalogue says of the links inside the servers: "inside a server: NVLink (catalogue)";
/// empty where it says nothing.
std::string fabricWords(const Site& site);

/// A kind of GPU and how many there are of it.
struct GpuCount {
    const SiteIndex::Kind* kind = nullptr;
    std::int64_t count = 0;
};
/// The site's GPUs by kind, in site order of the first of each.
std::vector<GpuCount> gpuCounts(const SiteIndex& index);

/// GPUs of one catalogue type, which may differ in what is usable.
struct GpuTypeCount {
    std::string type; ///< catalogue id
    std::int64_t count = 0;
    std::vector<const SiteIndex::Kind*> kinds; ///< in site order of the first of each
    bool confirmed() const; ///< the usable allocation of all
    /// "usable 79.18 GiB (catalogue)", "usable 72.50 to 79.18 GiB, not confirmed for all".
    std::string usableWords() const;
};
/// The site's GPUs by type, in site order of the first of each.
std::vector<GpuTypeCount> gpuTypes(const SiteIndex& index);

/// "A1·0-3: 12.31 GiB at most, device memory in use; init and 3 complete steps; …".
std::string measurementText(const Measurement& measurement);

} // namespace shardrack
