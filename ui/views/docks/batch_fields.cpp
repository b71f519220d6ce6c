#include "docks/batch_fields.h"

#include "base/size_text.h"

namespace shardrack {

namespace {

using Derived = BatchArithmetic::Derived;

std::optional<BatchArithmetic> batchOf(const Recipe& recipe, const std::optional<ShownOffer>& offer)
{
    if (!offer)
        return std::nullopt;
    return batchArithmetic(recipe, offer->assessment->layout.dataParallel());
}

QString number(const std::optional<std::int64_t>& value)
{
    return value ? QString::fromStdString(grouped(*value)) : QString();
}

/// One of the three factors: given, or derived as the arithmetic of now and of the what-if says.
void showFactor(IntegerEdit* edit, FormGrid::Row* row, const std::optional<std::int64_t>& given,
    const std::optional<std::int64_t>& now, const std::optional<std::int64_t>& tried)
{
    const QString derived = given ? QString() : nowAndTried(number(now), number(tried));
    edit->setDerivedText(derived);
    edit->setValue(given);
    if (derived.isEmpty())
        row->setGiven(given.has_value());
    else
        row->basis->setBasis(Icon::Derived);
}

} // namespace

BatchFields::BatchFields(FormGrid& form, PlanEditing& editing, QObject* parent)
    : QObject(parent)
    , m_editing(editing)
{
    using Count = std::optional<std::int64_t>;
    m_global = addCount(form, editing, m_globalRow, tr("Global batch"), tr("sequences"),
        [](Workload& workload, Count count) { workload.recipe.globalBatch = count; });
    m_micro = addCount(form, editing, m_microRow, tr("Micro-batch"), tr("per rank"),
        [](Workload& workload, Count count) { workload.recipe.microBatch = count; });
    m_accumulation = addCount(form, editing, m_accumulationRow, tr("Accumulation"), tr("steps"),
        [](Workload& workload, Count count) { workload.recipe.accumulation = count; });
    m_sequence = addCount(form, editing, m_sequenceRow, tr("Sequence"), tr("tokens"),
        [](Workload& workload, Count count) { workload.recipe.sequence = count; });
    m_global->setObjectName(QStringLiteral("globalBatch"));
    m_micro->setObjectName(QStringLiteral("microBatch"));
    m_accumulation->setObjectName(QStringLiteral("accumulation"));
    m_sequence->setObjectName(QStringLiteral("sequence"));
    m_sequence->setStep(1024);

    m_recompute = new ChoiceBox;
    m_recompute->setObjectName(QStringLiteral("recompute"));
    m_recompute->addItem(tr("not given"), QString());
    m_recompute->addItem(tr("none"), QStringLiteral("none"));
    m_recompute->addItem(tr("selective"), QStringLiteral("selective"));
    m_recompute->addItem(tr("full"), QStringLiteral("full"));
    m_recomputeRow = &form.add(tr("Recompute"), m_recompute);
    editing.watch(m_recompute);
    connect(m_recompute, &ChoiceBox::opened, &editing, &PlanEditing::beginStep);
    connect(m_recompute, &QComboBox::activated, this, &BatchFields::chooseRecompute);
}

std::vector<FormGrid::Row*> BatchFields::rows() const
{
    return { m_globalRow, m_microRow, m_accumulationRow, m_sequenceRow, m_recomputeRow };
}

void BatchFields::chooseRecompute(int index)
{
    const std::string choice = m_recompute->itemData(index).toString().toStdString();
    m_recomputeRow->setProblem(
        m_editing.changeWorkload([&](Workload& workload) { workload.recipe.recompute = choice; }));
}

void BatchFields::refresh(const WorkloadView& view)
{
    const Recipe& recipe = view.workload.recipe;
    const std::optional<BatchArithmetic> now = batchOf(recipe, view.now);
    const std::optional<BatchArithmetic> tried = batchOf(recipe, view.tried);
    const auto derived = [](const std::optional<BatchArithmetic>& batch, Derived which,
                             std::optional<std::int64_t> BatchArithmetic::*factor) {
        return batch && batch->derived == which ? (*batch).*factor : std::nullopt;
    };
    const auto show = [&](IntegerEdit* edit, FormGrid::Row* row,
                          const std::optional<std::int64_t>& given, Derived which,
                          std::optional<std::int64_t> BatchArithmetic::*factor) {
        showFactor(edit, row, given, derived(now, which, factor), derived(tried, which, factor));
    };
    show(m_global, m_globalRow, recipe.globalBatch, Derived::GlobalBatch,
        &BatchArithmetic::globalBatch);
    show(m_micro, m_microRow, recipe.microBatch, Derived::MicroBatch, &BatchArithmetic::microBatch);
    show(m_accumulation, m_accumulationRow, recipe.accumulation, Derived::Accumulation,
        &BatchArithmetic::accumulation);
    if (view.tried && recipe.globalBatch)
        m_globalRow->basis->setBasis(Icon::Held);
    m_sequence->setValue(recipe.sequence);
    m_sequenceRow->setGiven(recipe.sequence.has_value());
    showRecompute(view);
    for (FormGrid::Row* row : rows())
        if (!view.editable)
            row->setEnabled(false);
        else if (!row->field->isEnabled())
            row->setEnabled(true);

    const std::optional<BatchArithmetic>& shown = tried ? tried : now;
    m_arithmetic = shown && shown->closes
        ? tr("%1 = %2 × %3 × %4: global batch = micro-batch × accumulation × data-parallel ranks.")
              .arg(number(shown->globalBatch), number(shown->microBatch),
                  number(shown->accumulation), number(shown->dataParallel))
        : QString();
}

void BatchFields::showRecompute(const WorkloadView& view)
{
    const QString recompute = QString::fromStdString(view.workload.recipe.recompute);
    m_recompute->setCurrentIndex(m_recompute->findData(recompute));
    m_recomputeRow->setGiven(!recompute.isEmpty());
}

} // namespace shardrack
