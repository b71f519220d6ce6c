#pragma once

#include <QWidget>

class QDockWidget;
class QLabel;
class QToolButton;

namespace shardrack {

/// A dock's title bar: name, what it currently shows, float and close.
class DockTitle : public QWidget {
    Q_OBJECT
public:
    explicit DockTitle(QDockWidget* dock);
    void setSubtitle(const QString& subtitle);
    /// The dock places its content below this height.
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void restyle();
    /// Whether the keyboard is in the dock.
    void setActive(bool active);

    QDockWidget* m_dock;
    QLabel* m_name;
    QLabel* m_subtitle;
    QToolButton* m_float;
    QToolButton* m_close;
    bool m_active = false;
};

} // namespace shardrack
