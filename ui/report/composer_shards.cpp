// Replicas against shards: the curves of each workload that is asked of the offers.
#include "report/composer.h"

#include "paint/shard_lines.h"

#include "base/size_text.h"

#include <QCoreApplication>

#include <algorithm>

namespace shardrack {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(shardrack::Report)
};

constexpr std::size_t kMostFigures = 3;

/// Offers whose curves are the same: one workload on one kind of GPU.
struct Shared {
    std::vector<std::size_t> columns;
    const Workload* workload = nullptr;
    ShardLinesInput input;
};

bool sameCurves(const Shared& shared, const Workload& workload, const ShardCurves& curves)
{
    const ShardCurves& other = *shared.input.curves;
    return (shared.workload == &workload || *shared.workload == workload)
        && other.gpuType == curves.gpuType && other.usable == curves.usable
        && other.perGroup == curves.perGroup && other.axes == curves.axes;
}

QString valueOf(const Sum& need)
{
    const QString number = gib(need.established);
    return need.atLeast ? Words::tr("at least %1").arg(number) : number;
}

/// The values as a table, for those who cannot see the picture.
Table valuesOf(const ShardCurves& curves)
{
    Table table;
    table.title = QStringLiteral("replicas-against-shards");
    table.columns.resize(curves.curves.size() + 1);
    for (Table::Column& column : table.columns)
        column.right = true;
    table.header.push_back({ plain(Words::tr("GPUs")), {}, {}, false });
    for (const ShardCurve& curve : curves.curves)
        table.header.push_back(
            { plain(Words::tr("%1, GiB a GPU").arg(q(curve.name))), {}, {}, false });
    for (std::size_t i = 0; i < curves.gpus.size(); ++i) {
        std::vector<Cell> row { { plain(groupedNumber(curves.gpus[i])), {}, {}, false } };
        for (const ShardCurve& curve : curves.curves)
            row.push_back({ plain(valueOf(curve.points[i].need)), {}, {}, false });
        table.rows.push_back(std::move(row));
    }
    return table;
}

Figure figureOf(const ShardLinesInput& input)
{
    const ShardCurves& curves = *input.curves;
    Figure figure;
    QStringList ends;
    for (const ShardCurve& curve : curves.curves)
        ends << Words::tr("%1 from %2 to %3")
                    .arg(q(curve.name), valueOf(curve.points.front().need),
                        valueOf(curve.points.back().need));
    figure.alt = Words::tr("What the most loaded GPU needs, in GiB, on %1 to %2 GPUs: %3.")
                     .arg(groupedNumber(curves.gpus.front()), groupedNumber(curves.gpus.back()),
                         ends.join(QStringLiteral("; ")));
    figure.height = [](qreal, const PaintStyle& style) { return shardFigureHeight(style); };
    figure.paint = [input](QPainter& painter, const QRectF& area, const PaintStyle& style) {
        drawShardFigure(painter, input, area, style);
    };
    figure.values = valuesOf(curves);
    return figure;
}

} // namespace

void Composer::shards()
{
    begin(ReportSection::Shards,
        Words::tr("Replicas hold all of the state that is a GPU's to hold; shards divide it. Each "
                  "point is the account of that many GPUs of the offer's kind; a dashed end above "
                  "a point is what is not established."));
    std::vector<Shared> all;
    QStringList without;
    for (std::size_t i = 0; i < count(); ++i) {
        const ComparedOffer& compared = m_comparison.offers[i];
        const Workload& workload = m_comparison.plan->workloadOf(compared.offer);
        Result<ShardCurves> made
            = shardCurves(*m_comparison.plan, compared.offer, *compared.assessment);
        if (!made) {
            without << Words::tr("%1: %2").arg(nameOf(i), q(made.error().text()));
            continue;
        }
        auto curves = std::make_shared<const ShardCurves>(std::move(made).value());
        auto known = std::find_if(all.begin(), all.end(),
            [&](const Shared& shared) { return sameCurves(shared, workload, *curves); });
        if (known == all.end())
            known = all.insert(all.end(), Shared { {}, &workload, { curves, {} } });
        // The offer with most GPUs reaches furthest.
        if (curves->gpus.back() > known->input.curves->gpus.back())
            known->input.curves = curves;
        known->columns.push_back(i);
        if (curves->ownGpus >= curves->gpus.front())
            known->input.own.push_back({ nameOf(i), curves->ownGpus, curves->ownNeed });
    }
    for (std::size_t i = 0; i < std::min(all.size(), kMostFigures); ++i) {
        const ShardCurves& curves = *all[i].input.curves;
        if (all.size() > 1)
            m_document.blocks.emplace_back(Heading { 2, namesOf(all[i].columns),
                QStringLiteral("shards-%1").arg(i + 1), {} }); // which stays with its figure
        m_document.blocks.emplace_back(figureOf(all[i].input));
        for (const std::string& sentence :
            { curves.boundSentence, curves.floorSentence, curves.fitSentence, curves.leftOut })
            if (!sentence.empty())
                say(plain(q(sentence)), Paragraph::Size::Small);
    }
    if (all.size() > kMostFigures)
        say(plain(Words::tr("Further workloads that are not drawn: %1.")
                      .arg(q(grouped(std::int64_t(all.size() - kMostFigures)))),
                Tone::Secondary),
            Paragraph::Size::Small);
    if (!without.isEmpty())
        say(plain(Words::tr("Not drawn. %1.").arg(without.join(QStringLiteral("; "))),
                Tone::Secondary),
            Paragraph::Size::Small);
}

} // namespace shardrack
