#pragma once

#include "account/strategy.h"
#include "docks/workload_fields.h"

#include <QObject>

class QToolButton;

namespace shardrack {

/// Which framework trains, and the switches of it that change memory: those that matter most, and
/// all others on demand. What nobody gave shows what it will be and why.
class FrameworkFields : public QObject {
    Q_OBJECT
public:
    FrameworkFields(FormGrid& form, PlanEditing& editing, QObject* parent = nullptr);

    std::vector<FormGrid::Row*> rows() const;
    /// Another plan: the switches fold again.
    void forget() { m_open = false; }
    void refresh(const WorkloadView& view);

private:
    struct Field {
        const SwitchInfo* info = nullptr;
        Framework::Family family {};
        std::string choicesOf; ///< the framework whose choices it lists
        FormGrid::Row* row = nullptr;
        ChoiceBox* choice = nullptr; ///< of a flag or a choice
        IntegerEdit* count = nullptr;
        QLineEdit* words = nullptr; ///< of every other kind
    };
    void addSwitch(FormGrid& form, const Framework& framework, const SwitchInfo& info);
    static void fillChoice(ChoiceBox& box, const SwitchInfo& info);
    ChoiceBox* makeChoice(const SwitchInfo& info);
    void chooseFramework(int index);
    QString set(const SwitchInfo& info, std::optional<std::int64_t> value);
    QString setWords(const SwitchInfo& info, const std::string& words);
    void showFramework(const WorkloadView& view);
    static void showSwitch(Field& field, const SwitchValues& values, const Setting& setting);

    PlanEditing& m_editing;
    ChoiceBox* m_framework = nullptr;
    FormGrid::Row* m_frameworkRow = nullptr;
    QToolButton* m_fold = nullptr;
    FormGrid::Row* m_foldRow = nullptr;
    std::vector<Field> m_switches;
    bool m_open = false;
};

} // namespace shardrack
