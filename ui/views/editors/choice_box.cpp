#include "editors/choice_box.h"

#include "style/view_style.h"

#include <QStyleOptionComboBox>
#include <QStylePainter>
#include <QToolTip>
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

QRect ChoiceBox::textRect(const QStyleOptionComboBox& option) const
{
    return style()
        ->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this)
        .adjusted(2, 0, -2, 0);
}

bool ChoiceBox::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        // What is cut short is told whole, before what else there is to say.
        QStyleOptionComboBox option;
        initStyleOption(&option);
        const bool cut
            = fontMetrics().horizontalAdvance(option.currentText) > textRect(option).width();
        QStringList lines;
        if (cut)
            lines << option.currentText;
        if (!toolTip().isEmpty())
            lines << toolTip();
        const QPoint at = static_cast<QHelpEvent*>(event)->globalPos();
        QToolTip::showText(at, lines.join(u'\n'), this);
        return true;
    }
    return QComboBox::event(event);
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
    option.currentText
        = fontMetrics().elidedText(option.currentText, Qt::ElideRight, textRect(option).width());
    painter.setPen(option.palette.color(QPalette::ButtonText));
    painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

} // namespace shardrack
