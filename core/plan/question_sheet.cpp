#include "plan/question_sheet.h"

#include "plan/account_parts.h"
#include "plan/report_words.h"
#include "plan/summary_words.h"

#include "base/size_text.h"
#include "workload/workload_fields.h"

#include <algorithm>

namespace shardrack {

namespace {

/// Fills the questions of one offer; each function answers one.
class Sheet {
public:
    Sheet(const Plan& plan, std::size_t number, const Assessment& assessment)
        : m_plan(plan)
        , m_workload(plan.workloadOf(number))
        , m_offer(*plan.offers[number])
        , m_assessment(assessment)
        , m_account(assessment.account)
    {
    }

    std::vector<Question> questions() &&
    {
        training();
        hardware();
        job();
        division();
        limits();
        return std::move(m_questions);
    }

private:
    /// Several things asked together: those that are given become the answer, the others are asked.
    struct Part {
        const char* field; ///< of the workload
        const char* words; ///< how it is asked for
    };

    void add(const char* id, const char* title, std::string known, Provenance provenance,
        std::string asked)
    {
        if (known.empty())
            provenance = Provenance::NotEstablished;
        m_questions.push_back({ id, title, std::move(known), std::move(asked), provenance });
    }

    void addFields(const char* id, const char* title, std::initializer_list<Part> parts,
        const char* between = ", ")
    {
        std::vector<std::string> known;
        std::vector<std::string> asked;
        for (const Part& part : parts) {
            const std::string value = workloadField(part.field)->text(m_workload);
            if (value.empty())
                asked.emplace_back(part.words);
            else
                known.push_back(value);
        }
        add(id, title, separated(known, between), Provenance::Stipulated, joinedWords(asked));
    }

    void training()
    {
        addFields("model", "Model and revision",
            { { "model", "the model" }, { "revision", "its revision" } }, ", revision ");
        addFields(
            "trained", "Trained parameters", { { "trained", "which parameters are trained" } });
        addFields("formats", "Number formats",
            { { "bytes_per_parameter", "bytes a parameter" },
                { "formats", "formats of computation and reduction" } },
            "; ");
        addFields("optimizer", "Optimizer", { { "optimizer", "the optimizer" } });
        addFields("sequence", "Sequence size", { { "sequence", "tokens a sequence" } });
        batch();
        framework();
    }

    void batch()
    {
        const BatchArithmetic recipe
            = batchArithmetic(m_workload.recipe, m_assessment.layout.dataParallel());
        std::vector<std::string> known;
        std::vector<std::string> asked;
        const auto part = [&](const std::optional<std::int64_t>& value, const char* name,
                              const char* one, const char* many) {
            if (value)
                known.push_back(std::string(name) + " " + countedText(*value, one, many));
            else
                asked.push_back(std::string("the ") + name);
        };
        part(recipe.microBatch, "micro-batch", "sequence", "sequences");
        part(recipe.accumulation, "accumulation", "micro-step", "micro-steps");
        part(recipe.globalBatch, "total batch", "sequence", "sequences");
        add("batch", "Micro-batch and total batch", separated(known, ", "), Provenance::Stipulated,
            joinedWords(asked));
    }

    void framework()
    {
        const Recipe& recipe = m_workload.recipe;
        const bool both = !recipe.framework.empty() && !recipe.frameworkVersion.empty();
        std::string asked = both              ? ""
            : !recipe.framework.empty()       ? "its version"
            : recipe.frameworkVersion.empty() ? "the framework and its version"
                                              : "the framework";
        add("framework", "Framework version",
            recipe.framework + (both ? " " : "") + recipe.frameworkVersion, Provenance::Stipulated,
            std::move(asked));
    }

    void hardware()
    {
        std::vector<std::string> known;
        bool unconfirmed = false;
        for (const GpuTypeCount& each : gpuTypes(m_assessment.index)) {
            const GpuType* type = Catalogue::builtIn().gpu(each.type);
            std::string text = grouped(each.count) + " × " + (type ? type->name : each.type);
            if (type)
                text += ", " + gibText(type->installed) + " installed";
            text += ", " + each.usableWords();
            unconfirmed = unconfirmed || !each.confirmed();
            known.push_back(std::move(text));
        }
        std::string asked = known.empty() ? "GPU variant and count" : "";
        if (unconfirmed)
            asked = "the usable allocation of each GPU";
        add("gpus", "GPU variant and count", separated(known, "; "), Provenance::Stipulated,
            std::move(asked));
    }

