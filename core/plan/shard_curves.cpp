#include "plan/shard_curves.h"

#include "base/size_text.h"
#include "plan/report_words.h"
#include "plan/summary_words.h"

#include <algorithm>
#include <array>

namespace shardrack {

namespace {

constexpr std::int32_t kLeastReach = 64; ///< GPUs that the axis reaches at least
constexpr std::array kPresets { LayoutPreset::Ddp, LayoutPreset::Zero1, LayoutPreset::Zero2,
    LayoutPreset::Fsdp, LayoutPreset::Hsdp };

const char* shortName(LayoutPreset preset)
{
    switch (preset) {
    case LayoutPreset::Zero1:
        return "ZeRO-1";
    case LayoutPreset::Zero2:
        return "ZeRO-2";
    case LayoutPreset::Fsdp:
        return "FSDP";
    case LayoutPreset::Hsdp:
        return "HSDP";
    default:
        return "Replicas (DDP)";
    }
}

/// The GPUs that most of a site's GPUs are like, and the GPUs of a server that has any.
struct CommonGpu {
    GpuRun run;
    std::int32_t perServer = 1;
};

std::optional<CommonGpu> commonGpu(const Site& site)
{
    std::vector<GpuRun> kinds;
    std::int32_t perServer = 0;
    for (const auto& rack : site.racks)
        for (const Server& server : rack->servers) {
            if (perServer == 0)
                perServer = server.gpuCount();
            for (const GpuRun& run : server.gpus) {
                const auto same = std::find_if(kinds.begin(), kinds.end(), [&](const GpuRun& kind) {
                    return kind.type == run.type && kind.usable == run.usable
                        && kind.confirmed == run.confirmed;
                });
                if (same == kinds.end())
                    kinds.push_back(run);
                else
                    same->count += run.count;
            }
        }
    const auto most = std::max_element(kinds.begin(), kinds.end(),
        [](const GpuRun& a, const GpuRun& b) { return a.count < b.count; });
    if (most == kinds.end() || most->count == 0)
        return std::nullopt;
    return CommonGpu { *most, perServer };
}

Site uniformSite(GpuRun run, std::int32_t gpus)
{
    run.count = gpus;
    Server server;
    server.id = 1;
    server.name = "S";
    server.gpuSlots = gpus;
    server.gpus = { std::move(run) };
    Rack rack;
    rack.name = "R";
    rack.servers = { std::move(server) };
    Site site;
    site.racks = { std::make_shared<const Rack>(std::move(rack)) };
    return site;
}

/// The largest divisor of `number` that is at most `most`.
std::int32_t largestDivisor(std::int32_t number, std::int32_t most)
{
    std::int32_t divisor = std::max(1, std::min(number, most));
    while (number % divisor != 0)
        --divisor;
    return divisor;
}

bool stateKnown(const RankClass& ranks)
{
    return std::none_of(ranks.terms.begin(), ranks.terms.end(),
        [](const Term& term) { return isState(term.category) && !term.amount.established(); });
}

/// A workload and layout that keep the state as a preset says, on any number of GPUs.
struct Variant {
    Workload workload;
    Layout layout;
};

/// One account on a uniform site: of its most loaded device, and of the first rank on it.
struct Computed {
    DeviceClass device;
    RankClass ranks;
};

class CurveMaker {
public:
    CurveMaker(const Plan& plan, std::size_t offer, const Assessment& assessment,
        const Catalogue& catalogue, const CommonGpu& gpu)
        : m_workload(plan.workloadOf(offer))
        , m_layout(plan.offers[offer]->layout)
        , m_assessment(assessment)
        , m_catalogue(catalogue)
        , m_gpu(gpu)
        , m_isMegatron(m_workload.recipe.framework == "megatron")
        , m_followsFramework(assessment.account.strategy && !m_isMegatron)
    {
    }
    ShardCurves make()
    {
        findNumbers();
        for (const LayoutPreset preset : kPresets)
            addCurve(preset);
        if (m_curves.curves.empty())
            throw Failure({ "", "the persistent state is not established",
                "a stipulated size, or a model and the bytes a parameter" });
        sayWhatIsLeftOut();
        findFloor();
        writeBound();
        if (!m_curves.axes.empty())
            m_curves.boundSentence
                = "Every point has " + m_curves.axes + ", as the offer. " + m_curves.boundSentence;
        writeFloor();
        writeFit();
        return std::move(m_curves);
    }

private:
    void findNumbers()
    {
        // Only a strategy derives how tensor and pipeline parallelism divide a copy.
        if (m_assessment.account.strategy && m_assessment.layout.dataParallel() > 0)
            m_curves.copyGpus
                = std::max(1, m_assessment.layout.rankCount() / m_assessment.layout.dataParallel());
        const auto name = [&](const char* axis, std::int32_t degree) {
            if (m_curves.copyGpus > 1 && degree > 1)
                m_curves.axes += (m_curves.axes.empty() ? "" : " · ") + (axis + grouped(degree));
        };
        name("TP ", m_assessment.layout.tensor());
        name("CP ", m_assessment.layout.context());
        name("PP ", m_assessment.layout.pipeline());
        m_curves.gpuType = m_gpu.run.type;
        m_curves.ownGpus = m_assessment.index.gpuCount();
        if (const std::int32_t most = m_assessment.findings.mostLoadedGpu; most >= 0) {
            const Account& account = m_assessment.account;
            m_curves.ownNeed
                = account.deviceClasses[account.classOfGpu[static_cast<std::size_t>(most)]].need;
        }
        const std::int32_t own = m_curves.ownGpus;
        const std::int64_t reach = std::max<std::int64_t>(kLeastReach, std::int64_t(own) * 4);
        for (std::int64_t gpus = m_curves.copyGpus;; gpus *= 2) {
            m_curves.gpus.push_back(static_cast<std::int32_t>(gpus));
            if (gpus >= reach)
                break;
        }
        if (own % m_curves.copyGpus == 0)
            m_curves.gpus.push_back(own);
        std::sort(m_curves.gpus.begin(), m_curves.gpus.end());
        m_curves.gpus.erase(
            std::unique(m_curves.gpus.begin(), m_curves.gpus.end()), m_curves.gpus.end());
        for (const std::int32_t gpus : m_curves.gpus)
            m_sites.emplace_back(uniformSite(m_gpu.run, gpus), m_catalogue);
        const bool given = m_layout.dpShard || m_layout.dpReplicate;
        const ResolvedLayout& resolved = m_assessment.layout;
        const std::int32_t inServer
            = std::max(1, m_gpu.perServer / (resolved.tensor() * resolved.context()));
        m_curves.perGroup = m_layout.preset == LayoutPreset::Hsdp && given
            ? shardGroupSize(m_layout, inServer, own / m_curves.copyGpus)
            : inServer;
    }

