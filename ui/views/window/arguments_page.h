#pragma once

#include "document/plan_document.h"
#include "interop/megatron_arguments.h"

#include <QDialog>

class QLabel;
class QTreeWidget;

namespace shardrack {

/// What a list of Megatron-LM arguments was taken for: understood, missing, defaulted, not computed
/// and ignored lines. Accepting it adds an offer on the hardware of the offer in front, with a
/// workload of its own.
class ArgumentsPage : public QDialog {
    Q_OBJECT
public:
    ArgumentsPage(PlanDocument& document, MegatronArguments arguments, const QString& name,
        QWidget* parent = nullptr);

    /// The offer that accepting adds.
    Offer offer() const;

private:
    void fill();
    void addGroup(const QString& title, const std::vector<ArgumentLine>& lines, bool open);
    QString summary() const;
    void addOffer();

    PlanDocument& m_document;
    MegatronArguments m_arguments;
    QString m_name;
    QTreeWidget* m_lines;
    QLabel* m_problem;
};

} // namespace shardrack
