#pragma once

#include "base/result.h"
#include "report/compose.h"

#include <QByteArray>
#include <QString>

#include <optional>
#include <vector>

namespace shardrack {

/// The report as a PDF: vector charts, embedded fonts, outline, links, metadata, and the plan's
/// file attached when the options say so.
Result<QByteArray> reportPdf(
    const LaidOutReport& report, const ReportInput& input, const ReportOptions& options);

/// The report as one HTML file without pages: headings, tables, and the figures as text.
QByteArray reportHtml(const ReportInput& input, const ReportOptions& options);

/// A table as a file of its own.
struct TableFile {
    QString name; ///< "comparison", "devices", "questions-1", …
    QByteArray csv; ///< as in RFC 4180, UTF-8
};
/// The comparison, all kinds of devices, and the questions of each offer.
std::vector<TableFile> reportTables(const ReportInput& input, const ReportOptions& options);

/// Writes a file whole or not at all. The Error says what prevented it.
std::optional<Error> writeWhole(const QString& path, const QByteArray& content);

/// Makes the report and writes it. `pages` receives how many it has.
std::optional<Error> exportPdf(const QString& path, const ReportInput& input,
    const ReportOptions& options, int* pages = nullptr);
std::optional<Error> exportHtml(
    const QString& path, const ReportInput& input, const ReportOptions& options);
/// Writes one file for each table beside each other: for "report.csv" those are
/// "report-comparison.csv", "report-devices.csv", … `written` receives their paths.
std::optional<Error> exportTables(const QString& path, const ReportInput& input,
    const ReportOptions& options, QStringList* written = nullptr);

/// A file name for the report of a plan, without an ending: "TS-24 four GPUs report".
QString suggestedName(const Plan& plan);

} // namespace shardrack
