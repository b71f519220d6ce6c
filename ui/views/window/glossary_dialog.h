#pragma once

#include <QDialog>

class QLineEdit;
class QListWidget;
class QTextBrowser;

namespace shardrack {

/// The words of the subject: a list to filter, and what the chosen one means. It stays beside the
/// window while one works on.
class GlossaryDialog : public QDialog {
    Q_OBJECT
public:
    explicit GlossaryDialog(QWidget* parent = nullptr);
    /// Comes to the front with a word, or with the list where the word is empty.
    void open(const QString& word);
    /// The word shown.
    QString word() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void filter(const QString& text);
    void choose(const QString& word);
    void explain();

    QLineEdit* m_filter;
    QListWidget* m_words;
    QTextBrowser* m_text;
};

} // namespace shardrack
