#include "editors/choice_box.h"

#include "style/view_style.h"

#include <QStyleOptionComboBox>
#include <QStylePainter>
#include <QWheelEvent>

namespace shardrack {

ChoiceBox::ChoiceBox(QWidget* parent)
    : QComboBox(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    // The field is as wide as the form allows; its entries may be long.
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(6);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ChoiceBox::setShownText(const QString& text, bool tried)
{
    if (text == m_shown && tried == m_tried)
        return;
    m_shown = text;
    m_tried = tried;
    setAccessibleDescription(text);
    update();
}

void ChoiceBox::showPopup()
{
    emit opened();
    QComboBox::showPopup();
}

void ChoiceBox::wheelEvent(QWheelEvent* event)
{
    if (hasFocus())
        QComboBox::wheelEvent(event);
    else
        event->ignore();
}

void ChoiceBox::initStyleOption(QStyleOptionComboBox* option) const
{
    QComboBox::initStyleOption(option);
    if (!m_shown.isEmpty())
        option->currentText = m_shown;
}

void ChoiceBox::paintEvent(QPaintEvent*)
{
    QStylePainter painter(this);
    QStyleOptionComboBox option;
    initStyleOption(&option);
    if (m_tried)
        option.palette.setColor(QPalette::ButtonText, themeOf(this).link);
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    const QRect field
        = style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this);
    option.currentText
        = fontMetrics().elidedText(option.currentText, Qt::ElideRight, field.width() - 4);
    painter.setPen(option.palette.color(QPalette::ButtonText));
    painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

} // namespace shardrack
