#include "window/size_question.h"

#include "editors/size_edit.h"
#include "style/view_style.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace shardrack {

SizeQuestion::SizeQuestion(
    const QString& title, const QString& question, std::optional<Bytes> value, QWidget* parent)
    : QDialog(parent)
    , m_size(new SizeEdit(this))
    , m_problem(new QLabel(this))
    , m_form(new QFormLayout)
{
    setWindowTitle(title);
    auto* column = new QVBoxLayout(this);
    auto* text = new QLabel(question, this);
    text->setWordWrap(true);
    column->addWidget(text);
    m_size->setValue(value);
    m_size->setAccessibleName(title);
    m_form->addRow(tr("&Size"), m_size);
    column->addLayout(m_form);
    m_problem->setWordWrap(true);
    m_problem->setMinimumWidth(360);
    m_problem->setMinimumHeight(2 * fontMetrics().lineSpacing()); // a message of two lines has room
    m_problem->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    column->addWidget(m_problem);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    m_accept = buttons->button(QDialogButtonBox::Ok);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_size, &QLineEdit::textChanged, this, &SizeQuestion::check);
    m_size->selectAll();
    check();
}

void SizeQuestion::setEmptyMeaning(const QString& meaning)
{
    m_emptyMeaning = meaning;
    check();
}

void SizeQuestion::addText(const QString& label, const QString& value, const QString& hint)
{
    m_text = new QLineEdit(value, this);
    m_text->setPlaceholderText(hint);
    m_form->addRow(label, m_text);
}

std::optional<Bytes> SizeQuestion::value() const { return m_size->typedValue(); }

QString SizeQuestion::text() const { return m_text ? m_text->text().trimmed() : QString(); }

void SizeQuestion::check()
{
    const bool empty = m_size->text().trimmed().isEmpty();
    const QString problem = empty ? QString() : m_size->problem();
    const bool fine = empty ? !m_emptyMeaning.isEmpty() : problem.isEmpty();
    QPalette colors = palette();
    colors.setColor(
        QPalette::WindowText, problem.isEmpty() ? themeOf(this).text2 : themeOf(this).overText);
    m_problem->setPalette(colors);
    m_problem->setText(problem.isEmpty() ? m_emptyMeaning : problem);
    m_accept->setEnabled(fine);
}

} // namespace shardrack
