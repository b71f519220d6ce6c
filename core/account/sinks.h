#pragma once

#include "account/operators.h"
#include "trace/profile.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace shardrack {

/// What tells stretches of a trace that repeat apart; an emitter says what its numbers mean.
struct StretchKey {
    std::uint8_t stretch = 0;
    bool embedding = false;
    bool head = false;
    std::int64_t layers = 0; ///< of the unit or chunk
    bool operator==(const StretchKey&) const = default;
};

/// The stretches of one layout that have been measured; shared by its stages.
class StretchCache {
public:
    /// `common`: where stretches up to `lastCommon` are, which other layouts have as well.
    explicit StretchCache(StretchCache* common = nullptr, std::uint8_t lastCommon = 0)
        : m_common(common)
        , m_lastCommon(lastCommon)
    {
        m_keys.reserve(kUsual);
        m_profiles.reserve(kUsual);
    }
    /// The profile of `key`, until the next one is added; null: not measured.
    const Profile* find(const StretchKey& key) const
    {
        if (m_common && key.stretch <= m_lastCommon)
            return m_common->find(key);
        for (std::size_t i = 0; i < m_keys.size(); ++i)
            if (m_keys[i] == key)
                return &m_profiles[i];
        return nullptr;
    }
    const Profile& add(const StretchKey& key, const Profile& profile)
    {
        if (m_common && key.stretch <= m_lastCommon)
            return m_common->add(key, profile);
        m_keys.push_back(key);
        m_profiles.push_back(profile);
        return m_profiles.back();
    }

private:
    static constexpr std::size_t kUsual = 32;
    StretchCache* m_common;
    std::uint8_t m_lastCommon;
    std::vector<StretchKey> m_keys;
    std::vector<Profile> m_profiles;
};

/// Categories that a person gave as a whole: nothing of them is derived.
using CategorySet = std::uint32_t;
inline bool holds(CategorySet set, Category category) { return (set >> index(category) & 1) != 0; }

/// Measures one stretch; stretches inside it are measured once and repeated by arithmetic.
class StretchSink {
public:
    StretchSink(StretchCache& cache, CategorySet without)
        : m_cache(cache)
        , m_without(without)
    {
    }
    void born(const Piece& piece)
    {
        if (!holds(m_without, piece.category))
            m_sink.born(piece.category, piece.bytes);
    }
    void dies(const Piece& piece)
    {
        if (!holds(m_without, piece.category))
            m_sink.dies(piece.category, piece.bytes);
    }
    template <class Body> void segment(const StretchKey& key, std::int64_t count, Body&& body)
    {
        m_sink.pass(profileOf(m_cache, m_without, key, body), count);
    }
    Profile profile() const { return m_sink.profile(); }

    template <class Body>
    static const Profile& profileOf(
        StretchCache& cache, CategorySet without, const StretchKey& key, Body&& body)
    {
        if (const Profile* known = cache.find(key))
            return *known;
        StretchSink inner(cache, without);
        body(inner);
        return cache.add(key, inner.profile());
    }

private:
    StretchCache& m_cache;
    CategorySet m_without;
    ProfileSink m_sink;
};

/// Numbers only: peaks by phase, and what is held at the end.
class NumberSink {
public:
    NumberSink(StretchCache& cache, CategorySet without)
        : m_cache(cache)
        , m_without(without)
    {
    }
    void phase(Phase phase) { finder.phase(phase); }
    void born(const Piece& piece)
    {
        if (!holds(m_without, piece.category))
            finder.born(piece.category, piece.bytes);
    }
    void dies(const Piece& piece)
    {
        if (!holds(m_without, piece.category))
            finder.dies(piece.category, piece.bytes);
    }
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
        finder.pass(StretchSink::profileOf(m_cache, m_without, key, body), count);
    }
    PeakFinder finder;

private:
    StretchCache& m_cache;
    CategorySet m_without;
};

/// The highest moment of each stream by itself, all loops unrolled: what the allocator's pools need
/// at least, whatever they hand to each other's requests.
class StreamSink {
public:
    void phase(Phase) { }
    void born(const Piece& piece)
    {
        const auto at = std::size_t(piece.stream);
        m_held[at] += piece.bytes;
        m_most[at] = std::max(m_most[at], m_held[at]);
    }
    void dies(const Piece& piece) { m_held[std::size_t(piece.stream)] -= piece.bytes; }
    template <class Body> void loop(std::int64_t count, Body&& body)
    {
        if (count <= 0)
            return;
        const auto before = m_held;
        body();
        if (count == 1 || m_held == before) // what leaves nothing behind does the same again
            return;
        // Each pass leaves as much as the first: the highest moment is in the first or the last.
        for (std::size_t i = 0; i < kStreams; ++i)
            m_held[i] += (m_held[i] - before[i]) * (count - 2);
        body();
    }
    template <class Body> void segment(const StretchKey&, std::int64_t count, Body&& body)
    {
        loop(count, [&] { body(*this); });
    }
    Bytes sum() const { return m_most[0] + m_most[1] + m_most[2]; }

private:
    std::array<Bytes, kStreams> m_held {};
    std::array<Bytes, kStreams> m_most {};
};

/// Events, with the piece that each tensor is.
struct NamedTrace {
    StepTrace trace;
    std::vector<const Piece*> pieces;
};

/// Events and names: a trace, with the piece that each of its tensors is.
class NamedTraceSink {
public:
    explicit NamedTraceSink(CategorySet without)
        : m_without(without)
    {
    }
    void phase(Phase phase) { trace.phase(phase); }
    void born(const Piece& piece)
    {
        if (!holds(m_without, piece.category))
            trace.born(tensor(piece));
    }
    void dies(const Piece& piece)
    {
        if (!holds(m_without, piece.category))
            trace.dies(tensor(piece));
    }
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
    /// One tensor for equal pieces: a layer's output, say, is the next layer's input.
    StepTrace::Tensor tensor(const Piece& piece)
    {
        for (std::size_t i = 0; i < pieces.size(); ++i)
            if (pieces[i] == &piece
                || (pieces[i]->bytes == piece.bytes && pieces[i]->stream == piece.stream
                    && pieces[i]->category == piece.category
                    && std::strcmp(pieces[i]->name, piece.name) == 0))
                return StepTrace::Tensor(i);
        pieces.push_back(&piece);
        return trace.declare(piece.category, piece.bytes);
    }
    CategorySet m_without;
};

} // namespace shardrack
