#include "compare/price_editor.h"

#include "style/view_style.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

#include <algorithm>

namespace shardrack {

QString readPrice(const QString& text, std::optional<Price>& price)
{
    if (text.trimmed().isEmpty()) {
        price.reset();
        return {};
    }
    const std::string typed = text.toStdString();
    const auto read
        = shardrack::readPrice(std::string_view(typed), price ? price->per : Price::Per::GpuHour);
    if (!read)
        return QString::fromStdString(read.error().text());
    Price changed = *read;
    if (price) {
        changed.note = price->note;
        changed.extra = price->extra;
    }
    price = std::move(changed);
    return {};
}

PriceEditor::PriceEditor(QWidget* parent)
    : QWidget(parent)
    , m_text(new QLineEdit(this))
    , m_per(new QComboBox(this))
    , m_problem(new QLabel(this))
{
    setAutoFillBackground(true);
    m_text->setObjectName(QStringLiteral("priceText"));
    m_text->setAccessibleName(tr("Price"));
    m_text->setPlaceholderText(tr("2.49 USD"));
    m_text->setMinimumWidth(70);
    m_per->setObjectName(QStringLiteral("pricePer"));
    m_per->setAccessibleName(tr("What the price is for"));
    m_per->addItem(tr("a GPU-hour"), int(Price::Per::GpuHour));
    m_per->addItem(tr("for the offer"), int(Price::Per::Offer));
    m_problem->setObjectName(QStringLiteral("priceProblem"));
    m_problem->setWordWrap(true);
    QPalette ink = palette();
    ink.setColor(QPalette::WindowText, themeOf(this).overText);
    m_problem->setPalette(ink);
    m_problem->setForegroundRole(QPalette::WindowText); // in a table it would be that of its cells
    m_problem->hide();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(4, 2, 4, 2);
    column->setSpacing(2);
    auto* row = new QHBoxLayout;
    row->setSpacing(4);
    row->addWidget(m_text, 1);
    row->addWidget(m_per);
    column->addLayout(row);
    column->addWidget(m_problem);
    setFocusProxy(m_text);
    m_text->installEventFilter(this);
    m_per->installEventFilter(this);
    connect(m_text, &QLineEdit::textEdited, this, &PriceEditor::read);
    connect(m_per, &QComboBox::currentIndexChanged, this, &PriceEditor::read);
}

void PriceEditor::setPrice(const std::optional<Price>& price)
{
    m_before = price;
    m_text->setText(price ? QString::fromStdString(price->amount + " " + price->currency).trimmed()
                          : QString());
    m_per->setCurrentIndex(price ? int(price->per) : 0);
    m_text->selectAll();
    read();
}

void PriceEditor::read()
{
    m_read = m_before;
    const QString problem = readPrice(m_text->text(), m_read);
    if (m_read)
        m_read->per = static_cast<Price::Per>(m_per->currentData().toInt());
    m_problem->setText(problem);
    m_problem->setVisible(!problem.isEmpty());
    emit changed();
}

int PriceEditor::heightForWidth(int width) const
{
    return std::max(layout()->totalHeightForWidth(width), layout()->totalSizeHint().height());
}

QString PriceEditor::problem() const { return m_problem->text(); }

/// Enter and Escape go to whoever opened the editor, whichever field has the focus.
bool PriceEditor::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Escape) {
            QKeyEvent copy(QEvent::KeyPress, key, static_cast<QKeyEvent*>(event)->modifiers());
            QCoreApplication::sendEvent(this, &copy);
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace shardrack
