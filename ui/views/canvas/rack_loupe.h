#pragma once

#include "canvas/canvas_scene.h"
#include "paint/paint_style.h"

#include <QFrame>

namespace shardrack {

/// One rack enlarged beside the pointer, where the canvas shows cells too small for numbers: need
/// per GPU, usable per server.
class RackLoupe : public QFrame {
    Q_OBJECT
public:
    explicit RackLoupe(QWidget* parent);

    /// `beside`: the rack's place in the parent, which stays uncovered.
    void showRack(const CanvasScene& scene, int rack, const QRect& beside);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Cell {
        QString need;
        bool over = false;
        bool idle = true;
        double level = 0;
    };
    struct Line {
        QString server;
        QString usable;
        bool over = false;
        std::vector<Cell> cells;
    };

    QString m_title;
    QString m_about;
    QString m_rest; ///< what is not listed
    std::vector<Line> m_lines;
    int m_columns = 0;
};

} // namespace shardrack
