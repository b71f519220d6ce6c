#include "models/account_rows.h"

#include <algorithm>

namespace shardrack {

namespace {

using Kind = AccountRow::Kind;
using Section = AccountRow::Section;
using Figure = AccountRow::Figure;
using Side = std::optional<AccountSide>;

/// Ranks of one GPU whose terms are listed; more are counted.
constexpr std::size_t kListedRanks = 8;

Section sectionOf(Category category)
{
    if (isState(category))
        return Section::State;
    return category < Category::Slack ? Section::WorkingSet : Section::Around;
}

std::vector<std::int32_t> ranksOn(const Side& side)
{
    return side ? side->assessment().layout.ranksOn(side->gpu) : std::vector<std::int32_t> {};
}

const std::vector<Term>* termsOf(const Side& side, std::int32_t rank)
{
    const std::vector<std::int32_t> ranks = ranksOn(side);
    if (!std::binary_search(ranks.begin(), ranks.end(), rank))
        return nullptr;
    const Account& account = side->assessment().account;
    return &account.rankClasses[account.classOfRank[static_cast<std::size_t>(rank)]].terms;
}

Figure figureOf(const Term& term)
{
    return { &term, term.amount.bytes(), false, term.amount.provenance() };
}

Figure figureOf(const Sum& sum)
{
    return { nullptr, sum.established, sum.atLeast, Provenance::Derived };
}

/// Whether a rank is on one GPU alone; a share of 0 of 0 is not established.
template <class Share> bool isWhole(const Share& share)
{
    return share.weight == 1 && share.weights == 1;
}

/// Lines are made for both sides at once, so that each stands beside its counterpart.
class Lines {
public:
    Lines(const Side& now, const Side& then)
        : m_now(now)
        , m_then(then)
    {
    }

    std::vector<AccountRow> make() &&
    {
        if (!addError() && !addIdle()) {
            addRanks();
            addParts();
            addFigures(
                Kind::Sum, [](const AccountSide& side) { return figureOf(side.device().need); });
        }
        addLimits();
        addPhases();
        return std::move(m_rows);
    }

private:
    AccountRow& add(Kind kind)
    {
        AccountRow& row = m_rows.emplace_back();
        row.kind = kind;
        return row;
    }

    void addSection(Section section) { add(Kind::Section).section = section; }

    /// A line with what `figure` (of a side) says, where it says anything on a side.
    template <class FigureOf> AccountRow* addFigures(Kind kind, FigureOf figure)
    {
        AccountRow row;
        row.kind = kind;
        if (m_now)
            row.now = figure(*m_now);
        if (m_then)
            row.then = figure(*m_then);
        if (!row.now && !row.then)
            return nullptr;
        m_rows.push_back(std::move(row));
        return &m_rows.back();
    }

    bool addError()
    {
        for (const Side* side : { &m_then, &m_now })
            if (*side && (*side)->assessment().error) {
                add(Kind::Remark).text = (*side)->assessment().error->text();
                return true;
            }
        return false;
    }

    bool addIdle()
    {
        if (!ranksOn(m_now).empty() || !ranksOn(m_then).empty())
            return false;
        add(Kind::Remark);
        return true;
    }

    void addRanks()
    {
        std::vector<std::int32_t> ranks = ranksOn(m_now);
        const std::vector<std::int32_t> later = ranksOn(m_then);
        ranks.insert(ranks.end(), later.begin(), later.end());
        std::sort(ranks.begin(), ranks.end());
        ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
        const bool alone = ranks.size() == 1 && !split(ranks.front());
        const std::size_t listed = std::min(ranks.size(), kListedRanks);
        for (std::size_t i = 0; i < listed; ++i) {
            if (!alone)
                addRankHeader(ranks[i]);
            addTerms(ranks[i], alone);
        }
        if (listed < ranks.size())
            add(Kind::MoreRanks).count = static_cast<int>(ranks.size() - listed);
    }

