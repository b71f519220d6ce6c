#include "plan/plan_json_gpus.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace shardrack {

namespace {

constexpr std::string_view kDot = "·";
constexpr std::string_view kSpan = "..";

std::optional<std::int32_t> wholeNumber(std::string_view text)
{
    if (text.empty() || text.size() > 9)
        return std::nullopt;
    std::int32_t number = 0;
    for (const char c : text) {
        if (c < '0' || c > '9')
            return std::nullopt;
        number = number * 10 + (c - '0');
    }
    return number;
}

} // namespace

std::optional<GpuNames::Ordinals> GpuNames::parse(std::string_view item)
{
    std::int32_t step = 1;
    if (const std::size_t slash = item.rfind('/'); slash != std::string_view::npos)
        if (const auto number = wholeNumber(item.substr(slash + 1)); number && *number > 0) {
            step = *number;
            item = item.substr(0, slash);
        }
    auto ends = ofServer(item);
    for (std::size_t at = item.find(kSpan); !ends && at != std::string_view::npos;
         at = item.find(kSpan, at + 1)) {
        const auto first = ofServer(item.substr(0, at));
        const auto last = ofServer(item.substr(at + kSpan.size()));
        if (first && last && first->first == first->second && last->first == last->second)
            ends = { first->first, last->first };
    }
    if (!ends)
        return std::nullopt;
    const std::int32_t sign = ends->first <= ends->second ? 1 : -1;
    Ordinals ordinals;
    for (std::int32_t i = 0; i <= std::abs(ends->second - ends->first); i += step)
        ordinals.push_back(ends->first + sign * i);
    return ordinals;
}

std::vector<std::string> GpuNames::items(const Ordinals& ordinals)
{
    std::vector<std::string> items;
    for (std::size_t start = 0; start < ordinals.size();) {
        std::size_t count = 1;
        const std::int32_t step
            = start + 1 < ordinals.size() ? ordinals[start + 1] - ordinals[start] : 0;
        while (step != 0 && start + count < ordinals.size()
            && ordinals[start + count] - ordinals[start + count - 1] == step)
            ++count;
        // Two GPUs make a series with any step; that alone says nothing.
        if (count == 2 && step != 1)
            count = 1;
        const std::string text = seriesText(ordinals[start], step, count);
        const Ordinals part(ordinals.begin() + std::ptrdiff_t(start),
            ordinals.begin() + std::ptrdiff_t(start + count));
        // A server's name may itself look like part of a series.
        if (count == 1 || parse(text) == part) {
            items.push_back(text);
        } else {
            for (const std::int32_t ordinal : part)
                items.push_back(name(ordinal));
        }
        start += count;
    }
    return items;
}

std::string GpuNames::someName() const { return m_index.gpuCount() > 0 ? name(0) : "A1·0"; }

std::string GpuNames::name(std::int32_t ordinal) const
{
    return m_index.deviceName(m_site, ordinal);
}

std::string GpuNames::seriesText(std::int32_t first, std::int32_t step, std::size_t count) const
{
    if (count == 1)
        return name(first);
    const std::int32_t last = first + step * (static_cast<std::int32_t>(count) - 1);
    if (step == 1 && m_index.serverOf(first) == m_index.serverOf(last))
        return name(first) + '-' + std::to_string(m_index.ref(last).index);
    std::string text = name(first) + std::string(kSpan) + name(last);
    if (std::abs(step) != 1)
        text += '/' + std::to_string(std::abs(step));
    return text;
}

std::optional<GpuNames::Ends> GpuNames::ofServer(std::string_view item)
{
    std::size_t end = std::string_view::npos;
    std::size_t start = 0;
    for (const std::string_view separator :
        { kDot, std::string_view("."), std::string_view(":") }) {
        const std::size_t at = item.rfind(separator);
        if (at != std::string_view::npos && (end == std::string_view::npos || at > end)) {
            end = at;
            start = at + separator.size();
        }
    }
    if (end == std::string_view::npos)
        return std::nullopt;
    const std::string_view indices = item.substr(start);
    const std::size_t dash = std::min(indices.find('-'), indices.size());
    const auto first = wholeNumber(indices.substr(0, dash));
    const auto last = dash < indices.size() ? wholeNumber(indices.substr(dash + 1)) : first;
    const auto server = servers().find(std::string(item.substr(0, end)));
    if (!first || !last || *first > *last || server == servers().end())
        return std::nullopt;
    const SiteIndex::Place& place = m_index.servers()[server->second];
    if (*last >= place.gpuCount)
        return std::nullopt;
    return Ends(place.firstGpu + *first, place.firstGpu + *last);
}

const std::unordered_map<std::string, std::size_t>& GpuNames::servers()
{
    if (m_servers.empty())
        for (std::size_t i = 0; i < m_index.servers().size(); ++i) {
            const SiteIndex::Place& place = m_index.servers()[i];
            const Rack& rack = *m_site.racks[static_cast<std::size_t>(place.rack)];
            m_servers.emplace(rack.servers[static_cast<std::size_t>(place.server)].name, i);
        }
    return m_servers;
}

} // namespace shardrack
