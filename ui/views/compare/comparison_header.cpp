#include "compare/comparison_header.h"

#include "compare/comparison_model.h"
#include "models/number_text.h"
#include "style/view_style.h"

#include <QFontMetricsF>
#include <QMouseEvent>
#include <QPainter>

#include <cmath>

namespace shardrack {

namespace {

// Distances at the base font of 12 px.
constexpr qreal kSide = 12;
constexpr qreal kTop = 7;
constexpr qreal kName = 21;
constexpr qreal kFinding = 20;
constexpr qreal kGlyph = 14;
constexpr qreal kCaption = 106; ///< width of "Capacity estimate" and the gap behind it
constexpr qreal kWithCaptions = 260; ///< narrower, the glyph and its words stand alone

struct Finding {
    const char* field;
    Glyph glyph;
    QColor ink;
};

} // namespace

ComparisonHeader::ComparisonHeader(ComparisonModel& model, QWidget* parent)
    : QHeaderView(Qt::Horizontal, parent)
    , m_model(model)
{
    setSectionsClickable(true);
    setHighlightSections(false);
    setSectionResizeMode(QHeaderView::Fixed);
    setAccessibleName(tr("Offers compared"));
    viewport()->setMouseTracking(true);
}

QSize ComparisonHeader::sizeHint() const
{
    return { 0, qRound((kTop + kName + 3 * kFinding + 6) * uiScale()) };
}

void ComparisonHeader::paintSection(QPainter* painter, const QRect& rect, int section) const
{
    if (section >= m_model.columnCount())
        return;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (section == 0)
        paintPlan(*painter, rect);
    else
        paintOffer(*painter, rect, std::size_t(section - 1));
    painter->fillRect(QRectF(rect.left(), rect.bottom(), rect.width(), 1), themeOf(this).line);
    painter->restore();
}

void ComparisonHeader::paintPlan(QPainter& painter, const QRectF& rect) const
{
    const PaintStyle style = styleOf(this);
    const Theme& theme = *style.theme;
    painter.fillRect(rect, theme.alt);
    painter.fillRect(QRectF(rect.right() - 1, rect.top(), 1, rect.height()), theme.line2);
    const QRectF room = rect.adjusted(kSide, kTop * style.textScale, -kSide, -4);
    const QFont bold = style.font(type::kBase, type::kSemibold);
    const QString title = QString::fromStdString(m_model.comparison().plan->title);
    const QString counts
        = tr("%1 offers compared").arg(countText(qint64(m_model.comparison().offers.size())));
    const qreal foot = std::ceil(QFontMetricsF(style.font(type::kSecondary)).height());
    painter.setFont(bold);
    painter.setPen(theme.text);
    painter.drawText(room.adjusted(0, 0, 0, -foot), Qt::TextWordWrap | Qt::AlignRight, title);
    drawLine(painter, QRectF(room.left(), room.bottom() - foot, room.width(), foot),
        Qt::AlignRight | Qt::AlignVCenter, counts, style.font(type::kSecondary), theme.text2);
}

void ComparisonHeader::paintOffer(QPainter& painter, const QRectF& rect, std::size_t column) const
{
    const PaintStyle style = styleOf(this);
    const Theme& theme = *style.theme;
    const qreal scale = style.textScale;
    const Comparison& comparison = m_model.comparison();
    const ComparedOffer& offer = comparison.offers[column];
    const Findings& findings = offer.assessment->findings;
    painter.fillRect(rect, theme.view);
    if (column > 0)
        painter.fillRect(QRectF(rect.left(), rect.top(), 1, rect.height()), theme.line2);

    QRectF line(
        rect.left() + kSide, rect.top() + kTop * scale, rect.width() - 2 * kSide, kName * scale);
    const bool hovered = m_hovered == int(column) + 1;
    const QFont name = style.font(type::kHeadline, type::kSemibold);
    const auto write = [&](const QString& text, const QFont& font, const QColor& color) {
        if (line.width() < 12)
            return;
        drawLine(painter, line, Qt::AlignLeft | Qt::AlignVCenter, text, font, color);
        line.setLeft(line.left() + shardrack::lineWidth(text, font) + 8);
    };
    const auto icon = [&](const auto& draw) {
        draw(QRectF(line.left(), line.center().y() - kGlyph / 2, kGlyph, kGlyph));
        line.setLeft(line.left() + kGlyph + 5);
    };
    if (!offer.changes.empty())
        icon([&](const QRectF& at) { drawIcon(painter, at, Icon::Changed, theme.flag); });
    write(QString::fromStdString(comparison.offer(column).name), name,
        hovered ? theme.link : theme.text);
    if (!findings.legality.legal() && line.width() > kGlyph)
        icon([&](const QRectF& at) { drawGlyph(painter, at, Glyph::NotLegal, theme); });
    write(QString::fromStdString(offer.phrase), style.font(type::kBase), theme.text2);
    if (!offer.changes.empty())
        write(tr("changed basis"), style.font(type::kSecondary), theme.flag);
    if (column == comparison.baseline)
        write(tr("baseline"), style.font(type::kSecondary), theme.text2);

    const bool captions = rect.width() >= kWithCaptions * scale;
    qreal y = rect.top() + (kTop + kName) * scale;
    const Finding rows[]
        = { { "capacity", glyphOf(findings.capacity), textColorOf(findings.capacity, theme) },
              { "demonstrated", glyphOf(findings.demonstrated), theme.text },
              { "result", glyphOf(findings.result), theme.text } };
    for (const Finding& finding : rows) {
        const ComparisonRow* row = comparison.row(finding.field);
        QRectF place(rect.left() + kSide, y, rect.width() - 2 * kSide, kFinding * scale);
        y += kFinding * scale;
        if (captions) {
            drawLine(painter, place, Qt::AlignLeft | Qt::AlignVCenter, coreWord(row->title.c_str()),
                style.font(type::kBase), theme.text2);
            place.setLeft(place.left() + kCaption * scale);
        }
        const bool none = finding.field == rows[0].field && findings.devicesJudged == 0;
        if (!none)
            drawGlyph(painter,
                QRectF(place.left(), place.center().y() - kGlyph / 2, kGlyph, kGlyph),
                finding.glyph, theme);
        place.setLeft(place.left() + kGlyph + 5);
        drawLine(painter, place, Qt::AlignLeft | Qt::AlignVCenter,
            QString::fromStdString(row->cells[column].text),
            style.font(type::kBase, type::kSemibold), none ? theme.text2 : finding.ink);
    }
}

bool ComparisonHeader::viewportEvent(QEvent* event)
{
    const bool moved = event->type() == QEvent::MouseMove;
    if (moved || event->type() == QEvent::Leave) {
        const int at
            = moved ? logicalIndexAt(static_cast<QMouseEvent*>(event)->position().toPoint()) : -1;
        if (at != m_hovered) {
            m_hovered = at;
            viewport()->setCursor(at > 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
            viewport()->update();
        }
    }
    return QHeaderView::viewportEvent(event);
}

} // namespace shardrack
