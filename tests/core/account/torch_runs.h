#pragma once

// Runs of PyTorch-native strategies that several tests begin with.

#include "account/pytorch/rank_account.h"

#include <initializer_list>
#include <string>
#include <utility>

namespace shardrack {

using S = TorchSwitch;

inline TransformerShape llama(std::int64_t layers, std::int64_t hidden, std::int64_t heads,
    std::int64_t kvHeads, std::int64_t ffn)
{
    TransformerShape shape;
    shape.layers = layers;
    shape.hidden = hidden;
    shape.heads = heads;
    shape.kvHeads = kvHeads;
    shape.headDim = hidden / heads;
    shape.ffn = ffn;
    shape.vocabulary = 128256;
    shape.rotary = shape.gated = shape.rmsNorm = true;
    shape.activation = TransformerShape::Activation::Silu;
    return shape;
}

template <class Value> std::pair<S, std::int64_t> is(S which, Value value)
{
    return { which, static_cast<std::int64_t>(value) };
}

inline std::int64_t era(const char* framework, const std::string& name)
{
    std::int64_t number = 0;
    for (const TorchPreset& preset : torchPresets())
        if (std::string(preset.framework) == framework) {
            if (name == preset.era)
                return number;
            ++number;
        }
    return -1;
}

inline TorchRun runOf(const char* framework, const char* eraName, TransformerShape shape,
    std::initializer_list<std::pair<S, std::int64_t>> given, int architecture = 90)
{
    SwitchValues values;
    values.set(S::Era, era(framework, eraName));
    for (const auto& [which, value] : given)
        values.set(which, value);
    TorchRun run;
    run.shape = shape;
    run.architecture = architecture;
    run.settings = resolveTorch(framework, values, architecture);
    return run;
}

/// Adds up what a stretch of a block leaves behind.
struct Left {
    void born(const Piece& piece) { sink.born(piece.category, piece.bytes); }
    void dies(const Piece& piece) { sink.dies(piece.category, piece.bytes); }
    ProfileSink sink;
    std::int64_t left() const { return total(sink.profile().change).count(); }
};

} // namespace shardrack
