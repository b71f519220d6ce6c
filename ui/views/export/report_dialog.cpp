#include "export/report_dialog.h"

#include "export/report_preview.h"
#include "style/view_style.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QGroupBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace shardrack {

namespace {

/// Time without another change before the pages are made anew.
constexpr int kPause = 120;

QString filterFor(const QString& ending)
{
    if (ending == QLatin1String(".pdf"))
        return ReportDialog::tr("PDF (*.pdf)");
    if (ending == QLatin1String(".html"))
        return ReportDialog::tr("HTML (*.html)");
    return ReportDialog::tr("Tables (*.csv)");
}

} // namespace

ReportDialog::ReportDialog(ReportInput input, const QString& folder, QWidget* parent)
    : QDialog(parent)
    , m_input(std::move(input))
    , m_folder(folder)
{
    setWindowTitle(tr("Export report"));
    setObjectName(QStringLiteral("reportDialog"));
    askForFile = [this](const QString& ending, const QString& suggestion) {
        return QFileDialog::getSaveFileName(
            this, tr("Export report"), suggestion, filterFor(ending));
    };
    // Assessing takes longer than anything here: once is enough.
    m_input.assessments.resize(m_input.plan->offers.size());
    for (std::size_t i = 0; i < m_input.assessments.size(); ++i)
        if (!m_input.assessments[i])
            m_input.assessments[i] = assess(*m_input.plan, i);
    auto* rows = new QVBoxLayout(this);
    auto* columns = new QHBoxLayout;
    columns->addWidget(buildChoices());
    columns->addWidget(buildPreview(), 1);
    rows->addLayout(columns, 1);
    rows->addWidget(buildButtons());
    m_timer.setSingleShot(true);
    m_timer.setInterval(kPause);
    connect(&m_timer, &QTimer::timeout, this, &ReportDialog::refreshNow);
    const QSize room = screen()->availableSize() - QSize(40, 60);
    resize(QSize(1160, 820).boundedTo(room));
    refreshNow();
}

QCheckBox* ReportDialog::addCheck(QLayout* layout, const QString& text, const char* name)
{
    auto* box = new QCheckBox(QString(text).replace(u'&', QStringLiteral("&&")), this);
    box->setObjectName(QLatin1String(name));
    box->setChecked(true);
    connect(box, &QCheckBox::toggled, this, &ReportDialog::chosen);
    layout->addWidget(box);
    return box;
}

QWidget* ReportDialog::buildChoices()
{
    auto* panel = new QWidget;
    auto* rows = new QVBoxLayout(panel);
    rows->setContentsMargins(0, 0, 6, 0);
    auto* offers = new QGroupBox(tr("Offers"));
    auto* offerRows = new QVBoxLayout(offers);
    for (const auto& offer : m_input.plan->offers)
        m_offers.push_back(addCheck(offerRows, QString::fromStdString(offer->name), "offer"));
    if (m_offers.empty())
        offerRows->addWidget(new QLabel(tr("The plan has no offer.")));
    rows->addWidget(offers);
    auto* sections = new QGroupBox(tr("Sections"));
    auto* sectionRows = new QVBoxLayout(sections);
    for (int i = 0; i < kReportSectionCount; ++i) {
        const auto section = static_cast<ReportSection>(i);
        m_sections.push_back(addCheck(sectionRows, title(section), id(section)));
    }
    rows->addWidget(sections);
    auto* form = new QVBoxLayout;
    auto* titleLabel = new QLabel(tr("Title"));
    m_title = new QLineEdit;
    m_title->setObjectName(QStringLiteral("title"));
    m_title->setPlaceholderText(tr("What the findings say"));
    m_title->setAccessibleName(tr("Title of the report"));
    titleLabel->setBuddy(m_title);
    connect(m_title, &QLineEdit::textChanged, this, &ReportDialog::chosen);
    auto* paperLabel = new QLabel(tr("Paper"));
    m_paper = new QComboBox;
    m_paper->setObjectName(QStringLiteral("paper"));
    m_paper->addItems({ tr("A4"), tr("Letter") });
    m_paper->setAccessibleName(tr("Paper"));
    if (QLocale().measurementSystem() == QLocale::ImperialUSSystem)
        m_paper->setCurrentIndex(1);
    paperLabel->setBuddy(m_paper);
    connect(m_paper, &QComboBox::currentIndexChanged, this, &ReportDialog::chosen);
    form->addWidget(titleLabel);
    form->addWidget(m_title);
    form->addWidget(paperLabel);
    form->addWidget(m_paper);
    m_attach = addCheck(form, tr("Attach the plan's file to the PDF"), "attach");
    rows->addLayout(form);
    rows->addStretch(1);
    auto* scroll = new QScrollArea;
    scroll->setWidget(panel);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFixedWidth(panel->sizeHint().width() + 24);
    scroll->setFocusPolicy(Qt::NoFocus);
    return scroll;
}

