#include "report/compose.h"

#include "report/composer.h"

namespace shardrack {

namespace {

Comparison comparisonOf(const ReportInput& input, const ReportOptions& options)
{
    ComparisonChoice choice;
    choice.offers = options.offers;
    choice.baseline = options.offers.empty() ? 0 : options.offers.front();
    return compare(input.plan, choice, input.assessments);
}

} // namespace

ReportDocument composeReport(
    const ReportInput& input, const ReportOptions& options, const PageNumbers& numbers)
{
    return Composer(input, options, comparisonOf(input, options)).compose(numbers);
}

std::unique_ptr<LaidOutReport> layoutReport(const ReportInput& input, const ReportOptions& options)
{
    const Comparison comparison = comparisonOf(input, options);
    PageNumbers numbers;
    // Numbers of one more digit can move a line, and that a heading: twice is nearly always enough.
    for (int round = 0;; ++round) {
        auto report = std::make_unique<LaidOutReport>(
            Composer(input, options, comparison).compose(numbers), options.paper);
        PageNumbers found;
        for (const OutlineEntry& entry : report->outline())
            found[entry.anchor] = entry.page + 1;
        constexpr int kMostRounds = 3;
        if (found == numbers || round == kMostRounds)
            return report;
        numbers = std::move(found);
    }
}

} // namespace shardrack
