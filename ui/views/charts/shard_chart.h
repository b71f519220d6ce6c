#pragma once

#include "paint/shard_lines.h"

#include <QWidget>

class QCPLayer;
class QCustomPlot;

namespace shardrack {

/// The need of one GPU over the number of GPUs, with a cursor that goes from number to number: Left
/// and Right, Home and End, or a click.
class ShardChart : public QWidget {
    Q_OBJECT
public:
    explicit ShardChart(QWidget* parent);

    void setInput(const ShardLinesInput& input);
    const ShardLinesInput& input() const { return m_input; }
    /// Index into ShardCurves::gpus.
    std::size_t cursor() const { return m_cursor; }
    void setCursor(std::size_t number);
    /// All values at a number of GPUs in one sentence.
    static QString textAt(const ShardCurves& curves, std::size_t number);

    QSize sizeHint() const override { return { 620, 300 }; }
    QSize minimumSizeHint() const override { return { 200, 110 }; }

protected:
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    ShardScale scale() const;
    void layOut();
    void layOutNumbers(const QFont& font);
    void describe();
    void moveTo(const QPointF& position);
    void drawFront(QPainter& painter) const;
    void drawCursor(QPainter& painter) const;

    QCustomPlot* m_plot = nullptr;
    QCPLayer* m_cursorLayer = nullptr;
    ShardLinesInput m_input;
    AxisScale m_axis;
    std::size_t m_cursor = 0;
};

} // namespace shardrack
