#pragma once

#include "base/json.h"
#include "plan/account_report.h"
#include "plan/edit.h"
#include "plan/plan_json.h"

#include <QTest>

#include <nlohmann/json.hpp>

#include <string>

// Small plans for the tests of edits, and plans, layouts and change sets as short texts.

namespace editplans {

using namespace shardrack;

inline QString q(const std::string& text) { return QString::fromStdString(text); }

inline Plan planFrom(const std::string& text) { return readPlan(text).value().plan; }

/// Four GPUs of 16 GiB; 24 GiB of state, replicated in Offer R and sharded in Offer S.
inline Plan ts24()
{
    return planFrom(R"({"format": "shardrack-plan", "version": 1, "title": "TS-24",
        "workload": {"state": {"stipulated": {"total_bytes": 25769803776}}},
        "offers": [
            {"name": "Offer R", "site": {"racks": [{"name": "A", "units": 42, "servers": [
                {"name": "A1", "unit": 1, "height": 4,
                 "gpus": {"type": "generic-16gib", "count": 4, "usable_confirmed": false}}]}]},
             "layout": {"preset": "ddp"}},
            {"name": "Offer S", "site": "same as Offer R", "layout": {"preset": "fsdp"}}]})");
}

/// Rack A, 42 units: A1 (server 1) with four GPUs, A2 (server 2) with two of four, set to 15 GiB;
/// rack B, 10 units: B1 (server 3) with one of two. `layout` is the layout's JSON.
inline Plan sevenGpus(const std::string& layout)
{
    return planFrom(R"({"format": "shardrack-plan", "version": 1, "title": "Seven",
        "workload": {"state": {"stipulated": {"total_bytes": 25769803776}}},
        "offers": [{"name": "O", "site": {"racks": [
            {"name": "A", "units": 42, "servers": [
                {"name": "A1", "unit": 1, "height": 4, "slots": 4, "gpus": {"type": "generic-16gib", "count": 4}},
                {"name": "A2", "unit": 5, "height": 4, "slots": 4,
                 "gpus": {"type": "generic-16gib", "count": 2, "usable_bytes": 16106127360}}]},
            {"name": "B", "units": 10, "servers": [
                {"name": "B1", "unit": 1, "height": 2, "slots": 2, "gpus": {"type": "generic-16gib", "count": 1}}]}]},
            "layout": )"
        + layout + "}]}");
}

/// The layout's JSON for groups {S 0-2} and {T 4-6}, rank 3 loose, by rule.
inline const std::string twoGroups = R"({"preset": "custom", "groups": [
    {"name": "S", "ranks": "0-2", "distributes": ["state"]},
    {"name": "T", "ranks": "4-6", "distributes": ["optimizer"]}]})";

inline Server server(const std::string& name, int unit, int height, int gpuSlots, int gpus,
    const char* type = "generic-16gib")
{
    Server made;
    made.name = name;
    made.unit = unit;
    made.height = height;
    made.gpuSlots = gpuSlots;
    if (gpus > 0) {
        made.gpus.emplace_back();
        made.gpus.back().type = type;
        made.gpus.back().count = gpus;
    }
    return made;
}

/// "A: A1@1+4/4 4; A2@5+4/4 2=15 | B: B1@1+2/2 1": name, unit, height, slots, runs of GPUs (a
/// number is generic ones, "=15" usable GiB, "?" not confirmed).
inline std::string hardware(const Offer& offer)
{
    std::string text;
    for (const auto& rack : offer.site.racks) {
        text += (text.empty() ? "" : " | ") + rack->name + ":";
        for (const Server& each : rack->servers) {
            text += (&each == &rack->servers.front() ? " " : "; ") + each.name + "@"
                + std::to_string(each.unit) + "+" + std::to_string(each.height) + "/"
                + std::to_string(each.gpuSlots);
            for (const GpuRun& run : each.gpus) {
                text += " " + std::to_string(run.count);
                if (run.type != "generic-16gib")
                    text += "×" + run.type;
                if (run.usable)
                    text += "=" + std::to_string(run.usable->count() / kGiB);
                if (!run.confirmed)
                    text += "?";
            }
        }
    }
    return text;
}

