// Prints how long the core takes from an edit to an account. A figure over its budget is for a
// person to look at; nothing here fails.
#include "large_plan.h"

#include "account/megatron/rank_account.h"
#include "account/pytorch/rank_account.h"
#include "account/pytorch/replay.h"
#include "account/pytorch/search.h"
#include "plan/comparison.h"
#include "plan/edit.h"
#include "plan/plan_json.h"
#include "plan/rank_timeline.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
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

/// Median processor time of `run` in milliseconds: other work on the machine does not count.
double medianCpu(int rounds, const std::function<void()>& run)
{
    std::vector<double> times;
    for (int round = 0; round < rounds; ++round) {
        const std::clock_t start = std::clock();
        run();
        times.push_back(1000.0 * double(std::clock() - start) / CLOCKS_PER_SEC);
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

/// GPT-3 175B: 96 layers, hidden 12,288, 96 heads (arXiv:2005.14165).
TransformerShape gpt3()
{
    TransformerShape shape;
    shape.layers = 96;
    shape.hidden = 12288;
    shape.heads = shape.kvHeads = 96;
    shape.headDim = 128;
    shape.ffn = 49152;
    shape.vocabulary = 50257;
    shape.positions = 2048;
    shape.queryBias = shape.outputBias = shape.mlpBias = shape.tied = true;
    return shape;
}

/// Every legal tensor × pipeline × data × micro-batch × recompute layout on 1,024 GPUs.
std::vector<MegatronRun> searchSpace()
{
    std::vector<MegatronRun> runs;
    MegatronSwitches switches;
    switches.set(Switch::DistributedOptimizer, 1);
    switches.set(Switch::SequenceParallel, 1);
    MegatronRun run;
    run.shape = gpt3();
    run.architecture = 90;
    run.settings = resolveSwitches(switches, 90);
    run.sequence = 2048;
    for (const std::int64_t tensor : { 1, 2, 4, 8, 16, 32 })
        for (const std::int64_t pipeline : { 1, 2, 4, 8, 16, 32 })
            for (const std::int64_t micro : { 1, 2, 4, 8 })
                for (const char* recompute : { "none", "selective", "full" }) {
                    run.degrees = { tensor, 1, pipeline, 1024 / (tensor * pipeline) };
                    run.microBatch = micro;
                    run.recompute = recompute;
                    run.microBatches = 1536 / (micro * run.degrees.data);
                    if (run.degrees.data >= 1 && run.microBatches >= 1
                        && 1536 % (micro * run.degrees.data) == 0 && refusals(run).empty())
                        runs.push_back(run);
                }
    return runs;
}

void searchBench()
{
    const std::vector<MegatronRun> runs = searchSpace();
    Bytes sum;
    std::int64_t classes = 0;
    const double time = medianCpu(21, [&] {
        classes = 0;
        for (const MegatronRun& run : runs) {
            MegatronMemory memory(run);
            for (std::int64_t stage = 0; stage < memory.stages(); ++stage)
                sum = std::max(sum, total(memory.steadyPeak(stage).held));
            classes += memory.stages();
        }
    });
    std::printf("search: %zu layouts of GPT-3 175B on 1,024 GPUs, %.1f rank classes each: %.2f us "
                "a layout\n",
        runs.size(), double(classes) / double(runs.size()), time * 1000 / double(runs.size()));
}

/// One rank as the timeline shows it: names, events, moments, and what is held at one of them.
void timelineBench(const Workload& workload, const Layout& layout, const Site& site)
{
    Plan plan = emptyPlan();
    plan.workload = std::make_shared<const Workload>(workload);
    Offer offer = emptyOffer("A");
    offer.site = site;
    offer.layout = layout;
    plan.offers.push_back(std::make_shared<const Offer>(offer));
    const auto assessment = assess(plan, 0);
    std::size_t moments = 0;
    std::size_t peak = 0;
    const double time = medianCpu(21, [&] {
        const RankTimeline timeline = rankTimeline(workload, *assessment, 77).value();
        moments = timeline.timeline.moments.size();
        peak = timeline.timeline.peak;
    });
    const RankTimeline timeline = rankTimeline(workload, *assessment, 77).value();
    const double held = medianCpu(21, [&] { (void)heldAt(timeline, peak); });
    std::printf("timeline of one rank: %zu moments in %.3f ms; tensors at the peak in %.3f ms\n",
        moments, time, held);
}

/// Llama 3 8B by torchtitan: shards × micro-batch × sequence × recompute × compiled or not.
std::vector<TorchRun> torchSpace()
{
    std::vector<TorchRun> runs;
    TransformerShape shape;
    shape.layers = 32;
    shape.hidden = 4096;
    shape.heads = 32;
    shape.kvHeads = 8;
    shape.headDim = 128;
    shape.ffn = 14336;
    shape.vocabulary = 128256;
    shape.rotary = shape.gated = shape.rmsNorm = true;
    for (const std::int64_t compile : { 0, 1 }) {
        SwitchValues values;
        values.set(TorchSwitch::Era, 2);
        values.set(TorchSwitch::Compile, compile);
        const TorchSettings settings = resolveTorch("torchtitan", values, 90);
        for (const std::int64_t shards : { 8, 16, 32, 64, 128, 256, 512 })
            for (const std::int64_t tensor : { 1, 2, 4, 8 })
                for (const std::int64_t micro : { 1, 2, 4 })
                    for (const char* recompute : { "none", "selective", "full" }) {
                        TorchRun run;
                        run.shape = shape;
                        run.settings = settings;
                        run.architecture = 90;
                        run.sharding = TorchSharding::Fsdp2;
                        run.degrees.shards = shards;
                        run.degrees.tensor = tensor;
                        run.microBatch = micro;
                        run.sequence = 8192;
                        run.microSteps = 4;
                        run.recompute = recompute;
                        settleTorch(run);
                        runs.push_back(run);
                    }
    }
    return runs;
}

void torchSearchBench()
{
    const std::vector<TorchRun> runs = torchSpace();
    Bytes sum;
    const double time = medianCpu(21, [&] {
        TorchSearch search;
        for (const TorchRun& run : runs)
            sum = std::max(sum, total(search.steadyPeak(run).held));
    });
    const double alone = medianCpu(21, [&] {
        for (const TorchRun& run : runs)
            sum = std::max(sum, total(TorchMemory(run).steadyPeak().held));
    });
    const double replayTime = medianCpu(5, [&] {
        const TorchMemory memory(runs.front());
        (void)replay(runs.front(), memory.stage());
    });
    std::printf("search: %zu FSDP layouts of Llama 3 8B: %.2f us a layout, %.2f us each by itself; "
                "replay of "
                "one: %.3f ms\n",
        runs.size(), time * 1000 / double(runs.size()), alone * 1000 / double(runs.size()),
        replayTime);
}

/// The account of a Megatron plan on many GPUs, and one rank with names and events.
void strategyBench()
{
    Plan plan = bench::largePlan(131'072);
    Workload workload;
    workload.basis = Workload::StateBasis::Derived;
    workload.model.emplace();
    workload.model->architecture = describedModel(gpt3(), "GPT-3 175B");
    workload.recipe.framework = "megatron";
    workload.recipe.microBatch = 1;
    workload.recipe.sequence = 2048;
    workload.recipe.accumulation = 64;
    workload.recipe.megatron.set(Switch::DistributedOptimizer, 1);
    workload.recipe.megatron.set(Switch::SequenceParallel, 1);
    Layout layout;
    layout.preset = LayoutPreset::Megatron;
    layout.tensor = 8;
    layout.pipeline = 16;
    const SiteIndex index(plan.offers.front()->site, Catalogue::builtIn());
    const ResolvedLayout resolved(layout, index);
    const double accountTime
        = medianCpu(11, [&] { (void)account(workload, resolved, index).value(); });
    const double traceTime
        = medianCpu(21, [&] { (void)rankTrace(workload, resolved, index, 77).value(); });
    std::printf("account of 131,072 ranks by Megatron's strategy: %.2f ms of processor time; one "
                "rank with names and "
                "events: %.3f ms\n",
        accountTime, traceTime);
    timelineBench(workload, layout, plan.offers.front()->site);
}

/// What is done anew on each recomputation beside the account: evidence is judged, a comparison
/// that is open is made again.
void judgingBench()
{
    Plan plan = bench::largePlan(16'384);
    Offer offer = *plan.offers.front();
    Measurement reading;
    reading.devices = "R0-S0·0..R255-S7·7"; // named, so that every name is looked up
    reading.peak = Bytes(70 * kGiB);
    reading.completeSteps = 2;
    reading.phases.set(RunPhase::Init);
    offer.measurements = { reading };
    plan.offers.front() = std::make_shared<const Offer>(offer);
    offer.name = "Offer B";
    plan.offers.push_back(std::make_shared<const Offer>(offer));
    const auto shared = std::make_shared<const Plan>(plan);
    const std::vector<std::shared_ptr<const Assessment>> known { assess(plan, 0), assess(plan, 1) };
    const double evidenceTime = medianCpu(21, [&] {
        const Evidence evidence
            = evidenceOf(*plan.workload, *plan.offers[0], known[0]->index, known[0]->account);
        (void)demonstrate(known[0]->account, evidence);
    });
    const double comparisonTime = medianCpu(21, [&] { (void)compare(shared, {}, known); });
    std::printf("16,384 GPUs: evidence judged in %.2f ms, two offers compared in %.2f ms\n",
        evidenceTime, comparisonTime);
}

} // namespace

int main()
{
    searchBench();
    torchSearchBench();
    strategyBench();
    judgingBench();
    std::printf("Milliseconds, median. \"hand\": every rank placed by hand, and one is moved.\n");
    std::printf("%8s %8s %8s %8s %8s %8s %10s %10s %10s %10s %10s\n", "GPUs", "index", "layout",
        "account", "judge", "edit", "edit-acct", "hand edit", "hand-acct", "read plan",
        "write hand");
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
        const double writeTime = median(5, [&] { (void)writePlan(hand); });
        const double readTime = median(5, [&] { (void)readPlan(text); });
        std::printf("%8d %8.3f %8.3f %8.3f %8.3f %8.3f %10.3f %10.3f %10.3f %10.3f %10.3f\n", gpus,
            indexTime, layoutTime, accountTime, judgeTime, editTime, together, handEdit,
            handAccount, readTime, writeTime);
    }
    return 0;
}
