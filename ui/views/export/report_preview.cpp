#include "export/report_preview.h"

#include "report/units.h"
#include "style/view_style.h"

#include <QGuiApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace shardrack {

namespace {

constexpr int kGap = 14; ///< around and between pages
constexpr double kLeastZoom = 0.2;
constexpr double kMostZoom = 4;
constexpr double kStep = 1.2;
constexpr std::size_t kMostPictures = 6; ///< pages kept painted

} // namespace

ReportPreview::ReportPreview(QWidget* parent)
    : QAbstractScrollArea(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Preview of the report"));
    viewport()->setMouseTracking(true);
    verticalScrollBar()->setSingleStep(40);
    horizontalScrollBar()->setSingleStep(40);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
}

void ReportPreview::setReport(std::shared_ptr<const LaidOutReport> report, const QString& reason)
{
    const int page = std::max(0, currentPage());
    const bool first = !m_report;
    m_report = std::move(report);
    m_reason = reason;
    m_links = m_report ? m_report->links() : std::vector<PageLink> {};
    m_pictures.clear();
    refresh();
    if (m_report && !first && page >= m_report->pageCount())
        showPage(m_report->pageCount() - 1);
    viewport()->update();
    emit viewChanged();
}

double ReportPreview::scale() const
{
    if (!m_report)
        return 1;
    if (m_zoom > 0)
        return m_zoom * logicalDpiX() / kDotsPerInch;
    const double room = viewport()->width() - 2 * kGap;
    return std::max(room, 80.0) / m_report->style().page().width();
}

double ReportPreview::zoom() const { return scale() * kDotsPerInch / logicalDpiX(); }

QSize ReportPreview::pageSize() const
{
    const QSizeF page = m_report->style().page() * scale();
    return { static_cast<int>(std::lround(page.width())),
        static_cast<int>(std::lround(page.height())) };
}

QRect ReportPreview::pageRect(int page) const
{
    const QSize size = pageSize();
    const int x
        = std::max(kGap, (viewport()->width() - size.width()) / 2) - horizontalScrollBar()->value();
    const int y = kGap + page * (size.height() + kGap) - verticalScrollBar()->value();
    return { QPoint(x, y), size };
}

int ReportPreview::currentPage() const
{
    if (!m_report)
        return -1;
    const int middle = verticalScrollBar()->value() + viewport()->height() / 2;
    return std::clamp((middle - kGap) / (pageSize().height() + kGap), 0, m_report->pageCount() - 1);
}

void ReportPreview::showPage(int page)
{
    if (!m_report)
        return;
    const int shown = std::clamp(page, 0, m_report->pageCount() - 1);
    verticalScrollBar()->setValue(shown * (pageSize().height() + kGap));
}

void ReportPreview::setZoom(double zoom)
{
    const int page = currentPage();
    m_zoom = zoom <= 0 ? 0 : std::clamp(zoom, kLeastZoom, kMostZoom);
    refresh();
    if (page >= 0)
        showPage(page);
    viewport()->update();
    emit viewChanged();
}

void ReportPreview::refresh()
{
    if (!m_report) {
        verticalScrollBar()->setRange(0, 0);
        horizontalScrollBar()->setRange(0, 0);
        return;
    }
    const QSize size = pageSize();
    if (size != m_pictureSize) {
        m_pictures.clear();
        m_pictureSize = size;
    }
    const int height = kGap + m_report->pageCount() * (size.height() + kGap);
    verticalScrollBar()->setRange(0, std::max(0, height - viewport()->height()));
    verticalScrollBar()->setPageStep(viewport()->height());
    const int width = size.width() + 2 * kGap;
    horizontalScrollBar()->setRange(0, std::max(0, width - viewport()->width()));
    horizontalScrollBar()->setPageStep(viewport()->width());
}

