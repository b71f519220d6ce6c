#include "report/device_figure.h"

#include "paint/device_bar.h"
#include "paint/memory_bins.h"
#include "paint/memory_columns.h"
#include "plan/basis.h"

#include "base/size_text.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <array>
#include <numeric>

namespace shardrack {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(shardrack::DeviceFigure)
};

constexpr std::int64_t kMostBars = 48; ///< drawn one by one, over all panels

QString rankLabel(const Assessment& assessment, std::int32_t gpu)
{
    RankSet ranks;
    for (const std::int32_t rank : assessment.layout.ranksOn(gpu))
        ranks.insert(rank);
    return ranks.empty() ? QStringLiteral("–")
                         : QString::fromStdString(ranks.text()).replace(u'-', u'–');
}

/// Per GPU the highest peak of device memory that was read on it.
std::vector<std::optional<Bytes>> readings(const Comparison& comparison, std::size_t column)
{
    const Offer& offer = comparison.offer(column);
    const Assessment& assessment = *comparison.offers[column].assessment;
    const Workload& workload = comparison.plan->workloadOf(comparison.offers[column].offer);
    std::vector<std::optional<Bytes>> peaks;
    const Evidence evidence = evidenceOf(workload, offer, assessment.index, assessment.account);
    for (const AppliedMeasurement& each : evidence.measurements) {
        const Measurement& reading = *each.measurement;
        if (!each.excluded.empty() || reading.average || !reading.peak
            || reading.scope != MemoryScope::Device)
            continue;
        peaks.resize(static_cast<std::size_t>(assessment.index.gpuCount()));
        for (const RankSet::Interval& run : each.gpus.intervals())
            for (std::int32_t gpu = run.first; gpu <= run.last; ++gpu) {
                auto& peak = peaks[static_cast<std::size_t>(gpu)];
                peak = std::max(peak.value_or(Bytes(0)), *reading.peak);
            }
    }
    return peaks;
}

QString usableWords(const Account& account)
{
    const DeviceClass* first = nullptr;
    bool differs = false;
    bool confirmed = true;
    for (const DeviceClass& device : account.deviceClasses) {
        if (device.idle())
            continue;
        if (!first)
            first = &device;
        differs = differs || device.usable.bytes != first->usable.bytes;
        confirmed = confirmed && device.usable.provenance != Provenance::NotEstablished;
    }
    if (!first)
        return Words::tr("no rank");
    const QString text = differs ? Words::tr("usable differs")
                                 : Words::tr("usable %1").arg(gib(first->usable.bytes));
    return confirmed ? text : Words::tr("%1, not confirmed").arg(text);
}

DevicePanel panelOf(const Comparison& comparison, std::size_t column, bool columns)
{
    const Assessment& assessment = *comparison.offers[column].assessment;
    const Account& account = assessment.account;
    DevicePanel panel;
    panel.name = QString::fromStdString(comparison.offer(column).name);
    panel.changedBasis = !comparison.offers[column].changes.empty();
    const std::int64_t gpus = assessment.index.gpuCount();
    panel.about = (gpus == 1 ? Words::tr("%1 GPU, %2") : Words::tr("%1 GPUs, %2"))
                      .arg(groupedNumber(gpus), usableWords(account));
    for (const DeviceClass& device : account.deviceClasses)
        panel.bars.classes.push_back(barOf(device, comparison.plan->margin));
    const std::vector<Capacity>& verdicts = assessment.findings.ofDeviceClass;
    for (std::size_t i = 0; i < account.deviceClasses.size(); ++i)
        panel.over.push_back(!account.deviceClasses[i].idle() && i < verdicts.size()
            && verdicts[i] == Capacity::Over);
    for (const std::uint32_t number : account.classOfGpu)
        panel.bars.bars.push_back(static_cast<std::int32_t>(number));
    if (columns) {
        const auto& classes = account.deviceClasses;
        std::stable_sort(
            panel.bars.bars.begin(), panel.bars.bars.end(), [&](std::int32_t a, std::int32_t b) {
                const DeviceClass& x = classes[static_cast<std::size_t>(a)];
                const DeviceClass& y = classes[static_cast<std::size_t>(b)];
                return x.idle() != y.idle() ? y.idle() : x.headroom() < y.headroom();
            });
    } else {
        panel.measured = readings(comparison, column);
        panel.bars.label = [assessment = comparison.offers[column].assessment](
                               int bar) { return rankLabel(*assessment, bar); };
    }
    return panel;
}

