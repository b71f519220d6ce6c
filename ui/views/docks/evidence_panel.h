#pragma once

#include "document/plan_document.h"
#include "document/selection.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QScrollArea;

namespace shardrack {

class EvidenceSummary;
class MeasurementForm;
class MeasurementList;
class MeasurementModel;
class NoteLabel;
class OutcomeForm;

/// The evidence of the offer in front: demonstrated fit with the rule that decided, the measured
/// peaks entered by hand, and the recorded training result. Every change is one undoable edit.
class EvidencePanel : public QWidget {
    Q_OBJECT
public:
    EvidencePanel(PlanDocument& document, Selection& selection, QWidget* parent = nullptr);

    /// The name of the offer: for the title of the dock.
    QString subtitle() const { return m_subtitle; }
    /// Opens the form of a new measurement.
    void addMeasurement();
    /// Scrolls to the training result and gives it the focus.
    void showResult();
    /// Scrolls to the verdict and the list.
    void showVerdict();
    QSize sizeHint() const override;

signals:
    void subtitleChanged(const QString& subtitle);

protected:
    void showEvent(QShowEvent* event) override;

private:
    QWidget* buildMeasurements();
    QLabel* heading(const QString& text);
    void refreshIfSeen();
    void refresh();
    void refreshButtons();
    void reveal(QWidget* part);
    void changeMeasurement(int row);
    void removeMeasurement(int row);
    void stillApplies(int row);
    /// Changes the list of measurements by one edit.
    template <class Change> void change(int row, Change change);

    PlanDocument& m_document;
    MeasurementModel* m_model;
    QScrollArea* m_scroll;
    EvidenceSummary* m_summary;
    MeasurementList* m_list;
    NoteLabel* m_none;
    NoteLabel* m_refusal;
    QPushButton* m_add;
    QPushButton* m_change;
    QPushButton* m_remove;
    QPushButton* m_applies;
    MeasurementForm* m_form;
    QLabel* m_resultHeading;
    OutcomeForm* m_outcome;
    QString m_subtitle;
    bool m_stale = true;
};

} // namespace shardrack
