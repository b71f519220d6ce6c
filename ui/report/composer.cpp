#include "report/composer.h"

#include "report/device_figure.h"
#include "report/device_table.h"

#include "paint/finding_glyphs.h"
#include "plan/report_words.h"
#include "workload/workload_fields.h"

#include "base/size_text.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>

namespace shardrack {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(shardrack::Report)
};

constexpr std::size_t kMostClasses = 10; ///< kinds of device listed for one offer

/// A list of a great many items ends where it is long enough.
QString shortened(const QString& text)
{
    constexpr qsizetype most = 200;
    if (text.size() <= most)
        return text;
    const qsizetype comma = text.lastIndexOf(QStringLiteral(", "), most);
    return text.left(comma > 0 ? comma : most) + QStringLiteral(", …");
}

} // namespace

Composer::Composer(const ReportInput& input, const ReportOptions& options, Comparison comparison)
    : m_input(input)
    , m_options(options)
    , m_comparison(std::move(comparison))
    , m_summary(summarize(*m_comparison.plan, m_comparison.offers))
{
}

void Composer::begin(ReportSection section, const QString& note)
{
    m_document.blocks.emplace_back(Heading { 1, title(section), QLatin1String(id(section)), note });
}

void Composer::say(const Rich& text, Paragraph::Size size)
{
    m_document.blocks.emplace_back(Paragraph { text, size });
}

QString Composer::nameOf(std::size_t column) const { return q(m_comparison.offer(column).name); }

QString Composer::namesOf(const std::vector<std::size_t>& columns) const
{
    if (columns.empty() || columns.size() == count())
        return count() == 1 ? nameOf(0) : Words::tr("all offers");
    QStringList names;
    for (const std::size_t column : columns)
        names << nameOf(column);
    return names.join(QStringLiteral(", "));
}

std::vector<Cell> Composer::offersHeader() const
{
    std::vector<Cell> cells(1);
    const bool questions = m_options.sections.has(ReportSection::Questions);
    for (std::size_t i = 0; i < count(); ++i) {
        Cell cell;
        cell.text = { Run { nameOf(i), true, Tone::Normal,
            questions ? QStringLiteral("questions-%1").arg(i) : QString() } };
        cell.detail = q(m_comparison.offers[i].phrase);
        if (!m_comparison.offers[i].changes.empty()) {
            cell.mark = Icon::Changed;
            cell.detail += Words::tr(", changed basis");
        }
        cells.push_back(std::move(cell));
    }
    return cells;
}

std::vector<Table::Column> Composer::offerColumns() const
{
    const double first = count() < 4 ? 0.18 : 0.14;
    std::vector<Table::Column> columns(count() + 1);
    for (Table::Column& column : columns)
        column.weight = (1 - first) / static_cast<double>(count());
    columns.front().weight = first;
    return columns;
}

Cell Composer::cellOf(const ComparisonCell& cell)
{
    Cell made;
    made.text = plain(q(cell.text), cell.open ? Tone::Secondary : Tone::Normal);
    made.detail = shortened(q(cell.detail));
    // A given size is no arithmetic.
    if (const auto repeated = parseSize(cell.detail); repeated && cell.bytes == *repeated)
        made.detail = Words::tr("given");
    made.flagged = cell.changedBasis;
    if (cell.changedBasis)
        made.mark = Icon::Changed;
    else if (cell.open)
        made.mark = Icon::NotEstablished;
    else if (cell.provenance)
        made.mark = iconOf(*cell.provenance);
    return made;
}

