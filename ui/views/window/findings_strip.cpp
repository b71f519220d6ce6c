#include "window/findings_strip.h"

#include "style/view_style.h"
#include "window/findings_text.h"

#include <QAccessible>
#include <QEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

namespace shardrack {

namespace {

/// Writes pieces of text and glyphs from left to right.
class Line {
public:
    Line(QPainter& painter, QRectF area)
        : m_painter(painter)
        , m_area(area)
    {
    }
    void text(const QString& text, const QFont& font, const QColor& color, qreal gap = 6)
    {
        if (text.isEmpty() || m_area.width() <= 0)
            return;
        drawLine(m_painter, m_area, Qt::AlignLeft | Qt::AlignVCenter, text, font, color);
        m_area.setLeft(m_area.left() + lineWidth(text, font) + gap);
    }
    bool fits(const QString& text, const QFont& font) const
    {
        return lineWidth(text, font) <= m_area.width();
    }
    template <class Draw> void mark(qreal size, const Draw& draw)
    {
        if (m_area.width() < size)
            return;
        draw(QRectF(m_area.left(), m_area.center().y() - size / 2, size, size));
        m_area.setLeft(m_area.left() + size + 5);
    }

private:
    QPainter& m_painter;
    QRectF m_area;
};

struct Finding {
    QString caption;
    QString now;
    QString whatIf; ///< equal to `now` outside a what-if
    std::optional<Glyph> glyph;
    QColor color;
    qreal width = 0;
};

constexpr qreal kPadding = 14;
/// Below this width the strip is set tighter.
constexpr int kRoomy = 800;

} // namespace

FindingsStrip::FindingsStrip(PlanDocument& document, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
{
    setObjectName(QStringLiteral("findingsStrip"));
    setAccessibleName(tr("Findings"));
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&document, &PlanDocument::changed, this, &FindingsStrip::refresh);
    connect(&document, &PlanDocument::resetDone, this, &FindingsStrip::refresh);
    connect(&document, &PlanDocument::currentOfferChanged, this, &FindingsStrip::refresh);
    connect(&document, &PlanDocument::whatIfChanged, this, &FindingsStrip::refresh);
    refresh();
}

QSize FindingsStrip::sizeHint() const
{
    return { 600, qRound(metrics::kFindingsStrip * uiScale()) };
}

QSize FindingsStrip::minimumSizeHint() const { return { 300, sizeHint().height() }; }

void FindingsStrip::refresh()
{
    QString description;
    if (const auto shown = m_document.shown()) {
        const StripText text = stripText(*shown);
        description = text.judged
            ? tr("Most loaded device: %1, %2, %3%4. Capacity estimate: %5. Demonstrated fit: %6. "
                 "Training result: %7.")
                  .arg(text.device, text.need, text.usable,
                      text.usableConfirmed ? QString() : tr(", not confirmed"), text.capacity,
                      text.demonstrated, text.result)
            : tr("No GPU has a rank yet.");
    }
    setAccessibleDescription(description);
    setToolTip(description);
    update();
}

void FindingsStrip::paintEvent(QPaintEvent*)
{
    const PaintStyle style = styleOf(this);
    const Theme& theme = *style.theme;
    const qreal scale = style.textScale;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), theme.view);
    painter.fillRect(QRectF(0, height() - 1, width(), 1), theme.line);

    const auto now = m_document.current();
    const auto tried = m_document.whatIf();
    if (!now) {
        drawLine(painter, QRectF(rect()).adjusted(kPadding, 0, -kPadding, 0), Qt::AlignVCenter,
            tr("No offer yet. Add one, or open a plan."), style.font(type::kBase), theme.text2);
        return;
    }
    const StripText before = stripText(*now);
    const StripText after = tried ? stripText(*tried) : before;
    const Findings& findings = (tried ? *tried : *now).assessment->findings;
    const QFont caption = style.font(type::kSecondary);
    const QFont value
        = style.font(width() < kRoomy * scale ? type::kBase : type::kHeadline, type::kSemibold);
    const QString arrow = QStringLiteral("→");

    Finding blocks[] = {
        { tr("Capacity estimate"), before.capacity, after.capacity, std::nullopt,
            textColorOf(findings.capacity, theme) },
        { tr("Demonstrated fit"), before.demonstrated, after.demonstrated,
            glyphOf(findings.demonstrated), theme.text },
        { tr("Training result"), before.result, after.result, glyphOf(findings.result),
            theme.text },
    };
    const qreal padding = width() < kRoomy * scale ? kPadding / 2 : kPadding;
    qreal right = width();
    for (Finding& block : blocks) {
        qreal text = lineWidth(block.whatIf, value) + (block.glyph ? 15 * scale + 5 : 0);
        if (block.now != block.whatIf)
            text += lineWidth(block.now, value) + lineWidth(arrow, value) + 12;
        block.width = std::max(text, lineWidth(block.caption, caption)) + 2 * padding;
        right -= block.width;
    }
    const qreal captionTop = 7 * scale;
    const qreal captionHeight = 14 * scale;
    const qreal valueTop = captionTop + captionHeight;
    const qreal valueHeight = height() - valueTop - 6 * scale;
    qreal x = right;
    std::size_t number = 0;
    for (const Finding& block : blocks) {
        m_blockLeft[number++] = x;
        painter.fillRect(QRectF(x, 0, 1, height() - 1), theme.line2);
        Line(painter, QRectF(x + padding, captionTop, block.width - padding, captionHeight))
            .text(block.caption, caption, theme.text2);
        Line line(painter, QRectF(x + padding, valueTop, block.width - padding, valueHeight));
        if (block.glyph)
            line.mark(
                15 * scale, [&](const QRectF& at) { drawGlyph(painter, at, *block.glyph, theme); });
        if (block.now != block.whatIf) {
            line.text(block.now, value, theme.text2);
            line.text(arrow, value, theme.text3);
        }
        line.text(block.whatIf, value, block.color);
        x += block.width;
    }

    qreal left = 0;
    if (tried) {
        const qreal chip = lineWidth(tr("What if"), caption) + 44;
        painter.fillRect(QRectF(0, 0, chip, height() - 1), theme.accentTint);
        const QRectF pill(12, (height() - 20 * scale) / 2, chip - 24, 20 * scale);
        painter.setPen(QPen(theme.accent, 1.2));
        painter.setBrush(theme.view);
        painter.drawRoundedRect(pill, pill.height() / 2, pill.height() / 2);
        drawLine(painter, pill, Qt::AlignCenter, tr("What if"), caption, theme.link);
        left = chip;
    }
    const QRectF area(left + padding, 0, right - left - 2 * padding, height());
    if (!after.judged) {
        drawLine(painter, area, Qt::AlignVCenter, tr("No GPU has a rank yet."),
            style.font(type::kBase), theme.text2);
        return;
    }
    const auto deviceVerdict = [](const ShownOffer& offer) {
        const Findings& found = offer.assessment->findings;
        return found.ofDeviceClass[static_cast<std::size_t>(found.mostLoadedClass)];
    };
    const Capacity verdict = deviceVerdict(tried ? *tried : *now);
    const QColor color = textColorOf(verdict, theme);
    const bool was = tried && before.judged;
    const QString need = was ? after.need : after.need + QStringLiteral(",");
    const qreal whole = 21 * scale + lineWidth(need, value) + lineWidth(after.usable, value)
        + lineWidth(after.gap, value) + 18 + (after.usableConfirmed ? 0 : 17 * scale)
        + (was ? 21 * scale + lineWidth(before.need, value) + 24 : 0);
    // Need and usable are never cut: where one line is too short for both, they stand in two.
    const bool split = whole > area.width();
    const QFont font = split ? style.font(type::kBase, type::kSemibold) : value;
    Line upper(painter,
        split ? QRectF(area.left(), 5 * scale, area.width(), 18 * scale)
              : QRectF(area.left(), captionTop, area.width(), captionHeight));
    Line lower(painter,
        split ? QRectF(area.left(), 24 * scale, area.width(), 18 * scale)
              : QRectF(area.left(), valueTop, area.width(), valueHeight));
    Line& first = split ? upper : lower;
    const auto glyph = [&](Capacity capacity) {
        first.mark((split ? 14 : 16) * scale,
            [&](const QRectF& at) { drawGlyph(painter, at, glyphOf(capacity), theme); });
    };
    if (!split)
        upper.text(
            tr("Most loaded device, least headroom: %1").arg(after.device), caption, theme.text2);
    const bool bothNeeds = !split
        || 80 * scale + lineWidth(before.need, font) + lineWidth(after.need, font) < area.width();
    if (was && bothNeeds) {
        const Capacity earlier = deviceVerdict(*now);
        glyph(earlier);
        first.text(before.need, font, textColorOf(earlier, theme));
        first.text(arrow, font, theme.text3);
    }
    glyph(verdict);
    first.text(split ? after.need : need, font, color);
    lower.text(after.usable, font, color);
    if (!after.usableConfirmed)
        lower.mark(12 * scale,
            [&](const QRectF& at) { drawIcon(painter, at, Icon::NotEstablished, theme.overText); });
    lower.text(lower.fits(after.gap, font) ? after.gap : after.shortGap, font, color);
    if (hasFocus()) {
        painter.setPen(QPen(theme.accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(rect()).adjusted(1, 1, -1, -2));
    }
}

QString FindingsStrip::glossaryWordAt(const QPoint& point) const
{
    const QString words[] = { QStringLiteral("capacity estimate"),
        QStringLiteral("demonstrated fit"), QStringLiteral("training result") };
    for (std::size_t i = m_blockLeft.size(); i-- > 0;)
        if (point.x() >= m_blockLeft[i] && m_blockLeft[i] > 0)
            return words[i];
    return QStringLiteral("most loaded device");
}

void FindingsStrip::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        emit showMostLoaded();
}

void FindingsStrip::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter
        || event->key() == Qt::Key_Space)
        emit showMostLoaded();
    else
        QWidget::keyPressEvent(event);
}

void FindingsStrip::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        refresh();
    QWidget::changeEvent(event);
}

} // namespace shardrack
