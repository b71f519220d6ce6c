#pragma once

#include "account/account.h"
#include "judge/findings.h"

#include <string>

namespace shardrack {

// Amounts in the words of the reports, so that account and comparison say the same.

/// "at least 24.00 GiB"; what nobody has established is not zero.
std::string needText(const Sum& sum);
/// "3 copies", "1 copy".
std::string countedText(std::int64_t number, const char* one, const char* many);
/// "16.00 GiB (not confirmed)", "79.18 GiB (catalogue)".
std::string usableText(const UsableAllocation& usable);
/// What lies between need and usable. It is never called a margin, and "below usable" only where
/// nothing is open.
std::string headroomText(const DeviceClass& device);
/// "4.00 GiB (policy)", "not stated".
std::string marginText(const RequiredMargin& margin);
/// What one line of an account says beside its size: "24 GiB ÷ 4, sharded over a shard group of 4",
/// or why it is not established.
std::string arithmeticText(const Term& term);
/// The last part of it: ", sharded over a shard group of 4"; empty for what is no state.
std::string sharingText(const Term& term);
/// " in 4 copies" where the ranks hold whole copies; else empty.
std::string copiesText(const Account& account, const std::optional<Bytes>& oneCopy);
/// The device with its ranks: "A1·0 with rank 0".
std::string deviceText(
    const Site& site, const SiteIndex& index, const ResolvedLayout& layout, std::int32_t gpu);

} // namespace shardrack
