#pragma once

#include "trace/step_trace.h"

namespace shardrack {

/// What a stretch of a trace does to memory, whatever was held before it: how much of each category
/// it leaves behind, and its highest moment. Stretches follow each other and repeat by arithmetic,
/// so a loop costs the same however often it runs.
struct Profile {
    CategoryBytes change {};
    bool seen = false; ///< something was born
    Bytes highest; ///< total above the start, at the highest moment; of equal ones the latest
    CategoryBytes high {}; ///< by category at that moment
};

/// Follows births and deaths into a Profile.
class ProfileSink {
public:
    void born(Category category, Bytes bytes)
    {
        m_profile.change[index(category)] += bytes;
        m_total += bytes;
        if (!m_profile.seen || m_total >= m_profile.highest) {
            m_profile.seen = true;
            m_profile.highest = m_total;
            m_climbs = true;
        }
    }
    void dies(Category category, Bytes bytes)
    {
        settle();
        m_profile.change[index(category)] -= bytes;
        m_total -= bytes;
    }
    /// `times` equal stretches, one after the other.
    void pass(const Profile& stretch, std::int64_t times)
    {
        if (times <= 0)
            return;
        settle();
        see(stretch);
        if (times > 1) {
            skip(stretch, times - 1);
            see(stretch);
        }
        skip(stretch, 1);
    }
    Profile profile() const
    {
        ProfileSink settled = *this;
        settled.settle();
        return settled.m_profile;
    }

private:
    /// What is held now is the highest moment, of which the categories are still to be noted: only
    /// the last of several births in a row needs that.
    void settle()
    {
        if (m_climbs)
            m_profile.high = m_profile.change;
        m_climbs = false;
    }
    void see(const Profile& stretch)
    {
        if (!stretch.seen)
            return;
        const Bytes now = m_total + stretch.highest;
        if (m_profile.seen && now < m_profile.highest)
            return;
        m_profile.seen = true;
        m_profile.highest = now;
        for (std::size_t i = 0; i < kCategoryCount; ++i)
            m_profile.high[i] = m_profile.change[i] + stretch.high[i];
    }
    void skip(const Profile& stretch, std::int64_t times)
    {
        for (std::size_t i = 0; i < kCategoryCount; ++i) {
            const Bytes more = stretch.change[i] * times;
            m_profile.change[i] += more;
            m_total += more;
        }
    }

    Profile m_profile;
    Bytes m_total;
    bool m_climbs = false;
};

} // namespace shardrack
