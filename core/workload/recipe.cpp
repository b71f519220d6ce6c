#include "workload/recipe.h"

namespace shardrack {

const std::vector<RecipePreset>& recipePresets()
{
    // In titles as in the table: parameters, gradients, moments, master copy.
    static const std::vector<RecipePreset> presets = {
        { "fp32-adam", "fp32 Adam, 4 + 4 + 8", "adamw", { 4, 4, 8, 0 },
            "Kingma and Ba, arXiv:1412.6980, algorithm 1: two moments a parameter; "
            "torch.optim.Adam "
            "keeps them in the parameter's format" },
        { "mixed-adam", "Mixed-precision Adam, 2 + 2 + 8 + 4", "adamw", { 2, 2, 8, 4 },
            "Rajbhandari et al., ZeRO, arXiv:1910.02054, section 3.1: 16 bytes a parameter, 12 of "
            "them "
            "optimizer state" },
        { "fsdp2-fp32", "FSDP2, fp32 shards, bf16 computation, 4 + 4 + 8", "adamw", { 4, 4, 8, 0 },
            "pytorch/torchtitan docs/fsdp.md: sharded parameters, gradients and moments stay in "
            "fp32; "
            "16-bit copies are gathered for computation" },
        { "bf16-fp32-gradients", "bf16 weights, fp32 gradients and master, 2 + 4 + 8 + 4", "adamw",
            { 2, 4, 8, 4 },
            "NVIDIA/Megatron-LM docs/user-guide/features/dist_optimizer.md: bf16 parameters with "
            "fp32 "
            "gradients, 18 bytes a parameter" },
        { "bf16-adam", "bf16 only Adam, 2 + 2 + 4", "adamw", { 2, 2, 4, 0 },
            "torch.optim.Adam keeps both moments in the parameter's format, here bf16 "
            "(pytorch/torchtune: dtype bf16 in its full fine-tuning recipes)" },
        { "sgd", "fp32 SGD, 4 + 4", "sgd", { 4, 4, 0, 0 },
            "torch.optim.SGD with momentum 0 keeps no state" },
        { "momentum", "fp32 SGD with momentum, 4 + 4 + 4", "momentum", { 4, 4, 4, 0 },
            "torch.optim.SGD with momentum keeps one momentum_buffer a parameter" },
    };
    return presets;
}

bool operator==(const Recipe& a, const Recipe& b)
{
    return a.framework == b.framework && a.bytesPerParameter == b.bytesPerParameter
        && a.optimizer == b.optimizer && a.microBatch == b.microBatch
        && a.accumulation == b.accumulation && a.globalBatch == b.globalBatch
        && a.sequence == b.sequence && a.recompute == b.recompute
        && a.frameworkVersion == b.frameworkVersion && a.trained == b.trained
        && a.formats == b.formats && a.offload == b.offload && a.savers == b.savers
        && a.megatron == b.megatron && a.pytorch == b.pytorch && sameExtra(a.extra, b.extra);
}

} // namespace shardrack
