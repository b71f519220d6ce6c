#include "models/device_model.h"

#include "document/rank_text.h"
#include "models/number_text.h"

#include <algorithm>
#include <limits>

namespace shardrack {

namespace {

/// More separate ranges of changed rows than this are told as one: a view does more work for each
/// signal than for a row.
constexpr std::size_t kMostRanges = 64;

const DeviceClass& deviceOf(const Assessment& assessment, std::int32_t gpu)
{
    const Account& account = assessment.account;
    return account.deviceClasses[account.classOfGpu[static_cast<std::size_t>(gpu)]];
}

RankSet ranksOn(const Assessment& assessment, std::int32_t gpu)
{
    RankSet ranks;
    for (const std::int32_t rank : assessment.layout.ranksOn(gpu))
        ranks.insert(rank);
    return ranks;
}

/// How many GPUs stand before the servers that differ, and how many behind.
std::pair<int, int> commonEnds(const SiteIndex& before, const SiteIndex& after)
{
    const auto& old = before.servers();
    const auto& now = after.servers();
    const auto same = [](const SiteIndex::Place& a, const SiteIndex::Place& b) {
        return a.id == b.id && a.gpuCount == b.gpuCount;
    };
    const auto first = std::mismatch(old.begin(), old.end(), now.begin(), now.end(), same);
    const auto last = std::mismatch(old.rbegin(), std::make_reverse_iterator(first.first),
        now.rbegin(), std::make_reverse_iterator(first.second), same);
    int head = 0;
    for (auto place = old.begin(); place != first.first; ++place)
        head += place->gpuCount;
    int tail = 0;
    for (auto place = old.rbegin(); place != last.first; ++place)
        tail += place->gpuCount;
    return { head, tail };
}

/// Whether two classes of device read the same, but for their names and ranks.
bool sameValues(const Assessment& before, std::size_t a, const Assessment& after, std::size_t b)
{
    const DeviceClass& old = before.account.deviceClasses[a];
    const DeviceClass& now = after.account.deviceClasses[b];
    return old.need == now.need && old.usable == now.usable && old.idle() == now.idle()
        && before.findings.ofDeviceClass[a] == after.findings.ofDeviceClass[b]
        && before.error.has_value() == after.error.has_value();
}

} // namespace

DeviceModel::DeviceModel(PlanDocument& document, QObject* parent)
    : QAbstractTableModel(parent)
    , m_document(document)
    , m_shown(document.current())
{
    connect(&document, &PlanDocument::resetDone, this, &DeviceModel::reset);
    connect(&document, &PlanDocument::currentOfferChanged, this, &DeviceModel::reset);
    connect(&document, &PlanDocument::changed, this, &DeviceModel::update);
}

void DeviceModel::reset()
{
    beginResetModel();
    m_shown = m_document.current();
    endResetModel();
}

void DeviceModel::update()
{
    std::optional<ShownOffer> after = m_document.current();
    if (!m_shown || !after || m_shown->get().name != after->get().name) {
        reset();
        return;
    }
    if (m_shown->assessment == after->assessment)
        return;
    const ShownOffer before = *m_shown;
    const auto [head, tail] = commonEnds(before.assessment->index, after->assessment->index);
    const int going = gpuCount() - head - tail;
    const int coming = after->assessment->index.gpuCount() - head - tail;
    m_gapAt = head;
    if (going > 0) {
        beginRemoveRows({}, head, head + going - 1);
        m_gap = going;
        endRemoveRows();
    }
    m_shown = std::move(after);
    m_gap = coming;
    if (coming > 0) {
        beginInsertRows({}, head, head + coming - 1);
        m_gap = 0;
        endInsertRows();
    }
    emitChanges(before, head, tail);
}

void DeviceModel::emitChanges(const ShownOffer& before, int head, int tail)
{
    const int count = gpuCount();
    if (count == 0)
        return;
    const int shift = before.assessment->index.gpuCount() - count;
    emitValueChanges(before, 0, head, 0);
    emitValueChanges(before, count - tail, count, shift);
    if (before.get().site.racks != m_shown->get().site.racks)
        emit dataChanged(index(0, DeviceColumn), index(count - 1, DeviceColumn));
    const bool ranksStay = before.assessment->layout.oneToOne() && assessment().layout.oneToOne()
        && (shift == 0 || tail == 0);
    if (!ranksStay)
        emit dataChanged(index(0, RanksColumn), index(count - 1, RanksColumn));
}

/// Rows [first, end) are about GPUs that were at row + shift.
void DeviceModel::emitValueChanges(const ShownOffer& before, int first, int end, int shift)
{
    const Assessment& old = *before.assessment;
    const std::vector<std::uint32_t>& oldClass = old.account.classOfGpu;
    const std::vector<std::uint32_t>& newClass = assessment().account.classOfGpu;
    std::vector<std::pair<int, int>> ranges;
    // Neighbours are nearly always of one class: the last answer is the next one too.
    std::pair<std::uint32_t, std::uint32_t> last;
    bool same = true;
    for (int row = first; row < end; ++row) {
        const int rowBefore = row + shift;
        const std::pair pair(
            oldClass[static_cast<std::size_t>(rowBefore)], newClass[static_cast<std::size_t>(row)]);
        if (row == first || pair != last)
            same = sameValues(old, pair.first, assessment(), pair.second);
        last = pair;
        if (same)
            continue;
        const bool joins
            = !ranges.empty() && (ranges.back().second == row - 1 || ranges.size() > kMostRanges);
        if (joins)
            ranges.back().second = row;
        else
            ranges.emplace_back(row, row);
    }
    if (ranges.size() > kMostRanges)
        ranges = { { ranges.front().first, ranges.back().second } };
    for (const auto& [from, to] : ranges)
        emit dataChanged(index(from, DeviceColumn), index(to, VerdictColumn));
}

GpuRef DeviceModel::gpu(int row) const { return assessment().index.ref(ordinal(row)); }

int DeviceModel::rowOf(GpuRef gpu) const { return m_shown ? assessment().index.ordinal(gpu) : -1; }

int DeviceModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : gpuCount() - m_gap;
}

