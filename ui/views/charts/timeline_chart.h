#pragma once

#include "charts/callouts.h"
#include "paint/axis_scale.h"
#include "paint/legend.h"
#include "paint/timeline_areas.h"

#include <QWidget>

class QCPLayer;
class QCustomPlot;

namespace shardrack {

/// The step timeline with its cursor. Left and Right go by event, Ctrl by phase, Home to the peak,
/// End to the quiet point; a click or drag puts the cursor there; the wheel or + and − zoom, 0
/// shows everything, Page Up and Page Down move the view.
class TimelineChart : public QWidget {
    Q_OBJECT
public:
    explicit TimelineChart(QWidget* parent);
    ~TimelineChart() override;

    /// Shows other moments; the view and the cursor stay where they mean the same.
    void setInput(const TimelineInput& input);
    void setSlackShown(bool shown);
    const TimelineInput& input() const { return m_input; }
    bool empty() const { return !m_input.rank || m_input.rank->timeline.empty(); }

    std::size_t cursor() const { return m_cursor; }
    void setCursor(std::size_t moment);
    void goToPeak();
    void goToQuietPoint();

    /// The part of the axis in view, as shares of the whole.
    double viewFirst() const;
    double viewLast() const;
    void zoom(double factor, double about); ///< `about`: place of the axis that stays
    void showAll();

    /// What is said beside the points of interest, for tests.
    const std::vector<Callout>& callouts() const { return m_callouts; }
    /// Place of a moment in the widget.
    QPoint pointOf(std::size_t moment) const;

    QSize sizeHint() const override { return { 620, 340 }; }
    QSize minimumSizeHint() const override { return { 200, 150 }; }

signals:
    void cursorMoved();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    TimelineScale scale() const;
    void layOut();
    std::vector<LegendEntry> legendEntries() const;
    void makeCallouts();
    void pan(double places);
    void setView(double first, double last);
    void keepCursorInView();
    /// The event so many events or phases further.
    std::size_t stepped(int by, bool byPhase) const;
    void describe();
    void drawGround(QPainter& painter) const;
    void drawFront(QPainter& painter) const;
    void drawCursor(QPainter& painter) const;

    QCustomPlot* m_plot = nullptr;
    QCPLayer* m_cursorLayer = nullptr;
    TimelineInput m_input;
    MomentAxis m_axis;
    AxisScale m_scale;
    std::size_t m_cursor = 0;
    qreal m_right = 4; ///< room right of the plot
    qreal m_legend = 0; ///< height of the legend below the names of the steps
    std::vector<Callout> m_callouts;
};

} // namespace shardrack
