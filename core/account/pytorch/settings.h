#pragma once

#include "account/refusal.h"
#include "account/transformer_blocks.h"
#include "workload/pytorch_switches.h"
#include "workload/recipe.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace shardrack {

/// All switches of a framework built on torch, resolved for one kind of GPU.
struct TorchSettings {
    std::array<Setting, kTorchSwitchCount> all;

    std::int64_t operator[](TorchSwitch which) const { return all[index(which)].value; }
    bool on(TorchSwitch which) const { return (*this)[which] != 0; }
    /// The value of a switch that is a choice.
    template <class Choice> Choice as(TorchSwitch which) const
    {
        return static_cast<Choice>((*this)[which]);
    }
};

/// Resolves every switch: what was given, else what the preset of the framework and its era says,
/// what the GPU (`architecture`: 90 for compute capability 9.0, 0: not known) or other switches
/// make of it. An unknown framework is taken as plain PyTorch.
TorchSettings resolveTorch(std::string_view framework, const SwitchValues& given, int architecture);

/// What divides the state.
enum class TorchSharding : std::uint8_t {
    None, ///< one rank
    Replicas, ///< DistributedDataParallel
    Fsdp1,
    Fsdp2
};

struct TorchDegrees {
    std::int64_t tensor = 1;
    std::int64_t context = 1;
    std::int64_t pipeline = 1;
    std::int64_t replicas = 1; ///< of shard groups, or of the whole state
    std::int64_t shards = 1; ///< ranks that divide the state, context ranks among them
};

/// The optimizer's state: how many moments of every element, or a kind of its own.
enum class TorchOptimizer : std::uint8_t { Sgd, Momentum, Adam, Adafactor };
/// "", "adam", "adamw", "sgd", "momentum", "adafactor"; absent for another.
std::optional<TorchOptimizer> torchOptimizer(std::string_view name);

/// Everything that decides the memory of such a run, but the hardware.
struct TorchRun {
    TransformerShape shape;
    TorchSettings settings;
    TorchDegrees degrees;
    TorchSharding sharding = TorchSharding::None;
    TorchOptimizer optimizer = TorchOptimizer::Adam;
    int architecture = 0;
    std::int64_t microBatch = 1;
    std::int64_t sequence = 0;
    std::int64_t microSteps = 1; ///< of one optimizer step
    std::string recompute; ///< "none", "selective", "full"; empty: none

    /// Model chunks of a rank, of which the interleaved schedule has several.
    std::int64_t chunks() const { return degrees.pipeline > 1 ? settings[TorchSwitch::Chunks] : 1; }
    /// Micro-batches that go through a chunk before the next chunk's turn.
    std::int64_t perRound() const;
    bool sharded() const { return sharding >= TorchSharding::Fsdp1; }
    bool autocast() const { return settings.on(TorchSwitch::Autocast) && !sharded(); }
    /// Whether the head's table is the embedding's.
    bool tied() const
    {
        return shape.tied && !settings.on(TorchSwitch::TablesApart) && !classifies();
    }
    std::int64_t parameterBytes() const; ///< of an element at rest
    std::int64_t computeBytes() const; ///< of a parameter that computes, and of its gradient
    std::int64_t reduceBytes() const;
    std::int64_t momentBytes() const; ///< of one moment; 8-bit has its own arithmetic
    bool classifies() const; ///< the head is a classifier of sequences
};

BatchShape batchOf(const TorchRun& run);
/// How the blocks compute, and what is outside them: embedding, last norm, head and loss.
Kernels layerKernels(const TorchRun& run);
Kernels outerKernels(const TorchRun& run);

/// How layers are recomputed.
struct TorchRecompute {
    enum class Kind : std::uint8_t { None, Full, Operators, Layers };
    Kind kind = Kind::None;
    std::int64_t every = 1; ///< of Layers: each n-th, counted from 1
    bool isRecomputed(std::int64_t layer) const
    {
        return kind == Kind::Full || kind == Kind::Operators
            || (kind == Kind::Layers && (layer + 1) % every == 0);
    }
};
TorchRecompute recomputeOf(const TorchRun& run);

/// All that a run breaks.
std::vector<Refusal> refusals(const TorchRun& run);
/// Throws Failure with the first refusal that leaves nothing to compute.
void refuse(const TorchRun& run);

} // namespace shardrack
