#include "report/report_options.h"

#include <QCoreApplication>

#include <algorithm>

namespace shardrack {

namespace {

struct SectionName {
    const char* id;
    const char* title;
};

const SectionName& nameOf(ReportSection section)
{
    static constexpr std::array<SectionName, kReportSectionCount> names { {
        { "contents", QT_TRANSLATE_NOOP("shardrack::Report", "Contents") },
        { "findings", QT_TRANSLATE_NOOP("shardrack::Report", "Three findings for each offer") },
        { "figure",
            QT_TRANSLATE_NOOP(
                "shardrack::Report", "Figure 1. The most loaded device of each offer") },
        { "reasons", QT_TRANSLATE_NOOP("shardrack::Report", "What this says") },
        { "basis", QT_TRANSLATE_NOOP("shardrack::Report", "Common workload and changed basis") },
        { "arithmetic",
            QT_TRANSLATE_NOOP("shardrack::Report", "Arithmetic of the most loaded device") },
        { "devices", QT_TRANSLATE_NOOP("shardrack::Report", "Figure 2. Every device") },
        { "shards", QT_TRANSLATE_NOOP("shardrack::Report", "Figure 3. Replicas against shards") },
        { "comparison",
            QT_TRANSLATE_NOOP("shardrack::Report", "Hardware, communication and evidence") },
        { "change", QT_TRANSLATE_NOOP("shardrack::Report", "What would change a finding") },
        { "open", QT_TRANSLATE_NOOP("shardrack::Report", "What is not established") },
        { "questions", QT_TRANSLATE_NOOP("shardrack::Report", "Questions for each offer") },
        { "assumptions", QT_TRANSLATE_NOOP("shardrack::Report", "Assumptions and their sources") },
        { "glossary", QT_TRANSLATE_NOOP("shardrack::Report", "Glossary") },
        { "versions", QT_TRANSLATE_NOOP("shardrack::Report", "Versions") },
    } };
    return names[static_cast<std::size_t>(section)];
}

} // namespace

const char* id(ReportSection section) { return nameOf(section).id; }

QString title(ReportSection section)
{
    return QCoreApplication::translate("shardrack::Report", nameOf(section).title);
}

bool ReportSections::none() const
{
    return std::none_of(m_on.begin(), m_on.end(), [](bool on) { return on; });
}

std::optional<ReportSections> reportSections(const QString& list, QString* unknown)
{
    ReportSections sections;
    for (int i = 0; i < kReportSectionCount; ++i)
        sections.set(static_cast<ReportSection>(i), false);
    for (const QString& item : list.split(u',')) {
        const QString word = item.trimmed();
        const int number = static_cast<int>(reportSectionIds().indexOf(word));
        if (number < 0) {
            if (unknown)
                *unknown = word;
            return std::nullopt;
        }
        sections.set(static_cast<ReportSection>(number), true);
    }
    return sections;
}

QStringList reportSectionIds()
{
    QStringList ids;
    for (int i = 0; i < kReportSectionCount; ++i)
        ids << QLatin1String(id(static_cast<ReportSection>(i)));
    return ids;
}

} // namespace shardrack
