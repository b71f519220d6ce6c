#include "docks/terms_list.h"

#include "commands/rank_input.h"
#include "docks/measured_marks.h"
#include "docks/paragraph.h"
#include "models/findings_text.h"
#include "models/number_text.h"
#include "paint/stacked_bar.h"
#include "plan/glossary.h"
#include "style/view_style.h"

#include <QPainter>

#include <algorithm>

namespace shardrack {

namespace {

constexpr qreal kMargin = 14;
constexpr qreal kTop = 14;
constexpr qreal kRow = 19;
constexpr qreal kRule = 11; ///< height of a separator
constexpr qreal kSwatch = 13;
constexpr qreal kWidth = 252;

const DeviceClass& deviceOf(const Assessment& assessment, std::int32_t gpu)
{
    return assessment.account
        .deviceClasses[assessment.account.classOfGpu[static_cast<std::size_t>(gpu)]];
}

} // namespace

TermsList::TermsList(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(QStringLiteral("termsList"));
    setAccessibleName(tr("Terms of a device"));
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
}

void TermsList::show(const std::optional<ShownOffer>& offer, std::int32_t gpu)
{
    m_lines.clear();
    m_title.clear();
    m_about.clear();
    if (offer && gpu >= 0) {
        const DeviceClass& device = deviceOf(*offer->assessment, gpu);
        RankSet ranks;
        for (const std::int32_t rank : offer->assessment->layout.ranksOn(gpu))
            ranks.insert(rank);
        m_title = device.idle() ? tr("%1: no rank").arg(deviceText(*offer, gpu))
                                : tr("Terms of %1, GiB").arg(ranksText(ranks));
        addTerms(device);
        addCapacity(device, offer->plan->margin);
        addMeasured(*offer, gpu);
        m_about = aboutCopies(*offer, gpu);
    }
    describe();
    updateGeometry();
    update();
}

void TermsList::addTerms(const DeviceClass& device)
{
    for (auto category = kCategories.rbegin(); category != kCategories.rend(); ++category) {
        const Sum& held = device.atPeak[index(*category)];
        const bool something = held.established > Bytes(0);
        if (!something && !held.atLeast)
            continue;
        Line line;
        line.mark = something ? Line::Mark::Category : Line::Mark::Open;
        line.category = *category;
        line.name = categoryTitle(*category);
        line.value = something ? sumText(held) : QStringLiteral("?");
        m_lines.push_back(line);
    }
}

void TermsList::addCapacity(const DeviceClass& device, const RequiredMargin& margin)
{
    using Mark = Line::Mark;
    const bool confirmed = device.usable.provenance != Provenance::NotEstablished;
    if (!m_lines.empty())
        m_lines.push_back({ Mark::Rule, {}, {}, {}, false, false });
    m_lines.push_back({ Mark::Usable, {}, confirmed ? tr("Usable") : tr("Usable, not confirmed"),
        numberText(device.usable.bytes), !confirmed, false });
    if (margin.bytes)
        m_lines.push_back(
            { Mark::Margin, {}, tr("Required margin"), numberText(*margin.bytes), false, false });
    if (device.idle())
        return;
    const Bytes headroom = device.headroom();
    if (headroom < Bytes(0))
        m_lines.push_back({ Mark::Over, {}, tr("Beyond usable"),
            (device.need.atLeast ? QStringLiteral("\u2265 ") : QString())
                + numberText(Bytes(0) - headroom),
            false, true });
    else if (device.headroomAtMost())
        // What is below the line is no margin while something is open.
        m_lines.push_back({ Mark::None, {}, tr("For what is open"),
            tr("at most %1").arg(numberText(headroom)), false, false });
    else
        m_lines.push_back(
            { Mark::None, {}, tr("Below usable"), numberText(headroom), false, false });
}

/// Measured stands beside the estimate, with the difference.
void TermsList::addMeasured(const ShownOffer& offer, std::int32_t gpu)
{
    const auto peaks = measuredPeaks(offer);
    if (peaks.empty() || !peaks[static_cast<std::size_t>(gpu)])
        return;
    const Bytes peak = *peaks[static_cast<std::size_t>(gpu)];
    m_lines.push_back({ Line::Mark::Rule, {}, {}, {}, false, false });
    m_lines.push_back(
        { Line::Mark::Measured, {}, tr("Measured peak"), numberText(peak), false, false });
    const Sum& need = deviceOf(*offer.assessment, gpu).need;
    if (need.atLeast && need.established == Bytes(0))
        return;
    const QString change = changeText(peak - need.established);
    m_lines.push_back({ Line::Mark::Difference, {}, tr("Measured − estimated"),
        need.atLeast ? tr("at most %1").arg(change) : change, false, false });
}

QString TermsList::aboutCopies(const ShownOffer& offer, std::int32_t gpu)
{
    const Account& account = offer.assessment->account;
    const std::int64_t ranks = static_cast<std::int64_t>(account.classOfRank.size());
    if (!account.stateEstablished || ranks < 2 || deviceOf(*offer.assessment, gpu).idle())
        return {};
    // Every rank is a complete copy, and nothing is divided.
    const Bytes one = account.stateTotal - account.redundantTotal;
    const bool copies = one > Bytes(0) && one.count() <= account.stateTotal.count() / ranks
        && account.stateTotal == one * ranks;
    if (!copies)
        return {};
    const auto isEach = [&](const RankClass& ranksOfClass) { return ranksOfClass.state == one; };
    if (!std::all_of(account.rankClasses.begin(), account.rankClasses.end(), isEach))
        return {};

    const DeviceClass& device = deviceOf(*offer.assessment, gpu);
    const bool equal = std::all_of(
        account.deviceClasses.begin(), account.deviceClasses.end(), [&](const DeviceClass& other) {
            return other.installedKnown && other.installed == device.installed;
        });
    QString text
        = tr("%1 copies total %2 GiB.").arg(countText(ranks), numberText(account.stateTotal));
    if (equal)
        text += u' '
            + tr("The %1 GiB installed is not one allocation: each GPU has only its own %2.")
                  .arg(numberText(account.installedTotal), numberText(device.installed));
    return text + u' ' + tr("Another card changes nothing for these ranks.");
}

void TermsList::describe()
{
    QStringList parts { m_title };
    for (const Line& line : m_lines)
        if (line.mark != Line::Mark::Rule)
            parts << line.name + u' ' + (line.value == u"?" ? tr("not established") : line.value);
    parts << m_about;
    parts.removeAll(QString());
    setAccessibleDescription(parts.join(QStringLiteral(". ")));
}

qreal TermsList::linesHeight(const PaintStyle& style) const
{
    qreal height = 0;
    for (const Line& line : m_lines)
        height += (line.mark == Line::Mark::Rule ? kRule : kRow) * style.textScale;
    return height;
}

QSize TermsList::sizeHint() const
{
    const PaintStyle style = styleOf(this);
    const qreal width = kWidth * style.textScale;
    qreal height = 2 * kTop + 24 * style.textScale + linesHeight(style);
    if (!m_about.isEmpty())
        height += kRule
            + Paragraph(m_about, {}, style.font(type::kSecondary), width - 2 * kMargin).height();
    return { qCeil(width), qCeil(height) };
}

void TermsList::paintEvent(QPaintEvent*)
{
    const PaintStyle style = styleOf(this);
    const Theme& theme = *style.theme;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), theme.view);
    painter.fillRect(QRect(0, 0, 1, height()), theme.line2);
    if (m_title.isEmpty())
        return;
    const QRectF area = QRectF(rect()).adjusted(kMargin, kTop, -kMargin, 0);
    drawLine(painter, QRectF(area.left(), area.top(), area.width(), 18 * style.textScale),
        Qt::AlignVCenter, m_title, style.font(type::kBase, type::kSemibold), theme.text);
    qreal y = area.top() + 24 * style.textScale;
    for (const Line& line : m_lines) {
        using Mark = Line::Mark;
        const qreal height = (line.mark == Mark::Rule ? kRule : kRow) * style.textScale;
        const QRectF row(area.left(), y, area.width(), height);
        y += height;
        if (line.mark == Mark::Rule) {
            painter.fillRect(QRectF(row.left(), row.center().y(), row.width(), 1), theme.line2);
            continue;
        }
        const QRectF swatch(row.left(), row.center().y() - kSwatch / 2, kSwatch, kSwatch);
        const QPolygonF stroke { QPointF(row.left() - 1, row.center().y()),
            QPointF(row.left() + kSwatch + 1, row.center().y()) };
        switch (line.mark) {
        case Mark::Category:
            drawSwatch(painter, swatch, line.category, style);
            break;
        case Mark::Open:
            drawOpenSwatch(painter, swatch, style);
            break;
        case Mark::Over:
            drawOverSwatch(painter, swatch, style);
            break;
        case Mark::Usable:
            drawLimitLine(painter, stroke, LimitLine::Usable, style);
            break;
        case Mark::Margin:
            drawLimitLine(painter, stroke, LimitLine::Margin, style);
            break;
        case Mark::Measured:
            drawMeasuredMark(painter, swatch.center(), kSwatch / 2 - 1, style);
            break;
        case Mark::Difference:
        case Mark::None:
        case Mark::Rule:
            break;
        }
        const QFont valueFont = style.font(type::kBase, line.over ? type::kBold : type::kRegular);
        const QColor ink = line.over ? theme.overText : theme.text;
        const qreal valueWidth = lineWidth(line.value, valueFont);
        qreal nameEnd = row.right() - valueWidth - 8;
        drawLine(painter, row, Qt::AlignRight | Qt::AlignVCenter, line.value, valueFont, ink);
        if (line.notEstablished) {
            const QRectF icon(nameEnd - 12, row.center().y() - 6.5, 13, 13);
            drawIcon(painter, icon, Icon::NotEstablished, theme.overText);
            nameEnd = icon.left() - 4;
        }
        const qreal left = row.left() + kSwatch + 8;
        drawLine(painter, QRectF(left, row.top(), nameEnd - left, row.height()), Qt::AlignVCenter,
            line.name, style.font(type::kBase), theme.text);
    }
    if (!m_about.isEmpty()) {
        painter.fillRect(QRectF(area.left(), y + 4, area.width(), 1), theme.line2);
        Paragraph(m_about, {}, style.font(type::kSecondary), area.width())
            .draw(painter, { area.left(), y + kRule }, theme.text2, theme.link);
    }
}

QString TermsList::glossaryWordAt(const QPoint& point) const
{
    const qreal scale = styleOf(this).textScale;
    qreal y = kTop + 24 * scale;
    for (const Line& line : m_lines) {
        const qreal height = (line.mark == Line::Mark::Rule ? kRule : kRow) * scale;
        const bool here = point.y() >= y && point.y() < y + height;
        y += height;
        if (!here)
            continue;
        switch (line.mark) {
        case Line::Mark::Category:
        case Line::Mark::Open:
            return QString::fromStdString(glossaryEntry(line.category).word);
        case Line::Mark::Usable:
            return QStringLiteral("usable allocation");
        case Line::Mark::Margin:
            return QStringLiteral("required margin");
        case Line::Mark::Over:
        case Line::Mark::None:
            return QStringLiteral("headroom");
        case Line::Mark::Measured:
        case Line::Mark::Difference:
            return QStringLiteral("measured");
        case Line::Mark::Rule:
            break;
        }
    }
    return point.y() >= y ? QStringLiteral("redundancy") : QStringLiteral("need");
}

void TermsList::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        updateGeometry();
    update();
}

} // namespace shardrack
