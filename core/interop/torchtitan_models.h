#pragma once

#include "workload/transformer.h"

#include <optional>
#include <string_view>

namespace shardrack {

/// A dense model of torchtitan by its name and flavour ("llama3", "8B"); absent for another.
/// Source: pytorch/torchtitan, torchtitan/models/{llama,llama3,qwen3}/__init__.py.
std::optional<TransformerShape> torchtitanModel(std::string_view name, std::string_view flavour);

} // namespace shardrack
