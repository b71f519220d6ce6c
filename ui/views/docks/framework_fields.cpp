#include "docks/framework_fields.h"

#include "models/number_text.h"
#include "paint/paint_style.h"
#include "style/view_style.h"
#include "workload/pytorch_switches.h"

#include <nlohmann/json.hpp>

#include <QLineEdit>
#include <QToolButton>

#include <algorithm>

namespace shardrack {

namespace {

using Kind = SwitchInfo::Kind;

constexpr int kLabelWidth = 82;

bool isChoice(const SwitchInfo& info)
{
    return info.kind == Kind::Flag || info.kind == Kind::Choice;
}

QString shownValue(const SwitchInfo& info, std::int64_t value, const std::string& text)
{
    return QString::fromStdString(valueText(info, value, text));
}

/// "framework default", or the reason for what the GPU or other switches make of it.
QString originText(const Setting& setting)
{
    const QString origin = coreWord(name(setting.origin));
    const QString why = coreWord(setting.why);
    return why.isEmpty() ? origin : FrameworkFields::tr("%1: %2").arg(origin, why);
}

Icon basisOf(Origin origin)
{
    switch (origin) {
    case Origin::Given:
        return Icon::Stipulated;
    case Origin::Assumed:
        return Icon::NotEstablished;
    case Origin::FrameworkDefault:
    case Origin::GpuDefault:
    case Origin::Derived:
    case Origin::Preset:
        break;
    }
    return Icon::Derived;
}

/// What a switch of words is in a plan's file.
Json jsonOf(const SwitchInfo& info, const std::string& words)
{
    if (info.kind == Kind::Set) {
        Json list = Json::array();
        for (const QString& each : QString::fromStdString(words).split(u','))
            if (!each.trimmed().isEmpty())
                list.push_back(each.trimmed().toStdString());
        return list;
    }
    if (info.kind == Kind::Fraction) {
        bool isNumber = false;
        const double number = QString::fromStdString(words).replace(u',', u'.').toDouble(&isNumber);
        if (isNumber)
            return number;
    }
    return words;
}

/// The architecture of the GPUs of an offer: that of its first one.
int architectureOf(const std::optional<ShownOffer>& shown)
{
    return shown && shown->assessment->index.gpuCount() > 0
        ? shown->assessment->index.kind(0).architecture
        : 0;
}

/// Whether the layout divides what a switch is about.
bool hasEffect(const SwitchInfo& info, const std::optional<ShownOffer>& shown)
{
    using Needs = SwitchInfo::Needs;
    if (!shown || info.needs == Needs::Nothing)
        return true;
    const Layout& layout = shown->get().layout;
    return (info.needs == Needs::Tensor           ? layout.tensor
                   : info.needs == Needs::Context ? layout.context
                                                  : layout.pipeline)
        > 1;
}

} // namespace

FrameworkFields::FrameworkFields(FormGrid& form, PlanEditing& editing, QObject* parent)
    : QObject(parent)
    , m_editing(editing)
{
    m_framework = new ChoiceBox;
    m_framework->setObjectName(QStringLiteral("framework"));
    m_framework->addItem(tr("none chosen"), QString());
    for (const Framework& each : frameworks())
        m_framework->addItem(coreWord(each.title), QLatin1String(each.id));
    m_frameworkRow = &form.add(tr("Framework"), m_framework);
    editing.watch(m_framework);
    connect(m_framework, &ChoiceBox::opened, &editing, &PlanEditing::beginStep);
    connect(m_framework, &QComboBox::activated, this, &FrameworkFields::chooseFramework);

    // One set of fields for each table: frameworks of a family differ in nothing but their eras.
    for (const Framework& each : frameworks()) {
        const bool known = std::any_of(m_switches.begin(), m_switches.end(),
            [&](const Field& field) { return field.family == each.family; });
        if (!known)
            for (const SwitchInfo& info : each.table->switches)
                addSwitch(form, each, info);
    }
    m_fold = new QToolButton;
    m_fold->setObjectName(QStringLiteral("moreSwitches"));
    m_fold->setAutoRaise(true);
    m_fold->setFocusPolicy(Qt::StrongFocus);
    m_fold->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_foldRow = &form.addWide(m_fold);
    connect(m_fold, &QToolButton::clicked, this, [this] {
        m_open = !m_open;
        emit m_editing.refreshWanted();
    });
}

std::vector<FormGrid::Row*> FrameworkFields::rows() const
{
    std::vector<FormGrid::Row*> all { m_frameworkRow };
    for (const bool primary : { true, false }) {
        if (!primary)
            all.push_back(m_foldRow);
        for (const Field& field : m_switches)
            if (field.info->primary == primary)
                all.push_back(field.row);
    }
    return all;
}

ChoiceBox* FrameworkFields::makeChoice(const SwitchInfo& info)
{
    auto* box = new ChoiceBox;
    fillChoice(*box, info);
    connect(box, &ChoiceBox::opened, &m_editing, &PlanEditing::beginStep);
    connect(box, &QComboBox::activated, this, [this, box, &info](int index) {
        const QVariant chosen = box->itemData(index);
        set(info,
            chosen.isValid() ? std::optional<std::int64_t>(chosen.toLongLong()) : std::nullopt);
        emit m_editing.refreshWanted();
    });
    return box;
}

void FrameworkFields::fillChoice(ChoiceBox& box, const SwitchInfo& info)
{
    box.clear();
    box.addItem(tr("not given"), QVariant());
    if (info.kind == Kind::Flag) {
        box.addItem(tr("off"), qint64(0));
        box.addItem(tr("on"), qint64(1));
        return;
    }
    for (std::size_t i = 0; i < info.choices.size(); ++i)
        box.addItem(coreWord(info.choices[i]), static_cast<qint64>(i));
}

void FrameworkFields::addSwitch(FormGrid& form, const Framework& framework, const SwitchInfo& info)
{
    Field field;
    field.info = &info;
    field.family = framework.family;
    field.choicesOf = framework.id;
    // Tables have switches of the same name: only those of the first go by it alone.
    const QString id = framework.family == frameworks().front().family
        ? QString::fromLatin1(info.key)
        : QStringLiteral("%1_%2").arg(QLatin1String(framework.table->key), QLatin1String(info.key));
    const QString label = coreWord(info.title);
    if (isChoice(info)) {
        field.choice = makeChoice(info);
        field.row = &form.add(label, field.choice);
        m_editing.watch(field.choice);
        field.choice->setObjectName(id);
    } else if (info.kind == Kind::Count) {
        field.count = new IntegerEdit;
        field.count->setRange(info.least, info.most);
        field.row = &form.add(label, field.count);
        tellProblems(field.count, *field.row);
        m_editing.watch(field.count);
        field.count->setObjectName(id);
        connect(field.count, &IntegerEdit::valueEdited, this,
            [this, edit = field.count, &info](
                std::optional<std::int64_t> value) { edit->refuse(set(info, value)); });
    } else {
        field.words = addWords(form, m_editing, field.row, label,
            [this, &info](const std::string& words) { return setWords(info, words); });
        field.words->setObjectName(id);
    }
    // Long names take two lines: they must not widen the labels of the whole form.
    field.row->label->setWordWrap(true);
    field.row->label->setFont(styleOf(field.row->label).font(type::kSecondary));
    field.row->label->setMaximumWidth(qRound(kLabelWidth * uiScale()));
    field.row->label->setToolTip(coreWord(info.what));
    m_switches.push_back(field);
}

void FrameworkFields::chooseFramework(int index)
{
    const std::string framework = m_framework->itemData(index).toString().toStdString();
    m_frameworkRow->setProblem(m_editing.changeWorkload([&](Workload& workload) {
        workload.recipe.framework = framework;
        workload.recipe.pytorch.given[shardrack::index(TorchSwitch::Era)]
            .reset(); // each has its own
    }));
    emit m_editing.refreshWanted();
}

QString FrameworkFields::set(const SwitchInfo& info, std::optional<std::int64_t> value)
{
    return m_editing.changeWorkload([&](Workload& workload) {
        if (const Framework* chosen = framework(workload.recipe.framework))
            switchesOf(workload.recipe, *chosen).given[info.which] = value;
    });
}

QString FrameworkFields::setWords(const SwitchInfo& info, const std::string& words)
{
    if (words.empty())
        return set(info, std::nullopt);
    const Framework* chosen = framework(m_framework->currentData().toString().toStdString());
    if (!chosen)
        return {};
    // The plan's own reader says what a switch can be.
    const Json json { { info.key, jsonOf(info, words) } };
    const auto read
        = attempt([&] { return switchesFromJson(JsonView(json, std::string()), *chosen->table); });
    if (!read)
        return tr("%1: %2").arg(coreWord(info.title), QString::fromStdString(read.error().text()));
    return m_editing.changeWorkload([&](Workload& workload) {
        SwitchValues& switches = switchesOf(workload.recipe, *chosen);
        switches.given[info.which] = read->get(info.which);
        if (info.kind == Kind::Text)
            switches.words = read->words;
    });
}

void FrameworkFields::showFramework(const WorkloadView& view)
{
    const std::string& framework = view.workload.recipe.framework;
    const QString id = QString::fromStdString(framework);
    int entry = m_framework->findData(id);
    const int known = 1 + static_cast<int>(frameworks().size());
    while (m_framework->count() > known && entry != known)
        m_framework->removeItem(known);
    if (entry < 0) { // another framework: named, and nothing is derived from it yet
        m_framework->addItem(id, id);
        entry = m_framework->count() - 1;
    }
    m_framework->setCurrentIndex(entry);
    m_frameworkRow->setGiven(!framework.empty());
    m_frameworkRow->setPlainNote(framework.empty() || shardrack::framework(framework)
            ? QString()
            : tr("Nothing is derived from the way %1 keeps memory yet.").arg(id));
}

void FrameworkFields::showSwitch(Field& field, const SwitchValues& values, const Setting& setting)
{
    const SwitchInfo& info = *field.info;
    const std::optional<std::int64_t> given = values.get(info.which);
    const QString resolved = shownValue(info, setting.value, values.words);
    const QString shown = given ? QString() : resolved;
    if (field.choice) {
        field.choice->setCurrentIndex(
            given ? field.choice->findData(static_cast<qint64>(*given)) : 0);
        field.choice->setShownText(shown);
    } else if (field.count) {
        field.count->setDerivedText(shown);
        field.count->setValue(given);
    } else {
        showWords(field.words, *field.row, given ? resolved.toStdString() : std::string());
        field.words->setPlaceholderText(shown.isEmpty() ? tr("not given") : shown);
    }
    field.row->basis->setBasis(basisOf(setting.origin));
    const QString origin = originText(setting);
    field.row->basis->setToolTip(origin);
    field.row->basis->setAccessibleName(origin);
}

void FrameworkFields::refresh(const WorkloadView& view)
{
    showFramework(view);
    const Recipe& recipe = view.workload.recipe;
    const Framework* chosen = view.stipulated() ? nullptr : framework(recipe.framework);
    m_frameworkRow->setEnabled(true);
    const std::vector<Setting> settings = resolvedSettings(recipe, architectureOf(view.shown()));
    int more = 0;
    for (Field& field : m_switches) {
        const bool shows = chosen && chosen->family == field.family;
        const std::size_t which = field.info->which;
        const bool given = shows && switchesOf(recipe, *chosen).get(which).has_value();
        more += !field.info->primary && given ? 1 : 0;
        const bool first = field.info->primary && hasEffect(*field.info, view.shown());
        field.row->setVisible(shows && (first || m_open || given));
        if (!shows)
            continue;
        if (field.choice && field.choicesOf != chosen->id) {
            field.choicesOf = chosen->id;
            field.info = &chosen->table->switches[which];
            fillChoice(*field.choice, *field.info);
        }
        showSwitch(field, switchesOf(recipe, *chosen), settings[which]);
    }
    m_foldRow->setVisible(chosen != nullptr);
    m_fold->setArrowType(m_open ? Qt::DownArrow : Qt::RightArrow);
    m_fold->setAccessibleDescription(m_open ? tr("unfolded") : tr("folded"));
    m_fold->setText(more > 0 ? tr("More switches, %1 given").arg(more) : tr("More switches"));
}

} // namespace shardrack
