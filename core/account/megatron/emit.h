#pragma once

#include "account/megatron/stage.h"
#include "account/sinks.h"
#include "trace/step_trace.h"

#include <algorithm>

namespace shardrack {

// Emits what one rank of a pipeline stage holds, from the build over the first step and a steady
// one, into any sink that has
//   phase(Phase), born(const Piece&), dies(const Piece&),
//   loop(count, body): `body()` happens `count` times,
//   segment(key, count, body): `body(sink)` happens `count` times and does the same each time;
//   equal
//     keys mean equal bodies, so that a sink that only counts needs to run it once.
// Written once: numbers, names and events come of the sink.

/// Stretches that repeat. A chunk's depends on what the chunk holds.
enum class Stretch : std::uint8_t {
    EmbeddingForward,
    EmbeddingBackward,
    LayerForward,
    LayerBackward,
    UnitForward, ///< of layers that are recomputed together
    UnitBackward,
    HeadForward,
    HeadBackward,
    ChunkForward,
    ChunkBackward,
    Lasting ///< all that is held from step to step
};
constexpr StretchKey keyOf(
    Stretch stretch, std::int64_t layers = 0, bool embedding = false, bool head = false)
{
    return { std::uint8_t(stretch), embedding, head, layers };
}

template <class Sink> class MegatronEmitter {
public:
    MegatronEmitter(const MegatronStage& stage, Sink& sink)
        : m_stage(stage)
        , m_sink(sink)
    {
    }

    /// Build, first step, steady step.
    void run()
    {
        m_sink.phase(Phase::Init);
        bornAt(Birth::Build);
        step(true);
        step(false);
    }
    /// Only a steady step, as if everything that lasts had been there from the build: the search
    /// needs no more, because the first step holds a part of what a steady one holds.
    void runSteady()
    {
        m_sink.phase(Phase::Init);
        // What lasts follows from what the chunks hold, whatever their order.
        StretchKey key = keyOf(Stretch::Lasting);
        for (const Chunk& chunk : m_stage.chunks) {
            key.layers += chunk.layers;
            key.embedding = key.embedding || chunk.embedding;
            key.head = key.head || chunk.head;
        }
        m_sink.segment(key, 1, [&](auto& sink) {
            for (std::size_t i = 0; i < m_stage.lastingCount; ++i)
                sink.born(m_stage.lasting[i].piece);
            times(m_stage.receivedCount, [&] { sink.born(m_stage.received); });
            if (m_stage.mainGradients.bytes > Bytes())
                sink.born(m_stage.mainGradients);
        });
        step(false);
    }

private:
    template <class Act> static void times(std::int64_t count, Act&& act)
    {
        for (std::int64_t i = 0; i < count; ++i)
            act();
    }
    void bornAt(Birth birth)
    {
        for (std::size_t i = 0; i < m_stage.lastingCount; ++i)
            if (m_stage.lasting[i].birth == birth)
                m_sink.born(m_stage.lasting[i].piece);
    }

    void step(bool first)
    {
        m_first = first;
        m_backwardSeen = !first;
        m_deferred = 0;
        if (!first && m_stage.mainGradients.bytes > Bytes()) // zero_grad opens the step
            m_sink.dies(m_stage.mainGradients);
        m_sink.phase(first ? Phase::FirstForward : Phase::Forward);
        if (first)
            bornAt(Birth::FirstForward);
        else
            times(m_stage.receivedCount, [&] { m_sink.dies(m_stage.received); });
        times(m_stage.queuedBackward, [&] { m_sink.born(m_stage.received); });
        if (m_stage.chunks.size() == 1)
            plainSchedule();
        else
            interleavedSchedule();
        times(m_deferred, [&] { m_sink.dies(m_stage.deferred); });
        times(m_stage.queuedBackward, [&] { m_sink.dies(m_stage.received); });
        times(m_stage.receivedCount, [&] { m_sink.born(m_stage.received); });
        m_sink.phase(first ? Phase::FirstOptimizer : Phase::Optimizer);
        if (first)
            bornAt(Birth::FirstOptimizer);
        if (m_stage.mainGradients.bytes > Bytes())
            m_sink.born(m_stage.mainGradients);
    }

    // Schedules (megatron/core/pipeline_parallel/schedules.py)
    // --------------------------------------

    /// Warm-up forwards, then one forward and one backward in turn, then the backwards left over.
    void plainSchedule()
    {
        const std::int64_t all = m_stage.microBatches;
        const std::int64_t warmUp = std::min(m_stage.stages - 1 - m_stage.stage, all);
        const Chunk& chunk = m_stage.chunks.front();
        m_sink.loop(warmUp, [&] { forward(chunk); });
        std::int64_t left = all - warmUp;
        const auto pair = [&] {
            forward(chunk);
            backward(chunk);
        };
        // The first backward, and those whose head gradients are deferred, differ from the others.
        std::int64_t peeled = std::max<std::int64_t>(
            m_backwardSeen ? 0 : 1, chunk.head ? m_stage.deferredCount : 0);
        peeled = std::min(peeled, left);
        times(peeled, pair);
        left -= peeled;
        m_sink.loop(left, pair);
        std::int64_t rest = warmUp;
        if (!m_backwardSeen && rest > 0) {
            backward(chunk);
            --rest;
        }
        m_sink.loop(rest, [&] { backward(chunk); });
    }

    /// Chunk of the k-th forward: groups of micro-batches go through all chunks, one after another.
    std::int64_t chunkOf(std::int64_t k) const
    {
        const auto chunks = std::int64_t(m_stage.chunks.size());
        const std::int64_t perGroup = m_stage.group * chunks;
        const std::int64_t start = k / perGroup * m_stage.group; // micro-batches of groups before
        const std::int64_t size = std::min(m_stage.group, m_stage.microBatches - start);
        return k % perGroup / size;
    }
    void forwardNumber(std::int64_t k) { forward(m_stage.chunks[std::size_t(chunkOf(k))]); }
    void backwardNumber(std::int64_t k)
    {
        const auto chunks = std::int64_t(m_stage.chunks.size());
        backward(m_stage.chunks[std::size_t(chunks - 1 - chunkOf(k))]);
    }

    void interleavedSchedule()
    {
        const auto chunks = std::int64_t(m_stage.chunks.size());
        const std::int64_t all = m_stage.microBatches * chunks;
        const std::int64_t warmUp = std::min(
            all, 2 * (m_stage.stages - m_stage.stage - 1) + (chunks - 1) * m_stage.group);
        for (std::int64_t k = 0; k < warmUp; ++k)
            forwardNumber(k);
        // In full groups the order repeats from group to group.
        const std::int64_t period = m_stage.group * chunks;
        const std::int64_t full = m_stage.microBatches / m_stage.group * period;
        const auto pair = [&](std::int64_t k) {
            forwardNumber(warmUp + k);
            backwardNumber(k);
        };
        std::int64_t done = 0;
        if (!m_backwardSeen || m_deferred < m_stage.deferredCount) {
            const std::int64_t unlike = m_stage.deferredCount > 0 ? all - warmUp : period;
            for (; done < std::min(unlike, all - warmUp); ++done)
                pair(done);
        }
        const std::int64_t turns = (full - warmUp - done) / period;
        if (turns > 1) {
            m_sink.loop(turns, [&] {
                for (std::int64_t k = 0; k < period; ++k)
                    pair(done + k);
            });
            done += turns * period;
        }
        for (; done < all - warmUp; ++done)
            pair(done);
        for (; done < all; ++done)
            backwardNumber(done);
    }

    // Chunks
    // ---------------------------------------------------------------------------------------

    void forward(const Chunk& chunk)
    {
        m_sink.phase(m_first ? Phase::FirstForward : Phase::Forward);
        const std::int64_t queued = m_stage.queuedForward - m_stage.queuedBackward;
        times(queued, [&] { m_sink.born(m_stage.received); });
        m_sink.segment(keyOf(Stretch::ChunkForward, chunk.layers, chunk.embedding, chunk.head), 1,
            [&](auto& sink) { chunkForward(chunk, sink); });
        times(queued, [&] { m_sink.dies(m_stage.received); });
    }
    void backward(const Chunk& chunk)
    {
        m_sink.phase(m_first ? Phase::FirstBackward : Phase::Backward);
        if (!m_backwardSeen) {
            bornAt(Birth::FirstBackward);
            m_backwardSeen = true;
        }
        m_sink.segment(keyOf(Stretch::ChunkBackward, chunk.layers, chunk.embedding, chunk.head), 1,
            [&](auto& sink) { chunkBackward(chunk, sink); });
        if (chunk.head && m_deferred < m_stage.deferredCount) {
            m_sink.born(m_stage.deferred);
            ++m_deferred;
        }
    }

    /// Layers that are recomputed, in units of so many, and those left over.
    struct Units {
        std::int64_t size = 0;
        std::int64_t count = 0;
        std::int64_t rest = 0; ///< layers of one last, smaller unit
        std::int64_t plain = 0; ///< not recomputed
    };
    Units unitsOf(const Chunk& chunk) const
    {
        const FullRecompute& full = m_stage.recompute;
        if (full.kind == FullRecompute::Kind::None)
            return { 0, 0, 0, chunk.layers };
        if (full.kind == FullRecompute::Kind::Block) {
            const std::int64_t count = std::min(full.layers, chunk.layers);
            return { 1, count, 0, chunk.layers - count };
        }
        const std::int64_t size = std::max<std::int64_t>(1, full.layers);
        return { size, chunk.layers / size, chunk.layers % size, 0 };
    }

    template <class Any> void unitForward(std::int64_t layers, Any& sink) const
    {
        const Block& layer = m_stage.blocks->layer;
        for (std::int64_t i = 0; i < layers; ++i)
            layer.forwardKeepingNothing(i == 0 && !m_stage.distributeSaved, sink);
        if (m_stage.distributeSaved)
            sink.born(m_stage.sharedInput);
    }
    template <class Any> void unitBackward(std::int64_t layers, Any& sink) const
    {
        const Block& layer = m_stage.blocks->layer;
        if (m_stage.distributeSaved) {
            sink.born(layer.inputPiece());
            sink.dies(m_stage.sharedInput);
        }
        sink.segment(keyOf(Stretch::LayerForward), layers, [&](auto& s) { layer.forward(s); });
        sink.segment(keyOf(Stretch::LayerBackward), layers, [&](auto& s) { layer.backward(s); });
        sink.dies(layer.outputPiece()); // what was recomputed once more than needed
    }

    template <class Any> void chunkForward(const Chunk& chunk, Any& sink) const
    {
        const MegatronBlocks& blocks = *m_stage.blocks;
        const Piece& batch = chunk.embedding ? m_stage.batchWithEmbedding : m_stage.batch;
        const bool loads = chunk.embedding || chunk.head;
        if (loads)
            sink.born(batch);
        if (chunk.embedding)
            sink.segment(
                keyOf(Stretch::EmbeddingForward), 1, [&](auto& s) { blocks.embedding.forward(s); });
        else
            sink.born(blocks.layer.inputPiece());
        const Units units = unitsOf(chunk);
        const auto unit = [&](std::int64_t layers, std::int64_t count) {
            if (count > 0)
                sink.segment(keyOf(Stretch::UnitForward, layers), count,
                    [&](auto& s) { unitForward(layers, s); });
        };
        unit(units.size, units.count);
        unit(units.rest, units.rest > 0 ? 1 : 0);
        if (units.plain > 0)
            sink.segment(keyOf(Stretch::LayerForward), units.plain,
                [&](auto& s) { blocks.layer.forward(s); });
        if (chunk.head)
            sink.segment(keyOf(Stretch::HeadForward), 1, [&](auto& s) { blocks.head.forward(s); });
        else
            sink.dies(blocks.layer.outputPiece()); // emptied once it is sent
        if (loads)
            sink.dies(batch);
    }
    template <class Any> void chunkBackward(const Chunk& chunk, Any& sink) const
    {
        const MegatronBlocks& blocks = *m_stage.blocks;
        if (chunk.head)
            sink.segment(
                keyOf(Stretch::HeadBackward), 1, [&](auto& s) { blocks.head.backward(s); });
        else
            sink.born(blocks.layer.gradientPiece()); // received
        const Units units = unitsOf(chunk);
        const auto unit = [&](std::int64_t layers, std::int64_t count) {
            if (count > 0)
                sink.segment(keyOf(Stretch::UnitBackward, layers), count,
                    [&](auto& s) { unitBackward(layers, s); });
        };
        if (units.plain > 0)
            sink.segment(keyOf(Stretch::LayerBackward), units.plain,
                [&](auto& s) { blocks.layer.backward(s); });
        unit(units.rest, units.rest > 0 ? 1 : 0);
        unit(units.size, units.count);
        if (chunk.embedding)
            sink.segment(keyOf(Stretch::EmbeddingBackward), 1,
                [&](auto& s) { blocks.embedding.backward(s); });
        else
            sink.dies(blocks.layer.gradientPiece());
    }

    const MegatronStage& m_stage;
    Sink& m_sink;
    bool m_first = false;
    bool m_backwardSeen = false;
    std::int64_t m_deferred = 0;
};

template <class Sink> void emitMegatron(const MegatronStage& stage, Sink& sink)
{
    MegatronEmitter<Sink>(stage, sink).run();
}
template <class Sink> void emitMegatronSteady(const MegatronStage& stage, Sink& sink)
{
    MegatronEmitter<Sink>(stage, sink).runSteady();
}

} // namespace shardrack
