#include "plan/plan_json.h"
#include "plan/basis.h"
#include "plan/plan_json_extra.h"
#include "plan/plan_json_facts.h"
#include "plan/plan_json_parts.h"
#include "plan/plan_json_print.h"
#include "plan/plan_json_unknown.h"

#include "base/utf8.h"

#include <nlohmann/json.hpp>

#include <array>
#include <limits>
#include <map>
#include <unordered_set>

namespace shardrack {

namespace {

constexpr const char* kFormat = "shardrack-plan";
constexpr const char* kNotStated = "not stated";
constexpr std::string_view kSameAs = "same as ";

/// What a JSON file without our mark seems to be; empty when nothing is recognised.
std::string seemsToBe(const Json& json)
{
    if (!json.is_object())
        return {};
    struct Kind {
        const char* key;
        const char* what;
    };
    static constexpr std::array<Kind, 13> kinds { {
        { "weight_map", "the index of a model's checkpoint (*.index.json)" },
        { "model_type", "a model's description (config.json)" },
        { "architectures", "a model's description (config.json)" },
        { "n_embd", "a model's description (config.json)" },
        { "hidden_size", "a model's description (config.json)" },
        { "zero_optimization", "a DeepSpeed configuration" },
        { "train_micro_batch_size_per_gpu", "a DeepSpeed configuration" },
        { "train_batch_size", "a DeepSpeed configuration" },
        { "deepspeed_config", "an accelerate configuration" },
        { "fsdp_config", "an accelerate configuration" },
        { "added_tokens", "a tokenizer" },
        { "gpus", "a hardware catalogue" },
        { "findings", "an account as shardrack-cli prints it" },
    } };
    for (const Kind& kind : kinds)
        if (json.contains(kind.key))
            return kind.what;
    return {};
}

void checkFormat(const JsonView& view)
{
    const std::string expected = std::string("a plan, with \"format\": \"") + kFormat + '"';
    if (!view.isObject())
        view.fail("is not an object, so this is no plan", expected);
    const auto format = view.find("format");
    if (!format) {
        const std::string guess = seemsToBe(view.json());
        view.fail(guess.empty() ? "has no \"format\", so this is no plan"
                                : "has no \"format\"; this seems to be " + guess,
            expected);
    }
    if (const std::string text = format->string(); text != kFormat)
        format->fail("is \"" + shortened(text) + '"', std::string("\"") + kFormat + '"');
}

RequiredMargin marginFromJson(const JsonView& view)
{
    RequiredMargin margin;
    if (const auto bytes = view.find("bytes"))
        margin.bytes = bytes->bytes();
    margin.basis = optionalText(view, "basis");
    if (margin.basis == kNotStated) {
        margin.basis.clear();
        if (margin.bytes == Bytes(0))
            margin.bytes.reset();
    }
    margin.extra = unknownMembers(view, { "bytes", "basis" });
    return margin;
}

Json toJson(const RequiredMargin& margin)
{
    Json json = Json::object();
    if (margin.bytes)
        json["bytes"] = margin.bytes->count();
    if (!margin.basis.empty())
        json["basis"] = margin.basis;
    appendExtra(json, margin.extra);
    return json;
}

/// Reads one plan; remembers what concerns all its offers.
class PlanReader {
public:
    explicit PlanReader(std::vector<std::string>& remarks)
        : m_remarks(remarks)
    {
    }

    Plan read(const JsonView& view)
    {
        Plan plan = emptyPlan();
        plan.title = optionalText(view, "title");
        plan.note = optionalText(view, "note");
        if (const auto fictional = view.find("fictional"))
            plan.fictional = fictional->boolean();
        if (const auto margin = view.find("required_margin"))
            plan.margin = marginFromJson(*margin);
        if (const auto workload = view.find("workload"))
            plan.workload = std::make_shared<const Workload>(readWorkload(*workload, m_remarks));
        if (const auto offers = view.find("offers"))
            for (const JsonView& item : offers->items())
                plan.offers.push_back(
                    std::make_shared<const Offer>(readOffer(item, *plan.workload)));
        plan.extra = unknownMembers(view,
            { "format", "version", "title", "note", "fictional", "required_margin", "workload",
                "offers" });
        return plan;
    }

private:
    Offer readOffer(const JsonView& view, const Workload& common)
    {
        const JsonView name = view.at("name");
        Offer offer = emptyOffer(name.string());
        if (offer.name.empty())
            name.fail("is empty", "a name");
        if (m_sites.count(offer.name) > 0)
            name.fail("the name \"" + shortened(offer.name) + "\" is given to a second offer",
                "a name of its own for each offer");
        if (const auto assumptions = view.find("assumptions"))
            for (const JsonView& item : assumptions->items())
                offer.assumptions.push_back(item.string());
        if (const auto site = view.find("site"))
            offer.site = readSite(*site);
        if (const auto layout = view.find("layout"))
            offer.layout = layoutFromJson(*layout, offer.site);
        if (const auto workload = view.find("workload"))
            offer.workload = std::make_shared<const Workload>(readWorkload(*workload, m_remarks));
        readFacts(view, offer);
        stampEvidence(offer, common);
        offer.extra = unknownMembers(view,
            { "name", "assumptions", "site", "layout", "workload", "changed_basis", "interconnect",
                "price", "measurements", "training_result" });
        m_sites.emplace(offer.name, offer.site);
        return offer;
    }

