#include "lessons/choice_row.h"

#include "lessons/lesson_style.h"

#include <QKeyEvent>
#include <QPainter>
#include <QTextCursor>
#include <QTextDocument>

namespace shardrack {

namespace {

constexpr int kMark = 13;
constexpr int kPadding = 7;
constexpr int kTextLeft = 30;

void fill(QTextDocument& document, const QString& html, const QFont& font, int width)
{
    document.setDocumentMargin(0);
    document.setDefaultFont(font);
    document.setHtml(html);
    document.setTextWidth(width - kTextLeft - kPadding);
}

} // namespace

ChoiceRow::ChoiceRow(QWidget* parent)
    : QAbstractButton(parent)
{
    setCheckable(true);
    setAutoExclusive(true);
    setFocusPolicy(Qt::StrongFocus);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void ChoiceRow::setTexts(const QString& html, const QString& plain)
{
    if (html == m_html)
        return;
    m_html = html;
    setAccessibleName(plain);
    updateGeometry();
    update();
}

void ChoiceRow::setLocked(bool locked)
{
    m_locked = locked;
    setEnabled(!locked);
    update();
}

QSize ChoiceRow::sizeHint() const { return { 320, heightForWidth(320) }; }

int ChoiceRow::heightForWidth(int width) const
{
    QTextDocument document;
    fill(document, m_html, lessonStyle(this).font(type::kBase), width);
    return qCeil(document.size().height()) + 2 * kPadding;
}

void ChoiceRow::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        click();
        return;
    }
    QAbstractButton::keyPressEvent(event);
}

void ChoiceRow::paintEvent(QPaintEvent*)
{
    const PaintStyle style = lessonStyle(this);
    const Theme& theme = *style.theme;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool faint = m_locked && !isChecked();
    const bool marked = isChecked() || (underMouse() && !m_locked);
    painter.setPen(QPen(marked ? theme.accent : theme.btnLine, hasFocus() ? 2 : 1));
    painter.setBrush(isChecked() ? theme.accentTint : theme.view);
    painter.drawRoundedRect(
        QRectF(rect()).adjusted(1, 1, -1, -1), metrics::kFieldRadius, metrics::kFieldRadius);

    QTextDocument document;
    fill(document, m_html, style.font(type::kBase), width());
    const QRectF mark(10, kPadding + 1, kMark, kMark);
    painter.setPen(QPen(isChecked() ? theme.accent : faint ? theme.dis : theme.text2, 1.3));
    painter.setBrush(theme.view);
    painter.drawEllipse(mark.adjusted(0.5, 0.5, -0.5, -0.5));
    if (isChecked()) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.accent);
        painter.drawEllipse(mark.adjusted(3.5, 3.5, -3.5, -3.5));
    }
    QTextCursor all(&document);
    all.select(QTextCursor::Document);
    QTextCharFormat ink;
    ink.setForeground(faint ? theme.text3 : theme.text);
    all.mergeCharFormat(ink);
    painter.translate(kTextLeft, kPadding);
    document.drawContents(&painter);
}

} // namespace shardrack