/// Paints one figure; lives for one call.
class FigurePainter {
public:
    FigurePainter(const DeviceFigure& figure, qreal width, const PaintStyle& style)
        : m_figure(figure)
        , m_style(style)
        , m_theme(*style.theme)
        , m_width(width)
    {
        findAxis();
        findLegend();
    }

    qreal height() const
    {
        return kHeader + kPlot + kLabels + legendRowsHeight(m_legend, m_width - kAxis, m_style) + 4;
    }

    void paint(QPainter& painter, const QRectF& area)
    {
        m_plot = QRectF(area.left() + kAxis, area.top() + kHeader, area.width() - kAxis, kPlot);
        paintAxis(painter);
        const auto count = static_cast<qreal>(m_figure.panels.size());
        // A panel is as wide as its bars need, but never narrower than its name.
        const std::vector<qreal> shares = panelShares();
        const qreal room = m_plot.width() - kBetween * (count - 1);
        qreal x = m_plot.left();
        for (std::size_t i = 0; i < m_figure.panels.size(); ++i) {
            const QRectF rect(x, m_plot.top(), room * shares[i], m_plot.height());
            paintPanel(painter, m_figure.panels[i], rect);
            x = rect.right() + kBetween;
        }
        painter.fillRect(
            QRectF(m_plot.left(), m_plot.bottom() - 0.5, m_plot.width(), 1), m_theme.line);
        drawLegendRows(painter,
            QRectF(m_plot.left(), m_plot.bottom() + kLabels, m_plot.width(),
                legendRowsHeight(m_legend, m_plot.width(), m_style)),
            m_legend, m_style);
    }

private:
    static constexpr qreal kHeader = 24;
    static constexpr qreal kPlot = 150;
    static constexpr qreal kLabels = 52;
    static constexpr qreal kAxis = 34;
    static constexpr qreal kBetween = 26;

    std::vector<qreal> panelShares() const
    {
        std::vector<qreal> shares;
        for (const DevicePanel& panel : m_figure.panels)
            shares.push_back(m_figure.columns ? 1 : std::max(3, panel.bars.count()));
        const qreal sum = std::accumulate(shares.begin(), shares.end(), 0.0);
        // At least two thirds of an equal part for each name.
        const qreal least = 0.66 / static_cast<qreal>(shares.size());
        qreal missing = 0;
        qreal spare = 0;
        for (qreal& share : shares) {
            share /= sum;
            missing += std::max(0.0, least - share);
            spare += std::max(0.0, share - least);
        }
        for (qreal& share : shares)
            share
                = share < least ? least : share - missing * (share - least) / std::max(1e-9, spare);
        return shares;
    }

    void findAxis()
    {
        Bytes highest;
        std::optional<Bytes> usable;
        bool same = true;
        bool open = false;
        for (const DevicePanel& panel : m_figure.panels)
            for (const StackedBar& bar : panel.bars.classes) {
                highest = std::max({ highest, bar.need(), bar.usable.value_or(Bytes(0)) });
                open = open || bar.open();
                if (bar.usable) {
                    same = same && (!usable || *usable == *bar.usable);
                    usable = bar.usable;
                }
            }
        m_axis = axisFor(highest, same ? usable : std::nullopt, open ? 0.2 : 0.06);
    }

    void findLegend()
    {
        std::array<bool, kCategoryCount> occurs {};
        bool open = false;
        bool over = false;
        for (const DevicePanel& panel : m_figure.panels)
            for (const StackedBar& bar : panel.bars.classes) {
                for (const BarSegment& segment : bar.segments)
                    occurs[index(segment.category)]
                        = occurs[index(segment.category)] || segment.bytes > Bytes(0);
                open = open || bar.open();
                over = over || bar.over();
            }
        using Mark = LegendEntry::Mark;
        for (const Category category : kCategories)
            if (occurs[index(category)])
                m_legend.push_back({ Mark::Category, category, categoryTitle(category) });
        if (open)
            m_legend.push_back({ Mark::Open, {}, Words::tr("Not established, open-ended") });
        if (over)
            m_legend.push_back({ Mark::Over, {}, Words::tr("Beyond usable") });
        if (m_figure.columns)
            m_legend.push_back({ Mark::LeastInColumn, {}, Words::tr("Least loaded in a column") });
    }

