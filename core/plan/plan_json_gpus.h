#pragma once

#include "site/site.h"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace shardrack {

/// GPUs of a site between their ordinals and their names in a file. An item is one of
///     A1·3            one GPU
///     A1·0-7          neighbours in a server
///     A1·0..A4·7      all from one to the other in site order, backwards if the first comes later
///     A1·0..A4·7/8    every eighth of them
/// People may write "." or ":" for "·". The site and its index outlive this.
class GpuNames {
public:
    using Ordinals = std::vector<std::int32_t>;

    GpuNames(const Site& site, const SiteIndex& index)
        : m_site(site)
        , m_index(index)
    {
    }
    /// What an item stands for; nullopt when it is no item of this site.
    std::optional<Ordinals> parse(std::string_view item);
    /// Items for `ordinals`, in this order; few where they are regular.
    std::vector<std::string> items(const Ordinals& ordinals);
    /// The name of a GPU, as an example.
    std::string someName() const;

private:
    using Ends = std::pair<std::int32_t, std::int32_t>; ///< first and last ordinal

    std::string name(std::int32_t ordinal) const;
    std::string seriesText(std::int32_t first, std::int32_t step, std::size_t count) const;
    /// "A1·3" or "A1·0-7".
    std::optional<Ends> ofServer(std::string_view item);
    const std::unordered_map<std::string, std::size_t>& servers();

    const Site& m_site;
    const SiteIndex& m_index;
    std::unordered_map<std::string, std::size_t> m_servers; ///< by name; made at first use
};

} // namespace shardrack
