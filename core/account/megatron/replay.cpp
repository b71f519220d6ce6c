#include "account/megatron/replay.h"

#include "account/held_pieces.h"
#include "account/megatron/emit.h"
#include "trace/allocator.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace shardrack {

namespace {

/// The weights of a stage, one by one, in the order of its modules.
std::vector<std::int64_t> elementsInOrder(const MegatronStage& stage)
{
    std::vector<std::int64_t> all;
    const auto add = [&](const Block& block) {
        std::for_each(block.weightsBegin(), block.weightsEnd(),
            [&](const WeightShape& weight) { all.push_back(weight.count()); });
    };
    for (const Chunk& chunk : stage.chunks) {
        if (chunk.embedding)
            add(stage.blocks->embedding);
        for (std::int64_t layer = 0; layer < chunk.layers; ++layer)
            add(stage.blocks->layer);
        if (chunk.head)
            add(stage.blocks->head);
    }
    return all;
}

class ReplaySink {
public:
    ReplaySink(const MegatronRun& run, const MegatronStage& stage, std::int64_t shard)
        : m_run(run)
        , m_stage(stage)
        , m_weights(elementsInOrder(stage))
    {
        if (run.distributedOptimizer())
            m_shard = sharesOf(shard);
        else
            m_shard = m_weights;
    }

    void phase(Phase phase)
    {
        if (phase == Phase::Forward && !m_firstDone) {
            result.firstStepAllocated = allocator.mostAllocated();
            m_firstDone = true;
        }
    }
    void born(const Piece& piece)
    {
        if (isState(piece.category) && isLasting(piece))
            bornState(piece);
        else
            m_held.put(piece, allocator.allocate(piece.bytes));
    }
    void dies(const Piece& piece)
    {
        if (const auto block = m_held.take(piece))
            allocator.release(*block);
    }
    template <class Body> void loop(std::int64_t count, Body&& body)
    {
        for (std::int64_t i = 0; i < count; ++i)
            body();
    }
    template <class Body> void segment(const StretchKey&, std::int64_t count, Body&& body)
    {
        loop(count, [&] { body(*this); });
    }

    CachingAllocator allocator;
    ReplayedMemory result;

private:
    bool isLasting(const Piece& piece) const
    {
        const Lasting* begin = m_stage.lasting.data();
        return std::any_of(begin, begin + m_stage.lastingCount,
            [&](const Lasting& lasting) { return &lasting.piece == &piece; });
    }
    bool isPadding(const Piece& piece) const { return std::strcmp(piece.name, "padding") == 0; }

    /// The parts of the parameters that lie in this rank's share of the buffer, which holds them in
    /// reverse order, each at a multiple of 64 elements.
    std::vector<std::int64_t> sharesOf(std::int64_t shard) const
    {
        const std::int64_t each = m_stage.paddedParameters / m_run.optimizerRanks();
        const std::int64_t from = shard * each;
        const std::int64_t to = from + each;
        std::vector<std::int64_t> parts(m_weights.size(), 0);
        std::int64_t at = 0;
        for (std::size_t i = m_weights.size(); i-- > 0;) {
            const std::int64_t end = at + m_weights[i];
            parts[i] = std::max<std::int64_t>(0, std::min(end, to) - std::max(at, from));
            at = (end + 63) / 64 * 64;
        }
        parts.erase(std::remove(parts.begin(), parts.end(), 0), parts.end());
        return parts;
    }

    void keep(std::int64_t bytes) { (void)allocator.allocate(Bytes(bytes)); }

    void bornState(const Piece& piece)
    {
        const bool master = piece.category == Category::Optimizer;
        if (isPadding(piece))
            return; // inside the buffers below
        const std::int64_t each = piece.extent.each;
        if (piece.category == Category::Parameters) {
            if (m_run.distributedOptimizer())
                keep(each * m_stage.paddedParameters);
            else
                for (const std::int64_t elements : m_weights)
                    keep(each * elements);
        } else if (!master) {
            keep(each * m_stage.paddedParameters);
        } else if (std::strcmp(piece.name, "Master copy") == 0) {
            for (const std::int64_t elements : m_shard) { // clone, widen, drop the clone
                const auto clone = allocator.allocate(Bytes(m_run.elementBytes() * elements));
                keep(each * elements);
                allocator.release(clone);
            }
        } else {
            const std::int64_t first = m_run.settings[Switch::FirstMomentBytes];
            for (const std::int64_t elements : m_shard) {
                keep(first * elements);
                keep((each - first) * elements);
            }
        }
    }

    const MegatronRun& m_run;
    const MegatronStage& m_stage;
    std::vector<std::int64_t> m_weights;
    std::vector<std::int64_t> m_shard; ///< elements of each of the optimizer's tensors
    HeldPieces<CachingAllocator::Handle> m_held;
    bool m_firstDone = false;
};

} // namespace

ReplayedMemory replay(const MegatronRun& run, const MegatronStage& stage, std::int64_t shard)
{
    MegatronStage shorter = stage;
    shorter.microBatches
        = std::min(stage.microBatches, stage.stages * std::int64_t(stage.chunks.size()) + 4);
    ReplaySink sink(run, shorter, shard);
    emitMegatron(shorter, sink);
    sink.result.allocated = sink.allocator.mostAllocated();
    sink.result.reserved = sink.allocator.mostReserved();
    sink.result.rest = sink.allocator.allocated();
    return sink.result;
}

} // namespace shardrack
