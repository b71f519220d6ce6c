#include "document/hardware_text.h"

#include "base/size_text.h"

#include <QCoreApplication>

namespace shardrack {

namespace {

struct Hardware {
    Q_DECLARE_TR_FUNCTIONS(shardrack::Hardware)
};

constexpr int kTypicalServerUnits = 4;

QString text(const std::string& utf8) { return QString::fromStdString(utf8); }

/// "PCIe FHFL dual-slot" → "PCIe": the second line has room for one word.
QString shortForm(const GpuType& gpu)
{
    const QString form = text(gpu.formFactor);
    qsizetype end = 0;
    while (end < form.size() && form[end] != u' ' && form[end] != u',')
        ++end;
    return form.first(end);
}

QString heightText(const ServerType& server)
{
    return server.heightKnown ? Hardware::tr("%1 U").arg(server.height)
                              : Hardware::tr("%1 U assumed").arg(server.height);
}

} // namespace

QString nameOf(const GpuType& gpu)
{
    return text(gpu.shortName.empty() ? gpu.name : gpu.shortName);
}

QString detailOf(const GpuType& gpu)
{
    if (isMadeUp(gpu))
        return Hardware::tr("generic, %1").arg(shortForm(gpu));
    const QString size = text(gibText(gpu.installed));
    return gpu.installedIsLabel ? Hardware::tr("%1, label says %2").arg(shortForm(gpu), size)
                                : Hardware::tr("%1, reports %2").arg(shortForm(gpu), size);
}

QString nameOf(const ServerType& server, const Catalogue& catalogue)
{
    return Hardware::tr("%1 × %2").arg(server.gpuSlots).arg(gpuTypeName(server.gpu, catalogue));
}

QString detailOf(const ServerType& server, const Catalogue& catalogue)
{
    const GpuType* gpu = catalogue.gpu(server.gpu);
    const QString about = gpu && isMadeUp(*gpu) ? text(server.fabric) : text(server.name);
    return about.isEmpty() ? heightText(server)
                           : Hardware::tr("%1, %2").arg(about, heightText(server));
}

QString nameOf(const RackType& rack) { return text(rack.name); }

QString detailOf(const RackType& rack)
{
    if (!rack.unitsKnown)
        return Hardware::tr("%1 U assumed").arg(rack.units);
    const int servers = rack.units / kTypicalServerUnits;
    return (servers == 1 ? Hardware::tr("up to %1 server of %2 U")
                         : Hardware::tr("up to %1 servers of %2 U"))
        .arg(servers)
        .arg(kTypicalServerUnits);
}

QString gpuTypeName(const std::string& id, const Catalogue& catalogue)
{
    const GpuType* gpu = catalogue.gpu(id);
    return gpu ? nameOf(*gpu) : text(id);
}

bool isMadeUp(const GpuType& gpu) { return gpu.vendor == "Generic"; }

} // namespace shardrack
