#include "editors/integer_edit.h"

#include "base/size_text.h"

#include <algorithm>

namespace shardrack {

IntegerEdit::IntegerEdit(QWidget* parent)
    : NumberEdit(parent)
{
}

void IntegerEdit::setRange(std::int64_t minimum, std::int64_t maximum)
{
    m_minimum = minimum;
    m_maximum = maximum;
}

void IntegerEdit::setStep(std::int64_t step) { m_step = step; }

void IntegerEdit::setValue(std::optional<std::int64_t> value)
{
    const bool changed = value != m_value;
    m_value = value;
    showValueUnlessTyping(changed);
}

std::optional<std::int64_t> IntegerEdit::typedValue() const
{
    const auto number = parseInteger(text().trimmed().toStdString(), m_minimum, m_maximum);
    return number ? std::optional(*number) : std::nullopt;
}

QString IntegerEdit::problemOf(const QString& text) const
{
    const auto number = parseInteger(text.toStdString(), m_minimum, m_maximum);
    return number ? QString() : QString::fromStdString(number.error().text());
}

void IntegerEdit::accept()
{
    const std::optional<std::int64_t> typed = typedValue();
    if (typed == m_value)
        return;
    m_value = typed;
    showValue();
    emit valueEdited(m_value);
}

QString IntegerEdit::valueText() const
{
    return m_value ? QString::fromStdString(grouped(*m_value)) : QString();
}

void IntegerEdit::step(int steps)
{
    std::int64_t next = typedValue().value_or(0);
    std::int64_t change = 0;
    if (__builtin_mul_overflow(m_step, std::int64_t(steps), &change)
        || __builtin_add_overflow(next, change, &next))
        next = steps > 0 ? m_maximum : m_minimum;
    next = std::clamp(next, m_minimum, m_maximum);
    setText(QString::fromStdString(grouped(next)));
    accept();
}

} // namespace shardrack
