// The sections that come first: findings, the most loaded devices, and what they say.
#include "report/composer.h"

#include "paint/device_bar.h"
#include "paint/finding_glyphs.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace shardrack {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(shardrack::Report)
};

/// Width of the names beside figure 1, in chart units.
qreal nameWidth(const ComparisonBarsInput& input, const PaintStyle& style)
{
    constexpr qreal least = 90;
    constexpr qreal most = 230;
    constexpr qreal gap = 34; // with the mark of a changed basis
    qreal width = 0;
    for (const ComparisonBar& bar : input.bars)
        width = std::max({ width, lineWidth(bar.name, style.font(type::kBase, type::kSemibold)),
            lineWidth(bar.device, style.font(type::kSecondary)) });
    return std::clamp(width + gap, least, most);
}

/// How a verdict looks; its words say the same.
struct Verdict {
    Glyph glyph;
    Tone tone;
};

Verdict verdictOf(const Assessment& assessment)
{
    if (assessment.error || assessment.findings.devicesJudged == 0)
        return { Glyph::NotEvaluated, Tone::Normal };
    const Capacity capacity = assessment.findings.capacity;
    static constexpr std::array<Tone, 4> tones { Tone::Ok, Tone::Flag, Tone::Normal, Tone::Over };
    return { glyphOf(capacity), tones[static_cast<std::size_t>(capacity)] };
}

Verdict verdictOf(Demonstrated demonstrated)
{
    static constexpr std::array<Tone, 4> tones { Tone::Normal, Tone::Normal, Tone::Ok, Tone::Over };
    return { glyphOf(demonstrated), tones[static_cast<std::size_t>(demonstrated)] };
}

Verdict verdictOf(TrainingResult result)
{
    static constexpr std::array<Tone, 3> tones { Tone::Normal, Tone::Ok, Tone::Over };
    return { glyphOf(result), tones[static_cast<std::size_t>(result)] };
}

Cell findingCell(const ComparisonRow& row, std::size_t column, const Verdict& verdict)
{
    return { bold(q(row.cells[column].text), verdict.tone), {}, verdict.glyph, false };
}

} // namespace

void Composer::findings()
{
    begin(ReportSection::Findings,
        Words::tr("A finding in one row never implies a finding in another."));
    Table table;
    table.title = QStringLiteral("findings");
    table.columns = offerColumns();
    table.header = offersHeader();
    const auto add = [&](const char* field, auto&& verdict) {
        const ComparisonRow* row = m_comparison.row(field);
        std::vector<Cell> cells { { plain(q(row->title), Tone::Secondary), {}, {}, false } };
        for (std::size_t i = 0; i < count(); ++i)
            cells.push_back(findingCell(*row, i, verdict(*m_comparison.offers[i].assessment)));
        table.rows.push_back(std::move(cells));
    };
    add("capacity", [](const Assessment& each) { return verdictOf(each); });
    add("demonstrated",
        [](const Assessment& each) { return verdictOf(each.findings.demonstrated); });
    add("result", [](const Assessment& each) { return verdictOf(each.findings.result); });
    const auto illegal
        = [](const ComparedOffer& each) { return !each.assessment->findings.legality.legal(); };
    if (std::any_of(m_comparison.offers.begin(), m_comparison.offers.end(), illegal)) {
        std::vector<Cell> cells { { plain(Words::tr("Layout"), Tone::Secondary), {}, {}, false } };
        for (const ComparedOffer& each : m_comparison.offers)
            cells.push_back(illegal(each)
                    ? Cell { bold(Words::tr("Not legal"), Tone::Flag), {}, Glyph::NotLegal, false }
                    : Cell { plain(Words::tr("legal")), {}, {}, false });
        table.rows.push_back(std::move(cells));
    }
    m_document.blocks.emplace_back(std::move(table));
}

void Composer::mostLoaded()
{
    begin(ReportSection::MostLoaded,
        Words::tr("GiB on one common axis. Most loaded means least headroom; an average never "
                  "stands in its place."));
    Figure figure;
    // Beside the bars there is room for need and headroom; what else there is stands below.
    ComparisonBarsInput bars = comparisonBars(m_comparison);
    QStringList notes;
    for (ComparisonBar& bar : bars.bars) {
        if (!bar.note.isEmpty())
            notes << Words::tr("%1: %2").arg(bar.name, bar.note);
        bar.note.clear();
    }
    const auto input = std::make_shared<const ComparisonBarsInput>(std::move(bars));
    QStringList lines;
    for (const ComparisonBar& bar : input->bars)
        lines << Words::tr("%1, %2: %3, %4").arg(bar.name, bar.device, bar.headline, bar.detail);
    figure.alt = Words::tr("One bar for the most loaded device of each offer, in GiB. %1.")
                     .arg(lines.join(QStringLiteral("; ")));
    figure.height = [input](qreal width, const PaintStyle& style) {
        return comparisonBarsHeight(*input, width, style, nameWidth(*input, style));
    };
    figure.paint = [input](QPainter& painter, const QRectF& area, const PaintStyle& style) {
        paintComparisonBars(painter, *input,
            layoutComparisonBars(*input, area, style, nameWidth(*input, style)), style);
    };
    figure.values.columns.resize(4);
    for (const QString& head : { Words::tr("Offer"), Words::tr("Device"), Words::tr("Need, GiB"),
             Words::tr("Against usable, GiB") })
        figure.values.header.push_back({ plain(head), {}, {}, false });
    for (const ComparisonBar& bar : input->bars)
        figure.values.rows.push_back(
            { { plain(bar.name), {}, {}, false }, { plain(bar.device), {}, {}, false },
                { plain(bar.headline), {}, {}, false }, { plain(bar.detail), {}, {}, false } });
    m_document.blocks.emplace_back(std::move(figure));
    if (!notes.isEmpty())
        say(plain(Words::tr("Also, in GiB: %1.").arg(notes.join(QStringLiteral("; "))),
                Tone::Secondary),
            Paragraph::Size::Small);
}

void Composer::reasons()
{
    begin(ReportSection::Reasons);
    Definitions list;
    for (std::size_t i = 0; i < count(); ++i) {
        const Verdict verdict = verdictOf(*m_comparison.offers[i].assessment);
        Rich text = plain(q(m_summary.offers[i].says));
        if (m_comparison.offers[i].assessment->findings.capacity == Capacity::Open
            && m_options.sections.has(ReportSection::NotEstablished)) {
            text.push_back({ Words::tr(" See "), false, Tone::Normal, {} });
            text.push_back({ title(ReportSection::NotEstablished), true, Tone::Normal,
                QLatin1String(id(ReportSection::NotEstablished)) });
            text.push_back({ QStringLiteral("."), false, Tone::Normal, {} });
        }
        list.items.push_back({ plain(q(m_summary.offers[i].verdict)), text, verdict.glyph });
    }
    m_document.blocks.emplace_back(std::move(list));
}

} // namespace shardrack
