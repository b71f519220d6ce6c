#include "judge/warnings.h"

#include "base/size_text.h"

#include <algorithm>
#include <cctype>

namespace shardrack {

namespace {

using Severity = Warning::Severity;
using Topic = Warning::Topic;

/// Device classes over capacity that are described one by one; the rest are counted.
constexpr std::size_t kDescribed = 8;

std::string count(std::int64_t number, const char* one, const char* many)
{
    return grouped(number) + " " + (number == 1 ? one : many);
}

std::string joined(const std::vector<std::string>& words)
{
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i)
        text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
    return text;
}

std::string lowered(std::string word)
{
    if (!word.empty() && word.front() >= 'A' && word.front() <= 'Z')
        word.front() = static_cast<char>(word.front() - 'A' + 'a');
    return word;
}

std::string usableText(const DeviceClass& device)
{
    const bool confirmed = device.usable.provenance != Provenance::NotEstablished;
    return "usable " + gibText(device.usable.bytes) + (confirmed ? "" : " (not confirmed)");
}

/// The smallest number of ranks over which the whole state could be split so that a device of this
/// class holds its share; 0 when the state is already divided or no number helps.
std::int64_t ranksThatHelp(const Judged& judged, const DeviceClass& device)
{
    // A framework's other terms change with the division, too.
    if (device.holdings.size() != 1 || !judged.account.stateEstablished || judged.account.strategy)
        return 0;
    const RankClass& ranks
        = judged.account.rankClasses[static_cast<std::size_t>(device.holdings.front().rankClass)];
    Bytes state;
    Bytes divided;
    for (const Term& term : ranks.terms)
        if (isState(term.category)) {
            state += term.amount.bytes().value_or(Bytes(0));
            if (term.sharing == Sharing::Sharded)
                divided += term.amount.bytes().value_or(Bytes(0));
        }
    const Bytes room = device.usable.bytes - (device.needWithoutSlack.established - state);
    if (divided > Bytes(0) || room <= Bytes(0) || state <= room)
        return 0;
    return (state.count() - 1) / room.count() + 1;
}

std::string wayOut(const Judged& judged, const DeviceClass& device)
{
    const std::optional<Bytes> copy = judged.account.oneCopy;
    if (const std::int64_t ranks = copy ? ranksThatHelp(judged, device) : 0) {
        return "Shard the whole state over " + grouped(ranks)
            + " or more ranks: " + gibText(Bytes((copy->count() - 1) / ranks + 1))
            + " each before every other term. More replicas change nothing.";
    }
    if (device.holdings.size() > 1)
        return "Move a rank to another GPU: their needs add up here.";
    if (judged.account.strategy && judged.layout.preset == LayoutPreset::Ddp)
        return "Shard the state (FSDP): Replicas against shards shows from how many GPUs it fits. "
               "More replicas change nothing.";
    if (judged.account.strategy)
        return "Divide the model over more ranks, recompute activations, or use GPUs with more "
               "usable memory.";
    return "Divide the state over more ranks, or use GPUs with more usable memory.";
}

void addOver(std::vector<Warning>& warnings, const Judged& judged)
{
    std::vector<const DeviceClass*> over;
    for (std::size_t i = 0; i < judged.account.deviceClasses.size(); ++i)
        if (!judged.account.deviceClasses[i].idle()
            && judged.findings.ofDeviceClass[i] == Capacity::Over)
            over.push_back(&judged.account.deviceClasses[i]);
    std::stable_sort(over.begin(), over.end(),
        [](const auto* a, const auto* b) { return a->headroom() < b->headroom(); });
    for (std::size_t i = 0; i < over.size() && i < kDescribed; ++i) {
        const DeviceClass& device = *over[i];
        const std::string least = device.need.atLeast ? "at least " : "";
        const Bytes excess = device.need.established - device.usable.bytes;
        const Bytes slack = device.need.established - device.needWithoutSlack.established;
        const std::string ofIt
            = slack > Bytes(0) ? ", " + gibText(slack) + " of it allocator slack" : "";
        warnings.push_back({ Severity::Error, deviceSubject(judged, device),
            "Needs " + least + gibText(device.need.established) + ", " + usableText(device)
                + ": over by " + least + gibText(excess) + ofIt + ".",
            wayOut(judged, device), Topic::Device, device.gpus.front() });
    }
    if (over.size() > kDescribed)
        warnings.push_back({ Severity::Error, "Capacity",
            count(static_cast<std::int64_t>(over.size() - kDescribed),
                "further kind of device is over capacity.",
                "further kinds of device are over capacity."),
            "" });
}

/// Figures that no device can have: somebody mistyped, or meant another device.
void addImpossible(std::vector<Warning>& warnings, const Judged& judged)
{
    const std::optional<Bytes>& margin = judged.margin.bytes;
    bool marginTold = false;
    for (const DeviceClass& device : judged.account.deviceClasses) {
        if (device.idle())
            continue;
        if (device.installedKnown && device.usable.bytes > device.installed)
            warnings.push_back({ Severity::Warning,
                "Usable allocation above what is installed: " + deviceSubject(judged, device),
                usableText(device) + ", installed " + gibText(device.installed) + ".",
                "State what the job can really have, or choose the device that is meant.",
                Topic::Device, device.gpus.front() });
        if (margin && *margin > device.usable.bytes && device.usable.bytes > Bytes(0)
            && !marginTold) {
            marginTold = true;
            warnings.push_back({ Severity::Warning, "Required margin above what is usable",
                gibText(*margin) + " are to stay free of " + usableText(device)
                    + ": nothing can be placed.",
                "State a margin that leaves room.", Topic::Device, device.gpus.front() });
        }
    }
}

/// A rule's way out is a phrase; here it is a sentence.
std::string sentence(std::string phrase)
{
    if (phrase.empty())
        return phrase;
    phrase.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(phrase.front())));
    if (phrase.back() != '.')
        phrase += '.';
    return phrase;
}

