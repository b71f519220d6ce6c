#pragma once

#include "report/layout.h"

#include <QAbstractScrollArea>
#include <QPixmap>

#include <map>
#include <memory>

namespace shardrack {

/// The pages of a report below each other, painted by what prints them. Page Up and Page Down go
/// from page to page, Home and End to the first and last, arrows scroll; plus, minus and Ctrl with
/// the wheel zoom, 0 fits the width. A click on a link goes where it leads.
class ReportPreview : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit ReportPreview(QWidget* parent = nullptr);

    /// Shows another report and stays near the place that was seen. Null: nothing, with a reason.
    void setReport(std::shared_ptr<const LaidOutReport> report, const QString& reason = {});
    const LaidOutReport* report() const { return m_report.get(); }

    int currentPage() const; ///< the page at the view's middle, from 0; -1 without a report
    void showPage(int page);
    /// 1 is the size of paper; 0 fits the width.
    void setZoom(double zoom);
    double zoom() const; ///< as shown
    QRect pageRect(int page) const; ///< on the viewport

signals:
    void viewChanged(); ///< page or zoom

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;

private:
    double scale() const; ///< logical pixels for a dot
    QSize pageSize() const;
    void refresh();
    const QPixmap& picture(int page);
    const PageLink* linkAt(const QPoint& point) const;

    std::shared_ptr<const LaidOutReport> m_report;
    std::vector<PageLink> m_links;
    QString m_reason;
    double m_zoom = 0;
    std::map<int, QPixmap> m_pictures;
    QSize m_pictureSize;
};

} // namespace shardrack