ReportDocument Composer::compose(const PageNumbers& numbers)
{
    metadata();
    opening();
    const std::size_t contentsAt = m_document.blocks.size();
    const auto has = [&](ReportSection section) { return m_options.sections.has(section); };
    using Step = void (Composer::*)();
    const std::pair<ReportSection, Step> steps[] = {
        { ReportSection::Findings, &Composer::findings },
        { ReportSection::MostLoaded, &Composer::mostLoaded },
        { ReportSection::Reasons, &Composer::reasons },
        { ReportSection::Basis, &Composer::basis },
        { ReportSection::Arithmetic, &Composer::arithmetic },
        { ReportSection::Devices, &Composer::devices },
        { ReportSection::Shards, &Composer::shards },
        { ReportSection::SideBySide, &Composer::sideBySide },
        { ReportSection::Change, &Composer::change },
        { ReportSection::NotEstablished, &Composer::notEstablished },
        { ReportSection::Questions, &Composer::questions },
        { ReportSection::Assumptions, &Composer::assumptions },
        { ReportSection::Glossary, &Composer::glossary },
        { ReportSection::Versions, &Composer::versions },
    };
    if (count() > 0)
        for (const auto& [section, step] : steps)
            if (has(section))
                (this->*step)();
    if (has(ReportSection::Contents) && count() > 0)
        contents(contentsAt, numbers);
    return std::move(m_document);
}

void Composer::metadata()
{
    const Plan& plan = *m_comparison.plan;
    const QString planTitle = plan.title.empty() ? Words::tr("Untitled plan") : q(plan.title);
    m_document.title = Words::tr("%1: comparison report").arg(planTitle);
    m_document.subject = q(m_summary.subtitle);
    QStringList names;
    for (std::size_t i = 0; i < count(); ++i)
        names << nameOf(i);
    m_document.keywords = names.join(QStringLiteral(", "));
    QStringList running { planTitle };
    running << (count() == 1 ? Words::tr("one offer")
                             : Words::tr("%1 offers").arg(q(grouped(std::int64_t(count())))));
    if (plan.fictional)
        running << Words::tr("fictional example");
    running << QLocale::c().toString(m_input.date, QStringLiteral("d MMMM yyyy"));
    m_document.runningTitle = running.join(QStringLiteral(" · "));
    m_document.footer = Words::tr("GiB = 2³⁰ bytes. Computed from bytes, then rounded to 0.01.");
    if (m_options.attachPlan)
        m_document.footer += Words::tr(" The plan file is attached to this PDF.");
}

void Composer::opening()
{
    QString text = m_options.title;
    if (text.isEmpty()) {
        QStringList sentences;
        for (const std::string& sentence : m_summary.headline)
            sentences << q(sentence);
        constexpr qsizetype ownLines = 3;
        text = sentences.join(sentences.size() <= ownLines ? u'\n' : u' ');
    }
    say(plain(text), Paragraph::Size::Title);
    say(plain(q(m_summary.subtitle), Tone::Secondary), Paragraph::Size::Subtitle);
    const Plan& plan = *m_comparison.plan;
    const QString note = q(plan.note);
    if (plan.fictional)
        say({ Run { Words::tr("Fictional. "), true, Tone::Flag, {} },
                Run { note.isEmpty() ? Words::tr("This example is made up.") : note, false,
                    Tone::Secondary, {} } },
            Paragraph::Size::Small);
    else if (!note.isEmpty())
        say(plain(note, Tone::Secondary), Paragraph::Size::Small);
}

void Composer::contents(std::size_t at, const PageNumbers& numbers)
{
    Rich line { Run {
        title(ReportSection::Contents) + QStringLiteral("  "), true, Tone::Secondary, {} } };
    bool first = true;
    for (const ReportBlock& block : m_document.blocks) {
        const auto* heading = std::get_if<Heading>(&block);
        if (!heading || heading->level != 1)
            continue;
        const auto number = numbers.find(heading->anchor);
        // Spaces that do not break keep the number with its words.
        const QString page
            = number == numbers.end() ? QStringLiteral("0") : QString::number(number->second);
        if (!first)
            line.push_back({ QStringLiteral(" · "), false, Tone::Secondary, {} });
        line.push_back({ heading->text, false, Tone::Normal, heading->anchor });
        line.push_back({ u'\u00a0' + page, true, Tone::Normal, heading->anchor });
        first = false;
    }
    m_document.blocks.insert(
        m_document.blocks.begin() + std::ptrdiff_t(at), Paragraph { line, Paragraph::Size::Small });
}

