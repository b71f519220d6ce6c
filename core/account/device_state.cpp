#include "account/device_state.h"

#include <algorithm>

namespace shardrack {

Bytes portion(Bytes whole, const DeviceClass::Holding& holding)
{
    const auto upTo = [&](std::int64_t weight) {
        __extension__ using Wide = __int128;
        const Wide product = static_cast<Wide>(whole.count()) * weight;
        return static_cast<std::int64_t>(product / holding.weights);
    };
    return Bytes(upTo(holding.before + holding.weight) - upTo(holding.before));
}

Sum stateOf(const Account& account, const DeviceClass& device)
{
    Sum state;
    for (const DeviceClass::Holding& holding : device.holdings) {
        const RankClass& rank = account.rankClasses[static_cast<std::size_t>(holding.rankClass)];
        const bool open = std::any_of(rank.terms.begin(), rank.terms.end(),
            [](const Term& term) { return isState(term.category) && !term.amount.established(); });
        if (holding.weights > 0)
            state += Sum { portion(rank.state, holding), open };
        else
            state += Sum { Bytes(0), open || rank.state != Bytes(0) };
    }
    return state;
}

} // namespace shardrack
