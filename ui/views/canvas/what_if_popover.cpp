#include "canvas/what_if_popover.h"

#include "canvas/canvas_text.h"
#include "style/view_style.h"

#include <QFontMetricsF>
#include <QPaintEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace shardrack {

namespace {

constexpr qreal kPad = 12;
constexpr qreal kRow = 21;
constexpr qreal kHead = 26;
constexpr qreal kGap = 16;
constexpr qreal kWidest = 470;
constexpr qreal kShadow = 5;

/// The device with least headroom; null when no GPU has a rank.
const DeviceClass* mostLoaded(const Assessment& assessment)
{
    const std::int32_t number = assessment.findings.mostLoadedClass;
    return number < 0 ? nullptr : &assessment.account.deviceClasses[std::size_t(number)];
}

/// What its ranks hold of the persistent state.
std::optional<Bytes> stateOn(const Assessment& assessment)
{
    const DeviceClass* device = mostLoaded(assessment);
    if (!device || !assessment.account.stateEstablished)
        return std::nullopt;
    Bytes state;
    for (const DeviceClass::Holding& holding : device->holdings) {
        if (holding.weights == 0)
            return std::nullopt;
        const Bytes rank = assessment.account.rankClasses[std::size_t(holding.rankClass)].state;
        state += Bytes(rank.count() / holding.weights * holding.weight
            + rank.count() % holding.weights * holding.weight / holding.weights);
    }
    return state;
}

/// Something of its need is: otherwise the sum is no figure.
bool established(const DeviceClass* device)
{
    return device && (device->need.established.count() != 0 || !device->need.atLeast);
}

QString needText(const DeviceClass* device)
{
    if (!device)
        return WhatIfPopover::tr("none");
    if (!established(device))
        return QStringLiteral("?");
    return (device->need.atLeast ? QStringLiteral("≥ ") : QString())
        + gib(device->need.established);
}

WhatIfRow rowOf(const QString& label, const QString& before, const QString& after)
{
    WhatIfRow row;
    row.label = label;
    row.before = before;
    row.after = after;
    return row;
}

WhatIfRow countRow(const QString& label, std::int64_t before, std::int64_t after, bool lessIsBetter)
{
    WhatIfRow row = rowOf(label, groupedNumber(before), groupedNumber(after));
    const std::int64_t change = after - before;
    row.change = change == 0 ? WhatIfPopover::tr("unchanged")
                             : (change < 0 ? QStringLiteral("−") : QStringLiteral("+"))
            + groupedNumber(std::abs(change));
    if (lessIsBetter && change != 0)
        row.tone = change < 0 ? WhatIfRow::Tone::Better : WhatIfRow::Tone::Worse;
    return row;
}

void setChange(WhatIfRow& row, std::optional<Bytes> before, std::optional<Bytes> after)
{
    if (!before || !after)
        return;
    const Bytes change = *after - *before;
    row.change = change.count() == 0 ? WhatIfPopover::tr("unchanged") : signedGib(change, 1);
    if (change.count() != 0)
        row.tone = change.count() < 0 ? WhatIfRow::Tone::Better : WhatIfRow::Tone::Worse;
}

} // namespace

std::vector<WhatIfRow> whatIfRows(const ShownOffer& before, const ShownOffer& after)
{
    std::vector<WhatIfRow> rows;
    const DeviceClass* was = mostLoaded(*before.assessment);
    const DeviceClass* is = mostLoaded(*after.assessment);
    const auto glyph = [](const ShownOffer& offer) -> std::optional<Glyph> {
        const Findings& findings = offer.assessment->findings;
        if (findings.mostLoadedClass < 0)
            return std::nullopt;
        return glyphOf(findings.ofDeviceClass[std::size_t(findings.mostLoadedClass)]);
    };
    WhatIfRow need = rowOf(WhatIfPopover::tr("Most loaded, need"), needText(was), needText(is));
    need.beforeGlyph = glyph(before);
    need.afterGlyph = glyph(after);
    setChange(need, established(was) ? std::optional(was->need.established) : std::nullopt,
        established(is) ? std::optional(is->need.established) : std::nullopt);
    rows.push_back(std::move(need));

    rows.push_back(countRow(WhatIfPopover::tr("GPUs over capacity"),
        before.assessment->findings.devicesOver, after.assessment->findings.devicesOver, true));

    const auto batch = [](const ShownOffer& offer) {
        return batchArithmetic(offer.workload().recipe, offer.assessment->layout.dataParallel());
    };
    const BatchArithmetic oldBatch = batch(before), newBatch = batch(after);
    if (oldBatch.closes && (newBatch.closes || newBatch.broken)) {
        const auto product = [](const BatchArithmetic& b) {
            const auto factor = [](const std::optional<std::int64_t>& f) {
                return f ? groupedNumber(*f) : QStringLiteral("?");
            };
            return QStringLiteral("%1 × %2 × %3")
                .arg(factor(b.microBatch), factor(b.accumulation), groupedNumber(b.dataParallel));
        };
        WhatIfRow row = rowOf(WhatIfPopover::tr("Micro-batch × accum. × ranks"), product(oldBatch),
            product(newBatch));
        if (newBatch.globalBatch)
            row.change = oldBatch.globalBatch == newBatch.globalBatch
                ? WhatIfPopover::tr("%1 held").arg(groupedNumber(*newBatch.globalBatch))
                : QStringLiteral("= %1").arg(groupedNumber(*newBatch.globalBatch));
        rows.push_back(std::move(row));
    }

    const std::optional<Bytes> oldState = stateOn(*before.assessment);
    const std::optional<Bytes> newState = stateOn(*after.assessment);
    const auto stateText = [](const std::optional<Bytes>& state) {
        return state ? gib(*state) : QStringLiteral("?");
    };
    WhatIfRow state = rowOf(
        WhatIfPopover::tr("Persistent state per GPU"), stateText(oldState), stateText(newState));
    setChange(state, oldState, newState);
    rows.push_back(std::move(state));

    rows.push_back(countRow(WhatIfPopover::tr("Ranks"), before.assessment->layout.rankCount(),
        after.assessment->layout.rankCount(), false));
    return rows;
}

