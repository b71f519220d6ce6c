#pragma once

#include "docks/workload_fields.h"

class QStandardItemModel;

namespace shardrack {

/// The model whose state is derived, and what each of its parameters needs.
class ModelFields : public QObject {
    Q_OBJECT
public:
    ModelFields(FormGrid& form, PlanEditing& editing, QObject* parent);
    void refresh(const WorkloadView& view);
    void forget() { m_wantsCount = false; }
    std::vector<FormGrid::Row*> rows() const;

signals:
    void importModelRequested();

private:
    void fillModels();
    void fillRecipes();
    void chooseModel(int index);
    void chooseRecipe(int index);
    void showModel(const WorkloadView& view);
    void showRecipe(const WorkloadView& view);

    PlanEditing& m_editing;
    ChoiceBox* m_model = nullptr;
    IntegerEdit* m_count = nullptr;
    ChoiceBox* m_recipe = nullptr;
    QWidget* m_bytes = nullptr; ///< holds the four fields of the table
    IntegerEdit* m_each[4] = {};
    FormGrid::Row* m_modelRow = nullptr;
    FormGrid::Row* m_countRow = nullptr;
    FormGrid::Row* m_recipeRow = nullptr;
    FormGrid::Row* m_bytesRow = nullptr;
    bool m_wantsCount = false; ///< the number of parameters is being asked for
    std::string m_chosenRecipe; ///< presets may have the same bytes
};

} // namespace shardrack
