#include "canvas/canvas_scene.h"

#include "paint/axis_scale.h"

#include <algorithm>
#include <array>

namespace shardrack {

namespace {

constexpr int kRampSteps = 6;
constexpr int kOverCode = 6;
constexpr int kIdleCode = 7;
constexpr int kUnknownCode = 8;

GpuLook lookOf(const DeviceClass& device, Capacity capacity, const RequiredMargin& margin)
{
    GpuLook look;
    look.idle = device.idle();
    look.capacity = capacity;
    look.need = device.need.established;
    look.atLeast = device.need.atLeast;
    for (const Category category : kCategories) {
        const Sum& sum = device.atPeak[index(category)];
        if (sum.established.count() != 0 || sum.atLeast)
            look.bar.segments.push_back({ category, sum.established, sum.atLeast });
        look.openTerms += sum.atLeast ? 1 : 0;
    }
    look.bar.usable = device.usable.bytes;
    look.bar.usableConfirmed = device.usable.provenance != Provenance::NotEstablished;
    if (device.installedKnown)
        look.bar.installed = device.installed;
    look.bar.margin = margin.bytes;
    look.bar.idle = look.idle;
    if (device.usable.bytes.count() > 0)
        look.level = double(look.need.count()) / double(device.usable.bytes.count());
    return look;
}

} // namespace

std::vector<GpuLook> CanvasScene::looksOf(const ShownOffer& offer)
{
    const Assessment& assessment = *offer.assessment;
    std::vector<GpuLook> looks;
    for (std::size_t i = 0; i < assessment.account.deviceClasses.size(); ++i)
        looks.push_back(lookOf(assessment.account.deviceClasses[i],
            assessment.findings.ofDeviceClass[i], offer.plan->margin));
    looks.emplace_back();
    looks.back().bar.idle = true;
    return looks;
}

int CanvasScene::fillCode(const GpuLook& look)
{
    if (look.idle)
        return kIdleCode;
    if (look.over())
        return kOverCode;
    if (look.unknown())
        return kUnknownCode;
    return std::clamp(static_cast<int>(look.level * kRampSteps), 0, kRampSteps - 1);
}

CanvasScene::CanvasScene(ShownOffer shown, std::optional<ShownOffer> before)
    : m_shown(std::move(shown))
    , m_before(std::move(before))
    , m_looks(looksOf(m_shown))
{
    if (m_before)
        m_looksBefore = looksOf(*m_before);

    const std::size_t racks = site().racks.size();
    m_firstPlace.assign(racks + 1, 0);
    m_firstGpu.assign(racks + 1, 0);
    m_overInRack.assign(racks, 0);
    m_classOfRack.assign(racks, -1);
    m_rackKey.assign(racks, 0);
    for (std::size_t r = 0; r < racks; ++r)
        m_firstPlace[r + 1]
            = m_firstPlace[r] + static_cast<std::int32_t>(site().racks[r]->servers.size());

    const std::vector<SiteIndex::Place>& places = index().servers();
    std::vector<std::uint8_t> codes;
    for (const GpuLook& look : m_looks)
        codes.push_back(static_cast<std::uint8_t>(fillCode(look)));
    const auto& classes = m_shown.assessment->account.classOfGpu;
    const bool known = classes.size() == std::size_t(gpuCount());
    for (std::size_t r = 0; r < racks; ++r) {
        // FNV-1a over everything that the picture of a rack depends on.
        std::uint64_t key = 14695981039346656037ull;
        const auto mix = [&key](std::uint64_t value) { key = (key ^ value) * 1099511628211ull; };
        const auto firstPlace = std::size_t(m_firstPlace[r]);
        const auto lastPlace = std::size_t(m_firstPlace[r + 1]);
        m_firstGpu[r] = firstPlace < places.size() ? places[firstPlace].firstGpu : gpuCount();
        int over = 0;
        bool same = known;
        for (std::size_t p = firstPlace; p < lastPlace; ++p) {
            const Server& server = site().racks[r]->servers[p - firstPlace];
            mix(std::uint64_t(server.unit) << 20 | std::uint64_t(server.height));
            mix(std::uint64_t(std::max(server.gpuSlots, server.gpuCount())));
            const std::int32_t first = places[p].firstGpu;
            for (std::int32_t g = first; g < first + places[p].gpuCount; ++g) {
                const std::size_t look = lookIndex(g);
                mix(codes[look]);
                over += codes[look] == kOverCode ? 1 : 0;
                same = same && look == lookIndex(m_firstGpu[r]);
            }
        }
        mix(std::uint64_t(site().racks[r]->units));
        m_rackKey[r] = key;
        m_overInRack[r] = over;
        if (same && m_firstGpu[r] < gpuCount() && lastPlace > firstPlace)
            m_classOfRack[r] = static_cast<std::int32_t>(lookIndex(m_firstGpu[r]));
    }
    m_firstGpu[racks] = gpuCount();

    Bytes highest;
    for (const auto* looks : { &m_looks, &m_looksBefore })
        for (const GpuLook& look : *looks)
            highest = std::max({ highest, look.need, look.usable() });
    constexpr double kRoomForOpenEnd = 0.12;
    m_axis = axisFor(highest, std::nullopt, kRoomForOpenEnd).full();
}

std::vector<GpuRef> CanvasScene::gpusOfRack(int rack) const
{
    std::vector<GpuRef> gpus;
    for (int s = 0; s < static_cast<int>(this->rack(rack).servers.size()); ++s)
        for (const GpuRef gpu : gpusOfServer(place(rack, s)))
            gpus.push_back(gpu);
    return gpus;
}

std::vector<GpuRef> CanvasScene::gpusOfServer(const SiteIndex::Place& place) const
{
    std::vector<GpuRef> gpus;
    for (int i = 0; i < place.gpuCount; ++i)
        gpus.push_back({ place.id, i });
    return gpus;
}

std::optional<std::pair<int, int>> CanvasScene::find(ServerId server) const
{
    if (!hasOffer())
        return std::nullopt;
    const auto found = [](const SiteIndex::Place& place) {
        return std::pair<int, int>(place.rack, place.server);
    };
    if (const std::int32_t gpu = index().ordinal({ server, 0 }); gpu >= 0)
        return found(index().servers()[std::size_t(index().serverOf(gpu))]);
    for (const SiteIndex::Place& place : index().servers()) // it may hold no GPU
        if (place.id == server)
            return found(place);
    return std::nullopt;
}

const GpuLook* CanvasScene::lookBefore(std::int32_t gpu) const
{
    if (!m_before)
        return nullptr;
    const Assessment& before = *m_before->assessment;
    const std::int32_t old = before.index.ordinal(index().ref(gpu));
    if (old < 0 || std::size_t(old) >= before.account.classOfGpu.size())
        return nullptr;
    return &m_looksBefore[before.account.classOfGpu[std::size_t(old)]];
}

bool CanvasScene::isNew(std::int32_t gpu) const
{
    const GpuLook* old = lookBefore(gpu);
    return m_before && (!old || (old->idle && !look(gpu).idle));
}

std::optional<Bytes> CanvasScene::change(std::int32_t gpu) const
{
    const GpuLook* old = lookBefore(gpu);
    if (!old || old->idle || look(gpu).idle || old->unknown() || look(gpu).unknown()
        || old->bar == look(gpu).bar)
        return std::nullopt;
    return look(gpu).need - old->need;
}

int CanvasScene::overIn(std::int32_t firstGpu, int count) const
{
    int over = 0;
    for (std::int32_t gpu = firstGpu; gpu < firstGpu + count; ++gpu)
        over += look(gpu).over() ? 1 : 0;
    return over;
}

int CanvasScene::overBefore(const SiteIndex::Place& place) const
{
    int over = 0;
    for (int i = 0; i < place.gpuCount; ++i) {
        const GpuLook* old = lookBefore(place.firstGpu + i);
        over += old && old->over() ? 1 : 0;
    }
    return over;
}

} // namespace shardrack
