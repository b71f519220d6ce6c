#include "plan/offer_facts.h"

#include <algorithm>

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

std::string text(const Price& price)
{
    std::string digits = price.amount;
    const std::size_t whole = std::min(digits.find('.'), digits.size());
    for (std::size_t at = whole; at > 3; at -= 3)
        digits.insert(at - 3, 1, ',');
    return digits + (price.currency.empty() ? "" : " " + price.currency)
        + (price.per == Price::Per::GpuHour ? " a GPU-hour" : " for the offer");
}

bool isPriceAmount(const std::string& amount)
{
    const auto digit = [](char c) { return c >= '0' && c <= '9'; };
    return !amount.empty() && amount.size() <= 24 && digit(amount.front()) && digit(amount.back())
        && std::count(amount.begin(), amount.end(), '.') <= 1
        && std::all_of(amount.begin(), amount.end(), [&](char c) { return digit(c) || c == '.'; });
}

} // namespace shardrack
