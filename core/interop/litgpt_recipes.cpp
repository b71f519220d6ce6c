#include "interop/litgpt_recipes.h"

#include <array>
#include <cctype>

namespace shardrack {

namespace {

/// `devices` and `train.global_batch_size` of config_hub/finetune/*/full.yaml.
struct Full {
    const char* model; ///< how its name begins, in lower case
    LitgptRecipe recipe;
};
constexpr std::array<Full, 10> kFull { {
    { "gemma-2b", { 4, 16 } },
    { "llama-2-7b", { 4, 64 } },
    { "llama-3-8b", { 4, 64 } },
    { "llama-3.1-8b", { 4, 64 } },
    { "llama-3.2-1b", { 1, 64 } },
    { "llama-3.2-3b", { 1, 64 } },
    { "phi-2", { 2, 8 } },
    { "phi-3", { 1, 8 } },
    { "stablelm-base-alpha-3b", { 2, 8 } },
    { "tinyllama", { 1, 32 } },
} };

} // namespace

std::optional<LitgptRecipe> litgptRecipe(std::string_view source, std::string model, bool sharded)
{
    const auto from = [&](const char* page) { return source.find(page) != std::string_view::npos; };
    if (from("litgpt:extensions/thunder"))
        return LitgptRecipe { 0, sharded ? 32 : 512 };
    if (!from("litgpt:config_hub/finetune"))
        return std::nullopt;
    for (char& letter : model)
        letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    for (const Full& full : kFull)
        if (model.rfind(full.model, 0) == 0)
            return full.recipe;
    return std::nullopt;
}

} // namespace shardrack
