#pragma once

#include "layout/layout.h"
#include "workload/workload.h"

#include <optional>
#include <string>
#include <vector>

namespace shardrack {

/// One line of the page that shows what another program's settings were taken for.
struct ImportedLine {
    std::string name; ///< as in the file, without dashes; or what is missing or defaulted
    std::string value;
    std::string text; ///< what it was taken for, or why it does not count
};

/// Another program's settings as a model, a recipe and a layout.
struct ImportedRun {
    std::optional<ModelArchitecture> model; ///< absent when something that it needs is missing
    Recipe recipe; ///< with its framework, and the switches that were given
    Layout layout; ///< preset, degrees and order
    std::optional<std::int64_t> gpus; ///< where the settings name them

    std::vector<ImportedLine> understood;
    std::vector<ImportedLine> ignored; ///< changes no memory, or is not known
    std::vector<ImportedLine> unsupported; ///< changes memory in a way that is not computed yet
    std::vector<ImportedLine> missing; ///< needed, and neither given nor defaulted
    std::vector<ImportedLine> defaulted; ///< the program's default, or a named assumption
};

/// The workload of the settings; without a framework where one changes memory in a way that is not
/// computed yet.
Workload workloadOf(const ImportedRun& run);

} // namespace shardrack
