#include "plan/report_words.h"
#include "plan/summary_parts.h"
#include "plan/summary_words.h"

#include "base/size_text.h"

#include <algorithm>

namespace shardrack {

namespace {

/// Writes what the account of one offer says.
class Sentences {
public:
    explicit Sentences(const SummarisedOffer& offer)
        : m_offer(offer)
        , m_findings(offer.findings())
        , m_account(offer.assessment().account)
    {
        if (const DeviceClass* device = offer.mostLoaded()) {
            m_device = device;
            if (device->holdings.size() == 1 && device->holdings.front().weights == 1)
                m_rank = &m_account.rankClasses[static_cast<std::size_t>(
                    device->holdings.front().rankClass)];
        }
    }

    OfferSummary summary() &&
    {
        OfferSummary result;
        const std::string& name = m_offer.offer().name;
        if (m_offer.assessment().error) {
            result.verdict = name + " has no figures";
            say("The numbers of this offer leave what can be computed: "
                + m_offer.assessment().error->text() + ".");
        } else if (!m_device) {
            result.verdict = name + ": nothing to judge";
            say("No GPU has a rank yet.");
        } else {
            result.verdict = name + verdictWords();
            state();
            verdict();
            deciding();
            redundancy();
            evidence();
        }
        remarks();
        result.says = separated(m_sentences, " ");
        result.change = changeWords();
        if (!m_offer.compared.changes.empty())
            result.marks.emplace_back("changed basis");
        if (!m_findings.legality.legal())
            result.marks.emplace_back("not legal");
        return result;
    }

private:
    void say(std::string sentence) { m_sentences.push_back(std::move(sentence)); }

    std::string verdictWords() const
    {
        switch (m_findings.capacity) {
        case Capacity::Over:
            return " is over capacity";
        case Capacity::Open:
            return " is open";
        case Capacity::Tight:
            return " is tight";
        case Capacity::Fit:
            break;
        }
        return " is an estimated fit";
    }

    Bytes need() const { return m_device->need.established; }
    Bytes usable() const { return m_device->usable.bytes; }
    bool confirmed() const { return m_device->usable.provenance != Provenance::NotEstablished; }
    bool comparable() const { return confirmed() || usable() > Bytes(0); }
    std::string atLeast() const { return m_device->need.atLeast ? "at least " : ""; }

    /// "on each of four devices", "on the most loaded device, A1·0 with rank 0".
    std::string where() const
    {
        const std::int64_t count = m_device->gpus.size();
        if (count == m_findings.devicesJudged)
            return count == 1 ? "on the only device"
                              : "on each of " + numbered(count, "device", "devices");
        return "on the most loaded device, " + device(m_findings.mostLoadedGpu)
            + (count > 1 ? " and " + grouped(count - 1) + " equal" : "") + ",";
    }

    std::string device(std::int32_t gpu) const
    {
        const Assessment& assessment = m_offer.assessment();
        return deviceText(m_offer.offer().site, assessment.index, assessment.layout, gpu);
    }

    /// Every state term is whole, or every one is divided over as many ranks.
    bool allShared(Sharing sharing) const
    {
        bool any = false;
        for (const Term& term : m_rank->terms) {
            if (!isState(term.category))
                continue;
            if (!term.amount.established() || term.sharing != sharing
                || term.formula.kind == Formula::Kind::Padding)
                return false;
            if (any && term.formula.divisor != m_divisor)
                return false;
            m_divisor = term.formula.divisor;
            any = true;
        }
        return any;
    }

    bool stateOpen() const
    {
        return std::any_of(m_rank->terms.begin(), m_rank->terms.end(),
            [](const Term& term) { return isState(term.category) && !term.amount.established(); });
    }

    Bytes stateAtPeak() const
    {
        Bytes bytes;
        for (const Category category : kCategories)
            if (isState(category))
                bytes += m_device->atPeak[index(category)].established;
        return bytes;
    }

    void state()
    {
        if (!m_rank) {
            say(capitalised(where()) + " "
                + countedText(std::int64_t(m_device->holdings.size()), "rank shares", "ranks share")
                + " the memory, or a rank spans several devices.");
            return;
        }
        if (stateOpen()) {
            say("The persistent state of a rank is not established.");
            return;
        }
        const std::optional<Bytes>& copy = m_account.oneCopy;
        if (m_offer.assessment().layout.modelParallel() > 1) {
            dividedModel();
        } else if (allShared(Sharing::Replicated)) {
            std::string text = "Every rank holds a complete copy of the persistent state: "
                + gibText(m_rank->state);
            if (comparable())
                text += " against " + gibText(usable())
                    + (confirmed() ? " usable " : " (usable not confirmed) ") + where();
            if (text.back() == ',')
                text.pop_back();
            say(text + ".");
        } else if (copy && allShared(Sharing::Sharded)) {
            say("An even split over " + numbered(m_divisor, "rank", "ranks") + " leaves "
                + gibNumber(*copy) + " ÷ " + grouped(m_divisor) + " = " + gibText(m_rank->state)
                + " of persistent state on each.");
        } else {
            parts();
        }
    }

