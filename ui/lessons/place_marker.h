#pragma once

#include "lessons/lesson.h"

#include <QTimer>
#include <QWidget>

namespace shardrack {

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

    /// Why a place does not exist in this window, if it does not: names what is near.
    static std::optional<Error> problem(const QWidget* window, const LessonPlace& place);
    /// Of all places that a lesson names, the first that does not exist.
    static std::optional<Error> problem(const QWidget* window, const Lesson& lesson);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void look();
    std::optional<QRect> rectOf(const LessonPlace& place) const;
    void bringUp(const LessonPlace& place) const;

    QWidget* m_window;
    std::vector<LessonPlace> m_places;
    std::vector<QRect> m_rects;
    QTimer m_timer; ///< follows scrolling and resizing
};

} // namespace shardrack
