#pragma once

#include "lessons/lesson.h"

#include <QTimer>
#include <QWidget>

namespace shardrack {

struct PaintStyle;

/// Outlines places in the real window, above everything and in nobody's way. It knows widgets,
/// actions and menus by their object names only; a widget with places of its own tells them by an
/// invokable `QRect placeRect(const QString& place)`, and scrolls one into view by
/// `void showPlace(const QString& place)`.
class PlaceMarker : public QWidget {
    Q_OBJECT
public:
    explicit PlaceMarker(QWidget* window);

    void show(const std::vector<LessonPlace>& places);
    void clear();
    bool active() const { return !m_places.empty(); }
    /// What is outlined now, in the window.
    const std::vector<QRect>& rects() const { return m_rects; }
    /// What is written at each: "here"; "1", "2" for places in turn; "or here" for another way.
    const QStringList& tags() const { return m_tags; }

    /// Why a place does not exist in this window, if it does not: names what is near.
    static std::optional<Error> problem(const QWidget* window, const LessonPlace& place);
    /// Of all places that a lesson names, the first that does not exist.
    static std::optional<Error> problem(const QWidget* window, const Lesson& lesson);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void look();
    void paintTag(QPainter& painter, const QRectF& outline, const QString& text,
        const PaintStyle& style) const;
    std::optional<QRect> rectOf(const LessonPlace& place) const;
    void bringUp(const LessonPlace& place) const;

    QWidget* m_window;
    std::vector<LessonPlace> m_places;
    std::vector<QRect> m_rects;
    QStringList m_tags; ///< of the rects
    QTimer m_timer; ///< follows scrolling and resizing
};

} // namespace shardrack
