#include "account/account.h"

#include "account/device_state.h"

#include "account/state.h"
#include "account/strategy.h"
#include "account/terms.h"

#include <algorithm>

namespace shardrack {

const char* name(Sharing sharing)
{
    static constexpr std::array<const char*, 4> names { "replicated", "sharded", "gathered",
        "local" };
    return names[static_cast<std::size_t>(sharing)];
}

namespace {

/// Numbers only: what the live bars and the verdict need.
struct PeakSink {
    const std::vector<HeldTensor>& tensors;
    PeakFinder finder {};
    void phase(Phase phase) { finder.phase(phase); }
    void born(std::size_t i) { finder.born(tensors[i].category, tensors[i].bytes); }
    void dies(std::size_t i) { finder.dies(tensors[i].category, tensors[i].bytes); }
};

/// Events: what a view over time needs.
struct TraceSink {
    explicit TraceSink(const std::vector<HeldTensor>& tensors)
    {
        for (const HeldTensor& tensor : tensors)
            trace.declare(tensor.category, tensor.bytes);
    }
    StepTrace trace;
    void phase(Phase phase) { trace.phase(phase); }
    void born(std::size_t i) { trace.born(static_cast<StepTrace::Tensor>(i)); }
    void dies(std::size_t i) { trace.dies(static_cast<StepTrace::Tensor>(i)); }
};

/// Tells ranks of one group apart by what they keep, with two comparisons a rank: all full shares
/// come first, then at most one remainder, then nothing.
class ShareShape {
public:
    explicit ShareShape(const StateTensor* tensor)
        : m_tensor(tensor)
    {
    }
    struct Key {
        std::int32_t ranks = 1;
        std::int32_t shape = 0;
        bool operator==(const Key&) const = default;
    };
    Key key(const ResolvedLayout::Share& share)
    {
        if (!m_tensor || !m_tensor->established)
            return { share.ranks, 0 };
        if (share.ranks != m_ranks)
            prepare(share.ranks);
        return { share.ranks, share.position < m_full ? 0 : share.position < m_last ? 1 : 2 };
    }

private:
    void prepare(std::int32_t ranks)
    {
        m_ranks = ranks;
        if (m_tensor->stipulated) {
            m_full = m_tensor->given.count() % ranks;
            m_last = ranks;
            return;
        }
        const std::int64_t chunk
            = m_tensor->elements / ranks + (m_tensor->elements % ranks == 0 ? 0 : 1);
        m_full = chunk == 0 ? ranks : m_tensor->elements / chunk;
        m_last = chunk == 0 ? ranks : m_full + (m_tensor->elements % chunk == 0 ? 0 : 1);
    }
    const StateTensor* m_tensor;
    std::int32_t m_ranks = 0;
    std::int64_t m_full = 0;
    std::int64_t m_last = 0;
};

struct RankKey {
    std::array<ShareShape::Key, 4> parts;
    bool inParts = false; ///< its parts are divided differently
    bool operator==(const RankKey&) const = default;
};

class RankClassifier {
public:
    explicit RankClassifier(const std::vector<StateTensor>& state)
        : m_shapes { shape(state, StatePart::Parameters), shape(state, StatePart::Gradients),
            shape(state, StatePart::Optimizer), shape(state, StatePart::Whole) }
    {
    }
    /// Number of the rank's class; `found` tells whether it is a new one.
    std::size_t classOf(const ResolvedLayout::Shares& shares, bool& found)
    {
        RankKey key;
        for (std::size_t part = 0; part < m_shapes.size(); ++part)
            key.parts[part] = m_shapes[part].key(shareOf(static_cast<StatePart>(part), shares));
        key.inParts = dividesInParts(shares);
        found = false;
        if (m_last < m_keys.size() && m_keys[m_last] == key)
            return m_last;
        const auto known = std::find(m_keys.begin(), m_keys.end(), key);
        m_last = static_cast<std::size_t>(known - m_keys.begin());
        if (known == m_keys.end()) {
            found = true;
            m_keys.push_back(key);
        }
        return m_last;
    }

private:
    static ShareShape shape(const std::vector<StateTensor>& state, StatePart part)
    {
        const auto tensor = std::find_if(state.begin(), state.end(),
            [part](const StateTensor& candidate) { return candidate.part == part; });
        return ShareShape(tensor == state.end() ? nullptr : &*tensor);
    }
    std::array<ShareShape, 4> m_shapes;
    std::vector<RankKey> m_keys;
    std::size_t m_last = 0;
};

RankClass makeRankClass(const Workload& workload, const std::vector<StateTensor>& state,
    const ResolvedLayout::Shares& shares, bool modelParallel)
{
    RankClass result;
    result.terms = termsOf(workload, state, shares, modelParallel);
    const std::vector<HeldTensor> held = heldTensors(result.terms, state);
    PeakSink sink { held };
    emitStep(held, sink);
    const PeakPair peaks = sink.finder.peaks();
    result.peakPhase = peaks.peak.phase;
    result.runnerUp = peaks.runnerUp;
    for (const Category category : kCategories)
        result.atPeak[index(category)].established = peaks.peak.held[index(category)];
    for (const Term& term : result.terms) {
        if (!term.amount.established())
            result.atPeak[index(term.category)].atLeast = true;
        else if (isState(term.category) && term.formula.kind != Formula::Kind::Padding)
            result.state += *term.amount.bytes();
    }
    for (const Sum& sum : result.atPeak)
        result.need += sum;
    return result;
}

void addHolding(DeviceClass& device, const RankClass& rank, const DeviceClass::Holding& holding)
{
    const bool whole = holding.weights == 1 && holding.weight == 1;
    for (const Category category : kCategories) {
        Sum part = rank.atPeak[index(category)];
        // A process has its context on every GPU that it uses; how it splits its working set
        // over them follows from nothing that is known.
        if (!whole && isState(category)) {
            if (holding.weights > 0)
                part.established = portion(part.established, holding);
            else if (part.established != Bytes(0))
                part = { Bytes(0), true };
        } else if (!whole && category != Category::Outside && part.established != Bytes(0)) {
            part = { Bytes(0), true };
        }
        device.atPeak[index(category)] += part;
    }
    if (!whole || !rank.least)
        return;
    // Of several ranks on one GPU the intervals add up, like the needs.
    const Sum exact = rank.need;
    device.least += *rank.least;
    device.most += *rank.most - exact.established;
    for (const Category category : kCategories)
        if (category != Category::Slack)
            device.least -= rank.atPeak[index(category)].established;
}

DeviceClass makeDeviceClass(const std::vector<RankClass>& ranks, const SiteIndex::Kind& kind,
    std::int32_t kindIndex, std::vector<DeviceClass::Holding> holdings)
{
    DeviceClass device;
    device.kind = kindIndex;
    device.usable = kind.usable;
    device.installed = kind.installed;
    device.installedKnown = kind.installedKnown;
    device.holdings = std::move(holdings);
    for (const DeviceClass::Holding& holding : device.holdings)
        addHolding(device, ranks[static_cast<std::size_t>(holding.rankClass)], holding);
    for (const Category category : kCategories) {
        device.need += device.atPeak[index(category)];
        if (category != Category::Slack)
            device.needWithoutSlack += device.atPeak[index(category)];
    }
    // Until here both are differences from what is established.
    device.least += device.needWithoutSlack.established;
    device.most += device.need.established;
    return device;
}

/// Classes of a framework whose strategy derives everything: one for each pipeline stage and kind
/// of GPU. False: it does not apply, or refuses; the reason is then in `refused`.
bool classifyByStrategy(Account& account, const Workload& workload, const ResolvedLayout& layout,
    const SiteIndex& site, std::string& refused)
{
    if (const auto foreign = foreignTo(workload, layout))
        refused = foreign->text;
    struct Kind {
        int architecture = 0;
        std::unique_ptr<Strategy> strategy;
        std::vector<std::int32_t> classOfStage;
    };
    std::vector<Kind> kinds;
    const auto kindOf = [&](int architecture) -> Kind& {
        for (Kind& kind : kinds)
            if (kind.architecture == architecture)
                return kind;
        return kinds.emplace_back(Kind { architecture, strategyFor(workload, layout, architecture),
            std::vector<std::int32_t>(std::size_t(layout.pipeline()), -1) });
    };
    try {
        if (layout.rankCount() == 0 || !kindOf(0).strategy)
            return false;
        std::vector<std::uint32_t> classOfRank(std::size_t(layout.rankCount()));
        std::vector<RankClass> classes;
        for (std::int32_t rank = 0; rank < layout.rankCount(); ++rank) {
            const std::int32_t gpu = layout.gpuOf(rank);
            Kind& kind = kindOf(gpu < 0 ? 0 : site.kind(gpu).architecture);
            const std::int32_t stage = layout.stage(rank);
            std::int32_t& number = kind.classOfStage[std::size_t(stage)];
            if (number < 0) {
                number = std::int32_t(classes.size());
                classes.push_back(kind.strategy->rankClass(stage));
            }
            classes[std::size_t(number)].ranks.insert(rank);
            classOfRank[std::size_t(rank)] = std::uint32_t(number);
        }
        account.rankClasses = std::move(classes);
        account.classOfRank = std::move(classOfRank);
        const auto copy
            = attempt([&] { return kinds.back().strategy->oneCopy(account.rankClasses.front()); });
        if (copy)
            account.oneCopy = *copy;
        return true;
    } catch (const Failure& failure) {
        refused = failure.error().text();
        return false;
    }
}

void classifyRanks(Account& account, const Workload& workload, const ResolvedLayout& layout)
{
    const std::vector<StateTensor> state = stateTensors(workload);
    RankClassifier classifier(state);
    account.classOfRank.resize(static_cast<std::size_t>(layout.rankCount()));
    for (std::int32_t rank = 0; rank < layout.rankCount(); ++rank) {
        const ResolvedLayout::Shares shares = layout.shares(rank);
        bool found = false;
        const std::size_t number = classifier.classOf(shares, found);
        if (found)
            account.rankClasses.push_back(
                makeRankClass(workload, state, shares, layout.modelParallel() > 1));
        account.rankClasses[number].ranks.insert(rank);
        account.classOfRank[static_cast<std::size_t>(rank)] = static_cast<std::uint32_t>(number);
    }
}

/// What a GPU holds of its ranks, into a vector that is used again for the next GPU.
void findHoldings(std::vector<DeviceClass::Holding>& holdings, const Account& account,
    const ResolvedLayout& layout, std::int32_t gpu)
{
    holdings.clear();
    for (const ResolvedLayout::Resident& resident : layout.residents(gpu))
        holdings.push_back({ static_cast<std::int32_t>(
                                 account.classOfRank[static_cast<std::size_t>(resident.rank)]),
            resident.weight, resident.weights, resident.before });
}

void classifyDevices(Account& account, const ResolvedLayout& layout, const SiteIndex& site)
{
    account.classOfGpu.resize(static_cast<std::size_t>(site.gpuCount()));
    std::size_t last = 0;
    std::vector<DeviceClass::Holding> holdings(1);
    for (std::int32_t gpu = 0; gpu < site.gpuCount(); ++gpu) {
        if (layout.oneToOne())
            holdings.front().rankClass
                = static_cast<std::int32_t>(account.classOfRank[static_cast<std::size_t>(gpu)]);
        else
            findHoldings(holdings, account, layout, gpu);
        const std::int32_t kind = site.kindIndex(gpu);
        const auto same = [&](const DeviceClass& device) {
            return device.kind == kind && device.holdings == holdings;
        };
        std::vector<DeviceClass>& classes = account.deviceClasses;
        if (last >= classes.size() || !same(classes[last])) {
            last = static_cast<std::size_t>(
                std::find_if(classes.begin(), classes.end(), same) - classes.begin());
            if (last == classes.size())
                classes.push_back(
                    makeDeviceClass(account.rankClasses, site.kind(gpu), kind, holdings));
        }
        classes[last].gpus.insert(gpu);
        account.classOfGpu[static_cast<std::size_t>(gpu)] = static_cast<std::uint32_t>(last);
    }
}

/// What a strategy refuses, it does not derive.
void tellRefusal(Account& account, const std::string& refused)
{
    for (RankClass& ranks : account.rankClasses)
        for (Term& term : ranks.terms)
            if (!term.amount.established())
                term.note = "Not computed: " + refused + ".";
}

/// The job's totals can leave 64 bits where no device does; they alone are then not established.
void addTotals(Account& account, const Workload& workload, const ResolvedLayout& layout)
{
    if (layout.modelParallel() > 1 && !account.strategy)
        return;
    const auto totals = attempt([&] {
        const std::optional<Bytes> copy = account.strategy ? account.oneCopy : oneCopy(workload);
        Bytes state;
        for (const RankClass& ranks : account.rankClasses)
            state += ranks.state * ranks.ranks.size();
        return std::pair(copy, state);
    });
    if (!totals || !totals->first)
        return;
    account.oneCopy = totals->first;
    // One copy may be known, and what ranks keep of it not: a total of which a part is divided.
    for (const RankClass& ranks : account.rankClasses)
        for (const Term& term : ranks.terms)
            if (isState(term.category) && !term.amount.established())
                return;
    account.stateEstablished = true;
    account.stateTotal = totals->second;
    if (layout.rankCount() > 0)
        account.redundantTotal = std::max(Bytes(0), totals->second - *totals->first);
}

} // namespace

Result<Account> account(
    const Workload& workload, const ResolvedLayout& layout, const SiteIndex& site)
{
    return attempt([&] {
        Account account;
        account.installedTotal = site.installedTotal();
        std::string refused;
        if (!classifyByStrategy(account, workload, layout, site, refused))
            classifyRanks(account, workload, layout);
        else
            account.strategy = true;
        if (!refused.empty())
            tellRefusal(account, refused);
        classifyDevices(account, layout, site);
        addTotals(account, workload, layout);
        return account;
    });
}

Result<RankTrace> rankTrace(const Workload& workload, const ResolvedLayout& layout,
    const SiteIndex& site, std::int32_t rank)
{
    return attempt([&] {
        const std::int32_t gpu = layout.gpuOf(rank);
        if (const auto strategy
            = strategyFor(workload, layout, gpu < 0 ? 0 : site.kind(gpu).architecture))
            return strategy->trace(layout.stage(rank));
        RankTrace named;
        named.trace = stepTrace(workload, layout, rank).value();
        const std::vector<Term> terms = termsOf(
            workload, stateTensors(workload), layout.shares(rank), layout.modelParallel() > 1);
        for (const Term& term : terms)
            if (term.amount.established())
                named.names.push_back(term.name);
        return named;
    });
}

Result<StepTrace> stepTrace(
    const Workload& workload, const ResolvedLayout& layout, std::int32_t rank)
{
    return attempt([&] {
        const std::vector<StateTensor> state = stateTensors(workload);
        const std::vector<Term> terms
            = termsOf(workload, state, layout.shares(rank), layout.modelParallel() > 1);
        const std::vector<HeldTensor> held = heldTensors(terms, state);
        TraceSink sink(held);
        emitStep(held, sink);
        return std::move(sink.trace);
    });
}

std::optional<Bytes> oneCopy(const Workload& workload)
{
    Bytes sum;
    for (const StateTensor& tensor : stateTensors(workload)) {
        if (!tensor.established)
            return std::nullopt;
        sum += tensor.bytes();
    }
    return sum;
}

} // namespace shardrack
