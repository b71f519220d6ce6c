#pragma once

// Shared by the readers of measured runs.

#include "account/account.h"
#include "interop/measured.h"

#include <string>

namespace shardrack {

constexpr double kBytesPerGib = 1024.0 * 1024 * 1024;
inline double gib(Bytes bytes) { return double(bytes.count()) / kBytesPerGib; }
/// The id up to its first "-" or "_".
inline std::string familyOf(const std::string& id) { return id.substr(0, id.find_first_of("-_")); }
inline bool contains(const std::string& text, const char* part)
{
    return text.find(part) != std::string::npos;
}

/// Verdict of a device that holds one such rank: with so much usable memory, or of this type.
std::string verdictOf(const RankClass& ranks, const UsableAllocation& usable);
std::string verdictOf(const RankClass& ranks, const char* gpuType);
/// A row that is not predicted.
MeasuredRow skippedRow(const JsonView& view, std::string why);

/// A row of published_runs.json: its metric, and what is predicted for it.
MeasuredRow publishedRow(const JsonView& view);
/// A row of torchtitan's tables among other estimators' figures.
MeasuredRow titanRow(const JsonView& view);

} // namespace shardrack
