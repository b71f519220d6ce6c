#include "editors/number_edit.h"

#include "style/view_style.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QStyle>
#include <QWheelEvent>

namespace shardrack {

namespace {

constexpr int kArrows = 18; ///< width of their column
constexpr int kGap = 5; ///< around the suffix
constexpr int kPageSteps = 10;
constexpr int kWheelStep = 120; ///< eighths of a degree of one notch

void drawArrow(QPainter& painter, const QRectF& rect, bool up, const QColor& color)
{
    const QPointF middle = rect.center();
    const qreal tip = up ? -1.5 : 1.5;
    QPainterPath path(middle + QPointF(-3, -tip));
    path.lineTo(middle + QPointF(0, tip));
    path.lineTo(middle + QPointF(3, -tip));
    painter.setPen(QPen(color, 1.2));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(path);
}

} // namespace

NumberEdit::NumberEdit(QWidget* parent)
    : QLineEdit(parent)
{
    connect(this, &QLineEdit::returnPressed, this, &NumberEdit::commit);
    connect(this, &QLineEdit::textChanged, this, [this](const QString&) {
        if (!m_told.isEmpty() && problem().isEmpty())
            tell({});
        describe();
        place();
    });
    place();
}

QString NumberEdit::problem() const
{
    const QString typed = text().trimmed();
    if (typed.isEmpty())
        return m_required ? tr("A number is needed here.") : QString();
    return problemOf(typed);
}

void NumberEdit::setRequired(bool required) { m_required = required; }

void NumberEdit::setPlaceholder(const QString& text)
{
    m_placeholder = text;
    if (m_derived.isEmpty())
        setPlaceholderText(text);
    describe();
}

void NumberEdit::setDerivedText(const QString& text)
{
    if (text == m_derived)
        return;
    m_derived = text;
    // The two would stand in the same place; a derived number looks like a number.
    setPlaceholderText(m_derived.isEmpty() ? m_placeholder : QString());
    describe();
    place();
    update();
}

void NumberEdit::setSuffix(const QString& suffix)
{
    m_suffix = suffix;
    describe();
    place();
    update();
}

void NumberEdit::setArrowsShown(bool shown)
{
    m_wantsArrows = shown;
    place();
    update();
}

QSize NumberEdit::sizeHint() const
{
    return { minimumSizeHint().width() + fontMetrics().averageCharWidth() * 8,
        qRound(metrics::kField * uiScale()) };
}

QSize NumberEdit::minimumSizeHint() const
{
    return { fontMetrics().averageCharWidth() * 4 + 10, qRound(metrics::kField * uiScale()) };
}

bool NumberEdit::suffixApplies(const QString&) const { return true; }

void NumberEdit::showValue()
{
    setText(valueText());
    setModified(false);
    tell({});
}

void NumberEdit::showValueUnlessTyping(bool changed)
{
    if (changed || !isModified())
        showValue();
}

void NumberEdit::commit()
{
    const QString found = problem();
    tell(found);
    if (!found.isEmpty())
        return;
    accept();
    if (isModified())
        showValue();
}

void NumberEdit::stepIfReadable(int steps)
{
    // Nothing given is not zero: there is nothing below it.
    if (isReadOnly() || !problem().isEmpty() || (steps < 0 && text().trimmed().isEmpty()))
        return;
    step(steps);
    if (m_told.isEmpty())
        showValue();
}

void NumberEdit::refuse(const QString& problem) { tell(problem); }

void NumberEdit::tell(const QString& problem)
{
    if (problem == m_told)
        return;
    m_told = problem;
    describe();
    update();
    emit problemChanged(problem);
}

void NumberEdit::describe()
{
    QStringList about;
    if (!m_told.isEmpty())
        about << m_told;
    if (text().isEmpty())
        about << (m_derived.isEmpty() ? m_placeholder : tr("derived: %1").arg(m_derived));
    if (!m_suffix.isEmpty() && suffixApplies(text()))
        about << m_suffix;
    setAccessibleDescription(about.join(QStringLiteral(", ")));
    setToolTip(m_told);
}

int NumberEdit::suffixWidth() const
{
    const bool applies = !m_suffix.isEmpty()
        && (text().isEmpty() ? !m_derived.isEmpty() || !hasFocus() : suffixApplies(text()));
    return applies ? fontMetrics().horizontalAdvance(m_suffix) : 0;
}

/// Makes room at the right for what stands there; the number goes before the suffix, the suffix
/// before the arrows.
void NumberEdit::place()
{
    const int number = fontMetrics().horizontalAdvance(
        text().isEmpty() ? (m_derived.isEmpty() ? m_placeholder : m_derived) : text());
    m_arrows = m_wantsArrows;
    int right = m_arrows ? kArrows : 0;
    const int suffix = suffixWidth();
    if (suffix > 0 && number + suffix + 2 * kGap + right + 8 <= width())
        right += suffix + kGap;
    const QMargins margins(2, 0, right, 0);
    if (textMargins() != margins)
        setTextMargins(margins);
}

QRect NumberEdit::arrowRect(bool up) const
{
    const int half = height() / 2;
    return QRect(width() - kArrows, up ? 1 : half, kArrows - 1, half - 1);
}

bool NumberEdit::event(QEvent* event)
{
    // What was typed here is undone here; all else belongs to the plan.
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if ((key->matches(QKeySequence::Undo) && !isUndoAvailable())
            || (key->matches(QKeySequence::Redo) && !isRedoAvailable())) {
            event->ignore();
            return true;
        }
    }
    if (event->type() == QEvent::Resize)
        place();
    return QLineEdit::event(event);
}