    void paintAxis(QPainter& painter) const
    {
        const BarScale scale(m_plot, m_axis.full(), BarDirection::Up, m_style);
        const QFont font = m_style.font(type::kAxis);
        for (int tick = 0; tick <= m_axis.steps; ++tick) {
            const auto bytes = Bytes(std::int64_t(m_axis.step * tick * static_cast<double>(kGiB)));
            const qreal y = scale.at(std::min(bytes, m_axis.full()));
            painter.fillRect(QRectF(m_plot.left(), y - 0.4, m_plot.width(), 0.8), m_theme.grid);
            drawLine(painter, QRectF(m_plot.left() - kAxis, y - 8, kAxis - 6, 16),
                Qt::AlignRight | Qt::AlignVCenter, m_axis.label(tick), font, m_theme.text2);
        }
        drawLine(painter, QRectF(m_plot.left() - kAxis, m_plot.top() - kHeader, 80, 14),
            Qt::AlignLeft | Qt::AlignVCenter, Words::tr("GiB"), font, m_theme.text2);
    }

    void paintPanel(QPainter& painter, const DevicePanel& panel, const QRectF& rect) const
    {
        if (panel.bars.count() == 0)
            drawLine(painter, rect, Qt::AlignCenter, Words::tr("No GPU is placed yet"),
                m_style.font(type::kBase), m_theme.text2);
        else if (m_figure.columns)
            paintColumnPanel(painter, panel, rect);
        else
            paintBarPanel(painter, panel, rect);
        paintName(painter, panel, rect);
    }

    void paintName(QPainter& painter, const DevicePanel& panel, const QRectF& rect) const
    {
        const QFont font = m_style.font(type::kSecondary, type::kSemibold);
        constexpr qreal mark = 12;
        QRectF line(rect.left(), rect.bottom() + 16, rect.width(), 15);
        const qreal width = std::min(lineWidth(panel.name, font), line.width());
        if (panel.changedBasis) {
            drawIcon(painter,
                QRectF(line.center().x() + width / 2 - mark / 2 + 2, line.top() + 1, mark, mark),
                Icon::Changed, iconColor(Icon::Changed, m_theme));
            line.translate(-mark / 2 - 2, 0);
        }
        drawLine(
            painter, line, Qt::AlignHCenter | Qt::AlignVCenter, panel.name, font, m_theme.text);
        drawLine(painter,
            QRectF(rect.left() - kBetween / 2, rect.bottom() + 30, rect.width() + kBetween, 14),
            Qt::AlignHCenter | Qt::AlignVCenter, panel.about, m_style.font(type::kAxis),
            m_theme.text2);
    }

    void paintBarPanel(QPainter& painter, const DevicePanel& panel, const QRectF& rect) const
    {
        const int count = panel.bars.count();
        const qreal pitch = rect.width() / count;
        const qreal width = std::min(pitch * 0.68, 44.0);
        const auto track = [&](int bar) {
            return QRectF(
                rect.left() + pitch * (bar + 0.5) - width / 2, rect.top(), width, rect.height());
        };
        for (int bar = 0; bar < count; ++bar)
            drawStackedBar(painter, panel.bars.bar(bar),
                BarScale(track(bar), m_axis.full(), BarDirection::Up, m_style), m_style);
        paintLimits(painter, panel, rect);
        const QFont font = m_style.font(type::kAxis);
        const int every = pitch < 9 ? 8 : pitch < 18 ? 4 : 1;
        for (int bar = 0; bar < count; ++bar) {
            const BarScale scale(track(bar), m_axis.full(), BarDirection::Up, m_style);
            drawAboveLines(painter, panel.bars.bar(bar), scale, m_style);
            if (const auto at = static_cast<std::size_t>(bar);
                at < panel.measured.size() && panel.measured[at])
                paintDiamond(painter, QPointF(track(bar).right(), scale.at(*panel.measured[at])));
            if (bar % every == 0)
                drawLine(painter, QRectF(track(bar).center().x() - 24, rect.bottom() + 3, 48, 13),
                    Qt::AlignHCenter | Qt::AlignVCenter, panel.bars.label(bar), font,
                    m_theme.text2);
        }
    }

