#include "paint/icon_engine.h"

#include <QIconEngine>
#include <QPainter>
#include <QPixmap>

#include <algorithm>
#include <utility>

namespace shardrack {

namespace {

class PathIconEngine : public QIconEngine {
public:
    PathIconEngine(IconPainter paint, const QColor& normal, const QColor& disabled)
        : m_paint(std::move(paint))
        , m_normal(normal)
        , m_disabled(disabled)
    {
    }

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override
    {
        m_paint(*painter, rect, mode == QIcon::Disabled ? m_disabled : m_normal);
    }

    // `size` is in device pixels already; the base class hands out a pixmap that was never cleared.
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override
    {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(0, 0), size), mode, state);
        return pixmap;
    }

    QIconEngine* clone() const override { return new PathIconEngine(*this); }
    QString key() const override { return QStringLiteral("shardrack-path"); }
    bool isNull() override { return false; }

private:
    IconPainter m_paint;
    QColor m_normal;
    QColor m_disabled;
};

} // namespace

QIcon makeIcon(IconPainter paint, const QColor& normal, const QColor& disabled)
{
    return QIcon(new PathIconEngine(std::move(paint), normal, disabled));
}

GridScope::GridScope(QPainter& painter, const QRectF& rect)
    : m_painter(painter)
{
    const qreal side = std::min(rect.width(), rect.height());
    m_painter.save();
    m_painter.setRenderHint(QPainter::Antialiasing);
    m_painter.translate(rect.center() - QPointF(side, side) / 2);
    m_painter.scale(side / 16, side / 16);
}

GridScope::~GridScope() { m_painter.restore(); }

} // namespace shardrack
