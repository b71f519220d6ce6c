#pragma once

#include "plan/offer_facts.h"

#include <QMetaType>
#include <QWidget>

#include <optional>

class QComboBox;
class QLabel;
class QLineEdit;

namespace shardrack {

/// A price as it goes through an item model; absent: not given.
struct PriceEntry {
    std::optional<Price> price;
};

/// Fields for a price in a cell of a table: "2.49 USD" and what it is for. What cannot be read is
/// said below the field, which grows for it.
class PriceEditor : public QWidget {
    Q_OBJECT
public:
    explicit PriceEditor(QWidget* parent = nullptr);

    void setPrice(const std::optional<Price>& price);
    /// What the fields say; the note of the price before is kept.
    std::optional<Price> price() const { return m_read; }
    /// Why the fields cannot be read; empty when they can.
    QString problem() const;
    int heightForWidth(int width) const override;

signals:
    /// Height or validity changed.
    void changed();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void read();

    QLineEdit* m_text;
    QComboBox* m_per;
    QLabel* m_problem;
    std::optional<Price> m_before;
    std::optional<Price> m_read;
};

/// Reads "2.49 USD", "USD 2.49" or "2.49"; the amount is digits with at most one ".". Empty: no
/// price. Returns why it cannot be read.
QString readPrice(const QString& text, std::optional<Price>& price);

} // namespace shardrack

Q_DECLARE_METATYPE(shardrack::PriceEntry)
