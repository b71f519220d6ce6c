#include "window/arguments_page.h"

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

ArgumentsPage::ArgumentsPage(
    PlanDocument& document, MegatronArguments arguments, const QString& name, QWidget* parent)
    : QDialog(parent)
    , m_document(document)
    , m_arguments(std::move(arguments))
    , m_name(name)
    , m_lines(new QTreeWidget(this))
    , m_problem(new QLabel(this))
{
    setObjectName(QStringLiteral("argumentsPage"));
    setWindowTitle(tr("What %1 says").arg(name));
    auto* column = new QVBoxLayout(this);
    auto* words = new QLabel(summary(), this);
    words->setObjectName(QStringLiteral("argumentsSummary"));
    words->setWordWrap(true);
    column->addWidget(words);
    m_lines->setObjectName(QStringLiteral("argumentLines"));
    m_lines->setAccessibleName(tr("Arguments by what they were taken for"));
    m_lines->setHeaderLabels({ tr("Argument"), tr("Value"), tr("Taken for") });
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
    add->setEnabled(m_arguments.model.has_value());
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &ArgumentsPage::addOffer);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    resize(760, 560);
}

QString ArgumentsPage::summary() const
{
    const auto counted = [](const std::vector<ArgumentLine>& lines) {
        return countText(static_cast<qint64>(lines.size()));
    };
    QString text = tr("%1 arguments understood, %2 missing, %3 defaulted, %4 whose memory is not "
                      "computed yet, %5 ignored.")
                       .arg(counted(m_arguments.understood), counted(m_arguments.missing),
                           counted(m_arguments.defaulted), counted(m_arguments.unsupported),
                           counted(m_arguments.ignored));
    if (!m_arguments.model)
        text += u' '
            + tr("Without what is missing there is no model, so no offer can be made of it.");
    else
        text += u' '
            + tr(
                "The offer gets the hardware of the offer in front and a workload of its own; make "
                "that the common one, if all offers are to answer it.");
    if (m_arguments.gpus)
        text += u' ' + tr("The arguments ask for %1 GPUs.").arg(countText(*m_arguments.gpus));
    return text;
}

void ArgumentsPage::fill()
{
    addGroup(tr("Missing"), m_arguments.missing, true);
    addGroup(tr("Memory not computed yet"), m_arguments.unsupported, true);
    addGroup(tr("Understood"), m_arguments.understood, true);
    addGroup(tr("Defaulted or assumed"), m_arguments.defaulted, true);
    addGroup(tr("Ignored: changes no memory, or is not known"), m_arguments.ignored, false);
    m_lines->resizeColumnToContents(0);
    m_lines->setColumnWidth(1, 130);
    m_lines->header()->setStretchLastSection(true);
}

void ArgumentsPage::addGroup(
    const QString& title, const std::vector<ArgumentLine>& lines, bool open)
{
    if (lines.empty())
        return;
    auto* group = new QTreeWidgetItem(
        { tr("%1 (%2)").arg(title, countText(static_cast<qint64>(lines.size()))) });
    m_lines->addTopLevelItem(group);
    group->setFirstColumnSpanned(true);
    for (const ArgumentLine& line : lines) {
        auto* item = new QTreeWidgetItem(group,
            { QString::fromStdString(line.name), QString::fromStdString(line.value),
                QString::fromStdString(line.text) });
        item->setToolTip(2, item->text(2));
    }
    group->setExpanded(open);
}

Offer ArgumentsPage::offer() const
{
    const auto plan = m_document.plan();
    Offer offer = emptyOffer(freeOfferName(*plan, m_name.toStdString()));
    if (const auto current = m_document.current())
        offer.site = current->get().site;
    offer.layout = m_arguments.layout;
    offer.workload = std::make_shared<const Workload>(workloadOf(m_arguments));
    return offer;
}

void ArgumentsPage::addOffer()
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
