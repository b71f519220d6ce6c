#pragma once

#include "base/bytes.h"

#include <QDialog>

#include <optional>

class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace shardrack {

class SizeEdit;

/// Asks for a size (and, where added, a line of text). It cannot be accepted while the size cannot
/// be read; the reason stands under the field.
class SizeQuestion : public QDialog {
    Q_OBJECT
public:
    SizeQuestion(const QString& title, const QString& question, std::optional<Bytes> value,
        QWidget* parent = nullptr);
    /// Allows an empty field, and says what it means.
    void setEmptyMeaning(const QString& meaning);
    void addText(const QString& label, const QString& value, const QString& hint);
    std::optional<Bytes> value() const;
    QString text() const;

private:
    void check();

    SizeEdit* m_size;
    QLineEdit* m_text = nullptr;
    QLabel* m_problem;
    QFormLayout* m_form;
    QPushButton* m_accept;
    QString m_emptyMeaning;
};

} // namespace shardrack