void Composer::basis()
{
    begin(ReportSection::Basis);
    std::vector<std::size_t> changed;
    for (std::size_t i = 0; i < count(); ++i)
        if (!m_comparison.offers[i].changes.empty())
            changed.push_back(i);
    if (changed.empty()) {
        say({ Run { Words::tr("Changed basis: none. "), true, Tone::Normal, {} },
            Run {
                Words::tr("Every offer answers the common workload."), false, Tone::Normal, {} } });
    } else {
        NoteBox box;
        box.mark = Icon::Changed;
        box.text = { Run { Words::tr("Changed basis. "), true, Tone::Normal, {} },
            Run { (changed.size() == 1
                          ? Words::tr("%1 answers another question than the common workload. Read "
                                      "it against its own usable allocation; it is not ranked.")
                          : Words::tr("%1 answer another question than the common workload. Read "
                                      "each against its own usable allocation; they are not "
                                      "ranked."))
                      .arg(namesOf(changed)),
                false, Tone::Normal, {} } };
        m_document.blocks.emplace_back(std::move(box));
        changesTable();
    }
    Table table;
    table.title = QStringLiteral("workload");
    table.columns = { { false, 0.3 }, { false, 0.7 } };
    table.header = { { plain(Words::tr("Common workload")), {}, {}, false }, {} };
    QStringList missing;
    for (const WorkloadField& field : workloadFields()) {
        const std::string value = field.text(*m_comparison.plan->workload);
        // What a given term replaces is said with the arithmetic.
        const bool term = QString::fromUtf8(field.title).endsWith(QLatin1String(", given"));
        if (value.empty() && !term)
            missing << QString::fromUtf8(field.title).toLower();
        else if (!value.empty())
            table.rows.push_back(
                { { plain(QString::fromUtf8(field.title), Tone::Secondary), {}, {}, false },
                    { plain(q(value)), {},
                        value == "derived from the model" ? Icon::Derived : Icon::Stipulated,
                        false } });
    }
    if (!table.rows.empty())
        m_document.blocks.emplace_back(std::move(table));
    else
        say(plain(Words::tr("Common workload: nothing is given.")));
    if (!missing.isEmpty())
        say({ Run { Words::tr("Not given: "), true, Tone::Secondary, {} },
                Run { missing.join(QStringLiteral(", ")) + u'.', false, Tone::Secondary, {} } },
            Paragraph::Size::Small);
}

void Composer::changesTable()
{
    Table table;
    table.title = QStringLiteral("changed-basis");
    table.columns.resize(5);
    for (const QString& head : { Words::tr("Offer"), Words::tr("What"),
             Words::tr("Common workload"), Words::tr("This offer"), Words::tr("Reason") })
        table.header.push_back({ plain(head), {}, {}, false });
    for (std::size_t i = 0; i < count(); ++i)
        for (const BasisChange& change : m_comparison.offers[i].changes) {
            const auto given = [](const std::string& text) {
                return plain(text.empty() ? Words::tr("not given") : q(text));
            };
            table.rows.push_back({ { plain(nameOf(i)), {}, {}, false },
                { plain(q(change.title)), {}, {}, false }, { given(change.common), {}, {}, false },
                { given(change.offer), {}, Icon::Changed, true },
                { given(change.reason), {}, {}, false } });
        }
    m_document.blocks.emplace_back(std::move(table));
}

void Composer::arithmetic()
{
    begin(ReportSection::Arithmetic,
        Words::tr("The device with the least headroom of each offer. A “?” is a term that is not "
                  "established. It is never counted as zero."));
    Table table;
    table.title = QStringLiteral("arithmetic");
    table.columns = offerColumns();
    table.header = offersHeader();
    for (std::size_t i = 0; i < count(); ++i) {
        const ComparedOffer& compared = m_comparison.offers[i];
        const std::int32_t gpu = compared.assessment->findings.mostLoadedGpu;
        if (gpu >= 0)
            table.header[i + 1].detail = q(deviceText(m_comparison.offer(i).site,
                compared.assessment->index, compared.assessment->layout, gpu));
    }
    for (const ComparisonRow& row : m_comparison.rows) {
        if (row.section != ComparisonRow::Section::Arithmetic)
            continue;
        if (row.field == "sum" || row.field == "against_usable")
            table.strongRows.push_back(static_cast<int>(table.rows.size()));
        std::vector<Cell> cells { { plain(q(row.title), Tone::Secondary), {}, {}, false } };
        for (const ComparisonCell& cell : row.cells)
            cells.push_back(cellOf(cell));
        table.rows.push_back(std::move(cells));
    }
    m_document.blocks.emplace_back(std::move(table));
    provenance();
}

