#include "interop/measured.h"

#include "account/constants.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>

namespace shardrack {

namespace {

double quantile(std::vector<double> values, double part)
{
    if (values.empty())
        return 0;
    std::sort(values.begin(), values.end());
    const double at = part * double(values.size() - 1);
    const auto below = std::size_t(at);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    return values[below] + (at - double(below)) * (values[above] - values[below]);
}

std::string fixed(double value, int decimals, bool sign = false)
{
    std::array<char, 64> text {};
    std::snprintf(text.data(), text.size(), sign ? "%+.*f" : "%.*f", decimals, value);
    return text.data();
}

/// The errors of one family and metric; platforms of one case by their median.
struct Errors {
    std::vector<double> rows;
    std::map<std::string, std::vector<double>> byUnit;
};

/// What trusted published runs come to, in a sentence; empty: there is none.
std::string trustedText(const std::vector<MeasuredRow>& rows)
{
    std::vector<double> errors;
    std::array<std::int64_t, 3> ran {}; // fits, tight, over
    std::array<std::int64_t, 2> failed {}; // foreseen, not
    for (const MeasuredRow& row : rows) {
        if (!row.trusted || !row.predictedGib)
            continue;
        if (const auto error = row.errorPercent())
            errors.push_back(std::abs(*error));
        if (row.kind == "oom")
            ++failed[row.verdict == "over" || row.verdict == "tight" ? 0 : 1];
        else
            ++ran[row.verdict == "fits" ? 0 : row.verdict == "tight" ? 1 : 2];
    }
    if (errors.empty())
        return {};
    std::sort(errors.begin(), errors.end());
    // By nearest rank: so many of them are no further off.
    const std::size_t nine = (errors.size() * 9 + 9) / 10 - 1;
    const auto count = [](std::int64_t number) { return std::to_string(number); };
    return count(std::int64_t(errors.size())) + " rows with a figure: median absolute "
        + fixed(quantile(errors, 0.5), 2) + " %, 90th percentile " + fixed(errors[nine], 2)
        + " % (nearest rank), worst " + fixed(errors.back(), 2) + " %. Of "
        + count(ran[0] + ran[1] + ran[2]) + " that ran, " + count(ran[0]) + " fit, " + count(ran[1])
        + " are tight and " + count(ran[2]) + " over; of " + count(failed[0] + failed[1])
        + " that ran out of memory, " + count(failed[0]) + " are over or tight.";
}

} // namespace

std::vector<FamilyScore> scores(const std::vector<MeasuredRow>& rows)
{
    std::vector<std::pair<std::string, std::string>> order;
    std::map<std::pair<std::string, std::string>, Errors> all;
    for (const MeasuredRow& row : rows) {
        const std::pair key { row.family, row.metric };
        if (std::find(order.begin(), order.end(), key) == order.end())
            order.push_back(key);
        if (const auto error = row.errorPercent(); error && !row.suspect) {
            all[key].rows.push_back(*error);
            all[key].byUnit[row.unit].push_back(*error);
        }
    }
    std::vector<FamilyScore> list;
    for (const auto& key : order) {
        const Errors& errors = all[key];
        FamilyScore score;
        score.family = key.first;
        score.metric = key.second;
        score.rows = std::int64_t(errors.rows.size());
        score.cases = std::int64_t(errors.byUnit.size());
        std::vector<double> cases;
        std::vector<double> absolute;
        std::int64_t within = 0;
        for (const auto& [unit, values] : errors.byUnit)
            cases.push_back(quantile(values, 0.5));
        for (const double error : cases) {
            absolute.push_back(std::abs(error));
            score.meanAbsolute += std::abs(error) / double(cases.size());
            score.worstAbsolute = std::max(score.worstAbsolute, std::abs(error));
        }
        for (const double error : errors.rows)
            within += std::abs(error) <= 10 ? 1 : 0;
        score.medianSigned = quantile(cases, 0.5);
        score.medianAbsolute = quantile(absolute, 0.5);
        score.p90Absolute = quantile(absolute, 0.9);
        score.within10
            = errors.rows.empty() ? 0 : 100.0 * double(within) / double(errors.rows.size());
        list.push_back(score);
    }
    return list;
}

Json measuredJson(const std::vector<MeasuredRow>& rows)
{
    const auto optional
        = [](const std::optional<double>& value) { return value ? Json(*value) : Json(); };
    Json list = Json::array();
    for (const MeasuredRow& row : rows)
        list.push_back({ { "id", row.id }, { "family", row.family }, { "kind", row.kind },
            { "metric", row.metric }, { "measured_gib", optional(row.measuredGib) },
            { "predicted_gib", optional(row.predictedGib) },
            { "error_pct", optional(row.errorPercent()) }, { "rank", row.rank },
            { "verdict", row.verdict.empty() ? "open" : row.verdict }, { "assumed", row.assumed },
            { "skipped", row.skipped.empty() ? Json() : Json(row.skipped) },
            { "suspect", row.suspect },
            { "otherwise", row.otherwise.empty() ? Json() : Json(row.otherwise) } });
    Json summary = Json::object();
    const auto figures = [](const FamilyScore& score) {
        return Json { { "rows", score.rows }, { "cases", score.cases },
            { "median_signed_pct", score.medianSigned }, { "median_abs_pct", score.medianAbsolute },
            { "p90_abs_pct", score.p90Absolute }, { "mean_abs_pct", score.meanAbsolute },
            { "worst_abs_pct", score.worstAbsolute }, { "within_10_pct", score.within10 } };
    };
    // A family's own figures are those of its allocated peak; each metric has its own beside them.
    const std::vector<FamilyScore> list2 = scores(rows);
    for (const FamilyScore& score : list2) {
        Json& family = summary[score.family];
        if (family.is_null() || score.metric == "allocated") {
            Json metrics = family.is_null() ? Json::object() : family["metrics"];
            family = figures(score);
            family["metrics"] = std::move(metrics);
        }
        family["metrics"][score.metric] = figures(score);
    }
    return { { "rows", std::move(list) }, { "summary", std::move(summary) } };
}

std::string measuredText(const std::vector<MeasuredRow>& rows)
{
    std::string text
        = "Predicted against measured, in percent of the measured figure; rows of one case on "
          "several\nplatforms count by their median.\n\n"
          "family          metric       rows  cases  median  |median|   |p90|  |worst|\n";
    for (const FamilyScore& score : scores(rows)) {
        std::array<char, 160> line {};
        if (score.rows == 0)
            std::snprintf(line.data(), line.size(), "%-15s %-11s %5d  nothing predicted\n",
                score.family.c_str(), score.metric.c_str(), 0);
        else
            std::snprintf(line.data(), line.size(),
                "%-15s %-11s %5lld %6lld %+7.2f %9.2f %7.2f %8.2f\n", score.family.c_str(),
                score.metric.c_str(), static_cast<long long>(score.rows),
                static_cast<long long>(score.cases), score.medianSigned, score.medianAbsolute,
                score.p90Absolute, score.worstAbsolute);
        text += line.data();
    }
    if (const std::string trusted = trustedText(rows); !trusted.empty())
        text += "\nPublished runs with every field given and trusted, none in 8 bits: " + trusted
            + "\n";
    std::map<std::string, std::int64_t> skipped;
    for (const MeasuredRow& row : rows)
        if (!row.skipped.empty())
            ++skipped[row.skipped];
    if (!skipped.empty())
        text += "\nNot predicted:\n";
    for (const auto& [why, count] : skipped)
        text += "  " + std::to_string(count) + "  " + why + "\n";
    return text;
}

std::string measuredMarkdown(const std::vector<MeasuredRow>& rows)
{
    std::string text
        = "# Accuracy\n\n"
          "Written by `shardrack-cli validate --markdown FILE…`; not edited by hand. Predicted ÷ "
          "measured − 1, in percent. Rows of one case on several platforms count by their "
          "median.\n\n"
          "| family | metric | rows | cases | median | median absolute | 90th percentile | mean "
          "absolute | worst |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n";
    for (const FamilyScore& score : scores(rows)) {
        text += "| " + score.family + " | " + score.metric + " | ";
        if (score.rows == 0) {
            text += "0 | 0 | – | – | – | – | – |\n";
            continue;
        }
        text += std::to_string(score.rows) + " | " + std::to_string(score.cases) + " | "
            + fixed(score.medianSigned, 2, true) + " | " + fixed(score.medianAbsolute, 3) + " | "
            + fixed(score.p90Absolute, 2) + " | " + fixed(score.meanAbsolute, 3) + " | "
            + fixed(score.worstAbsolute, 2) + " |\n";
    }
    if (const std::string trusted = trustedText(rows); !trusted.empty())
        text += "\n## Published runs with every field given and trusted\n\nWithout those in 8 bits "
                "or fewer. "
            + trusted + "\n";
    // By what happened: each row of a run that has several counts once, by its allocated peak.
    std::map<std::string, std::array<std::int64_t, 4>> verdicts;
    constexpr std::array<const char*, 4> kVerdicts { "fits", "tight", "over", "open" };
    std::map<std::string, std::int64_t> skipped;
    std::vector<const MeasuredRow*> worst;
    for (const MeasuredRow& row : rows) {
        if (!row.skipped.empty())
            ++skipped[row.skipped];
        if (row.suspect)
            continue;
        const bool once = row.metric == "allocated" || row.family != "megatron_ci";
        if (row.predictedGib && once && row.metric != "rest")
            for (std::size_t i = 0; i < kVerdicts.size(); ++i)
                if (row.verdict == kVerdicts[i])
                    ++verdicts[row.kind == "oom" ? "ran out of memory" : "ran"][i];
        if (row.errorPercent() && once && row.metric != "rest")
            worst.push_back(&row);
    }
    text += "\n## Verdicts\n\n| run | fits | tight | over | open |\n| --- | --- | --- | --- | --- "
            "|\n";
    for (const auto& [outcome, counts] : verdicts) {
        text += "| " + outcome;
        for (const std::int64_t count : counts)
            text += " | " + std::to_string(count);
        text += " |\n";
    }
    std::stable_sort(worst.begin(), worst.end(), [](const MeasuredRow* a, const MeasuredRow* b) {
        return std::abs(*a->errorPercent()) > std::abs(*b->errorPercent());
    });
    text += "\n## The worst twenty rows\n\n| row | measured, GiB | predicted, GiB | error, % | "
            "would "
            "agree better with |\n| --- | --- | --- | --- | --- |\n";
    for (std::size_t i = 0; i < std::min<std::size_t>(20, worst.size()); ++i)
        text += "| " + worst[i]->id + " | " + fixed(*worst[i]->measuredGib, 3) + " | "
            + fixed(*worst[i]->predictedGib, 3) + " | " + fixed(*worst[i]->errorPercent(), 2, true)
            + " | "
            + (worst[i]->otherwise.empty() ? "nothing that was assumed" : worst[i]->otherwise)
            + " |\n";
    text += "\n## Not predicted\n\n| rows | why |\n| --- | --- |\n";
    for (const auto& [why, count] : skipped)
        text += "| " + std::to_string(count) + " | " + why + " |\n";
    text += "\n## Amounts that no arithmetic gives\n\n| constant | value | range | unit | "
            "mechanism | source |\n"
            "| --- | --- | --- | --- | --- | --- |\n";
    for (const Constant& constant : constants())
        text += "| " + constant.id + " | " + std::to_string(constant.value) + " | "
            + std::to_string(constant.low) + " to " + std::to_string(constant.high) + " | "
            + constant.unit + " | " + constant.mechanism + " | " + constant.source + " |\n";
    return text;
}

} // namespace shardrack
