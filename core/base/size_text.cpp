#include "base/size_text.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <vector>

namespace shardrack {
namespace {

constexpr std::int64_t kMaximum = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kKiB = 1024;

struct Unit {
    std::string_view name;
    std::int64_t bytes;
};
constexpr std::array<Unit, 9> kUnits { { { "B", 1 }, { "KiB", kKiB }, { "MiB", kMiB },
    { "GiB", kGiB }, { "TiB", kGiB * 1024 }, { "KB", 1000 }, { "MB", 1'000'000 }, { "GB", kGB },
    { "TB", kGB * 1000 } } };

// --- writing -----------------------------------------------------------------------------

std::uint64_t magnitude(std::int64_t number)
{
    return number < 0 ? 0 - static_cast<std::uint64_t>(number) : static_cast<std::uint64_t>(number);
}

std::string signedText(bool negative, std::string text)
{
    if (negative)
        text.insert(text.begin(), '-');
    return text;
}

std::string groupedDigits(std::uint64_t number)
{
    std::string digits = std::to_string(number);
    for (std::ptrdiff_t at = std::ssize(digits) - 3; at > 0; at -= 3)
        digits.insert(static_cast<std::size_t>(at), 1, ',');
    return digits;
}

/// number / unit in decimals, rounded half away from zero. unit × 10^decimals stays below 2^63.
std::string decimalText(std::int64_t number, std::int64_t unit, int decimals)
{
    decimals = std::clamp(decimals, 0, 9);
    std::uint64_t scale = 1;
    for (int i = 0; i < decimals; ++i)
        scale *= 10;
    const auto divisor = static_cast<std::uint64_t>(unit);
    std::uint64_t whole = magnitude(number) / divisor;
    std::uint64_t fraction = (magnitude(number) % divisor * scale + divisor / 2) / divisor;
    if (fraction == scale) {
        fraction = 0;
        ++whole;
    }
    std::string text = groupedDigits(whole);
    if (decimals > 0) {
        const std::string digits = std::to_string(fraction);
        text += '.' + std::string(static_cast<std::size_t>(decimals) - digits.size(), '0') + digits;
    }
    return signedText(number < 0 && (whole > 0 || fraction > 0), std::move(text));
}

// --- reading -----------------------------------------------------------------------------

bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// Trims, and turns the spaces that people use as group marks into plain ones.
std::string plainSpaces(std::string_view text)
{
    static constexpr std::array<std::string_view, 3> spaces { "\u00a0", "\u2009", "\u202f" };
    std::string plain(text);
    for (const std::string_view space : spaces)
        for (auto at = plain.find(space); at != std::string::npos; at = plain.find(space, at))
            plain.replace(at, space.size(), 1, ' ');
    std::replace(plain.begin(), plain.end(), '\t', ' ');
    plain.erase(0, std::min(plain.find_first_not_of(' '), plain.size()));
    plain.erase(plain.find_last_not_of(' ') + 1);
    return plain;
}

std::string inQuotes(std::string_view text) { return '"' + std::string(text) + '"'; }

[[noreturn]] void refuse(std::string what, std::string expected)
{
    throw Failure({ "", std::move(what), std::move(expected) });
}

/// One way to read a number: its digits before and after the decimal mark.
struct Reading {
    std::string whole;
    std::string fraction;
    bool operator==(const Reading&) const = default;
    std::string text() const
    {
        std::string digits = whole;
        for (std::ptrdiff_t at = std::ssize(digits) - 3; at > 0; at -= 3)
            digits.insert(static_cast<std::size_t>(at), 1, ',');
        return fraction.empty() ? digits : digits + '.' + fraction;
    }
};

/// The digits of a whole part that is plain or grouped by one kind of mark; nullopt otherwise.
std::optional<std::string> wholeDigits(std::string_view text, std::string_view groupMarks)
{
    const auto mark = text.find_first_of(groupMarks);
    if (mark == std::string_view::npos)
        return std::all_of(text.begin(), text.end(), isDigit) ? std::optional<std::string>(text)
                                                              : std::nullopt;
    if (mark < 1 || mark > 3 || text.front() == '0' || (text.size() - mark) % 4 != 0)
        return std::nullopt;
    std::string digits;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const bool markHere = at >= mark && (at - mark) % 4 == 0;
        if (markHere ? text[at] != text[mark] : !isDigit(text[at]))
            return std::nullopt;
        if (!markHere)
            digits += text[at];
    }
    return digits;
}

std::optional<Reading> readWith(std::string_view text, char decimalMark)
{
    const auto mark = text.find(decimalMark);
    const auto whole = wholeDigits(text.substr(0, mark), decimalMark == '.' ? ", '" : ". '");
    if (!whole)
        return std::nullopt;
    if (mark == std::string_view::npos)
        return whole->empty() ? std::nullopt : std::optional(Reading { *whole, "" });
    const std::string_view fraction = text.substr(mark + 1);
    if (fraction.empty() || !std::all_of(fraction.begin(), fraction.end(), isDigit))
        return std::nullopt;
    return Reading { whole->empty() ? "0" : *whole, std::string(fraction) };
}

/// The only reading of a number. Where whole numbers are meant (`integral`), "8,192" can only be
/// grouped; elsewhere it may as well be 8.192 and is refused.
Reading read(std::string_view text, bool integral)
{
    const auto point = readWith(text, '.');
    const auto comma = readWith(text, ',');
    if (point && comma && *point != *comma && !(integral && point->fraction.empty())) {
        // One of the two takes the mark as a group mark.
        const Reading& grouped = point->fraction.empty() ? *point : *comma;
        const Reading& decimal = point->fraction.empty() ? *comma : *point;
        refuse(inQuotes(text) + " can be read as " + grouped.whole + " or as " + decimal.text(),
            "the number without group marks, or with another number of decimals");
    }
    if (point)
        return *point;
    if (comma)
        return *comma;
    refuse(inQuotes(text) + " is no well-formed number",
        "digits, one decimal mark at most, and group marks only before every third digit");
}

/// digits × unit; nullopt beyond 2^63-1.
std::optional<std::int64_t> scaled(std::string_view digits, std::int64_t unit)
{
    std::int64_t number = 0;
    for (const char digit : digits) {
        if (__builtin_mul_overflow(number, 10, &number)
            || __builtin_add_overflow(number, digit - '0', &number))
            return std::nullopt;
    }
    if (__builtin_mul_overflow(number, unit, &number))
        return std::nullopt;
    return number;
}

/// 0.<digits> × unit, rounded to nearest (half up), exactly: Horner's scheme from the last digit
/// on twice the unit; dropping a remainder at each step does not change the final whole part.
std::int64_t fractionOf(std::string_view digits, std::int64_t unit)
{
    std::int64_t twice = 0;
    for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit)
        twice = (std::int64_t(*digit - '0') * 2 * unit + twice) / 10;
    return (twice + 1) / 2;
}

