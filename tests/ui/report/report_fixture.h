#pragma once

#include "document/plan_file.h"
#include "report/export.h"

#include <QTest>

// Plans and reports for the tests of the report.

namespace reports {

using namespace shardrack;

/// A file of the source tree: "resources/examples/ts-24.shardrack".
inline ReportInput inputFrom(const char* file)
{
    const auto reading
        = readPlanFile(QStringLiteral(SHARDRACK_SOURCE_DIR "/") + QLatin1String(file));
    if (!reading.ok())
        qFatal("%s", reading.error().text().c_str());
    ReportInput input;
    input.plan = std::make_shared<const Plan>(reading->plan);
    input.program = QStringLiteral("Shardrack test");
    input.date = QDate(2026, 11, 30);
    return input;
}

inline ReportInput ts24() { return inputFrom("resources/examples/ts-24.shardrack"); }
inline ReportInput llama() { return inputFrom("tests/data/plans/report-llama-32.shardrack"); }
inline ReportInput large() { return inputFrom("tests/data/plans/report-16384-gpus.shardrack"); }

/// One section alone.
inline ReportOptions only(const char* sections)
{
    ReportOptions options;
    options.sections = *reportSections(QLatin1String(sections), nullptr);
    return options;
}

/// Everything that a document says, in its order, a line a block or row.
inline QString textOf(const ReportDocument& document)
{
    QStringList lines;
    const auto row = [&](const std::vector<Cell>& cells) {
        QStringList words;
        for (const Cell& cell : cells)
            words << plainText(cell.text) << cell.detail;
        words.removeAll(QString());
        lines << words.join(u'|');
    };
    for (const ReportBlock& block : document.blocks) {
        if (const auto* heading = std::get_if<Heading>(&block)) {
            lines << heading->text << heading->note;
        } else if (const auto* paragraph = std::get_if<Paragraph>(&block)) {
            lines << plainText(paragraph->text);
        } else if (const auto* table = std::get_if<Table>(&block)) {
            row(table->header);
            for (const auto& cells : table->rows)
                row(cells);
        } else if (const auto* list = std::get_if<Definitions>(&block)) {
            for (const Definitions::Item& item : list->items)
                lines << plainText(item.term) + u'|' + plainText(item.text);
        } else if (const auto* box = std::get_if<NoteBox>(&block)) {
            lines << plainText(box->text);
        } else if (const auto* figure = std::get_if<Figure>(&block)) {
            lines << figure->alt;
        }
    }
    return lines.join(u'\n');
}

} // namespace reports