/// "fsdp", "hsdp 2×4", "custom held at 1.0 1.1 {S 0-2}": preset, degrees, "held" where ranks do not
/// follow the hardware, server.index of each rank placed by hand, groups.
inline std::string layout(const Offer& offer)
{
    const Layout& given = offer.layout;
    std::string text = id(given.preset);
    const auto degree = [](std::optional<std::int32_t> value) {
        return value ? std::to_string(*value) : std::string("-");
    };
    if (given.dpReplicate || given.dpShard)
        text += " " + degree(given.dpReplicate) + "×" + degree(given.dpShard);
    if (!given.ranksFollowHardware)
        text += " held";
    if (given.placement) {
        text += " at";
        for (const RankPlace& place : *given.placement)
            for (const GpuRef& gpu : place.gpus)
                text += (&gpu == &place.gpus.front() ? " " : "+") + std::to_string(gpu.server) + "."
                    + std::to_string(gpu.index);
    }
    for (const ShardGroup& group : given.groups) {
        text += " {" + group.name + " " + group.ranks.text();
        if (!group.distributes.whole())
            text += std::string(" ") + (group.distributes.parameters ? "p" : "")
                + (group.distributes.gradients ? "g" : "")
                + (group.distributes.optimizer ? "o" : "");
        text += "}";
    }
    return text;
}

/// "margin", "offers", "0: layout racks 1", "0: rack list".
inline std::string changes(const ChangeSet& set)
{
    std::string text;
    const auto add = [&](bool is, const std::string& word) {
        if (is)
            text += (text.empty() ? "" : " ") + word;
    };
    add(set.title, "title");
    add(set.margin, "margin");
    add(set.workload, "workload");
    add(set.offerList, "offers");
    for (const ChangeSet::OfferChange& offer : set.offers) {
        add(true, std::to_string(offer.offer) + ":");
        add(offer.layout, "layout");
        add(offer.workload, "workload");
        add(offer.facts, "facts");
        add(offer.rackList, "rack list");
        for (const std::size_t rack : offer.racks)
            add(true, "rack " + std::to_string(rack));
        add(offer.hardware != (offer.rackList || !offer.racks.empty()), "odd hardware");
    }
    return text;
}

/// The edit after a journal wrote and read it.
inline Result<Edit> throughJournal(const Edit& edit)
{
    const Result<Json> line = parseJson(toJson(edit).dump());
    if (!line)
        return line.error();
    return editFromJson(JsonView(*line, "$"));
}

/// What must hold of every edit that is applied.
inline void checkApplied(const Plan& before, const Edit& edit, const Applied& applied)
{
    const Result<Applied> undone = shardrack::apply(applied.plan, applied.inverse);
    QVERIFY(undone.ok());
    QVERIFY(undone->plan == before);
    QCOMPARE(q(undone->name), q(applied.name));
    const Result<Applied> redone = shardrack::apply(undone->plan, undone->inverse);
    QVERIFY(redone.ok());
    QVERIFY(redone->plan == applied.plan);

    const Result<Edit> journalled = throughJournal(edit);
    QVERIFY2(journalled.ok(), journalled.ok() ? "" : journalled.error().text().c_str());
    const Result<Applied> again = shardrack::apply(before, *journalled);
    QVERIFY2(again.ok(), again.ok() ? "" : again.error().text().c_str());
    QVERIFY(again->plan == applied.plan);
    QCOMPARE(q(again->name), q(applied.name));

    // A plan that was edited can be saved and read again.
    const Result<PlanReading> saved = readPlan(writePlan(applied.plan));
    QVERIFY2(saved.ok(), saved.ok() ? "" : saved.error().text().c_str());
    QCOMPARE(q(accountJson(saved->plan).dump()), q(accountJson(applied.plan).dump()));
}

} // namespace editplans
