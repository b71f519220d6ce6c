#include "paint/memory_bins.h"

#include <algorithm>
#include <numeric>

namespace shardrack {

namespace {

/// Rank of each class by load: 0 is the least headroom. Idle classes come last, those without a
/// usable allocation before them, by need.
std::vector<int> loadRanks(const std::vector<StackedBar>& classes)
{
    struct Load {
        int group;
        Bytes key;
    };
    std::vector<Load> loads;
    loads.reserve(classes.size());
    for (const StackedBar& bar : classes) {
        if (bar.idle)
            loads.push_back({ 2, Bytes(0) });
        else if (const auto headroom = bar.headroom())
            loads.push_back({ 0, *headroom });
        else
            loads.push_back({ 1, Bytes(0) - bar.need() });
    }
    std::vector<int> order(classes.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&loads](int a, int b) {
        const Load& x = loads[static_cast<std::size_t>(a)];
        const Load& y = loads[static_cast<std::size_t>(b)];
        return x.group != y.group ? x.group < y.group : x.key < y.key;
    });
    std::vector<int> ranks(classes.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        ranks[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
    return ranks;
}

/// Per class what a bin asks of each of its bars, so that the loop over 131,072 bars is short.
struct ClassFacts {
    int rank;
    bool over, open, idle;
};

std::vector<ClassFacts> factsOf(const std::vector<StackedBar>& classes)
{
    const std::vector<int> ranks = loadRanks(classes);
    std::vector<ClassFacts> facts;
    facts.reserve(classes.size());
    for (std::size_t i = 0; i < classes.size(); ++i)
        facts.push_back({ ranks[i], classes[i].over(), classes[i].open(), classes[i].idle });
    return facts;
}

} // namespace

std::vector<BarColumn> binBars(const MemoryBarsInput& input, int columnCount)
{
    const std::vector<ClassFacts> facts = factsOf(input.classes);
    const auto fact = [&](int bar) -> const ClassFacts& {
        return facts[static_cast<std::size_t>(input.classOf(bar))];
    };
    const auto factBefore = [&](int bar) -> const ClassFacts& {
        return facts[static_cast<std::size_t>(input.before[static_cast<std::size_t>(bar)])];
    };
    const std::int64_t count = input.count();
    std::vector<BarColumn> columns(static_cast<std::size_t>(columnCount));
    for (int c = 0; c < columnCount; ++c) {
        BarColumn& column = columns[static_cast<std::size_t>(c)];
        column.first = static_cast<int>(c * count / columnCount);
        column.end = static_cast<int>((c + 1) * count / columnCount);
        column.most = column.least = column.first;
        column.isNew = !input.before.empty();
        for (int bar = column.first; bar < column.end; ++bar) {
            const ClassFacts& f = fact(bar);
            if (f.rank < fact(column.most).rank)
                column.most = bar;
            const ClassFacts& least = fact(column.least);
            if (!f.idle && (least.idle || f.rank > least.rank))
                column.least = bar;
            column.over += f.over ? 1 : 0;
            column.open = column.open || f.open;
            column.selected = column.selected || input.isSelected(bar);
            if (input.before.empty() || input.isNew(bar))
                continue;
            column.isNew = false;
            if (column.mostBefore < 0 || factBefore(bar).rank < factBefore(column.mostBefore).rank)
                column.mostBefore = bar;
        }
    }
    return columns;
}

} // namespace shardrack
