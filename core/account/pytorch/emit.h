#pragma once

#include "account/pytorch/schedules.h"
#include "account/pytorch/units.h"
#include "account/sinks.h"
#include "trace/step_trace.h"

#include <algorithm>

namespace shardrack {

// Emits what one rank holds, from the build over the first step and a steady one, into any sink of
// account/sinks.h.

/// Stretches that repeat: those of the blocks first, which no more than the blocks decide.
enum class TorchStretch : std::uint8_t {
    EmbeddingForward,
    EmbeddingBackward,
    BlockForward,
    BlockBackward,
    HeadForward,
    HeadBackward,
    LayerForward,
    LayerBackward,
    Casts,
    Gradients
};
constexpr TorchStretch kLastOfBlocks = TorchStretch::HeadBackward;

template <class Sink> class TorchEmitter : private TorchUnits {
public:
    TorchEmitter(const TorchStage& stage, Sink& sink)
        : TorchUnits(stage)
        , m_blocks(*stage.blocks)
        , m_sink(sink)
    {
    }

    /// Build, first step, steady step.
    void run()
    {
        m_sink.phase(Phase::Init);
        bornAt(TorchBirth::Build);
        step(true);
        step(false);
    }
    /// Only a steady step, as if everything that lasts had been there from the build: the search
    /// needs no more, because the first step holds a part of what a steady one holds.
    void runSteady()
    {
        m_sink.phase(Phase::Init);
        for (const TorchLasting& lasting : m_stage.lasting)
            m_sink.born(lasting.piece);
        leaveGradients(m_sink, true);
        if (m_stage.hasHead)
            bornIf(m_sink, m_stage.previousLogits);
        bearBuffers();
        bearKept();
        step(false);
    }

private:
    using Stretch = TorchStretch;
    StretchKey keyOf(Stretch stretch, std::int64_t layers = 0) const
    {
        return { std::uint8_t(stretch), m_micro.accumulates, m_micro.reduces, layers };
    }
    /// Of a forward, which does not depend on gradients.
    StretchKey forwardKey(Stretch stretch, std::int64_t layers = 0) const
    {
        return { std::uint8_t(stretch), m_fetches, false, layers };
    }
    void bornAt(TorchBirth birth)
    {
        for (const TorchLasting& lasting : m_stage.lasting)
            if (lasting.birth == birth)
                m_sink.born(lasting.piece);
    }

    // Steps
    // ----------------------------------------------------------------------------------------

    void step(bool first)
    {
        m_first = first;
        m_backwardSeen = !first;
        // Zeroing opens the step.
        const bool stays = m_stage.zeroInPlace && !first;
        if (!first && !stays)
            leaveGradients(m_sink, false);
        m_sink.phase(first ? Phase::FirstForward : Phase::Forward);
        if (first) {
            bornAt(TorchBirth::FirstForward);
            bearBuffers();
        } else {
            dropKept();
        }
        microBatches(stays);
        flash(m_sink, m_stage.mergedLogits);
        m_sink.phase(first ? Phase::FirstOptimizer : Phase::Optimizer);
        if (first)
            bornAt(TorchBirth::FirstOptimizer);
        if (!m_stage.inBackward)
            flash(m_sink, m_stage.stepTemporary);
    }

    /// All micro-batches of a step. `stays`: gradients of the step before are still there.
    void microBatches(bool stays)
    {
        const auto forward = [&](const TorchChunk& chunk, bool fetches, bool opens) {
            m_chunk = &chunk;
            m_fetches = fetches;
            m_sink.phase(m_first ? Phase::FirstForward : Phase::Forward);
            m_sink.born(m_stage.batch);
            forwardPass();
            if (chunk.hasHead && (!opens || !m_first))
                diesIf(m_sink, m_stage.previousLogits);
        };
        const auto backward = [&](const TorchChunk& chunk, bool opens, bool closes) {
            m_chunk = &chunk;
            m_micro = { stays || !opens, closes || m_stage.syncs };
            m_sink.phase(m_first ? Phase::FirstBackward : Phase::Backward);
            if (!m_backwardSeen)
                bornAt(TorchBirth::FirstBackward);
            m_backwardSeen = true;
            backwardPass();
            m_sink.dies(m_stage.batch);
        };
        if (m_stage.chunks.size() > 1)
            interleavedTurns(m_stage, m_sink, forward, backward);
        else if (m_stage.stages > 1)
            oneForwardOneBackward(m_stage, m_sink, forward, backward);
        else
            accumulateSteps(m_stage, m_sink, forward, backward);
    }

    // A pipeline (torch/distributed/pipelining/stage.py): for every micro-batch a rank has a buffer
    // for what it receives, and keeps some of what it made to the step's end.

    void bearAll(const TorchRepeated& all)
    {
        m_sink.loop(all.count, [&] { m_sink.born(all.piece); });
    }
    void dropAll(const TorchRepeated& all)
    {
        m_sink.loop(all.count, [&] { m_sink.dies(all.piece); });
    }
    void bearBuffers()
    {
        bearAll(m_stage.inputBuffers);
        bearAll(m_stage.gradientBuffers);
    }
    /// The next call of the schedule begins by letting go what the last one kept.
    void dropKept()
    {
        dropAll(m_stage.keptOutputs);
        dropAll(m_stage.keptGradients);
        dropAll(m_stage.keptLogits);
    }
    void bearKept()
    {
        bearAll(m_stage.keptOutputs);
        bearAll(m_stage.keptGradients);
        bearAll(m_stage.keptLogits);
    }

    /// What a step leaves for the optimizer, all at once.
    template <class Any> void leaveGradients(Any& sink, bool born) const
    {
        if (m_stage.inBackward)
            return;
        const auto act = [&](auto& s, const Piece& piece) {
            if (piece.bytes > Bytes())
                born ? s.born(piece) : s.dies(piece);
        };
        const auto leave = [&](auto& s, const Block& block, const TorchUnit& unit, bool sharded) {
            if (sharded)
                act(s, unit.sharded);
            else if (born)
                block.bearGradients(s);
            else
                block.releaseGradients(s);
        };
        const bool divided = sharded();
        if (divided && m_stage.rootTogether) {
            act(sink, m_stage.root.sharded);
        } else {
            if (m_stage.hasHead)
                leave(sink, m_blocks.head, m_stage.head, divided);
            if (m_stage.hasEmbedding && (divided || !m_stage.tied))
                leave(sink, m_blocks.embedding, m_stage.embedding, divided);
        }
        sink.segment(StretchKey { std::uint8_t(Stretch::Gradients), born, false, 0 },
            m_stage.layers, [&](auto& s) { leave(s, m_blocks.layer, m_stage.layer, divided); });
    }

    // Forward
    // --------------------------------------------------------------------------------------

    void forwardPass()
    {
        const bool together = m_stage.rootTogether;
        const TorchUnit& opening = together ? root() : embedding();
        const bool fetches = sharded() && m_fetches;
        if (fetches) {
            gather(opening, m_sink);
            copyOut(opening, nullptr, m_sink);
        }
        if (m_chunk->hasEmbedding)
            m_sink.segment(forwardKey(Stretch::EmbeddingForward), 1,
                [&](auto& s) { m_blocks.embedding.forward(s); });
        else
            takeFrom(m_stage.inputBuffers, m_stage.received);
        if (fsdp2() && !together && !m_stage.keepsGathered)
            diesIf(m_sink, embedding().unsharded);
        eachLayer(false);
        if (fetches && !together) {
            gather(head(), m_sink);
            copyOut(head(), &m_stage.layer, m_sink);
            if (fsdp2())
                diesIf(m_sink, head().gathered); // the root's forward ends
        } else if (fetches && fsdp2()) {
            m_sink.dies(m_stage.layer.gathered);
        }
        // Without a head the output is sent, and held for its backward.
        if (m_chunk->hasHead)
            m_sink.segment(
                forwardKey(Stretch::HeadForward), 1, [&](auto& s) { m_blocks.head.forward(s); });
        clearCasts();
    }

    /// Autocast ends, and its cache with it.
    void clearCasts()
    {
        if (m_stage.castsOfLayer.bytes == Bytes())
            return;
        const std::int64_t every = m_stage.recompute.every;
        m_sink.segment(forwardKey(Stretch::Casts), m_chunk->layers / every,
            [&](auto& s) { s.dies(m_stage.castsOfLayer); });
    }

    /// All layers in order, equal ones as one stretch.
    void eachLayer(bool backwards)
    {
        const std::int64_t layers = m_chunk->layers;
        const auto one = [&](std::int64_t number, std::int64_t count) {
            const TorchPlace place { number, layers };
            const bool again = m_stage.recompute.isRecomputed(number);
            const std::int64_t key = place.key() | (again ? 8 : 0)
                | (m_chunk->hasEmbedding ? 16 : 0) | (m_chunk->hasHead ? 32 : 0);
            if (backwards)
                m_sink.segment(keyOf(Stretch::LayerBackward, key), count,
                    [&](auto& s) { layerBackward(place, again, s); });
            else
                m_sink.segment(forwardKey(Stretch::LayerForward, key), count,
                    [&](auto& s) { layerForward(place, again, s); });
        };
        const bool equal = m_stage.recompute.kind != TorchRecompute::Kind::Layers;
        const std::int64_t from = std::min<std::int64_t>(2, layers);
        const std::int64_t to = equal ? std::max(from, layers - 1) : from; // equal: [from, to)
        if (!backwards) {
            for (std::int64_t i = 0; i < from; ++i)
                one(i, 1);
            if (to > from)
                one(from, to - from);
            for (std::int64_t i = to; i < layers; ++i)
                one(i, 1);
        } else {
            for (std::int64_t i = layers; i-- > to;)
                one(i, 1);
            if (to > from)
                one(from, to - from);
            for (std::int64_t i = from; i-- > 0;)
                one(i, 1);
        }
    }

    template <class Any> void layerForward(const TorchPlace& place, bool again, Any& sink) const
    {
        const TorchUnit& unit = m_stage.layer;
        if (fsdp1() && place.third() && !m_stage.keepsGathered)
            drop(unit, sink);
        const TorchUnit& opening = m_stage.rootTogether ? root() : embedding();
        if (sharded() && m_fetches) {
            gather(unit, sink);
            copyOut(unit, place.first() ? &opening : &unit, sink);
        }
        const bool offloads = m_stage.offloads;
        if (again)
            bornIf(sink, m_stage.castsOfLayer);
        sink.segment(forwardKey(Stretch::BlockForward, again ? 1 : 0), 1, [&](auto& s) {
            if (again)
                m_blocks.layer.forwardCaching(cached(), s);
            else
                m_blocks.layer.forward(s);
        });
        if (offloads && place.third())
            sink.dies(m_blocks.layer.inputPiece());
        if (fsdp2() && !m_stage.keepsGathered && !(place.last() && m_stage.keepsLast))
            sink.dies(unit.unsharded);
    }
    std::uint32_t cached() const
    {
        return m_stage.recompute.kind == TorchRecompute::Kind::Operators ? m_blocks.cached : 0;
    }

    // Backward
    // -------------------------------------------------------------------------------------

    void backwardPass()
    {
        const bool keeps = !m_stage.inBackward && !m_micro.accumulates;
        const bool together = m_stage.rootTogether;
        // A tied table has one gradient, which waits for the embedding's part.
        const bool steps = m_stage.inBackward && !sharded(); // each whole gradient by itself
        const bool holdsHead = sharded() || steps || keeps;
        if (m_chunk->hasHead) {
            m_sink.segment(keyOf(Stretch::HeadBackward), 1,
                [&](auto& s) { m_blocks.head.backward(s, holdsHead); });
            bornIf(m_sink, m_stage.previousLogits);
            bornIf(m_sink, m_stage.keptLogits.piece);
        } else {
            takeFrom(m_stage.gradientBuffers, m_blocks.layer.gradientPiece());
        }
        if (sharded() && !together && m_chunk->hasHead)
            reduce(head(), m_blocks.head, nullptr, m_sink);
        if (steps && !m_stage.tied && m_chunk->hasHead) {
            flash(m_sink, m_stage.stepTableTemporary);
            m_blocks.head.releaseGradients(m_sink);
        }
        eachLayer(true);
        if (sharded() && !together) {
            if (fsdp2() && !m_stage.keepsGathered)
                copyOut(embedding(), &embedding(), m_sink);
        }
        const bool holdsEmbedding = sharded() || steps || keeps;
        if (m_chunk->hasEmbedding)
            m_sink.segment(keyOf(Stretch::EmbeddingBackward), 1,
                [&](auto& s) { m_blocks.embedding.backward(s, holdsEmbedding && !m_stage.tied); });
        else
            send();
        if (!m_chunk->hasHead) {
            m_sink.dies(m_blocks.layer.outputPiece());
            bornIf(m_sink, m_stage.keptOutputs.piece);
        }
        if (steps && m_chunk->hasEmbedding) {
            flash(m_sink, m_stage.stepTableTemporary);
            (m_stage.tied ? m_blocks.head : m_blocks.embedding).releaseGradients(m_sink);
        }
        if (!sharded())
            return;
        if (together) {
            reduceRoot();
            dropRoot();
        } else if (m_chunk->hasEmbedding) {
            reduce(embedding(), m_blocks.embedding, &m_stage.layer, m_sink);
            if (fsdp2() && m_micro.reduces)
                m_sink.dies(embedding().wide);
            if (fsdp1())
                drop(embedding(), m_sink);
        } else if (fsdp2() && m_micro.reduces) {
            m_sink.dies(m_stage.layer.wide);
        }
    }
    /// A micro-batch's buffer is what it holds, as long as that is used.
    void takeFrom(const TorchRepeated& buffers, const Piece& received)
    {
        m_sink.dies(buffers.piece);
        m_sink.born(received);
    }
    /// The gradient of the input goes to the stage before, and the input's buffer is free.
    void send()
    {
        m_sink.dies(m_blocks.layer.gradientPiece());
        bornIf(m_sink, m_stage.keptGradients.piece);
        m_sink.born(m_stage.inputBuffers.piece);
    }
    /// The root's parameters go at the end of backward.
    void dropRoot()
    {
        if (fsdp1())
            drop(root(), m_sink);
        else if (!m_stage.holdsAcross() || m_micro.reduces)
            diesIf(m_sink, root().unsharded);
    }

    template <class Any> void layerBackward(const TorchPlace& place, bool again, Any& sink) const
    {
        const TorchUnit& unit = m_stage.layer;
        const Block& layer = m_blocks.layer;
        const bool resharded
            = fsdp2() && !m_stage.keepsGathered && !(place.last() && m_stage.keepsLast);
        if (resharded && place.last()) // nobody fetched it before
            gather(unit, sink);
        if (resharded)
            copyOut(unit, &unit, sink);
        fetchNext(place, sink);
        if (m_stage.offloads && place.third())
            sink.born(layer.inputPiece());
        const bool keeps = sharded() || !(m_stage.inBackward || m_micro.accumulates);
        sink.segment(keyOf(Stretch::BlockBackward, again ? 1 : 0), 1, [&](auto& s) {
            if (again && m_stage.reentrant) {
                layer.forward(s);
                layer.backward(s, keeps);
                s.dies(layer.outputPiece());
            } else if (again) {
                layer.rebuild(cached(), s);
                layer.backward(s, keeps);
                layer.forget(cached(), s);
            } else {
                layer.backward(s, keeps);
            }
        });
        if (place.last() && !m_chunk->hasHead) // what was received has been used
            sink.born(m_stage.gradientBuffers.piece);
        if (m_stage.inBackward && !sharded())
            flash(sink, m_stage.stepLayerTemporary);
        if (sharded())
            reduce(unit, layer, beforeLayer(place), sink);
    }

    void reduceRoot()
    {
        const auto release = [&](auto& s) {
            if (m_chunk->hasHead)
                m_blocks.head.releaseGradients(s);
            if (m_chunk->hasEmbedding && !m_stage.tied)
                m_blocks.embedding.releaseGradients(s);
        };
        if (fsdp1()) {
            reduce1(root(), m_sink, release);
            return;
        }
        reduce2(root(), &m_stage.layer, m_sink, release);
        if (m_micro.reduces)
            diesIf(m_sink, root().wide);
    }
    const TorchBlocks& m_blocks;
    Sink& m_sink;
    bool m_fetches = true;
    bool m_first = false;
    bool m_backwardSeen = false;
};

template <class Sink> void emitTorch(const TorchStage& stage, Sink& sink)
{
    TorchEmitter<Sink>(stage, sink).run();
}
template <class Sink> void emitTorchSteady(const TorchStage& stage, Sink& sink)
{
    TorchEmitter<Sink>(stage, sink).runSteady();
}

} // namespace shardrack
