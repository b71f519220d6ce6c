#include "window/findings_text.h"

#include "models/findings_text.h"
#include "paint/paint_style.h"

#include <QCoreApplication>

namespace shardrack {

namespace {

QString tr(const char* text, int n = -1)
{
    return QCoreApplication::translate("FindingsStrip", text, nullptr, n);
}

QString deviceText(const ShownOffer& shown, const DeviceClass& device)
{
    const std::int32_t gpu = device.gpus.front();
    RankSet ranks;
    for (const std::int32_t rank : shown.assessment->layout.ranksOn(gpu))
        ranks.insert(rank);
    QString text = (ranks.size() == 1 ? tr("rank %1") : tr("ranks %1"))
                       .arg(QString::fromStdString(ranks.text()));
    const std::int64_t equal = device.gpus.size() - 1;
    if (equal > 0)
        text += QLatin1Char(' ') + tr("(and %1 equal)").arg(groupedNumber(equal));
    return text;
}

QString capacityText(const Findings& findings)
{
    const QString title
        = QCoreApplication::translate("Findings", shardrack::title(findings.capacity));
    if (findings.capacity != Capacity::Over)
        return title;
    return tr("%1, %2 of %3")
        .arg(title, groupedNumber(findings.devicesOver), groupedNumber(findings.devicesJudged));
}

} // namespace

StripText stripText(const ShownOffer& shown)
{
    StripText text;
    const Findings& findings = shown.assessment->findings;
    text.capacity = capacityText(findings);
    text.demonstrated = demonstratedTitle(findings);
    text.result = QCoreApplication::translate("Findings", title(findings.result));
    text.judged = findings.mostLoadedClass >= 0;
    if (!text.judged)
        return text;

    const DeviceClass& device
        = shown.assessment->account
              .deviceClasses[static_cast<std::size_t>(findings.mostLoadedClass)];
    text.device = deviceText(shown, device);
    const QString need = gib(device.need.established);
    // Nothing known is not zero.
    text.need = device.need.atLeast && device.need.established == Bytes(0)
        ? tr("need not established")
        : device.need.atLeast ? tr("need at least %1").arg(need)
                              : tr("need %1").arg(need);
    text.usable = tr("usable %1 GiB").arg(gib(device.usable.bytes));
    text.usableConfirmed = device.usable.provenance != Provenance::NotEstablished;
    const Bytes headroom = device.headroom();
    if (headroom < Bytes(0)) {
        const QString excess = gib(Bytes(0) - headroom);
        text.gap = device.need.atLeast ? tr("over by at least %1").arg(excess)
                                       : tr("over by %1").arg(excess);
        text.shortGap = device.need.atLeast ? tr("over \u2265 %1").arg(excess) : text.gap;
    } else if (!device.headroomAtMost()) {
        text.gap = text.shortGap = tr("%1 below usable").arg(gib(headroom));
    }
    return text;
}

} // namespace shardrack
