#include "base/rank_set.h"

#include "base/size_text.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <optional>

namespace shardrack {
namespace {

using Interval = RankSet::Interval;

/// Sorts, then joins what overlaps or touches.
void normalize(std::vector<Interval>& intervals)
{
    std::sort(intervals.begin(), intervals.end(),
        [](const Interval& a, const Interval& b) { return a.first < b.first; });
    std::size_t kept = 0;
    for (const Interval& next : intervals) {
        if (kept > 0 && std::int64_t(next.first) <= std::int64_t(intervals[kept - 1].last) + 1)
            intervals[kept - 1].last = std::max(intervals[kept - 1].last, next.last);
        else
            intervals[kept++] = next;
    }
    intervals.resize(kept);
}

/// The first interval that does not end before `index`.
template <class Intervals> auto firstReaching(Intervals& intervals, std::int32_t index)
{
    return std::partition_point(intervals.begin(), intervals.end(),
        [index](const Interval& interval) { return interval.last < index; });
}

std::string_view trimmed(std::string_view text)
{
    const auto first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::optional<std::int32_t> number(std::string_view text)
{
    text = trimmed(text);
    std::int32_t value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || stop != end || value < 0)
        return std::nullopt;
    return value;
}

/// One piece of a list: "8" or "12-15" or "12–15".
Interval interval(std::string_view piece, std::int32_t limit)
{
    static constexpr std::string_view enDash = "\u2013";
    std::size_t dash = piece.find('-');
    std::size_t dashLength = 1;
    if (const auto en = piece.find(enDash); dash == std::string_view::npos && en != dash) {
        dash = en;
        dashLength = enDash.size();
    }
    const bool range = dash != std::string_view::npos;
    const auto first = number(piece.substr(0, dash));
    const auto last = range ? number(piece.substr(dash + dashLength)) : first;
    const std::string quoted = '"' + std::string(trimmed(piece)) + '"';
    if (!first || !last)
        throw Failure({ "", quoted + " is no number or range", "a list such as 0-3,8,12-15" });
    if (*first > *last)
        throw Failure(
            { "", "the range " + quoted + " runs backwards", "the smaller number first" });
    if (*last >= limit)
        throw Failure({ "", quoted + " is out of range",
            "numbers from 0 to " + grouped(std::int64_t(limit) - 1) });
    return { *first, *last };
}

} // namespace

RankSet RankSet::range(std::int32_t first, std::int32_t last)
{
    RankSet set;
    if (first <= last)
        set.m_intervals.push_back({ first, last });
    return set;
}

Result<RankSet> RankSet::parse(std::string_view text, std::int32_t limit)
{
    return attempt([&] {
        RankSet set;
        if (trimmed(text).empty())
            return set;
        for (std::size_t start = 0; start <= text.size();) {
            const std::size_t comma = std::min(text.find(',', start), text.size());
            set.m_intervals.push_back(interval(text.substr(start, comma - start), limit));
            start = comma + 1;
        }
        normalize(set.m_intervals);
        return set;
    });
}

void RankSet::insert(std::int32_t index)
{
    assert(index >= 0);
    const auto next = firstReaching(m_intervals, index);
    if (next != m_intervals.end() && next->first <= index)
        return;
    const bool touchesNext = next != m_intervals.end() && next->first == index + 1;
    const bool touchesPrevious = next != m_intervals.begin() && std::prev(next)->last == index - 1;
    if (touchesPrevious && touchesNext) {
        std::prev(next)->last = next->last;
        m_intervals.erase(next);
    } else if (touchesPrevious) {
        std::prev(next)->last = index;
    } else if (touchesNext) {
        next->first = index;
    } else {
        m_intervals.insert(next, { index, index });
    }
}

void RankSet::erase(std::int32_t index)
{
    const auto at = firstReaching(m_intervals, index);
    if (at == m_intervals.end() || at->first > index)
        return;
    if (at->first == at->last) {
        m_intervals.erase(at);
    } else if (at->first == index) {
        ++at->first;
    } else if (at->last == index) {
        --at->last;
    } else {
        const Interval upper { index + 1, at->last };
        at->last = index - 1;
        m_intervals.insert(std::next(at), upper);
    }
}

void RankSet::removeAndClose(std::int32_t index)
{
    erase(index);
    for (auto it = firstReaching(m_intervals, index); it != m_intervals.end(); ++it) {
        --it->first;
        --it->last;
    }
    normalize(m_intervals); // the neighbours of the gap may touch now
}

void RankSet::unite(const RankSet& other)
{
    m_intervals.insert(m_intervals.end(), other.m_intervals.begin(), other.m_intervals.end());
    normalize(m_intervals);
}

bool RankSet::contains(std::int32_t index) const
{
    const auto at = firstReaching(m_intervals, index);
    return at != m_intervals.end() && at->first <= index;
}

bool RankSet::intersects(const RankSet& other) const
{
    auto mine = m_intervals.begin();
    auto theirs = other.m_intervals.begin();
    while (mine != m_intervals.end() && theirs != other.m_intervals.end()) {
        if (mine->last < theirs->first)
            ++mine;
        else if (theirs->last < mine->first)
            ++theirs;
        else
            return true;
    }
    return false;
}

RankSet RankSet::intersected(const RankSet& other) const
{
    RankSet both;
    auto mine = m_intervals.begin();
    auto theirs = other.m_intervals.begin();
    while (mine != m_intervals.end() && theirs != other.m_intervals.end()) {
        const std::int32_t first = std::max(mine->first, theirs->first);
        const std::int32_t last = std::min(mine->last, theirs->last);
        if (first <= last)
            both.m_intervals.push_back({ first, last });
        if (mine->last < theirs->last)
            ++mine;
        else
            ++theirs;
    }
    normalize(both.m_intervals);
    return both;
}

std::int64_t RankSet::size() const
{
    std::int64_t count = 0;
    for (const Interval& interval : m_intervals)
        count += std::int64_t(interval.last) - interval.first + 1;
    return count;
}

std::int64_t RankSet::positionOf(std::int32_t index) const
{
    std::int64_t smaller = 0;
    for (const Interval& interval : m_intervals) {
        if (interval.first >= index)
            break;
        smaller += std::min<std::int64_t>(std::int64_t(interval.last) + 1, index) - interval.first;
    }
    return smaller;
}

std::string RankSet::text() const
{
    std::string line;
    for (const Interval& interval : m_intervals) {
        if (!line.empty())
            line += ',';
        line += std::to_string(interval.first);
        if (interval.last != interval.first)
            line += '-' + std::to_string(interval.last);
    }
    return line;
}

} // namespace shardrack