    /// "A pipeline of 4 and shard groups of 8 divide each copy of 119.66 GiB: the ranks of stage 3
    /// hold 3.82 GiB of persistent state each."
    void dividedModel()
    {
        const ResolvedLayout& layout = m_offer.assessment().layout;
        std::vector<std::string> dividers;
        const auto add = [&](const char* what, std::int64_t degree) {
            if (degree > 1)
                dividers.push_back(what + grouped(degree));
        };
        add("tensor groups of ", layout.tensor());
        add("a pipeline of ", layout.pipeline());
        add("shard groups of ", layout.shares(m_rank->ranks.front()).parameters.ranks);
        const bool several = dividers.size() > 1;
        std::string text = capitalised(joinedWords(dividers))
            + (several || layout.tensor() > 1 ? " divide" : " divides");
        text += m_account.oneCopy ? " each copy of " + gibText(*m_account.oneCopy)
                                  : std::string(" each copy");
        text += layout.pipeline() > 1
            ? ": the ranks of stage " + std::to_string(layout.stage(m_rank->ranks.front()))
                + " hold " + gibText(m_rank->state) + " of persistent state each"
            : ": every rank holds " + gibText(m_rank->state) + " of persistent state";
        say(text + ".");
    }

    /// The state term by term, where some is whole and some divided.
    void parts()
    {
        std::vector<std::string> whole;
        std::vector<std::string> divided;
        for (const Term& term : m_rank->terms) {
            if (!isState(term.category))
                continue;
            const std::string words = termWords(term) + " " + gibText(*term.amount.bytes());
            if (term.sharing == Sharing::Sharded)
                divided.push_back(term.formula.kind == Formula::Kind::Padding
                        ? words
                        : words + " (1 of " + grouped(term.formula.divisor) + ")");
            else
                whole.push_back(words);
        }
        std::string text = "A rank holds ";
        if (!whole.empty())
            text += joinedWords(whole) + " whole";
        if (!divided.empty())
            text += (whole.empty() ? "" : ", and ") + joinedWords(divided) + " divided";
        say(text + ": " + gibText(m_rank->state) + " of persistent state.");
    }

    void verdict()
    {
        switch (capacityOf(*m_device, m_offer.plan.margin)) {
        case Capacity::Over:
            return over();
        case Capacity::Open:
            return open();
        case Capacity::Tight:
            return tight();
        case Capacity::Fit:
            return fit();
        }
    }

    void over()
    {
        const Bytes excess = Bytes(0) - m_device->headroom();
        // All of it is held at one time, whatever part of it the need's own moment has.
        const Bytes persistent = std::max(stateAtPeak(), m_rank ? m_rank->state : Bytes());
        if (persistent > usable())
            say("That is over capacity on the persistent part alone, by "
                + std::string(stateOpen() ? "at least " : atLeast())
                + gibText(persistent - usable()) + "; nothing else needs to be known.");
        else
            say("The need of " + atLeast() + gibText(need()) + " " + where()
                + " exceeds the usable " + gibText(usable()) + " by " + atLeast() + gibText(excess)
                + ".");
    }

    std::string openList() const
    {
        std::vector<std::string> words;
        for (const std::string& name : m_findings.openTerms)
            words.push_back(openWords(name));
        return joinedWords(words);
    }

    void open()
    {
        const std::size_t terms = m_findings.openTerms.size();
        std::string text;
        if (m_rank && !stateOpen() && comparable() && need() == stateAtPeak())
            text = "The screen passes on the persistent part; the offer is open: ";
        else
            text = "What is established, " + gibText(need())
                + ", is within usable; the offer is "
                  "open: ";
        if (!comparable() || need() == Bytes(0))
            text = "The offer is open: ";
        if (terms > 0)
            text += openList() + (terms == 1 ? " is" : " are") + " not established";
        if (!confirmed())
            text += std::string(terms > 0 ? ", and " : "")
                + "the usable allocation still needs confirmation";
        say(text + ".");
        if (comparable() && need() > Bytes(0))
            say("The difference " + gibNumber(usable()) + " − " + gibNumber(need()) + " = "
                + gibText(m_device->headroom())
                + (terms > 0 ? " is what those must fit into; it is not a measured margin."
                             : " is not a margin until usable is confirmed."));
    }

    void tight()
    {
        std::string text = (m_account.strategy ? "No term is open under the assumptions listed: "
                                               : "Every term is established: ")
            + gibText(need()) + " of " + gibText(usable()) + " usable. ";
        const RequiredMargin& margin = m_offer.plan.margin;
        if (need() > usable())
            text += "The tensors fit, and the allocator's slack does not fit whole.";
        else
            text += gibText(m_device->headroom()) + " is left, and a margin of "
                + marginText(margin) + " is required.";
        say(text);
    }

