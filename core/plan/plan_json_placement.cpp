#include "plan/plan_json_gpus.h"
#include "plan/plan_json_parts.h"

#include "base/size_text.h"
#include "base/utf8.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <numeric>

namespace shardrack {

namespace {

constexpr std::int64_t kMostPlaces = std::int64_t(kMaximumGpus) * 4;
constexpr std::int64_t kMostShare = (std::int64_t(1) << 31) - 1;

using Ordinals = GpuNames::Ordinals;

std::string_view trimmed(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(' ');
    return first == std::string_view::npos
        ? std::string_view()
        : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

class PlacementReader {
public:
    PlacementReader(const Site& site, const SiteIndex& index, Json& remarks)
        : m_index(index)
        , m_names(site, index)
        , m_remarks(remarks)
    {
    }

    Placement read(const JsonView& view)
    {
        for (const JsonView& item : view.items())
            readEntry(item);
        const auto missing = std::find(m_placed.begin(), m_placed.end(), false);
        if (missing != m_placed.end())
            view.fail("says nothing of rank " + grouped(missing - m_placed.begin()),
                "every rank from 0 to " + grouped(std::int64_t(m_placed.size()) - 1));
        return std::move(m_placement);
    }

private:
    void readEntry(const JsonView& view)
    {
        const JsonView ranksView = view.at("ranks");
        const RankSet ranks = ranksFrom(ranksView);
        const Extra unknown = unknownMembers(view, { "ranks", "gpus", "shares" });
        if (unknown) {
            Json& remark = m_remarks.emplace_back(Json { { "ranks", ranksView.json() } });
            appendExtra(remark, unknown);
            if (!view.has("gpus"))
                return;
        }
        const JsonView gpusView = view.at("gpus");
        const Ordinals gpus = gpusFrom(gpusView);
        const auto rankCount = static_cast<std::size_t>(ranks.size());
        if (rankCount == 0)
            ranksView.fail("names no rank", "a rank or a range of ranks, such as \"0-7\"");
        const bool several = gpus.size() % rankCount == 0; // GPUs a rank: none, one or several
        if (!several && rankCount % gpus.size() != 0)
            gpusView.fail("names " + grouped(std::int64_t(gpus.size())) + " GPUs for "
                    + grouped(ranks.size()) + " ranks",
                "a number of GPUs that can be dealt to them in equal parts");
        const std::size_t each = several ? gpus.size() / rankCount : 1;
        const std::size_t sharers = several ? 1 : rankCount / gpus.size();
        const std::vector<std::int64_t> shares = sharesFrom(view, each);
        std::size_t number = 0;
        for (const RankSet::Interval& interval : ranks.intervals())
            for (std::int32_t rank = interval.first; rank <= interval.last; ++rank, ++number) {
                RankPlace& place = newPlace(ranksView, rank);
                place.weights = shares;
                const std::size_t first = number / sharers * each;
                for (std::size_t i = first; i < first + each; ++i)
                    place.gpus.push_back(m_index.ref(gpus[i]));
            }
    }

    static RankSet ranksFrom(const JsonView& view)
    {
        if (!view.isString()) {
            const auto rank = static_cast<std::int32_t>(view.integer(0, kMaximumGpus - 1));
            return RankSet::range(rank, rank);
        }
        const auto ranks = RankSet::parse(view.string(), kMaximumGpus);
        if (!ranks)
            view.fail(ranks.error().what, ranks.error().expected);
        return *ranks;
    }

    Ordinals gpusFrom(const JsonView& view)
    {
        Ordinals gpus;
        if (view.isArray()) {
            for (const JsonView& item : view.items())
                append(gpus, item, item.string());
            return gpus;
        }
        // A comma separates items, unless it belongs to a server's name.
        const std::string text = view.string();
        if (const auto whole = m_names.parse(trimmed(text))) {
            count(view, whole->size());
            return *whole;
        }
        for (std::size_t start = 0; start <= text.size();) {
            const std::size_t comma = std::min(text.find(',', start), text.size());
            append(gpus, view, std::string_view(text).substr(start, comma - start));
            start = comma + 1;
        }
        return gpus;
    }

    void append(Ordinals& gpus, const JsonView& view, std::string_view item)
    {
        const auto part = m_names.parse(trimmed(item));
        if (!part)
            view.fail("\"" + shortened(trimmed(item)) + "\" names no GPU of the site",
                "server, \"·\" and the GPU's number from 0, such as \"" + m_names.someName()
                    + "\", a range such as \"A1·0-7\", or \"A1·0..A4·7\"");
        count(view, part->size());
        gpus.insert(gpus.end(), part->begin(), part->end());
    }

    void count(const JsonView& view, std::size_t places)
    {
        m_places += static_cast<std::int64_t>(places);
        if (m_places > kMostPlaces)
            view.fail(
                "brings the ranks to more than " + grouped(kMostPlaces) + " GPUs in all", "fewer");
    }

    static std::vector<std::int64_t> sharesFrom(const JsonView& view, std::size_t gpus)
    {
        std::vector<std::int64_t> shares;
        const auto list = view.find("shares");
        if (!list)
            return shares;
        for (const JsonView& item : list->items())
            shares.push_back(item.integer(0, kMostShare));
        if (shares.empty())
            return shares;
        if (shares.size() != gpus)
            list->fail("has " + grouped(std::int64_t(shares.size())) + " shares for "
                    + grouped(std::int64_t(gpus)) + (gpus == 1 ? " GPU" : " GPUs") + " a rank",
                "one share for each GPU of a rank");
        if (std::accumulate(shares.begin(), shares.end(), std::int64_t(0)) == 0)
            list->fail("adds up to 0", "at least one share above 0");
        return shares;
    }

    RankPlace& newPlace(const JsonView& view, std::int32_t rank)
    {
        const auto at = static_cast<std::size_t>(rank);
        if (at >= m_placement.size()) {
            m_placement.resize(at + 1);
            m_placed.resize(at + 1, false);
        }
        if (m_placed[at])
            view.fail("places rank " + grouped(rank) + " a second time", "each rank once");
        m_placed[at] = true;
        return m_placement[at];
    }

    const SiteIndex& m_index;
    GpuNames m_names;
    Json& m_remarks;
    Placement m_placement;
    std::vector<bool> m_placed;
    std::int64_t m_places = 0;
};

/// What neighbouring ranks must have in common to be written as one entry.
struct EntryShape {
    std::size_t each = 0; ///< GPUs a rank
    std::size_t sharers = 1; ///< neighbouring ranks on the same GPU
    const std::vector<std::int64_t>* shares = nullptr;

    bool operator==(const EntryShape& other) const
    {
        return each == other.each && sharers == other.sharers && *shares == *other.shares;
    }
};

class PlacementWriter {
public:
    PlacementWriter(const Placement& placement, const Site& site, const SiteIndex& index)
        : m_names(site, index)
    {
        m_gpus.reserve(placement.size());
        for (const RankPlace& place : placement) {
            // A place that the site no longer has cannot be written.
            Ordinals& gpus = m_gpus.emplace_back();
            for (const GpuRef& gpu : place.gpus)
                if (const std::int32_t ordinal = index.ordinal(gpu); ordinal >= 0)
                    gpus.push_back(ordinal);
            m_shares.push_back(gpus.size() == place.weights.size() ? &place.weights : &m_none);
        }
    }

    Json json()
    {
        Json list = Json::array();
        for (std::size_t first = 0; first < m_gpus.size();) {
            const EntryShape shape = shapeAt(first);
            Ordinals gpus;
            std::size_t next = first;
            while (next < m_gpus.size() && shapeAt(next) == shape) {
                gpus.insert(gpus.end(), m_gpus[next].begin(), m_gpus[next].end());
                next += shape.sharers;
            }
            list.push_back(entry(first, next - 1, gpus, *shape.shares));
            first = next;
        }
        return list;
    }

private:
    EntryShape shapeAt(std::size_t rank) const
    {
        EntryShape shape { m_gpus[rank].size(), 1, m_shares[rank] };
        if (shape.each == 1)
            while (rank + shape.sharers < m_gpus.size()
                && m_gpus[rank + shape.sharers] == m_gpus[rank]
                && *m_shares[rank + shape.sharers] == *shape.shares)
                ++shape.sharers;
        return shape;
    }

    Json entry(std::size_t first, std::size_t last, const Ordinals& gpus,
        const std::vector<std::int64_t>& shares)
    {
        Json json { { "ranks",
            RankSet::range(static_cast<std::int32_t>(first), static_cast<std::int32_t>(last))
                .text() } };
        std::vector<std::string> items = m_names.items(gpus);
        if (items.size() == 1)
            json["gpus"] = std::move(items.front());
        else
            json["gpus"] = std::move(items);
        if (!shares.empty())
            json["shares"] = shares;
        return json;
    }

    GpuNames m_names;
    std::vector<Ordinals> m_gpus; ///< by rank
    std::vector<const std::vector<std::int64_t>*> m_shares; ///< by rank
    const std::vector<std::int64_t> m_none;
};

} // namespace

Placement placementFromJson(
    const JsonView& view, const Site& site, const SiteIndex& index, Json& remarks)
{
    return PlacementReader(site, index, remarks).read(view);
}

Json toJson(const Placement& placement, const Site& site, const SiteIndex& index)
{
    return PlacementWriter(placement, site, index).json();
}

} // namespace shardrack
