#pragma once

#include "docks/memory_bars_data.h"
#include "document/plan_document.h"
#include "document/selection.h"

#include <QWidget>

namespace shardrack {

/// The bars "Memory by GPU", painted by the shared painter. Bars follow and make the selection; the
/// order is held while a what-if is shown.
class MemoryChart : public QWidget {
    Q_OBJECT
public:
    MemoryChart(PlanDocument& document, Selection& selection, QWidget* parent = nullptr);

    void setOrder(BarOrder order);
    BarOrder order() const { return m_order; }
    /// Whether names of the categories stand in the chart, or in a list beside it.
    void setLegend(bool legend);

    int barCount() const { return m_input.count(); }
    /// What is drawn, for tests.
    const MemoryBarsInput& input() const { return m_input; }
    const MemoryBarsLayout& barsLayout() const { return m_layout; }
    /// The device of a bar: as it is now, or new in the what-if.
    GpuRef gpuOf(int bar) const;
    /// The bar of a device, or -1.
    int barOf(GpuRef gpu) const;

    QSize sizeHint() const override { return { 620, 340 }; }
    QSize minimumSizeHint() const override { return { 200, 140 }; }

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void rebuildIfSeen();
    void rebuild();
    void layOut();
    void showSelection();
    void showHover();
    void describe();
    bool selectable(int bar) const;
    /// Selects a bar alone, adds or removes it, or extends the selection to it.
    void select(int bar, Qt::KeyboardModifiers modifiers);
    int stepped(int bar, int by) const;

    PlanDocument& m_document;
    Selection& m_selection;
    BarOrder m_order = BarOrder::MostLoaded;
    bool m_legend = true;
    bool m_stale = true;
    std::optional<ShownOffer> m_now;
    std::optional<ShownOffer> m_shown;
    std::vector<std::int32_t> m_nowOrder; ///< ordinals of now, as sorted last
    std::vector<std::int32_t> m_gpus; ///< per bar the ordinal in `m_shown`
    std::vector<std::int32_t> m_barOf; ///< the inverse
    MemoryBarsInput m_input;
    MemoryBarsLayout m_layout;
    int m_anchor = -1; ///< where a selection that is extended began
};

} // namespace shardrack
