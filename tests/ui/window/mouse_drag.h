#pragma once

#include <QTest>
#include <QTimer>
#include <QWidget>
#include <QWindow>

#include <functional>

namespace shardrack {

/// Presses, moves in steps and releases, driven by a timer because QDrag runs a loop of its own.
class MouseDrag : public QObject {
public:
    MouseDrag(QWidget* from, QPoint start, QWidget* to, QPoint end)
        : m_window(from->window()->windowHandle())
        , m_start(from->mapTo(from->window(), start))
        , m_end(to->mapTo(to->window(), end))
    {
    }
    /// Looks at the window while the button is still held over the target.
    std::function<void()> beforeRelease;
    bool escape = false;

    void run()
    {
        QTest::mousePress(m_window, Qt::LeftButton, {}, m_start);
        // A timer does not fire while its own slot runs, and the move that starts the drag returns
        // only after the drop: every step has a timer of its own.
        for (int step = 1; step <= kSteps + 10; ++step)
            QTimer::singleShot(25 * step, this, [this, step] { take(step); });
        QTRY_VERIFY_WITH_TIMEOUT(m_done, 15'000);
    }

private:
    void take(int step)
    {
        if (step <= kSteps) {
            QTest::mouseMove(m_window, m_start + (m_end - m_start) * step / kSteps);
        } else if (step == kSteps + 4) {
            if (beforeRelease)
                beforeRelease();
        } else if (step == kSteps + 6 && escape) {
            QTest::keyClick(m_window, Qt::Key_Escape);
        } else if (step == kSteps + (escape ? 8 : 6)) {
            QTest::mouseRelease(m_window, Qt::LeftButton, {}, m_end);
        } else if (step == kSteps + 10) {
            m_done = true;
        }
    }
    static constexpr int kSteps = 12;
    QWindow* m_window;
    QPoint m_start;
    QPoint m_end;
    bool m_done = false;
};

} // namespace shardrack