    void job()
    {
        const std::int64_t ranks = m_assessment.layout.rankCount();
        if (ranks == 0) {
            for (const auto& [id, title] :
                { std::pair("ranks", "Ranks"), std::pair("groups", "Replica and shard groups"),
                    std::pair("mapping", "Mapping to devices and nodes") })
                add(id, title, {}, Provenance::NotEstablished, "how many ranks, and where");
        } else {
            const bool one = m_assessment.layout.oneToOne();
            add("ranks", "Ranks",
                countedText(ranks, "rank", "ranks") + (one ? ", one a GPU" : ", placed by hand"),
                Provenance::Stipulated, {});
            add("groups", "Replica and shard groups", groups(), Provenance::Stipulated, {});
            mapping();
        }
        savers();
        interconnect();
    }

    void savers()
    {
        const Recipe& recipe = m_workload.recipe;
        std::vector<std::string> known;
        std::vector<std::string> asked;
        const auto part = [&](const std::string& value, const char* before, const char* words) {
            if (value.empty())
                asked.emplace_back(words);
            else
                known.push_back(before + value);
        };
        part(recipe.offload, "offload: ", "offload");
        part(recipe.recompute, "recompute: ", "recompute");
        part(recipe.savers, "", "other memory savers");
        add("offload", "Offload and other savers", separated(known, "; "), Provenance::Stipulated,
            joinedWords(asked));
    }

    std::string groups() const
    {
        const ResolvedLayout& layout = m_assessment.layout;
        const std::string copies
            = countedText(layout.replicas(), "complete copy", "complete copies") + " of the model";
        const std::int32_t count = layout.groupCount();
        if (count == 0)
            return copies + ", no shard group";
        const ShardGroup first = layout.group(0);
        std::string parts = partsText(first.distributes);
        bool equal = true;
        for (std::int32_t i = 1; i < count && equal; ++i) {
            const ShardGroup group = layout.group(i);
            equal = group.ranks.size() == first.ranks.size()
                && group.distributes == first.distributes;
        }
        if (!equal)
            return countedText(count, "shard group", "shard groups") + " of different kinds";
        return countedText(count, "shard group", "shard groups") + " of "
            + grouped(first.ranks.size()) + (count == 1 ? ", which divides " : ", each divides ")
            + parts;
    }

    static std::string partsText(const PartSet& parts)
    {
        std::vector<std::string> names;
        if (parts.parameters)
            names.emplace_back("parameters");
        if (parts.gradients)
            names.emplace_back("gradients");
        if (parts.optimizer)
            names.emplace_back("optimizer state");
        return names.empty() ? "nothing" : joinedWords(names);
    }

    void mapping()
    {
        const SiteIndex& index = m_assessment.index;
        const ResolvedLayout& layout = m_assessment.layout;
        const auto servers = static_cast<std::int64_t>(index.servers().size());
        const auto racks = static_cast<std::int64_t>(m_offer.site.racks.size());
        std::string where = countedText(servers, "server", "servers") + " in "
            + countedText(racks, "rack", "racks");
        const std::int32_t first = layout.gpuOf(0);
        const std::int32_t last = layout.gpuOf(layout.rankCount() - 1);
        std::string known;
        if (first >= 0 && last >= 0) {
            known = "rank 0 on " + index.deviceName(m_offer.site, first);
            if (layout.rankCount() > 1)
                known += (layout.oneToOne() ? " to rank " : ", … rank ")
                    + grouped(layout.rankCount() - 1) + " on "
                    + index.deviceName(m_offer.site, last)
                    + (layout.oneToOne() ? " in site order" : ", placed by hand");
            known += "; ";
        }
        add("mapping", "Mapping to devices and nodes", known + where, Provenance::Stipulated, {});
    }

    void interconnect()
    {
        const std::string inside = fabricWords(m_offer.site);
        std::string known = m_offer.interconnect;
        Provenance provenance = Provenance::Stipulated;
        if (!inside.empty()) {
            if (known.empty())
                provenance = Provenance::Derived;
            known += (known.empty() ? "" : "; ") + inside;
        }
        const bool several = m_assessment.index.servers().size() > 1;
        add("interconnect", "Interconnect", std::move(known), provenance,
            !m_offer.interconnect.empty()    ? ""
                : several && !inside.empty() ? "the network between the servers"
                : inside.empty()             ? "the links between the devices"
                                             : "");
    }

