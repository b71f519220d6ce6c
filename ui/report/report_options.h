#pragma once

#include "report/report_style.h"

#include <QString>
#include <QStringList>

#include <array>
#include <optional>
#include <vector>

namespace shardrack {

/// The parts of a report, in their order. The title and what it is based on are always there.
enum class ReportSection {
    Contents,
    Findings,
    MostLoaded,
    Reasons,
    Basis,
    Arithmetic,
    Devices,
    Shards,
    SideBySide,
    Change,
    NotEstablished,
    Questions,
    Assumptions,
    Glossary,
    Versions
};
constexpr int kReportSectionCount = static_cast<int>(ReportSection::Versions) + 1;

/// The ids of the command line: "contents", "findings", "figure", …
const char* id(ReportSection section);
/// For people: "Three findings for each offer".
QString title(ReportSection section);

class ReportSections {
public:
    ReportSections() { m_on.fill(true); }
    bool has(ReportSection section) const { return m_on[static_cast<std::size_t>(section)]; }
    void set(ReportSection section, bool on) { m_on[static_cast<std::size_t>(section)] = on; }
    bool none() const;
    bool operator==(const ReportSections&) const = default;

private:
    std::array<bool, kReportSectionCount> m_on {};
};

/// The sections of a list such as "findings,questions"; `unknown` receives the first word that is
/// none.
std::optional<ReportSections> reportSections(const QString& list, QString* unknown);
/// All ids, for messages.
QStringList reportSectionIds();

struct ReportOptions {
    std::vector<std::size_t> offers; ///< into Plan::offers; empty: all
    ReportSections sections;
    Paper paper = Paper::A4;
    bool attachPlan = true;
    QString title; ///< instead of the sentences that the program finds; empty: those
    bool operator==(const ReportOptions&) const = default;
};

} // namespace shardrack
