#include "plan/offer_facts.h"

#include <algorithm>
#include <array>

namespace shardrack {

bool operator==(const BasisStatement& a, const BasisStatement& b)
{
    return a.field == b.field && a.common == b.common && a.offer == b.offer && a.reason == b.reason
        && sameExtra(a.extra, b.extra);
}

bool operator==(const Price& a, const Price& b)
{
    return a.amount == b.amount && a.currency == b.currency && a.per == b.per && a.note == b.note
        && sameExtra(a.extra, b.extra);
}

const char* id(Price::Per per) { return per == Price::Per::GpuHour ? "gpu-hour" : "offer"; }

namespace {

std::string textWith(const std::string& digits, const Price& price)
{
    return digits + (price.currency.empty() ? "" : " " + price.currency)
        + (price.per == Price::Per::GpuHour ? " a GPU-hour" : " for the offer");
}

} // namespace

std::string text(const Price& price)
{
    std::string digits = price.amount;
    const std::size_t whole = std::min(digits.find('.'), digits.size());
    for (std::size_t at = whole; at > 3; at -= 3)
        digits.insert(at - 3, 1, ',');
    return textWith(digits, price);
}

std::string typedText(const Price& price) { return textWith(price.amount, price); }

namespace {

/// A way to say what a price is for, at the end of its text.
struct PerWords {
    std::string_view words; ///< in small letters
    Price::Per per;
};
constexpr std::array<PerWords, 12> kPerWords { {
    { "a gpu-hour", Price::Per::GpuHour },
    { "a gpu hour", Price::Per::GpuHour },
    { "per gpu-hour", Price::Per::GpuHour },
    { "per gpu hour", Price::Per::GpuHour },
    { "/gpu-hour", Price::Per::GpuHour },
    { "/gpu-h", Price::Per::GpuHour },
    { "per hour", Price::Per::GpuHour },
    { "/h", Price::Per::GpuHour },
    { "for the offer", Price::Per::Offer },
    { "for offer", Price::Per::Offer },
    { "per offer", Price::Per::Offer },
    { "/offer", Price::Per::Offer },
} };

std::string_view trimmed(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(' ');
    return first == std::string_view::npos
        ? std::string_view()
        : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// Takes what the price is for off the end of the text.
std::optional<Price::Per> takePer(std::string_view& text)
{
    std::string small(text);
    for (char& c : small)
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    for (const auto& [words, per] : kPerWords)
        if (small.size() >= words.size()
            && small.compare(small.size() - words.size(), words.size(), words) == 0) {
            text = trimmed(text.substr(0, text.size() - words.size()));
            return per;
        }
    return std::nullopt;
}

} // namespace

Result<Price> readPrice(std::string_view text, std::optional<Price::Per> per)
{
    const auto refuse = [&](const char* what) {
        return Error { "price", "\"" + std::string(text) + "\" " + what,
            "an amount, a currency and what it is for, such as \"2.49 USD a GPU-hour\" or "
            "\"120000 EUR for the offer\"" };
    };
    if (text.find(',') != std::string_view::npos)
        return refuse("has a comma, which can be a decimal or a group mark");
    std::string_view rest = trimmed(text);
    const auto said = takePer(rest);
    if (!said && !per)
        return refuse("does not say what it is for");
    // The currency stands before the amount or after it.
    const std::size_t start = std::min(rest.find_first_of("0123456789"), rest.size());
    const std::size_t end = std::min(rest.find_first_not_of("0123456789.", start), rest.size());
    const std::string_view before = trimmed(rest.substr(0, start));
    const std::string_view after = trimmed(rest.substr(end));
    Price price;
    price.per = said.value_or(per.value_or(Price::Per::GpuHour));
    price.amount = rest.substr(start, end - start);
    if (!isPriceAmount(price.amount))
        return refuse("has no amount: digits with at most one \".\"");
    if (!before.empty() && !after.empty())
        return refuse("names two currencies");
    price.currency = before.empty() ? after : before;
    if (price.currency.size() > 8
        || price.currency.find_first_of("0123456789 .;:/+-") != std::string::npos)
        return refuse("is no amount and a currency");
    return price;
}

bool isPriceAmount(const std::string& amount)
{
    const auto digit = [](char c) { return c >= '0' && c <= '9'; };
    return !amount.empty() && amount.size() <= 24 && digit(amount.front()) && digit(amount.back())
        && std::count(amount.begin(), amount.end(), '.') <= 1
        && std::all_of(amount.begin(), amount.end(), [&](char c) { return digit(c) || c == '.'; });
}

} // namespace shardrack
