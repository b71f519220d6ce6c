#include "account/pytorch/replay.h"

#include "account/held_pieces.h"
#include "account/pytorch/emit.h"
#include "trace/allocator.h"

#include <algorithm>
#include <vector>

namespace shardrack {

namespace {

/// What each weight has of the rank's state.
std::vector<std::int64_t> sharesOf(const TorchStage& stage)
{
    std::vector<std::int64_t> all;
    const auto add = [&](const Block& block) {
        std::for_each(block.weightsBegin(), block.weightsEnd(), [&](const WeightShape& weight) {
            const std::int64_t rows = (weight.rows + stage.shards - 1) / stage.shards;
            all.push_back(rows * weight.columns * weight.copies);
        });
    };
    if (stage.hasEmbedding)
        add(stage.blocks->embedding);
    for (std::int64_t layer = 0; layer < stage.layers; ++layer)
        add(stage.blocks->layer);
    if (stage.hasHead)
        add(stage.blocks->head);
    return all;
}

class ReplaySink {
public:
    ReplaySink(const TorchStage& stage, bool expandable)
        : m_stage(stage)
        , m_shares(sharesOf(stage))
        , m_allocators { CachingAllocator(expandable), CachingAllocator(expandable),
            CachingAllocator(expandable) }
    {
    }

    void phase(Phase) { }
    void born(const Piece& piece)
    {
        CachingAllocator& allocator = m_allocators[std::size_t(piece.stream)];
        if (const std::int64_t tensors = tensorsPerWeight(piece); tensors > 0) {
            for (const std::int64_t share : m_shares)
                for (std::int64_t i = 0; i < tensors; ++i)
                    (void)allocator.allocate(Bytes(piece.extent.each / tensors * share));
        } else {
            m_held.put(piece, allocator.allocate(piece.bytes));
        }
        see();
    }
    void dies(const Piece& piece)
    {
        if (const auto block = m_held.take(piece))
            m_allocators[std::size_t(piece.stream)].release(*block);
    }
    template <class Body> void loop(std::int64_t count, Body&& body)
    {
        for (std::int64_t i = 0; i < count; ++i)
            body();
    }
    template <class Body> void segment(const StretchKey&, std::int64_t count, Body&& body)
    {
        for (std::int64_t i = 0; i < count; ++i)
            body(*this);
    }
    TorchReplay result() const
    {
        TorchReplay replayed;
        replayed.allocated = m_mostAllocated;
        for (std::size_t stream = 0; stream < kStreams; ++stream) {
            const CachingAllocator& allocator = m_allocators[stream];
            replayed.ofStream[stream] = allocator.mostReserved();
            replayed.reserved += allocator.mostReserved();
            replayed.rest += allocator.allocated();
        }
        return replayed;
    }

private:
    /// Of state whose elements all have the same number of bytes.
    std::int64_t tensorsPerWeight(const Piece& piece) const
    {
        for (const TorchLasting& lasting : m_stage.lasting)
            if (&lasting.piece == &piece && piece.extent.each > 1)
                return lasting.perWeight;
        return 0;
    }
    void see()
    {
        Bytes sum;
        for (const CachingAllocator& allocator : m_allocators)
            sum += allocator.allocated();
        m_mostAllocated = std::max(m_mostAllocated, sum);
    }

    const TorchStage& m_stage;
    std::vector<std::int64_t> m_shares;
    std::array<CachingAllocator, kStreams> m_allocators;
    HeldPieces<CachingAllocator::Handle> m_held;
    Bytes m_mostAllocated;
};

} // namespace

TorchReplay replay(const TorchRun& run, const TorchStage& stage)
{
    // A few micro-steps more than are alive at one time: the others do the same again.
    TorchStage shorter = stage;
    if (stage.chunks.size() == 1)
        shorter.microSteps = std::min(stage.microSteps, stage.stages + 3);
    else if (stage.perRound == stage.stages)
        shorter.microSteps = std::min(stage.microSteps, 4 * stage.stages);
    ReplaySink sink(shorter, run.settings.on(TorchSwitch::Expandable));
    emitTorch(shorter, sink);
    return sink.result();
}

} // namespace shardrack
