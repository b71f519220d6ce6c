#include "window/dock_title.h"

#include "style/view_style.h"

#include <QApplication>
#include <QDockWidget>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>

namespace shardrack {

DockTitle::DockTitle(QDockWidget* dock)
    : QWidget(dock)
    , m_dock(dock)
    , m_name(new QLabel(dock->windowTitle(), this))
    , m_subtitle(new QLabel(this))
    , m_float(new QToolButton(this))
    , m_close(new QToolButton(this))
{
    setFixedHeight(sizeHint().height());
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(10, 0, 6, 0);
    layout->setSpacing(6);
    layout->addWidget(m_name);
    // What is shown may be long; the buttons stay.
    m_subtitle->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    layout->addWidget(m_subtitle, 1);
    for (QToolButton* button : { m_float, m_close }) {
        button->setAutoRaise(true);
        button->setFixedSize(20, 20);
        button->setFocusPolicy(Qt::NoFocus);
        layout->addWidget(button);
    }
    const QString title = dock->windowTitle();
    m_float->setAccessibleName(tr("Float %1").arg(title));
    m_float->setToolTip(tr("Float"));
    m_close->setAccessibleName(tr("Close %1").arg(title));
    m_close->setToolTip(tr("Close; the View menu brings it back"));
    connect(
        m_float, &QToolButton::clicked, dock, [dock] { dock->setFloating(!dock->isFloating()); });
    connect(m_close, &QToolButton::clicked, dock, &QDockWidget::close);
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, const QWidget* now) {
        setActive(now && (now == m_dock || m_dock->isAncestorOf(now)));
    });
    restyle();
}

void DockTitle::setActive(bool active)
{
    if (m_active == active)
        return;
    m_active = active;
    update();
}

void DockTitle::setSubtitle(const QString& subtitle)
{
    m_subtitle->setText(subtitle);
    m_subtitle->setToolTip(subtitle);
}

QSize DockTitle::sizeHint() const { return { 120, qRound(metrics::kDockTitle * uiScale()) }; }

void DockTitle::restyle()
{
    const PaintStyle style = styleOf(this);
    m_name->setFont(style.font(type::kBase, type::kSemibold));
    m_subtitle->setFont(style.font(type::kSecondary));
    QPalette faint = m_subtitle->palette();
    if (faint.color(QPalette::WindowText) != style.theme->text2) {
        faint.setColor(QPalette::WindowText, style.theme->text2);
        m_subtitle->setPalette(faint);
    }
    m_float->setIcon(makeIcon(Icon::Float, *style.theme));
    m_close->setIcon(makeIcon(Icon::Close, *style.theme));
}

void DockTitle::paintEvent(QPaintEvent*)
{
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    painter.fillRect(rect(), theme.dock);
    if (m_active) // as under the tab of the offer in front
        painter.fillRect(QRect(0, height() - 2, width(), 2), theme.accent);
    else
        painter.fillRect(QRect(0, height() - 1, width(), 1), theme.line2);
}

void DockTitle::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        restyle();
}

} // namespace shardrack
