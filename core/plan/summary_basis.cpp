// What a summary takes as given, and what nobody has established.
#include "plan/report_words.h"
#include "plan/summary_parts.h"
#include "plan/summary_words.h"

#include "account/constants.h"
#include "account/strategy.h"
#include "base/size_text.h"
#include "workload/recipe.h"

#include <algorithm>

namespace shardrack {

namespace {

/// Adds an offer to the item that says the same, or a new item.
class OpenItems {
public:
    void add(const std::string& what, const std::string& establish, std::size_t offer)
    {
        const auto same = std::find_if(m_items.begin(), m_items.end(),
            [&](const OpenItem& item) { return item.what == what && item.establish == establish; });
        if (same == m_items.end())
            m_items.push_back({ what, establish, { offer } });
        else if (same->offers.back() != offer)
            same->offers.push_back(offer);
    }
    std::vector<OpenItem> take() && { return std::move(m_items); }

private:
    std::vector<OpenItem> m_items;
};

/// Open terms of all ranks, each with what it needs.
void addOpenTerms(OpenItems& items, const SummarisedOffer& offer, std::size_t number)
{
    for (const RankClass& ranks : offer.assessment().account.rankClasses)
        for (const Term& term : ranks.terms)
            if (!term.amount.established())
                items.add(term.name, term.note, number);
    for (const DeviceClass& device : offer.assessment().account.deviceClasses)
        for (const DeviceClass::Holding& holding : device.holdings)
            if (holding.weights == 0)
                items.add(
                    "How a rank is split over its GPUs", "Give the shares of its GPUs.", number);
}

void addOpenFacts(OpenItems& items, const SummarisedOffer& offer, std::size_t number)
{
    if (!offer.usableConfirmed())
        items.add("Usable allocation", "A person has to confirm it for these devices.", number);
    if (!offer.plan.margin.bytes)
        items.add("Required margin", "Somebody has to state it, with its basis.", number);
    if (offer.offer().interconnect.empty() && offer.assessment().index.servers().size() > 1)
        items.add("Interconnect between servers", "The offer has to name it.", number);
    if (offer.findings().demonstrated != Demonstrated::Demonstrated)
        items.add("Demonstrated fit",
            "Measured peaks from every device, over initialization and complete steps.", number);
    if (offer.findings().result == TrainingResult::NotEvaluated)
        items.add("Training result", "A run judged by a stated quality and performance criterion.",
            number);
}

/// The same for assumptions.
class Assumptions {
public:
    void add(std::string text, std::string source, std::size_t offer)
    {
        const auto same = std::find_if(m_list.begin(), m_list.end(),
            [&](const Assumption& each) { return each.text == text && each.source == source; });
        if (same == m_list.end())
            m_list.push_back({ std::move(text), std::move(source), { offer } });
        else if (same->offers.back() != offer)
            same->offers.push_back(offer);
    }
    void addForAll(std::string text, std::string source)
    {
        m_list.push_back({ std::move(text), std::move(source), {} });
    }
    std::vector<Assumption> take(std::size_t offers) &&
    {
        for (Assumption& each : m_list)
            if (each.offers.size() == offers)
                each.offers.clear();
        return std::move(m_list);
    }

private:
    std::vector<Assumption> m_list;
};

/// Sources of the presets that keep as many bytes for each parameter.
std::string bytesSource(const Recipe& recipe)
{
    std::string sources;
    for (const RecipePreset& preset : recipePresets())
        if (preset.bytes == *recipe.bytesPerParameter
            && (recipe.optimizer.empty() || recipe.optimizer == preset.optimizer))
            sources += (sources.empty() ? "" : "; or ") + preset.source;
    return sources.empty() ? "given with the plan" : sources;
}

void addWorkload(Assumptions& list, const SummarisedOffer& offer, std::size_t number)
{
    const Workload& workload = offer.workload();
    if (workload.basis == Workload::StateBasis::Stipulated)
        list.add("The persistent training state is stipulated, not derived.", "given with the plan",
            number);
    if (workload.basis != Workload::StateBasis::Derived)
        return;
    if (workload.model) {
        const auto count = workload.model->parameters();
        if (count)
            list.add(grouped(*count) + " parameters in "
                    + (workload.model->architecture.name.empty()
                            ? std::string("the model")
                            : workload.model->architecture.name)
                    + ".",
                workload.model->parametersGiven ? "given with the plan"
                                                : "counted from the model's description",
                number);
    }
    if (const auto& each = workload.recipe.bytesPerParameter)
        list.add(std::to_string(each->total())
                + " bytes for each trained parameter: " + std::to_string(each->parameters)
                + " parameter, " + std::to_string(each->gradients) + " gradient, "
                + std::to_string(each->optimizer) + " moments, " + std::to_string(each->master)
                + " master copy. All parameters are trained"
                + (workload.recipe.trained.empty() ? ", unless the offer says otherwise." : "."),
            bytesSource(workload.recipe), number);
}

void addHardware(
    Assumptions& list, const SummarisedOffer& offer, std::size_t number, const Catalogue& catalogue)
{
    for (const GpuTypeCount& each : gpuTypes(offer.assessment().index)) {
        const GpuType* type = catalogue.gpu(each.type);
        if (!type)
            continue;
        list.add(type->name + ": " + gibText(type->installed) + " installed"
                + (type->installedIsLabel ? ", the label taken as GiB." : ", as reported."),
            type->source.empty() ? "catalogue" : "catalogue: " + type->source, number);
        GpuTypeCount given = each;
        given.kinds.clear();
        for (const SiteIndex::Kind* kind : each.kinds)
            if (kind->usable.bytes != type->usable)
                given.kinds.push_back(kind);
            else
                list.add(type->name + ": " + gibText(kind->usable.bytes) + " usable"
                        + (each.confirmed() ? "." : ", not confirmed."),
                    "catalogue: " + type->usableSource, number);
        if (!given.kinds.empty())
            list.add(type->name + ": " + given.usableWords() + ".",
                given.confirmed() ? "confirmed by the person who made the plan"
                                  : "given with the plan",
                number);
    }
}

/// What a framework's account takes as given: switches that nobody settles, and amounts that were
/// observed and no arithmetic gives.
void addFramework(Assumptions& list, const SummarisedOffer& offer, std::size_t number)
{
    const Assessment& assessment = offer.assessment();
    const std::int32_t gpu = assessment.findings.mostLoadedGpu;
    if (!assessment.account.strategy || gpu < 0)
        return;
    const Recipe& recipe = offer.workload().recipe;
    const Framework& chosen = *framework(recipe.framework);
    const std::vector<Setting> settings
        = resolvedSettings(recipe, assessment.index.kind(gpu).architecture);
    for (const SwitchInfo& info : chosen.table->switches) {
        const Setting& setting = settings[info.which];
        if (setting.origin == Origin::Assumed)
            list.add(std::string(chosen.title) + ", " + info.title + ": "
                    + valueText(info, setting.value, switchesOf(recipe, chosen).words) + ".",
                *setting.why == 0 ? "assumed" : std::string("assumed: ") + setting.why, number);
    }
    if (recipe.recompute.empty())
        list.add("Recompute: none.", "assumed: the workload does not say", number);
    if (!batchArithmetic(recipe, assessment.layout.dataParallel()).accumulation)
        list.add(
            "Accumulation: one micro-batch a step.", "assumed: the workload does not say", number);
    const StipulatedTerms& terms = offer.workload().terms;
    const auto observed = [&](const char* what, const char* id) {
        const Constant& amount = constant(id);
        list.add(std::string(what) + ": " + amount.mechanism + ".",
            amount.source + ", " + amount.version, number);
    };
    if (!terms.slack)
        observed("Allocator slack", "slack-millionths");
    if (!terms.outside) {
        observed("CUDA context", "context");
        observed("Communication buffers", "nccl-large");
    }
}

void addDivision(Assumptions& list, const SummarisedOffer& offer, std::size_t number)
{
    if (offer.assessment().layout.groupCount() > 0)
        list.add("Every rank of a shard group holds an equal share, rounded up.",
            "flattened layout of ZeRO (Rajbhandari et al., arXiv:1910.02054, section 5) and FSDP",
            number);
    for (const std::string& assumption : offer.offer().assumptions)
        list.add(assumption, "stated with the offer", number);
}

} // namespace

std::vector<OpenItem> notEstablished(const std::vector<SummarisedOffer>& offers)
{
    OpenItems items;
    for (std::size_t i = 0; i < offers.size(); ++i)
        addOpenTerms(items, offers[i], i);
    for (std::size_t i = 0; i < offers.size(); ++i)
        addOpenFacts(items, offers[i], i);
    return std::move(items).take();
}

std::vector<Assumption> assumptionsOf(
    const Plan& plan, const std::vector<SummarisedOffer>& offers, const Catalogue& catalogue)
{
    Assumptions list;
    for (std::size_t i = 0; i < offers.size(); ++i)
        addWorkload(list, offers[i], i);
    for (std::size_t i = 0; i < offers.size(); ++i)
        addHardware(list, offers[i], i, catalogue);
    for (std::size_t i = 0; i < offers.size(); ++i)
        addDivision(list, offers[i], i);
    for (std::size_t i = 0; i < offers.size(); ++i)
        addFramework(list, offers[i], i);
    if (plan.margin.bytes)
        list.addForAll("Required margin of " + gibText(*plan.margin.bytes) + " on every device.",
            plan.margin.basis.empty() ? "basis not stated" : plan.margin.basis);
    return std::move(list).take(offers.size());
}

} // namespace shardrack