    static void readFacts(const JsonView& view, Offer& offer)
    {
        if (const auto basis = view.find("changed_basis"))
            for (const JsonView& item : basis->items())
                offer.basis.push_back(basisStatementFromJson(item));
        offer.interconnect = optionalText(view, "interconnect");
        if (const auto price = view.find("price"))
            offer.price = priceFromJson(*price);
        if (const auto measurements = view.find("measurements"))
            for (const JsonView& item : measurements->items())
                offer.measurements.push_back(measurementFromJson(item));
        if (const auto outcome = view.find("training_result"))
            offer.outcome = outcomeFromJson(*outcome);
    }

    Site readSite(const JsonView& view)
    {
        if (!view.isString())
            return siteFromJson(view, m_budget);
        const std::string text = view.string();
        const auto source = text.compare(0, kSameAs.size(), kSameAs) == 0
            ? m_sites.find(text.substr(kSameAs.size()))
            : m_sites.end();
        if (source == m_sites.end())
            view.fail("is \"" + shortened(text) + '"',
                "a site, or \"same as\" and the name of an earlier offer");
        return source->second;
    }

    std::vector<std::string>& m_remarks;
    HardwareBudget m_budget;
    std::map<std::string, Site> m_sites; ///< by name of their offer
};

void addIdleReasons(PlanReading& reading)
{
    for (std::size_t offer = 0; offer < reading.plan.offers.size(); ++offer)
        for (const std::string& field : reasonsWithoutChange(reading.plan, offer))
            reading.remarks.push_back("Offer " + reading.plan.offers[offer]->name + " says why \""
                + shortened(field) + "\" is changed, and it is as in the common workload.");
}

Json siteJson(const Plan& plan, std::size_t number)
{
    const Site& site = plan.offers[number]->site;
    for (std::size_t earlier = 0; earlier < number && !site.racks.empty(); ++earlier)
        if (sameHardware(plan.offers[earlier]->site, site))
            return std::string(kSameAs) + plan.offers[earlier]->name;
    return toJson(site);
}

Json offerJson(const Plan& plan, std::size_t number)
{
    const Offer& offer = *plan.offers[number];
    Json json { { "name", offer.name } };
    if (!offer.assumptions.empty())
        json["assumptions"] = offer.assumptions;
    json["site"] = siteJson(plan, number);
    json["layout"] = toJson(offer.layout, offer.site);
    if (offer.workload)
        json["workload"] = toJson(*offer.workload);
    for (const BasisStatement& statement : offer.basis)
        json["changed_basis"].push_back(toJson(statement));
    if (!offer.interconnect.empty())
        json["interconnect"] = offer.interconnect;
    if (offer.price)
        json["price"] = toJson(*offer.price);
    for (const Measurement& measurement : offer.measurements)
        json["measurements"].push_back(toJson(measurement));
    if (offer.outcome)
        json["training_result"] = toJson(*offer.outcome);
    appendExtra(json, offer.extra);
    return json;
}

std::string versionText(std::int64_t version)
{
    return "version " + std::to_string(version) + ", and this program reads up to version "
        + std::to_string(kPlanVersion);
}

} // namespace

Result<PlanReading> readPlan(std::string_view text)
{
    return attempt([&] {
        const Json json = parseJson(text).value();
        const JsonView view(json, "$");
        checkFormat(view);
        const std::int64_t version
            = view.at("version").integer(1, std::numeric_limits<std::int64_t>::max());
        PlanReading reading;
        reading.readOnly = version > kPlanVersion;
        if (reading.readOnly)
            reading.remarks.push_back("The file has " + versionText(version)
                + ". It is shown as far as it is understood and cannot be saved over.");
        try {
            reading.plan = PlanReader(reading.remarks).read(view);
        } catch (const Failure& failure) {
            if (!reading.readOnly)
                throw;
            Error error = failure.error();
            error.what += " (the file has " + versionText(version) + ")";
            throw Failure(std::move(error));
        }
        if (std::string remark = unknownMembersRemark(reading.plan); !remark.empty())
            reading.remarks.push_back(std::move(remark));
        addIdleReasons(reading);
        return reading;
    });
}

std::string writePlan(const Plan& plan)
{
    Json json { { "format", kFormat }, { "version", kPlanVersion } };
    json["title"] = plan.title;
    if (!plan.note.empty())
        json["note"] = plan.note;
    if (plan.fictional)
        json["fictional"] = true;
    if (Json margin = toJson(plan.margin); !margin.empty())
        json["required_margin"] = std::move(margin);
    if (Json workload = toJson(*plan.workload); !workload.empty())
        json["workload"] = std::move(workload);
    Json& offers = json["offers"] = Json::array();
    for (std::size_t number = 0; number < plan.offers.size(); ++number)
        offers.push_back(offerJson(plan, number));
    appendExtra(json, plan.extra);
    return printJson(json);
}

} // namespace shardrack
