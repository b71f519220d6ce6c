#include "models/measurement_model.h"

#include "models/evidence_text.h"
#include "models/number_text.h"

namespace shardrack {

namespace {

using Standing = MeasurementRow::Standing;

Standing standingOf(const ReadingVerdict& verdict)
{
    if (verdict.contradicts)
        return Standing::Contradicts;
    if (verdict.otherState)
        return Standing::OtherState;
    if (verdict.counted == 0)
        return Standing::DoesNotCount;
    return verdict.counted < verdict.gpus.size() ? Standing::CountsPartly : Standing::Counts;
}

QString verdictText(const ReadingVerdict& verdict)
{
    const QString why = QString::fromStdString(verdict.shortfall);
    const QString gpus = countText(verdict.gpus.size());
    switch (standingOf(verdict)) {
    case Standing::Counts:
        return verdict.gpus.size() == 1 ? MeasurementModel::tr("Counts for 1 device.")
                                        : MeasurementModel::tr("Counts for %1 devices.").arg(gpus);
    case Standing::CountsPartly:
        return MeasurementModel::tr("Counts for %1 of %2 devices. %3")
            .arg(countText(verdict.counted), gpus, why);
    case Standing::DoesNotCount:
    case Standing::OtherState:
        return MeasurementModel::tr("Does not count. %1").arg(why);
    case Standing::Contradicts:
        break;
    }
    return MeasurementModel::tr("Contradicts the fit. %1").arg(why);
}

MeasurementRow rowOf(
    const Measurement& measurement, const ReadingVerdict& verdict, const Account& account)
{
    MeasurementRow row;
    row.standing = standingOf(verdict);
    row.devices = measuredDevicesText(measurement);
    row.peak = peakText(measurement);
    row.memory = coreWord(title(measurement.scope));
    row.covers = coveredText(measurement);
    row.against = againstEstimateText(measurement, verdict, account);
    row.verdict = verdictText(verdict);
    QStringList about;
    for (const std::string& text :
        { measurement.software, measurement.conditions, measurement.source })
        if (!text.empty())
            about += QString::fromStdString(text);
    row.about = about.join(QStringLiteral("; "));
    return row;
}

} // namespace

MeasurementModel::MeasurementModel(PlanDocument& document, QObject* parent)
    : RowModel(parent)
    , m_document(document)
{
    resetRows(makeRows());
    connect(&document, &PlanDocument::resetDone, this, &MeasurementModel::reset);
    connect(&document, &PlanDocument::currentOfferChanged, this, &MeasurementModel::reset);
    connect(&document, &PlanDocument::changed, this, &MeasurementModel::update);
}

void MeasurementModel::reset()
{
    resetRows(makeRows());
    emit updated();
}

void MeasurementModel::update()
{
    setRows(makeRows());
    emit updated();
}

std::vector<MeasurementRow> MeasurementModel::makeRows() const
{
    const auto current = m_document.current();
    if (!current)
        return {};
    const std::vector<Measurement>& measurements = current->get().measurements;
    const std::vector<ReadingVerdict>& verdicts
        = current->assessment->findings.demonstration.readings;
    std::vector<MeasurementRow> rows;
    for (std::size_t i = 0; i < measurements.size(); ++i) {
        // An offer whose numbers leave 64 bits is not judged.
        const ReadingVerdict verdict = i < verdicts.size() ? verdicts[i] : ReadingVerdict {};
        rows.push_back(rowOf(measurements[i], verdict, current->assessment->account));
    }
    return rows;
}

QVariant MeasurementModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const MeasurementRow& line = row(index);
    switch (role) {
    case Qt::DisplayRole:
        return tr("%1: %2").arg(line.devices, line.peak);
    case Qt::ToolTipRole:
        return line.about;
    case Qt::AccessibleTextRole: {
        QStringList parts { tr("%1: %2, %3").arg(line.devices, line.peak, line.memory), line.covers,
            line.against, line.verdict, line.about };
        parts.removeAll(QString());
        return parts.join(QStringLiteral(". "));
    }
    case StandingRole:
        return static_cast<int>(line.standing);
    case DevicesRole:
        return line.devices;
    case PeakRole:
        return line.peak;
    case MemoryRole:
        return line.memory;
    case CoversRole:
        return line.covers;
    case AgainstRole:
        return line.against;
    case VerdictRole:
        return line.verdict;
    case AboutRole:
        return line.about;
    default:
        return {};
    }
}

} // namespace shardrack