void addLegality(std::vector<Warning>& warnings, const Legality& legality)
{
    for (const BrokenRule& rule : legality.broken)
        warnings.push_back({ Severity::Error, "Layout not legal: " + rule.rule, rule.text + ".",
            sentence(rule.fix), Topic::Layout });
    for (const LayoutRemark& remark : legality.remarks)
        warnings.push_back(
            { Severity::Warning, remark.subject, remark.text + ".", remark.fix, Topic::Layout });
}

void addUsable(std::vector<Warning>& warnings, const Judged& judged)
{
    std::vector<const SiteIndex::Kind*> unconfirmed;
    std::vector<const SiteIndex::Kind*> fromCatalogue;
    for (const DeviceClass& device : judged.account.deviceClasses) {
        if (device.idle())
            continue;
        const SiteIndex::Kind& kind = judged.index.kinds()[static_cast<std::size_t>(device.kind)];
        std::vector<const SiteIndex::Kind*>& list
            = kind.usable.provenance == Provenance::NotEstablished ? unconfirmed : fromCatalogue;
        if (kind.usable.provenance != Provenance::Stipulated
            && std::find(list.begin(), list.end(), &kind) == list.end())
            list.push_back(&kind);
    }
    const auto firstOf = [&](const SiteIndex::Kind* kind) {
        const auto device = std::find_if(judged.account.deviceClasses.begin(),
            judged.account.deviceClasses.end(), [&](const DeviceClass& candidate) {
                return !candidate.idle()
                    && &judged.index.kinds()[static_cast<std::size_t>(candidate.kind)] == kind;
            });
        return device->gpus.front();
    };
    for (const SiteIndex::Kind* kind : unconfirmed)
        warnings.push_back({ Severity::Warning, "Usable allocation not confirmed: " + kind->type,
            kind->usable.bytes > Bytes(0) ? gibText(kind->usable.bytes)
                    + " stands in until somebody states what the job can have on this device."
                                          : "No figure is known for this device.",
            "State the usable allocation.", Topic::Usable, firstOf(kind) });
    for (const SiteIndex::Kind* kind : fromCatalogue)
        warnings.push_back({ Severity::Note, "Assumed usable allocation: " + kind->type,
            gibText(kind->usable.bytes) + " of " + gibText(kind->installed)
                + " reported is the catalogue's figure.",
            "State the usable allocation where the job has less.", Topic::Usable, firstOf(kind) });
}

void addOpenTerms(std::vector<Warning>& warnings, const Judged& judged)
{
    if (judged.findings.openTerms.empty() || judged.findings.mostLoadedClass < 0)
        return;
    std::vector<std::string> names;
    for (const std::string& name : judged.findings.openTerms)
        names.push_back(lowered(name));
    const DeviceClass& device
        = judged.account.deviceClasses[static_cast<std::size_t>(judged.findings.mostLoadedClass)];
    std::string text = count(static_cast<std::int64_t>(names.size()), "term is", "terms are")
        + " not established: " + joined(names) + ".";
    if (device.headroom() > Bytes(0)) {
        text += names.size() == 1 ? " It has" : " Together they have";
        text += device.need.established > Bytes(0)
            ? " to fit into the " + gibText(device.headroom()) + " between "
                + gibText(device.need.established) + " and " + usableText(device) + "."
            : " to fit into " + usableText(device) + ".";
    }
    warnings.push_back({ Severity::Warning, "Open terms", text,
        "State them, or give what they are derived from.", Topic::OpenTerms });
}

