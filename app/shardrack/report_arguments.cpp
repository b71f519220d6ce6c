#include "report_arguments.h"

#include <QCommandLineParser>

namespace shardrack {

ReportArguments::ReportArguments(QCommandLineParser& parser)
    : m_exportPdf(QStringLiteral("export-pdf"),
        QStringLiteral("Write the plan's report to <file> (PDF) and end. Needs no display."),
        QStringLiteral("file"))
    , m_paper(QStringLiteral("paper"), QStringLiteral("a4 or letter, with --export-pdf."),
          QStringLiteral("paper"))
    , m_sections(QStringLiteral("sections"),
          QStringLiteral("Sections of the report, with --export-pdf: a list of %1.")
              .arg(reportSectionIds().join(QStringLiteral(", "))),
          QStringLiteral("list"))
    , m_withoutPlan(QStringLiteral("without-plan"),
          QStringLiteral("Do not attach the plan's file to the report."))
{
    parser.addOptions({ m_exportPdf, m_paper, m_sections, m_withoutPlan });
}

QString ReportArguments::read(const QCommandLineParser& parser, Startup& startup) const
{
    if (!parser.isSet(m_exportPdf)) {
        for (const QCommandLineOption& option : { m_paper, m_sections, m_withoutPlan })
            if (parser.isSet(option))
                return QStringLiteral("--%1 is about the report: expected with --export-pdf")
                    .arg(option.names().front());
        return {};
    }
    if (startup.screenshot)
        return QStringLiteral("--export-pdf and --screenshot: expected one of them");
    if (startup.plan.isEmpty())
        return QStringLiteral("--export-pdf: expected a plan (.shardrack) after it");
    startup.exportPdf = parser.value(m_exportPdf);
    startup.report.attachPlan = !parser.isSet(m_withoutPlan);
    const QString paper = parser.value(m_paper);
    if (paper.compare(QLatin1String("letter"), Qt::CaseInsensitive) == 0)
        startup.report.paper = Paper::Letter;
    else if (parser.isSet(m_paper) && paper.compare(QLatin1String("a4"), Qt::CaseInsensitive) != 0)
        return QStringLiteral("--paper %1: expected a4 or letter").arg(paper);
    return readSections(parser, startup);
}

QString ReportArguments::readSections(const QCommandLineParser& parser, Startup& startup) const
{
    if (!parser.isSet(m_sections))
        return {};
    QString unknown;
    const auto chosen = reportSections(parser.value(m_sections), &unknown);
    if (!chosen)
        return QStringLiteral("--sections: \"%1\" is none; expected some of %2")
            .arg(unknown, reportSectionIds().join(QStringLiteral(", ")));
    startup.report.sections = *chosen;
    return {};
}

} // namespace shardrack