    void fit()
    {
        say((m_account.strategy ? "No term is open under the assumptions listed, and the usable "
                                  "allocation is established: "
                                : "Every term and the usable allocation are established: ")
            + gibText(need()) + " of " + gibText(usable()) + ", " + gibText(m_device->headroom())
            + " below usable " + where()
            + (where().back() == ',' ? " the one with the least headroom." : "."));
        const RequiredMargin& margin = m_offer.plan.margin;
        say(margin.bytes ? "After the required margin of " + marginText(margin) + ", "
                    + gibText(m_device->headroom() - *margin.bytes) + " is left."
                         : "A required margin is not stated.");
    }

    /// The device with the least headroom does not always decide.
    void deciding()
    {
        const std::int32_t gpu = m_findings.decidingGpu;
        if (gpu == m_findings.mostLoadedGpu || gpu < 0)
            return;
        const DeviceClass& decides
            = m_account.deviceClasses[m_account.classOfGpu[static_cast<std::size_t>(gpu)]];
        say("Another device decides the verdict: " + device(gpu) + " needs "
            + needText(decides.need) + ", usable " + usableText(decides.usable) + ".");
    }

    void redundancy()
    {
        const std::int64_t ranks = m_offer.assessment().layout.rankCount();
        if (!m_account.stateEstablished || m_account.redundantTotal == Bytes(0))
            return;
        const std::string held = gibText(m_account.stateTotal);
        if (!m_rank || !allShared(Sharing::Replicated)
            || m_offer.assessment().layout.modelParallel() > 1) {
            say(gibText(m_account.redundantTotal) + " of the " + held
                + " held over the job are copies of what another rank holds.");
            return;
        }
        const std::string next = ordinalWord(ranks + 1);
        say(capitalised(numbered(ranks, "copy totals ", "copies total ")) + held + ", and "
            + gibText(m_account.installedTotal) + " are installed; neither sum changes that. "
            + (next.empty() ? "Another replica" : "A " + next + " replica")
            + " changes nothing for the first.");
    }

    void evidence()
    {
        const Demonstration& shown = m_findings.demonstration;
        if (shown.value == Demonstrated::None)
            return;
        std::string text = std::string(title(shown.value)) + ": " + shown.rule;
        if (shown.highest && shown.highestGpu >= 0)
            text += " The highest reading is " + gibText(*shown.highest) + " ("
                + title(shown.highestScope) + ") on "
                + m_offer.assessment().index.deviceName(m_offer.offer().site, shown.highestGpu)
                + ".";
        say(text);
    }

    void remarks()
    {
        for (const BrokenRule& rule : m_findings.legality.broken)
            say("The layout is not legal: " + rule.text
                + ". Its arithmetic is shown all the same.");
        if (!m_offer.compared.changes.empty())
            say("It answers a changed basis: read it against its own usable allocation; it is not "
                "ranked against the others.");
    }

    std::string changeWords() const
    {
        if (!m_device || m_offer.assessment().error)
            return "Place GPUs and give them ranks.";
        std::vector<std::string> words;
        const std::size_t terms = m_findings.openTerms.size();
        switch (m_findings.capacity) {
        case Capacity::Over:
            words.emplace_back("A changed layout, hardware or requirement; no open term can help.");
            for (const Warning& warning : m_findings.warnings)
                if (warning.topic == Warning::Topic::Device && !warning.fix.empty()) {
                    words.push_back(warning.fix);
                    break;
                }
            break;
        case Capacity::Open:
            words.push_back(openChange(terms));
            break;
        case Capacity::Tight:
            words.emplace_back("A lower need, more usable memory, or a smaller required margin.");
            break;
        case Capacity::Fit:
            words.emplace_back("Replacing given terms by measured ones can change the estimate.");
            break;
        }
        if (m_findings.demonstrated != Demonstrated::Demonstrated)
            words.push_back("Demonstrated fit: measure device memory on every device over "
                            "initialization and at least "
                + grouped(kCompleteSteps) + " complete steps.");
        if (m_findings.result == TrainingResult::NotEvaluated)
            words.emplace_back("Training result: record one with the criterion it is judged by.");
        return separated(words, " ");
    }

    std::string openChange(std::size_t terms) const
    {
        std::string text;
        if (terms > 0)
            text = terms == 1 ? "Establish the open term"
                : terms == 2  ? "Establish both open terms"
                              : "Establish all " + numberWord(std::int64_t(terms)) + " open terms";
        if (!m_offer.usableConfirmed())
            text += text.empty() ? "Confirm the usable allocation"
                                 : " and confirm the usable allocation";
        return text + ".";
    }

    const SummarisedOffer& m_offer;
    const Findings& m_findings;
    const Account& m_account;
    const DeviceClass* m_device = nullptr; ///< the most loaded one
    const RankClass* m_rank = nullptr; ///< its only rank, where that is on no other device
    mutable std::int64_t m_divisor = 1;
    std::vector<std::string> m_sentences;
};

} // namespace

OfferSummary summaryOf(const SummarisedOffer& offer) { return Sentences(offer).summary(); }

} // namespace shardrack