/// Why a device is tight, which is neither over nor a fit.
void addTight(std::vector<Warning>& warnings, const Judged& judged)
{
    for (std::size_t i = 0; i < judged.account.deviceClasses.size(); ++i) {
        const DeviceClass& device = judged.account.deviceClasses[i];
        if (device.idle() || judged.findings.ofDeviceClass[i] != Capacity::Tight)
            continue;
        const Bytes need = device.need.established;
        std::string text = "Needs " + gibText(need) + ", " + usableText(device) + ": ";
        if (need > device.usable.bytes)
            text += "the allocator's slack of "
                + gibText(device.atPeak[index(Category::Slack)].established)
                + " does not fit whole, the tensors do.";
        else
            text += gibText(device.headroom()) + " are left, and "
                + gibText(judged.margin.bytes.value_or(Bytes(0))) + " are required"
                + (judged.margin.basis.empty() ? "." : " (" + judged.margin.basis + ").");
        warnings.push_back({ Severity::Warning, "Tight: " + deviceSubject(judged, device), text,
            "Divide the state over more ranks, or lower what is held beside it.", Topic::Device,
            device.gpus.front() });
    }
}

/// A layout that divides a part of the state has nothing to divide in a total that nobody divided.
void addUndivided(std::vector<Warning>& warnings, const Judged& judged)
{
    if (judged.workload.basis != Workload::StateBasis::Stipulated
        || !judged.workload.stipulated.total)
        return;
    const LayoutPreset preset = judged.layout.preset;
    const bool byHand = std::any_of(
        judged.layout.groups.begin(), judged.layout.groups.end(), [](const ShardGroup& group) {
            return !group.distributes.whole() && group.ranks.size() > 1;
        });
    if (preset != LayoutPreset::Zero1 && preset != LayoutPreset::Zero2 && !byHand)
        return;
    warnings.push_back({ Severity::Warning, "Undivided state",
        std::string(preset == LayoutPreset::Zero1 ? "ZeRO-1 divides the optimizer state"
                : preset == LayoutPreset::Zero2   ? "ZeRO-2 divides optimizer state and gradients"
                                                  : "A shard group divides a part of the state")
            + ", and nobody said how much of " + gibText(*judged.workload.stipulated.total)
            + " that is: what a rank keeps of it is not established.",
        "Give parameters, gradients and optimizer state apart.", Topic::Workload });
}

/// A rank on several GPUs of which nobody said how it is split over them.
void addUnknownSplit(std::vector<Warning>& warnings, const Judged& judged)
{
    for (const DeviceClass& device : judged.account.deviceClasses)
        for (const DeviceClass::Holding& holding : device.holdings) {
            if (holding.weights != 0)
                continue;
            const RankClass& ranks
                = judged.account.rankClasses[static_cast<std::size_t>(holding.rankClass)];
            warnings.push_back({ Severity::Warning, "Split of a rank over several GPUs",
                "Rank " + ranks.ranks.text() + " holds " + gibText(ranks.state)
                    + " of state on several GPUs; how much of it is on each is not established.",
                "Give the shares of its GPUs.", Topic::Ranks, device.gpus.front() });
            return;
        }
}

void addRedundancy(std::vector<Warning>& warnings, const Judged& judged)
{
    const Account& account = judged.account;
    if (!account.stateEstablished || account.redundantTotal == Bytes(0))
        return;
    const bool copies = judged.resolved.groupCount() == 0
        && judged.resolved.replicas() == judged.resolved.rankCount();
    const std::string total = gibText(account.stateTotal);
    std::string text = gibText(account.redundantTotal) + " of " + total
        + " of persistent state are copies, bit-identical to what another rank holds.";
    if (copies)
        text += " " + grouped(judged.resolved.rankCount()) + " copies total " + total + "; "
            + gibText(account.installedTotal)
            + " are installed, which is not one allocation. Another replica changes nothing for "
              "the first.";
    warnings.push_back(
        { Severity::Note, "Redundancy", text, copies ? "Shard what every replica repeats." : "" });
}

/// NCCL makes no communicator in which two ranks share a device (src/init.cc: "Duplicate GPU
/// detected").
void addSharedGpu(std::vector<Warning>& warnings, const Judged& judged)
{
    if (!judged.account.strategy)
        return;
    for (const DeviceClass& device : judged.account.deviceClasses) {
        if (device.holdings.size() < 2)
            continue;
        warnings.push_back(
            { Severity::Warning, "Several ranks on one GPU: " + deviceSubject(judged, device),
                "Their needs are added, and NCCL refuses to start ranks that share a GPU.",
                "Give each rank a GPU of its own.", Topic::Ranks, device.gpus.front() });
        return;
    }
}

