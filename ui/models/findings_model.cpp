#include "models/findings_model.h"

#include "document/glossary_role.h"
#include "models/findings_text.h"
#include "models/number_text.h"
#include "plan/glossary.h"

namespace shardrack {

namespace {

struct Link {
    QString text;
    const char* action = "";
};

GpuRef refOf(const ShownOffer& shown, std::int32_t gpu)
{
    return gpu < 0 ? GpuRef {} : shown.assessment->index.ref(gpu);
}

Link linkOf(Warning::Topic topic)
{
    switch (topic) {
    case Warning::Topic::Device:
    case Warning::Topic::Ranks:
        return { FindingsModel::tr("Show on canvas"), FindingsModel::kShowOnCanvas };
    case Warning::Topic::Layout:
        return { FindingsModel::tr("Show layout"), FindingsModel::kShowLayout };
    case Warning::Topic::Usable:
        return { FindingsModel::tr("State it…"), FindingsModel::kStateUsable };
    case Warning::Topic::OpenTerms:
        return { FindingsModel::tr("State them…"), FindingsModel::kStateTerms };
    case Warning::Topic::Workload:
    case Warning::Topic::ChangedBasis:
        return { FindingsModel::tr("Show workload"), FindingsModel::kShowWorkload };
    case Warning::Topic::Evidence:
        return { FindingsModel::tr("Show evidence"), FindingsModel::kShowEvidence };
    case Warning::Topic::Result:
        return { FindingsModel::tr("Show evidence"), FindingsModel::kShowResult };
    case Warning::Topic::Other:
        break;
    }
    return {};
}

FindingRow rowOf(const Warning& warning, const ShownOffer& shown)
{
    FindingRow row;
    row.value = static_cast<int>(warning.severity);
    row.title = QString::fromStdString(warning.subject);
    row.text = QString::fromStdString(warning.text);
    if (!warning.fix.empty())
        row.text += u' ' + QString::fromStdString(warning.fix);
    row.gpu = refOf(shown, warning.gpu);
    const Link link = linkOf(warning.topic);
    const bool nowhere = warning.topic == Warning::Topic::Ranks && warning.gpu < 0;
    if (!nowhere) {
        row.link = link.text;
        row.action = QLatin1StringView(link.action);
    }
    return row;
}

/// "Capacity estimate: Over capacity", "Capacity estimate: Over capacity → Open".
QString findingTitle(const QString& finding, const QString& value, const QString& before)
{
    if (before.isEmpty() || before == value)
        return FindingsModel::tr("%1: %2").arg(finding, value);
    return FindingsModel::tr("%1: %2 → %3").arg(finding, before, value);
}

} // namespace

FindingsModel::FindingsModel(PlanDocument& document, QObject* parent)
    : RowModel(parent)
    , m_document(document)
{
    const auto reset = [this] {
        resetRows(makeRows());
        setSubject();
    };
    reset();
    connect(&document, &PlanDocument::resetDone, this, reset);
    connect(&document, &PlanDocument::changed, this, &FindingsModel::update);
    connect(&document, &PlanDocument::currentOfferChanged, this, &FindingsModel::update);
    connect(&document, &PlanDocument::whatIfChanged, this, &FindingsModel::update);
}

void FindingsModel::update()
{
    setRows(makeRows());
    setSubject();
}

void FindingsModel::setSubject()
{
    QString subject;
    if (m_document.whatIf())
        subject = tr("what if");
    else if (const auto current = m_document.current())
        subject = QString::fromStdString(current->get().name);
    if (subject == m_subject)
        return;
    m_subject = subject;
    emit subjectChanged();
}

std::vector<FindingRow> FindingsModel::makeRows() const
{
    const auto shown = m_document.shown();
    if (!shown)
        return {};
    std::optional<ShownOffer> before;
    if (m_document.whatIf())
        before = m_document.current();
    const Findings& findings = shown->assessment->findings;
    const Findings* was = before ? &before->assessment->findings : nullptr;

    std::vector<FindingRow> rows(3);
    FindingRow& capacity = rows[0];
    capacity.kind = FindingRow::Kind::Capacity;
    capacity.value = static_cast<int>(findings.capacity);
    if (was && was->capacity != findings.capacity)
        capacity.valueBefore = static_cast<int>(was->capacity);
    capacity.title = findingTitle(tr("Capacity estimate"), capacityTitle(*shown),
        before ? capacityTitle(*before) : QString());
    capacity.text = capacityText(*shown);
    if (findings.mostLoadedGpu >= 0) {
        capacity.gpu = refOf(*shown, findings.mostLoadedGpu);
        capacity.link = tr("Show on canvas");
        capacity.action = QLatin1StringView(kShowOnCanvas);
    }

    FindingRow& demonstrated = rows[1];
    demonstrated.kind = FindingRow::Kind::Demonstrated;
    demonstrated.value = static_cast<int>(findings.demonstrated);
    if (was && was->demonstrated != findings.demonstrated)
        demonstrated.valueBefore = static_cast<int>(was->demonstrated);
    demonstrated.title = findingTitle(tr("Demonstrated fit"), demonstratedTitle(findings),
        was ? demonstratedTitle(*was) : QString());
    demonstrated.text = demonstratedText(findings);
    const bool measured = !shown->get().measurements.empty();
    demonstrated.link = measured ? tr("Show evidence") : tr("Add a measurement…");
    demonstrated.action = QLatin1StringView(measured ? kShowEvidence : kAddMeasurement);

    FindingRow& training = rows[2];
    training.kind = FindingRow::Kind::Training;
    training.value = static_cast<int>(findings.result);
    if (was && was->result != findings.result)
        training.valueBefore = static_cast<int>(was->result);
    training.title = findingTitle(tr("Training result"), coreWord(title(findings.result)),
        was ? coreWord(title(was->result)) : QString());
    training.text = trainingText(*shown);
    training.link = shown->get().outcome ? tr("Show result") : tr("Record it…");
    training.action = QLatin1StringView(kShowResult);

    for (const Warning& warning : findings.warnings)
        rows.push_back(rowOf(warning, *shown));
    return rows;
}

QString FindingsModel::glossaryWord(const FindingRow& row)
{
    switch (row.kind) {
    case FindingRow::Kind::Capacity:
        return QString::fromStdString(glossaryEntry(static_cast<Capacity>(row.value)).word);
    case FindingRow::Kind::Demonstrated:
        return QStringLiteral("demonstrated fit");
    case FindingRow::Kind::Training:
        return QStringLiteral("training result");
    case FindingRow::Kind::Warning:
        break;
    }
    const QString& action = row.action;
    return action == QLatin1StringView(kStateUsable) ? QStringLiteral("usable allocation")
        : action == QLatin1StringView(kStateTerms)   ? QStringLiteral("not established")
        : action == QLatin1StringView(kShowLayout)   ? QStringLiteral("not legal")
        : action == QLatin1StringView(kShowWorkload) ? QStringLiteral("common workload")
                                                     : QStringLiteral("headroom");
}

QVariant FindingsModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const FindingRow& finding = row(index);
    switch (role) {
    case Qt::DisplayRole:
        return finding.title;
    case TextRole:
    case Qt::ToolTipRole:
        return finding.text;
    case Qt::AccessibleTextRole:
        return tr("%1. %2").arg(finding.title, finding.text);
    case kGlossaryRole:
        return glossaryWord(finding);
    case KindRole:
        return static_cast<int>(finding.kind);
    case ValueRole:
        return finding.value;
    case ValueBeforeRole:
        return finding.valueBefore;
    case LinkRole:
        return finding.link;
    case ActionRole:
        return finding.action;
    case GpuServerRole:
        return finding.gpu.server;
    case GpuIndexRole:
        return finding.gpu.index;
    default:
        return {};
    }
}

} // namespace shardrack
