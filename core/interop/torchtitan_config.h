#pragma once

#include "interop/imported_run.h"

#include <string>
#include <string_view>

namespace shardrack {

/// Reads a configuration file of torchtitan (TOML, as its train_configs were written from 2024 to
/// 2025, whichever table a key stood in at the time): framework "torchtitan", a layout of replicas,
/// FSDP or HSDP. A model that torchtitan has no dense flavour of is told as missing. Fails where
/// the text is no TOML (line and column), or a value is none (key, value, what was expected).
/// Source of names, defaults and flavours: pytorch/torchtitan, torchtitan/config/job_config.py and
/// torchtitan/models/*/__init__.py.
Result<ImportedRun> readTorchtitanConfig(std::string_view text, const std::string& name);

} // namespace shardrack
