#pragma once

#include "base/json.h"
#include "workload/megatron_switches.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace shardrack {

/// How many bytes each trained parameter needs, by what they are for.
struct BytesPerParameter {
    std::int64_t parameters = 0; ///< the copy that computes
    std::int64_t gradients = 0;
    std::int64_t optimizer = 0; ///< moments
    std::int64_t master = 0; ///< separate full-precision copy; part of the optimizer state
    std::int64_t total() const { return parameters + gradients + optimizer + master; }
    bool operator==(const BytesPerParameter&) const = default;
};

struct RecipePreset {
    std::string id; ///< "mixed-adam"
    std::string title; ///< "Mixed-precision Adam, 2 + 2 + 8 + 4"
    std::string optimizer; ///< "adamw", "sgd", "momentum"
    BytesPerParameter bytes;
    std::string source; ///< paper, documentation page or repository path
};
/// fp32 Adam 4+4+8; mixed Adam 2+2+4+8; FSDP2 with fp32 shards 4+4+8; bf16 weights with fp32
/// gradients and master 2+4+4+8; bf16 only; SGD; momentum.
const std::vector<RecipePreset>& recipePresets();

/// How the model is trained. What is not given is absent and shown as such.
struct Recipe {
    std::string framework; ///< "torchtitan", "megatron", …; empty: none chosen
    std::optional<BytesPerParameter> bytesPerParameter;
    std::string optimizer;
    std::optional<std::int64_t> microBatch; ///< sequences a rank and micro-step
    std::optional<std::int64_t> accumulation; ///< micro-steps an optimizer step
    std::optional<std::int64_t> globalBatch; ///< sequences an optimizer step
    std::optional<std::int64_t> sequence; ///< tokens
    std::string recompute; ///< "none", "full", "selective"; empty: not given
    // Words that a comparison needs and no figure follows from; empty: not given.
    std::string frameworkVersion; ///< "2.6.0"
    std::string trained; ///< which parameters are trained: "all"
    std::string formats; ///< number formats: "bf16 computation, fp32 reduction"
    std::string offload; ///< state kept elsewhere than on the devices: "none", "optimizer state in
                         ///< host memory"
    std::string savers; ///< other means that save memory
    // The switches that somebody gave; those of the other family are kept.
    SwitchValues megatron; ///< of framework "megatron"
    SwitchValues pytorch; ///< of every framework that is built on torch
    Extra extra;
    friend bool operator==(const Recipe& a, const Recipe& b);
};

} // namespace shardrack