const Unit* findUnit(std::string_view name)
{
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? char(c + ('a' - 'A')) : c; };
    const auto same = [lower](char a, char b) { return lower(a) == lower(b); };
    const auto found = std::find_if(kUnits.begin(), kUnits.end(), [&](const Unit& unit) {
        return std::equal(name.begin(), name.end(), unit.name.begin(), unit.name.end(), same);
    });
    return found == kUnits.end() ? nullptr : &*found;
}

void refuseSign(std::string_view text)
{
    if (text.substr(0, 1) == "-" || text.substr(0, 3) == "\u2212")
        refuse(inQuotes(text) + " is negative", "a size of zero or more");
}

} // namespace

std::string grouped(std::int64_t number)
{
    return signedText(number < 0, groupedDigits(magnitude(number)));
}

std::string gibNumber(Bytes bytes, int decimals)
{
    std::string text = decimalText(bytes.count(), kGiB, decimals);
    // What is not zero must not read as zero.
    if (bytes > Bytes(0) && decimals > 0 && text.find_first_not_of("0.") == std::string::npos)
        text = '<' + text.substr(0, text.size() - 1) + '1';
    return text;
}

std::string gibText(Bytes bytes, int decimals) { return gibNumber(bytes, decimals) + " GiB"; }

std::string gbText(Bytes bytes, int decimals)
{
    return decimalText(bytes.count(), kGB, decimals) + " GB";
}