QWidget* ReportDialog::buildPreview()
{
    auto* panel = new QWidget;
    auto* rows = new QVBoxLayout(panel);
    rows->setContentsMargins(0, 0, 0, 0);
    m_preview = new ReportPreview;
    m_preview->setObjectName(QStringLiteral("preview"));
    rows->addWidget(m_preview, 1);
    auto* bar = new QHBoxLayout;
    const auto button
        = [&](const QString& text, const QString& name, const QString& tip, auto run) {
              auto* made = new QToolButton;
              made->setText(text);
              made->setAccessibleName(name);
              made->setToolTip(tip);
              connect(made, &QToolButton::clicked, this, run);
              bar->addWidget(made);
          };
    button(QStringLiteral("−"), tr("Smaller"), tr("Smaller (−)"),
        [this] { m_preview->setZoom(m_preview->zoom() / 1.2); });
    button(QStringLiteral("+"), tr("Larger"), tr("Larger (+)"),
        [this] { m_preview->setZoom(m_preview->zoom() * 1.2); });
    button(
        tr("Fit width"), tr("Fit width"), tr("Fit width (0)"), [this] { m_preview->setZoom(0); });
    bar->addStretch(1);
    m_page = new QLabel;
    m_page->setObjectName(QStringLiteral("page"));
    bar->addWidget(m_page);
    rows->addLayout(bar);
    connect(m_preview, &ReportPreview::viewChanged, this, &ReportDialog::showView);
    return panel;
}

QWidget* ReportDialog::buildButtons()
{
    auto* panel = new QWidget;
    auto* row = new QHBoxLayout(panel);
    row->setContentsMargins(0, 0, 0, 0);
    m_message = new QLabel;
    m_message->setObjectName(QStringLiteral("message"));
    m_message->setWordWrap(true);
    m_message->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    row->addWidget(m_message, 1);
    const auto add = [&](const QString& text, const char* name, const QString& ending) {
        auto* button = new QPushButton(text);
        button->setObjectName(QLatin1String(name));
        button->setAutoDefault(false);
        connect(button, &QPushButton::clicked, this, [this, ending] { exportTo(ending); });
        row->addWidget(button);
        m_exports.push_back(button);
        return button;
    };
    add(tr("Export &tables (CSV)…"), "exportTables", QStringLiteral(".csv"));
    add(tr("Export &HTML…"), "exportHtml", QStringLiteral(".html"));
    add(tr("Export &PDF…"), "exportPdf", QStringLiteral(".pdf"))->setDefault(true);
    auto* close = new QPushButton(tr("&Close"));
    close->setAutoDefault(false);
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    row->addWidget(close);
    return panel;
}

ReportOptions ReportDialog::options() const
{
    ReportOptions options;
    for (std::size_t i = 0; i < m_offers.size(); ++i)
        if (m_offers[i]->isChecked())
            options.offers.push_back(i);
    for (std::size_t i = 0; i < m_sections.size(); ++i)
        options.sections.set(static_cast<ReportSection>(i), m_sections[i]->isChecked());
    options.paper = m_paper->currentIndex() == 1 ? Paper::Letter : Paper::A4;
    options.attachPlan = m_attach->isChecked();
    options.title = m_title->text().trimmed();
    return options;
}

void ReportDialog::chosen()
{
    say({}, false);
    m_timer.start();
}

void ReportDialog::refreshNow()
{
    m_timer.stop();
    const ReportOptions now = options();
    QString reason;
    if (now.offers.empty())
        reason = tr("Choose at least one offer.");
    else if (now.sections.none())
        reason = tr("Choose at least one section.");
    m_preview->setReport(reason.isEmpty() ? layoutReport(m_input, now) : nullptr, reason);
    for (QPushButton* button : m_exports) {
        button->setEnabled(reason.isEmpty());
        button->setToolTip(reason);
    }
    showView();
}

void ReportDialog::showView()
{
    const LaidOutReport* report = m_preview->report();
    m_page->setText(!report ? QString()
                            : tr("Page %1 of %2, %3 %")
                                  .arg(m_preview->currentPage() + 1)
                                  .arg(report->pageCount())
                                  .arg(std::lround(m_preview->zoom() * 100)));
}

void ReportDialog::exportTo(const QString& ending)
{
    refreshNow();
    QString path
        = askForFile(ending, QDir(m_folder).filePath(suggestedName(*m_input.plan) + ending));
    if (path.isEmpty())
        return;
    if (QFileInfo(path).suffix().isEmpty())
        path += ending;
    std::optional<Error> error;
    QStringList written;
    if (ending == QLatin1String(".pdf")) {
        const auto pdf = reportPdf(*m_preview->report(), m_input, options());
        error = pdf ? writeWhole(path, *pdf) : std::optional<Error>(pdf.error());
    } else if (ending == QLatin1String(".html")) {
        error = exportHtml(path, m_input, options());
    } else {
        error = exportTables(path, m_input, options(), &written);
    }
    if (error) {
        say(tr("Not exported. %1").arg(QString::fromStdString(error->text())), true);
        return;
    }
    m_folder = QFileInfo(path).absolutePath();
    say(written.isEmpty() ? tr("Written: %1").arg(QDir::toNativeSeparators(path))
                          : tr("Written: %1 tables in %2")
                                .arg(written.size())
                                .arg(QDir::toNativeSeparators(m_folder)),
        false);
    emit exported(path);
}

void ReportDialog::say(const QString& text, bool failed)
{
    QPalette colors = palette();
    if (failed)
        colors.setColor(QPalette::WindowText, themeOf(this).overText);
    m_message->setPalette(colors);
    m_message->setText(text);
}

} // namespace shardrack
