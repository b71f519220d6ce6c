#include "lessons/lesson_blocks.h"

#include "lessons/lesson_style.h"
#include "paint/icons.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <QVBoxLayout>

namespace shardrack {

namespace {

constexpr int kNumber = 20;
constexpr int kSmall = 16;
constexpr int kSide = 16;

/// Only where it differs: setting a palette tells of a change of palettes.
void setInk(QWidget* widget, const QColor& ink)
{
    QPalette colors = widget->palette();
    if (colors.color(QPalette::WindowText) == ink)
        return;
    colors.setColor(QPalette::WindowText, ink);
    widget->setPalette(colors);
}

} // namespace

LessonLabel::LessonLabel(Tone tone, QWidget* parent)
    : QLabel(parent)
    , m_tone(tone)
{
    setWordWrap(true);
    setTextFormat(Qt::RichText);
    setForegroundRole(QPalette::WindowText); // whatever its ground's role asks for
    setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    connect(this, &QLabel::linkActivated, this, [this](const QString& link) {
        const QString word = glossaryWordOfLink(link);
        if (!word.isEmpty())
            emit wordRequested(word);
    });
    restyle();
}

void LessonLabel::setTone(Tone tone)
{
    m_tone = tone;
    restyle();
}

void LessonLabel::setText(const LessonText& text, const FactTable& now, const FactTable& before)
{
    const QString html = text.html(now, before, *lessonStyle(this).theme);
    if (html == QLabel::text())
        return;
    QLabel::setText(html);
    setAccessibleName(text.plain(now, before));
    const bool links = html.contains(QLatin1String("<a "));
    setFocusPolicy(links ? Qt::TabFocus : Qt::NoFocus);
    if (links) // the words say what they are before anybody follows them
        setToolTip(tr("Words in colour are explained in the glossary."));
}

void LessonLabel::setPlainText(const QString& text)
{
    QLabel::setText(text.toHtmlEscaped());
    setAccessibleName(text);
    setFocusPolicy(Qt::NoFocus);
}

void LessonLabel::restyle()
{
    const PaintStyle style = lessonStyle(this);
    const Theme& theme = *style.theme;
    const bool small = m_tone == Tone::Secondary;
    const QFont wanted = style.font(small ? type::kSecondary : type::kBase,
        m_tone == Tone::Heading ? type::kSemibold : type::kRegular);
    if (font() != wanted)
        setFont(wanted);
    setInk(this,
        m_tone == Tone::Secondary   ? theme.text2
            : m_tone == Tone::Faint ? theme.text3
                                    : theme.text);
    const bool reply = m_tone == Tone::Reply;
    setAutoFillBackground(reply);
    if (reply && backgroundRole() != QPalette::Window)
        setBackgroundRole(QPalette::Window);
    if (reply && palette().color(QPalette::Window) != theme.flagTint) {
        QPalette colors = palette();
        colors.setColor(QPalette::Window, theme.flagTint);
        setPalette(colors);
    }
    const QMargins room = reply ? QMargins(8, 6, 8, 6) : QMargins();
    if (contentsMargins() != room)
        setContentsMargins(room);
}

void LessonLabel::changeEvent(QEvent* event)
{
    QLabel::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        restyle();
}

StepsBar::StepsBar(QWidget* parent)
    : QWidget(parent)
{
    setFixedHeight(5);
}

void StepsBar::setSteps(int count, int reached, int shown)
{
    m_count = count;
    m_reached = reached;
    m_shown = shown;
    update();
}

void StepsBar::paintEvent(QPaintEvent*)
{
    if (m_count == 0)
        return;
    const Theme& theme = *lessonStyle(this).theme;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    constexpr qreal kGap = 6;
    const qreal segment = (width() - kGap * (m_count - 1)) / m_count;
    for (int i = 0; i < m_count; ++i) {
        painter.setBrush(i == m_shown ? theme.accent : i < m_reached ? theme.ok : theme.line2);
        painter.drawRoundedRect(QRectF(i * (segment + kGap), 0, segment, height()), 2, 2);
    }
}

StepMark::StepMark(int number, QWidget* parent)
    : QWidget(parent)
    , m_number(number)
{
    const int side = number > 0 ? kNumber : kSmall;
    setFixedSize(side, side);
}

void StepMark::setState(State state)
{
    m_state = state;
    setAccessibleName(state == State::Done ? tr("done")
            : state == State::Wrong        ? tr("answered, wrong")
            : state == State::Current      ? tr("to do now")
                                           : tr("later"));
    update();
}

void StepMark::paintEvent(QPaintEvent*)
{
    const PaintStyle style = lessonStyle(this);
    const Theme& theme = *style.theme;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF circle = QRectF(rect()).adjusted(1, 1, -1, -1);
    if (m_number == 0) {
        if (m_state == State::Done) {
            drawIcon(painter, QRectF(rect()).adjusted(1, 1, -1, -1), Icon::Tick, theme.okText);
            return;
        }
        const bool current = m_state == State::Current;
        painter.setPen(QPen(current ? theme.accent : theme.line, 1.6, Qt::DashLine));
        painter.drawEllipse(circle.adjusted(1.5, 1.5, -1.5, -1.5));
        return;
    }
    painter.setPen(m_state == State::Waiting ? QPen(theme.line, 1.2) : QPen(Qt::NoPen));
    painter.setBrush(m_state == State::Done ? theme.ok
            : m_state == State::Wrong       ? theme.flag
            : m_state == State::Current     ? theme.accent
                                            : theme.view);
    painter.drawEllipse(circle);
    if (m_state == State::Done)
        drawIcon(painter, circle.adjusted(2, 2, -2, -2), Icon::Tick, theme.view);
    else if (m_state == State::Wrong)
        drawLine(painter, circle, Qt::AlignCenter, QStringLiteral("×"),
            style.font(type::kBase, type::kBold), theme.view);
    else
        drawLine(painter, circle, Qt::AlignCenter, QString::number(m_number),
            style.font(type::kSecondary, type::kSemibold),
            m_state == State::Current ? theme.view : theme.text3);
}

LessonBlock::LessonBlock(int number, const QString& title, QWidget* parent)
    : QWidget(parent)
    , m_mark(new StepMark(number, this))
    , m_title(new QLabel(title, this))
    , m_chip(new QLabel(this))
    , m_body(new QVBoxLayout)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kSide, 12, kSide, 12);
    column->setSpacing(8);
    auto* head = new QHBoxLayout;
    head->setSpacing(8);
    head->addWidget(m_mark);
    head->addWidget(m_title, 1);
    head->addWidget(m_chip);
    column->addLayout(head);
    m_body->setSpacing(6);
    column->addLayout(m_body);
    m_title->setForegroundRole(QPalette::WindowText);
    m_chip->setContentsMargins(8, 2, 8, 2);
    m_chip->setAutoFillBackground(true);
    m_chip->setBackgroundRole(QPalette::Window);
    m_chip->setForegroundRole(QPalette::WindowText);
    m_chip->hide();
    restyle();
}