std::string exactText(Bytes bytes)
{
    static constexpr std::array<Unit, 3> units { { { " GiB", kGiB }, { " MiB", kMiB },
        { " KiB", kKiB } } };
    const std::uint64_t count = magnitude(bytes.count());
    // What was said in decimal units is said in them again, unless it is whole in binary ones.
    constexpr auto decimal = static_cast<std::uint64_t>(kGB);
    if (count >= decimal && count % decimal == 0
        && count % (static_cast<std::uint64_t>(kGiB) / 4) != 0)
        return signedText(bytes.count() < 0, std::to_string(count / decimal) + " GB");
    for (const Unit& unit : units) {
        const auto size = static_cast<std::uint64_t>(unit.bytes);
        // Quarters are what two decimals can say exactly of a power of two.
        if (count < size || count % (size / 4) != 0)
            continue;
        static constexpr std::array<const char*, 4> quarters { "", ".25", ".5", ".75" };
        std::string text = std::to_string(count / size);
        text += quarters[count % size / (size / 4)];
        text += unit.name;
        return signedText(bytes.count() < 0, std::move(text));
    }
    return grouped(bytes.count()) + " B";
}

Result<Bytes> parseSize(std::string_view text, std::string_view defaultUnit)
{
    return attempt([&] {
        static constexpr const char* example = "a number with its unit, such as 24 GiB";
        const std::string plain = plainSpaces(text);
        if (plain.empty())
            refuse("nothing is entered", example);
        refuseSign(plain);
        const std::size_t end = std::min(plain.find_first_not_of("0123456789., '"), plain.size());
        if (end == 0)
            refuse(inQuotes(plain) + " does not start with a number", example);
        const std::string_view number
            = std::string_view(plain).substr(0, plain.find_last_not_of(' ', end - 1) + 1);
        std::string_view unitName = std::string_view(plain).substr(end);
        if (unitName.empty())
            unitName = defaultUnit;
        if (unitName.empty())
            refuse(inQuotes(plain) + " has no unit", example);
        const Unit* unit = findUnit(unitName);
        if (!unit)
            refuse(inQuotes(unitName) + " is no unit of size",
                "one of B, KiB, MiB, GiB, TiB, KB, MB, GB, TB");
        const Reading reading = read(number, unit->bytes == 1);
        const auto whole = scaled(reading.whole, unit->bytes);
        const std::int64_t fraction = fractionOf(reading.fraction, unit->bytes);
        if (!whole || *whole > kMaximum - fraction)
            refuse(inQuotes(plain) + " is too large", "at most " + grouped(kMaximum) + " B");
        return Bytes(*whole + fraction);
    });
}

Result<std::int64_t> parseInteger(std::string_view text, std::int64_t minimum, std::int64_t maximum)
{
    return attempt([&] {
        const std::string range
            = "a whole number from " + grouped(minimum) + " to " + grouped(maximum);
        // The largest number of all is a limit only for those who reach it.
        const std::string wanted = maximum == std::numeric_limits<std::int64_t>::max()
            ? "a whole number of at least " + grouped(minimum)
            : range;
        const std::string plain = plainSpaces(text);
        if (plain.empty())
            refuse("nothing is entered", wanted);
        std::string_view digits = plain;
        bool negative = false;
        for (const std::string_view minus : { "-", "\u2212" })
            if (!negative && digits.substr(0, minus.size()) == minus) {
                negative = true;
                digits.remove_prefix(minus.size());
            }
        const Reading reading = read(digits, true);
        if (!reading.fraction.empty())
            refuse(inQuotes(plain) + " is no whole number", wanted);
        // Below zero one more number exists than above it, so build on the negative side.
        std::int64_t number = 0;
        bool outside = false;
        for (const char digit : reading.whole)
            outside = outside || __builtin_mul_overflow(number, 10, &number)
                || __builtin_sub_overflow(number, digit - '0', &number);
        if (!negative)
            outside = outside || __builtin_sub_overflow(0, number, &number);
        if (outside || number < minimum || number > maximum)
            refuse(inQuotes(plain) + " is out of range", range);
        return number;
    });
}

} // namespace shardrack
