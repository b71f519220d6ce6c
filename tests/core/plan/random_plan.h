#pragma once

#include "plan/basis.h"
#include "plan/plan_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <random>
#include <set>
#include <string>

/// Plans of every shape that a plan can have, from a seed: valid, small, with odd names and
/// figures, servers numbered as a file is read.
class RandomPlan {
public:
    explicit RandomPlan(unsigned seed)
        : m_random(seed)
    {
    }

    shardrack::Plan make()
    {
        using namespace shardrack;
        Plan plan = emptyPlan();
        plan.title = text();
        plan.note = maybe() ? text() : "";
        plan.fictional = maybe();
        if (maybe())
            plan.margin.bytes = bytes();
        plan.margin.basis = maybe() ? "policy" : "";
        plan.margin.extra = extra();
        plan.workload = std::make_shared<const Workload>(workload());
        plan.extra = extra();
        const int offers = below(4);
        for (int i = 0; i < offers; ++i) {
            Offer offer = emptyOffer(unique(m_offers));
            for (int n = below(3); n > 0; --n)
                offer.assumptions.push_back(text());
            if (i > 0 && maybe())
                offer.site = plan.offers[std::size_t(below(i))]->site;
            else
                offer.site = site();
            offer.layout = layout(offer.site);
            if (maybe())
                offer.workload = std::make_shared<const Workload>(workload());
            addFacts(offer, *plan.workload);
            offer.extra = extra();
            plan.offers.push_back(std::make_shared<const Offer>(offer));
        }
        return plan;
    }

private:
    void addFacts(shardrack::Offer& offer, const shardrack::Workload& common)
    {
        using namespace shardrack;
        if (maybe())
            offer.basis = { { "micro_batch", "", "", text(), extra() },
                { "w" + text(), text(), text(), text(), extra() } };
        offer.interconnect = maybe() ? text() : "";
        if (maybe())
            offer.price = Price { maybe() ? "0.07" : "120000", text(), Price::Per(below(2)), text(),
                extra() };
        for (int n = maybe() ? below(4) : 0; n > 0; --n) {
            Measurement& each = offer.measurements.emplace_back();
            each.devices = maybe() ? "all" : "d" + text();
            each.scope = MemoryScope(below(3));
            each.outOfMemory = maybe();
            if (!each.outOfMemory || maybe())
                each.peak = Bytes(1 + below(1 << 30));
            each.average = maybe();
            for (int i = 0; i < kRunPhaseCount; ++i)
                each.phases.set(RunPhase(i), maybe());
            each.completeSteps = below(5);
            each.software = text();
            each.conditions = text();
            each.source = text();
            each.basis = maybe() ? "0123456789abcdef" : "";
            each.extra = extra();
        }
        if (maybe()) {
            TrainingOutcome& outcome = offer.outcome.emplace();
            outcome.result = TrainingResult(below(3));
            outcome.criterion
                = (outcome.result == TrainingResult::NotEvaluated ? "" : "c") + text();
            outcome.value = text();
            outcome.throughput = text();
            outcome.software = text();
            outcome.interconnect = text();
            outcome.note = text();
            outcome.basis = maybe() ? "0123456789abcdef" : "";
            outcome.extra = extra();
        }
        stampEvidence(offer, common); // as a file is read
    }

    int below(int limit) { return int(m_random() % unsigned(limit)); }
    bool maybe() { return below(2) == 0; }
    bool rarely() { return below(6) == 0; }

    std::string text()
    {
        static const std::vector<std::string> texts { "", "A", "R01", "Offer R", "größe 4×8",
            "{rack}", "{1..3}", "a{b", "same as A", "x\"y\\z", "line\nfeed\ttab", "·", "0", "007",
            "999999999", "1234567890", "日本", "a,b", "a..b", "A1·0-7", "tail " };
        return texts[std::size_t(below(int(texts.size())))];
    }
    std::string unique(std::set<std::string>& taken, const std::string& wish)
    {
        std::string name = wish.empty() ? "n" : wish;
        while (!taken.insert(name).second)
            name += char('a' + below(26));
        return name;
    }
    std::string unique(std::set<std::string>& taken) { return unique(taken, text()); }

