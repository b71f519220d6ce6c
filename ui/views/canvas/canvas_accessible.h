#pragma once

#include <QAccessibleWidget>

#include <vector>

namespace shardrack {

class RackCanvas;

/// The canvas for assistive technology: its children are the GPUs of the rack in focus, each with
/// what it needs and has as its text; never all of a large site.
class CanvasAccessible : public QAccessibleWidget {
public:
    explicit CanvasAccessible(RackCanvas* canvas);
    ~CanvasAccessible() override;

    /// Makes QAccessible know the canvas; once is enough, more does nothing.
    static void install();
    /// Tells assistive technology which GPU has the focus now.
    static void focusChanged(RackCanvas& canvas);

    int childCount() const override;
    QAccessibleInterface* child(int index) const override;
    int indexOfChild(const QAccessibleInterface* child) const override;
    QAccessibleInterface* focusChild() const override;
    QAccessibleInterface* childAt(int x, int y) const override;
    QString text(QAccessible::Text kind) const override;

    RackCanvas& canvas() const;
    /// The rack whose GPUs are the children: that of the focus, else the first.
    int rack() const;
    /// Ordinal of the GPU in focus, or -1.
    int focusedGpu() const;

private:
    void makeChildren() const;
    mutable std::vector<QAccessible::Id> m_children;
};

/// One GPU of the rack in focus.
class GpuAccessible : public QAccessibleInterface {
public:
    GpuAccessible(RackCanvas* canvas, int index);
    bool isValid() const override;
    QObject* object() const override { return nullptr; }
    QAccessibleInterface* parent() const override;
    QAccessibleInterface* child(int) const override { return nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    QString text(QAccessible::Text kind) const override;
    void setText(QAccessible::Text, const QString&) override { }
    QRect rect() const override;
    QAccessible::Role role() const override { return QAccessible::Cell; }
    QAccessible::State state() const override;
    QWindow* window() const override;
    int index() const { return m_index; }

private:
    CanvasAccessible* owner() const;
    int ordinal() const;
    RackCanvas* m_canvas;
    int m_index; ///< among the GPUs of the rack in focus
};

} // namespace shardrack
