#include "canvas/canvas_text.h"

#include "document/hardware_text.h"

#include <QCoreApplication>

#include <algorithm>

namespace shardrack {

namespace {

struct CanvasText {
    Q_DECLARE_TR_FUNCTIONS(shardrack::CanvasText)
};

QString joined(const QStringList& parts) { return parts.join(QStringLiteral(" · ")); }

/// "64" or "637.2".
QString shortGib(Bytes bytes) { return gib(bytes, bytes.count() % kGiB == 0 ? 0 : 1); }

} // namespace

QString rackTitle(const Rack& rack)
{
    const QString name = QString::fromStdString(rack.name);
    return name.startsWith(CanvasText::tr("Rack"), Qt::CaseInsensitive)
        ? name
        : CanvasText::tr("Rack %1").arg(name);
}

QString serverTitle(const Server& server)
{
    const QString name = QString::fromStdString(server.name);
    return name.startsWith(CanvasText::tr("Server"), Qt::CaseInsensitive)
        ? name
        : CanvasText::tr("Server %1").arg(name);
}

QString unitsLabel(int first, int last)
{
    return first == last ? QStringLiteral("U%1").arg(first)
                         : QStringLiteral("U%1–U%2").arg(first).arg(last);
}

QString rankLabel(const CanvasScene& scene, std::int32_t gpu, bool brief)
{
    const std::vector<std::int32_t> ranks = scene.layout().ranksOn(gpu);
    if (ranks.empty())
        return brief ? QStringLiteral("–") : CanvasText::tr("no rank yet");
    constexpr std::size_t kMostListed = 3;
    QStringList numbers;
    for (std::size_t i = 0; i < std::min(ranks.size(), kMostListed); ++i)
        numbers << groupedNumber(ranks[i]);
    if (ranks.size() > kMostListed)
        numbers << QStringLiteral("…");
    const QString list = numbers.join(QStringLiteral(", "));
    if (brief)
        return list;
    return (ranks.size() == 1 ? CanvasText::tr("rank %1") : CanvasText::tr("ranks %1")).arg(list);
}

QString deviceLabel(const CanvasScene& scene, std::int32_t gpu)
{
    return QString::fromStdString(scene.index().deviceName(scene.site(), gpu));
}

namespace {

/// What several ranks hold together: a copy of the model that tensor or pipeline ranks divide.
/// Ranks of one tensor group, else of one shard group, stand together.
GroupLabel dividedModelLabel(const ResolvedLayout& layout, std::int32_t rank)
{
    const ResolvedLayout::Coordinates at = layout.coordinates(rank);
    const ResolvedLayout::Shares shares = layout.shares(rank);
    QStringList parts;
    if (shares.parameters.group < 0)
        parts << CanvasText::tr("Replica %1").arg(groupedNumber(at.data));
    if (layout.pipeline() > 1)
        parts << CanvasText::tr("stage %1").arg(at.stage);
    std::int64_t key = 0;
    if (layout.tensor() > 1) {
        parts << CanvasText::tr("tensor group of %1").arg(layout.tensor());
        const std::int64_t line = at.data * std::int64_t(layout.context()) + at.context;
        key = line * layout.pipeline() + at.stage;
    } else if (shares.parameters.group >= 0) {
        parts << CanvasText::tr("shard group %1, ÷ %2")
                     .arg(QString::fromStdString(layout.groupName(shares.parameters.group)))
                     .arg(shares.parameters.ranks);
        key = shares.parameters.group;
    } else {
        key = at.data * std::int64_t(layout.pipeline()) + at.stage;
    }
    return { key, joined(parts) };
}

} // namespace

GroupLabel groupLabel(const CanvasScene& scene, std::int32_t gpu)
{
    const ResolvedLayout& layout = scene.layout();
    const std::vector<std::int32_t> ranks = layout.ranksOn(gpu);
    if (ranks.empty())
        return {};
    const std::int32_t rank = ranks.front();
    if (layout.modelParallel() > 1 && !layout.groupedByHand())
        return layout.dataParallel() > 0 ? dividedModelLabel(layout, rank)
                                         : GroupLabel { 0, CanvasText::tr("layout not legal") };
    const ResolvedLayout::Shares shares = layout.shares(rank);
    const auto name = [&](const ResolvedLayout::Share& share) {
        return QString::fromStdString(layout.groupName(share.group));
    };
    if (shares.parameters.group >= 0)
        return { shares.parameters.group,
            CanvasText::tr("shard group %1, ÷ %2")
                .arg(name(shares.parameters))
                .arg(shares.parameters.ranks) };
    // Keys of groups come first, then those of ranks.
    const std::int64_t key = std::int64_t(layout.groupCount()) + rank;
    if (shares.gradients.group >= 0)
        return { key,
            CanvasText::tr("Replica %1 · gradients and optimizer ÷ %2")
                .arg(groupedNumber(rank))
                .arg(shares.gradients.ranks) };
    if (shares.optimizer.group >= 0)
        return { key,
            CanvasText::tr("Replica %1 · optimizer ÷ %2")
                .arg(groupedNumber(rank))
                .arg(shares.optimizer.ranks) };
    const std::size_t devices = layout.devicesOf(rank).size();
    if (devices > 1)
        return { key,
            CanvasText::tr("Replica %1 · complete copy over %2 GPUs")
                .arg(groupedNumber(rank))
                .arg(devices) };
    return { key, CanvasText::tr("Replica %1 · complete copy").arg(groupedNumber(rank)) };
}

namespace {

/// "stages 0–1 · 2 tensor groups" of a server's GPUs, whose labels are not one.
QString dividedModelOfServer(
    const ResolvedLayout& layout, const SiteIndex::Place& place, std::size_t labels)
{
    RankSet stages;
    bool shards = false;
    for (int i = 0; i < place.gpuCount; ++i)
        for (const std::int32_t rank : layout.ranksOn(place.firstGpu + i)) {
            stages.insert(layout.stage(rank));
            shards = layout.shares(rank).parameters.group >= 0;
        }
    QStringList parts;
    if (layout.pipeline() > 1)
        parts << (stages.size() == 1 ? CanvasText::tr("stage %1") : CanvasText::tr("stages %1"))
                     .arg(QString::fromStdString(stages.text()).replace(u'-', u'–'));
    parts << (layout.tensor() > 1 ? CanvasText::tr("%1 tensor groups")
            : shards              ? CanvasText::tr("%1 shard groups")
                                  : CanvasText::tr("%1 replicas"))
                 .arg(labels);
    return joined(parts);
}

} // namespace

QString groupsOfServer(const CanvasScene& scene, const SiteIndex::Place& place)
{
    std::vector<GroupLabel> labels;
    for (int i = 0; i < place.gpuCount; ++i) {
        GroupLabel label = groupLabel(scene, place.firstGpu + i);
        if (label.key >= 0 && std::find(labels.begin(), labels.end(), label) == labels.end())
            labels.push_back(std::move(label));
    }
    if (labels.empty())
        return {};
    if (labels.size() == 1)
        return labels.front().text;
    const ResolvedLayout& layout = scene.layout();
    if (layout.modelParallel() > 1 && layout.dataParallel() > 0 && !layout.groupedByHand())
        return dividedModelOfServer(layout, place, labels.size());
    const bool replicas = std::all_of(labels.begin(), labels.end(),
        [&](const GroupLabel& label) { return label.key >= layout.groupCount(); });
    return (
        replicas ? CanvasText::tr("%1 replicas") : CanvasText::tr("%1 shard groups or replicas"))
        .arg(labels.size());
}

QString gpusText(const Server& server)
{
    QStringList runs;
    for (const GpuRun& run : server.gpus)
        runs << QStringLiteral("%1 × %2").arg(run.count).arg(
            gpuTypeName(run.type, Catalogue::builtIn()));
    return runs.isEmpty() ? CanvasText::tr("no GPU") : runs.join(QStringLiteral(" + "));
}

QString rackText(const CanvasScene& scene, int rackIndex)
{
    const Rack& rack = scene.rack(rackIndex);
    const int servers = static_cast<int>(rack.servers.size());
    QStringList parts { CanvasText::tr("%1 U").arg(rack.units) };
    if (servers == 0)
        return joined(parts << CanvasText::tr("no server"));
    int units = 0;
    for (const Server& server : rack.servers)
        units += server.height;
    QString count = QString::number(servers);
    if (scene.before())
        for (const auto& old : scene.before()->get().site.racks)
            if (old->name == rack.name && old->servers.size() != rack.servers.size())
                count = QStringLiteral("%1 → %2").arg(old->servers.size()).arg(servers);
    const int height = std::max(1, rack.servers.front().height);
    const bool uniform = units == servers * height;
    if (uniform)
        parts << (rack.units / height == 1 ? CanvasText::tr("%1 of %2 server")
                                           : CanvasText::tr("%1 of %2 servers"))
                     .arg(count)
                     .arg(rack.units / height);
    else
        parts << (servers == 1 ? CanvasText::tr("1 server")
                               : CanvasText::tr("%1 servers").arg(count));
    Bytes installed;
    for (std::int32_t gpu = scene.firstGpu(rackIndex); gpu < scene.firstGpu(rackIndex + 1); ++gpu)
        installed += scene.index().kind(gpu).installed;
    const int gpus = scene.firstGpu(rackIndex + 1) - scene.firstGpu(rackIndex);
    const QString gpuCount
        = gpus == 1 ? CanvasText::tr("1 GPU") : CanvasText::tr("%1 GPUs").arg(groupedNumber(gpus));
    parts << CanvasText::tr("%1, %2 GiB installed in total").arg(gpuCount, shortGib(installed));
    return joined(parts);
}

QString fabricText(const Server& server)
{
    const ServerType* type = Catalogue::builtIn().server(server.type);
    if (!type)
        return {};
    // "PCIe only, optional …": what is there, without what is not.
    QString fabric = QString::fromStdString(type->fabric).section(QLatin1Char(','), 0, 0);
    if (fabric.endsWith(QLatin1String(" only")))
        fabric.chop(5);
    return fabric;
}

QString serverText(const Server& server)
{
    QString gpus = gpusText(server);
    if (const QString fabric = fabricText(server); !fabric.isEmpty())
        gpus += QStringLiteral(", ") + fabric;
    return joined({ gpus, unitsLabel(server.unit, server.unit + server.height - 1) });
}

QString overText(const CanvasScene& scene, const SiteIndex::Place& place, bool brief)
{
    const int over = scene.overIn(place.firstGpu, place.gpuCount);
    if (scene.before())
        if (const int before = scene.overBefore(place); before != over)
            return CanvasText::tr("%1 over → %2").arg(before).arg(over);
    if (over == 0)
        return {};
    const QString text = brief ? CanvasText::tr("%1 of %2 over")
        : place.gpuCount == 1  ? CanvasText::tr("%1 of %2 GPU over capacity")
                               : CanvasText::tr("%1 of %2 GPUs over capacity");
    return text.arg(over).arg(place.gpuCount);
}

QString verdictText(const GpuLook& look, bool named)
{
    if (look.idle)
        return CanvasText::tr("no rank yet");
    const Bytes below = look.usable() - look.need;
    const auto with = [named](const QString& verdict, const QString& text) {
        return named ? CanvasText::tr("%1: %2").arg(verdict, text) : text;
    };
    switch (look.capacity) {
    case Capacity::Over: {
        const QString by = gib(look.need - look.usable());
        return look.atLeast ? CanvasText::tr("over by at least %1 GiB").arg(by)
                            : CanvasText::tr("over by %1 GiB").arg(by);
    }
    case Capacity::Open:
        return with(CanvasText::tr("open"),
            look.openTerms == 0 ? CanvasText::tr("usable not confirmed")
                : look.openTerms == 1
                ? CanvasText::tr("1 term not established")
                : CanvasText::tr("%1 terms not established").arg(look.openTerms));
    case Capacity::Tight:
        return with(CanvasText::tr("tight"),
            below.count() < 0
                ? CanvasText::tr("slack of %1 GiB beyond usable").arg(gib(Bytes() - below))
                : CanvasText::tr("%1 GiB below usable").arg(gib(below)));
    case Capacity::Fit:
        return CanvasText::tr("%1 GiB below usable").arg(gib(below));
    }
    return {};
}

QString needFigure(const GpuLook& look, int decimals)
{
    if (look.unknown())
        return QStringLiteral("?");
    return (look.atLeast ? QStringLiteral("≥") : QString()) + gib(look.need, decimals);
}

QString usableText(const GpuLook& look)
{
    return look.bar.usableConfirmed
        ? CanvasText::tr("%1 usable").arg(gib(look.usable()))
        : CanvasText::tr("%1 usable, not confirmed").arg(gib(look.usable()));
}

QString gpuSentence(const CanvasScene& scene, std::int32_t gpu)
{
    const GpuLook& look = scene.look(gpu);
    const QString device = CanvasText::tr("GPU %1").arg(deviceLabel(scene, gpu));
    if (look.idle)
        return CanvasText::tr("%1, no rank yet, %2 GiB usable").arg(device, gib(look.usable()));
    const QString need = look.unknown()
        ? CanvasText::tr("need not established, %1 GiB usable").arg(gib(look.usable()))
        : look.atLeast
        ? CanvasText::tr("at least %1 of %2 GiB").arg(gib(look.need), gib(look.usable()))
        : CanvasText::tr("%1 of %2 GiB").arg(gib(look.need), gib(look.usable()));
    return QStringList { device, rankLabel(scene, gpu, false), need,
        QCoreApplication::translate("Findings", title(look.capacity)).toLower() }
        .join(QStringLiteral(", "));
}

QString gpuToolTip(const CanvasScene& scene, std::int32_t gpu)
{
    const GpuLook& look = scene.look(gpu);
    QStringList lines {
        CanvasText::tr("%1 on GPU %2").arg(rankLabel(scene, gpu, false), deviceLabel(scene, gpu))
    };
    if (look.unknown())
        lines << CanvasText::tr("need not established");
    else if (!look.idle)
        lines << (look.atLeast ? CanvasText::tr("need at least %1 GiB")
                               : CanvasText::tr("need %1 GiB"))
                     .arg(gib(look.need));
    lines << usableText(look);
    if (!look.idle)
        lines << verdictText(look);
    if (const std::optional<Bytes> change = scene.change(gpu))
        lines << CanvasText::tr("what if: %1 GiB").arg(signedGib(*change, 2));
    return lines.join(QLatin1Char('\n'));
}

QString signedGib(Bytes change, int decimals)
{
    const QString number = gib(change.count() < 0 ? Bytes() - change : change, decimals);
    return (change.count() < 0 ? QStringLiteral("−") : QStringLiteral("+")) + number;
}

} // namespace shardrack
