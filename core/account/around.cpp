#include "account/around.h"

#include "account/constants.h"
#include "base/size_text.h"

#include <algorithm>

namespace shardrack {

namespace {

Term givenTerm(Category category, Bytes bytes)
{
    Term term;
    term.category = category;
    term.name = title(category);
    term.amount = Amount(bytes, Provenance::Stipulated);
    term.formula.kind = Formula::Kind::Given;
    term.formula.given = bytes;
    term.note = "Given for every rank.";
    return term;
}

struct Constants {
    const Constant& slack = constant("slack-millionths");
    const Constant& context = constant("context");
    const Constant& large = constant("nccl-large");
    const Constant& small = constant("nccl-small");
};
const Constants& constantsAround()
{
    static const Constants values;
    return values;
}

/// `millionths` of `bytes`, in whole bytes.
Bytes part(Bytes bytes, std::int64_t millionths)
{
    __extension__ using Wide = __int128;
    return Bytes(static_cast<std::int64_t>(Wide(bytes.count()) * millionths / 1'000'000));
}

/// "9.3" for 93,000 millionths.
std::string percent(std::int64_t millionths)
{
    const std::int64_t tenths = (millionths + 500) / 1000;
    return grouped(tenths / 10) + (tenths % 10 == 0 ? "" : "." + std::to_string(tenths % 10));
}

/// What is outside the allocator, with one end of each constant's range.
Bytes outsideAt(std::int64_t groups, std::int64_t Constant::*end)
{
    const Constants& values = constantsAround();
    Bytes bytes(values.context.*end);
    if (groups > 0)
        bytes += Bytes(values.large.*end) + Bytes(values.small.*end) * (groups - 1);
    return bytes;
}

/// The most slack beside `tensors`.
Bytes mostSlack(const Surroundings& around, Bytes tensors)
{
    const Bytes observed = part(tensors, constantsAround().slack.high);
    return around.pools ? std::max(Bytes(), *around.pools - tensors) : observed;
}

} // namespace

std::uint32_t givenCategories(const StipulatedTerms& given)
{
    std::uint32_t set = 0;
    const auto add = [&](const std::optional<Bytes>& bytes, Category category) {
        if (bytes)
            set |= 1U << index(category);
    };
    add(given.gathered, Category::Gathered);
    add(given.activations, Category::Activations);
    add(given.temporary, Category::Temporary);
    return set;
}

std::vector<std::string> dividersOf(
    const Piece& piece, std::int64_t tensor, std::int64_t pipeline, Axis axis, const char* shards)
{
    std::vector<std::string> axes;
    const auto add = [&](const char* group, std::int64_t degree) {
        if (degree > 1)
            axes.push_back(std::string(group) + " of " + grouped(degree));
    };
    if (isState(piece.category)) {
        add("tensor group", tensor);
        add("pipeline", pipeline);
    }
    if (piece.extent.axis == axis)
        add(shards, piece.extent.divisor);
    else if (piece.extent.axis == Axis::Tensor || piece.extent.axis == Axis::Sequence)
        add("tensor group", piece.extent.divisor);
    return axes;
}

std::int64_t axesInUse(std::initializer_list<std::int64_t> degrees)
{
    return std::count_if(
        degrees.begin(), degrees.end(), [](std::int64_t degree) { return degree > 1; });
}

Term pieceTerm(const Piece& piece, std::int64_t copies, std::vector<std::string> dividedBy)
{
    Term term;
    term.category = piece.category;
    term.name = piece.name;
    if (!term.name.empty() && term.name.front() >= 'a' && term.name.front() <= 'z')
        term.name.front() = static_cast<char>(term.name.front() - 'a' + 'A');
    term.amount = Amount(piece.bytes * copies, Provenance::Derived);
    const bool divided = (piece.extent.axis == Axis::Optimizer || piece.extent.axis == Axis::Shard)
        && piece.extent.divisor > 1;
    term.sharing = divided                     ? Sharing::Sharded
        : isState(piece.category)              ? Sharing::Replicated
        : piece.category == Category::Gathered ? Sharing::Gathered
                                               : Sharing::Local;
    term.dividedBy = std::move(dividedBy);
    term.formula.kind = Formula::Kind::Repeated;
    term.formula.copies = copies;
    term.formula.bytesEach = piece.extent.each;
    term.formula.elements = piece.extent.rows;
    term.formula.width = piece.extent.width;
    term.formula.divisor = piece.extent.divisor;
    term.note = isState(piece.category) ? "Held from the build on." : "Held at the largest moment.";
    return term;
}

void addGiven(RankClass& ranks, const StipulatedTerms& given, const char* noneGathered)
{
    const auto add = [&](const std::optional<Bytes>& bytes, Category category) {
        if (!bytes)
            return;
        ranks.terms.push_back(givenTerm(category, *bytes));
        ranks.atPeak[index(category)].established = *bytes;
    };
    add(given.gathered, Category::Gathered);
    add(given.activations, Category::Activations);
    add(given.temporary, Category::Temporary);
    if (given.gathered || !noneGathered)
        return;
    Term none;
    none.category = Category::Gathered;
    none.name = title(Category::Gathered);
    none.amount = Amount(Bytes(0), Provenance::Derived);
    none.formula.kind = Formula::Kind::Nothing;
    none.note = noneGathered;
    ranks.terms.push_back(std::move(none));
}

void sortTerms(RankClass& ranks)
{
    std::stable_sort(ranks.terms.begin(), ranks.terms.end(), [](const Term& a, const Term& b) {
        if (a.category != b.category)
            return a.category < b.category;
        return !isState(a.category)
            && a.amount.bytes().value_or(Bytes()) > b.amount.bytes().value_or(Bytes());
    });
}

Bytes tensorsOf(const RankClass& ranks)
{
    Bytes sum;
    for (const Category category : kCategories)
        if (category != Category::Slack && category != Category::Outside)
            sum += ranks.atPeak[index(category)].established;
    return sum;
}

void addAround(RankClass& ranks, const StipulatedTerms& given, const Surroundings& around)
{
    const Constants& values = constantsAround();
    const auto add = [&](Category category, std::string name, Bytes bytes, std::string note) {
        Term term;
        term.category = category;
        term.name = std::move(name);
        term.amount = Amount(bytes, Provenance::Derived);
        term.formula.kind = Formula::Kind::Given;
        term.formula.given = bytes;
        term.note = std::move(note);
        ranks.terms.push_back(std::move(term));
        ranks.atPeak[index(category)].established += bytes;
    };
    const auto range = [](const Constant& constant) {
        return gibText(Bytes(constant.low)) + " to " + gibText(Bytes(constant.high));
    };
    const Bytes tensors = tensorsOf(ranks);
    if (given.slack) {
        ranks.terms.push_back(givenTerm(Category::Slack, *given.slack));
        ranks.atPeak[index(Category::Slack)].established = *given.slack;
    } else {
        add(Category::Slack, title(Category::Slack), part(tensors, values.slack.value),
            "Assumed: " + percent(values.slack.value) + " % of the tensors; "
                + (around.pools ? "at most what each stream's pool once held, "
                            + gibText(mostSlack(around, tensors)) + " above them."
                                : percent(values.slack.low) + " to " + percent(values.slack.high)
                            + " % were seen with fixed shapes."));
    }
    if (given.outside) {
        ranks.terms.push_back(givenTerm(Category::Outside, *given.outside));
        ranks.atPeak[index(Category::Outside)].established = *given.outside;
        return;
    }
    add(Category::Outside, "CUDA context", Bytes(values.context.value),
        "Assumed; " + range(values.context) + " were seen.");
    if (around.groups == 0)
        return;
    add(Category::Outside, "Communication buffers",
        Bytes(values.large.value) + Bytes(values.small.value) * (around.groups - 1),
        "Assumed: " + grouped(around.groups)
            + (around.groups == 1 ? " communicator; " : " communicators; ") + range(values.large)
            + " were seen for the first.");
}

void addInterval(RankClass& ranks, const StipulatedTerms& given, const Surroundings& around,
    Bytes least, Bytes most)
{
    const Bytes slack = ranks.atPeak[index(Category::Slack)].established;
    const Bytes outside = ranks.atPeak[index(Category::Outside)].established;
    Bytes outsideLeast = outside;
    Bytes outsideMost = outside;
    if (!given.outside) {
        outsideLeast = outsideAt(around.groups, &Constant::low);
        outsideMost = outsideAt(around.groups, &Constant::high);
    }
    ranks.least = least + outsideLeast;
    ranks.most = most + outsideMost + (given.slack ? slack : mostSlack(around, most));
}

} // namespace shardrack
