#include "window/declare_change.h"

#include "commands/edit_command.h"
#include "workload/workload_fields.h"

#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

namespace shardrack {

namespace {

class DeclareChange : public QDialog {
    Q_DECLARE_TR_FUNCTIONS(shardrack::DeclareChange)
public:
    DeclareChange(PlanDocument& document, QWidget* parent)
        : QDialog(parent)
        , m_document(document)
        , m_offer(static_cast<std::size_t>(document.currentOffer()))
    {
        setObjectName(QStringLiteral("declareChange"));
        const QString name = QString::fromStdString(document.plan()->offers[m_offer]->name);
        setWindowTitle(tr("Change of basis of %1").arg(name));
        auto* form = new QFormLayout(this);
        auto* words = new QLabel(
            tr("For what %1 changes beside the fields of the workload. Those are compared by "
               "themselves.")
                .arg(name));
        words->setWordWrap(true);
        form->addRow(words);
        m_field = field(form, "changeField", tr("What is changed"), tr("Placement of the state"));
        m_common = field(form, "changeCommon", tr("Common"), tr("on the devices"));
        m_offered = field(form, "changeOffer", name, tr("optimizer state in host memory"));
        m_reason = field(form, "changeReason", tr("Reason"), tr("it does not fit otherwise"));
        m_problem = new QLabel;
        m_problem->setWordWrap(true);
        m_problem->hide();
        form->addRow(m_problem);
        auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
        m_accept = buttons->button(QDialogButtonBox::Ok);
        m_accept->setText(tr("Declare"));
        m_accept->setEnabled(false);
        form->addRow(buttons);
        connect(buttons, &QDialogButtonBox::accepted, this, &DeclareChange::declare);
        connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
        connect(m_field, &QLineEdit::textChanged, this,
            [this](const QString& text) { m_accept->setEnabled(!text.trimmed().isEmpty()); });
        resize(440, sizeHint().height());
    }

private:
    static QLineEdit* field(
        QFormLayout* form, const char* name, const QString& label, const QString& example)
    {
        auto* edit = new QLineEdit;
        edit->setObjectName(QLatin1String(name));
        edit->setAccessibleName(label);
        edit->setPlaceholderText(tr("such as: %1").arg(example));
        form->addRow(label, edit);
        return edit;
    }

    void declare()
    {
        const auto words
            = [](const QLineEdit* edit) { return edit->text().trimmed().toStdString(); };
        if (workloadField(words(m_field))) {
            tell(tr("“%1” is a field of the workload: change it there, for this offer.")
                     .arg(m_field->text().trimmed()));
            return;
        }
        std::vector<BasisStatement> statements = m_document.plan()->offers[m_offer]->basis;
        statements.push_back(
            { words(m_field), words(m_common), words(m_offered), words(m_reason), {} });
        if (const auto error = perform(m_document, edit::SetBasis { m_offer, statements }))
            tell(QString::fromStdString(error->text()));
        else
            accept();
    }

    void tell(const QString& problem)
    {
        m_problem->setText(problem);
        m_problem->show();
    }

    PlanDocument& m_document;
    std::size_t m_offer;
    QLineEdit* m_field;
    QLineEdit* m_common;
    QLineEdit* m_offered;
    QLineEdit* m_reason;
    QLabel* m_problem;
    QPushButton* m_accept;
};

} // namespace

void declareChange(PlanDocument& document, QWidget* parent)
{
    DeclareChange(document, parent).exec();
}

} // namespace shardrack
