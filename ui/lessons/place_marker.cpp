#include "lessons/place_marker.h"

#include "lessons/lesson_style.h"
#include "plan/plan_json_nearest.h"

#include <QAction>
#include <QDockWidget>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QPainter>
#include <QScrollArea>
#include <QToolButton>

#include <algorithm>

namespace shardrack {

namespace {

constexpr int kFollowMilliseconds = 150;
constexpr int kOutline = 3;

QObject* named(const QWidget* window, const std::string& name)
{
    return window->findChild<QObject*>(QString::fromStdString(name));
}

QRect inWindow(const QWidget* widget, const QRect& rect)
{
    return { widget->mapTo(widget->window(), rect.topLeft()), rect.size() };
}

/// The title in the menu bar that leads to a menu.
std::optional<QRect> titleOf(const QMenuBar* bar, const QMenu* menu)
{
    for (QAction* title : bar->actions()) {
        QMenu* top = title->menu();
        if (top && (top == menu || top->isAncestorOf(menu)))
            return inWindow(bar, bar->actionGeometry(title));
    }
    return std::nullopt;
}

/// The button of an action, or the title of the menu that it is in.
std::optional<QRect> rectOfAction(const QMainWindow* window, const QAction* action)
{
    const QMenu* menu = nullptr;
    for (QObject* holder : action->associatedObjects()) {
        if (const auto* button = qobject_cast<QToolButton*>(holder); button && button->isVisible())
            return inWindow(button, button->rect());
        if (const auto* in = qobject_cast<QMenu*>(holder))
            menu = in;
    }
    return menu ? titleOf(window->menuBar(), menu) : std::nullopt;
}

QRect placeIn(QWidget* widget, const std::string& place)
{
    QRect rect;
    QMetaObject::invokeMethod(widget, "placeRect", Qt::DirectConnection, Q_RETURN_ARG(QRect, rect),
        Q_ARG(QString, QString::fromStdString(place)));
    return rect;
}

/// The part of a widget that no scroll area around it hides.
QRect seenOf(const QWidget* widget)
{
    QRect seen = widget->rect();
    for (const QWidget* around = widget->parentWidget(); around && !around->isWindow();
         around = around->parentWidget())
        seen &= QRect(widget->mapFrom(around, QPoint()), around->size());
    return seen;
}

bool hasPlaces(const QObject* object)
{
    return object->metaObject()->indexOfMethod("placeRect(QString)") >= 0;
}

} // namespace

PlaceMarker::PlaceMarker(QWidget* window)
    : QWidget(window)
    , m_window(window)
{
    setObjectName(QStringLiteral("placeMarker"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_NoSystemBackground);
    setFocusPolicy(Qt::NoFocus);
    m_timer.setInterval(kFollowMilliseconds);
    connect(&m_timer, &QTimer::timeout, this, &PlaceMarker::look);
    hide();
}

std::optional<Error> PlaceMarker::problem(const QWidget* window, const LessonPlace& place)
{
    const QObject* object = named(window, place.object);
    if (!object) {
        std::vector<std::string> names;
        for (const QObject* child : window->findChildren<QObject*>()) {
            const QString name = child->objectName();
            if (!name.isEmpty() && !name.startsWith(QLatin1String("qt_")))
                names.push_back(name.toStdString());
        }
        return Error { place.path, "is \"" + place.object + "\", which the window does not have",
            "an object such as " + nearestNames(place.object, names) };
    }
    if (!place.place.empty() && !hasPlaces(object))
        return Error { place.path, "is \"" + place.object + "\", which has no places of its own",
            "no \"place\" beside it" };
    return std::nullopt;
}

std::optional<Error> PlaceMarker::problem(const QWidget* window, const Lesson& lesson)
{
    const auto first = [window](const std::vector<LessonPlace>& places) -> std::optional<Error> {
        for (const LessonPlace& place : places)
            if (std::optional<Error> error = problem(window, place))
                return error;
        return std::nullopt;
    };
    for (const LessonStep& step : lesson.steps) {
        for (const LessonTask& task : step.tasks)
            if (std::optional<Error> error = first(task.show))
                return error;
        if (step.reveal)
            if (std::optional<Error> error = first(step.reveal->show))
                return error;
    }
    return std::nullopt;
}

void PlaceMarker::show(const std::vector<LessonPlace>& places)
{
    m_places = places;
    for (const LessonPlace& place : places)
        bringUp(place);
    look();
    m_timer.start();
}

void PlaceMarker::clear()
{
    m_timer.stop();
    m_places.clear();
    m_rects.clear();
    m_tags.clear();
    hide();
}

/// A panel that was closed, or is behind another, comes up; a place in it is scrolled into view.
void PlaceMarker::bringUp(const LessonPlace& place) const
{
    auto* widget = qobject_cast<QWidget*>(named(m_window, place.object));
    const bool folded = widget && !widget->isVisible(); // it has no place yet to scroll to
    for (QWidget* at = widget; at; at = at->parentWidget())
        if (auto* dock = qobject_cast<QDockWidget*>(at)) {
            dock->show();
            dock->raise();
        } else if (auto* area = qobject_cast<QScrollArea*>(at); area && area != widget && !folded) {
            area->ensureWidgetVisible(widget);
        }
    if (widget && !place.place.empty()
        && widget->metaObject()->indexOfMethod("showPlace(QString)") >= 0)
        QMetaObject::invokeMethod(widget, "showPlace", Qt::DirectConnection,
            Q_ARG(QString, QString::fromStdString(place.place)));
}

std::optional<QRect> PlaceMarker::rectOf(const LessonPlace& place) const
{
    QObject* object = named(m_window, place.object);
    const auto* window = qobject_cast<QMainWindow*>(m_window);
    if (const auto* action = qobject_cast<QAction*>(object); action && window)
        return rectOfAction(window, action);
    if (const auto* menu = qobject_cast<QMenu*>(object); menu && window)
        return titleOf(window->menuBar(), menu);
    auto* widget = qobject_cast<QWidget*>(object);
    if (!widget || !widget->isVisible() || widget->window() != m_window)
        return std::nullopt;
    // What is scrolled out of sight is not shown over something else.
    const QRect seen = seenOf(widget);
    const QRect inside = place.place.empty() ? widget->rect() : placeIn(widget, place.place);
    const QRect shown = (inside.isEmpty() ? widget->rect() : inside).intersected(seen);
    return shown.isEmpty() ? std::nullopt : std::optional(inWindow(widget, shown));
}

void PlaceMarker::look()
{
    const auto inTurn = std::count_if(m_places.begin(), m_places.end(),
        [](const LessonPlace& place) { return !place.alternative; });
    std::vector<QRect> rects;
    QStringList tags;
    int number = 0;
    for (const LessonPlace& place : m_places) {
        number += place.alternative ? 0 : 1;
        const std::optional<QRect> rect = rectOf(place);
        if (!rect || rect->isEmpty())
            continue;
        rects.push_back(*rect);
        tags << (place.alternative ? tr("or here")
                : inTurn > 1       ? QString::number(number)
                                   : tr("here"));
    }
    if (rects == m_rects && isVisible() && geometry() == m_window->rect())
        return;
    m_rects = std::move(rects);
    m_tags = std::move(tags);
    setGeometry(m_window->rect());
    QWidget::show();
    raise();
    update();
}

/// A flag at the upper left corner, inside the window.
void PlaceMarker::paintTag(
    QPainter& painter, const QRectF& outline, const QString& text, const PaintStyle& style) const
{
    const QFont font = style.font(type::kSecondary, type::kBold);
    constexpr qreal kHeight = 18;
    QRectF tag(0, 0, std::max(kHeight, lineWidth(text, font) + 12), kHeight);
    tag.moveCenter(QPointF(outline.left() + tag.width() / 2, outline.top()));
    tag.moveLeft(std::clamp(tag.left() - 6, 1.0, std::max(1.0, width() - tag.width() - 1)));
    // Above a menu title there is no room: the flag hangs below it, so that it can be read.
    if (tag.top() < 1 || outline.height() < 2 * kHeight)
        tag.moveTop(outline.bottom() - 2);
    painter.setPen(QPen(style.theme->view, 1.5));
    painter.setBrush(style.theme->flag);
    painter.drawRoundedRect(tag, kHeight / 2, kHeight / 2);
    drawLine(painter, tag, Qt::AlignCenter, text, font, style.theme->view);
}

void PlaceMarker::paintEvent(QPaintEvent*)
{
    const PaintStyle style = lessonStyle(this);
    const Theme& theme = *style.theme;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    for (std::size_t i = 0; i < m_rects.size(); ++i) {
        const QRectF outline
            = QRectF(m_rects[i])
                  .adjusted(-1, -1, 1, 1)
                  .intersected(QRectF(rect()).adjusted(kOutline, kOutline, -kOutline, -kOutline));
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.view, kOutline + 2));
        painter.drawRoundedRect(outline, 5, 5);
        // Dashed and in the colour of flags: what is selected has a plain outline in the accent.
        QPen dashes(theme.flag, kOutline, Qt::CustomDashLine, Qt::FlatCap);
        dashes.setDashPattern({ 3, 1.5 });
        painter.setPen(dashes);
        painter.drawRoundedRect(outline, 5, 5);
        paintTag(painter, outline, m_tags[qsizetype(i)], style);
    }
}

} // namespace shardrack
