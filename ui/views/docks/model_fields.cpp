#include "docks/model_fields.h"

#include "base/size_text.h"
#include "models/number_text.h"
#include "workload/frameworks.h"

#include <QCoreApplication>
#include <QGridLayout>
#include <QStandardItemModel>

#include <algorithm>

namespace shardrack {

namespace {

// What an entry of the list of models means, where it is no shipped model.
const QString kNotGiven = QStringLiteral(":none");
const QString kFromFile = QStringLiteral(":file");
const QString kByCount = QStringLiteral(":count");
const QString kOther = QStringLiteral(":other"); ///< a recipe that is none of the presets

constexpr std::int64_t kMostBytesEach = 64;

using Each = std::int64_t BytesPerParameter::*;
constexpr Each kEach[] = { &BytesPerParameter::parameters, &BytesPerParameter::gradients,
    &BytesPerParameter::optimizer, &BytesPerParameter::master };

QString familyTitle(const std::string& family)
{
    struct Name {
        const char* family;
        const char* title;
    };
    static constexpr Name names[] = { { "gpt2", "GPT-2" }, { "gpt_neox", "GPT-NeoX, Pythia" },
        { "opt", "OPT" }, { "llama", "Llama and its shape" }, { "mistral", "Mistral" },
        { "qwen2", "Qwen2" }, { "qwen3", "Qwen3" }, { "mixtral", "Mixtral" } };
    for (const Name& name : names)
        if (family == name.family)
            return QCoreApplication::translate("ModelFamily", name.title);
    return QString::fromStdString(family);
}

/// "7B" for 7,000,000,000.
std::string nameOfCount(std::int64_t count)
{
    constexpr std::int64_t million = 1'000'000;
    if (count % (1000 * million) == 0)
        return grouped(count / (1000 * million)) + "B";
    return count % million == 0 ? grouped(count / million) + "M" : grouped(count);
}

QString recipeTitle(const RecipePreset& preset) { return coreWord(preset.title.c_str()); }

} // namespace

ModelFields::ModelFields(FormGrid& form, PlanEditing& editing, QObject* parent)
    : QObject(parent)
    , m_editing(editing)
{
    m_model = new ChoiceBox;
    m_model->setObjectName(QStringLiteral("model"));
    m_model->setMaxVisibleItems(24);
    fillModels();
    m_modelRow = &form.add(tr("Model"), m_model);
    connect(m_model, &QComboBox::activated, this, &ModelFields::chooseModel);

    m_count = addCount(form, editing, m_countRow, tr("Parameters"), {},
        [](Workload& workload, std::optional<std::int64_t> count) {
            if (!count) {
                workload.model.reset();
                return;
            }
            workload.model.emplace();
            workload.model->parametersGiven = count;
            workload.model->architecture.name = nameOfCount(*count);
        });
    m_count->setObjectName(QStringLiteral("parameterCount"));
    m_count->setStep(1'000'000'000);

    m_recipe = new ChoiceBox;
    m_recipe->setObjectName(QStringLiteral("recipe"));
    fillRecipes();
    m_recipeRow = &form.add(tr("Optimizer"), m_recipe);
    connect(m_recipe, &QComboBox::activated, this, &ModelFields::chooseRecipe);
    for (ChoiceBox* box : { m_model, m_recipe }) {
        editing.watch(box);
        connect(box, &ChoiceBox::opened, &editing, &PlanEditing::beginStep);
    }

    m_bytes = new QWidget;
    auto* table = new QGridLayout(m_bytes);
    table->setContentsMargins(0, 0, 0, 0);
    table->setHorizontalSpacing(4);
    table->setVerticalSpacing(1);
    m_bytesRow = &form.addWide(m_bytes);
    const QString captions[] = { tr("Param."), tr("Gradient"), tr("Moments"), tr("Master") };
    const QString names[] = { tr("Bytes a parameter: the copy that computes"),
        tr("Bytes a parameter: gradient"), tr("Bytes a parameter: moments of the optimizer"),
        tr("Bytes a parameter: master copy") };
    const char* const ids[]
        = { "bytesParameters", "bytesGradients", "bytesOptimizer", "bytesMaster" };
    for (int i = 0; i < 4; ++i) {
        auto* edit = new IntegerEdit(m_bytes);
        m_each[i] = edit;
        edit->setObjectName(QLatin1String(ids[i]));
        edit->setRange(0, kMostBytesEach);
        edit->setRequired(true);
        edit->setArrowsShown(false);
        edit->setAccessibleName(names[i]);
        tellProblems(edit, *m_bytesRow);
        editing.watch(edit);
        connect(edit, &IntegerEdit::valueEdited, this,
            [this, edit, each = kEach[i]](std::optional<std::int64_t> value) {
                edit->refuse(m_editing.changeWorkload([&](Workload& workload) {
                    if (value && workload.recipe.bytesPerParameter)
                        (*workload.recipe.bytesPerParameter).*each = *value;
                }));
            });
        auto* caption = new NoteLabel(m_bytes);
        caption->setWordWrap(false);
        caption->setNote(captions[i]);
        table->addWidget(caption, 0, i);
        table->addWidget(edit, 1, i);
    }
}

std::vector<FormGrid::Row*> ModelFields::rows() const
{
    return { m_modelRow, m_countRow, m_recipeRow, m_bytesRow };
}

void ModelFields::fillModels()
{
    auto* list = new QStandardItemModel(m_model);
    const auto add = [list](const QString& text, const QString& data) {
        auto* item = new QStandardItem(text);
        item->setData(data, Qt::UserRole);
        list->appendRow(item);
    };
    add(tr("not given"), kNotGiven);
    add(tr("from a file…"), kFromFile);
    add(tr("by parameter count…"), kByCount);

    struct Family {
        std::string name;
        std::vector<QString> models;
    };
    std::vector<Family> families;
    for (const std::string& name : modelPresetNames()) {
        const std::string family = modelPreset(name)->family;
        auto place = std::find_if(families.begin(), families.end(),
            [&](const Family& known) { return known.name == family; });
        if (place == families.end())
            place = families.insert(families.end(), Family { family, {} });
        place->models.push_back(QString::fromStdString(name));
    }
    for (const Family& family : families) {
        auto* title = new QStandardItem(familyTitle(family.name));
        title->setFlags(Qt::NoItemFlags);
        list->appendRow(title);
        for (const QString& model : family.models)
            add(model, model);
    }
    m_model->setModel(list);
}

void ModelFields::fillRecipes()
{
    m_recipe->addItem(tr("not given"), kNotGiven);
    for (const RecipePreset& preset : recipePresets()) {
        m_recipe->addItem(recipeTitle(preset), QString::fromStdString(preset.id));
        m_recipe->setItemData(
            m_recipe->count() - 1, QString::fromStdString(preset.source), Qt::ToolTipRole);
    }
}

void ModelFields::chooseModel(int index)
{
    const QString choice = m_model->itemData(index).toString();
    m_wantsCount = choice == kByCount;
    if (choice == kFromFile) {
        emit m_editing.refreshWanted(); // the choice is the window's; until then all is as it was
        emit importModelRequested();
    } else if (choice == kByCount) {
        emit m_editing.refreshWanted();
        m_count->setFocus();
    } else {
        m_modelRow->setProblem(m_editing.changeWorkload([&](Workload& workload) {
            workload.model.reset();
            if (choice == kNotGiven)
                return;
            workload.model.emplace();
            workload.model->preset = choice.toStdString();
            workload.model->architecture = *modelPreset(workload.model->preset);
        }));
        emit m_editing.refreshWanted();
    }
}

void ModelFields::chooseRecipe(int index)
{
    const std::string choice = m_recipe->itemData(index).toString().toStdString();
    m_recipeRow->setProblem(m_editing.changeWorkload([&](Workload& workload) {
        for (const RecipePreset& preset : recipePresets())
            if (preset.id == choice) {
                m_chosenRecipe = choice;
                workload.recipe.bytesPerParameter = preset.bytes;
                workload.recipe.optimizer = preset.optimizer;
                return;
            }
        if (choice == kNotGiven.toStdString()) {
            workload.recipe.bytesPerParameter.reset();
            workload.recipe.optimizer.clear();
        }
    }));
    emit m_editing.refreshWanted();
}

void ModelFields::refresh(const WorkloadView& view)
{
    showModel(view);
    showRecipe(view);
}

void ModelFields::showModel(const WorkloadView& view)
{
    const std::optional<ModelChoice>& model = view.workload.model;
    const bool byCount = model && model->parametersGiven;
    QString entry = kNotGiven;
    if (byCount || m_wantsCount)
        entry = kByCount;
    else if (model)
        entry = model->preset.empty() ? kFromFile : QString::fromStdString(model->preset);
    m_model->setCurrentIndex(std::max(0, m_model->findData(entry)));

    QString shown;
    if (!view.derived())
        shown = tr("not used");
    else if (model && !m_wantsCount)
        shown = QString::fromStdString(model->architecture.name);
    else if (m_wantsCount)
        shown = tr("by parameter count");
    else
        shown = tr("not given");
    m_model->setShownText(shown);
    m_modelRow->setGiven(model.has_value());
    m_modelRow->setEnabled(view.editable && view.derived());

    m_countRow->setVisible(view.derived() && (byCount || m_wantsCount));
    m_count->setValue(byCount ? model->parametersGiven : std::nullopt);
    m_countRow->setGiven(byCount);
    m_countRow->setEnabled(view.editable && view.derived());
    QString note;
    if (view.derived() && model && !byCount && !m_wantsCount)
        if (const auto count = model->parameters())
            note = tr("%1 parameters").arg(QString::fromStdString(grouped(*count)));
    m_modelRow->setPlainNote(note);
}

void ModelFields::showRecipe(const WorkloadView& view)
{
    const Recipe& recipe = view.workload.recipe;
    const std::optional<BytesPerParameter>& bytes = recipe.bytesPerParameter;
    const auto matches = [&](const RecipePreset& preset) {
        return bytes && preset.bytes == *bytes && preset.optimizer == recipe.optimizer;
    };
    const std::vector<RecipePreset>& presets = recipePresets();
    auto found = std::find_if(presets.begin(), presets.end(),
        [&](const RecipePreset& preset) { return preset.id == m_chosenRecipe && matches(preset); });
    if (found == presets.end())
        found = std::find_if(presets.begin(), presets.end(), matches);

    const bool other = bytes && found == presets.end();
    const int otherAt = m_recipe->findData(kOther);
    if (other && otherAt < 0)
        m_recipe->addItem(tr("Custom"), kOther);
    else if (!other && otherAt >= 0)
        m_recipe->removeItem(otherAt);
    const QString entry = !bytes ? kNotGiven : other ? kOther : QString::fromStdString(found->id);
    m_recipe->setCurrentIndex(m_recipe->findData(entry));
    m_recipe->setToolTip(bytes && !other
            ? recipeTitle(*found) + u'\n' + QString::fromStdString(found->source)
            : QString());

    QString shown;
    if (view.stipulated())
        shown = view.workload.stipulated.total
            ? tr("inside the %1")
                  .arg(QString::fromStdString(exactText(*view.workload.stipulated.total)))
            : tr("inside the state");
    // A framework whose strategy is known says itself what each parameter takes. Those built on
    // torch follow what a person gives.
    const Framework* chosen = framework(view.workload.recipe.framework);
    const bool byStrategy
        = chosen && view.derived() && view.shown() && view.shown()->assessment->account.strategy;
    const bool byFramework = byStrategy && chosen->family == Framework::Family::Megatron;
    if (byFramework || (byStrategy && !bytes)) {
        shown = tr("by framework");
        m_recipe->setToolTip(tr("What each parameter takes follows from %1's switches below.")
                                 .arg(QString::fromUtf8(chosen->title)));
    }
    m_recipe->setShownText(shown);
    m_recipeRow->setGiven(bytes.has_value());
    if (byFramework || (byStrategy && !bytes))
        m_recipeRow->basis->setBasis(Icon::Derived);
    m_recipeRow->setEnabled(view.editable && view.derived() && !byFramework);

    m_bytesRow->setVisible(view.derived() && !byFramework);
    m_bytesRow->setEnabled(view.editable && view.derived() && bytes);
    for (int i = 0; i < 4; ++i)
        m_each[i]->setValue(bytes ? std::optional((*bytes).*kEach[i]) : std::nullopt);
    m_bytesRow->setPlainNote(
        bytes ? tr("bytes a parameter, %1 in all").arg(bytes->total()) : QString());
}

} // namespace shardrack
