#pragma once

#include "base/json.h"

#include <optional>
#include <string>
#include <vector>

namespace shardrack {

/// One figure of a measured run beside what is predicted for it.
struct MeasuredRow {
    std::string id;
    std::string family; ///< "megatron_ci", "simumax", …
    std::string kind; ///< what the record measured: "peak_allocated", "static_allocated", …
    std::string metric; ///< "allocated", "reserved", "rest", "first_step", …
    std::optional<double> measuredGib;
    std::optional<double> predictedGib;
    std::int64_t rank = 0;
    std::string verdict; ///< "over", "tight", "fits", "open"; empty: not computed
    std::vector<std::string> assumed;
    std::string skipped; ///< why nothing is predicted; empty: something is
    /// Where something was assumed that a run can have otherwise, and the figure then agrees
    /// better: what, and the error that is left. Only words: the prediction is not changed by it.
    std::string otherwise;
    /// Whoever collected the figure doubts it: it is predicted, and counts in no score.
    bool suspect = false;
    /// Of a published run: every field is given, whoever collected it trusts it, and nothing was
    /// computed in 8 bits or fewer.
    bool trusted = false;
    std::string unit; ///< rows of the same case on other platforms are scored together

    /// predicted ÷ measured − 1, in percent.
    std::optional<double> errorPercent() const;
};

/// Reads a file of measured runs (Megatron test runs, published runs, or tables of other estimators
/// with measured rows) and predicts what can be predicted. A row that cannot is there with the
/// reason. Throws Failure for a file of another kind.
std::vector<MeasuredRow> predictMeasured(const Json& file);

/// One family's errors.
struct FamilyScore {
    std::string family;
    std::string metric;
    std::int64_t rows = 0; ///< with a prediction
    std::int64_t cases = 0; ///< rows of one case on several platforms count once, by their median
    double medianSigned = 0;
    double medianAbsolute = 0;
    double p90Absolute = 0;
    double meanAbsolute = 0;
    double worstAbsolute = 0;
    double within10 = 0; ///< percent of the rows
};
/// By family and metric, in order of appearance.
std::vector<FamilyScore> scores(const std::vector<MeasuredRow>& rows);

/// The contract of `shardrack-cli validate --json`.
Json measuredJson(const std::vector<MeasuredRow>& rows);
/// A table for people.
std::string measuredText(const std::vector<MeasuredRow>& rows);
/// docs/accuracy.md.
std::string measuredMarkdown(const std::vector<MeasuredRow>& rows);

} // namespace shardrack
