#pragma once

#include "docks/form_grid.h"
#include "document/plan_document.h"
#include "document/selection.h"

#include <QWidget>

#include <memory>

class QCheckBox;
class QLineEdit;
class QPushButton;
class QRadioButton;
class QToolButton;

namespace shardrack {

class EvidenceSummary;
class IntegerEdit;
class SizeEdit;

/// The form of one measurement of the offer in front: hidden until it is opened; what the rules
/// would say with it stands at its end while a person types. Nothing reaches the plan before Add or
/// Save. It stays with its offer while another is in front.
class MeasurementForm : public QWidget {
    Q_OBJECT
public:
    MeasurementForm(PlanDocument& document, Selection& selection, QWidget* parent = nullptr);
    ~MeasurementForm() override;

    /// Opens with nothing typed, for a measurement that is added at the end.
    void openNew();
    /// Opens with measurement `index` of the offer in front.
    void openFor(std::size_t index);
    bool isOpen() const { return m_open; }
    void close();

signals:
    /// It was opened or closed.
    void openChanged();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void buildFields();
    QWidget* buildDevices();
    QWidget* buildScopes();
    QWidget* buildPhases();
    void fill(const Measurement& measurement);
    void open(std::optional<std::size_t> index, const Measurement& measurement);
    void follow();
    void edited();
    void useSelection();
    /// What the fields say; problems are told beside them when `tell` is set.
    std::optional<Measurement> typed(bool tell);
    QString devicesProblem() const;
    QString peakProblem() const;
    std::vector<Measurement> withTyped(const Measurement& measurement) const;
    void preview();
    void accept();

    PlanDocument& m_document;
    Selection& m_selection;
    std::unique_ptr<FormGrid> m_grid;
    FormGrid::Row* m_devicesRow = nullptr;
    FormGrid::Row* m_peakRow = nullptr;
    FormGrid::Row* m_stepsRow = nullptr;
    QLabel* m_title = nullptr;
    QLineEdit* m_devices = nullptr;
    QToolButton* m_all = nullptr;
    QToolButton* m_fromSelection = nullptr;
    SizeEdit* m_peak = nullptr;
    QCheckBox* m_outOfMemory = nullptr;
    QCheckBox* m_average = nullptr;
    QRadioButton* m_scopes[3] = {};
    QCheckBox* m_phases[kRunPhaseCount] = {};
    IntegerEdit* m_steps = nullptr;
    QLineEdit* m_software = nullptr;
    QLineEdit* m_conditions = nullptr;
    QLineEdit* m_source = nullptr;
    EvidenceSummary* m_preview = nullptr;
    NoteLabel* m_refusal = nullptr;
    QPushButton* m_accept = nullptr;
    bool m_open = false;
    bool m_filling = false;
    std::string m_offer; ///< name of the offer that it was opened for
    std::optional<std::size_t> m_index; ///< the measurement that is changed; absent: a new one
    Measurement m_original;
};

} // namespace shardrack