void Composer::provenance()
{
    MarkList list;
    list.items = {
        { Icon::Stipulated, Words::tr("Stipulated: given by the person who made the plan") },
        { Icon::Measured, Words::tr("Measured: read from a run, recorded as evidence") },
        { Icon::Derived, Words::tr("Derived: computed here, or a catalogue figure") },
        { Icon::NotEstablished, Words::tr("Not established: unknown, drawn open-ended") },
    };
    m_document.blocks.emplace_back(
        Heading { 2, Words::tr("Where each number comes from"), QStringLiteral("provenance"), {} });
    m_document.blocks.emplace_back(std::move(list));
}

void Composer::devices()
{
    const auto figure = std::make_shared<const DeviceFigure>(deviceFigure(m_comparison));
    begin(ReportSection::Devices,
        figure->columns
            ? Words::tr("One axis for all offers. Each column stands for neighbouring devices and "
                        "is drawn as the most loaded of them.")
            : Words::tr("One axis for all bars. A diamond is a measured peak of device memory in "
                        "use; numbers below the bars are ranks."));
    Figure drawn;
    QStringList about;
    for (const DevicePanel& panel : figure->panels)
        about << panel.name + QStringLiteral(": ") + panel.about;
    drawn.alt = Words::tr("The memory of every device of each offer. %1.")
                    .arg(about.join(QStringLiteral("; ")));
    drawn.height
        = [figure](qreal width, const PaintStyle& style) { return figure->height(width, style); };
    drawn.paint = [figure](QPainter& painter, const QRectF& area, const PaintStyle& style) {
        figure->paint(painter, area, style);
    };
    m_document.blocks.emplace_back(std::move(drawn));
    if (figure->columns)
        m_document.blocks.emplace_back(deviceTable(m_comparison, kMostClasses));
}

void Composer::sideBySide()
{
    begin(ReportSection::SideBySide, Words::tr("≠ marks what differs from the common workload."));
    using Section = ComparisonRow::Section;
    Table table;
    table.title = QStringLiteral("comparison");
    table.small = true;
    table.columns = offerColumns();
    table.header = offersHeader();
    QStringList unknown;
    std::optional<Section> section;
    for (const ComparisonRow& row : m_comparison.rows) {
        if (row.section == Section::Findings || row.section == Section::Arithmetic
            || row.section == Section::Workload || row.section == Section::MostLoaded)
            continue;
        if (row.unknown()) {
            unknown << q(row.title).toLower();
            continue;
        }
        if (section != row.section) {
            section = row.section;
            table.groupRows.push_back(static_cast<int>(table.rows.size()));
            std::vector<Cell> group(count() + 1);
            group.front().text = plain(QString::fromUtf8(shardrack::title(row.section)));
            table.rows.push_back(std::move(group));
        }
        std::vector<Cell> cells { { plain(q(row.title), Tone::Secondary), {}, {}, false } };
        for (const ComparisonCell& cell : row.cells)
            cells.push_back(cellOf(cell));
        table.rows.push_back(std::move(cells));
    }
    m_document.blocks.emplace_back(std::move(table));
    if (!unknown.isEmpty())
        say({ Run { Words::tr("Not established for any offer: "), true, Tone::Secondary, {} },
                Run { unknown.join(QStringLiteral(", ")) + u'.', false, Tone::Secondary, {} } },
            Paragraph::Size::Small);
}

} // namespace shardrack
