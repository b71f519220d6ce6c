#pragma once

#include "report/layout.h"
#include "report/report_options.h"

#include "plan/plan.h"

#include <QDate>

#include <map>
#include <memory>

namespace shardrack {

/// What a report is made from: a snapshot, so that the plan may change meanwhile.
struct ReportInput {
    std::shared_ptr<const Plan> plan;
    /// Parallel to Plan::offers; null entries, and all when empty, are computed.
    std::vector<std::shared_ptr<const Assessment>> assessments;
    QString program; ///< "Shardrack 0.1.0"
    QDate date;
};

/// Pages of headings by anchor, from 1, for the contents.
using PageNumbers = std::map<QString, int>;

/// The report as a document without pages. `numbers` may be empty: the contents then say none.
ReportDocument composeReport(
    const ReportInput& input, const ReportOptions& options, const PageNumbers& numbers = {});

/// The report on pages, with the page numbers of its contents.
std::unique_ptr<LaidOutReport> layoutReport(const ReportInput& input, const ReportOptions& options);

} // namespace shardrack
