// Prints how long a report takes: three offers with 16,384 GPUs each, from the plan to the finished
// PDF, off screen. The budget is 1.5 s; a figure over it is for a person to look at.
#include "large_plan.h"

#include "report/export.h"

#include <QElapsedTimer>
#include <QGuiApplication>

#include <algorithm>
#include <cstdio>
#include <vector>

using namespace shardrack;

namespace {

/// Three offers, the third with another micro-batch: on a changed basis.
ReportInput inputOf(int gpus)
{
    Plan plan = bench::largePlan(gpus);
    for (int i = 1; i < 3; ++i) {
        Offer offer = *plan.offers.front();
        offer.name = i == 1 ? "Offer B" : "Offer C";
        offer.layout.dpShard = 16 * i;
        offer.layout.dpReplicate = gpus / (16 * i);
        if (i == 2) {
            auto workload = std::make_shared<Workload>(*plan.workload);
            workload->recipe.microBatch = 4;
            offer.workload = std::move(workload);
        }
        plan.offers.push_back(std::make_shared<const Offer>(std::move(offer)));
    }
    ReportInput input;
    input.plan = std::make_shared<const Plan>(std::move(plan));
    input.program = QStringLiteral("Shardrack");
    input.date = QDate::currentDate();
    return input;
}

} // namespace

int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QGuiApplication app(argc, argv);
    std::printf(
        "%9s | %12s | %12s | %6s | %9s\n", "GPUs", "pages, ms", "PDF, ms", "pages", "bytes");
    for (const int gpus : { 32, 16'384 }) {
        std::vector<double> layouts;
        std::vector<double> all;
        int pages = 0;
        qsizetype bytes = 0;
        for (int round = 0; round < 5; ++round) {
            const ReportInput input = inputOf(gpus); // nothing is assessed yet
            QElapsedTimer timer;
            timer.start();
            const auto report = layoutReport(input, {});
            layouts.push_back(double(timer.nsecsElapsed()) / 1e6);
            const auto pdf = reportPdf(*report, input, {});
            all.push_back(double(timer.nsecsElapsed()) / 1e6);
            pages = report->pageCount();
            bytes = pdf.ok() ? pdf->size() : 0;
        }
        std::nth_element(layouts.begin(), layouts.begin() + 2, layouts.end());
        std::nth_element(all.begin(), all.begin() + 2, all.end());
        std::printf("%9d | %12.0f | %12.0f | %6d | %9lld\n", gpus, layouts[2], all[2], pages,
            static_cast<long long>(bytes));
    }
    return 0;
}
