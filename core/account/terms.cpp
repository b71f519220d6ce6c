#include "account/terms.h"

#include "base/size_text.h"

#include <algorithm>

namespace shardrack {

namespace {

constexpr const char* kPadding = "padding";

std::vector<std::string> axes(const ResolvedLayout::Share& share)
{
    if (share.group < 0)
        return {};
    return { "shard group of " + grouped(share.ranks) };
}

Formula shareFormula(
    const StateTensor& tensor, const ResolvedLayout::Share& share, KeptShare::Place place)
{
    Formula formula;
    formula.divisor = share.ranks;
    formula.position = share.position;
    if (tensor.stipulated) {
        formula.kind = Formula::Kind::GivenShare;
        formula.given = tensor.given;
        return formula;
    }
    formula.kind
        = place == KeptShare::Place::Full ? Formula::Kind::Elements : Formula::Kind::LastShare;
    formula.elements = tensor.elements;
    formula.bytesEach = tensor.bytesEach;
    return formula;
}

void addState(std::vector<Term>& terms, const StateTensor& tensor,
    const ResolvedLayout::Shares& shares, bool modelParallel)
{
    const ResolvedLayout::Share share = shareOf(tensor.part, shares);
    const bool inParts = tensor.part == StatePart::Whole && dividesInParts(shares);
    Term term;
    term.category = tensor.category;
    term.name = tensor.name;
    term.note = tensor.note;
    term.sharing = share.group >= 0 ? Sharing::Sharded : Sharing::Replicated;
    term.dividedBy = axes(share);
    if (!tensor.established || modelParallel || inParts) {
        if (inParts) {
            term.sharing = Sharing::Sharded;
            term.note = "A part of it is divided, and nobody said how much of the total that is. "
                        "Give parameters, gradients and optimizer state apart.";
        }
        if (modelParallel)
            term.note = "How tensor and pipeline parallelism divide it is not established.";
        terms.push_back(std::move(term));
        return;
    }
    const KeptShare kept = keptShare(tensor, share);
    term.formula = shareFormula(tensor, share, kept.place);
    const Provenance provenance = tensor.stipulated ? Provenance::Stipulated : Provenance::Derived;
    term.amount = Amount(kept.needed, provenance);
    Term padding = term;
    terms.push_back(std::move(term));
    if (kept.padding == Bytes(0))
        return;
    padding.name = kPadding;
    padding.amount = Amount(kept.padding, provenance);
    padding.formula.kind = Formula::Kind::Padding;
    padding.note = "Every rank of a group holds an equal share; this part of it holds nothing.";
    terms.push_back(std::move(padding));
}

std::string missingFor(const Workload& workload, bool sequence)
{
    std::vector<std::string> missing;
    if (workload.basis != Workload::StateBasis::Derived || !workload.model)
        missing.emplace_back("model");
    if (!workload.recipe.microBatch)
        missing.emplace_back("micro-batch");
    if (sequence && !workload.recipe.sequence)
        missing.emplace_back("sequence");
    if (missing.empty())
        return "Not derived from the recipe. State it to count it.";
    std::string text = "Needs " + missing.front();
    for (std::size_t i = 1; i < missing.size(); ++i)
        text += (i + 1 == missing.size() ? " and " : ", ") + missing[i];
    return text + ".";
}

/// Whether anything is divided that computation needs whole again.
bool gathers(const ResolvedLayout::Shares& shares)
{
    return shares.parameters.ranks > 1 || shares.gradients.ranks > 1;
}

Term gatheredTerm(const Workload& workload, const ResolvedLayout::Shares& shares)
{
    Term term;
    term.category = Category::Gathered;
    term.name = title(Category::Gathered);
    term.sharing = Sharing::Gathered;
    if (workload.terms.gathered || gathers(shares)) {
        term.note = shares.parameters.ranks > 1
            ? "Parameters are divided; what is whole at one time is not derived. State it to count "
              "it."
            : "Gradients are whole before they are scattered; how many at one time is not derived.";
        return term;
    }
    term.amount = Amount(Bytes(0), Provenance::Derived);
    term.formula.kind = Formula::Kind::Nothing;
    term.note = shares.optimizer.ranks > 1
        ? "Only optimizer state is divided: nothing is gathered to compute."
        : "A replica never gathers: its copy is whole.";
    return term;
}

Term openTerm(Category category, std::string note)
{
    Term term;
    term.category = category;
    term.name = title(category);
    term.note = std::move(note);
    return term;
}

void give(Term& term, const std::optional<Bytes>& bytes)
{
    if (!bytes)
        return;
    term.amount = Amount(*bytes, Provenance::Stipulated);
    term.formula.kind = Formula::Kind::Given;
    term.formula.given = *bytes;
    term.note = "Given for every rank.";
}

} // namespace

std::vector<Term> termsOf(const Workload& workload, const std::vector<StateTensor>& state,
    const ResolvedLayout::Shares& shares, bool modelParallel)
{
    std::vector<Term> terms;
    for (const StateTensor& tensor : state)
        addState(terms, tensor, shares, modelParallel);

    Term gathered = gatheredTerm(workload, shares);
    Term activations = openTerm(Category::Activations, missingFor(workload, true));
    Term temporary = openTerm(Category::Temporary, missingFor(workload, false));
    Term slack = openTerm(
        Category::Slack, "What the allocator reserves beyond tensors. State it, or measure it.");
    Term outside = openTerm(Category::Outside,
        "Context, communication buffers, other processes. State it, or measure it.");
    const StipulatedTerms& given = workload.terms;
    give(gathered, given.gathered);
    give(activations, given.activations);
    give(temporary, given.temporary);
    give(slack, given.slack);
    give(outside, given.outside);
    for (Term* term : { &gathered, &activations, &temporary, &slack, &outside })
        terms.push_back(std::move(*term));
    return terms;
}

std::vector<HeldTensor> heldTensors(
    const std::vector<Term>& terms, const std::vector<StateTensor>& state)
{
    std::vector<HeldTensor> held;
    // Terms of the state come in the order of `state`, each followed by its padding.
    auto tensor = state.begin();
    Lifetime life = Lifetime::WholeRun;
    for (const Term& term : terms) {
        if (!isState(term.category))
            life = Lifetime::WholeRun;
        else if (term.name != kPadding)
            life = (tensor++)->life;
        if (const auto bytes = term.amount.bytes())
            held.push_back({ term.category, *bytes, life });
    }
    return held;
}

std::string text(const Formula& formula)
{
    const auto product
        = [&] { return grouped(formula.elements) + " × " + grouped(formula.bytesEach) + " B"; };
    switch (formula.kind) {
    case Formula::Kind::None:
        return {};
    case Formula::Kind::Nothing:
        return "0";
    case Formula::Kind::Given:
        return exactText(formula.given);
    case Formula::Kind::GivenShare:
        return exactText(formula.given) + " ÷ " + grouped(formula.divisor);
    case Formula::Kind::Elements:
        if (formula.divisor == 1)
            return product();
        if (formula.elements % formula.divisor == 0)
            return product() + " ÷ " + grouped(formula.divisor);
        return "⌈" + grouped(formula.elements) + " ÷ " + grouped(formula.divisor) + "⌉ × "
            + grouped(formula.bytesEach) + " B";
    case Formula::Kind::Repeated: {
        std::string line = formula.copies == 1 ? "" : grouped(formula.copies) + " × ";
        if (formula.bytesEach != 1 || formula.width != 1)
            line += grouped(formula.bytesEach) + " B × ";
        line += grouped(formula.elements);
        if (formula.width != 1)
            line += " × " + grouped(formula.width);
        if (formula.bytesEach == 1 && formula.width == 1)
            line += " B";
        return formula.divisor == 1 ? line : line + " ÷ " + grouped(formula.divisor);
    }
    case Formula::Kind::LastShare:
    case Formula::Kind::Padding:
        break;
    }
    // The remainder, and the padding that fills it up to an equal share.
    const std::int64_t chunk
        = formula.elements / formula.divisor + (formula.elements % formula.divisor == 0 ? 0 : 1);
    const std::int64_t before = std::min(formula.elements, chunk * formula.position);
    const std::int64_t needed = std::min(chunk, formula.elements - before);
    const std::string bytes = " × " + grouped(formula.bytesEach) + " B";
    if (formula.kind == Formula::Kind::Padding)
        return "(" + grouped(chunk) + " − " + grouped(needed) + ")" + bytes;
    return "(" + grouped(formula.elements) + " − " + grouped(before) + ")" + bytes;
}

} // namespace shardrack
