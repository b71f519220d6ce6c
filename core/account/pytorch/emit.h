#pragma once

#include "account/pytorch/units.h"
#include "account/sinks.h"
#include "trace/step_trace.h"

#include <algorithm>

namespace shardrack {

// Emits what one rank holds, from the build over the first step and a steady one, into any sink of
// account/sinks.h.

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
        step(false);
    }

private:
    /// Stretches that repeat.
    enum class Stretch : std::uint8_t {
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
        if (first)
            bornAt(TorchBirth::FirstForward);
        if (m_stage.chunks.size() > 1)
            interleaved(stays);
        else if (m_stage.stages > 1)
            pipeline(stays);
        else
            accumulate(stays);
        m_sink.phase(first ? Phase::FirstOptimizer : Phase::Optimizer);
        if (first)
            bornAt(TorchBirth::FirstOptimizer);
        if (!m_stage.inBackward)
            flash(m_sink, m_stage.stepTemporary);
    }

    /// One micro-step after the other.
    void accumulate(bool stays)
    {
        const std::int64_t all = m_stage.microSteps;
        const auto both = [&](bool opens, bool closes) {
            forwardPass(true, opens);
            backwardPass({ stays || !opens, m_stage.syncs || closes });
        };
        both(true, all == 1);
        if (all > 2)
            m_sink.loop(all - 2, [&] { both(false, false); });
        if (all > 1)
            both(false, true);
    }

    /// One forward, one backward (torch.distributed.pipelining's Schedule1F1B): a stage is so many
    /// forwards ahead as there are stages after it.
    void pipeline(bool stays)
    {
        const std::int64_t all = m_stage.microSteps;
        const std::int64_t ahead = std::min(m_stage.stages - 1 - m_stage.number, all);
        const std::int64_t pairs = all - ahead;
        const auto back = [&](bool opens, bool closes) {
            backwardPass({ stays || !opens, closes });
        };
        if (ahead > 0)
            forwardPass(true, true);
        m_sink.loop(ahead - 1, [&] { forwardPass(!holdsAcross(), false); });
        // The first pair and, without a cool-down, the last one differ from the others.
        const std::int64_t last = ahead == 0 && pairs > 1 ? 1 : 0;
        if (pairs > 0) {
            forwardPass(ahead == 0 || !holdsAcross(), ahead == 0);
            back(true, all == 1);
        }
        m_sink.loop(pairs - 1 - last, [&] {
            forwardPass(!holdsAcross(), false);
            back(false, false);
        });
        if (last > 0) {
            forwardPass(!holdsAcross(), false);
            back(false, true);
        }
        const std::int64_t opening = pairs == 0 && ahead > 1 ? 1 : 0;
        if (opening > 0)
            back(true, false);
        m_sink.loop(ahead - opening - 1, [&] { back(false, false); });
        if (ahead > 0)
            back(pairs == 0 && opening == 0, true);
    }
    /// The same for several chunks a rank, which take turns of `perRound` micro-batches
    /// (ScheduleInterleaved1F1B): the warm-up is longer by the chunks before the last.
    void interleaved(bool stays)
    {
        const std::int64_t chunks = std::int64_t(m_stage.chunks.size());
        const std::int64_t round = m_stage.perRound;
        const std::int64_t period = round * chunks;
        const std::int64_t all = m_stage.microSteps * chunks;
        const std::int64_t ahead
            = std::min(all, (chunks - 1) * round + 2 * (m_stage.stages - 1 - m_stage.number));
        const auto forwardAt = [&](std::int64_t at) {
            m_chunk = &m_stage.chunks[std::size_t(at / round % chunks)];
            const bool opens = at < period && at % round == 0;
            forwardPass(opens || !holdsAcross(), opens);
        };
        const auto backwardAt = [&](std::int64_t at) {
            m_chunk = &m_stage.chunks[std::size_t(chunks - 1 - at / round % chunks)];
            const bool opens = at < period && at % round == 0;
            backwardPass({ stays || !opens, at >= all - period && (at + 1) % round == 0 });
        };
        const auto pair = [&](std::int64_t at) {
            forwardAt(ahead + at);
            backwardAt(at);
        };
        for (std::int64_t at = 0; at < ahead; ++at)
            forwardAt(at);
        const std::int64_t pairs = all - ahead;
        std::int64_t at = 0;
        for (; at < std::min(period, pairs); ++at)
            pair(at);
        // Between the first turns and the last each turn of all chunks does the same.
        const std::int64_t turns = (std::min(pairs, all - period) - at) / period;
        if (turns > 0)
            m_sink.loop(turns, [&] {
                for (std::int64_t i = 0; i < period; ++i)
                    pair(at + i);
            });
        at += std::max<std::int64_t>(0, turns) * period;
        for (; at < pairs; ++at)
            pair(at);
        for (; at < all; ++at)
            backwardAt(at);
    }
    /// `fetches`: parameters are gathered. `opens`: the first of a step.
    void forwardPass(bool fetches, bool opens)
    {
        m_fetches = fetches;
        m_sink.phase(m_first ? Phase::FirstForward : Phase::Forward);
        m_sink.born(m_stage.batch);
        forward();
        // Where chunks take turns, several micro-batches have logits: the step's last ones stay.
        const bool replaces = m_stage.chunks.size() > 1 ? opens && !m_first : !opens || !m_first;
        if (m_chunk->hasHead && replaces)
            diesIf(m_sink, m_stage.previousLogits);
    }
    void backwardPass(TorchMicro micro)
    {
        m_micro = micro;
        m_sink.phase(m_first ? Phase::FirstBackward : Phase::Backward);
        if (!m_backwardSeen)
            bornAt(TorchBirth::FirstBackward);
        m_backwardSeen = true;
        backward();
        m_sink.dies(m_stage.batch);
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

    void forward()
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
            m_sink.born(m_stage.received);
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

    void backward()
    {
        const bool keeps = !m_stage.inBackward && !m_micro.accumulates;
        const bool together = m_stage.rootTogether;
        // A tied table has one gradient, which waits for the embedding's part.
        const bool steps = m_stage.inBackward && !sharded(); // each whole gradient by itself
        const bool holdsHead = sharded() || steps || keeps;
        if (m_chunk->hasHead) {
            m_sink.segment(keyOf(Stretch::HeadBackward), 1,
                [&](auto& s) { m_blocks.head.backward(s, holdsHead); });
            if (m_stage.chunks.size() == 1 || m_micro.reduces)
                bornIf(m_sink, m_stage.previousLogits);
        } else {
            m_sink.born(m_blocks.layer.gradientPiece()); // received
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
            m_sink.dies(m_blocks.layer.gradientPiece()); // sent
        if (!m_chunk->hasHead)
            m_sink.dies(m_blocks.layer.outputPiece());
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
    /// The root's parameters go at the end of backward.
    void dropRoot()
    {
        if (fsdp1())
            drop(root(), m_sink);
        else if (!holdsAcross() || m_micro.reduces)
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
