#pragma once

#include "document/plan_document.h"
#include "interop/imported_run.h"

#include <QDialog>

class QLabel;
class QTreeWidget;

namespace shardrack {

/// What another program's settings were taken for: understood, missing, defaulted, not computed and
/// ignored lines. Accepting it adds an offer on the hardware of the offer in front, with a
/// workload of its own.
class ImportPage : public QDialog {
    Q_OBJECT
public:
    ImportPage(
        PlanDocument& document, ImportedRun run, const QString& name, QWidget* parent = nullptr);

    /// The offer that accepting adds.
    Offer offer() const;

private:
    void fill();
    void addGroup(const QString& title, const std::vector<ImportedLine>& lines, bool open);
    QString summary() const;
    void addOffer();

    PlanDocument& m_document;
    ImportedRun m_run;
    QString m_name;
    QTreeWidget* m_lines;
    QLabel* m_problem;
};

} // namespace shardrack