    const RankClass* mostLoadedRank() const
    {
        const std::int32_t number = m_assessment.findings.mostLoadedClass;
        if (number < 0)
            return nullptr;
        const DeviceClass& device = m_account.deviceClasses[static_cast<std::size_t>(number)];
        return &m_account.rankClasses[static_cast<std::size_t>(device.holdings.front().rankClass)];
    }

    void division()
    {
        const RankClass* rank = m_assessment.error ? nullptr : mostLoadedRank();
        if (!rank) {
            add("replicated", "What stays replicated", {}, Provenance::NotEstablished,
                "what every rank keeps whole");
            add("gathered", "What is gathered for computation", {}, Provenance::NotEstablished,
                "what is whole at one time");
            return;
        }
        std::vector<std::string> whole;
        bool open = false;
        Provenance provenance = Provenance::Derived;
        for (const Term& term : rank->terms) {
            if (!isState(term.category) || term.formula.kind == Formula::Kind::Padding)
                continue;
            open = open || !term.amount.established();
            if (term.sharing == Sharing::Replicated && term.amount.established()) {
                whole.push_back(termWords(term) + " " + gibText(*term.amount.bytes()));
                provenance = term.amount.provenance();
            }
        }
        std::string nothing = "nothing of the persistent state";
        if (m_account.stateEstablished && m_account.redundantTotal > Bytes(0))
            nothing = "no rank keeps it whole; over the job " + gibText(m_account.redundantTotal)
                + " are further copies";
        if (open)
            nothing.clear();
        add("replicated", "What stays replicated", whole.empty() ? nothing : joinedWords(whole),
            provenance, open ? "what every rank keeps whole" : "");
        for (const Term& term : rank->terms)
            if (term.category == Category::Gathered) {
                const auto bytes = term.amount.bytes();
                add("gathered", "What is gathered for computation",
                    !bytes                   ? ""
                        : *bytes == Bytes(0) ? "nothing"
                                             : gibText(*bytes),
                    term.amount.provenance(), bytes ? "" : "what is whole at one time");
            }
    }

    void limits()
    {
        leftOut();
        add("margin", "How the operating margin was established",
            m_plan.margin.bytes ? marginText(m_plan.margin) : "", Provenance::Stipulated,
            !m_plan.margin.bytes              ? "the margin and how it was established"
                : m_plan.margin.basis.empty() ? "how it was established"
                                              : "");
        measurements();
        if (!m_offer.assumptions.empty())
            add("assumptions", "Assumptions made here", separated(m_offer.assumptions, " "),
                Provenance::Stipulated, "whether they hold");
    }

    void leftOut()
    {
        std::vector<std::string> open;
        for (const std::string& name : m_assessment.findings.openTerms)
            open.push_back(openWords(name));
        if (m_assessment.findings.devicesJudged == 0)
            add("left_out", "What the estimate leaves out", {}, Provenance::NotEstablished,
                "what the estimate leaves out");
        else
            add("left_out", "What the estimate leaves out",
                open.empty() ? "no term of the account" : joinedWords(open) + ": not established",
                Provenance::Derived, open.empty() ? "" : "each of them");
    }

    void measurements()
    {
        std::vector<std::string> known;
        bool conditions = true;
        for (const Measurement& each : m_offer.measurements) {
            known.push_back(measurementText(each));
            conditions = conditions && !each.conditions.empty() && !each.software.empty();
        }
        add("measurements", "Scope and conditions of each measurement", separated(known, "; "),
            Provenance::Measured,
            known.empty()    ? "measured peaks, with scope and conditions"
                : conditions ? ""
                             : "software and conditions of each");
    }

    const Plan& m_plan;
    const Workload& m_workload;
    const Offer& m_offer;
    const Assessment& m_assessment;
    const Account& m_account;
    std::vector<Question> m_questions;
};

} // namespace

std::vector<Question> questionSheet(
    const Plan& plan, std::size_t offer, const Assessment& assessment)
{
    return Sheet(plan, offer, assessment).questions();
}

} // namespace shardrack
