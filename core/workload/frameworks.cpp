#include "workload/frameworks.h"

#include "workload/pytorch_switches.h"

#include <algorithm>

namespace shardrack {

const std::vector<Framework>& frameworks()
{
    static const std::vector<Framework> list = [] {
        std::vector<Framework> made {
            { "megatron", "Megatron-LM", Framework::Family::Megatron, &megatronTable() },
        };
        const auto torch = [&](const char* id, const char* title) {
            made.push_back({ id, title, Framework::Family::Torch, torchTable(id) });
        };
        torch("torchtitan", "torchtitan");
        torch("torchtune", "torchtune");
        torch("pytorch-fsdp2", "PyTorch FSDP2");
        torch("pytorch-ddp", "PyTorch DDP");
        torch("hf-trainer", "Hugging Face Trainer");
        torch("litgpt", "litgpt");
        torch("composer", "composer (MPT)");
        return made;
    }();
    return list;
}

const Framework* framework(std::string_view id)
{
    const auto& all = frameworks();
    const auto found = std::find_if(
        all.begin(), all.end(), [id](const Framework& each) { return id == each.id; });
    return found == all.end() ? nullptr : &*found;
}

bool isMegatron(const Recipe& recipe)
{
    const Framework* chosen = framework(recipe.framework);
    return chosen && chosen->family == Framework::Family::Megatron;
}

bool isTorch(const Recipe& recipe)
{
    const Framework* chosen = framework(recipe.framework);
    return chosen && chosen->family == Framework::Family::Torch;
}

const SwitchValues& switchesOf(const Recipe& recipe, const Framework& framework)
{
    return framework.family == Framework::Family::Megatron ? recipe.megatron : recipe.pytorch;
}

SwitchValues& switchesOf(Recipe& recipe, const Framework& framework)
{
    return framework.family == Framework::Family::Megatron ? recipe.megatron : recipe.pytorch;
}

} // namespace shardrack
