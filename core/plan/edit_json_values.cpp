#include "plan/edit_json_values.h"

#include "plan/plan_json.h"
#include "plan/plan_json_facts.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <limits>

namespace shardrack {

namespace {

constexpr std::int32_t largest = std::numeric_limits<std::int32_t>::max();

constexpr std::array<std::pair<const char*, NewRanks>, 3> newRanks { {
    { "auto", NewRanks::Auto },
    { "yes", NewRanks::Yes },
    { "no", NewRanks::No },
} };

std::int32_t number(const JsonView& view)
{
    return static_cast<std::int32_t>(view.integer(0, largest));
}

/// An array of exactly `size` elements.
std::vector<JsonView> tuple(const JsonView& view, std::size_t size)
{
    std::vector<JsonView> items = view.items();
    if (items.size() != size)
        view.fail("has " + std::to_string(items.size()) + " elements", std::to_string(size));
    return items;
}

// Placement by hand: neighbouring ranks on neighbouring GPUs are one [server, index, count]; a rank
// on several GPUs is an object.

Json placementValue(const Placement& placement)
{
    struct Run {
        GpuRef first;
        std::int32_t count = 0;
    } run;
    Json json = Json::array();
    const auto flush = [&] {
        if (run.count > 0)
            json.push_back({ run.first.server, run.first.index, run.count });
        run.count = 0;
    };
    for (const RankPlace& place : placement) {
        if (place.gpus.size() == 1 && place.weights.empty()) {
            const GpuRef gpu = place.gpus.front();
            if (run.count > 0 && gpu == GpuRef { run.first.server, run.first.index + run.count }) {
                ++run.count;
                continue;
            }
            flush();
            run = { gpu, 1 };
            continue;
        }
        flush();
        Json gpus = Json::array();
        for (const GpuRef& gpu : place.gpus)
            gpus.push_back({ gpu.server, gpu.index });
        json.push_back({ { "gpus", std::move(gpus) }, { "weights", place.weights } });
    }
    flush();
    return json;
}

std::shared_ptr<const Placement> placementFromValue(const JsonView& view)
{
    auto placement = std::make_shared<Placement>();
    for (const JsonView& item : view.items()) {
        if (item.isArray()) {
            const std::vector<JsonView> run = tuple(item, 3);
            const GpuRef first { number(run[0]), number(run[1]) };
            const std::int64_t count
                = run[2].integer(1, std::min<std::int64_t>(largest - first.index, 1 << 20));
            for (std::int32_t i = 0; i < count; ++i)
                placement->push_back({ { { first.server, first.index + i } }, {} });
            continue;
        }
        RankPlace place;
        for (const JsonView& gpu : item.at("gpus").items()) {
            const std::vector<JsonView> pair = tuple(gpu, 2);
            place.gpus.push_back({ number(pair[0]), number(pair[1]) });
        }
        for (const JsonView& weight : item.at("weights").items())
            place.weights.push_back(weight.bytes().count());
        placement->push_back(std::move(place));
    }
    return placement;
}

// A plan file gives servers the numbers 1, 2, … in site order; a plan that was edited has others.

/// [first, count] for each run of consecutive numbers, in site order.
Json serverIds(const Site& site)
{
    Json runs = Json::array();
    ServerId first = 0;
    ServerId next = 0;
    const auto flush = [&] {
        if (next > first)
            runs.push_back({ first, next - first });
    };
    for (const auto& rack : site.racks)
        for (const Server& server : rack->servers) {
            if (server.id != next) {
                flush();
                first = server.id;
            }
            next = server.id + 1;
        }
    flush();
    return runs;
}

void giveServerIds(const JsonView& view, Offer& offer)
{
    std::vector<ServerId> ids;
    for (const JsonView& item : view.items()) {
        const std::vector<JsonView> run = tuple(item, 2);
        const auto first = static_cast<ServerId>(run[0].integer(1, largest - (1 << 22)));
        const auto count = static_cast<ServerId>(run[1].integer(1, 1 << 22));
        for (ServerId id = first; id < first + count; ++id)
            ids.push_back(id);
    }
    std::size_t servers = 0;
    for (const auto& rack : offer.site.racks)
        servers += rack->servers.size();
    if (ids.size() != servers)
        view.fail("gives " + std::to_string(ids.size()) + " numbers",
            "one for each of " + std::to_string(servers) + " servers");

    auto id = ids.begin();
    for (auto& rack : offer.site.racks) {
        auto numbered = std::make_shared<Rack>(*rack);
        for (Server& server : numbered->servers)
            server.id = *id++;
        if (!(*numbered == *rack))
            rack = std::move(numbered);
    }
    if (!offer.layout.placement)
        return;
    auto placement = std::make_shared<Placement>(*offer.layout.placement);
    for (RankPlace& place : *placement)
        for (GpuRef& gpu : place.gpus)
            gpu.server = ids[static_cast<std::size_t>(gpu.server) - 1];
    offer.layout.placement = std::move(placement);
}

/// An offer on its own does not know the common workload, so that reading it stamped evidence that
/// says no state with a wrong one.
void leaveUnstamped(const JsonView& view, Offer& offer)
{
    if (const auto member = view.find("measurements")) {
        const std::vector<JsonView> items = member->items();
        for (std::size_t i = 0; i < items.size(); ++i)
            if (!items[i].has("basis"))
                offer.measurements[i].basis.clear();
    }
    if (const auto outcome = view.find("training_result"); outcome && !outcome->has("basis"))
        offer.outcome->basis.clear();
}

} // namespace

Json toValue(bool value) { return value; }
Json toValue(std::int32_t value) { return value; }
Json toValue(std::size_t value) { return value; }
Json toValue(const std::string& value) { return value; }
Json toValue(Bytes value) { return value.count(); }

Json toValue(GpuRef gpu) { return { { "server", gpu.server }, { "index", gpu.index } }; }

Json toValue(const std::vector<GpuRef>& gpus)
{
    std::vector<GpuRef> sorted = gpus;
    std::sort(sorted.begin(), sorted.end());
    Json json = Json::array();
    for (auto gpu = sorted.begin(); gpu != sorted.end();) {
        const ServerId server = gpu->server;
        RankSet indices;
        for (; gpu != sorted.end() && gpu->server == server; ++gpu)
            indices.insert(gpu->index);
        json.push_back({ { "server", server }, { "gpus", indices.text() } });
    }
    return json;
}

Json toValue(NewRanks ranks)
{
    return std::find_if(newRanks.begin(), newRanks.end(), [ranks](const auto& known) {
        return known.second == ranks;
    })->first;
}

Json toValue(const RankSet& ranks) { return ranks.text(); }

Json toValue(const PartSet& parts)
{
    return { { "parameters", parts.parameters }, { "gradients", parts.gradients },
        { "optimizer", parts.optimizer } };
}

Json toValue(const RequiredMargin& margin)
{
    Json json { { "basis", margin.basis } };
    if (margin.bytes)
        json["bytes"] = margin.bytes->count();
    appendExtra(json, margin.extra);
    return json;
}

Json toValue(const Workload& workload) { return toJson(workload); }
Json toValue(const Rack& rack) { return toJson(rack); }

Json toValue(const Server& server)
{
    Rack around;
    around.servers.push_back(server);
    Json json = toJson(around)["servers"][0];
    if (server.name.empty())
        json.erase("name"); // the server is to be named when it is added
    return json;
}

Json toValue(const Layout& layout)
{
    Layout bare = layout;
    bare.placement.reset();
    bare.extra.reset();
    Json json = toJson(bare, Site {});
    if (layout.placement)
        json["placement"] = placementValue(*layout.placement);
    if (layout.extra)
        json["kept"] = *layout.extra;
    return json;
}

Json toValue(const BasisStatement& statement) { return toJson(statement); }
Json toValue(const Price& price) { return toJson(price); }
Json toValue(const Measurement& measurement) { return toJson(measurement); }
Json toValue(const TrainingOutcome& outcome) { return toJson(outcome); }

Json toValue(const Offer& offer)
{
    Plan plan = emptyPlan();
    plan.offers.push_back(std::make_shared<const Offer>(offer));
    return toValue(plan);
}

Json toValue(const Plan& plan)
{
    Json ids = Json::array();
    for (const auto& offer : plan.offers)
        ids.push_back(serverIds(offer->site));
    return { { "file", parseJson(writePlan(plan)).value() }, { "server_ids", std::move(ids) } };
}

void fromValue(const JsonView& view, bool& value) { value = view.boolean(); }
void fromValue(const JsonView& view, std::int32_t& value)
{
    value = static_cast<std::int32_t>(
        view.integer(std::numeric_limits<std::int32_t>::min(), largest));
}
void fromValue(const JsonView& view, std::size_t& value)
{
    value = static_cast<std::size_t>(number(view));
}
void fromValue(const JsonView& view, std::string& value) { value = view.string(); }
void fromValue(const JsonView& view, Bytes& value) { value = view.bytes(); }

void fromValue(const JsonView& view, GpuRef& gpu)
{
    gpu = { number(view.at("server")), number(view.at("index")) };
}

void fromValue(const JsonView& view, std::vector<GpuRef>& gpus)
{
    for (const JsonView& item : view.items()) {
        const ServerId server = number(item.at("server"));
        RankSet indices;
        fromValue(item.at("gpus"), indices);
        for (const RankSet::Interval& interval : indices.intervals())
            for (std::int32_t index = interval.first; index <= interval.last; ++index)
                gpus.push_back({ server, index });
    }
}

void fromValue(const JsonView& view, NewRanks& ranks)
{
    const std::string text = view.string();
    for (const auto& [name, value] : newRanks)
        if (text == name) {
            ranks = value;
            return;
        }
    view.fail("is \"" + text + '"', "\"auto\", \"yes\" or \"no\"");
}

void fromValue(const JsonView& view, RankSet& ranks)
{
    constexpr std::int32_t limit = 1 << 20; // more ranks, and more GPUs, than an offer can have
    const Result<RankSet> parsed = RankSet::parse(view.string(), limit);
    if (!parsed)
        view.fail(parsed.error().what, parsed.error().expected);
    ranks = *parsed;
}

void fromValue(const JsonView& view, PartSet& parts)
{
    parts = { view.at("parameters").boolean(), view.at("gradients").boolean(),
        view.at("optimizer").boolean() };
}

void fromValue(const JsonView& view, RequiredMargin& margin)
{
    margin = {};
    margin.basis = view.at("basis").string();
    if (const auto bytes = view.find("bytes"))
        margin.bytes = bytes->bytes();
    margin.extra = unknownMembers(view, { "basis", "bytes" });
}

void fromValue(const JsonView& view, Workload& workload) { workload = workloadFromJson(view); }
void fromValue(const JsonView& view, Rack& rack) { rack = rackFromJson(view, 1); }

void fromValue(const JsonView& view, Server& server)
{
    view.expectObject();
    Json json = view.json();
    const bool named = view.has("name");
    if (!named)
        json["name"] = "server";
    const Json around { { "name", "rack" }, { "units", 1000 }, { "servers", { std::move(json) } } };
    server = rackFromJson(JsonView(around, view.path()), 1).servers.front();
    if (!named)
        server.name.clear();
}

void fromValue(const JsonView& view, Layout& layout)
{
    view.expectObject();
    Json bare = view.json();
    bare.erase("placement");
    bare.erase("kept");
    // Which ranks there are is the plan's to say: room for all that there can be.
    Site room;
    if (view.has("groups")) {
        Server server;
        server.gpus.emplace_back();
        server.gpus.back().count = 1 << 20;
        Rack rack;
        rack.servers.push_back(std::move(server));
        room.racks.push_back(std::make_shared<const Rack>(std::move(rack)));
    }
    layout = layoutFromJson(JsonView(bare, view.path()), room);
    if (const auto placement = view.find("placement"))
        layout.placement = placementFromValue(*placement);
    if (const auto kept = view.find("kept"))
        layout.extra = std::make_shared<const Json>(kept->json());
}

void fromValue(const JsonView& view, BasisStatement& statement)
{
    statement = basisStatementFromJson(view);
}

void fromValue(const JsonView& view, Price& price) { price = priceFromJson(view); }

void fromValue(const JsonView& view, Measurement& measurement)
{
    measurement = measurementFromJson(view);
}

void fromValue(const JsonView& view, TrainingOutcome& outcome) { outcome = outcomeFromJson(view); }

void fromValue(const JsonView& view, Offer& offer)
{
    Plan plan;
    fromValue(view, plan);
    if (plan.offers.size() != 1)
        view.fail("has " + std::to_string(plan.offers.size()) + " offers", "one");
    offer = *plan.offers.front();
    leaveUnstamped(view.at("file").at("offers").items().front(), offer);
}

void fromValue(const JsonView& view, Plan& plan)
{
    const JsonView file = view.at("file");
    Result<PlanReading> reading = readPlan(file.json().dump());
    if (!reading)
        file.fail(reading.error().text(), "a plan");
    plan = std::move(reading).value().plan;
    const std::vector<JsonView> ids = tuple(view.at("server_ids"), plan.offers.size());
    for (std::size_t i = 0; i < ids.size(); ++i) {
        Offer offer = *plan.offers[i];
        giveServerIds(ids[i], offer);
        plan.offers[i] = std::make_shared<const Offer>(std::move(offer));
    }
}

} // namespace shardrack
