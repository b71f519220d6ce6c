#include "models/evidence_text.h"

#include "models/number_text.h"
#include "plan/basis.h"

namespace shardrack {

namespace {

struct EvidenceText {
    Q_DECLARE_TR_FUNCTIONS(shardrack::EvidenceText)
};

QString estimateName(MemoryScope scope)
{
    switch (scope) {
    case MemoryScope::Allocated:
        return EvidenceText::tr("tensors");
    case MemoryScope::Reserved:
        return EvidenceText::tr("need without what lies outside");
    case MemoryScope::Device:
        break;
    }
    return EvidenceText::tr("need");
}

} // namespace

QString measuredDevicesText(const Measurement& measurement)
{
    return measurement.devices == "all" ? EvidenceText::tr("all devices")
                                        : QString::fromStdString(measurement.devices);
}

QString peakText(const Measurement& measurement)
{
    const QString peak = measurement.peak ? sizeText(*measurement.peak) : QString();
    if (measurement.outOfMemory)
        return peak.isEmpty() ? EvidenceText::tr("out of memory")
                              : EvidenceText::tr("out of memory at %1").arg(peak);
    return measurement.average ? EvidenceText::tr("average %1").arg(peak) : peak;
}

QString phaseTitle(RunPhase phase)
{
    switch (phase) {
    case RunPhase::Load:
        return EvidenceText::tr("Load");
    case RunPhase::Init:
        return EvidenceText::tr("Initialization");
    case RunPhase::Forward:
        return EvidenceText::tr("Forward");
    case RunPhase::Backward:
        return EvidenceText::tr("Backward");
    case RunPhase::Optimizer:
        return EvidenceText::tr("Optimizer");
    case RunPhase::Save:
        return EvidenceText::tr("Save");
    case RunPhase::Evaluate:
        break;
    }
    return EvidenceText::tr("Evaluate");
}

QString coveredText(const Measurement& measurement)
{
    QStringList phases;
    for (int i = 0; i < kRunPhaseCount; ++i)
        if (const auto phase = static_cast<RunPhase>(i); measurement.phases.has(phase))
            phases += phaseTitle(phase).toLower();
    const qint64 steps = measurement.completeSteps;
    const QString counted = steps == 0 ? EvidenceText::tr("no complete step")
        : steps == 1                   ? EvidenceText::tr("1 complete step")
                     : EvidenceText::tr("%1 complete steps").arg(countText(steps));
    return phases.isEmpty()
        ? counted
        : EvidenceText::tr("%1; %2").arg(phases.join(QStringLiteral(", ")), counted);
}

QString againstEstimateText(
    const Measurement& measurement, const ReadingVerdict& verdict, const Account& account)
{
    if (!measurement.peak || verdict.gpus.empty())
        return {};
    if (measurement.average)
        return EvidenceText::tr("measured − estimated: an average is compared with no device");
    const auto estimate = estimateFor(measurement.scope, verdict.gpus, account);
    if (!estimate)
        return {};
    if (estimate->atLeast && estimate->established == Bytes(0))
        return EvidenceText::tr("measured − estimated: the estimate is not established");
    const QString change = changeText(*measurement.peak - estimate->established);
    // What is open makes the estimate larger and the difference smaller.
    return (estimate->atLeast ? EvidenceText::tr("measured − estimated: at most %1 GiB (%2 %3)")
                              : EvidenceText::tr("measured − estimated: %1 GiB (%2 %3)"))
        .arg(change, estimateName(measurement.scope), sumText(*estimate));
}

QString coverageText(const Demonstration& shown)
{
    const QString all = countText(shown.participating);
    if (shown.participating == 0)
        return EvidenceText::tr("No device has a rank.");
    const QString covered = (shown.covered == 1 ? EvidenceText::tr("%1 of %2 devices counts")
                                                : EvidenceText::tr("%1 of %2 devices count"))
                                .arg(countText(shown.covered), all);
    if (shown.measured == shown.covered)
        return covered;
    return (shown.measured == 1 ? EvidenceText::tr("%1; %2 has a reading")
                                : EvidenceText::tr("%1; %2 have a reading"))
        .arg(covered, countText(shown.measured));
}

QString highestText(const Demonstration& shown, const ShownOffer& offer)
{
    if (!shown.highest)
        return {};
    return EvidenceText::tr("Highest reading: %1 (%2), %3")
        .arg(sizeText(*shown.highest), coreWord(title(shown.highestScope)),
            QString::fromStdString(
                offer.assessment->index.deviceName(offer.get().site, shown.highestGpu)));
}

Demonstration demonstrationWith(const ShownOffer& offer, std::vector<Measurement> measurements)
{
    Offer tried = offer.get();
    tried.measurements = std::move(measurements);
    return demonstrate(offer.assessment->account,
        evidenceOf(offer.workload(), tried, offer.assessment->index, offer.assessment->account));
}

} // namespace shardrack
