#include "models/findings_model.h"

#include "models/findings_text.h"
#include "models/number_text.h"

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
        return { FindingsModel::tr("Show workload"), FindingsModel::kShowWorkload };
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
    demonstrated.title
        = findingTitle(tr("Demonstrated fit"), coreWord(title(findings.demonstrated)), QString());
    demonstrated.text = demonstratedText(findings);

    FindingRow& training = rows[2];
    training.kind = FindingRow::Kind::Training;
    training.value = static_cast<int>(findings.result);
    training.title
        = findingTitle(tr("Training result"), coreWord(title(findings.result)), QString());
    training.text = trainingText(findings);

    for (const Warning& warning : findings.warnings)
        rows.push_back(rowOf(warning, *shown));
    return rows;
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