/// What the most loaded device keeps and could be spared, where it is more than a twentieth of its
/// need.
void addSpare(std::vector<Warning>& warnings, const Judged& judged)
{
    if (judged.findings.mostLoadedClass < 0)
        return;
    const DeviceClass& device
        = judged.account.deviceClasses[static_cast<std::size_t>(judged.findings.mostLoadedClass)];
    for (const DeviceClass::Holding& holding : device.holdings) {
        const auto& spare
            = judged.account.rankClasses[static_cast<std::size_t>(holding.rankClass)].spare;
        if (!spare || spare->bytes * 20 < device.need.established)
            continue;
        warnings.push_back(
            { Severity::Note, "Kept to the end of the step: " + deviceSubject(judged, device),
                gibText(spare->bytes) + " are " + spare->what + ".", spare->how, Topic::Workload,
                device.gpus.front() });
        return;
    }
}

/// A step of one micro-batch is assumed where nobody says how many it has: gradients that wait for
/// the next one would be missing.
void addAssumedStep(std::vector<Warning>& warnings, const Judged& judged)
{
    const BatchArithmetic batch
        = batchArithmetic(judged.workload.recipe, judged.resolved.dataParallel());
    if (!judged.account.strategy || judged.resolved.rankCount() == 0
        || judged.resolved.pipeline() > 1 || batch.accumulation || !batch.microBatch)
        return;
    warnings.push_back({ Severity::Note, "One micro-batch a step is assumed",
        batch.broken ? "The numbers of the batch do not multiply out, so that accumulation does "
                       "not follow from them."
                     : "Neither accumulation nor the global batch is given.",
        batch.broken ? "Give a batch that multiplies out, or accumulation."
                     : "Give accumulation, or the global batch.",
        Topic::Workload });
}

void addNotes(std::vector<Warning>& warnings, const Judged& judged)
{
    if (judged.workload.weightsOnly)
        warnings.push_back({ Severity::Note, "Weights-only size",
            gibText(*judged.workload.weightsOnly)
                + " of weights does not answer fit: gradients, optimizer state and everything "
                  "temporary are not in it.",
            "Stipulate the training state, or derive it from a model.", Topic::Workload });
    const auto idle
        = std::find_if(judged.account.deviceClasses.begin(), judged.account.deviceClasses.end(),
            [](const DeviceClass& device) { return device.idle(); });
    if (judged.findings.devicesIdle > 0)
        warnings.push_back({ Severity::Note, "GPUs without a rank",
            count(judged.findings.devicesIdle, "GPU has", "GPUs have")
                + " no rank: counted as hardware, in no finding.",
            "", Topic::Ranks, idle->gpus.front() });
    if (judged.resolved.rankCount() == 0)
        warnings.push_back({ Severity::Note, "Nothing to judge", "No rank is placed on a GPU yet.",
            "Place GPUs and give them ranks.", Topic::Ranks });
}

} // namespace

std::string deviceSubject(const Judged& judged, const DeviceClass& device)
{
    const std::int32_t gpu = device.gpus.front();
    RankSet ranks;
    for (const std::int32_t rank : judged.resolved.ranksOn(gpu))
        ranks.insert(rank);
    std::string subject
        = ranks.empty() ? "GPU " : (ranks.size() == 1 ? "rank " : "ranks ") + ranks.text() + " on ";
    subject += judged.index.deviceName(judged.site, gpu);
    if (device.gpus.size() > 1)
        subject += " and " + grouped(device.gpus.size() - 1) + " equal";
    return subject;
}

std::vector<Warning> warningsOf(const Judged& judged)
{
    std::vector<Warning> warnings;
    addOver(warnings, judged);
    addLegality(warnings, judged.findings.legality);
    addImpossible(warnings, judged);
    addUsable(warnings, judged);
    addTight(warnings, judged);
    addUndivided(warnings, judged);
    addUnknownSplit(warnings, judged);
    addOpenTerms(warnings, judged);
    addEvidence(warnings, judged);
    addRedundancy(warnings, judged);
    addSharedGpu(warnings, judged);
    addSpare(warnings, judged);
    addAssumedStep(warnings, judged);
    addTensorSpan(warnings, judged);
    addNotes(warnings, judged);
    std::stable_sort(warnings.begin(), warnings.end(),
        [](const Warning& a, const Warning& b) { return a.severity < b.severity; });
    return warnings;
}

} // namespace shardrack
