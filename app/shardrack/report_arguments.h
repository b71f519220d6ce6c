#pragma once

#include "startup.h"

#include <QCommandLineOption>

class QCommandLineParser;

namespace shardrack {

/// The arguments of the report: --export-pdf and what belongs to it.
class ReportArguments {
public:
    /// Adds them to what the parser knows.
    explicit ReportArguments(QCommandLineParser& parser);
    /// Reads them after the plan; says why they are refused, or nothing.
    QString read(const QCommandLineParser& parser, Startup& startup) const;

private:
    QString readSections(const QCommandLineParser& parser, Startup& startup) const;

    QCommandLineOption m_exportPdf;
    QCommandLineOption m_paper;
    QCommandLineOption m_sections;
    QCommandLineOption m_withoutPlan;
};

} // namespace shardrack