    /// How much of a rank is on the GPU of a side.
    static std::optional<ResolvedLayout::Device> shareHere(const Side& side, std::int32_t rank)
    {
        if (termsOf(side, rank))
            for (const ResolvedLayout::Device& device : side->assessment().layout.devicesOf(rank))
                if (device.gpu == side->gpu)
                    return device;
        return std::nullopt;
    }

    bool split(std::int32_t rank) const
    {
        for (const Side* side : { &m_now, &m_then })
            if (const auto share = shareHere(*side, rank))
                if (!isWhole(*share))
                    return true;
        return false;
    }

    void addRankHeader(std::int32_t rank)
    {
        AccountRow& row = add(Kind::Rank);
        row.count = rank;
        for (const Side* side : { &m_now, &m_then })
            if (const auto share = shareHere(*side, rank)) {
                row.weight = share->weight;
                row.weights = share->weights;
            }
    }

    void addTerms(std::int32_t rank, bool sections)
    {
        std::vector<AccountRow> terms;
        for (const bool later : { false, true })
            if (const std::vector<Term>* list = termsOf(later ? m_then : m_now, rank))
                for (const Term& term : *list)
                    addTerm(terms, term, later);
        std::stable_sort(terms.begin(), terms.end(),
            [](const AccountRow& a, const AccountRow& b) { return a.category < b.category; });
        std::optional<Section> section;
        for (AccountRow& term : terms) {
            if (sections && section != sectionOf(term.category))
                addSection(*(section = sectionOf(term.category)));
            m_rows.push_back(std::move(term));
        }
    }

    static void addTerm(std::vector<AccountRow>& terms, const Term& term, bool later)
    {
        const auto counterpart
            = std::find_if(terms.begin(), terms.end(), [&](const AccountRow& row) {
                  return row.category == term.category && row.text == term.name
                      && !(later ? row.then : row.now);
              });
        AccountRow& row = counterpart == terms.end() ? terms.emplace_back() : *counterpart;
        row.kind = Kind::Term;
        row.category = term.category;
        row.text = term.name;
        (later ? row.then : row.now) = figureOf(term);
    }

    /// The terms of a split rank are those of the whole rank; what is here is listed apart.
    void addParts()
    {
        bool any = false;
        for (const Side* side : { &m_now, &m_then })
            if (*side)
                for (const DeviceClass::Holding& holding : (*side)->device().holdings)
                    any = any || !isWhole(holding);
        if (!any)
            return;
        addSection(Section::OnThisGpu);
        for (const Category category : kCategories) {
            AccountRow* row = addFigures(
                Kind::Part, [category](const AccountSide& side) -> std::optional<Figure> {
                    const Sum& sum = side.device().atPeak[index(category)];
                    if (sum == Sum {})
                        return std::nullopt;
                    return figureOf(sum);
                });
            if (row)
                row->category = category;
        }
    }

    void addLimits()
    {
        addFigures(Kind::Usable, [](const AccountSide& side) {
            const UsableAllocation& usable = side.device().usable;
            return Figure { nullptr, usable.bytes, false, usable.provenance };
        });
        const bool judged = m_rows.front().kind != Kind::Remark;
        if (!judged)
            return;
        addFigures(Kind::Headroom, [](const AccountSide& side) -> std::optional<Figure> {
            const DeviceClass& device = side.device();
            if (device.idle())
                return std::nullopt;
            return Figure { nullptr, device.headroom(), device.headroomAtMost(),
                Provenance::Derived };
        });
        AccountRow* margin = addFigures(Kind::Margin, [](const AccountSide& side) {
            return Figure { nullptr, side.shown.plan->margin.bytes, false,
                side.shown.plan->margin.bytes ? Provenance::Stipulated
                                              : Provenance::NotEstablished };
        });
        margin->text = (m_then ? m_then : m_now)->shown.plan->margin.basis;
        addFigures(Kind::AfterMargin, [](const AccountSide& side) -> std::optional<Figure> {
            const DeviceClass& device = side.device();
            const std::optional<Bytes> asked = side.shown.plan->margin.bytes;
            if (!asked || device.idle() || device.headroomAtMost())
                return std::nullopt;
            const auto left = attempt([&] { return device.headroom() - *asked; });
            if (!left.ok())
                return std::nullopt;
            return Figure { nullptr, *left, false, Provenance::Derived };
        });
    }