    /// How the workload runs as a preset says; absent where it cannot be told apart or the
    /// framework has no such thing.
    std::optional<Variant> variantOf(LayoutPreset preset) const
    {
        Variant variant { m_workload, {} };
        keepMicroBatches(variant.workload.recipe);
        if (m_isMegatron) {
            if (preset != LayoutPreset::Ddp && preset != LayoutPreset::Zero1)
                return std::nullopt;
            variant.workload.recipe.megatron.set(
                Switch::DistributedOptimizer, preset == LayoutPreset::Zero1 ? 1 : 0);
            variant.layout.preset = LayoutPreset::Megatron;
            takeAxes(variant.layout);
            return variant;
        }
        const bool undivided = m_workload.basis == Workload::StateBasis::Stipulated
            && m_workload.stipulated.total.has_value();
        if (undivided && (preset == LayoutPreset::Zero1 || preset == LayoutPreset::Zero2))
            return std::nullopt;
        variant.layout.preset = preset;
        takeAxes(variant.layout);
        return variant;
    }

    /// What divides a copy of the model stays as it is in the offer.
    void takeAxes(Layout& layout) const
    {
        if (m_curves.copyGpus == 1)
            return;
        layout.tensor = m_layout.tensor;
        layout.context = m_layout.context;
        layout.pipeline = m_layout.pipeline;
        layout.expert = m_layout.expert;
        layout.order = m_layout.order;
    }
    /// A pipeline gets as many micro-batches as in the offer, on any number of replicas.
    void keepMicroBatches(Recipe& recipe) const
    {
        if (m_assessment.layout.pipeline() == 1)
            return;
        const BatchArithmetic batch
            = batchArithmetic(m_workload.recipe, m_assessment.layout.dataParallel());
        recipe.microBatch = batch.microBatch;
        recipe.accumulation = batch.accumulation;
        recipe.globalBatch.reset();
    }

    Computed compute(const Variant& variant, std::size_t number) const
    {
        const SiteIndex& index = m_sites[number];
        const std::int32_t gpus = index.gpuCount();
        Layout layout = variant.layout;
        if (layout.preset == LayoutPreset::Hsdp)
            layout.dpShard = largestDivisor(gpus / m_curves.copyGpus, m_curves.perGroup);
        const ResolvedLayout resolved(layout, index);
        const Account made = account(variant.workload, resolved, index).value();
        const auto most = std::max_element(made.deviceClasses.begin(), made.deviceClasses.end(),
            [](const DeviceClass& a, const DeviceClass& b) {
                return a.need.established < b.need.established;
            });
        const auto ranks = static_cast<std::size_t>(most->holdings.front().rankClass);
        return { *most, made.rankClasses[ranks] };
    }

