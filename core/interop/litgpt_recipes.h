#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace shardrack {

/// What stands in a recipe of litgpt's and not in its tables of results.
struct LitgptRecipe {
    std::int64_t devices; ///< of the machine's that it uses; 0: all of them
    std::int64_t globalBatch; ///< samples of an optimizer step, over all devices
};

/// The recipe behind a line of one of litgpt's tables of results, if it is known.
///
/// Its table of fine-tuning (config_hub/finetune/README.md) names the machine of each run, and the
/// file beside it (full.yaml) how many of the machine's devices are used: a file for one device has
/// the same line for "1xA10G" and for "4xA10G". Its table of Thunder's runs
/// (extensions/thunder/README.md) gives the commands: a global batch of 32 when sharded, "to
/// disable gradient accumulation", and else the 512 of pretrain.py beside it.
std::optional<LitgptRecipe> litgptRecipe(std::string_view source, std::string model, bool sharded);

} // namespace shardrack