void NumberEdit::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Up:
        return stepIfReadable(1);
    case Qt::Key_Down:
        return stepIfReadable(-1);
    case Qt::Key_PageUp:
        return stepIfReadable(kPageSteps);
    case Qt::Key_PageDown:
        return stepIfReadable(-kPageSteps);
    case Qt::Key_Escape:
        if (!isModified())
            break;
        showValue();
        selectAll();
        return;
    default:
        break;
    }
    QLineEdit::keyPressEvent(event);
}

void NumberEdit::wheelEvent(QWheelEvent* event)
{
    if (!hasFocus()) {
        event->ignore();
        return;
    }
    m_wheel += event->angleDelta().y();
    const int steps = m_wheel / kWheelStep;
    m_wheel -= steps * kWheelStep;
    if (steps != 0)
        stepIfReadable(steps);
    event->accept();
}

void NumberEdit::focusOutEvent(QFocusEvent* event)
{
    QLineEdit::focusOutEvent(event);
    m_wheel = 0;
    if (event->reason() == Qt::PopupFocusReason)
        return;
    // A field that the focus was taken from because it went away takes nothing with it.
    if (!isEnabled() || isHidden())
        showValue();
    else
        commit();
    place();
}

void NumberEdit::mousePressEvent(QMouseEvent* event)
{
    if (m_arrows && event->button() == Qt::LeftButton)
        for (const bool up : { true, false })
            if (arrowRect(up).contains(event->position().toPoint()))
                return stepIfReadable(up ? 1 : -1);
    QLineEdit::mousePressEvent(event);
}

void NumberEdit::mouseMoveEvent(QMouseEvent* event)
{
    const bool onArrows = m_arrows && event->position().x() >= width() - kArrows;
    setCursor(onArrows ? Qt::ArrowCursor : Qt::IBeamCursor);
    QLineEdit::mouseMoveEvent(event);
}

void NumberEdit::paintEvent(QPaintEvent* event)
{
    QLineEdit::paintEvent(event);
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(font());
    const int arrows = m_arrows ? kArrows : 0;
    const int left = style()->pixelMetric(QStyle::PM_DefaultFrameWidth) + 4;
    if (text().isEmpty() && !m_derived.isEmpty()) {
        painter.setPen(isEnabled() ? theme.text : theme.dis);
        painter.drawText(QRectF(left, 0, width() - left - arrows, height()),
            Qt::AlignVCenter | Qt::TextSingleLine, m_derived);
    }
    if (suffixWidth() > 0 && textMargins().right() > arrows) {
        painter.setPen(isEnabled() ? theme.text2 : theme.dis);
        painter.drawText(QRectF(0, 0, width() - arrows - kGap, height()),
            Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine, m_suffix);
    }
    if (m_arrows) {
        const QColor ink = isEnabled() ? theme.text2 : theme.dis;
        for (const bool up : { true, false })
            drawArrow(painter, QRectF(arrowRect(up)).translated(-1, up ? 1 : -1), up, ink);
    }
    if (!m_told.isEmpty()) {
        painter.setPen(QPen(theme.over, 1.6));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.8, 0.8, -0.8, -0.8),
            metrics::kFieldRadius, metrics::kFieldRadius);
    }
}

void NumberEdit::changeEvent(QEvent* event)
{
    QLineEdit::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        place();
}

} // namespace shardrack
