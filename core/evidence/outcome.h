#pragma once

#include "base/json.h"

#include <optional>
#include <string>
#include <string_view>

namespace shardrack {

/// The third finding: what a training run was worth.
enum class TrainingResult { NotEvaluated, Accepted, Rejected };
/// The ids of the command line: "not evaluated", "accepted", "rejected".
const char* id(TrainingResult result);
/// For people: "Not evaluated", "Accepted", "Rejected".
const char* title(TrainingResult result);
std::optional<TrainingResult> trainingResult(std::string_view id);

/// A recorded outcome of training an offer. An accepted or rejected result names the criterion it
/// was judged by; figures are texts, shown as they were given.
struct TrainingOutcome {
    TrainingResult result = TrainingResult::NotEvaluated;
    std::string criterion; ///< quality and performance requirement: "validation loss ≤ 2.10"
    std::string value; ///< what was reached: "2.08"
    std::string throughput; ///< with its unit: "11,400 tokens/s a GPU"
    std::string software;
    std::string interconnect;
    std::string note;
    std::string basis; ///< as Measurement::basis
    Extra extra;
    friend bool operator==(const TrainingOutcome& a, const TrainingOutcome& b);
};

} // namespace shardrack
