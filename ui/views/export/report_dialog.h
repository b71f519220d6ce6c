#pragma once

#include "report/export.h"

#include <QDialog>
#include <QTimer>

#include <functional>
#include <memory>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace shardrack {

class ReportPreview;

/// *Export report…*: which offers and sections, paper and title at the left; the pages as they will
/// be at the right. It works on a snapshot of the plan.
class ReportDialog : public QDialog {
    Q_OBJECT
public:
    /// `folder` is where files are suggested to be put.
    ReportDialog(ReportInput input, const QString& folder, QWidget* parent = nullptr);

    ReportOptions options() const;
    /// The pages are made anew a moment after the last change; this does it at once.
    void refreshNow();

    /// Seam for tests: where to write. `ending` is ".pdf", ".html" or ".csv"; empty: not at all.
    std::function<QString(const QString& ending, const QString& suggestion)> askForFile;

signals:
    void exported(const QString& path);

private:
    QWidget* buildChoices();
    QWidget* buildPreview();
    QWidget* buildButtons();
    QCheckBox* addCheck(class QLayout* layout, const QString& text, const char* name);
    void chosen();
    void showView();
    void exportTo(const QString& ending);
    void say(const QString& text, bool failed);

    ReportInput m_input;
    QString m_folder;
    QTimer m_timer;
    std::vector<QCheckBox*> m_offers;
    std::vector<QCheckBox*> m_sections;
    QCheckBox* m_attach = nullptr;
    QComboBox* m_paper = nullptr;
    QLineEdit* m_title = nullptr;
    ReportPreview* m_preview = nullptr;
    QLabel* m_page = nullptr;
    QLabel* m_message = nullptr;
    std::vector<QPushButton*> m_exports;
};

} // namespace shardrack
