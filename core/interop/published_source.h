#pragma once

#include <cstdint>
#include <string>

namespace shardrack {

// What the source of a published run tells: a repository's page, a pull request, a paper.

/// The framework whose habits the run follows ("torchtitan"); empty: not known.
std::string frameworkOf(const std::string& source);
/// When the run was about, "2024-06", by a date in the source or the number of a pull request or an
/// issue; empty: not known.
std::string monthOf(const std::string& source, const std::string& framework);
/// The number of the framework's last preset that is not younger than `month`; the newest where
/// that is not known.
std::int64_t eraOf(const std::string& framework, const std::string& month);

} // namespace shardrack
