#include "charts/callouts.h"

#include <QFontMetricsF>
#include <QLineF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace shardrack {

namespace {

constexpr qreal kPad = 8;
constexpr qreal kIcon = 15;
constexpr qreal kGap = 14; ///< between title and value

QFont titleFont(const PaintStyle& style) { return style.font(type::kBase, type::kSemibold); }
QFont lineFont(const Callout::Line& line, const PaintStyle& style)
{
    return style.font(type::kSecondary, line.strong ? type::kSemibold : type::kRegular);
}
qreal rowHeight(const PaintStyle& style)
{
    return std::ceil(QFontMetricsF(style.font(type::kSecondary)).height()) + 2;
}

/// Where the line from the anchor meets the box.
QPointF nearest(const QRectF& box, const QPointF& anchor)
{
    return { std::clamp(anchor.x(), box.left() + 8, box.right() - 8),
        anchor.y() < box.center().y() ? box.top() : box.bottom() };
}

} // namespace

QSizeF calloutSize(const Callout& callout, const PaintStyle& style)
{
    qreal width = lineWidth(callout.title, titleFont(style)) + (callout.icon ? kIcon + 5 : 0);
    if (!callout.value.isEmpty())
        width += kGap + lineWidth(callout.value, titleFont(style));
    for (const Callout::Line& line : callout.lines)
        width = std::max(width, lineWidth(line.text, lineFont(line, style)));
    return { std::ceil(width) + 2 * kPad + 2,
        rowHeight(style) * static_cast<qreal>(callout.lines.size() + 1) + 10 };
}

namespace {

struct Candidate {
    QRectF box;
    double cost;
};

/// Where one box may stand, and what it costs to stand there, whatever the others do.
std::vector<Candidate> candidatesOf(const std::vector<Callout>& callouts, const Callout& callout,
    const QRectF& area, const std::function<double(const QRectF&)>& weight, const PaintStyle& style)
{
    constexpr int kColumns = 16, kRows = 9;
    const QSizeF size = calloutSize(callout, style);
    const qreal freeX = area.width() - size.width();
    const qreal freeY = area.height() - size.height();
    std::vector<Candidate> candidates;
    if (freeX < 0 || freeY < 0)
        return candidates;
    for (int column = 0; column <= kColumns; ++column)
        for (int row = 0; row <= kRows; ++row) {
            const QPointF corner(
                std::floor(freeX * column / kColumns), std::floor(freeY * row / kRows));
            const QRectF box(area.topLeft() + corner, size);
            const bool covers
                = std::any_of(callouts.begin(), callouts.end(), [&](const Callout& other) {
                      return box.adjusted(-8, -8, 8, 8).contains(other.anchor);
                  });
            if (covers)
                continue;
            const QPointF to = nearest(box, callout.anchor) - callout.anchor;
            const double away
                = std::hypot(to.x(), to.y()) / std::hypot(area.width(), area.height());
            candidates.push_back({ box, 1.4 * weight(box) + 2 * away });
        }
    return candidates;
}

bool crosses(const QLineF& line, const QRectF& box)
{
    constexpr int kSamples = 16;
    for (int i = 0; i <= kSamples; ++i)
        if (box.contains(line.pointAt(double(i) / kSamples)))
            return true;
    return false;
}

/// What it costs that two boxes and their lines meet.
double conflict(
    const QRectF& box, const QPointF& anchor, const QRectF& other, const QPointF& otherAnchor)
{
    if (box.adjusted(-6, -6, 6, 6).intersects(other))
        return 100;
    const QLineF line(nearest(box, anchor), anchor);
    const QLineF otherLine(nearest(other, otherAnchor), otherAnchor);
    return (crosses(line, other) ? 0.8 : 0) + (crosses(otherLine, box) ? 0.8 : 0)
        + (line.intersects(otherLine) == QLineF::BoundedIntersection ? 0.4 : 0);
}

/// Looks for the places of all boxes that are cheapest together.
class Placer {
public:
    Placer(const std::vector<Callout>& callouts, std::vector<std::vector<Candidate>> candidates)
        : m_callouts(callouts)
        , m_candidates(std::move(candidates))
        , m_now(callouts.size())
        , m_boxes(callouts.size())
    {
        for (std::vector<Candidate>& each : m_candidates)
            std::sort(each.begin(), each.end(),
                [](const Candidate& a, const Candidate& b) { return a.cost < b.cost; });
        // The least that the boxes from each on can cost.
        m_atLeast.assign(callouts.size() + 1, 0);
        for (std::size_t i = callouts.size(); i-- > 0;)
            m_atLeast[i] = m_atLeast[i + 1]
                + (m_candidates[i].empty() ? missing(i) : m_candidates[i].front().cost);
        place(0, 0);
    }
    const std::vector<QRectF>& boxes() const { return m_boxes; }

private:
    /// What it costs to leave a box out; the first one matters most.
    static double missing(std::size_t number) { return number == 0 ? 20 : 8; }