    void addCurve(LayoutPreset preset)
    {
        const std::optional<Variant> variant = variantOf(preset);
        if (!variant) {
            m_leftOut.emplace_back(shortName(preset));
            return;
        }
        ShardCurve curve;
        curve.preset = preset;
        curve.name = shortName(preset);
        if (m_isMegatron && preset == LayoutPreset::Zero1)
            curve.name = "ZeRO-1 (distributed optimizer)";
        Computed last;
        for (std::size_t number = 0; number < m_curves.gpus.size(); ++number) {
            const std::int32_t gpus = m_curves.gpus[number];
            last = compute(*variant, number);
            if (!stateKnown(last.ranks)) {
                m_unknown.emplace_back(shortName(preset));
                return;
            }
            m_curves.usable = last.device.usable;
            curve.points.push_back({ gpus, last.device.need });
            if (!curve.withinFrom && last.device.need.established <= last.device.usable.bytes)
                curve.withinFrom = gpus;
            if (preset == LayoutPreset::Ddp) {
                m_curves.replicaState = last.ranks.state;
                m_curves.replicaStateKnown = true;
            }
        }
        if (m_curves.curves.empty()
            || last.device.need.established <= m_most.device.need.established)
            m_most = std::move(last);
        m_curves.curves.push_back(std::move(curve));
    }

    void sayWhatIsLeftOut()
    {
        std::string text;
        if (!m_leftOut.empty())
            text = joinedWords(m_leftOut) + (m_leftOut.size() == 1 ? " is" : " are")
                + (m_isMegatron
                        ? " left out: Megatron-LM divides the optimizer state by its own "
                          "switch and nothing else over the replicas."
                        : " left out: of a state stipulated as one size nobody knows how much "
                          "is optimizer state and how much gradients. Stipulate the parts, or "
                          "derive the state from a model.");
        if (!m_unknown.empty())
            text += (text.empty() ? "" : " ") + joinedWords(m_unknown)
                + (m_unknown.size() == 1 ? " is" : " are")
                + " left out: with this framework and recipe the state is not established.";
        m_curves.leftOut = text;
    }

    /// Of the most divided curve on the most GPUs: everything but the state.
    void findFloor()
    {
        for (const Category category : kCategories)
            if (!isState(category))
                m_curves.floor += m_most.device.atPeak[index(category)];
        for (const Term& term : m_most.ranks.terms)
            if (!term.amount.established())
                m_curves.openTerms.push_back(openWords(term.name));
    }

    void writeBound()
    {
        const std::string state = shortGib(m_curves.replicaState);
        const bool divided = m_curves.copyGpus > 1;
        const std::string holder = divided ? "a rank of a replica holds" : "a replica holds";
        const std::int32_t most
            = m_curves.gpus.back() / m_curves.copyGpus * m_assessment.layout.context();
        if (m_followsFramework) {
            m_curves.boundSentence = "Of the " + state + " of persistent state that " + holder
                + ", " + grouped(most)
                + (divided ? " ranks of a shard group divide all but a share: "
                           : " GPUs divide all but a share: ")
                + state + " − " + state + " ÷ " + grouped(most) + " = " + dividedSaving(most)
                + ". What else a GPU needs differs between replicas and shards." + moreReplicas();
            return;
        }
        m_curves.boundSentence = "Sharding divides the persistent state and nothing else. "
            + capitalised(holder) + " " + state + " of it, so no number of GPUs saves as much as "
            + state + " on any of them";
        if (!m_isMegatron)
            m_curves.boundSentence += ": " + state + " − " + state + " ÷ " + grouped(most) + " = "
                + dividedSaving(most) + " on " + grouped(most) + " GPUs.";
        else
            m_curves.boundSentence += ".";
        m_curves.boundSentence += moreReplicas();
    }

    /// What more replicas save: nothing, unless the curve of replicas says otherwise.
    std::string moreReplicas() const
    {
        const auto replicas = std::find_if(m_curves.curves.begin(), m_curves.curves.end(),
            [](const ShardCurve& curve) { return curve.preset == LayoutPreset::Ddp; });
        // From two replicas on, and of points alike: what is not established lowers a point, too.
        const auto lower = [&](const ShardPoint& point) {
            const Sum& two = replicas->points[1].need;
            return point.need.atLeast == two.atLeast && point.need.established < two.established;
        };
        if (replicas == m_curves.curves.end() || replicas->points.size() < 2
            || std::none_of(replicas->points.begin() + 1, replicas->points.end(), lower))
            return " More replicas save nothing.";
        const Recipe& recipe = m_workload.recipe;
        if (recipe.globalBatch && (!recipe.microBatch || !recipe.accumulation))
            return " More replicas save no state: of the same global batch each computes fewer "
                   "samples, and that alone lowers the curve.";
        return " More replicas save no state.";
    }

