#include "interop/torchtitan_models.h"

#include <array>

namespace shardrack {

namespace {

struct Flavour {
    const char* model;
    const char* flavour;
    std::int64_t hidden;
    std::int64_t layers;
    std::int64_t heads;
    std::int64_t kvHeads;
    std::int64_t headDim;
    std::int64_t ffn;
    std::int64_t vocabulary;
    bool tied;
    bool queryKeyNorm;
};

// The width of llama's MLP is two thirds of four times the hidden size, times a factor, rounded up
// to a multiple: 8B: 4,096 × 8/3 × 1.3 to 1,024; 70B: 8,192 × 8/3 × 1.3 to 4,096; 405B: 16,384 ×
// 8/3 × 1.2 to 4,096.
constexpr std::array<Flavour, 17> kFlavours { {
    { "llama2", "7B", 4096, 32, 32, 32, 128, 11008, 32000, false, false },
    { "llama2", "13B", 5120, 40, 40, 40, 128, 13824, 32000, false, false },
    { "llama2", "26B", 5120, 80, 40, 40, 128, 13824, 32000, false, false },
    { "llama2", "70B", 8192, 80, 64, 8, 128, 28672, 32000, false, false },
    { "llama3", "8B", 4096, 32, 32, 8, 128, 14336, 128256, false, false },
    { "llama3", "8B_flex", 4096, 32, 32, 8, 128, 14336, 128256, false, false },
    { "llama3", "8B_varlen", 4096, 32, 32, 8, 128, 14336, 128256, false, false },
    { "llama3", "70B", 8192, 80, 64, 8, 128, 28672, 128256, false, false },
    { "llama3", "405B", 16384, 126, 128, 8, 128, 53248, 128256, false, false },
    { "llama3", "debugmodel", 256, 6, 16, 16, 16, 768, 2048, false, false },
    { "qwen3", "debugmodel", 256, 8, 16, 8, 128, 3072, 2048, true, true },
    { "qwen3", "0.6B", 1024, 28, 16, 8, 128, 3072, 151936, true, true },
    { "qwen3", "1.7B", 2048, 28, 16, 8, 128, 6144, 151936, true, true },
    { "qwen3", "4B", 2560, 36, 32, 8, 128, 9728, 151936, true, true },
    { "qwen3", "8B", 4096, 36, 32, 8, 128, 12288, 151936, false, true },
    { "qwen3", "14B", 5120, 40, 40, 8, 128, 17408, 151936, false, true },
    { "qwen3", "32B", 5120, 64, 64, 8, 128, 25600, 151936, false, true },
} };

} // namespace

std::optional<TransformerShape> torchtitanModel(std::string_view name, std::string_view flavour)
{
    for (const Flavour& each : kFlavours) {
        if (name != each.model || flavour != each.flavour)
            continue;
        TransformerShape shape;
        shape.hidden = each.hidden;
        shape.layers = each.layers;
        shape.heads = each.heads;
        shape.kvHeads = each.kvHeads;
        shape.headDim = each.headDim;
        shape.ffn = each.ffn;
        shape.vocabulary = each.vocabulary;
        shape.tied = each.tied;
        shape.queryKeyNorm = each.queryKeyNorm;
        shape.rotary = shape.gated = shape.rmsNorm = true;
        shape.activation = TransformerShape::Activation::Silu;
        return shape;
    }
    return std::nullopt;
}

} // namespace shardrack
