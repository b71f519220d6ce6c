#pragma once

#include "interop/argument_list.h"

#include "layout/layout.h"
#include "workload/workload.h"

#include <optional>
#include <string>
#include <vector>

namespace shardrack {

/// What the arguments alone do not say.
struct MegatronContext {
    bool encoder = false; ///< the BERT script, not the GPT one
    std::string modelName = "Megatron model";
};

/// One line of the page that shows what a list of arguments was taken for.
struct ArgumentLine {
    std::string name; ///< as in the list, without dashes; or what is missing or defaulted
    std::string value;
    std::string text; ///< what it was taken for, or why it does not count
};

/// A list of Megatron-LM arguments as a model, a recipe and a layout.
struct MegatronArguments {
    std::optional<ModelArchitecture> model; ///< absent when a size that it needs is missing
    Recipe recipe; ///< framework "megatron", with the switches that were given
    Layout layout; ///< preset megatron; degrees and order
    std::optional<std::int64_t> gpus; ///< where the list names nodes and processes

    std::vector<ArgumentLine> understood;
    std::vector<ArgumentLine> ignored; ///< changes no memory, or is not known
    std::vector<ArgumentLine> unsupported; ///< changes memory in a way that is not computed yet
    std::vector<ArgumentLine> missing; ///< needed, and neither given nor defaulted
    std::vector<ArgumentLine> defaulted; ///< the training script's default, or a named assumption
};

/// Reads the arguments. Fails where a value is none (a word where a number belongs, sizes of zero
/// or beyond reason, switches that contradict each other), naming argument, value and what was
/// expected.
Result<MegatronArguments> readMegatronArguments(
    const ArgumentList& list, const MegatronContext& context = {});

/// The workload of the arguments.
Workload workloadOf(const MegatronArguments& arguments);

} // namespace shardrack
