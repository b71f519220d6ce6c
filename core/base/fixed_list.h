#pragma once

#include <array>
#include <cstddef>
#include <type_traits>

namespace shardrack {

/// A list of at most `most` plain values, in place: nothing is allocated, and what is not used is
/// neither initialised nor copied.
template <class T, std::size_t most> class FixedList {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);
    union Slot {
        Slot() { } // NOLINT: left uninitialised on purpose
        T value;
    };

public:
    FixedList() = default;
    FixedList(const FixedList& other) { *this = other; }
    FixedList& operator=(const FixedList& other)
    {
        m_size = other.m_size;
        for (std::size_t i = 0; i < m_size; ++i)
            m_slots[i].value = other.m_slots[i].value;
        return *this;
    }

    bool full() const { return m_size == most; }
    std::size_t size() const { return m_size; }
    /// There must be room.
    T& add(const T& value)
    {
        m_slots[m_size].value = value;
        return m_slots[m_size++].value;
    }
    T& operator[](std::size_t at) { return m_slots[at].value; }
    const T& operator[](std::size_t at) const { return m_slots[at].value; }
    const T* begin() const { return &m_slots[0].value; }
    const T* end() const { return begin() + m_size; }
    T* begin() { return &m_slots[0].value; }
    T* end() { return begin() + m_size; }

private:
    std::size_t m_size = 0;
    std::array<Slot, most> m_slots;
};

} // namespace shardrack
