#pragma once

#include "base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace shardrack {

/// A set of non-negative indices (ranks, GPUs of a server) kept as sorted, disjoint, non-adjacent
/// closed intervals: small for the regular sets that occur, at any scale.
class RankSet {
public:
    struct Interval {
        std::int32_t first = 0;
        std::int32_t last = 0; ///< inclusive
        bool operator==(const Interval&) const = default;
    };
    RankSet() = default;
    /// The interval [first, last].
    static RankSet range(std::int32_t first, std::int32_t last);
    /// "0-3,8,12-15" (spaces allowed, en dash accepted); an error names the bad piece. `limit`:
    /// exclusive upper bound.
    static Result<RankSet> parse(std::string_view text, std::int32_t limit = 1 << 30);

    void insert(std::int32_t index);
    void erase(std::int32_t index);
    /// Removes `index` and moves every higher index down by one (a rank was removed from the job).
    void removeAndClose(std::int32_t index);
    void unite(const RankSet& other);
    bool contains(std::int32_t index) const;
    bool intersects(const RankSet& other) const;
    /// The members that are in both.
    RankSet intersected(const RankSet& other) const;
    std::int64_t size() const;
    bool empty() const { return m_intervals.empty(); }
    /// Smallest member; the set must not be empty.
    std::int32_t front() const { return m_intervals.front().first; }
    std::int32_t back() const { return m_intervals.back().last; }
    /// How many members are smaller than `index`: the member's position in its group.
    std::int64_t positionOf(std::int32_t index) const;
    const std::vector<Interval>& intervals() const { return m_intervals; }
    /// "0-3,8,12-15".
    std::string text() const;
    bool operator==(const RankSet&) const = default;

private:
    std::vector<Interval> m_intervals;
};

} // namespace shardrack
