#pragma once

#include "interop/argument_list.h"
#include "interop/imported_run.h"

#include <string>

namespace shardrack {

/// What the arguments alone do not say.
struct MegatronContext {
    bool encoder = false; ///< the BERT script, not the GPT one
    std::string modelName = "Megatron model";
};

/// Reads a list of Megatron-LM arguments: framework "megatron", layout preset megatron. Fails where
/// a value is none (a word where a number belongs, sizes of zero or beyond reason, switches that
/// contradict each other), naming argument, value and what was expected.
Result<ImportedRun> readMegatronArguments(
    const ArgumentList& list, const MegatronContext& context = {});

} // namespace shardrack