void LessonBlock::setState(StepMark::State state)
{
    m_state = state;
    m_mark->setState(state);
    restyle();
    update();
}

void LessonBlock::setChip(const QString& text)
{
    m_chip->setText(text);
    m_chip->setVisible(!text.isEmpty());
}

void LessonBlock::restyle()
{
    const PaintStyle style = lessonStyle(this);
    const Theme& theme = *style.theme;
    m_title->setFont(style.font(type::kBase, type::kSemibold));
    setInk(m_title, m_state == StepMark::State::Waiting ? theme.text3 : theme.text);
    m_chip->setFont(style.font(type::kSecondary, type::kSemibold));
    QPalette chip = m_chip->palette();
    if (chip.color(QPalette::Window) != theme.openTint) {
        chip.setColor(QPalette::Window, theme.openTint);
        chip.setColor(QPalette::WindowText, theme.openText);
        m_chip->setPalette(chip);
    }
}

void LessonBlock::paintEvent(QPaintEvent*)
{
    const Theme& theme = *lessonStyle(this).theme;
    QPainter painter(this);
    painter.fillRect(rect(), m_state == StepMark::State::Current ? theme.alt : theme.view);
    painter.fillRect(QRect(0, height() - 1, width(), 1), theme.line2);
}

void LessonBlock::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        restyle();
}

} // namespace shardrack
