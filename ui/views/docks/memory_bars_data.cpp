#include "docks/memory_bars_data.h"

#include "commands/rank_input.h"
#include "docks/measured_marks.h"
#include "models/findings_text.h"
#include "models/number_text.h"
#include "paint/device_bar.h"

#include <algorithm>
#include <numeric>

namespace shardrack {

namespace {

struct MemoryText {
    Q_DECLARE_TR_FUNCTIONS(shardrack::MemoryText)
};

constexpr std::size_t kMostSortedAlone = 128; ///< above, racks stay whole
constexpr int kMostLabelled = 8; ///< bars that are labelled "rank 0" instead of "0"
constexpr std::size_t kMostBrackets = 4;

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

/// Rank of each device class by load: 0 is the least headroom, idle ones last.
std::vector<std::size_t> loadRanks(const std::vector<DeviceClass>& classes)
{
    std::vector<std::size_t> order(classes.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        if (classes[a].idle() != classes[b].idle())
            return classes[b].idle();
        return classes[a].headroom() < classes[b].headroom();
    });
    std::vector<std::size_t> ranks(classes.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        ranks[order[i]] = i;
    return ranks;
}

std::vector<std::int32_t> byRack(const Assessment& assessment, const std::vector<std::size_t>& load)
{
    struct Run {
        std::int32_t rack, first, count;
        std::size_t least;
    };
    std::vector<Run> racks;
    for (const SiteIndex::Place& place : assessment.index.servers()) {
        if (racks.empty() || racks.back().rack != place.rack)
            racks.push_back({ place.rack, place.firstGpu, 0, load.size() });
        Run& run = racks.back();
        run.count += place.gpuCount;
        for (std::int32_t gpu = place.firstGpu; gpu < place.firstGpu + place.gpuCount; ++gpu)
            run.least = std::min(run.least, load[assessment.account.classOfGpu[at(gpu)]]);
    }
    std::stable_sort(
        racks.begin(), racks.end(), [](const Run& a, const Run& b) { return a.least < b.least; });
    std::vector<std::int32_t> gpus;
    gpus.reserve(assessment.account.classOfGpu.size());
    for (const Run& run : racks)
        for (std::int32_t gpu = run.first; gpu < run.first + run.count; ++gpu)
            gpus.push_back(gpu);
    return gpus;
}

QString rankLabel(const Assessment& assessment, std::int32_t gpu, bool words)
{
    RankSet ranks;
    for (const std::int32_t rank : assessment.layout.ranksOn(gpu))
        ranks.insert(rank);
    if (ranks.empty())
        return words ? MemoryText::tr("no rank") : QStringLiteral("\u2013");
    return words ? ranksText(ranks) : QString::fromStdString(ranks.text());
}

/// "ranks 0–15", where these GPUs have one rank each; else how many they are.
QString runName(
    const Assessment& assessment, const std::vector<std::int32_t>& gpus, int first, int last)
{
    RankSet ranks;
    bool oneEach = true;
    for (int i = first; i <= last; ++i) {
        const std::vector<std::int32_t> there = assessment.layout.ranksOn(gpus[at(i)]);
        oneEach = oneEach && there.size() == 1;
        for (const std::int32_t rank : there)
            ranks.insert(rank);
    }
    return oneEach && ranks.intervals().size() == 1
        ? ranksText(ranks)
        : MemoryText::tr("%1 GPUs").arg(countText(last - first + 1));
}

/// Neighbouring bars that change alike get a bracket; many different changes get none.
std::vector<BarBracket> brackets(const MemoryBarsInput& input, const Assessment& assessment,
    const std::vector<std::int32_t>& gpus)
{
    struct Run {
        int first, last;
        bool isNew;
        Bytes change;
        Bytes need;
    };
    std::vector<Run> runs;
    for (int i = 0; i < input.count(); ++i) {
        const StackedBar* before = input.barBefore(i);
        const Bytes need = input.bar(i).need();
        const Run run { i, i, before == nullptr, before ? need - before->need() : Bytes(0), need };
        const bool joins = !runs.empty() && runs.back().isNew == run.isNew
            && runs.back().change == run.change && (!run.isNew || runs.back().need == run.need);
        if (joins)
            runs.back().last = i;
        else
            runs.push_back(run);
        if (runs.size() > kMostBrackets)
            return {};
    }
    std::vector<BarBracket> result;
    for (const Run& run : runs) {
        using Tone = BarBracket::Tone;
        const int count = run.last - run.first + 1;
        BarBracket bracket { run.first, run.last, {}, Tone::Neutral };
        if (run.isNew) {
            bracket.tone = Tone::New;
            const bool idle = input.bar(run.first).idle;
            bracket.text = idle
                ? MemoryText::tr("%1 new: no rank").arg(countText(count))
                : MemoryText::tr("%1 new: %2").arg(countText(count), numberText(run.need));
        } else {
            const QString name = runName(assessment, gpus, run.first, run.last);
            if (run.change == Bytes(0)) {
                bracket.text = MemoryText::tr("%1: unchanged").arg(name);
            } else {
                bracket.tone = run.change < Bytes(0) ? Tone::Better : Tone::Worse;
                const QString sign = run.change > Bytes(0) ? QStringLiteral("+") : QString();
                const QString change = sign + numberText(run.change, 1);
                bracket.text = count == 1 ? MemoryText::tr("%1: %2").arg(name, change)
                                          : MemoryText::tr("%1: %2 each").arg(name, change);
            }
        }
        result.push_back(std::move(bracket));
    }
    return result;
}

/// State that is held at another moment than the peak only.
void noteAbsent(MemoryBarsInput& input, const Account& account)
{
    for (const Category category : kCategories) {
        bool somewhere = false;
        for (const RankClass& ranks : account.rankClasses)
            for (const Term& term : ranks.terms)
                somewhere = somewhere
                    || (term.category == category
                        && term.amount.bytes().value_or(Bytes(0)) > Bytes(0));
        bool atPeak = false;
        for (const DeviceClass& device : account.deviceClasses) {
            const Sum& held = device.atPeak[index(category)];
            atPeak = atPeak || held.established > Bytes(0) || held.atLeast;
        }
        if (somewhere && !atPeak)
            input.legendNotes[index(category)]
                = MemoryText::tr("%1: none held at this peak").arg(categoryTitle(category));
    }
}

/// The servers of `after`, each with what it was before; null: it is new.
std::vector<std::pair<const SiteIndex::Place*, SiteIndex::Place>> serverPairs(
    const SiteIndex& before, const SiteIndex& after)
{
    std::vector<std::pair<const SiteIndex::Place*, SiteIndex::Place>> pairs;
    const std::vector<SiteIndex::Place>& places = before.servers();
    std::size_t next = 0; // most servers stand behind the one they stood behind
    for (const SiteIndex::Place& place : after.servers()) {
        if (next >= places.size() || places[next].id != place.id) {
            const std::int32_t first = before.ordinal({ place.id, 0 });
            if (first < 0) {
                pairs.emplace_back(nullptr, place);
                continue;
            }
            next = at(before.serverOf(first));
        }
        pairs.emplace_back(&places[next++], place);
    }
    return pairs;
}

} // namespace

std::vector<std::int32_t> barOrder(const ShownOffer& offer, BarOrder order)
{
    const Assessment& assessment = *offer.assessment;
    const std::size_t count = assessment.account.classOfGpu.size();
    const std::vector<std::size_t> load = loadRanks(assessment.account.deviceClasses);
    if (order == BarOrder::MostLoaded && count > kMostSortedAlone)
        return byRack(assessment, load);
    std::vector<std::int32_t> gpus(count);
    std::iota(gpus.begin(), gpus.end(), 0);
    if (order == BarOrder::MostLoaded)
        std::stable_sort(gpus.begin(), gpus.end(), [&](std::int32_t a, std::int32_t b) {
            return load[assessment.account.classOfGpu[at(a)]]
                < load[assessment.account.classOfGpu[at(b)]];
        });
    return gpus;
}

std::vector<std::int32_t> ordinalsBefore(const Assessment& before, const Assessment& after)
{
    std::vector<std::int32_t> ordinals(at(after.index.gpuCount()), -1);
    std::vector<SiteIndex::Place> changed; // new servers, and those with more or fewer GPUs
    for (const auto& [was, is] : serverPairs(before.index, after.index)) {
        if (!was || was->gpuCount != is.gpuCount) {
            changed.push_back(is);
            continue;
        }
        for (std::int32_t i = 0; i < is.gpuCount; ++i)
            ordinals[at(is.firstGpu + i)] = was->firstGpu + i;
    }
    if (changed.empty())
        return ordinals;
    std::vector<bool> taken(at(before.index.gpuCount()), false);
    for (const std::int32_t ordinal : ordinals)
        if (ordinal >= 0)
            taken[at(ordinal)] = true;
    const auto take = [&](std::int32_t gpu, std::int32_t was) {
        if (was < 0 || taken[at(was)])
            return;
        taken[at(was)] = true;
        ordinals[at(gpu)] = was;
    };
    for (const SiteIndex::Place& place : changed)
        for (std::int32_t gpu = place.firstGpu; gpu < place.firstGpu + place.gpuCount; ++gpu)
            if (const std::vector<std::int32_t> ranks = after.layout.ranksOn(gpu);
                !ranks.empty() && ranks.front() < before.layout.rankCount())
                take(gpu, before.layout.gpuOf(ranks.front()));
    // Without a rank there is only its place to know it by.
    for (const SiteIndex::Place& place : changed)
        for (std::int32_t i = 0; i < place.gpuCount; ++i)
            if (ordinals[at(place.firstGpu + i)] < 0
                && after.layout.ranksOn(place.firstGpu + i).empty())
                take(place.firstGpu + i, before.index.ordinal({ place.id, i }));
    return ordinals;
}

std::vector<std::int32_t> heldOrder(
    const std::vector<std::int32_t>& order, const std::vector<std::int32_t>& was)
{
    std::vector<std::int32_t> becomes(order.size(), -1);
    for (std::size_t gpu = 0; gpu < was.size(); ++gpu)
        if (was[gpu] >= 0)
            becomes[at(was[gpu])] = static_cast<std::int32_t>(gpu);
    std::vector<std::int32_t> gpus;
    gpus.reserve(was.size());
    for (const std::int32_t gpu : order)
        if (becomes[at(gpu)] >= 0)
            gpus.push_back(becomes[at(gpu)]);
    for (std::size_t gpu = 0; gpu < was.size(); ++gpu)
        if (was[gpu] < 0)
            gpus.push_back(static_cast<std::int32_t>(gpu));
    return gpus;
}

MemoryBarsInput barsInput(const ShownOffer& now, const std::optional<ShownOffer>& tried,
    const std::vector<std::int32_t>& gpus, const std::vector<std::int32_t>& was)
{
    const ShownOffer& shown = tried ? *tried : now;
    const std::shared_ptr<const Assessment> assessment = shown.assessment;
    const Account& account = assessment->account;
    MemoryBarsInput input;
    for (const DeviceClass& device : account.deviceClasses)
        input.classes.push_back(barOf(device, shown.plan->margin));
    input.bars.reserve(gpus.size());
    for (const std::int32_t gpu : gpus)
        input.bars.push_back(static_cast<std::int32_t>(account.classOfGpu[at(gpu)]));
    markMeasured(input, shown, gpus);

    if (tried) {
        const auto offset = static_cast<std::int32_t>(input.classes.size());
        const Account& accountNow = now.assessment->account;
        for (const DeviceClass& device : accountNow.deviceClasses)
            input.classes.push_back(barOf(device, now.plan->margin));
        input.before.reserve(gpus.size());
        for (const std::int32_t gpu : gpus)
            input.before.push_back(was[at(gpu)] < 0
                    ? -1
                    : offset + static_cast<std::int32_t>(accountNow.classOfGpu[at(was[at(gpu)])]));
        if (gpus.size() <= kMostSortedAlone)
            input.brackets = brackets(input, *assessment, gpus);
    }

    const bool words = gpus.size() <= at(kMostLabelled);
    const auto shared = std::make_shared<const std::vector<std::int32_t>>(gpus);
    input.label = [assessment, shared, words](
                      int bar) { return rankLabel(*assessment, (*shared)[at(bar)], words); };
    input.subLabel = [assessment, shared, plan = shown.plan, offer = shown.offer](int bar) {
        return QString::fromStdString(
            assessment->index.deviceName(plan->offers[offer]->site, (*shared)[at(bar)]));
    };
    input.marginBasis = QString::fromStdString(shown.plan->margin.basis);
    if (shown.plan->margin.bytes)
        input.marginIcon = Icon::Stipulated;
    noteAbsent(input, account);
    return input;
}

QString barToolTip(const ShownOffer& offer, std::int32_t gpu)
{
    const Account& account = offer.assessment->account;
    const DeviceClass& device = account.deviceClasses[account.classOfGpu[at(gpu)]];
    const bool confirmed = device.usable.provenance != Provenance::NotEstablished;
    QString text = device.idle()
        ? MemoryText::tr("%1: no rank").arg(deviceText(offer, gpu))
        : MemoryText::tr("%1 needs %2 GiB").arg(deviceText(offer, gpu), sumText(device.need));
    text += u'\n' + MemoryText::tr("usable %1 GiB").arg(numberText(device.usable.bytes));
    if (!confirmed)
        text += MemoryText::tr(", not confirmed");
    if (const auto peaks = measuredPeaks(offer); !peaks.empty() && peaks[at(gpu)])
        text += u'\n'
            + MemoryText::tr("measured %1 GiB, device memory in use")
                  .arg(numberText(*peaks[at(gpu)]));
    if (!device.idle() && device.headroom() < Bytes(0))
        text += u'\n'
            + MemoryText::tr("over by %1 GiB")
                  .arg(sumText({ Bytes(0) - device.headroom(), device.need.atLeast }));
    return text;
}

} // namespace shardrack