const QPixmap& ReportPreview::picture(int page)
{
    const auto known = m_pictures.find(page);
    if (known != m_pictures.end())
        return known->second;
    if (m_pictures.size() >= kMostPictures)
        m_pictures.erase(
            std::abs(m_pictures.begin()->first - page) > std::abs(m_pictures.rbegin()->first - page)
                ? m_pictures.begin()
                : std::prev(m_pictures.end()));
    const qreal ratio = devicePixelRatioF();
    QPixmap picture((QSizeF(pageSize()) * ratio).toSize());
    picture.setDevicePixelRatio(ratio);
    picture.fill(Qt::white);
    QPainter painter(&picture);
    painter.scale(scale(), scale());
    m_report->paintPage(painter, page);
    painter.end();
    return m_pictures.emplace(page, std::move(picture)).first->second;
}

void ReportPreview::paintEvent(QPaintEvent* event)
{
    QPainter painter(viewport());
    const Theme& theme = themeOf(this);
    painter.fillRect(event->rect(), theme.canvas);
    if (!m_report) {
        painter.setPen(theme.text2);
        painter.drawText(viewport()->rect().adjusted(20, 20, -20, -20),
            Qt::AlignCenter | Qt::TextWordWrap, m_reason);
        return;
    }
    for (int page = 0; page < m_report->pageCount(); ++page) {
        const QRect rect = pageRect(page);
        if (!rect.intersects(event->rect()))
            continue;
        painter.drawPixmap(rect.topLeft(), picture(page));
        painter.setPen(theme.line);
        painter.drawRect(rect.adjusted(-1, -1, 0, 0));
    }
    if (hasFocus()) {
        painter.setPen(theme.accent);
        painter.drawRect(viewport()->rect().adjusted(0, 0, -1, -1));
    }
}

void ReportPreview::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    refresh();
    emit viewChanged();
}

void ReportPreview::scrollContentsBy(int, int)
{
    viewport()->update();
    emit viewChanged();
}

void ReportPreview::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_PageDown:
        return showPage(currentPage() + 1);
    case Qt::Key_PageUp:
        return showPage(currentPage() - 1);
    case Qt::Key_Home:
        return showPage(0);
    case Qt::Key_End:
        return verticalScrollBar()->setValue(verticalScrollBar()->maximum());
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return setZoom(zoom() * kStep);
    case Qt::Key_Minus:
        return setZoom(zoom() / kStep);
    case Qt::Key_0:
        return setZoom(0);
    default:
        QAbstractScrollArea::keyPressEvent(event);
    }
}

void ReportPreview::wheelEvent(QWheelEvent* event)
{
    if (!(event->modifiers() & Qt::ControlModifier)) {
        QAbstractScrollArea::wheelEvent(event);
        return;
    }
    if (event->angleDelta().y() != 0)
        setZoom(event->angleDelta().y() > 0 ? zoom() * kStep : zoom() / kStep);
    event->accept();
}

const PageLink* ReportPreview::linkAt(const QPoint& point) const
{
    if (!m_report)
        return nullptr;
    for (const PageLink& link : m_links) {
        const QRectF rect = link.rect;
        const QRectF shown(QPointF(pageRect(link.page).topLeft()) + rect.topLeft() * scale(),
            rect.size() * scale());
        if (shown.contains(point))
            return &link;
    }
    return nullptr;
}

void ReportPreview::mousePressEvent(QMouseEvent* event)
{
    const PageLink* link = linkAt(event->pos());
    if (!link || event->button() != Qt::LeftButton)
        return;
    for (const OutlineEntry& entry : m_report->outline())
        if (entry.anchor == link->target)
            verticalScrollBar()->setValue(entry.page * (pageSize().height() + kGap)
                + static_cast<int>(entry.y * scale()) - kGap);
}

void ReportPreview::mouseMoveEvent(QMouseEvent* event)
{
    viewport()->setCursor(linkAt(event->pos()) ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

} // namespace shardrack