    void place(std::size_t number, double sum)
    {
        if (sum + m_atLeast[number] >= m_best)
            return;
        if (number == m_callouts.size()) {
            m_best = sum;
            m_boxes = m_now;
            return;
        }
        for (const Candidate& candidate : m_candidates[number]) {
            double all = sum + candidate.cost;
            if (all + m_atLeast[number + 1] >= m_best)
                break; // the others cost more
            for (std::size_t other = 0; other < number; ++other)
                if (!m_now[other].isNull())
                    all += conflict(candidate.box, m_callouts[number].anchor, m_now[other],
                        m_callouts[other].anchor);
            m_now[number] = candidate.box;
            place(number + 1, all);
        }
        m_now[number] = {};
        place(number + 1, sum + missing(number));
    }

    const std::vector<Callout>& m_callouts;
    std::vector<std::vector<Candidate>> m_candidates;
    std::vector<double> m_atLeast;
    std::vector<QRectF> m_now;
    std::vector<QRectF> m_boxes;
    double m_best = 1e9;
};

} // namespace

void placeCallouts(std::vector<Callout>& callouts, const QRectF& area,
    const std::function<double(const QRectF&)>& weight, const PaintStyle& style)
{
    std::vector<std::vector<Candidate>> candidates;
    for (const Callout& callout : callouts)
        candidates.push_back(candidatesOf(callouts, callout, area, weight, style));
    const Placer placer(callouts, std::move(candidates));
    for (std::size_t i = 0; i < callouts.size(); ++i)
        callouts[i].box = placer.boxes()[i];
}

void drawCallouts(QPainter& painter, const std::vector<Callout>& callouts, const PaintStyle& style)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const qreal row = rowHeight(style);
    for (const Callout& callout : callouts) {
        if (callout.box.isNull())
            continue;
        painter.setPen(QPen(callout.frame, 1));
        painter.drawLine(nearest(callout.box, callout.anchor), callout.anchor);
        painter.setBrush(style.theme->view);
        painter.drawEllipse(callout.anchor, 3, 3);
        painter.setBrush(style.theme->pop);
        painter.drawRoundedRect(callout.box.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
        QRectF line(
            callout.box.left() + kPad, callout.box.top() + 5, callout.box.width() - 2 * kPad, row);
        QRectF title = line;
        if (callout.icon) {
            drawIcon(painter, QRectF(line.left(), line.center().y() - kIcon / 2, kIcon, kIcon),
                *callout.icon, callout.frame);
            title.setLeft(line.left() + kIcon + 5);
        }
        drawLine(painter, title, Qt::AlignLeft | Qt::AlignVCenter, callout.title, titleFont(style),
            style.theme->text);
        drawLine(painter, line, Qt::AlignRight | Qt::AlignVCenter, callout.value, titleFont(style),
            style.theme->text);
        for (const Callout::Line& below : callout.lines) {
            line.translate(0, row);
            drawLine(painter, line, Qt::AlignLeft | Qt::AlignVCenter, below.text,
                lineFont(below, style), below.color);
        }
    }
    painter.restore();
}

} // namespace shardrack
