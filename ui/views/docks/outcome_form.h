#pragma once

#include "docks/form_grid.h"
#include "document/plan_document.h"

#include <QWidget>

#include <map>
#include <memory>

class QLineEdit;
class QPushButton;

namespace shardrack {

class ChoiceBox;

/// The recorded training result of the offer in front. Nothing reaches the plan before Record; what
/// is typed stays with its offer while another is in front.
class OutcomeForm : public QWidget {
    Q_OBJECT
public:
    explicit OutcomeForm(PlanDocument& document, QWidget* parent = nullptr);

    void focusResult();

protected:
    void showEvent(QShowEvent* event) override;

private:
    static constexpr int kTexts = 6;

    void forget();
    void follow();
    void keepDraft();
    void fill(const TrainingOutcome& outcome);
    void edited();
    void refreshButtons();
    TrainingOutcome typed() const;
    /// What the fields show before anybody types: the record, or what the plan knows already.
    TrainingOutcome start() const;
    void record();
    void change(std::optional<TrainingOutcome> outcome);

    PlanDocument& m_document;
    std::unique_ptr<FormGrid> m_grid;
    ChoiceBox* m_result = nullptr;
    QLineEdit* m_texts[kTexts] = {};
    FormGrid::Row* m_criterionRow = nullptr;
    NoteLabel* m_note = nullptr;
    QPushButton* m_record = nullptr;
    QPushButton* m_remove = nullptr;
    QPushButton* m_applies = nullptr;
    bool m_filling = false;
    std::string m_offer; ///< name of the offer whose fields these are
    TrainingOutcome m_start; ///< what the fields showed before anybody typed
    std::map<std::string, TrainingOutcome> m_drafts; ///< by name of their offers
};

} // namespace shardrack
