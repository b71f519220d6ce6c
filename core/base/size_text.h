#pragma once

#include "base/bytes.h"

#include <string>
#include <string_view>

namespace shardrack {

// Text for numbers, always in the C locale's form with "," group marks and "." decimal mark
// (screen and paper may localise; files and the command line never do). Exact: computed with
// integers, rounded half away from zero at the last digit shown. Units are always written out by
// the caller or by the functions whose name says so.

/// "24.00" for 24 GiB with two decimals; negative values with "-".
std::string gibNumber(Bytes bytes, int decimals = 2);
/// "24.00 GiB".
std::string gibText(Bytes bytes, int decimals = 2);
/// Exact text that parseSize reads back: in the largest unit among GiB, MiB, KiB that says it in at
/// most two decimals, else in bytes: "24 GiB", "1.5 GiB", "81559 MiB", "85,520,809,985 B". (Three
/// decimals, or group marks outside bytes, could be read in two ways.)
std::string exactText(Bytes bytes);
/// "112.0 GB" (10^9).
std::string gbText(Bytes bytes, int decimals = 1);
/// "8,030,261,248".
std::string grouped(std::int64_t number);

/// Reads a size with its unit: "24 GiB", "16GiB", "80 GB", "81559 MiB", "25,769,803,776 B", "1,5
/// GiB". Units B, KiB, MiB, GiB, TiB, KB, MB, GB, TB (case-insensitive in the letters other than
/// the i rule: "gib" and "GIB" are GiB). Either decimal mark; group marks only when well-formed and
/// unambiguous. Text that can be read in two ways ("1,024 GiB": 1.024 or 1024?) is refused and the
/// message shows both readings; of whole bytes "1,024 B" can only be grouped. A bare number takes
/// `defaultUnit` ("GiB", …) or is refused when that is empty. A fraction that is no whole number of
/// bytes is rounded to the nearest byte. Negative, empty, non-finite and > 2^63-1 are refused.
Result<Bytes> parseSize(std::string_view text, std::string_view defaultUnit = {});

/// Reads a whole number with optional well-formed group marks ("8,192", "8 192", "8192", "-3").
/// "1,5" or "1.5" or "81,92" or "8.192" (8.192 or 8192?) are refused, naming why. Range checked
/// [minimum, maximum].
Result<std::int64_t> parseInteger(
    std::string_view text, std::int64_t minimum, std::int64_t maximum);

} // namespace shardrack