    std::string dividedSaving(std::int32_t gpus) const
    {
        return gibText(m_curves.replicaState - Bytes(m_curves.replicaState.count() / gpus));
    }

    void writeFloor()
    {
        std::vector<std::string> parts;
        for (const Category category : kCategories) {
            const Sum& sum = m_most.device.atPeak[index(category)];
            if (!isState(category) && sum.established > Bytes(0))
                parts.push_back(lowered(title(category)) + " " + gibNumber(sum.established));
        }
        std::string text;
        if (parts.empty())
            text = "What no sharding divides is not established";
        else
            text = (m_followsFramework
                           ? "Divided over " + grouped(m_curves.gpus.back())
                               + " GPUs, every GPU holds beside its share: "
                           : std::string("What no sharding divides stays on every GPU: "))
                + separated(parts, " + ")
                + (parts.size() > 1 ? " = " + gibText(m_curves.floor.established) : " GiB");
        if (m_curves.openTerms.empty()) {
            m_curves.floorSentence = text + ".";
            return;
        }
        m_curves.floorSentence = text
            + (parts.empty() ? ": " : ". Not established, and so not counted: ")
            + joinedWords(m_curves.openTerms)
            + ". Every curve is a lower bound: what is open comes on top.";
    }

    void writeFit()
    {
        if (m_curves.usable.bytes == Bytes(0))
            return;
        const std::string usable = "usable " + gibText(m_curves.usable.bytes)
            + (m_curves.usable.provenance == Provenance::NotEstablished ? " (not confirmed)" : "");
        std::vector<std::string> fits;
        std::vector<std::string> open;
        std::vector<std::string> never;
        for (const ShardCurve& curve : m_curves.curves) {
            if (!curve.withinFrom) {
                never.push_back(curve.name);
                continue;
            }
            const auto point = std::find_if(curve.points.begin(), curve.points.end(),
                [&](const ShardPoint& each) { return each.gpus == *curve.withinFrom; });
            (point->need.atLeast ? open : fits)
                .push_back(curve.name + " from " + grouped(*curve.withinFrom)
                    + (*curve.withinFrom == 1 ? " GPU" : " GPUs"));
        }
        std::string& text = m_curves.fitSentence;
        const auto add
            = [&](const std::string& sentence) { text += (text.empty() ? "" : " ") + sentence; };
        if (!fits.empty())
            add("Within " + usable + ": " + separated(fits, "; ") + ".");
        if (!open.empty())
            add("What is established is within " + usable + ": " + separated(open, "; ") + ".");
        if (!never.empty())
            add("Above " + usable + " at every number of GPUs drawn: " + joinedWords(never) + ".");
    }

    const Workload& m_workload;
    const Layout& m_layout;
    const Assessment& m_assessment;
    const Catalogue& m_catalogue;
    const CommonGpu& m_gpu;
    bool m_isMegatron;
    bool m_followsFramework; ///< terms beside the state differ between replicas and shards
    ShardCurves m_curves;
    std::vector<SiteIndex> m_sites; ///< one for each number of GPUs
    Computed m_most;
    std::vector<std::string> m_leftOut; ///< that do not exist for the workload
    std::vector<std::string> m_unknown; ///< whose state is not established
};

} // namespace

const ShardCurve* ShardCurves::curve(LayoutPreset preset) const
{
    for (const ShardCurve& each : curves)
        if (each.preset == preset)
            return &each;
    return nullptr;
}

Result<ShardCurves> shardCurves(
    const Plan& plan, std::size_t offer, const Assessment& assessment, const Catalogue& catalogue)
{
    return attempt([&] {
        const std::optional<CommonGpu> gpu = commonGpu(plan.offers[offer]->site);
        if (!gpu)
            throw Failure({ "", "no GPU is placed yet", "a GPU, whose memory is what is shared" });
        if (assessment.error)
            throw Failure(*assessment.error);
        // One GPU would be drawn as a whole copy, which no offer of this layout has.
        if (assessment.layout.modelParallel() > 1 && !assessment.account.strategy)
            throw Failure({ "", "how the layout divides a copy of the model is not computed",
                "a legal layout and a framework whose strategy divides it, or degrees of 1" });
        return CurveMaker(plan, offer, assessment, catalogue, *gpu).make();
    });
}

} // namespace shardrack