    shardrack::Bytes bytes()
    {
        static const std::vector<std::int64_t> sizes { 0, 1, 4096, 25769803776,
            (std::int64_t(1) << 53) + 1, 9223372036854775807 };
        return shardrack::Bytes(sizes[std::size_t(below(int(sizes.size())))]);
    }
    std::optional<shardrack::Bytes> maybeBytes()
    {
        return maybe() ? std::optional(bytes()) : std::nullopt;
    }
    std::optional<std::int64_t> maybeCount()
    {
        return maybe() ? std::optional<std::int64_t>(1 + below(5000)) : std::nullopt;
    }
    shardrack::Extra extra()
    {
        using shardrack::Json;
        if (!rarely())
            return nullptr;
        Json json = Json::object();
        json["later"] = below(100);
        if (maybe())
            json["{later}"] = { { "a", Json::array({ 1.25, nullptr, "x" }) } };
        return std::make_shared<const Json>(json);
    }

    shardrack::Workload workload()
    {
        using namespace shardrack;
        Workload made;
        made.basis = static_cast<Workload::StateBasis>(below(3));
        if (maybe())
            made.stipulated = { maybeBytes(), maybeBytes(), maybeBytes(), maybeBytes() };
        if (maybe())
            made.model = model();
        if (maybe())
            made.terms = { maybeBytes(), maybeBytes(), maybeBytes(), maybeBytes(), maybeBytes() };
        made.weightsOnly = maybeBytes();
        made.recipe.framework = maybe() ? "torchtitan" : "";
        if (maybe())
            made.recipe.bytesPerParameter
                = BytesPerParameter { below(5), below(5), below(9), below(5) };
        made.recipe.optimizer = maybe() ? "adamw" : "";
        made.recipe.microBatch = maybeCount();
        made.recipe.accumulation = maybeCount();
        made.recipe.globalBatch = maybeCount();
        made.recipe.sequence = maybeCount();
        made.recipe.recompute = maybe() ? "full" : "";
        made.recipe.extra = extra();
        made.extra = extra();
        made.stateExtra = extra();
        return made;
    }
    shardrack::ModelChoice model()
    {
        using namespace shardrack;
        ModelChoice choice;
        if (maybe()) {
            choice.preset = "gpt2";
            choice.architecture = *modelPreset(choice.preset);
            return choice;
        }
        if (maybe()) {
            choice.parametersGiven = 1 + below(1000000000);
            choice.architecture.name = maybe() ? "mine" : "";
            return choice;
        }
        const Json config = Json::parse(R"({"model_type": "gpt2", "n_embd": 768, "n_head": 12,
            "n_layer": 12, "n_positions": 1024, "vocab_size": 50257})");
        choice.config = std::make_shared<const Json>(config);
        choice.architecture = readModelConfig(config, maybe() ? "mine" : "").value().architecture;
        return choice;
    }

    std::vector<shardrack::GpuRun> gpus()
    {
        static const std::vector<std::string> types { "generic-16gib", "h100-sxm5-80",
            "a100-sxm4-40" };
        std::vector<shardrack::GpuRun> runs;
        for (int n = below(10) < 7 ? 1 : below(3); n > 0; --n)
            runs.push_back({ types[std::size_t(below(int(types.size())))], 1 + below(8),
                rarely() ? maybeBytes() : std::nullopt, !rarely(), extra() });
        return runs;
    }
    shardrack::Server server()
    {
        static const std::vector<std::string> types { "", "", "dgx-h100", "pcie-2u-4gpu",
            "home-made" };
        shardrack::Server made;
        made.type = types[std::size_t(below(int(types.size())))];
        made.height = 1 + below(4);
        made.gpus = gpus();
        made.gpuSlots = made.gpuCount() + (rarely() ? below(4) : 0);
        made.extra = extra();
        return made;
    }

    shardrack::Site site()
    {
        using namespace shardrack;
        Site made;
        made.extra = extra();
        std::set<std::string> racks;
        std::set<std::string> servers;
        ServerId id = 1;
        Rack like;
        const int count = below(6);
        const int naming = below(4);
        for (int r = 0; r < count; ++r) {
            Rack rack;
            if (r > 0 && below(3) > 0)
                rack = like; // equal racks are what the writer looks for
            else
                like = rack = newRack();
            rack.name = unique(racks, naming == 3 ? text() : "R" + std::to_string(8 + r));
            int place = 0;
            for (Server& each : rack.servers) {
                ++place;
                each.id = id++;
                each.name = unique(servers,
                    naming == 0       ? rack.name + "-" + std::to_string(place)
                        : naming == 1 ? "n" + std::to_string(each.id)
                        : naming == 2 ? "00" + std::to_string(each.id)
                                      : text());
            }
            made.racks.push_back(std::make_shared<const Rack>(rack));
        }
        return made;
    }
    shardrack::Rack newRack()
    {
        using namespace shardrack;
        Rack rack;
        rack.type = rarely() ? "eia-48u-750x1200" : "";
        rack.units = maybe() ? 42 : 20 + below(30);
        rack.extra = extra();
        int unit = 1 + below(2);
        Server like = server();
        for (;;) {
            if (rarely())
                like = server();
            if (unit + like.height - 1 > rack.units || rarely())
                return rack;
            like.unit = unit;
            rack.servers.push_back(like);
            unit += like.height + (rarely() ? below(3) : 0);
        }
    }

    shardrack::Layout layout(const shardrack::Site& site)
    {
        using namespace shardrack;
        Layout made;
        made.preset = static_cast<LayoutPreset>(below(7));
        if (rarely())
            made.dpReplicate = 1 + below(8);
        if (rarely())
            made.dpShard = 1 + below(8);
        for (std::int32_t* degree : { &made.tensor, &made.context, &made.expert, &made.pipeline })
            *degree = rarely() ? 1 + below(8) : 1;
        made.order = rarely() ? "tp-pp-dp" : "";
        made.ranksFollowHardware = maybe();
        made.extra = extra();
        const SiteIndex index(site, Catalogue::builtIn());
        std::int32_t ranks = index.gpuCount();
        if (maybe()) {
            made.placement = std::make_shared<const Placement>(placement(index));
            ranks = std::int32_t(made.placement->size());
        }
        if (made.preset == LayoutPreset::Custom)
            made.groups = groups(ranks);
        return made;
    }
    shardrack::Placement placement(const shardrack::SiteIndex& index)
    {
        using namespace shardrack;
        Placement made;
        if (index.gpuCount() == 0)
            return made;
        int gpu = 0;
        int step = 1;
        int each = 1;
        for (int rank = below(60); rank > 0; --rank) {
            if (rarely()) {
                gpu = below(index.gpuCount());
                step = below(5) - 1;
                each = below(3);
            }
            RankPlace place;
            for (int i = 0; i < each; ++i) {
                place.gpus.push_back(index.ref(gpu));
                gpu = (gpu + step + index.gpuCount()) % index.gpuCount();
            }
            if (rarely())
                for (int i = 0; i < each; ++i)
                    place.weights.push_back(1 + below(4));
            made.push_back(place);
        }
        return made;
    }
    std::vector<shardrack::ShardGroup> groups(std::int32_t ranks)
    {
        using namespace shardrack;
        std::vector<ShardGroup> made;
        std::set<std::string> names;
        const PartSet parts = maybe() ? PartSet::all() : PartSet { maybe(), maybe(), maybe() };
        int size = 1 + below(4);
        for (std::int32_t first = 0; first + size <= ranks;) {
            RankSet set = RankSet::range(first, first + size - 1);
            if (rarely())
                set.erase(first + below(size));
            made.push_back({ unique(names, "S" + std::to_string(first)), set, parts, extra() });
            if (maybe() && made.size() < 10)
                made.back().name = unique(names, "S" + std::to_string(made.size() - 1));
            first += size;
            if (rarely())
                size = 1 + below(4);
        }
        return made;
    }

    std::mt19937 m_random;
    std::set<std::string> m_offers;
};
