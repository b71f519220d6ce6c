#include "charts/plot_layer.h"

#include <QVBoxLayout>

namespace shardrack {

PlotParts makePlot(QWidget* parent, std::function<void(QPainter&)> ground,
    std::function<void(QPainter&)> front, std::function<void(QPainter&)> cursor)
{
    auto* plot = new QCustomPlot(parent);
    auto* column = new QVBoxLayout(parent);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(plot);
    plot->setAttribute(Qt::WA_TransparentForMouseEvents);
    plot->setFocusPolicy(Qt::NoFocus);
    plot->axisRect()->setAutoMargins(QCP::msNone);
    plot->axisRect()->setMinimumSize(10, 10);
    plot->yAxis->setTicker(QSharedPointer<QCPAxisTickerText>::create());
    plot->yAxis->setSubTicks(false);
    plot->yAxis->setTickLength(0, 0);
    plot->yAxis->setBasePen(Qt::NoPen);
    plot->yAxis->grid()->setZeroLinePen(Qt::NoPen);
    const QString groundName = QStringLiteral("ground");
    const QString frontName = QStringLiteral("front");
    const QString cursorName = QStringLiteral("cursor");
    plot->addLayer(groundName, plot->layer(QStringLiteral("grid")), QCustomPlot::limBelow);
    new PlotLayer(plot, groundName, std::move(ground));
    plot->addLayer(frontName, plot->layer(QStringLiteral("axes")));
    new PlotLayer(plot, frontName, std::move(front));
    plot->addLayer(cursorName, plot->layer(frontName));
    QCPLayer* layer = plot->layer(cursorName);
    layer->setMode(QCPLayer::lmBuffered); // it moves without the rest being drawn again
    new PlotLayer(plot, cursorName, std::move(cursor));
    return { plot, layer };
}

} // namespace shardrack
