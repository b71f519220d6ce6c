#pragma once

#include "base/bytes.h"

#include <array>
#include <cstdint>
#include <set>
#include <vector>

namespace shardrack {

/// PyTorch's caching allocator with its default settings, one stream (c10/cuda/
/// CUDACachingAllocator.cpp): requests are rounded to 512 bytes; up to 1 MiB they come from 2 MiB
/// segments, below 10 MiB from 20 MiB segments, above from segments of whole 2 MiB. The
/// best-fitting free block is taken and split, unless no more than 1 MiB (512 bytes in a small
/// segment) would be left: that rest is then part of what is allocated.
class CachingAllocator {
public:
    using Handle = std::int32_t;

    /// With `expandable` segments each pool is one range of addresses, mapped by pages of 2 MiB
    /// (small) or 20 MiB as it grows; a block is then always split.
    explicit CachingAllocator(bool expandable = false)
        : m_expandable(expandable)
    {
    }

    Handle allocate(Bytes bytes);
    void release(Handle block);

    Bytes allocated() const { return Bytes(m_allocated); } ///< blocks in use, with their rests
    Bytes reserved() const { return Bytes(m_reserved); } ///< segments
    Bytes mostAllocated() const { return Bytes(m_mostAllocated); }
    Bytes mostReserved() const { return Bytes(m_mostReserved); }
    /// Forgets the two maxima.
    void resetPeaks();

private:
    struct Block {
        std::int64_t address = 0;
        std::int64_t size = 0;
        Handle before = -1; ///< neighbour in its segment
        Handle after = -1;
        bool large = false;
        bool used = false;
    };
    struct Free {
        std::int64_t size;
        std::int64_t address;
        Handle block;
        bool operator<(const Free& other) const
        {
            return size != other.size ? size < other.size : address < other.address;
        }
    };
    std::set<Free>& pool(bool large) { return large ? m_large : m_small; }
    Handle newBlock(const Block& block);
    Handle newSegment(std::int64_t size, bool large);
    Handle growSegment(std::int64_t size, bool large);
    void mergeWith(Handle block, Handle neighbour);

    bool m_expandable;
    std::array<Handle, 2> m_lastOfRange { -1, -1 }; ///< expandable: last block, small and large
    std::vector<Block> m_blocks;
    std::vector<Handle> m_unusedHandles;
    std::set<Free> m_small;
    std::set<Free> m_large;
    std::int64_t m_nextAddress = 0;
    std::int64_t m_allocated = 0;
    std::int64_t m_reserved = 0;
    std::int64_t m_mostAllocated = 0;
    std::int64_t m_mostReserved = 0;
};

} // namespace shardrack
