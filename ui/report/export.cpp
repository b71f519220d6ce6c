#include "report/export.h"

#include "plan/comparison.h"
#include "plan/plan_json.h"
#include "report/composer.h"
#include "report/device_table.h"
#include "report/pdf_finish.h"
#include "report/table_text.h"
#include "report/units.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QFileInfo>
#include <QPageLayout>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QRegularExpression>
#include <QSaveFile>

namespace shardrack {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(shardrack::Report)
};

QString fileName(const Plan& plan)
{
    QString name = QString::fromStdString(plan.title).simplified();
    static const QRegularExpression unwanted(
        QStringLiteral("[^\\w .,()+-]"), QRegularExpression::UseUnicodePropertiesOption);
    name.replace(unwanted, QStringLiteral("-"));
    while (name.startsWith(u'.') || name.startsWith(u' '))
        name.remove(0, 1);
    return name.left(80).trimmed();
}

/// "report" for "folder/report.csv".
QString withoutEnding(const QString& path, const QString& ending)
{
    return path.endsWith(ending, Qt::CaseInsensitive) ? path.chopped(ending.size()) : path;
}

} // namespace

Result<QByteArray> reportPdf(
    const LaidOutReport& report, const ReportInput& input, const ReportOptions& options)
{
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&buffer);
        writer.setPageLayout(
            QPageLayout(QPageSize(options.paper == Paper::A4 ? QPageSize::A4 : QPageSize::Letter),
                QPageLayout::Portrait, QMarginsF()));
        writer.setResolution(static_cast<int>(kDotsPerInch));
        writer.setTitle(report.document().title);
        writer.setCreator(input.program);
        if (options.attachPlan) {
            // Before a painter begins: afterwards it would be lost without a word.
            QString name = fileName(*input.plan);
            if (name.isEmpty())
                name = QStringLiteral("plan");
            writer.addFileAttachment(name + QStringLiteral(".shardrack"),
                QByteArray::fromStdString(writePlan(*input.plan)),
                QStringLiteral("application/x-shardrack"));
        }
        QPainter painter;
        if (!painter.begin(&writer))
            return Error { "", "the PDF could not be begun", "" };
        for (int page = 0; page < report.pageCount(); ++page) {
            if (page > 0 && !writer.newPage())
                return Error { "", "a page of the PDF could not be begun", "" };
            report.paintPage(painter, page);
        }
        if (!painter.end())
            return Error { "", "the PDF could not be ended", "" };
    }
    return finishPdf(buffer.data(), report);
}

std::vector<TableFile> reportTables(const ReportInput& input, const ReportOptions& options)
{
    ComparisonChoice choice;
    choice.offers = options.offers;
    choice.baseline = options.offers.empty() ? 0 : options.offers.front();
    const Comparison comparison = compare(input.plan, choice, input.assessments);
    std::vector<TableFile> files;
    files.push_back(
        { QStringLiteral("comparison"), QByteArray::fromStdString(comparisonCsv(comparison)) });
    files.push_back({ QStringLiteral("devices"), tableCsv(deviceTable(comparison, 0)) });
    ReportOptions questions = options;
    questions.sections = *reportSections(QStringLiteral("questions"), nullptr);
    for (const ReportBlock& block : composeReport(input, questions).blocks)
        if (const auto* table = std::get_if<Table>(&block))
            files.push_back({ table->title, tableCsv(*table) });
    return files;
}

std::optional<Error> writeWhole(const QString& path, const QByteArray& content)
{
    QSaveFile file(path);
    const auto failed = [&] {
        return Error { path.toStdString(), file.errorString().toStdString(),
            "a folder that can be written to" };
    };
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size() || !file.commit())
        return failed();
    return std::nullopt;
}

std::optional<Error> exportPdf(
    const QString& path, const ReportInput& input, const ReportOptions& options, int* pages)
{
    const auto report = layoutReport(input, options);
    const auto pdf = reportPdf(*report, input, options);
    if (!pdf)
        return pdf.error();
    if (pages)
        *pages = report->pageCount();
    return writeWhole(path, *pdf);
}

std::optional<Error> exportHtml(
    const QString& path, const ReportInput& input, const ReportOptions& options)
{
    return writeWhole(path, reportHtml(input, options));
}

std::optional<Error> exportTables(const QString& path, const ReportInput& input,
    const ReportOptions& options, QStringList* written)
{
    const QString stem = withoutEnding(path, QStringLiteral(".csv"));
    for (const TableFile& file : reportTables(input, options)) {
        const QString name = stem + u'-' + file.name + QStringLiteral(".csv");
        if (auto error = writeWhole(name, file.csv))
            return error;
        if (written)
            written->append(name);
    }
    return std::nullopt;
}

QString suggestedName(const Plan& plan)
{
    const QString name = fileName(plan);
    return name.isEmpty() ? Words::tr("report") : Words::tr("%1 report").arg(name);
}

} // namespace shardrack
