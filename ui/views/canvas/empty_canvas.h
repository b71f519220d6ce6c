#pragma once

#include <QWidget>

namespace shardrack {

/// What stands on the canvas while there is no rack: an outline where the first would be, and three
/// ways to begin.
class EmptyCanvas : public QWidget {
    Q_OBJECT
public:
    explicit EmptyCanvas(QWidget* parent);

signals:
    void openExample();
    void addRack();
    void openPlan();

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace shardrack
