#include "plan/plan.h"

#include <charconv>
#include <string_view>
#include <unordered_set>

namespace shardrack {

namespace {

std::string withoutNumber(const std::string& name)
{
    return name.substr(0, name.find_last_not_of("0123456789") + 1);
}

/// The names in use that begin like a wish; others do not matter to it. Refers to the names' text.
class Names {
public:
    explicit Names(const std::string& wish)
        : m_stem(withoutNumber(wish))
    {
    }
    void insert(std::string_view name)
    {
        if (name.substr(0, m_stem.size()) == m_stem)
            m_taken.insert(name);
    }
    bool contain(std::string_view name) const { return m_taken.count(name) > 0; }

private:
    std::string m_stem;
    std::unordered_set<std::string_view> m_taken;
};

/// "A1" → "A2", "gpu-009" → "gpu-010", "A" → "A2", "Offer R" → "Offer R 2": the first that is free.
std::string freeName(const Names& taken, const std::string& wish)
{
    if (!taken.contain(wish))
        return wish;
    constexpr std::size_t mostDigits = 9;
    const std::size_t digits = wish.size() - withoutNumber(wish).size();
    std::string base = wish;
    std::size_t width = 0;
    std::int64_t number = 1;
    if (digits > 0 && digits <= mostDigits) {
        base.resize(wish.size() - digits);
        width = digits;
        std::from_chars(wish.data() + base.size(), wish.data() + wish.size(), number);
    } else if (digits > 0 || wish.find(' ') != std::string::npos) {
        base += ' ';
    }
    for (;;) {
        std::string text = std::to_string(++number);
        if (text.size() < width)
            text.insert(0, width - text.size(), '0');
        if (std::string name = base + text; !taken.contain(name))
            return name;
    }
}

} // namespace

std::string freeServerName(const Offer& offer, const std::string& wish)
{
    Names taken(wish);
    for (const auto& rack : offer.site.racks)
        for (const Server& server : rack->servers)
            taken.insert(server.name);
    return freeName(taken, wish);
}

std::string freeRackName(const Offer& offer, const std::string& wish)
{
    Names taken(wish);
    for (const auto& rack : offer.site.racks)
        taken.insert(rack->name);
    return freeName(taken, wish);
}

std::string freeOfferName(const Plan& plan, const std::string& wish)
{
    Names taken(wish);
    for (const auto& offer : plan.offers)
        taken.insert(offer->name);
    // "Offer 2" counts offers; the number at the end of "PP 4 × FSDP 8" says what it is.
    const std::string stem = withoutNumber(wish);
    const bool counts = stem.size() == wish.size() || stem.rfind("Offer", 0) == 0;
    return freeName(taken, counts || !taken.contain(wish) ? wish : wish + " copy");
}

} // namespace shardrack
