#pragma once

#include <qcustomplot.h>

#include <functional>

namespace shardrack {

/// A layer of a plot that is drawn by a function of ours, in widget coordinates.
class PlotLayer : public QCPLayerable {
public:
    PlotLayer(QCustomPlot* plot, const QString& layer, std::function<void(QPainter&)> draw)
        : QCPLayerable(plot, layer)
        , m_draw(std::move(draw))
    {
    }

protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override
    {
        painter->setAntialiasing(false);
    }
    void draw(QCPPainter* painter) override { m_draw(*painter); }

private:
    std::function<void(QPainter&)> m_draw;
};

/// A plot whose pointer and keys are its parent's: it has the axes, ranges and layers. `ground`
/// lies below the grid, `front` above the axes, `cursor` is drawn by itself.
struct PlotParts {
    QCustomPlot* plot;
    QCPLayer* cursor;
};
PlotParts makePlot(QWidget* parent, std::function<void(QPainter&)> ground,
    std::function<void(QPainter&)> front, std::function<void(QPainter&)> cursor);

} // namespace shardrack
