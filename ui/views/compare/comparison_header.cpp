#include "compare/comparison_header.h"

#include "compare/comparison_model.h"
#include "models/number_text.h"
#include "style/view_style.h"

#include <QFontMetricsF>
#include <QMouseEvent>
#include <QPainter>

#include <cmath>
#include <iterator>

namespace shardrack {

namespace {

// Distances at the base font of 12 px.
constexpr qreal kSide = 12;
constexpr qreal kTop = 7;
constexpr qreal kName = 21;
constexpr qreal kFinding = 20;
constexpr qreal kGlyph = 14;
constexpr qreal kCaption = 106; ///< width of "Capacity estimate" and the gap behind it
constexpr qreal kWithCaptions = 400; ///< narrower, the captions stand beside the plan only

constexpr int kWrapped = Qt::TextWordWrap | Qt::AlignLeft | Qt::AlignTop;
constexpr const char* kFindings[] = { "capacity", "demonstrated", "result" };

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

bool ComparisonHeader::narrow() const
{
    return count() > 1 && sectionSize(1) < kWithCaptions * uiScale();
}

/// The height of a finding over all offers, where its words wrap.
qreal ComparisonHeader::findingHeight(const char* field) const
{
    const PaintStyle style = styleOf(this);
    const QFont font = style.font(type::kBase, type::kSemibold);
    const std::vector<ComparisonCell>& cells = m_model.comparison().row(field)->cells;
    qreal height = kFinding * style.textScale;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const QRectF room(0, 0, sectionSize(int(i) + 1) - 2 * kSide - kGlyph - 5, 1000);
        const QRectF words = QFontMetricsF(font).boundingRect(
            room, kWrapped, QString::fromStdString(cells[i].text));
        height = std::max(height, words.height() + 4);
    }
    return height;
}

QSize ComparisonHeader::sizeHint() const
{
    const qreal scale = uiScale();
    qreal findings = 3 * kFinding * scale;
    if (narrow()) {
        findings = kName * scale; // a line of its own for what stands beside the name
        for (const char* field : kFindings)
            findings += findingHeight(field);
    }
    return { 0, qRound((kTop + kName + 6) * scale + findings) };
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
    const qreal scale = style.textScale;
    QRectF room = rect.adjusted(kSide, kTop * scale, -kSide, -4);
    const QFont plain = style.font(type::kSecondary);
    const qreal foot = std::ceil(QFontMetricsF(plain).height());
    const QString title = QString::fromStdString(m_model.comparison().plan->title);
    const QString counts
        = tr("%1 offers compared").arg(countText(qint64(m_model.comparison().offers.size())));
    if (narrow()) {
        qreal y = rect.top() + (kTop + 2 * kName) * scale;
        room.setBottom(y - 2);
        for (const char* field : kFindings) {
            drawLine(painter, QRectF(room.left(), y, room.width(), kFinding * scale),
                Qt::AlignRight | Qt::AlignVCenter,
                coreWord(m_model.comparison().row(field)->title.c_str()), style.font(type::kBase),
                theme.text2);
            y += findingHeight(field);
        }
    } else {
        drawLine(painter, QRectF(room.left(), room.bottom() - foot, room.width(), foot),
            Qt::AlignRight | Qt::AlignVCenter, counts, plain, theme.text2);
        room.setBottom(room.bottom() - foot);
    }
    painter.setFont(style.font(type::kBase, type::kSemibold));
    painter.setPen(theme.text);
    painter.drawText(room, Qt::TextWordWrap | Qt::AlignRight | Qt::AlignTop, title);
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
    qreal y = rect.top() + (kTop + kName) * scale;
    if (narrow()) {
        line = QRectF(rect.left() + kSide, y, rect.width() - 2 * kSide, kName * scale);
        y = line.bottom();
    }
    if (!findings.legality.legal() && line.width() > kGlyph)
        icon([&](const QRectF& at) { drawGlyph(painter, at, Glyph::NotLegal, theme); });
    write(QString::fromStdString(offer.phrase), style.font(type::kBase), theme.text2);
    if (!offer.changes.empty())
        write(tr("changed basis"), style.font(type::kSecondary), theme.flag);
    if (column == comparison.baseline)
        write(tr("baseline"), style.font(type::kSecondary), theme.text2);
    paintFindings(painter, QRectF(QPointF(rect.left(), y), rect.bottomRight()), column);
}

void ComparisonHeader::paintFindings(
    QPainter& painter, const QRectF& rect, std::size_t column) const
{
    const PaintStyle style = styleOf(this);
    const Theme& theme = *style.theme;
    const qreal scale = style.textScale;
    const Comparison& comparison = m_model.comparison();
    const Findings& findings = comparison.offers[column].assessment->findings;
    const bool judged = findings.devicesJudged > 0;
    const Glyph glyphs[]
        = { glyphOf(findings.capacity), glyphOf(findings.demonstrated), glyphOf(findings.result) };
    const QColor inks[]
        = { judged ? textColorOf(findings.capacity, theme) : theme.text2, theme.text, theme.text };
    qreal y = rect.top();
    for (std::size_t i = 0; i < std::size(kFindings); ++i) {
        const ComparisonRow* row = comparison.row(kFindings[i]);
        const qreal height = narrow() ? findingHeight(kFindings[i]) : kFinding * scale;
        QRectF place(rect.left() + kSide, y, rect.width() - 2 * kSide, height);
        y += height;
        if (!narrow()) {
            drawLine(painter, place, Qt::AlignLeft | Qt::AlignVCenter, coreWord(row->title.c_str()),
                style.font(type::kBase), theme.text2);
            place.setLeft(place.left() + kCaption * scale);
        }
        const qreal first = kFinding * scale;
        if (i > 0 || judged)
            drawGlyph(painter,
                QRectF(place.left(), place.top() + (first - kGlyph) / 2, kGlyph, kGlyph), glyphs[i],
                theme);
        place.setLeft(place.left() + kGlyph + 5);
        const QString text = QString::fromStdString(row->cells[column].text);
        const QFont font = style.font(type::kBase, type::kSemibold);
        if (!narrow()) {
            drawLine(painter, place, Qt::AlignLeft | Qt::AlignVCenter, text, font, inks[i]);
            continue;
        }
        painter.setFont(font);
        painter.setPen(inks[i]);
        painter.drawText(
            place.adjusted(0, (first - QFontMetricsF(font).height()) / 2, 0, 0), kWrapped, text);
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
