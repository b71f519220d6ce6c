#include "docks/evidence_summary.h"

#include "docks/paragraph.h"
#include "style/view_style.h"

#include <QEvent>
#include <QPainter>

namespace shardrack {

namespace {

constexpr qreal kMargin = 10;
constexpr qreal kGlyph = 18;
constexpr qreal kTextLeft = kMargin + kGlyph + 8;
constexpr qreal kPadding = 8;
constexpr qreal kGap = 2;

} // namespace

struct EvidenceSummary::Parts {
    Paragraph title;
    Paragraph rule;
    Paragraph lines;
    bool hasLines;
    qreal height() const
    {
        return 2 * kPadding + title.height() + kGap + rule.height()
            + (hasLines ? 2 * kGap + lines.height() : 0);
    }
};

EvidenceSummary::EvidenceSummary(QWidget* parent)
    : QWidget(parent)
{
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setAccessibleName(tr("Demonstrated fit"));
}

void EvidenceSummary::show(const std::optional<Demonstrated>& value, const QString& lead,
    const QString& title, const QString& rule, const QStringList& lines)
{
    m_value = value;
    m_title = lead.isEmpty() ? title : tr("%1 %2").arg(lead, title);
    m_rule = rule;
    m_lines = lines;
    m_lines.removeAll(QString());
    QStringList all { m_title, m_rule };
    all += m_lines;
    all.removeAll(QString());
    setAccessibleDescription(all.join(QStringLiteral(". ")));
    updateGeometry();
    update();
}

EvidenceSummary::Parts EvidenceSummary::parts(int width) const
{
    const PaintStyle style = styleOf(this);
    const qreal room = width - kTextLeft - kMargin;
    return { Paragraph(m_title, {}, style.font(type::kHeadline, type::kSemibold), room),
        Paragraph(m_rule, {}, style.font(type::kBase), room),
        Paragraph(m_lines.join(u'\n'), {}, style.font(type::kSecondary), room),
        !m_lines.isEmpty() };
}

QSize EvidenceSummary::sizeHint() const
{
    const int width = qRound(metrics::kRightDock * uiScale());
    return { width, heightForWidth(width) };
}

int EvidenceSummary::heightForWidth(int width) const { return qCeil(parts(width).height()); }

void EvidenceSummary::paintEvent(QPaintEvent*)
{
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), theme.view);
    if (m_value)
        drawGlyph(painter, QRectF(kMargin, kPadding, kGlyph, kGlyph).adjusted(0.5, 0.5, -0.5, -0.5),
            glyphOf(*m_value), theme);
    Parts text = parts(width());
    qreal y = kPadding;
    text.title.draw(painter, { kTextLeft, y }, theme.text, theme.link);
    y += text.title.height() + kGap;
    text.rule.draw(painter, { kTextLeft, y }, theme.text, theme.link);
    y += text.rule.height() + 2 * kGap;
    if (text.hasLines)
        text.lines.draw(painter, { kTextLeft, y }, theme.text2, theme.link);
}

void EvidenceSummary::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        updateGeometry();
    update();
}

} // namespace shardrack
