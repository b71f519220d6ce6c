#include "trace/allocator.h"

#include <algorithm>

namespace shardrack {

namespace {

constexpr std::int64_t kUnit = 512;
constexpr std::int64_t kSmallest
    = kMiB; ///< largest request of the small pool, least rest of a split
constexpr std::int64_t kSmallSegment = 2 * kMiB;
constexpr std::int64_t kLargeSegment = 20 * kMiB;
constexpr std::int64_t kLargeRequest = 10 * kMiB; ///< from here on a segment is made to measure

std::int64_t roundedUp(std::int64_t value, std::int64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

} // namespace

CachingAllocator::Handle CachingAllocator::newBlock(const Block& block)
{
    if (!m_unusedHandles.empty()) {
        const Handle handle = m_unusedHandles.back();
        m_unusedHandles.pop_back();
        m_blocks[std::size_t(handle)] = block;
        return handle;
    }
    m_blocks.push_back(block);
    return Handle(m_blocks.size() - 1);
}

CachingAllocator::Handle CachingAllocator::newSegment(std::int64_t size, bool large)
{
    const std::int64_t bytes = !large ? kSmallSegment
        : size < kLargeRequest        ? kLargeSegment
                                      : roundedUp(size, kSmallSegment);
    const Handle handle = newBlock({ m_nextAddress, bytes, -1, -1, large, false });
    m_nextAddress += bytes + kLargeSegment; // segments are no neighbours
    m_reserved += bytes;
    m_mostReserved = std::max(m_mostReserved, m_reserved);
    return handle;
}

/// Maps what is missing behind the last block of the range, which serves where it is free.
CachingAllocator::Handle CachingAllocator::growSegment(std::int64_t size, bool large)
{
    const std::int64_t page = large ? kLargeSegment : kSmallSegment;
    Handle& last = m_lastOfRange[large ? 1 : 0];
    const bool free = last >= 0 && !m_blocks[std::size_t(last)].used;
    const std::int64_t there = free ? m_blocks[std::size_t(last)].size : 0;
    const std::int64_t more = roundedUp(size - there, page);
    m_reserved += more;
    m_mostReserved = std::max(m_mostReserved, m_reserved);
    if (free) {
        Block& block = m_blocks[std::size_t(last)];
        pool(large).erase({ block.size, block.address, last });
        block.size += more;
        return last;
    }
    const std::int64_t address = last < 0
        ? (large ? std::int64_t(1) << 56 : 0)
        : m_blocks[std::size_t(last)].address + m_blocks[std::size_t(last)].size;
    const Handle added = newBlock({ address, more, last, -1, large, false });
    if (last >= 0)
        m_blocks[std::size_t(last)].after = added;
    last = added;
    return added;
}

CachingAllocator::Handle CachingAllocator::allocate(Bytes bytes)
{
    const std::int64_t size = std::max(kUnit, roundedUp(bytes.count(), kUnit));
    const bool large = size > kSmallest;
    std::set<Free>& free = pool(large);
    const auto fit = free.lower_bound({ size, -1, -1 });
    Handle handle = -1;
    if (fit == free.end()) {
        handle = m_expandable ? growSegment(size, large) : newSegment(size, large);
    } else {
        handle = fit->block;
        free.erase(fit);
    }
    const std::int64_t rest = m_blocks[std::size_t(handle)].size - size;
    if (large && !m_expandable ? rest > kSmallest : rest >= kUnit) {
        Block& block = m_blocks[std::size_t(handle)];
        const Block right { block.address + size, rest, handle, block.after, large, false };
        block.size = size;
        const Handle added = newBlock(right); // may move the blocks
        m_blocks[std::size_t(handle)].after = added;
        if (right.after >= 0)
            m_blocks[std::size_t(right.after)].before = added;
        else if (m_expandable)
            m_lastOfRange[large ? 1 : 0] = added;
        free.insert({ rest, right.address, added });
    }
    Block& block = m_blocks[std::size_t(handle)];
    block.used = true;
    m_allocated += block.size;
    m_mostAllocated = std::max(m_mostAllocated, m_allocated);
    return handle;
}

void CachingAllocator::mergeWith(Handle block, Handle neighbour)
{
    if (neighbour < 0 || m_blocks[std::size_t(neighbour)].used)
        return;
    Block& kept = m_blocks[std::size_t(block)];
    const Block& other = m_blocks[std::size_t(neighbour)];
    pool(kept.large).erase({ other.size, other.address, neighbour });
    kept.size += other.size;
    if (neighbour == kept.before) {
        kept.address = other.address;
        kept.before = other.before;
        if (kept.before >= 0)
            m_blocks[std::size_t(kept.before)].after = block;
    } else {
        kept.after = other.after;
        if (kept.after >= 0)
            m_blocks[std::size_t(kept.after)].before = block;
        else if (m_expandable)
            m_lastOfRange[kept.large ? 1 : 0] = block;
    }
    m_unusedHandles.push_back(neighbour);
}

void CachingAllocator::release(Handle handle)
{
    Block& block = m_blocks[std::size_t(handle)];
    m_allocated -= block.size;
    block.used = false;
    mergeWith(handle, block.before);
    mergeWith(handle, m_blocks[std::size_t(handle)].after);
    const Block& merged = m_blocks[std::size_t(handle)];
    pool(merged.large).insert({ merged.size, merged.address, handle });
}

void CachingAllocator::resetPeaks()
{
    m_mostAllocated = m_allocated;
    m_mostReserved = m_reserved;
}

} // namespace shardrack
