#include "plan/plan_json_pattern.h"

#include "base/utf8.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace shardrack {

namespace {

constexpr std::size_t kMostDigits = 9;
constexpr const char* kExpected
    = "\"{1..4}\" for numbers that run, \"{rack}\" for the rack's name, "
      "\"{{\" for a brace";

std::optional<std::int64_t> digitsOnly(std::string_view text)
{
    if (text.empty() || text.size() > kMostDigits)
        return std::nullopt;
    std::int64_t number = 0;
    for (const char c : text) {
        if (c < '0' || c > '9')
            return std::nullopt;
        number = number * 10 + (c - '0');
    }
    return number;
}

/// Digits to which the numbers of a run are padded when its first one is written like this.
std::size_t paddedWidth(std::string_view digits)
{
    return digits.size() > 1 && digits[0] == '0' ? digits.size() : 0;
}

} // namespace

NamePattern NamePattern::parse(const JsonView& view)
{
    const std::string text = view.string();
    if (text.empty())
        view.fail("is empty", "a name");
    NamePattern pattern;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '{') {
            pattern.addText(text[i]);
        } else if (i + 1 < text.size() && text[i + 1] == '{') {
            pattern.addText('{');
            ++i;
        } else {
            const std::size_t end = text.find('}', i);
            if (end == std::string::npos)
                view.fail("the brace in \"" + shortened(text) + "\" is not closed", kExpected);
            pattern.addSpecial(view, text.substr(i + 1, end - i - 1));
            i = end;
        }
    }
    return pattern;
}

void NamePattern::addText(char c)
{
    if (m_pieces.empty() || m_pieces.back().kind != Kind::Text)
        m_pieces.emplace_back();
    m_pieces.back().text += c;
}

void NamePattern::addSpecial(const JsonView& view, const std::string& text)
{
    if (text == "rack") {
        m_pieces.push_back({ Kind::Rack, {} });
        return;
    }
    const std::size_t dots = text.find("..");
    const std::size_t plus = std::min(text.find('+'), text.size());
    const bool isRange = dots != std::string::npos && dots < plus;
    const auto first = digitsOnly(isRange ? text.substr(0, dots) : "");
    const auto last = digitsOnly(isRange ? text.substr(dots + 2, plus - dots - 2) : "");
    const auto perRack
        = plus == text.size() ? std::optional<std::int64_t>(0) : digitsOnly(text.substr(plus + 1));
    if (!first || !last || !perRack)
        view.fail("cannot read \"{" + shortened(text) + "}\"", kExpected);
    if (*first > *last)
        view.fail("\"{" + text + "}\" runs backwards", "the smaller number first");
    const auto isNumber = [](const Piece& piece) { return piece.kind == Kind::Number; };
    if (std::any_of(m_pieces.begin(), m_pieces.end(), isNumber))
        view.fail("has a second running number, \"{" + text + "}\"", "one in a name");
    m_first = *first;
    m_last = *last;
    m_perRack = *perRack;
    m_width = paddedWidth(std::string_view(text).substr(0, dots));
    m_pieces.push_back({ Kind::Number, {} });
}

bool NamePattern::usesRack() const
{
    return std::any_of(m_pieces.begin(), m_pieces.end(),
        [](const Piece& piece) { return piece.kind == Kind::Rack; });
}

std::string NamePattern::name(
    std::int64_t index, std::int64_t rackIndex, const std::string& rackName) const
{
    std::string name;
    for (const Piece& piece : m_pieces) {
        if (piece.kind == Kind::Text)
            name += piece.text;
        else if (piece.kind == Kind::Rack)
            name += rackName;
        else
            name += padded(m_first + index + rackIndex * m_perRack, m_width);
    }
    return name;
}

std::string padded(std::int64_t number, std::size_t width)
{
    std::string text = std::to_string(number);
    if (text.size() < width)
        text.insert(0, width - text.size(), '0');
    return text;
}

std::string escapedName(const std::string& text)
{
    std::string escaped;
    for (const char c : text) {
        escaped += c;
        if (c == '{')
            escaped += '{';
    }
    return escaped;
}

NumberedName::NumberedName(const std::string& name)
{
    static constexpr const char* decimal = "0123456789";
    const std::size_t last = name.find_last_of(decimal);
    if (last == std::string::npos) {
        before = name;
        return;
    }
    const std::size_t first = name.find_last_not_of(decimal, last) + 1; // npos + 1 is 0
    const auto value = digitsOnly(std::string_view(name).substr(first, last + 1 - first));
    if (!value) {
        before = name;
        return;
    }
    before = name.substr(0, first);
    digits = name.substr(first, last + 1 - first);
    number = *value;
    after = name.substr(last + 1);
}

std::size_t NumberedName::width() const { return paddedWidth(digits); }

bool NumberedName::isFollowedBy(const NumberedName& other, std::int64_t steps) const
{
    return numbered() && before == other.before && after == other.after
        && other.digits == padded(number + steps, width());
}

std::string NumberedName::range(std::int64_t count, std::int64_t perRack) const
{
    std::string text = "{" + digits + ".." + padded(number + count - 1, width());
    if (perRack != 0)
        text += "+" + std::to_string(perRack);
    return text + "}";
}

std::string NumberedName::pattern(std::int64_t count) const
{
    return escapedName(before) + (count > 1 ? range(count) : digits) + escapedName(after);
}

} // namespace shardrack
