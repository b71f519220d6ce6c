// Export report…: choices, preview, files.

#include "export/report_dialog.h"
#include "export/report_preview.h"

#include "document/plan_file.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

using namespace shardrack;

namespace {

ReportInput ts24()
{
    const auto reading
        = readPlanFile(QStringLiteral(SHARDRACK_SOURCE_DIR "/resources/examples/ts-24.shardrack"));
    ReportInput input;
    input.plan = std::make_shared<const Plan>(reading->plan);
    input.program = QStringLiteral("Shardrack test");
    input.date = QDate(2026, 11, 30);
    return input;
}

template <class T> T* child(QWidget& dialog, const char* name)
{
    T* found = dialog.findChild<T*>(QLatin1String(name));
    if (!found)
        qFatal("no %s", name);
    return found;
}

} // namespace

class TestReportDialog : public QObject {
    Q_OBJECT
private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_dialog = std::make_unique<ReportDialog>(ts24(), m_folder->path());
        m_dialog->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_dialog.get()));
        m_preview = child<ReportPreview>(*m_dialog, "preview");
    }
    void cleanup() { m_dialog.reset(); }

    void everythingIsOnAtFirst()
    {
        const ReportOptions options = m_dialog->options();
        QCOMPARE(options.offers, std::vector<std::size_t>({ 0, 1 }));
        QVERIFY(options.sections == ReportSections());
        QVERIFY(options.attachPlan);
        QVERIFY(m_preview->report());
        QVERIFY(child<QLabel>(*m_dialog, "page")->text().startsWith(QStringLiteral("Page 1 of ")));
    }

    void choicesChangeThePreview()
    {
        const int pages = m_preview->report()->pageCount();
        child<QCheckBox>(*m_dialog, "questions")->setChecked(false);
        child<QCheckBox>(*m_dialog, "glossary")->setChecked(false);
        QTRY_VERIFY(m_preview->report()->pageCount() < pages);
        child<QComboBox>(*m_dialog, "paper")->setCurrentIndex(1);
        QTRY_VERIFY(m_preview->report()->style().paper() == Paper::Letter);
        child<QLineEdit>(*m_dialog, "title")->setText(QStringLiteral("For the board"));
        m_dialog->refreshNow();
        QCOMPARE(m_dialog->options().title, QStringLiteral("For the board"));
    }

    void nothingChosenIsSaid()
    {
        for (QCheckBox* box : m_dialog->findChildren<QCheckBox*>(QStringLiteral("offer")))
            box->setChecked(false);
        m_dialog->refreshNow();
        QVERIFY(!m_preview->report());
        for (const char* name : { "exportPdf", "exportHtml", "exportTables" }) {
            QVERIFY(!child<QPushButton>(*m_dialog, name)->isEnabled());
            QVERIFY(!child<QPushButton>(*m_dialog, name)->toolTip().isEmpty());
        }
    }

    void pagesByKeyboard()
    {
        m_preview->setFocus();
        QTest::keyClick(m_preview, Qt::Key_PageDown);
        QCOMPARE(m_preview->currentPage(), 1);
        QTest::keyClick(m_preview, Qt::Key_End);
        QCOMPARE(m_preview->currentPage(), m_preview->report()->pageCount() - 1);
        QTest::keyClick(m_preview, Qt::Key_Home);
        QCOMPARE(m_preview->currentPage(), 0);
        const double zoom = m_preview->zoom();
        QTest::keyClick(m_preview, Qt::Key_Plus);
        QVERIFY(m_preview->zoom() > zoom);
        QTest::keyClick(m_preview, Qt::Key_0);
        QCOMPARE(m_preview->zoom(), zoom);
    }

    void aLinkLeadsToItsPage()
    {
        const LaidOutReport& report = *m_preview->report();
        const PageLink* far = nullptr;
        const std::vector<PageLink> links = report.links();
        for (const PageLink& link : links)
            if (link.page == 0 && report.pageOf(link.target) > 1)
                far = &link;
        QVERIFY(far);
        const QRect page = m_preview->pageRect(0);
        const double scale = page.width() / report.style().page().width();
        const QPoint at = page.topLeft() + (far->rect.center() * scale).toPoint();
        m_preview->verticalScrollBar()->setValue(0);
        QTest::mouseClick(m_preview->viewport(), Qt::LeftButton, {}, at);
        QVERIFY(m_preview->verticalScrollBar()->value() > page.height());
    }

    void filesAreWritten()
    {
        const QString pdf = m_folder->filePath(QStringLiteral("report"));
        m_dialog->askForFile = [&](const QString&, const QString& suggestion) {
            m_suggestion = suggestion;
            return pdf; // without an ending: it is added
        };
        child<QPushButton>(*m_dialog, "exportPdf")->click();
        QVERIFY(
            m_suggestion.endsWith(QStringLiteral("TS-24 four GPUs with 16 GiB each report.pdf")));
        QVERIFY(QFile::exists(pdf + QStringLiteral(".pdf")));
        child<QPushButton>(*m_dialog, "exportHtml")->click();
        QVERIFY(QFile::exists(pdf + QStringLiteral(".html")));
        child<QPushButton>(*m_dialog, "exportTables")->click();
        QVERIFY(QFile::exists(pdf + QStringLiteral("-comparison.csv")));
        QVERIFY(child<QLabel>(*m_dialog, "message")->text().contains(QStringLiteral("4 tables")));
    }

    void aFailureIsSaidInTheDialog()
    {
        m_dialog->askForFile = [&](const QString&, const QString&) {
            return m_folder->filePath(QStringLiteral("no/such/folder/report.pdf"));
        };
        child<QPushButton>(*m_dialog, "exportPdf")->click();
        QVERIFY(child<QLabel>(*m_dialog, "message")
                    ->text()
                    .startsWith(QStringLiteral("Not exported.")));
    }

    void everythingHasAName()
    {
        for (QWidget* widget : m_dialog->findChildren<QWidget*>()) {
            if (widget->focusPolicy() == Qt::NoFocus || qobject_cast<QScrollBar*>(widget)
                || !widget->isVisible()
                || widget->objectName() == QLatin1String("qt_scrollarea_viewport"))
                continue;
            const auto* button = qobject_cast<QAbstractButton*>(widget);
            QVERIFY2(!widget->accessibleName().isEmpty() || (button && !button->text().isEmpty())
                    || qobject_cast<QLabel*>(widget),
                widget->metaObject()->className());
        }
    }

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<ReportDialog> m_dialog;
    ReportPreview* m_preview = nullptr;
    QString m_suggestion;
};

QTEST_MAIN(TestReportDialog)
#include "test_report_dialog.moc"
