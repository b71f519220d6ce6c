#include "judge/warnings.h"

#include "base/size_text.h"

#include <algorithm>

namespace shardrack {

namespace {

using Severity = Warning::Severity;
using Topic = Warning::Topic;

constexpr std::size_t kMostSentences = 4;

std::string joined(const std::vector<std::string>& sentences)
{
    std::string text;
    for (std::size_t i = 0; i < std::min(sentences.size(), kMostSentences); ++i)
        text += (text.empty() ? "" : " ") + sentences[i];
    if (sentences.size() > kMostSentences)
        text += " And " + grouped(static_cast<std::int64_t>(sentences.size() - kMostSentences))
            + " more.";
    return text;
}

void addDemonstration(std::vector<Warning>& warnings, const Judged& judged)
{
    const Demonstration& shown = judged.findings.demonstration;
    if (shown.value == Demonstrated::Contradicted) {
        warnings.push_back({ Severity::Error, "Demonstrated fit: contradicted", shown.rule,
            "Find out what that run held, and correct the terms or the offer.", Topic::Evidence });
    } else if (shown.value == Demonstrated::Partial) {
        const std::string rest = joined(shown.shortfalls);
        const bool said = shown.rule.find(rest) != std::string::npos;
        warnings.push_back(
            { Severity::Note, "Demonstrated fit: partial", shown.rule + (said ? "" : " " + rest),
                "Measure device memory on every device over initialization and at least "
                    + grouped(kCompleteSteps) + " complete steps.",
                Topic::Evidence });
    } else if (!shown.shortfalls.empty() && shown.value == Demonstrated::None) {
        warnings.push_back({ Severity::Note, "Evidence that does not count",
            joined(shown.shortfalls), "Measure the offer as it stands.", Topic::Evidence });
    }
}

void addResult(std::vector<Warning>& warnings, const Evidence& evidence)
{
    if (!evidence.outcome || evidence.outcome->result == TrainingResult::NotEvaluated)
        return;
    const TrainingOutcome& outcome = *evidence.outcome;
    const std::string verdict = std::string(title(outcome.result)) + " by: " + outcome.criterion
        + (outcome.value.empty() ? "" : "; reached " + outcome.value) + ".";
    if (!evidence.outcomeApplies)
        warnings.push_back({ Severity::Note, "Training result of another state",
            verdict + " It was recorded for another state of this offer and does not count.",
            "Record the result of the offer as it stands.", Topic::Result });
    else
        warnings.push_back(
            { outcome.result == TrainingResult::Rejected ? Severity::Warning : Severity::Note,
                "Training result", verdict, "", Topic::Result });
}

} // namespace

void addEvidence(std::vector<Warning>& warnings, const Judged& judged)
{
    addDemonstration(warnings, judged);
    addResult(warnings, judged.evidence);
}

} // namespace shardrack
