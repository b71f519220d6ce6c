#include "docks/layout_fields.h"

#include "models/number_text.h"
#include "workload/frameworks.h"

#include <QCheckBox>

namespace shardrack {

namespace {

constexpr LayoutPreset kOffered[] = { LayoutPreset::Ddp, LayoutPreset::Zero1, LayoutPreset::Zero2,
    LayoutPreset::Fsdp, LayoutPreset::Hsdp, LayoutPreset::Megatron };
using Degree = std::int32_t Layout::*;
constexpr Degree kDegrees[] = { &Layout::tensor, &Layout::context, &Layout::pipeline };

QString presetTitle(LayoutPreset preset) { return coreWord(title(preset)); }

QString phraseOf(const std::optional<ShownOffer>& offer)
{
    return offer
        ? QString::fromStdString(layoutPhrase(offer->get().layout, offer->assessment->layout))
        : QString();
}

/// The size of the first shard group, where the rule of the layout makes any.
QString groupSize(const std::optional<ShownOffer>& offer)
{
    if (!offer || offer->assessment->layout.groupCount() == 0)
        return {};
    return QString::fromStdString(grouped(offer->assessment->layout.group(0).ranks.size()));
}

/// Whether tensor, context and pipeline degrees are asked for: frameworks have them beside replicas
/// and shards; without one they divide nothing that is known.
bool hasDegrees(const Layout& layout, const WorkloadView& view)
{
    if (layout.preset == LayoutPreset::Megatron || layout.tensor > 1 || layout.context > 1
        || layout.pipeline > 1)
        return true;
    return view.derived() && isTorch(view.workload.recipe) && layout.preset != LayoutPreset::Custom;
}

QString brokenRules(const ShownOffer& offer)
{
    QStringList lines;
    for (const BrokenRule& rule : offer.assessment->findings.legality.broken) {
        QString line = QString::fromStdString(rule.text) + u'.';
        if (!rule.fix.empty())
            line += LayoutFields::tr(" Way out: %1.").arg(QString::fromStdString(rule.fix));
        lines << line;
    }
    return lines.join(u'\n');
}

} // namespace

LayoutFields::LayoutFields(FormGrid& form, PlanEditing& editing, QObject* parent)
    : QObject(parent)
    , m_editing(editing)
{
    m_preset = new ChoiceBox;
    m_preset->setObjectName(QStringLiteral("layout"));
    for (const LayoutPreset preset : kOffered)
        m_preset->addItem(presetTitle(preset), static_cast<int>(preset));
    m_presetRow = &form.add(tr("Layout"), m_preset);
    editing.watch(m_preset);
    connect(m_preset, &ChoiceBox::opened, &editing, &PlanEditing::beginStep);
    connect(m_preset, &QComboBox::activated, this, &LayoutFields::choose);

    m_shards = new IntegerEdit;
    m_shards->setObjectName(QStringLiteral("shards"));
    m_shards->setRange(1, std::numeric_limits<std::int32_t>::max());
    m_shards->setSuffix(tr("ranks"));
    m_shardsRow = &form.add(tr("Shard group"), m_shards);
    tellProblems(m_shards, *m_shardsRow);
    editing.watch(m_shards);
    connect(m_shards, &IntegerEdit::valueEdited, this, [this](std::optional<std::int64_t> size) {
        m_shards->refuse(m_editing.changeLayout([&](Layout& layout) {
            layout.dpReplicate.reset(); // it follows from the size
            layout.dpShard = size ? std::optional(static_cast<std::int32_t>(*size)) : std::nullopt;
        }));
    });

    const QString names[] = { tr("Tensor"), tr("Context"), tr("Pipeline") };
    const char* const ids[] = { "tensorDegree", "contextDegree", "pipelineDegree" };
    for (std::size_t i = 0; i < std::size(kDegrees); ++i) {
        auto* edit = new IntegerEdit;
        edit->setObjectName(QLatin1String(ids[i]));
        edit->setRange(1, 1 << 20);
        edit->setRequired(true);
        edit->setSuffix(i == 2 ? tr("stages") : tr("ranks"));
        m_degrees[i] = edit;
        m_degreeRows[i] = &form.add(names[i], edit);
        tellProblems(edit, *m_degreeRows[i]);
        editing.watch(edit);
        connect(edit, &IntegerEdit::valueEdited, this,
            [this, edit, degree = kDegrees[i]](std::optional<std::int64_t> value) {
                edit->refuse(m_editing.changeLayout([&](Layout& layout) {
                    if (value)
                        layout.*degree = static_cast<std::int32_t>(*value);
                }));
            });
    }

    m_follow = new QCheckBox(tr("Ranks follow the hardware"));
    m_follow->setObjectName(QStringLiteral("ranksFollow"));
    m_followRow = &form.addWide(m_follow);
    editing.watch(m_follow);
    connect(m_follow, &QCheckBox::clicked, this, [this](bool follow) {
        m_editing.beginStep();
        m_editing.changeLayout([&](Layout& layout) { layout.ranksFollowHardware = follow; });
    });
}

std::vector<FormGrid::Row*> LayoutFields::rows() const
{
    return { m_presetRow, m_shardsRow, m_degreeRows[0], m_degreeRows[1], m_degreeRows[2],
        m_followRow };
}

void LayoutFields::choose(int index)
{
    const auto preset = static_cast<LayoutPreset>(m_preset->itemData(index).toInt());
    m_presetRow->setProblem(m_editing.changeLayout([&](Layout& layout) {
        if (layout.preset == preset)
            return;
        layout.preset = preset;
        layout.groups.clear();
        // How the other layout divided says nothing about this one; what divides a copy stays.
        layout.dpReplicate.reset();
        layout.dpShard.reset();
        if (m_keepsDegrees)
            return;
        layout.tensor = layout.context = layout.expert = layout.pipeline = 1;
        layout.order.clear();
    }));
    emit m_editing.refreshWanted();
}

void LayoutFields::refresh(const WorkloadView& view)
{
    m_keepsDegrees = view.derived() && isTorch(view.workload.recipe);
    m_presetRow->setLabel(view.stipulated() ? tr("Kept as") : tr("Layout"));
    showPreset(view);
    showShards(view);
    showDegrees(view);
    const bool byHand = view.now && view.now->get().layout.preset == LayoutPreset::Custom;
    m_followRow->setEnabled(view.now && !byHand);
    m_follow->setChecked(view.now && newHardwareGetsRanks(view.now->get().layout));
    m_follow->setToolTip(byHand ? tr("Groups made by hand: new hardware gets no ranks by itself")
                                : tr("New hardware gets ranks, and removed hardware takes its "
                                     "ranks with it"));
}

void LayoutFields::showPreset(const WorkloadView& view)
{
    m_presetRow->setEnabled(view.now.has_value());
    // What is not offered here is listed only while it is what the plan says.
    const LayoutPreset preset = view.now ? view.now->get().layout.preset : LayoutPreset::Ddp;
    const int offered = static_cast<int>(std::size(kOffered));
    while (m_preset->count() > offered)
        m_preset->removeItem(offered);
    int entry = m_preset->findData(static_cast<int>(preset));
    if (entry < 0) {
        entry = m_preset->count();
        m_preset->addItem(presetTitle(preset), static_cast<int>(preset));
    }
    m_preset->setCurrentIndex(entry);
    const QString now = phraseOf(view.now);
    const QString tried = phraseOf(view.tried);
    m_preset->setShownText(
        view.now ? nowAndTried(now, tried) : tr("no offer"), !tried.isEmpty() && tried != now);
    m_preset->setToolTip(view.now ? presetTitle(preset) : QString());
    if (view.now)
        m_presetRow->basis->setBasis(Icon::Stipulated);
    const QString broken = view.shown() ? brokenRules(*view.shown()) : QString();
    m_presetRow->note->setNote(broken, NoteLabel::Tone::NotLegal);
}

void LayoutFields::showDegrees(const WorkloadView& view)
{
    const bool shows = view.now && hasDegrees(view.now->get().layout, view);
    for (std::size_t i = 0; i < std::size(kDegrees); ++i) {
        m_degreeRows[i]->setVisible(shows);
        if (!shows)
            continue;
        m_degrees[i]->setValue(view.now->get().layout.*kDegrees[i]);
        m_degreeRows[i]->basis->setBasis(Icon::Stipulated);
    }
}

void LayoutFields::showShards(const WorkloadView& view)
{
    const bool hybrid = view.now && view.now->get().layout.preset == LayoutPreset::Hsdp;
    m_shardsRow->setVisible(hybrid);
    if (!hybrid)
        return;
    const std::optional<std::int32_t> size = view.now->get().layout.dpShard;
    m_shards->setDerivedText(nowAndTried(groupSize(view.now), groupSize(view.tried)));
    m_shards->setValue(size ? std::optional<std::int64_t>(*size) : std::nullopt);
    m_shardsRow->basis->setBasis(size ? Icon::Stipulated : Icon::Derived);
}

} // namespace shardrack
