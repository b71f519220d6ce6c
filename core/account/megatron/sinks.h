#pragma once

#include "account/megatron/emit.h"
#include "trace/profile.h"

#include <vector>

namespace shardrack {

/// The stretches of one layout that have been measured; shared by its stages.
class StretchCache {
public:
    /// Index of `key`'s profile, or -1.
    int find(const StretchKey& key) const
    {
        for (int i = 0; i < int(m_keys.size()); ++i)
            if (m_keys[std::size_t(i)] == key)
                return i;
        return -1;
    }
    const Profile& at(int number) const { return m_profiles[std::size_t(number)]; }
    int add(const StretchKey& key, const Profile& profile)
    {
        m_keys.push_back(key);
        m_profiles.push_back(profile);
        return int(m_keys.size()) - 1;
    }
    void clear()
    {
        m_keys.clear();
        m_profiles.clear();
    }

private:
    std::vector<StretchKey> m_keys;
    std::vector<Profile> m_profiles;
};

/// Measures one stretch; stretches inside it are measured once and repeated by arithmetic.
class StretchSink {
public:
    explicit StretchSink(StretchCache& cache)
        : m_cache(cache)
    {
    }
    void born(const Piece& piece) { m_sink.born(piece.category, piece.bytes); }
    void dies(const Piece& piece) { m_sink.dies(piece.category, piece.bytes); }
    template <class Body> void segment(const StretchKey& key, std::int64_t count, Body&& body)
    {
        m_sink.pass(profileOf(m_cache, key, body), count);
    }
    const Profile& profile() const { return m_sink.profile(); }

    template <class Body>
    static Profile profileOf(StretchCache& cache, const StretchKey& key, Body&& body)
    {
        int known = cache.find(key);
        if (known < 0) {
            StretchSink inner(cache);
            body(inner);
            known = cache.add(key, inner.profile());
        }
        return cache.at(known);
    }

private:
    StretchCache& m_cache;
    ProfileSink m_sink;
};

/// Numbers only: peaks by phase, and what is held at the end.
class NumberSink {
public:
    explicit NumberSink(StretchCache& cache)
        : m_cache(cache)
    {
    }
    void phase(Phase phase) { finder.phase(phase); }
    void born(const Piece& piece) { finder.born(piece.category, piece.bytes); }
    void dies(const Piece& piece) { finder.dies(piece.category, piece.bytes); }
    template <class Body> void loop(std::int64_t count, Body&& body)
    {
        if (count <= 0)
            return;
        const CategoryBytes before = finder.held();
        body();
        if (count == 1)
            return;
        CategoryBytes change = finder.held();
        for (std::size_t i = 0; i < kCategoryCount; ++i)
            change[i] -= before[i];
        finder.skip(change, count - 2);
        body();
    }
    template <class Body> void segment(const StretchKey& key, std::int64_t count, Body&& body)
    {
        finder.pass(StretchSink::profileOf(m_cache, key, body), count);
    }
    PeakFinder finder;

private:
    StretchCache& m_cache;
};

/// Events and names: a trace, with the piece that each of its tensors is.
class TraceSink {
public:
    void phase(Phase phase) { trace.phase(phase); }
    void born(const Piece& piece) { trace.born(tensor(piece)); }
    void dies(const Piece& piece) { trace.dies(tensor(piece)); }
    template <class Body> void loop(std::int64_t count, Body&& body)
    {
        if (count <= 0)
            return;
        trace.beginLoop(count);
        body();
        trace.endLoop();
    }
    template <class Body> void segment(const StretchKey&, std::int64_t count, Body&& body)
    {
        loop(count, [&] { body(*this); });
    }

    StepTrace trace;
    std::vector<const Piece*> pieces; ///< by tensor

private:
    /// A tensor for each piece. Pieces that stand for one storage (a layer's output is the next
    /// layer's input) are one tensor only by their size and category; that is all that sums need.
    StepTrace::Tensor tensor(const Piece& piece)
    {
        for (std::size_t i = m_last.size(); i-- > 0;)
            if (m_last[i] == &piece)
                return StepTrace::Tensor(i);
        m_last.push_back(&piece);
        pieces.push_back(&piece);
        return trace.declare(piece.category, piece.bytes);
    }
    std::vector<const Piece*> m_last;
};

} // namespace shardrack
