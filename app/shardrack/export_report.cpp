#include "export_report.h"

#include "document/plan_file.h"
#include "report/export.h"

#include <cstdio>

namespace shardrack {

namespace {

constexpr int kBadInput = 2;

int fail(const Error& error)
{
    std::fprintf(stderr, "shardrack: %s\n", error.text().c_str());
    return kBadInput;
}

} // namespace

int exportReport(const Startup& startup)
{
    const auto reading = readPlanFile(startup.plan);
    if (!reading)
        return fail(reading.error());
    ReportInput input;
    input.plan = std::make_shared<const Plan>(reading->plan);
    input.program = QStringLiteral("Shardrack " SHARDRACK_VERSION);
    input.date = QDate::currentDate();
    if (!ReportStyle::fontInstalled())
        std::fputs(
            "shardrack: Noto Sans is not installed; the report is set in another font\n", stderr);
    if (const auto error = exportPdf(*startup.exportPdf, input, startup.report))
        return fail(*error);
    return 0;
}

} // namespace shardrack
