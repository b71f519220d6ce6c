#include "window/import_page.h"

#include "commands/edit_command.h"
#include "models/number_text.h"
#include "style/view_style.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace shardrack {

ImportPage::ImportPage(
    PlanDocument& document, ImportedRun run, const QString& name, QWidget* parent)
    : QDialog(parent)
    , m_document(document)
    , m_run(std::move(run))
    , m_name(name)
    , m_lines(new QTreeWidget(this))
    , m_problem(new QLabel(this))
{
    setObjectName(QStringLiteral("importPage"));
    setWindowTitle(tr("What %1 says").arg(name));
    auto* column = new QVBoxLayout(this);
    auto* words = new QLabel(summary(), this);
    words->setObjectName(QStringLiteral("importSummary"));
    words->setWordWrap(true);
    column->addWidget(words);
    m_lines->setObjectName(QStringLiteral("importLines"));
    m_lines->setAccessibleName(tr("Settings by what they were taken for"));
    m_lines->setHeaderLabels({ tr("Setting"), tr("Value"), tr("Taken for") });
    m_lines->setAlternatingRowColors(true);
    m_lines->setUniformRowHeights(true);
    column->addWidget(m_lines, 1);
    fill();
    m_problem->setWordWrap(true);
    QPalette ink = m_problem->palette();
    ink.setColor(QPalette::WindowText, themeOf(this).overText);
    m_problem->setPalette(ink);
    m_problem->hide();
    column->addWidget(m_problem);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    QPushButton* add = buttons->button(QDialogButtonBox::Ok);
    add->setText(tr("Add as an offer"));
    add->setEnabled(m_run.model.has_value());
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &ImportPage::addOffer);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    resize(760, 560);
}

QString ImportPage::summary() const
{
    const auto counted = [](const std::vector<ImportedLine>& lines) {
        return countText(static_cast<qint64>(lines.size()));
    };
    QString text
        = tr("%1 settings understood, %2 missing, %3 defaulted, %4 whose memory is not "
             "computed yet, %5 ignored.")
              .arg(counted(m_run.understood), counted(m_run.missing), counted(m_run.defaulted),
                  counted(m_run.unsupported), counted(m_run.ignored));
    if (!m_run.model)
        text += u' '
            + tr("Without what is missing there is no model, so no offer can be made of it.");
    else
        text += u' '
            + tr(
                "The offer gets the hardware of the offer in front and a workload of its own; make "
                "that the common one, if all offers are to answer it.");
    if (m_run.model && !m_run.unsupported.empty())
        text += u' '
            + tr("Because of the memory that is not computed yet, the offer gets no framework, and "
                 "its terms stay not established.");
    if (m_run.gpus)
        text += u' ' + tr("They ask for %1 GPUs.").arg(countText(*m_run.gpus));
    return text;
}

void ImportPage::fill()
{
    addGroup(tr("Missing"), m_run.missing, true);
    addGroup(tr("Memory not computed yet"), m_run.unsupported, true);
    addGroup(tr("Understood"), m_run.understood, true);
    addGroup(tr("Defaulted or assumed"), m_run.defaulted, true);
    addGroup(tr("Ignored: changes no memory, or is not known"), m_run.ignored, false);
    m_lines->resizeColumnToContents(0);
    m_lines->setColumnWidth(1, 130);
    m_lines->header()->setStretchLastSection(true);
}

void ImportPage::addGroup(const QString& title, const std::vector<ImportedLine>& lines, bool open)
{
    if (lines.empty())
        return;
    auto* group = new QTreeWidgetItem(
        { tr("%1 (%2)").arg(title, countText(static_cast<qint64>(lines.size()))) });
    m_lines->addTopLevelItem(group);
    group->setFirstColumnSpanned(true);
    for (const ImportedLine& line : lines) {
        auto* item = new QTreeWidgetItem(group,
            { QString::fromStdString(line.name), QString::fromStdString(line.value),
                QString::fromStdString(line.text) });
        item->setToolTip(2, item->text(2));
    }
    group->setExpanded(open);
}

Offer ImportPage::offer() const
{
    const auto plan = m_document.plan();
    Offer offer = emptyOffer(freeOfferName(*plan, m_name.toStdString()));
    if (const auto current = m_document.current())
        offer.site = current->get().site;
    offer.layout = m_run.layout;
    // What was not in the file stays told when the page is gone.
    for (const ImportedLine& line : m_run.defaulted)
        offer.assumptions.push_back(line.name + (line.value.empty() ? "" : ": " + line.value)
            + (line.text.empty() ? "" : " (" + line.text + ")"));
    offer.workload = std::make_shared<const Workload>(workloadOf(m_run));
    return offer;
}

void ImportPage::addOffer()
{
    const std::size_t position = m_document.plan()->offers.size();
    if (const auto error = perform(m_document, edit::AddOffer { offer(), position })) {
        m_problem->setText(QString::fromStdString(error->text()));
        m_problem->show();
        return;
    }
    m_document.flush();
    m_document.setCurrentOffer(static_cast<int>(position));
    accept();
}

} // namespace shardrack
