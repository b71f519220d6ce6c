#pragma once

#include "account/pytorch/stage.h"

namespace shardrack {

// What the data-parallel wrapper of torch does to memory around the blocks: it gathers a unit's
// parameters and reduces its gradients. Order: torch/distributed/fsdp of 2024 to 2026.

/// What a micro-step does with gradients.
struct TorchMicro {
    bool accumulates = false; ///< there are some already
    bool reduces = true;
};

/// A layer, by what is special about its place.
struct TorchPlace {
    std::int64_t number = 0;
    std::int64_t layers = 1;
    bool first() const { return number == 0; }
    bool last() const { return number + 1 == layers; }
    /// Two units are in flight: the one before the one before is done with.
    bool third() const { return number >= 2; }
    std::int64_t key() const { return (first() ? 1 : 0) | (last() ? 2 : 0) | (third() ? 4 : 0); }
};

template <class Any> void bornIf(Any& sink, const Piece& piece)
{
    if (piece.bytes > Bytes())
        sink.born(piece);
}
template <class Any> void diesIf(Any& sink, const Piece& piece)
{
    if (piece.bytes > Bytes())
        sink.dies(piece);
}
template <class Any> void flash(Any& sink, const Piece& piece)
{
    bornIf(sink, piece);
    diesIf(sink, piece);
}

inline const TorchUnit kNoUnit;

class TorchUnits {
protected:
    explicit TorchUnits(const TorchStage& stage)
        : m_stage(stage)
        , m_chunk(&stage.chunks.front())
    {
    }
    ~TorchUnits() = default;

    bool fsdp1() const { return m_stage.sharding == TorchSharding::Fsdp1; }
    bool fsdp2() const { return m_stage.sharding == TorchSharding::Fsdp2; }
    bool sharded() const { return fsdp1() || fsdp2(); }

    // The units of embedding, head or both, where the chunk has them: nothing otherwise.
    const TorchUnit& root() const
    {
        return m_chunk->hasEmbedding || m_chunk->hasHead ? m_stage.root : kNoUnit;
    }
    const TorchUnit& embedding() const
    {
        return m_chunk->hasEmbedding ? m_stage.embedding : kNoUnit;
    }
    const TorchUnit& head() const { return m_chunk->hasHead ? m_stage.head : kNoUnit; }

    /// Gathers a unit; with FSDP 1 it computes with what is gathered.
    template <class Any> void gather(const TorchUnit& unit, Any& sink) const
    {
        bornIf(sink, unit.cast);
        bornIf(sink, unit.gathered);
        if (fsdp2())
            diesIf(sink, unit.cast);
    }
    template <class Any> void drop(const TorchUnit& unit, Any& sink) const
    {
        diesIf(sink, unit.gathered);
        if (fsdp1())
            diesIf(sink, unit.cast);
    }
    /// FSDP 2: the gathered parameters are copied out, and what was gathered before is let go.
    template <class Any>
    void copyOut(const TorchUnit& unit, const TorchUnit* before, Any& sink) const
    {
        if (!fsdp2())
            return;
        bornIf(sink, unit.unsharded);
        if (before)
            diesIf(sink, before->gathered);
    }

    /// The unit whose reduction is still held when a layer's begins.
    const TorchUnit* beforeLayer(const TorchPlace& place) const
    {
        if (!place.last())
            return &m_stage.layer;
        return m_stage.rootTogether || !m_chunk->hasHead ? nullptr : &head();
    }

    /// While a layer's backward runs, what the next one needs is gathered.
    template <class Any> void fetchNext(const TorchPlace& place, Any& sink) const
    {
        if (fsdp2() && !m_stage.keepsGathered) {
            if (!place.first())
                gather(m_stage.layer, sink);
            else if (!m_stage.rootTogether)
                gather(embedding(), sink);
        } else if (fsdp1() && !m_stage.keepsGathered && !place.first() && !place.last()) {
            gather(m_stage.layer, sink);
        }
    }

    /// A unit's gradients are whole now: they are reduced, or wait for the last micro-step.
    /// `before`: the unit whose reduction is still held.
    template <class Any>
    void reduce(const TorchUnit& unit, const Block& block, const TorchUnit* before, Any& sink) const
    {
        if (fsdp2())
            reduce2(unit, before, sink, [&](auto& s) { block.releaseGradients(s); });
        else
            reduce1(unit, sink, [&](auto& s) { block.releaseGradients(s); });
    }
    template <class Any, class Release>
    void reduce2(const TorchUnit& unit, const TorchUnit* before, Any& sink, Release&& release) const
    {
        const bool isRoot = &unit == &m_stage.root;
        if (!isRoot && (!m_stage.holdsAcross() || m_micro.reduces))
            diesIf(sink, unit.unsharded);
        if (!m_micro.reduces) {
            if (!m_micro.accumulates)
                bornIf(sink, unit.accumulated);
            release(sink);
            return;
        }
        if (before)
            diesIf(sink, before->wide);
        bornIf(sink, unit.wide);
        release(sink);
        if (m_micro.accumulates && !m_stage.syncs)
            diesIf(sink, unit.accumulated);
        keepShare(unit, sink);
    }
    template <class Any, class Release>
    void reduce1(const TorchUnit& unit, Any& sink, Release&& release) const
    {
        sink.born(unit.flat);
        release(sink);
        const bool waits = m_micro.accumulates && !m_stage.syncs;
        if (!m_micro.reduces) {
            if (!m_micro.accumulates)
                sink.born(unit.accumulated);
            sink.dies(unit.flat);
        } else {
            bornIf(sink, unit.wide);
            keepShare(unit, sink);
            diesIf(sink, unit.wide);
            sink.dies(unit.flat);
            if (waits)
                sink.dies(unit.accumulated);
        }
        if (&unit != &m_stage.root && &unit != &m_stage.embedding)
            drop(unit, sink);
    }
    /// The reduced share is the gradient, or is added to it.
    template <class Any> void keepShare(const TorchUnit& unit, Any& sink) const
    {
        bornIf(sink, unit.sharded);
        if (m_stage.inBackward)
            flash(sink, m_stage.stepLayerTemporary);
        if (m_stage.inBackward || (m_micro.accumulates && m_stage.syncs))
            diesIf(sink, unit.sharded);
    }

    const TorchStage& m_stage;
    const TorchChunk* m_chunk; ///< whose turn it is
    TorchMicro m_micro;
};

} // namespace shardrack