Capacity DeviceModel::capacity(std::int32_t gpu) const
{
    return assessment()
        .findings.ofDeviceClass[assessment().account.classOfGpu[static_cast<std::size_t>(gpu)]];
}

QString DeviceModel::displayText(std::int32_t gpu, int column) const
{
    const DeviceClass& device = deviceOf(assessment(), gpu);
    const bool unknown = assessment().error.has_value();
    switch (column) {
    case DeviceColumn:
        return QString::fromStdString(assessment().index.deviceName(m_shown->get().site, gpu));
    case RanksColumn:
        return QString::fromStdString(ranksOn(assessment(), gpu).text());
    case NeedColumn:
        return device.idle() ? QString() : unknown ? QStringLiteral("?") : sumText(device.need);
    case UsableColumn:
        return device.usable.provenance == Provenance::NotEstablished
            ? tr("%1, not confirmed").arg(numberText(device.usable.bytes))
            : numberText(device.usable.bytes);
    case HeadroomColumn:
        if (device.idle() || unknown)
            return {};
        return device.headroomAtMost() ? tr("at most %1").arg(numberText(device.headroom()))
                                       : numberText(device.headroom());
    default:
        if (device.idle())
            return tr("no rank");
        return unknown ? tr("not computed") : coreWord(title(capacity(gpu)));
    }
}

QVariant DeviceModel::sortValue(std::int32_t gpu, int column) const
{
    const DeviceClass& device = deviceOf(assessment(), gpu);
    // What has no figure comes last.
    constexpr qint64 none = std::numeric_limits<qint64>::max();
    switch (column) {
    case DeviceColumn:
        return gpu;
    case RanksColumn: {
        const std::vector<std::int32_t> ranks = assessment().layout.ranksOn(gpu);
        return ranks.empty() ? none : static_cast<qint64>(ranks.front());
    }
    case NeedColumn:
        return device.idle() ? none : static_cast<qint64>(device.need.established.count());
    case UsableColumn:
        return static_cast<qint64>(device.usable.bytes.count());
    case HeadroomColumn:
        return device.idle() ? none : static_cast<qint64>(device.headroom().count());
    default:
        // Worst first, as everywhere.
        return device.idle() ? none : static_cast<qint64>(-static_cast<int>(capacity(gpu)));
    }
}

QVariant DeviceModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const std::int32_t gpu = ordinal(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return displayText(gpu, index.column());
    case Qt::TextAlignmentRole:
        return index.column() >= NeedColumn && index.column() <= HeadroomColumn
            ? QVariant(Qt::AlignRight | Qt::AlignVCenter)
            : QVariant();
    case SortRole:
        return sortValue(gpu, index.column());
    case CapacityRole:
        return deviceOf(assessment(), gpu).idle() || assessment().error
            ? -1
            : static_cast<int>(capacity(gpu));
    case IdleRole:
        return deviceOf(assessment(), gpu).idle();
    default:
        return {};
    }
}

QVariant DeviceModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case DeviceColumn:
        return tr("Device");
    case RanksColumn:
        return tr("Ranks");
    case NeedColumn:
        return tr("Need, GiB");
    case UsableColumn:
        return tr("Usable, GiB");
    case HeadroomColumn:
        return tr("Headroom, GiB");
    case VerdictColumn:
        return tr("Verdict");
    default:
        return {};
    }
}

} // namespace shardrack