WhatIfPopover::WhatIfPopover(QWidget* parent)
    : QFrame(parent)
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    setObjectName(QStringLiteral("whatIfPopover"));
    hide();
}

void WhatIfPopover::showConsequence(
    const QString& title, std::vector<WhatIfRow> rows, const QString& broken, const QString& hint)
{
    m_title = title;
    m_rows = std::move(rows);
    m_broken = broken;
    m_reason.clear();
    m_hint = hint;
    present();
}

void WhatIfPopover::showRefusal(const QString& title, const QString& reason)
{
    m_title = title;
    m_rows.clear();
    m_broken.clear();
    m_reason = reason;
    m_hint.clear();
    present();
}

void WhatIfPopover::present()
{
    QStringList spoken { m_title };
    for (const WhatIfRow& row : m_rows)
        spoken
            << QStringLiteral("%1: %2 → %3, %4").arg(row.label, row.before, row.after, row.change);
    spoken << m_broken << m_reason << m_hint;
    spoken.removeAll(QString());
    setAccessibleName(m_title);
    setAccessibleDescription(spoken.join(QLatin1Char('\n')));
    resize(sizeHint());
    update();
}

WhatIfPopover::Columns WhatIfPopover::columns(const PaintStyle& style) const
{
    Columns columns;
    const QFont plain = style.font(type::kSecondary + 0.5);
    const QFont bold = style.font(type::kSecondary + 0.5, type::kBold);
    for (const WhatIfRow& row : m_rows) {
        columns.label = std::max(columns.label, shardrack::lineWidth(row.label, plain));
        columns.before = std::max(
            columns.before, shardrack::lineWidth(row.before, plain) + (row.beforeGlyph ? 17 : 0));
        columns.after = std::max(
            columns.after, shardrack::lineWidth(row.after, bold) + (row.afterGlyph ? 17 : 0));
        columns.change = std::max(columns.change, shardrack::lineWidth(row.change, bold) + 16);
    }
    return columns;
}

QSize WhatIfPopover::sizeHint() const
{
    const PaintStyle look = styleOf(this);
    const qreal unit = look.textScale;
    const QFont title = look.font(type::kBase, type::kSemibold);
    const QFont small = look.font(type::kSecondary);
    qreal width
        = std::max(shardrack::lineWidth(m_title, title), shardrack::lineWidth(m_hint, small));
    qreal height = kHead * unit;
    if (!m_rows.empty()) {
        const Columns c = columns(look);
        width = std::max(width, c.label + c.before + c.after + c.change + 4 * kGap + 14);
        height += qreal(m_rows.size()) * kRow * unit;
    }
    width = std::min(std::max(width, 180.0), kWidest * unit);
    for (const QString& text : { m_reason, m_broken })
        if (!text.isEmpty())
            height += QFontMetricsF(small)
                          .boundingRect(QRectF(0, 0, width - (text == m_broken ? 20 : 0), 1000),
                              Qt::TextWordWrap, text)
                          .height()
                + 6;
    if (!m_hint.isEmpty())
        height += kRow * unit;
    return QSizeF(width + 2 * kPad + 2 * kShadow, height + 2 * kPad - 6 + 2 * kShadow).toSize();
}

