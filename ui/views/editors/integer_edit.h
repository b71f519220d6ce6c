#pragma once

#include "editors/number_edit.h"

#include <cstdint>
#include <limits>
#include <optional>

namespace shardrack {

/// A field for a whole number, shown with group marks ("8,192"); well-formed ones may be typed.
class IntegerEdit : public NumberEdit {
    Q_OBJECT
public:
    explicit IntegerEdit(QWidget* parent = nullptr);

    /// Both ends are allowed.
    void setRange(std::int64_t minimum, std::int64_t maximum);
    /// What one press of an arrow adds.
    void setStep(std::int64_t step);

    /// Shows a value without telling anybody. Text that is being typed stays while the value does.
    void setValue(std::optional<std::int64_t> value);
    /// The last valid value; nullopt: not given.
    std::optional<std::int64_t> value() const { return m_value; }
    /// What the text says now; nullopt when it is empty or cannot be read.
    std::optional<std::int64_t> typedValue() const;

signals:
    /// A person gave another value.
    void valueEdited(std::optional<std::int64_t> value);

protected:
    QString problemOf(const QString& text) const override;
    void accept() override;
    QString valueText() const override;
    void step(int steps) override;

private:
    std::optional<std::int64_t> m_value;
    std::int64_t m_minimum = 0;
    std::int64_t m_maximum = std::numeric_limits<std::int64_t>::max();
    std::int64_t m_step = 1;
};

} // namespace shardrack
