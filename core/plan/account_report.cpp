#include "plan/account_report.h"

#include "plan/account_parts.h"
#include "plan/report_words.h"
#include "plan/text_layout.h"

#include "base/size_text.h"

#include <algorithm>

namespace shardrack {

namespace {

constexpr std::size_t kMostClasses = 16; ///< rank or device classes printed in full

/// Writes the report of one offer.
class OfferReport {
public:
    OfferReport(const Plan& plan, std::size_t number)
        : m_plan(plan)
        , m_offer(*plan.offers[number])
        , m_assessment(assess(plan, number))
        , m_account(m_assessment->account)
        , m_findings(m_assessment->findings)
    {
    }

    std::string text()
    {
        title();
        summary();
        job();
        ranks();
        devices();
        findings();
        return std::move(m_out).text();
    }

private:
    void title()
    {
        const std::string heading
            = m_offer.name + ": " + layoutPhrase(m_offer.layout, m_assessment->layout);
        m_out.line(heading);
        m_out.line(std::string(textWidth(heading), '-'));
        for (const std::string& assumption : m_offer.assumptions)
            m_out.wrapped("Assumed: ", assumption);
    }

    void summary()
    {
        TextTable table(2);
        table.row({ "Capacity estimate", shardrack::title(m_findings.capacity) });
        table.row({ "Demonstrated fit", shardrack::title(m_findings.demonstrated) });
        table.row({ "Training result", shardrack::title(m_findings.result) });
        if (m_findings.mostLoadedGpu >= 0)
            table.row({ "Most loaded", deviceLine(m_findings.mostLoadedGpu) });
        if (m_findings.decidingGpu != m_findings.mostLoadedGpu)
            table.row({ "Decides the estimate", deviceLine(m_findings.decidingGpu) });
        table.row({ "Layout", m_findings.legality.legal() ? "legal" : "not legal" });
        table.row({ "Required margin", marginText(m_plan.margin) });
        m_out.table(table, 0);
        if (m_assessment->error)
            m_out.wrapped("No figures: ", m_assessment->error->text());
    }

    std::string deviceLine(std::int32_t gpu) const
    {
        const DeviceClass& device
            = m_account.deviceClasses[m_account.classOfGpu[static_cast<std::size_t>(gpu)]];
        return deviceText(m_offer.site, m_assessment->index, m_assessment->layout, gpu) + ": needs "
            + needText(device.need) + ", usable " + usableText(device.usable) + ": "
            + headroomText(device);
    }

    void job()
    {
        m_out.heading("The whole job");
        const std::int64_t rankCount = m_assessment->layout.rankCount();
        TextTable table(2);
        if (m_account.stateEstablished && rankCount > 0) {
            const std::optional<Bytes> copy = m_account.oneCopy;
            table.row({ "Persistent state, one copy", gibText(copy.value_or(Bytes(0))) });
            table.row({ "Held by all ranks",
                gibText(m_account.stateTotal) + copiesText(m_account, copy)
                    + (m_account.redundantTotal == Bytes(0) ? ", nothing of it redundant"
                                                            : ", of which "
                                + gibText(m_account.redundantTotal) + " are redundant") });
        } else {
            table.row({ "Persistent state", "not established" });
        }
        table.row({ "Installed memory",
            gibText(m_account.installedTotal) + " on "
                + countedText(m_assessment->index.gpuCount(), "GPU", "GPUs")
                + "; their sum is not one allocation" });
        m_out.table(table, 2);
    }

    void ranks()
    {
        const auto& classes = m_account.rankClasses;
        for (std::size_t i = 0; i < std::min(classes.size(), kMostClasses); ++i) {
            const RankClass& ranks = classes[i];
            const std::int64_t count = ranks.ranks.size();
            m_out.heading((count == 1 ? "Rank " : "Ranks ") + ranks.ranks.text()
                + (count == 1 ? "" : ", " + grouped(count) + " equal") + "; largest in the phase \""
                + name(ranks.peakPhase) + '"');
            TextTable table(4, 1);
            for (const Term& term : ranks.terms)
                table.row(
                    { term.name, term.amount.established() ? gibText(*term.amount.bytes()) : "?",
                        name(term.amount.provenance()), arithmeticText(term) });
            const bool unknown = ranks.need.atLeast && ranks.need.established == Bytes(0);
            table.row({ "Need", unknown ? "?" : gibText(ranks.need.established),
                unknown                  ? "not established"
                    : ranks.need.atLeast ? "at least"
                                         : "",
                "at its largest moment" });
            m_out.table(table, 2);
        }
        more(classes.size(), "kinds of rank");
    }

