#include "canvas/canvas_accessible.h"

#include "canvas/rack_canvas.h"

#include <QWindow>

namespace shardrack {

namespace {

QAccessibleInterface* make(const QString& className, QObject* object)
{
    if (className == QLatin1StringView(RackCanvas::staticMetaObject.className()))
        return new CanvasAccessible(static_cast<RackCanvas*>(object));
    return nullptr;
}

} // namespace

void CanvasAccessible::install()
{
    static const bool installed = [] {
        QAccessible::installFactory(make);
        return true;
    }();
    static_cast<void>(installed);
}

void CanvasAccessible::focusChanged(RackCanvas& canvas)
{
    if (!QAccessible::isActive() || !canvas.hasFocus())
        return;
    auto* own = static_cast<CanvasAccessible*>(QAccessible::queryAccessibleInterface(&canvas));
    if (!own || own->focusedGpu() < 0)
        return;
    QAccessibleEvent focus(&canvas, QAccessible::Focus);
    focus.setChild(own->focusedGpu() - canvas.scene().firstGpu(own->rack()));
    QAccessible::updateAccessibility(&focus);
}

CanvasAccessible::CanvasAccessible(RackCanvas* canvas)
    : QAccessibleWidget(canvas, QAccessible::Table)
{
}

CanvasAccessible::~CanvasAccessible()
{
    for (const QAccessible::Id id : m_children)
        QAccessible::deleteAccessibleInterface(id);
}

RackCanvas& CanvasAccessible::canvas() const { return *static_cast<RackCanvas*>(widget()); }

int CanvasAccessible::focusedGpu() const
{
    return canvas().scene().ordinal(canvas().selection().focus());
}

int CanvasAccessible::rack() const
{
    const CanvasScene& scene = canvas().scene();
    if (scene.rackCount() == 0)
        return -1;
    const int selected = canvas().selection().rack();
    if (selected >= 0 && selected < scene.rackCount())
        return selected;
    const int focus = focusedGpu();
    return focus < 0 ? 0 : scene.index().servers()[std::size_t(scene.index().serverOf(focus))].rack;
}

int CanvasAccessible::childCount() const
{
    const int shown = rack();
    return shown < 0 ? 0 : canvas().scene().firstGpu(shown + 1) - canvas().scene().firstGpu(shown);
}

void CanvasAccessible::makeChildren() const
{
    for (int i = static_cast<int>(m_children.size()); i < childCount(); ++i)
        m_children.push_back(
            QAccessible::registerAccessibleInterface(new GpuAccessible(&canvas(), i)));
}

QAccessibleInterface* CanvasAccessible::child(int index) const
{
    if (index < 0 || index >= childCount())
        return nullptr;
    makeChildren();
    return QAccessible::accessibleInterface(m_children[std::size_t(index)]);
}

int CanvasAccessible::indexOfChild(const QAccessibleInterface* child) const
{
    for (int i = 0; i < childCount(); ++i)
        if (this->child(i) == child)
            return i;
    return -1;
}

QAccessibleInterface* CanvasAccessible::focusChild() const
{
    const int gpu = focusedGpu();
    if (gpu < 0 || !canvas().hasFocus())
        return nullptr;
    return child(gpu - canvas().scene().firstGpu(rack()));
}

QAccessibleInterface* CanvasAccessible::childAt(int x, int y) const
{
    for (int i = 0; i < childCount(); ++i)
        if (QAccessibleInterface* gpu = child(i); gpu->rect().contains(x, y))
            return gpu;
    return nullptr;
}

QString CanvasAccessible::text(QAccessible::Text kind) const
{
    const int gpu = focusedGpu();
    if (kind == QAccessible::Value && gpu >= 0)
        return gpuSentence(canvas().scene(), gpu);
    return QAccessibleWidget::text(kind);
}

GpuAccessible::GpuAccessible(RackCanvas* canvas, int index)
    : m_canvas(canvas)
    , m_index(index)
{
}

CanvasAccessible* GpuAccessible::owner() const
{
    return static_cast<CanvasAccessible*>(QAccessible::queryAccessibleInterface(m_canvas));
}

bool GpuAccessible::isValid() const { return owner() && m_index < owner()->childCount(); }

QAccessibleInterface* GpuAccessible::parent() const { return owner(); }

int GpuAccessible::ordinal() const
{
    return isValid() ? m_canvas->scene().firstGpu(owner()->rack()) + m_index : -1;
}

QString GpuAccessible::text(QAccessible::Text kind) const
{
    const int gpu = ordinal();
    if (gpu < 0)
        return {};
    if (kind == QAccessible::Name)
        return RackCanvas::tr("GPU %1").arg(deviceLabel(m_canvas->scene(), gpu));
    if (kind == QAccessible::Value || kind == QAccessible::Description)
        return gpuSentence(m_canvas->scene(), gpu);
    return {};
}

QRect GpuAccessible::rect() const
{
    const int gpu = ordinal();
    if (gpu < 0)
        return {};
    const QRect inViewport = m_canvas->rectOf(m_canvas->scene().index().ref(gpu));
    return { m_canvas->viewport()->mapToGlobal(inViewport.topLeft()), inViewport.size() };
}

QAccessible::State GpuAccessible::state() const
{
    QAccessible::State state;
    const int gpu = ordinal();
    if (gpu < 0) {
        state.invalid = true;
        return state;
    }
    const Selection& selection = m_canvas->selection();
    const GpuRef ref = m_canvas->scene().index().ref(gpu);
    state.focusable = true;
    state.selectable = true;
    state.multiSelectable = true;
    state.selected = selection.contains(ref);
    state.focused = m_canvas->hasFocus() && selection.focus() == ref;
    state.offscreen = !m_canvas->viewport()->rect().intersects(m_canvas->rectOf(ref));
    return state;
}

QWindow* GpuAccessible::window() const { return m_canvas->window()->windowHandle(); }

} // namespace shardrack
