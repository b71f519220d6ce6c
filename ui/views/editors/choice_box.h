#pragma once

#include <QComboBox>

namespace shardrack {

/// A list to choose from inside a form: the wheel scrolls the form, not the choice, unless the
/// field has the focus; what the closed field shows may differ from the entry ("2 × 8 → 3 × 8").
class ChoiceBox : public QComboBox {
    Q_OBJECT
public:
    explicit ChoiceBox(QWidget* parent = nullptr);

    /// Shown in the closed field instead of the current entry; empty: the entry. `tried`: it tells
    /// of something that is only being tried.
    void setShownText(const QString& text, bool tried = false);
    QString shownText() const { return m_shown; }

    void showPopup() override;

signals:
    /// The list opens: what is chosen next is a change of its own.
    void opened();

protected:
    bool event(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void initStyleOption(QStyleOptionComboBox* option) const override;
    void paintEvent(QPaintEvent* event) override;

private:
    QRect textRect(const QStyleOptionComboBox& option) const;

    QString m_shown;
    bool m_tried = false;
};

} // namespace shardrack
