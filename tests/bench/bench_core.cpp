// Prints how long the core takes from an edit to an account. A figure over its budget is for a
// person to look at; nothing here fails.
#include "large_plan.h"

#include "plan/edit.h"
#include "plan/plan_json.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <vector>

using namespace shardrack;

namespace {

/// Median time of `run` in milliseconds.
double median(int rounds, const std::function<void()>& run)
{
    std::vector<double> times;
    for (int round = 0; round < rounds; ++round) {
        const auto start = std::chrono::steady_clock::now();
        run();
        const std::chrono::duration<double, std::milli> took
            = std::chrono::steady_clock::now() - start;
        times.push_back(took.count());
    }
    std::nth_element(times.begin(), times.begin() + rounds / 2, times.end());
    return times[std::size_t(rounds / 2)];
}

/// The plan with every rank placed by hand, as after the first drag of a rank.
Plan byHand(Plan plan)
{
    Offer offer = *plan.offers.front();
    auto placement = std::make_shared<Placement>();
    for (const auto& rack : offer.site.racks)
        for (const Server& server : rack->servers)
            for (int gpu = 0; gpu < server.gpuCount(); ++gpu)
                placement->push_back({ { { server.id, gpu } }, {} });
    offer.layout.placement = std::move(placement);
    offer.layout.ranksFollowHardware = false;
    plan.offers.front() = std::make_shared<const Offer>(std::move(offer));
    return plan;
}

} // namespace

int main()
{
    std::printf("Milliseconds, median. \"hand\": every rank placed by hand, and one is moved.\n");
    std::printf("%8s %8s %8s %8s %8s %8s %10s %10s %10s %10s\n", "GPUs", "index", "layout",
        "account", "judge", "edit", "edit-acct", "hand edit", "hand-acct", "read plan");
    for (const int gpus : { 8, 1'024, 16'384, 131'072 }) {
        const Plan plan = bench::largePlan(gpus);
        const Offer& offer = *plan.offers.front();
        const int rounds = gpus > 100'000 ? 15 : 41;
        const double indexTime
            = median(rounds, [&] { SiteIndex index(offer.site, Catalogue::builtIn()); });
        const SiteIndex index(offer.site, Catalogue::builtIn());
        const double layoutTime
            = median(rounds, [&] { ResolvedLayout layout(offer.layout, index); });
        const ResolvedLayout layout(offer.layout, index);
        const double accountTime
            = median(rounds, [&] { (void)account(*plan.workload, layout, index); });
        const Account accounted = account(*plan.workload, layout, index).value();
        const double judgeTime = median(rounds, [&] {
            (void)judge(
                accounted, *plan.workload, offer.layout, layout, offer.site, index, plan.margin);
        });
        // One server gets less usable memory: the smallest edit that changes what is shown.
        const ServerId server = offer.site.racks.front()->servers.front().id;
        const edit::SetUsable edit { 0, { { server, 0 }, { server, 1 } }, Bytes(72 * kGiB), true };
        const double editTime = median(rounds, [&] { (void)apply(plan, edit); });
        const double together = median(rounds, [&] { (void)assess(apply(plan, edit)->plan, 0); });
        const Plan hand = byHand(plan);
        const edit::MoveRank move { 0, 0, { server, 1 } };
        const double handEdit = median(rounds, [&] { (void)apply(hand, move); });
        const double handAccount = median(rounds, [&] { (void)assess(hand, 0); });
        const std::string text = writePlan(plan);
        const double readTime = median(5, [&] { (void)readPlan(text); });
        std::printf("%8d %8.3f %8.3f %8.3f %8.3f %8.3f %10.3f %10.3f %10.3f %10.3f\n", gpus,
            indexTime, layoutTime, accountTime, judgeTime, editTime, together, handEdit,
            handAccount, readTime);
    }
    return 0;
}