    void devices()
    {
        const auto& classes = m_account.deviceClasses;
        TextTable table(4);
        for (std::size_t i = 0; i < std::min(classes.size(), kMostClasses); ++i)
            if (const DeviceClass& device = classes[i]; !device.idle())
                table.row({ shortNames(device.gpus), shardrack::title(m_findings.ofDeviceClass[i]),
                    "needs " + needText(device.need),
                    "usable " + usableText(device.usable) + ": " + headroomText(device) });
        m_out.heading("Devices");
        if (table.empty())
            m_out.line("  No GPU has a rank.");
        m_out.table(table, 2);
        more(classes.size(), "kinds of device");
        if (const RankSet idle = idleGpus(m_account); !idle.empty())
            m_out.wrapped("  Without a rank: ", shortNames(idle));
    }

    /// All names while they are few, else the first and how many there are.
    std::string shortNames(const RankSet& gpus) const
    {
        constexpr std::size_t room = 24;
        if (gpus.intervals().size() < room) {
            const std::string all = namesOf(m_offer.site, m_assessment->index, gpus);
            if (textWidth(all) <= room)
                return all;
        }
        return m_assessment->index.deviceName(m_offer.site, gpus.front()) + " and "
            + grouped(gpus.size() - 1) + " equal";
    }

    void more(std::size_t count, const char* what)
    {
        if (count > kMostClasses)
            m_out.line("  and " + grouped(std::int64_t(count - kMostClasses)) + " more " + what
                + "; --json lists them all");
    }

    void findings()
    {
        if (m_findings.warnings.empty())
            return;
        m_out.heading("Findings");
        for (const Warning& warning : m_findings.warnings) {
            std::string mark = std::string("  ") + id(warning.severity);
            mark.resize(11, ' ');
            m_out.wrapped(mark, warning.subject + ". " + warning.text);
            if (!warning.fix.empty())
                m_out.wrapped(std::string(11, ' '), "→ " + warning.fix);
        }
    }

    const Workload& workload() const
    {
        return m_offer.workload ? *m_offer.workload : *m_plan.workload;
    }

    const Plan& m_plan;
    const Offer& m_offer;
    std::shared_ptr<const Assessment> m_assessment;
    const Account& m_account;
    const Findings& m_findings;
    TextPage m_out;
};

} // namespace

RankSet ranksOn(const ResolvedLayout& layout, const RankSet& gpus)
{
    RankSet ranks;
    for (const RankSet::Interval& interval : gpus.intervals()) {
        if (layout.oneToOne()) {
            ranks.unite(
                RankSet::range(interval.first, std::min(interval.last, layout.rankCount() - 1)));
            continue;
        }
        for (std::int32_t gpu = interval.first; gpu <= interval.last; ++gpu)
            for (const std::int32_t rank : layout.ranksOn(gpu))
                ranks.insert(rank);
    }
    return ranks;
}

std::string namesOf(const Site& site, const SiteIndex& index, const RankSet& gpus)
{
    std::vector<std::int32_t> ordinals;
    ordinals.reserve(static_cast<std::size_t>(gpus.size()));
    for (const RankSet::Interval& interval : gpus.intervals())
        for (std::int32_t gpu = interval.first; gpu <= interval.last; ++gpu)
            ordinals.push_back(gpu);
    return deviceNames(site, index, ordinals);
}

RankSet idleGpus(const Account& account)
{
    RankSet idle;
    for (const DeviceClass& device : account.deviceClasses)
        if (device.idle())
            idle.unite(device.gpus);
    return idle;
}

std::string accountText(const Plan& plan)
{
    TextPage page;
    if (!plan.title.empty())
        page.line(plan.title);
    if (plan.fictional)
        page.wrapped("", plan.note.empty() ? "This example is fictional." : plan.note);
    else if (!plan.note.empty())
        page.wrapped("", plan.note);
    if (plan.offers.empty())
        page.line("The plan has no offers.");
    std::string text = std::move(page).text();
    for (std::size_t number = 0; number < plan.offers.size(); ++number)
        text += (text.empty() ? "" : "\n") + OfferReport(plan, number).text();
    return text;
}

std::optional<Error> missingAccount(const Plan& plan)
{
    for (std::size_t i = 0; i < plan.offers.size(); ++i)
        if (auto error = assess(plan, i)->error) {
            error->where = "$.offers[" + std::to_string(i) + "]";
            return error;
        }
    return std::nullopt;
}

bool anyOver(const Plan& plan)
{
    for (std::size_t number = 0; number < plan.offers.size(); ++number) {
        const auto assessment = assess(plan, number);
        if (assessment->findings.capacity == Capacity::Over
            || assessment->findings.demonstrated == Demonstrated::Contradicted)
            return true;
    }
    return false;
}

} // namespace shardrack