    /// The peaks of the phases of the only rank here; null where there is none.
    static const std::vector<Peak>* phasesOf(const Side& side)
    {
        if (!side || side->device().holdings.size() != 1)
            return nullptr;
        const auto number = static_cast<std::size_t>(side->device().holdings.front().rankClass);
        return &side->assessment().account.rankClasses[number].phases;
    }

    /// First step against steady step, phase by phase.
    void addPhases()
    {
        bool any = false;
        for (int number = 0; number <= static_cast<int>(Phase::Evaluate); ++number) {
            const auto phase = static_cast<Phase>(number);
            const auto figure = [phase](const Side& side) -> std::optional<Figure> {
                const std::vector<Peak>* phases = phasesOf(side);
                if (!phases)
                    return std::nullopt;
                const auto found = std::find_if(phases->begin(), phases->end(),
                    [phase](const Peak& peak) { return peak.phase == phase; });
                if (found == phases->end())
                    return std::nullopt;
                return Figure { nullptr, total(found->held), false, Provenance::Derived };
            };
            const std::optional<Figure> now = figure(m_now);
            const std::optional<Figure> then = figure(m_then);
            if (!now && !then)
                continue;
            if (!any)
                addSection(Section::Phases);
            any = true;
            AccountRow& row = add(Kind::Phase);
            row.count = number;
            row.now = now;
            row.then = then;
        }
    }

    const Side& m_now;
    const Side& m_then;
    std::vector<AccountRow> m_rows;
};

} // namespace

const DeviceClass& AccountSide::device() const
{
    const Account& account = assessment().account;
    return account.deviceClasses[account.classOfGpu[static_cast<std::size_t>(gpu)]];
}

bool AccountRow::Figure::operator==(const Figure& other) const
{
    const bool sameTerm = term == other.term || (term && other.term && *term == *other.term);
    return sameTerm && bytes == other.bytes && bound == other.bound
        && provenance == other.provenance;
}

bool AccountRow::sameLine(const AccountRow& other) const
{
    if (kind != other.kind)
        return false;
    switch (kind) {
    case Kind::Section:
        return section == other.section;
    case Kind::Rank:
    case Kind::Phase:
        return count == other.count;
    case Kind::Term:
        return category == other.category && text == other.text;
    case Kind::Part:
        return category == other.category;
    default:
        return true;
    }
}

std::optional<Bytes> AccountRow::change() const
{
    if (!now && !then)
        return std::nullopt;
    // What is not there holds nothing; what is there and not established is no number.
    const auto bytes = [](const std::optional<Figure>& figure) {
        return figure ? figure->bytes : std::optional<Bytes>(Bytes(0));
    };
    const bool wholes
        = kind == Kind::Term || kind == Kind::Part || kind == Kind::Sum || kind == Kind::Phase;
    if (!wholes && (!now || !then))
        return std::nullopt;
    const std::optional<Bytes> before = bytes(now);
    const std::optional<Bytes> after = bytes(then);
    if (!before || !after)
        return std::nullopt;
    const auto difference = attempt([&] { return *after - *before; });
    return difference.ok() ? std::optional<Bytes>(*difference) : std::nullopt;
}

std::vector<AccountRow> accountRows(
    const std::optional<AccountSide>& now, const std::optional<AccountSide>& then)
{
    if (!now && !then)
        return {};
    return Lines(now, then).make();
}

} // namespace shardrack