    void paintDiamond(QPainter& painter, QPointF at) const
    {
        constexpr qreal r = 4.2;
        painter.setPen(QPen(m_theme.cap, 1.2, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
        painter.setBrush(m_theme.view);
        painter.drawPolygon(QPolygonF(
            { at + QPointF(0, -r), at + QPointF(r, 0), at + QPointF(0, r), at + QPointF(-r, 0) }));
    }

    /// The limit lines step where neighbours differ.
    void paintLimits(QPainter& painter, const DevicePanel& panel, const QRectF& rect) const
    {
        const auto margin = [](const StackedBar& bar) -> std::optional<Bytes> {
            if (!bar.margin || !bar.usable || *bar.usable < *bar.margin || bar.idle)
                return std::nullopt;
            return *bar.usable - *bar.margin;
        };
        const auto installed = [](const StackedBar& bar) -> std::optional<Bytes> {
            return bar.installed == bar.usable ? std::nullopt : bar.installed;
        };
        paintLimit(painter, panel, rect, LimitLine::Installed, installed);
        paintLimit(painter, panel, rect, LimitLine::Margin, margin);
        paintLimit(painter, panel, rect, LimitLine::Usable,
            [](const StackedBar& bar) { return bar.usable; });
    }

    template <class Limit>
    void paintLimit(QPainter& painter, const DevicePanel& panel, const QRectF& rect, LimitLine line,
        Limit limit) const
    {
        const int count = panel.bars.count();
        const BarScale scale(rect, m_axis.full(), BarDirection::Up, m_style);
        QPolygonF points;
        const auto flush = [&] {
            if (points.size() > 1)
                drawLimitLine(painter, points, line, m_style);
            points.clear();
        };
        for (int first = 0; first < count;) {
            const std::optional<Bytes> value = limit(panel.bars.bar(first));
            int end = first + 1;
            while (end < count && limit(panel.bars.bar(end)) == value)
                ++end;
            if (!value) {
                flush();
            } else {
                const qreal y = scale.at(*value);
                points << QPointF(rect.left() + rect.width() * first / count, y)
                       << QPointF(rect.left() + rect.width() * end / count, y);
            }
            first = end;
        }
        flush();
    }

    void paintColumnPanel(QPainter& painter, const DevicePanel& panel, const QRectF& rect) const
    {
        MemoryBarsLayout layout;
        layout.mode = BarsMode::Columns;
        layout.area = rect.adjusted(0, -kHeader, 0, 0);
        layout.plot = rect;
        layout.header = QRectF(rect.left(), rect.top() - 20, rect.width(), 18);
        layout.axis = m_axis;
        layout.count = panel.bars.count();
        layout.columns
            = binBars(panel.bars, std::min(layout.count, static_cast<int>(rect.width())));
        for (BarColumn& column : layout.columns) {
            column.over = 0;
            for (int bar = column.first; bar < column.end; ++bar)
                column.over
                    += panel.over[static_cast<std::size_t>(panel.bars.classOf(bar))] ? 1 : 0;
            layout.overCount += column.over;
        }
        paintColumns(painter, panel.bars, layout, m_style);
        paintLimits(painter, panel, rect);
        paintColumnsAboveLines(painter, panel.bars, layout, m_style);
        MemoryBarsInput named;
        named.overText = Words::tr("%1 over capacity").arg(groupedNumber(layout.overCount));
        paintOverBrackets(painter, named, layout, m_style);
        drawLine(painter, QRectF(rect.left(), rect.bottom() + 3, rect.width(), 13),
            Qt::AlignHCenter | Qt::AlignVCenter, Words::tr("least headroom first"),
            m_style.font(type::kAxis), m_theme.text2);
    }

    const DeviceFigure& m_figure;
    const PaintStyle& m_style;
    const Theme& m_theme;
    qreal m_width;
    QRectF m_plot;
    AxisScale m_axis;
    std::vector<LegendEntry> m_legend;
};

} // namespace

qreal DeviceFigure::height(qreal width, const PaintStyle& style) const
{
    return FigurePainter(*this, width, style).height();
}

void DeviceFigure::paint(QPainter& painter, const QRectF& area, const PaintStyle& style) const
{
    FigurePainter(*this, area.width(), style).paint(painter, area);
}

DeviceFigure deviceFigure(const Comparison& comparison)
{
    std::int64_t gpus = 0;
    for (const ComparedOffer& offer : comparison.offers)
        gpus += offer.assessment->index.gpuCount();
    DeviceFigure figure;
    figure.columns = gpus > kMostBars;
    for (std::size_t i = 0; i < comparison.offers.size(); ++i)
        figure.panels.push_back(panelOf(comparison, i, figure.columns));
    return figure;
}

} // namespace shardrack
