#pragma once

#include "base/bytes.h"
#include "editors/number_edit.h"

#include <optional>

namespace shardrack {

/// A field for a size of memory, exact to the byte. A bare number means GiB; a unit may be typed
/// ("80 GB", "81559 MiB"), with either decimal mark.
class SizeEdit : public NumberEdit {
    Q_OBJECT
public:
    explicit SizeEdit(QWidget* parent = nullptr);

    /// Shows a value without telling anybody. Text that is being typed stays while the value does.
    void setValue(std::optional<Bytes> value);
    /// The last valid value; nullopt: not given.
    std::optional<Bytes> value() const { return m_value; }
    /// What the text says now; nullopt when it is empty or cannot be read.
    std::optional<Bytes> typedValue() const;

signals:
    /// A person gave another value.
    void valueEdited(std::optional<shardrack::Bytes> value);

protected:
    QString problemOf(const QString& text) const override;
    void accept() override;
    QString valueText() const override;
    void step(int steps) override;
    bool suffixApplies(const QString& text) const override;

private:
    std::optional<Bytes> m_value;
};

} // namespace shardrack