void WhatIfPopover::paintEvent(QPaintEvent* event)
{
    static_cast<void>(event);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const PaintStyle look = styleOf(this);
    const Theme& theme = *look.theme;
    const qreal unit = look.textScale;
    const QRectF frame = QRectF(rect()).adjusted(kShadow, kShadow, -kShadow, -kShadow);
    for (int i = int(kShadow); i > 0; --i) {
        QColor shade(Qt::black);
        shade.setAlphaF(0.022F);
        painter.setPen(Qt::NoPen);
        painter.setBrush(shade);
        painter.drawRoundedRect(frame.adjusted(-i, -i + 1, i, i), 5 + i, 5 + i);
    }
    painter.setPen(QPen(m_reason.isEmpty() ? theme.accent : theme.line, 1.2));
    painter.setBrush(theme.pop);
    painter.drawRoundedRect(frame.adjusted(.5, .5, -.5, -.5), 4, 4);

    const QRectF inner = frame.adjusted(kPad, kPad - 5, -kPad, -kPad + 2);
    const int left = Qt::AlignLeft | Qt::AlignVCenter;
    qreal y = inner.top();
    const auto line = [&](qreal height) {
        const QRectF rect(inner.left(), y, inner.width(), height);
        y += height;
        return rect;
    };
    drawLine(painter, line(kHead * unit), left, m_title, look.font(type::kBase, type::kSemibold),
        theme.text);

    const Columns c = columns(look);
    const QFont plain = look.font(type::kSecondary + 0.5);
    const QFont bold = look.font(type::kSecondary + 0.5, type::kBold);
    const auto colored = [&](const std::optional<Glyph>& glyph, const QColor& otherwise) {
        if (glyph == Glyph::OverCapacity)
            return theme.overText;
        return glyph == Glyph::Fit ? theme.okText : otherwise;
    };
    for (const WhatIfRow& row : m_rows) {
        const QRectF rect = line(kRow * unit);
        drawLine(painter, rect, left, row.label, plain, theme.text);
        qreal right = rect.right() - c.change - kGap - c.after - kGap - 14 - 4;
        drawLine(painter, { rect.left(), rect.top(), right - rect.left(), rect.height() },
            Qt::AlignRight | Qt::AlignVCenter, row.before, plain,
            colored(row.beforeGlyph, theme.text));
        const qreal beforeWidth = shardrack::lineWidth(row.before, plain);
        if (row.beforeGlyph)
            drawGlyph(painter, { right - beforeWidth - 17, rect.center().y() - 6, 12, 12 },
                *row.beforeGlyph, theme);
        drawLine(painter, { right + 4, rect.top(), kGap + 4, rect.height() }, Qt::AlignCenter,
            QStringLiteral("→"), plain, theme.text3);
        qreal x = right + kGap + 14;
        if (row.afterGlyph) {
            drawGlyph(painter, { x, rect.center().y() - 6, 12, 12 }, *row.afterGlyph, theme);
            x += 17;
        }
        drawLine(painter, { x, rect.top(), c.after + 4, rect.height() }, left, row.after, bold,
            colored(row.afterGlyph, theme.text));
        if (row.change.isEmpty())
            continue;
        const bool better = row.tone == WhatIfRow::Tone::Better;
        const bool worse = row.tone == WhatIfRow::Tone::Worse;
        const qreal chip = shardrack::lineWidth(row.change, bold) + 14;
        const QRectF ground(rect.right() - chip, rect.center().y() - 8.5 * unit, chip, 17 * unit);
        painter.setPen(Qt::NoPen);
        painter.setBrush(better ? theme.okTint : worse ? theme.overTint : theme.openTint);
        painter.drawRoundedRect(ground, ground.height() / 2, ground.height() / 2);
        drawLine(painter, ground, Qt::AlignCenter, row.change, bold,
            better      ? theme.okText
                : worse ? theme.overText
                        : theme.openText);
    }
    const QFont small = look.font(type::kSecondary);
    const auto paragraph = [&](const QString& text, qreal indent, const QColor& color) {
        const QRectF room(inner.left() + indent, y + 2, inner.width() - indent, 1000);
        const QRectF used = QFontMetricsF(small).boundingRect(room, Qt::TextWordWrap, text);
        painter.setFont(small);
        painter.setPen(color);
        painter.drawText(room, Qt::TextWordWrap, text);
        y += used.height() + 6;
    };
    if (!m_broken.isEmpty()) {
        drawGlyph(painter, { inner.left(), y + 3, 13, 13 }, Glyph::NotLegal, theme);
        paragraph(m_broken, 20, theme.text);
    }
    if (!m_reason.isEmpty())
        paragraph(m_reason, 0, theme.text);
    if (!m_hint.isEmpty())
        drawLine(painter, line(kRow * unit), left, m_hint, small, theme.text2);
}

} // namespace shardrack
