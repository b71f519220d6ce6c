#pragma once

#include "report/document.h"
#include "report/paginator.h"
#include "report/report_style.h"

namespace shardrack {

/// A heading and where it stands.
struct OutlineEntry {
    QString title;
    QString anchor;
    int level = 1;
    int page = 0; ///< from 0
    qreal y = 0; ///< dots from the sheet's upper edge
};

/// A link and where it stands.
struct PageLink {
    int page = 0;
    QRectF rect; ///< dots on the sheet
    QString target;
};

/// A document on pages of one size, ready to be painted on anything. Not copyable: its pages point
/// into its pieces.
class LaidOutReport {
public:
    LaidOutReport(ReportDocument document, Paper paper);
    LaidOutReport(const LaidOutReport&) = delete;
    LaidOutReport& operator=(const LaidOutReport&) = delete;

    const ReportDocument& document() const { return m_document; }
    const ReportStyle& style() const { return m_style; }
    int pageCount() const { return static_cast<int>(m_pages.size()); }
    const std::vector<PageContent>& pages() const { return m_pages; }
    const PieceList& pieces() const { return m_pieces; }
    const std::vector<OutlineEntry>& outline() const { return m_outline; }
    std::vector<PageLink> links() const;
    /// The page of an anchor, from 0; -1 when there is none.
    int pageOf(const QString& anchor) const;

    /// Paints a page; 1 unit of the painter is one dot, the sheet's corner is the origin.
    void paintPage(QPainter& painter, int page) const;

private:
    void paintChrome(QPainter& painter, int page) const;
    void findHeadings();

    ReportDocument m_document;
    ReportStyle m_style;
    PieceList m_pieces;
    std::vector<PageContent> m_pages;
    std::vector<OutlineEntry> m_outline;
};

} // namespace shardrack
