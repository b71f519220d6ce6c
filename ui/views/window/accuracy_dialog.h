#pragma once

#include <QDialog>

#include <string>

class QTextBrowser;

namespace shardrack {

/// "How accurate is this?": what the framework in use was held against, then the whole page that
/// the program's validation wrote. It stays beside the window while one works on.
class AccuracyDialog : public QDialog {
    Q_OBJECT
public:
    explicit AccuracyDialog(QWidget* parent = nullptr);
    /// Comes to the front. `framework`: of the offer in front; `derived`: whether the framework's
    /// strategy derived that offer's account.
    void open(const std::string& framework, bool derived);

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();

    QTextBrowser* m_text;
    std::string m_framework;
    bool m_derived = false;
};

} // namespace shardrack
